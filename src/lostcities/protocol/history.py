"""Bodies of the part of the HTTP API that looks back: past matches, results, replays, records.

=====================================  ========================================================
``GET  /api/games``                    :class:`Games` of this person; ``opponent=agent:steady@1``
                                       (or ``person:Ada``), ``rules``, ``result`` (won, lost,
                                       drawn, unfinished), ``before`` (``next`` of the page
                                       before) and ``limit`` (1…100) choose
``GET  /api/games/results``            :class:`Results` against each opponent, points a round
``GET  /api/games.csv``                a line a finished round
``GET  /api/games.zip``                every match as a record, as this person may know it
``GET  /api/replays/{id}``             :class:`ReplayOutline`; ``id`` is a match where one has a
                                       seat, a shared code, or a record of one's own
``GET  /api/replays/{id}/{round}``     :class:`ReplayRound`
``POST /api/tables/{match}/share``     :class:`Shared`: a code by which anybody sees the replay,
                                       once the match is over
``POST /api/tables/{match}/unshare``   the code leads nowhere any more
``POST /api/records/look``             :class:`RecordText` answered by :class:`RecordLook`;
                                       nothing is kept
``POST /api/records``                  :class:`RecordText` is kept for this person: :class:`Kept`
``GET  /api/records``                  :class:`Records` kept
``GET  /api/records/{id}``             one of them, text
``POST /api/records/{id}/drop``        forget it
``POST /api/sheets``                   :class:`SheetLink` of a real table is kept for this person,
                                       who is signed in: :class:`KeptSheet`
``GET  /api/sheets``                   :class:`KeptSheets`; ``rules``, ``before`` and ``limit`` choose
``POST /api/sheets/{id}/drop``         forget it
=====================================  ========================================================

Times are milliseconds since 1970 (UTC).
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from lostcities.protocol.http import Body
from lostcities.protocol.messages import RulesInForce, Working

RECORD_BYTES = 262_144
"""The longest record that is read."""

LongText = Annotated[str, msgspec.Meta(max_length=RECORD_BYTES)]


class Opponent(Body, frozen=True):
    """Who sat across: ``kind`` is ``person`` or ``agent``; ``key`` the name, or the agent's
    registered name, by which results are counted together.
    """

    kind: str
    key: str
    name: str


class PastGame(Body, frozen=True):
    """A match of this person. ``result`` is ``won``, ``lost``, ``drawn`` or ``unfinished``;
    ``scores`` are points by seat of each finished round; ``practice`` (from a lesson, with
    learner aids or with takebacks) counts in no results.
    """

    match: str
    created: int
    rules: str
    seat: int
    name: str
    opponent: Opponent
    ended: int | None
    termination: str | None
    result: str
    scores: list[list[int]]
    totals: list[int]
    practice: bool


class Games(Body, frozen=True):
    """A page of past matches, newest first; ``next`` leads to the following page."""

    games: list[PastGame]
    next: str | None


class OpponentResults(Body, frozen=True):
    """Results against one opponent; ``own`` and ``theirs`` are mean points a round."""

    opponent: Opponent
    won: int
    lost: int
    drawn: int
    unfinished: int
    rounds: int
    own: float | None
    theirs: float | None


class PointsOfRound(Body, frozen=True):
    """A finished round in the course of time."""

    match: str
    round: int
    at: int
    own: int
    theirs: int
    opponent: Opponent


class Results(Body, frozen=True):
    """All results of this person; ``rules`` under which they have played, in written form."""

    opponents: list[OpponentResults]
    rules: list[str]
    points: list[PointsOfRound]


class RoundOutline(Body, frozen=True):
    """A round of a replay. ``whole`` when both hands may be shown; ``score`` null while it goes on
    or when the match ended in the middle of it.
    """

    number: int
    start: int
    turns: int
    score: list[int] | None
    termination: str | None
    whole: bool
    taken_back: int = 0
    """How many turns were taken back; they are not shown."""


class ReplayOutline(Body, frozen=True):
    """What a replay is of. ``seat`` is one's own, null for others; ``kinds`` by seat as in
    :class:`lostcities.protocol.messages.SeatInfo`; ``share`` the code if one was given out by this
    person. ``date`` is as in records, or null. ``cards`` is the deck that a record names, or null.
    """

    id: str
    names: list[str]
    kinds: list[str]
    rules: RulesInForce
    seat: int | None
    rounds: list[RoundOutline]
    totals: list[int]
    over: bool
    termination: str | None
    winner: int | None
    date: str | None
    event: str | None
    cards: str | None
    practice: bool
    share: str | None
    match: str | None


class ReplayFrame(Body, frozen=True):
    """The table after ``ply`` turns. ``turn`` was played by ``mover`` (null at the deal) and names a
    face drawn only where one may know it; ``hands`` by seat, null where hidden.
    """

    ply: int
    mover: int | None
    turn: str | None
    to_move: int | None
    hands: list[list[str] | None]
    hand_sizes: list[int]
    known: list[list[str]]
    expeditions: list[dict[str, list[str]]]
    piles: dict[str, list[str]]
    deck: int
    scores: list[int]
    workings: list[dict[str, Working]]


class ReplayRound(Body, frozen=True):
    """Every state of a round, the deal first; ``totals`` of the rounds before it."""

    round: int
    totals: list[int]
    frames: list[ReplayFrame]


class Shared(Body, frozen=True):
    """The path by which anybody sees the replay."""

    url: str
    code: str


class RecordText(Body, frozen=True):
    """A record as text or JSON; ``round`` says which round to answer with."""

    text: LongText
    round: int = 1


class RecordLook(Body, frozen=True):
    """A record read and played through, and one of its rounds (null if it has none)."""

    outline: ReplayOutline
    round: ReplayRound | None


class Kept(Body, frozen=True):
    """A record kept for this person."""

    id: str
    added: int
    names: list[str]
    rules: str
    rounds: int
    totals: list[int]
    termination: str | None
    date: str | None
    event: str | None


class Records(Body, frozen=True):
    """A page of kept records, newest first; ``next`` leads to the following page."""

    records: list[Kept]
    next: str | None


LINK_LENGTH = 65_536
"""The longest link of a score sheet that is read."""

SheetId = Annotated[str, msgspec.Meta(pattern="^[0-9a-z]{6,24}$")]
LongLink = Annotated[str, msgspec.Meta(max_length=LINK_LENGTH)]
Moment = Annotated[int, msgspec.Meta(ge=0, le=10**13)]


class SheetLink(Body, frozen=True):
    """The score sheet of a match at a real table: ``link`` holds it (docs/sheet.md), ``id`` tells it
    from the person's others, and ``played`` is when it was written on last. One with the same id is
    replaced where it is the link that this writer ``knows`` to be there (empty: none), or where the person
    has said that this sheet goes ``over`` it. Pages that do not say what they know replace all but what was
    written on later by the clock of its device.
    """

    id: SheetId
    link: LongLink
    played: Moment
    knows: LongLink | None = None
    over: bool = False


class SheetRound(Body, frozen=True):
    """A round of a sheet: points by seat, and what lies in the rows of each, as codes."""

    score: list[int]
    cards: list[str]


class KeptSheet(Body, frozen=True):
    """A score sheet kept for this person. It is no record: what lay there at the end is known, the
    turns are not, and neither is which side was this person's.
    """

    id: str
    added: int
    played: int
    names: list[str]
    rules: str
    deck: str
    rounds: list[SheetRound]
    totals: list[int]
    finished: bool
    link: str


class KeptSheets(Body, frozen=True):
    """A page of kept sheets, the one written on last first; ``next`` leads to the following page."""

    sheets: list[KeptSheet]
    next: str | None
