"""The HTTP API of :mod:`lostcities.protocol.http`."""

from __future__ import annotations

import datetime as dt
import functools
import io
from collections.abc import Awaitable, Callable
from importlib.metadata import PackageNotFoundError, version
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lostcities.protocol.http import (
    AgentInfo,
    ErrorBody,
    Health,
    Join,
    NewTable,
    PresetInfo,
    Problem,
    RoomInfo,
    Said,
    UseDeviceCode,
)
from lostcities.protocol.messages import PROTOCOL_VERSION
from lostcities.protocol.openapi import document
from lostcities.server.limits import Buckets
from lostcities.server.security import is_secure, origin_allowed, session_token, set_session
from lostcities.server.settings import Settings
from lostcities.service.bodies import in_words
from lostcities.service.room import Room
from lostcities.service.table import BusyError
from lostcities.service.wishes import Visitor, WishError
from lostcities.store.interfaces import StoreError

T = TypeVar("T", bound=msgspec.Struct)
Handler = Callable[[Request], Awaitable[Response]]


def json_response(body: msgspec.Struct | dict[str, str], status: int = 200) -> Response:
    """A body of the protocol as an answer that nobody may keep."""
    return Response(
        msgspec.json.encode(body), status, {"cache-control": "no-store"}, "application/json"
    )


def problem(status: int, reason: str, text: str, said: Said | None = None) -> Response:
    """An error as the protocol has it."""
    return json_response(ErrorBody(Problem(reason, text, said)), status)


