"""The part of the HTTP API about company: :mod:`lostcities.protocol.company`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lostcities.protocol import company as wire
from lostcities.protocol.http import Join
from lostcities.server.routes import Api, address_of, json_response
from lostcities.service.wishes import WishError


class CompanyApi(Api):
    """The lobby, the door, the host's desk and classes."""

    def routes(self) -> list[Route]:
        """Every route of it."""
        return [
            self._get("/api/lobby", self.lobby),
            self._post("/api/tables/{match}/join", self.join),
            self._post("/api/tables/{match}/forget-chat", self.forget_chat),
            self._post("/api/enter", self.enter, locked=False),
            self._post("/api/host", self.sign_in, locked=False),
            self._get("/api/host", self.overview),
            self._post("/api/host/tables/{match}", self.order_table),
            self._post("/api/host/people", self.order_person),
            self._post("/api/host/classes", self.make_class),
            self._post("/api/host/classes/{code}", self.order_class),
            self._get("/api/host/classes/{code}/qr.svg", self.class_qr),
            self._get("/api/classes/{code}", self.class_info),
            self._post("/api/classes/{code}", self.arrive),
        ]

    # ---- everybody ------------------------------------------------------------------------------

    async def lobby(self, request: Request) -> Response:
        """Open tables."""
        return json_response(await self._house.lobby(await self._player(request)))

    async def join(self, request: Request) -> Response:
        """Sit down at one of them."""
        body = await self._body(request, Join)
        visitor = await self._visitor(request)
        joined = await self._house.join(request.path_params["match"], visitor, body.name)
        return self._with_session(json_response(joined), request, visitor)

    async def forget_chat(self, request: Request) -> Response:
        """Delete a table's chat."""
        match = request.path_params["match"]
        await self._house.forget_chat(match, await self._player(request))
        return json_response({})

    async def enter(self, request: Request) -> Response:
        """Give the room's password."""
        self._try_code(request)
        body = await self._body(request, wire.Password)
        visitor = await self._visitor(request)
        await self._house.door.enter(visitor, body.password)
        return self._with_session(json_response({}), request, visitor)

    async def class_info(self, request: Request) -> Response:
        """What is behind a class link; changes nothing."""
        code = request.path_params["code"]
        return json_response(await self._house.classes.info(code, await self._player(request)))

    async def arrive(self, request: Request) -> Response:
        """Sit down in a class."""
        body = await self._body(request, Join)
        visitor = await self._visitor(request)
        joined = await self._house.classes.arrive(request.path_params["code"], visitor, body.name)
        return self._with_session(json_response(joined), request, visitor)

    # ---- the host -------------------------------------------------------------------------------

    async def sign_in(self, request: Request) -> Response:
        """Become the host."""
        self._try_code(request)
        body = await self._body(request, wire.HostCode)
        visitor = await self._visitor(request)
        await self._house.desk.sign_in(visitor, body.code)
        return self._with_session(json_response({}), request, visitor)

    async def overview(self, request: Request) -> Response:
        """Tables, people, bans, classes."""
        await self._host(request)
        return json_response(await self._house.overview())

    async def order_table(self, request: Request) -> Response:
        """Close, pause, go on, say, forget the chat."""
        await self._host(request)
        order = await self._body(request, wire.TableOrder)
        await self._house.order_table(request.path_params["match"], order)
        return json_response({})

    async def order_person(self, request: Request) -> Response:
        """Kick, mute, ban, and back."""
        await self._host(request)
        await self._house.desk.order_person(await self._body(request, wire.PersonOrder))
        return json_response({})

    async def make_class(self, request: Request) -> Response:
        """A new class link."""
        await self._host(request)
        wish = await self._body(request, wire.NewClass)
        return json_response(await self._house.classes.make(wish), 201)

    async def order_class(self, request: Request) -> Response:
        """Pause, go on, seat the odd one, end."""
        await self._host(request)
        order = await self._body(request, wire.ClassOrder)
        await self._house.classes.order(request.path_params["code"], order)
        return json_response({})

    async def class_qr(self, request: Request) -> Response:
        """A class link as a QR code."""
        await self._host(request)
        code = request.path_params["code"]
        await self._house.classes.info(code, None)
        return self._qr_code(f"/c/{code}")

    async def _host(self, request: Request) -> None:
        self._house.desk.must_be_host(await self._player(request))

    def _try_code(self, request: Request) -> None:
        if not self._codes.take(address_of(request)):
            raise WishError(429, "too_fast", "too many tries, wait a minute")
