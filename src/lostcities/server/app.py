"""The ASGI application around a room."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from lostcities.server.account_routes import AccountApi
from lostcities.server.company_routes import CompanyApi
from lostcities.server.history_routes import HistoryApi
from lostcities.server.notice_routes import NoticesApi
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
        *NoticesApi(room, settings).routes(),
        *PracticeApi(room, settings).routes(),
        WebSocketRoute("/api/socket", Sockets(room, settings).endpoint),
        Mount("/api", routes=[Route("/{path:path}", _nowhere)]),
        *page_routes(settings.page),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(SecurityHeaders)],
        exception_handlers={HTTPException: _refused, 500: _broken},
    )


NOWHERE = ("no_route", "there is nothing at this address")
_REASONS = {404: NOWHERE, 405: ("no_method", "this address does not take such a request")}


async def _nowhere(_request: Request) -> Response:
    return problem(404, *NOWHERE)


async def _refused(_request: Request, error: Exception) -> Response:
    """What no route answers: the same form as every other error, for pages and programs alike."""
    assert isinstance(error, HTTPException)
    reason, text = _REASONS.get(error.status_code, ("refused", error.detail))
    response = problem(error.status_code, reason, text)
    response.headers.update(error.headers or {})
    return response


async def _broken(_request: Request, _error: Exception) -> Response:
    return problem(500, "broken", "something went wrong here; the room's log says what")
