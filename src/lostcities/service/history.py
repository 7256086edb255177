"""Looking back: a person's matches and results, replays, records to take along and to bring."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

from lostcities.core.errors import NotationError, RecordError
from lostcities.core.events import Event
from lostcities.core.record import Replay, record_of
from lostcities.core.record import replay as play_through
from lostcities.core.record_json import record_from_dict
from lostcities.core.record_text import format_record, read_record
from lostcities.core.seats import BySeat, Seat
from lostcities.core.sentences import LINE_COLUMN
from lostcities.protocol import history as wire
from lostcities.service import sentences as say
from lostcities.service.ids import Ids
from lostcities.service.replays import (
    ToldRound,
    outline_of,
    record_outline,
    replay_round,
    rounds_of_log,
    rounds_of_record,
)
from lostcities.service.seeing import rules_in_force
from lostcities.service.wishes import Visitor, WishError
from lostcities.store.archive import KeptRecord, Opponent, Played, Result, Tally, Wanted
from lostcities.store.interfaces import Changes, LogEvent, SeatTaken, Store, StoredMatch

MOST = 100
"""Matches on one page at most."""
POINTS = 200
"""Rounds in the course of time that are told at most."""
RESULTS: tuple[Result, ...] = ("won", "lost", "drawn", "unfinished")


class History:
    """What was played, asked for by one player at a time.

    Args:
        store: where matches are kept.
        ids: where codes come from.
        clock: milliseconds since 1970 (UTC).
    """

    def __init__(self, store: Store, ids: Ids, clock: Callable[[], int]) -> None:
        self._store = store
        self._ids = ids
        self._clock = clock

    # ---- lists and results ----------------------------------------------------------------------

    async def games(self, player: str | None, wanted: Wanted) -> wire.Games:
        """A page of a player's matches."""
        if player is None:
            return wire.Games([], None)
        more = replace(wanted, limit=wanted.limit + 1)
        found = await self._store.archive.played(player, more)
        page = found[: wanted.limit]
        last = page[-1] if len(found) > len(page) else None
        after = None if last is None else write_cursor(last.created, last.match)
        return wire.Games([_game(each) for each in page], after)

    async def results(self, player: str | None) -> wire.Results:
        """A player's results against each opponent, and points a round."""
        if player is None:
            return wire.Results([], [], [])
        archive = self._store.archive
        tallies = await archive.tallies(player)
        rules = await archive.played_rules(player)
        points = await archive.points(player, POINTS)
        return wire.Results(
            [_tally(each) for each in tallies],
            list(rules),
            [
                wire.PointsOfRound(
                    each.match, each.round, each.at, each.own, each.theirs, _who(each.opponent)
                )
                for each in points
            ],
        )

    async def everything(self, player: str) -> list[Played]:
        """All matches of a player, newest first."""
        found: list[Played] = []
        wanted = Wanted(limit=MOST)
        while page := await self._store.archive.played(player, wanted):
            found += page
            wanted = replace(wanted, before=(page[-1].created, page[-1].match))
        return found

    async def record(self, match: str, seat: Seat, date: str) -> str | None:
        """A match as a record, as its seat may know it now; None if it was never dealt."""
        stored = await self._store.load(match)
        if stored is None:
            return None
        events = core_events(stored.events)
        state, rounds = rounds_of_log(events, stored.info.rules, seat)
        if not rounds:
            return None
        names = _names(stored).map(lambda name: name or None)
        whole = state.phase.value == "over"
        try:
            told = record_of(events, stored.info.rules, whole=whole, seat=seat, names=names,
                             date=date)  # fmt: skip
        except RecordError:
            return None  # practice from a position
        return format_record(told)

    # ---- replays --------------------------------------------------------------------------------

    async def replay(self, name: str, player: str | None) -> wire.ReplayOutline:
        """What the replay behind a match, a code or a record is of.

        Raises:
            WishError: there is none that this player may see.
        """
        kept = await self._kept(name, player)
        if kept is not None:
            return record_outline(kept, name)
        stored, seat = await self._seen(name, player)
        match, rounds = rounds_of_log(core_events(stored.events), stored.info.rules, seat)
        kinds = {who.seat: str(who.kind) for who in stored.occupants}
        end = match.termination
        share = None
        if seat is not None and player is not None:
            share = await self._store.archive.share_of(stored.info.match, player)
        return wire.ReplayOutline(
            id=name,
            names=list(_names(stored)),
            kinds=[kinds.get(each, "empty") for each in (0, 1)],
            rules=rules_in_force(stored.info.rules),
            seat=seat,
            rounds=[outline_of(each) for each in rounds],
            totals=list(match.totals),
            over=match.phase.value == "over",
            termination=None if end is None else str(end),
            winner=match.winner,
            date=None,
            event=None,
            cards=None,
            practice=await self._store.archive.is_practice(stored.info.match),
            share=share,
            match=stored.info.match if seat is not None else None,
        )

    async def replay_round(self, name: str, number: int, player: str | None) -> wire.ReplayRound:
        """One round of it.

        Raises:
            WishError: no such replay or round.
        """
        kept = await self._kept(name, player)
        if kept is not None:
            return replay_round(_round(rounds_of_record(kept), number))
        stored, seat = await self._seen(name, player)
        _, rounds = rounds_of_log(core_events(stored.events), stored.info.rules, seat)
        return replay_round(_round(rounds, number))

    async def whole_round(self, name: str, number: int, player: str | None) -> Replay:
        """The record behind a replay, for a round whose cards may all be known.

        Raises:
            WishError: no such replay or round, or the round still goes on.
        """
        kept = await self._kept(name, player)
        if kept is not None:
            return kept
        stored, _ = await self._seen(name, player)
        events, rules = core_events(stored.events), stored.info.rules
        _, rounds = rounds_of_log(events, rules, None)
        if not outline_of(_round(rounds, number)).whole:
            raise WishError(409, "not_over", "one may practise from a round once it is over")
        try:
            return play_through(record_of(events, rules, whole=True))
        except RecordError as error:
            raise WishError(409, "unrecordable", error.said) from None

    async def _seen(self, name: str, player: str | None) -> tuple[StoredMatch, Seat | None]:
        stored = await self._store.load(name)
        seat = None if stored is None else _seat_of(stored, player)
        if stored is not None and seat is not None:
            return stored, seat
        match = await self._store.archive.shared(name)
        stored = None if match is None else await self._store.load(match)
        if stored is None:
            raise WishError(404, "no_replay", "there is no such replay for this browser")
        return stored, _seat_of(stored, player)

    async def _kept(self, name: str, player: str | None) -> Replay | None:
        if player is None or not name.startswith(RECORD_PREFIX):
            return None
        kept = await self._store.archive.kept_record(player, name)
        return None if kept is None else read(kept.text)

    async def share(self, match: str, player: str | None) -> wire.Shared:
        """A code by which anybody sees the replay of a match that is over.

        Raises:
            WishError: no seat there, or the match goes on.
        """
        stored = await self._store.load(match)
        if stored is None or player is None or _seat_of(stored, player) is None:
            raise WishError(404, "no_table", "this browser has no seat at such a table")
        state, _ = rounds_of_log(core_events(stored.events), stored.info.rules, None)
        if state.phase.value != "over":
            raise WishError(409, "not_over", "a match is shared once it is over")
        code = await self._store.archive.share(match, player, self._ids.invite())
        return wire.Shared(f"/replay/{code}", code)

    async def unshare(self, match: str, player: str | None) -> None:
        """Take the player's code back."""
        if player is not None:
            await self._store.archive.unshare(match, player)

    # ---- records brought along ------------------------------------------------------------------

    def look(self, brought: wire.RecordText) -> wire.RecordLook:
        """A record read and played through; nothing is kept.

        Raises:
            WishError: it breaks the rules or cannot be read; names the place and the reason.
        """
        found = read(brought.text)
        rounds = rounds_of_record(found)
        first = replay_round(_round(rounds, brought.round)) if rounds else None
        return wire.RecordLook(record_outline(found), first)

    async def keep(self, visitor: Visitor, brought: wire.RecordText) -> wire.Kept:
        """Keep a record for a person; one with the same text is kept once.

        Raises:
            WishError: as :meth:`look`.
        """
        text = format_record(read(brought.text).record)
        name = RECORD_PREFIX + self._ids.player()
        kept = KeptRecord(name, self._clock(), text)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if visitor.session is not None:
            await self._store.write(Changes(sessions=(visitor.session,)))
        known = await self._store.archive.keep_record(visitor.player, kept, digest)
        return _kept(replace(kept, record=known))

    async def records(
        self, player: str | None, before: tuple[int, str] | None, limit: int
    ) -> wire.Records:
        """A page of a player's records."""
        if player is None:
            return wire.Records([], None)
        found = await self._store.archive.kept_records(player, before, limit + 1)
        page = found[:limit]
        last = page[-1] if len(found) > len(page) else None
        after = None if last is None else write_cursor(last.added, last.record)
        return wire.Records([_kept(each) for each in page], after)

    async def record_text(self, player: str | None, name: str) -> str:
        """One of a player's records as text.

        Raises:
            WishError: there is none.
        """
        kept = None if player is None else await self._store.archive.kept_record(player, name)
        if kept is None:
            raise WishError(404, "no_record", "there is no such record of yours")
        return kept.text

    async def drop_record(self, player: str | None, name: str) -> None:
        """Forget one of a player's records.

        Raises:
            WishError: there is none.
        """
        if player is None or not await self._store.archive.drop_record(player, name):
            raise WishError(404, "no_record", "there is no such record of yours")


