"""The part of the HTTP API about notices: :mod:`lostcities.protocol.notices`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lostcities.protocol.notices import MailAddress, MailCode, NoticeWhen, Subscription
from lostcities.server.limits import Buckets
from lostcities.server.routes import Api, address_of, json_response
from lostcities.server.security import session_token
from lostcities.server.settings import Settings
from lostcities.service.ids import hashed
from lostcities.service.room import Room
from lostcities.service.wishes import Visitor, WishError


class NoticesApi(Api):
    """Getting notices, trying them, ending them."""

    def __init__(self, room: Room, settings: Settings) -> None:
        super().__init__(room, settings)
        limits = settings.limits
        self._by_address = Buckets(limits.codes, limits.codes_a_second)
        self._by_mail = Buckets(limits.mails, limits.mails_a_second)

    def routes(self) -> list[Route]:
        """Every route of it."""
        mail = "/api/notices/mail"
        return [
            self._get("/api/notices", self.info),
            self._post("/api/notices/push", self.subscribe),
            self._post("/api/notices/push/drop", self.unsubscribe),
            self._post("/api/notices/test", self.try_out),
            self._post("/api/notices/when", self.set_when),
            self._post(mail, self.ask_address),
            self._post(f"{mail}/drop", self.no_mail),
            # From a link in a mail, on whatever device: what its code allows needs no password.
            self._post(f"{mail}/confirm", self.confirm, locked=False),
            self._post(f"{mail}/stop/{{stop}}", self.stop, locked=False),
        ]

    async def info(self, request: Request) -> Response:
        """What this room and browser can do."""
        player = await self._player(request)
        return json_response(await self._room.notices.info(player, self._session(request)))

    def _session(self, request: Request) -> str | None:
        token = session_token(request, self._settings)
        return hashed(token) if token else None

    async def subscribe(self, request: Request) -> Response:
        """This browser takes notices."""
        wish = await self._body(request, Subscription)
        visitor = await self._known(request)
        session = self._session_of(request, visitor)
        await self._room.notices.subscribe(session, wish)
        return await self._told(request, visitor)

    async def unsubscribe(self, request: Request) -> Response:
        """It takes none any more."""
        await self._room.notices.unsubscribe(self._session(request))
        return await self.info(request)

    async def try_out(self, request: Request) -> Response:
        """A test notice."""
        self._may_try(request)
        return json_response(await self._room.notices.try_out(self._session(request)))

    async def set_when(self, request: Request) -> Response:
        """When to be told."""
        wish = await self._body(request, NoticeWhen)
        visitor = await self._known(request)
        await self._room.notices.set_when(visitor.player, wish.when)
        return await self._told(request, visitor)

    async def ask_address(self, request: Request) -> Response:
        """Send a link to confirm an address."""
        wish = await self._body(request, MailAddress)
        self._may_try(request)
        if not self._by_mail.take(self._room.notices.address(wish).casefold()):
            raise WishError(429, "too_fast", "too many tries, wait a while")
        visitor = await self._known(request)
        await self._room.notices.ask_address(visitor.player, wish)
        return await self._told(request, visitor)

    async def no_mail(self, request: Request) -> Response:
        """No mail any more."""
        await self._room.notices.no_mail(await self._player(request))
        return await self.info(request)

    async def confirm(self, request: Request) -> Response:
        """The link to confirm was followed."""
        self._may_try(request)
        await self._room.notices.confirm((await self._body(request, MailCode)).code)
        return json_response({})

    async def stop(self, request: Request) -> Response:
        """The link to end mail was followed, or a mail program has done so."""
        await self._room.notices.stop(request.path_params["stop"][:100])
        return json_response({})

    async def _known(self, request: Request) -> Visitor:
        """Who asks; somebody new is kept from now on."""
        visitor = await self._visitor(request)
        await self._room.keep(visitor)
        return visitor

    def _session_of(self, request: Request, visitor: Visitor) -> str:
        return hashed(visitor.token or session_token(request, self._settings) or "")

    async def _told(self, request: Request, visitor: Visitor) -> Response:
        session = self._session_of(request, visitor)
        info = await self._room.notices.info(visitor.player, session)
        return self._with_session(json_response(info), request, visitor)

    def _may_try(self, request: Request) -> None:
        if not self._by_address.take(address_of(request)):
            raise WishError(429, "too_fast", "too many tries, wait a minute")
