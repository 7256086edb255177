"""Bodies of the part of the HTTP API for practice: lessons, and hints.

=====================================  ========================================================
``POST /api/lessons``                  :class:`NewLesson`: a position, a record or a deck to start
                                       from: :class:`LessonMade`
``GET  /api/lessons/{code}``           :class:`LessonInfo`; what the learner's seat sees
``POST /api/lessons/{code}``           :class:`StartLesson`: a table of one's own from there,
                                       answered as ``POST /api/tables``
``POST /api/tables/{match}/hint``      :class:`Hint`: what a program would do for the seat to
                                       move, at tables against programs and in practice; the
                                       table notes that it was asked
=====================================  ========================================================
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from lostcities.protocol.history import LongText
from lostcities.protocol.http import Body, Name
from lostcities.protocol.messages import SeatView

LessonText = Annotated[str, msgspec.Meta(max_length=2000)]


class NewLesson(Body, frozen=True):
    """Where practice begins; exactly one of ``position``, ``deck``, ``record`` and ``replay``.

    Attributes:
        position: in the notation; what it hides is filled by chance, once.
        deck: the whole deck, top first; ``start`` begins.
        record: a whole record as text; the table begins after ``ply`` turns of ``round``.
        replay: the same of a match of one's own, a shared code or a kept record, by its id.
        rules: of a position or a deck, in written form; a record has its own.
        seat: the learner's; null for the one to move.
        against: ``friend``, or an agent's name.
        text: what the teacher says.
    """

    position: Annotated[str, msgspec.Meta(max_length=1000)] | None = None
    deck: Annotated[str, msgspec.Meta(max_length=1000)] | None = None
    record: LongText | None = None
    replay: Annotated[str, msgspec.Meta(max_length=60)] | None = None
    round: int = 1
    ply: int = 0
    start: int = 0
    rules: Annotated[str, msgspec.Meta(max_length=200)] = "room"
    seat: int | None = None
    against: Annotated[str, msgspec.Meta(max_length=60)] = "friend"
    text: LessonText = ""


class LessonMade(Body, frozen=True):
    """The lesson's link is ``url``, a path."""

    code: str
    url: str


class LessonInfo(Body, frozen=True):
    """A lesson before it is begun; ``view`` is what the learner's seat sees, without ``legal``."""

    code: str
    text: str
    rules: str
    seat: int
    against: str
    title: str
    view: SeatView


class StartLesson(Body, frozen=True):
    """Sit down under this name."""

    name: Name


class HintTurn(Body, frozen=True):
    """A turn that the program considered; ``value`` in points of the round's difference."""

    turn: str
    value: float


class Hint(Body, frozen=True):
    """What a program would do. ``exact`` says whether ``value`` counts the whole round (an expected
    difference), or weighs turns against each other only; ``candidates`` are the best first.
    """

    agent: str
    title: str
    turn: str
    exact: bool
    candidates: list[HintTurn]