CORE = get_args(Event)
RECORD_PREFIX = "r-"
"""Ids of kept records begin with it, those of matches never do."""


def read(text: str) -> Replay:
    """Read a record, text or JSON, and play it through.

    Raises:
        WishError: names the place and the reason.
    """
    try:
        if text.lstrip(" \t\r\n\ufeff").startswith("{"):
            return play_through(record_from_dict(_read_json(text)))
        return play_through(read_record(text))
    except NotationError as error:
        raise WishError(400, "bad_record", error.said) from None


def _read_json(text: str) -> dict[str, object]:
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        place = LINE_COLUMN(line=error.lineno, column=error.colno)
        raise RecordError(place, say.BAD_JSON(why=error.msg)) from None
    except (ValueError, RecursionError):
        raise RecordError("", say.TOO_DEEP()) from None
    assert isinstance(values, dict)
    return values


def core_events(events: tuple[LogEvent, ...]) -> list[Event]:
    """The events of the match itself."""
    return [event for event in events if isinstance(event, CORE)]


def _round(rounds: tuple[ToldRound, ...], number: int) -> ToldRound:
    for each in rounds:
        if each.number == number:
            return each
    raise WishError(404, "no_round", f"there is no round {number}")


def _seat_of(stored: StoredMatch, player: str | None) -> Seat | None:
    seats = (w.seat for w in stored.occupants if player is not None and w.player == player)
    return next(seats, None)


