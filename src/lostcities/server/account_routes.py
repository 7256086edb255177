"""The part of the HTTP API about a person's own account: :mod:`lostcities.protocol.account`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lostcities.protocol.account import Forget, NewAccount, NewPassphrase, SignIn
from lostcities.server.limits import Buckets
from lostcities.server.routes import Api, json_response
from lostcities.server.security import end_session, is_secure, session_token
from lostcities.server.settings import Settings
from lostcities.service.accounts import folded
from lostcities.service.room import Room
from lostcities.service.wishes import Visitor, WishError

TRIES_OF_A_NAME = 20
"""Passphrases that may be tried of one account at once; one more comes back every ten seconds."""


class AccountApi(Api):
    """Signing in and out, passphrases, being forgotten."""

    def __init__(self, room: Room, settings: Settings) -> None:
        super().__init__(room, settings)
        limits = settings.limits
        self._by_address = Buckets(limits.codes, limits.codes_a_second)
        self._by_name = Buckets(max(TRIES_OF_A_NAME, limits.codes), limits.codes_a_second)

    def routes(self) -> list[Route]:
        """Every route of it."""
        return [
            self._get("/api/account", self.info),
            self._post("/api/account", self.open),
            self._post("/api/account/sign-in", self.sign_in),
            self._post("/api/account/sign-out", self.sign_out),
            self._post("/api/account/sign-out-others", self.sign_out_others),
            self._post("/api/account/passphrase", self.change),
            self._post("/api/account/forget", self.forget),
        ]

    async def _settled(self, request: Request) -> str | None:
        player = await self._player(request)
        await self._room.accounts.settled(player)
        return player

    async def info(self, request: Request) -> Response:
        """Who this browser's person is."""
        return await self._info(await self._player(request))

    async def _info(self, player: str | None) -> Response:
        return json_response(await self._room.accounts.info(player))

    async def open(self, request: Request) -> Response:
        """A passphrase for them."""
        wish = await self._body(request, NewAccount)
        self._may_try(request, wish.name)
        await self._settled(request)
        visitor = await self._room.accounts.open(await self._visitor(request), wish)
        return await self._as(request, visitor)

    async def sign_in(self, request: Request) -> Response:
        """This browser becomes an account's."""
        wish = await self._body(request, SignIn)
        self._may_try(request, wish.name)
        visitor = await self._room.accounts.sign_in(await self._player(request), wish)
        return await self._as(request, visitor)

    async def sign_out(self, request: Request) -> Response:
        """This browser is nobody's again."""
        await self._room.accounts.sign_out(session_token(request, self._settings))
        return self._signed_out(request)

    def _signed_out(self, request: Request) -> Response:
        response = json_response({})
        end_session(response, is_secure(request, self._settings))
        return response

    async def sign_out_others(self, request: Request) -> Response:
        """Every other browser is."""
        token = session_token(request, self._settings)
        player = await self._settled(request)
        await self._room.accounts.sign_out_others(player, token)
        return await self._info(player)

    async def change(self, request: Request) -> Response:
        """Another passphrase."""
        wish = await self._body(request, NewPassphrase)
        player = await self._player(request)
        self._may_try(request, player or "")
        return await self._as(request, await self._room.accounts.change(player, wish))

    async def forget(self, request: Request) -> Response:
        """Nothing personal stays."""
        wish = await self._body(request, Forget)
        player = await self._settled(request)
        self._may_try(request, player or "")
        await self._room.accounts.forget(player, wish.passphrase)
        return self._signed_out(request)

    async def _as(self, request: Request, visitor: Visitor) -> Response:
        info = await self._info(visitor.player)
        return self._with_session(info, request, visitor)

    def _may_try(self, request: Request, name: str) -> None:
        address = request.client.host if request.client else "-"
        if not self._by_address.take(address) or not self._by_name.take(folded(name)):
            raise WishError(429, "too_fast", "too many tries, wait a minute")
