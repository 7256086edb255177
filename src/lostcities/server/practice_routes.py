"""The part of the HTTP API for practice: :mod:`lostcities.protocol.practice`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lostcities.protocol.practice import NewLesson, StartLesson
from lostcities.server.history_routes import TEXT
from lostcities.server.limits import Buckets
from lostcities.server.routes import Api, json_response
from lostcities.server.settings import Settings
from lostcities.service.room import Room
from lostcities.service.wishes import WishError

HINTS, HINTS_A_SECOND = 30, 0.5
"""Hints that an address may ask for at once, and that come back: a program thinks for each."""


class PracticeApi(Api):
    """Lessons and hints, around the room's practice."""

    def __init__(self, room: Room, settings: Settings) -> None:
        super().__init__(room, settings)
        self._hints = Buckets(HINTS, HINTS_A_SECOND)

    def routes(self) -> list[Route]:
        """Every route of it."""
        return [
            self._post("/api/lessons", self.make),
            self._get("/api/lessons/{code}", self.lesson),
            self._post("/api/lessons/{code}", self.start),
            self._post("/api/tables/{match}/hint", self.hint),
        ]

    async def make(self, request: Request) -> Response:
        """Keep a lesson."""
        wish = await self._body(request, NewLesson, TEXT)
        visitor = await self._visitor(request)
        made = await self._room.practice.make(visitor, wish)
        return self._with_session(json_response(made, 201), request, visitor)

    async def lesson(self, request: Request) -> Response:
        """A lesson, before it is begun."""
        return json_response(await self._room.practice.info(request.path_params["code"]))

    async def start(self, request: Request) -> Response:
        """A table from there."""
        wish = await self._body(request, StartLesson)
        visitor = await self._visitor(request)
        made = await self._room.start_lesson(request.path_params["code"], visitor, wish.name)
        return self._with_session(json_response(made, 201), request, visitor)

    async def hint(self, request: Request) -> Response:
        """What a program would do."""
        if not self._hints.take(request.client.host if request.client else "-"):
            raise WishError(429, "too_fast", "too many hints, wait a moment")
        match = request.path_params["match"]
        return json_response(await self._room.hint(match, await self._player(request)))