def _names(stored: StoredMatch) -> BySeat[str]:
    names = BySeat("", "")
    for event in stored.events:
        if isinstance(event, SeatTaken):
            names = names.replace(event.seat, event.name)
    return names


def write_cursor(when: int, name: str) -> str:
    """Where the page after an entry begins, for :func:`read_cursor`."""
    return f"{when}.{name}"


def read_cursor(text: str | None) -> tuple[int, str] | None:
    """Where a page goes on; raises WishError for what no page gave out."""
    if not text:
        return None
    when, _, name = text.partition(".")
    if not when.isascii() or not when.isdigit() or len(when) > 15 or not name:
        raise WishError(400, "bad_page", say.NO_PAGE(found=text))
    return int(when), name


def _who(opponent: Opponent) -> wire.Opponent:
    return wire.Opponent(opponent.kind, opponent.key, opponent.name)


def _game(played: Played) -> wire.PastGame:
    scores = [list(score) for score in played.scores]
    return wire.PastGame(
        match=played.match,
        created=played.created,
        rules=played.rules,
        seat=played.seat,
        name=played.name,
        opponent=_who(played.opponent),
        ended=played.ended,
        termination=played.termination,
        result=played.result,
        scores=scores,
        totals=[sum(score[seat] for score in scores) for seat in (0, 1)],
        practice=played.practice,
    )


def _tally(tally: Tally) -> wire.OpponentResults:
    return wire.OpponentResults(
        _who(tally.opponent), tally.won, tally.lost, tally.drawn, tally.unfinished, tally.rounds,
        tally.own, tally.theirs,
    )  # fmt: skip


def _kept(kept: KeptRecord) -> wire.Kept:
    record = read_record(kept.text)
    scores = [each.score for each in record.rounds if each.score is not None]
    totals = [sum(score[seat] for score in scores) for seat in (0, 1)]
    end = record.termination
    return wire.Kept(
        id=kept.record,
        added=kept.added,
        names=[name or "" for name in record.seats],
        rules=str(record.rules),
        rounds=len(record.rounds),
        totals=totals,
        termination=None if end is None else str(end),
        date=record.date,
        event=record.event,
    )
