"""The ASGI application around a room."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from lostcities.server.account_routes import AccountApi
from lostcities.server.company_routes import CompanyApi
from lostcities.server.history_routes import HistoryApi
from lostcities.server.pages import page_routes
from lostcities.server.practice_routes import PracticeApi
from lostcities.server.routes import Api, problem
from lostcities.server.security import SecurityHeaders
from lostcities.server.settings import Settings
from lostcities.server.sockets import Sockets
from lostcities.service.room import Room


def build_app(room: Room, settings: Settings) -> Starlette:
    """Everything the room serves."""
    routes: list[BaseRoute] = [
        *Api(room, settings).routes(),
        *HistoryApi(room, settings).routes(),
        *AccountApi(room, settings).routes(),
        *CompanyApi(room, settings).routes(),
        *PracticeApi(room, settings).routes(),
        WebSocketRoute("/api/socket", Sockets(room, settings).endpoint),
        Mount("/api", routes=[Route("/{path:path}", _nowhere)]),
        *page_routes(settings.page),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(SecurityHeaders)],
        exception_handlers={500: _broken},
    )


async def _nowhere(_request: Request) -> Response:
    return problem(404, "no_route", "there is nothing at this address")


async def _broken(_request: Request, _error: Exception) -> Response:
    return problem(500, "broken", "something went wrong here; the room's log says what")
