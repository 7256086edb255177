"""The part of the HTTP API that looks back: :mod:`lostcities.protocol.history`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lostcities.protocol.history import LINK_LENGTH, RECORD_BYTES, RecordText, SheetLink
from lostcities.server.routes import Api, json_response
from lostcities.server.takeout import games_csv, games_zip
from lostcities.service import sentences as say
from lostcities.service.history import MOST, RESULTS, read_cursor
from lostcities.service.wishes import WishError
from lostcities.store.archive import Wanted, WantedSheets

PAGE = 20
"""Matches on one page unless asked otherwise."""
TEXT = 2 * RECORD_BYTES
"""Bytes of a body that holds a record: every quotation mark and line end of it is escaped."""
LINK = 2 * LINK_LENGTH + 1024
"""Bytes of a body that holds the link of a sheet."""


class HistoryApi(Api):
    """Lists, results, replays and records, around the room's history."""

    def routes(self) -> list[Route]:
        """Every route of it."""
        table = "/api/tables/{match}"
        return [
            self._get("/api/games", self.games),
            self._get("/api/games/results", self.results),
            self._get("/api/games.csv", self.csv),
            self._get("/api/games.zip", self.zip),
            self._get("/api/replays/{id}", self.replay),
            self._get("/api/replays/{id}/{round:int}", self.replay_round),
            self._post(f"{table}/share", self.share),
            self._post(f"{table}/unshare", self.unshare),
            self._post("/api/records/look", self.look),
            self._post("/api/records", self.keep),
            self._get("/api/records", self.records),
            self._get("/api/records/{id}", self.record_text),
            self._post("/api/records/{id}/drop", self.drop),
            self._post("/api/sheets", self.keep_sheet),
            self._get("/api/sheets", self.sheets),
            self._post("/api/sheets/{id}/drop", self.drop_sheet),
        ]

    async def _player(self, request: Request) -> str | None:
        """Who asks; what is theirs opens only by a passphrase of their own."""
        player = await super()._player(request)
        await self._room.accounts.settled(player)
        return player

    # ---- lists ----------------------------------------------------------------------------------

    async def games(self, request: Request) -> Response:
        """A page of past matches."""
        wanted = _wanted(request)
        return json_response(await self._room.history.games(await self._player(request), wanted))

    async def results(self, request: Request) -> Response:
        """Results against each opponent, and points a round."""
        return json_response(await self._room.history.results(await self._player(request)))

    async def csv(self, request: Request) -> Response:
        """Every finished round as a line."""
        player = await self._player(request)
        games = [] if player is None else await self._room.history.everything(player)
        return _file(games_csv(games).encode(), "text/csv; charset=utf-8", "lostcities.csv")

    async def zip(self, request: Request) -> Response:
        """Every match as a record."""
        player = await self._player(request)
        games = [] if player is None else await self._room.history.everything(player)
        sheets = [] if player is None else await self._room.sheets.everything(player)
        content = await games_zip(self._room.history, games, sheets)
        return _file(content, "application/zip", "lostcities.zip")

    # ---- replays --------------------------------------------------------------------------------

    async def replay(self, request: Request) -> Response:
        """What a replay is of."""
        name = request.path_params["id"]
        return json_response(await self._room.history.replay(name, await self._player(request)))

    async def replay_round(self, request: Request) -> Response:
        """One round of it."""
        name, number = request.path_params["id"], request.path_params["round"]
        player = await self._player(request)
        return json_response(await self._room.history.replay_round(name, number, player))

    async def share(self, request: Request) -> Response:
        """A code for others."""
        match = request.path_params["match"]
        return json_response(await self._room.history.share(match, await self._player(request)))

    async def unshare(self, request: Request) -> Response:
        """Take it back."""
        match = request.path_params["match"]
        await self._room.history.unshare(match, await self._player(request))
        return json_response({})

    # ---- records --------------------------------------------------------------------------------

    async def look(self, request: Request) -> Response:
        """Read a record; keep nothing."""
        body = await self._body(request, RecordText, TEXT)
        return json_response(self._room.history.look(body))

    async def keep(self, request: Request) -> Response:
        """Keep a record."""
        body = await self._body(request, RecordText, TEXT)
        visitor = await self._visitor(request)
        kept = await self._room.history.keep(visitor, body)
        return self._with_session(json_response(kept, 201), request, visitor)

    async def records(self, request: Request) -> Response:
        """A page of kept records."""
        before = read_cursor(request.query_params.get("before"))
        player = await self._player(request)
        return json_response(await self._room.history.records(player, before, _limit(request)))

    async def record_text(self, request: Request) -> Response:
        """A kept record."""
        name = request.path_params["id"]
        text = await self._room.history.record_text(await self._player(request), name)
        return _file(text.encode(), "text/plain; charset=utf-8", f"{name}.lcr")

    async def drop(self, request: Request) -> Response:
        """Forget a kept record."""
        name = request.path_params["id"]
        await self._room.history.drop_record(await self._player(request), name)
        return json_response({})

    # ---- sheets of real tables ------------------------------------------------------------------

    async def keep_sheet(self, request: Request) -> Response:
        """Keep a score sheet."""
        body = await self._body(request, SheetLink, LINK)
        kept = await self._room.sheets.keep(await self._player(request), body)
        return json_response(kept, 201)

    async def sheets(self, request: Request) -> Response:
        """A page of kept sheets."""
        query = request.query_params
        wanted = WantedSheets(
            query.get("rules") or None, read_cursor(query.get("before")), _limit(request)
        )
        return json_response(await self._room.sheets.sheets(await self._player(request), wanted))

    async def drop_sheet(self, request: Request) -> Response:
        """Forget a kept sheet."""
        name = request.path_params["id"]
        await self._room.sheets.drop(await self._player(request), name)
        return json_response({})


def _file(content: bytes, kind: str, name: str) -> Response:
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="{name}"',
        "content-type": kind,
    }
    return Response(content, 200, headers)


def _wanted(request: Request) -> Wanted:
    query = request.query_params
    result = query.get("result") or None
    chosen = next((each for each in RESULTS if each == result), None)
    if result is not None and chosen is None:
        raise WishError(400, "bad_result", say.NO_RESULT(found=result, due=", ".join(RESULTS)))
    opponent = None
    if said := query.get("opponent"):
        kind, colon, key = said.partition(":")
        if kind not in ("person", "agent") or not colon:
            raise WishError(400, "bad_opponent", say.NO_OPPONENT(found=said))
        opponent = (kind, key)
    return Wanted(
        opponent=opponent,
        rules=query.get("rules") or None,
        result=chosen,
        before=read_cursor(query.get("before")),
        limit=_limit(request),
    )


def _limit(request: Request) -> int:
    text = request.query_params.get("limit") or str(PAGE)
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:6]) <= MOST:
        raise WishError(400, "bad_limit", say.NO_LIMIT(most=MOST, found=text))
    return int(text)