class Api:
    """The routes, around a room."""

    def __init__(self, room: Room, settings: Settings) -> None:
        self._room = room
        self._house = room.house
        self._settings = settings
        limits = settings.limits
        self._posts = Buckets(limits.posts, limits.posts_a_second)
        self._codes = Buckets(limits.codes, limits.codes_a_second)

    def routes(self) -> list[Route]:
        """Every route under ``/api``."""
        table = "/api/tables/{match}"
        return [
            self._get("/api/health", self.health, locked=False),
            self._get("/api/room", self.room, locked=False),
            self._get("/api/openapi.json", self.openapi, locked=False),
            self._get("/api/tables", self.tables),
            self._post("/api/tables", self.create),
            self._get("/api/invites/{code}", self.invite),
            self._post("/api/invites/{code}", self.accept),
            self._post(f"{table}/leave", self.leave),
            self._post(f"{table}/again", self.again),
            self._post(f"{table}/device", self.device_code),
            self._post("/api/device", self.use_device_code),
            self._get(f"{table}/record", self.record),
            self._get(f"{table}/qr.svg", self.qr),
        ]

    def _get(self, path: str, handler: Handler, *, locked: bool = True) -> Route:
        return Route(path, _answering(self._admitted(handler, locked)), methods=["GET"])

    def _post(self, path: str, handler: Handler, *, locked: bool = True) -> Route:
        guarded = self._guarded(self._admitted(handler, locked))
        return Route(path, _answering(guarded), methods=["POST"])

    def _admitted(self, handler: Handler, locked: bool) -> Handler:
        """The room's door: whoever is banned, or owes the password, does not come this far."""

        async def admitted(request: Request) -> Response:
            player = await self._player(request)
            await self._house.admit(player, address_of(request), locked=locked)
            return await handler(request)

        return admitted

    def _guarded(self, handler: Handler) -> Handler:
        """What every request that changes something must pass."""

        async def guarded(request: Request) -> Response:
            if not origin_allowed(request, self._settings):
                raise WishError(403, "foreign_origin", "this request comes from another page")
            if not self._posts.take(address_of(request)):
                raise WishError(429, "too_fast", "too many requests, wait a moment")
            return await handler(request)

        return guarded

    # ---- the room -------------------------------------------------------------------------------

    async def health(self, _request: Request) -> Response:
        """The room answers, and its store can write."""
        await self._room.check()
        return json_response(Health(True, self._room.live))

    async def room(self, request: Request) -> Response:
        """What the home page needs."""
        settings = self._settings
        player = await self._player(request)
        info = RoomInfo(
            version=_version(),
            protocol=PROTOCOL_VERSION,
            name=settings.name,
            agents=[AgentInfo(a.name, a.title, a.description) for a in self._room.agents],
            presets=[PresetInfo(name, rules) for name, rules in self._room.presets.items()],
            reach=settings.reach,
            base_url=settings.base_url,
            secure=is_secure(request, settings),
            locked=not await self._house.door.open_for(player),
            host=self._house.desk.is_host(player),
        )
        return json_response(info)

    async def openapi(self, _request: Request) -> Response:
        """What programs may ask for."""
        content = msgspec.json.encode(document())
        return Response(content, 200, {"cache-control": "no-store"}, "application/json")

    async def tables(self, request: Request) -> Response:
        """The tables of this browser."""
        return json_response(await self._room.my_tables(await self._player(request)))

    # ---- making and joining ---------------------------------------------------------------------

    async def create(self, request: Request) -> Response:
        """Make a table."""
        wish = await self._body(request, NewTable)
        visitor = await self._visitor(request)
        made = await self._room.create(visitor, wish)
        return self._with_session(json_response(made, 201), request, visitor)

    async def invite(self, request: Request) -> Response:
        """What is behind an invite link; changes nothing."""
        code = request.path_params["code"]
        return json_response(await self._room.invite(code, await self._player(request)))

    async def accept(self, request: Request) -> Response:
        """Take the free seat."""
        join = await self._body(request, Join)
        visitor = await self._visitor(request)
        joined = await self._room.accept(request.path_params["code"], visitor, join.name)
        return self._with_session(json_response(joined), request, visitor)

    # ---- at a table -----------------------------------------------------------------------------

    async def leave(self, request: Request) -> Response:
        """Leave a table."""
        await self._room.leave(request.path_params["match"], await self._player(request))
        return json_response({})

    async def again(self, request: Request) -> Response:
        """Play again."""
        player = await self._player(request)
        return json_response(await self._room.again(request.path_params["match"], player))

    async def device_code(self, request: Request) -> Response:
        """A code that moves this seat."""
        player = await self._player(request)
        return json_response(await self._room.device_code(request.path_params["match"], player))

    async def use_device_code(self, request: Request) -> Response:
        """Move a seat here."""
        if not self._codes.take(address_of(request)):
            raise WishError(429, "too_fast", "too many codes were tried, wait a minute")
        body = await self._body(request, UseDeviceCode)
        visitor = await self._visitor(request)
        joined = await self._room.use_device_code(body.code, visitor)
        return self._with_session(json_response(joined), request, visitor)

    async def record(self, request: Request) -> Response:
        """The match as a record."""
        today = dt.datetime.now(dt.UTC).strftime("%Y.%m.%d")
        match = request.path_params["match"]
        text = await self._room.record(match, await self._player(request), today)
        headers = {
            "cache-control": "no-store",
            "content-disposition": f'attachment; filename="{match}.lcr"',
        }
        return Response(text, 200, headers, "text/plain")

    async def qr(self, request: Request) -> Response:
        """The invite link as a QR code."""
        match = request.path_params["match"]
        return self._qr_code(await self._room.invite_path(match, await self._player(request)))

    def _qr_code(self, path: str) -> Response:
        import segno

        image = io.BytesIO()
        segno.make(self._settings.base_url + path, error="m").save(
            image, kind="svg", border=2, xmldecl=False, svgclass=None, lineclass=None
        )
        headers = {"cache-control": "no-store"}
        return Response(image.getvalue(), 200, headers, "image/svg+xml")

    # ---- what requests carry --------------------------------------------------------------------

    async def _player(self, request: Request) -> str | None:
        return await self._room.player(session_token(request, self._settings))

    async def _visitor(self, request: Request) -> Visitor:
        return await self._room.visitor(session_token(request, self._settings))

    def _with_session(self, response: Response, request: Request, visitor: Visitor) -> Response:
        if visitor.token is not None:
            set_session(response, visitor.token, is_secure(request, self._settings))
        return response

    async def _body(self, request: Request, kind: type[T], most: int | None = None) -> T:
        declared = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if declared != "application/json":
            raise WishError(415, "not_json", "the body must be application/json")
        content = bytearray()
        async for chunk in request.stream():
            content += chunk
            if len(content) > (most or self._settings.limits.body):
                raise WishError(413, "too_large", "the body is too large")
        try:
            return msgspec.json.decode(bytes(content), type=kind)
        except msgspec.MsgspecError as error:
            raise WishError(400, "bad_body", in_words(error)) from None


def _answering(handler: Handler) -> Handler:
    """Turn what the room refuses into answers."""

    @functools.wraps(handler)
    async def answering(request: Request) -> Response:
        try:
            return await handler(request)
        except WishError as error:
            return problem(error.status, error.reason, error.text, error.said)
        except BusyError:
            return problem(503, "busy", "this table is busy, try again in a moment")
        except StoreError as error:
            return problem(503, "not_saved", f"the room cannot use its database now: {error}")

    return answering


def address_of(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else "-"


@functools.cache
def _version() -> str:
    try:
        return version("lostcities")
    except PackageNotFoundError:  # run from a checkout that was not installed
        return "0"
