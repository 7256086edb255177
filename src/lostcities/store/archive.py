"""What a room asks of a store to look back: lists of matches, results, shared replays, imports.

All of it is asked for one player and answers what that player's seats may know; no card is here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from lostcities.core.seats import BySeat, Seat
from lostcities.store.interfaces import Lesson

Result = Literal["won", "lost", "drawn", "unfinished"]
"""How a match stands for a player."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """Who sat across: a person by name, or a program by its registered name.

    Attributes:
        kind: ``person`` or ``agent``.
        key: the name, or the agent's registered name, by which results are counted together.
        name: as shown.
    """

    kind: str
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches of a player are asked for; None leaves a thing open.

    Attributes:
        opponent: kind and key of the opponent.
        rules: the rules in written form.
        result: how it ended.
        before: of the last one already listed, when it was made and its id.
        limit: how many at most.
    """

    opponent: tuple[str, str] | None = None
    rules: str | None = None
    result: Result | None = None
    before: tuple[int, str] | None = None
    limit: int = 20


@dataclass(frozen=True, slots=True)
class Played:
    """A match of a player, from that player's seat.

    Attributes:
        match: its id.
        created: when it was made, milliseconds since 1970 (UTC).
        rules: in written form.
        seat: the player's.
        name: under which the player sat there.
        opponent: who sat across.
        ended: when it ended; None while it goes on.
        termination: as in records; None for a normal end or while it goes on.
        winner: a seat; None for a draw or while it goes on.
        scores: points by seat of each finished round.
        practice: it began from a lesson and counts in no results.
    """

    match: str
    created: int
    rules: str
    seat: Seat
    name: str
    opponent: Opponent
    ended: int | None
    termination: str | None
    winner: Seat | None
    scores: tuple[BySeat[int], ...]
    practice: bool

    @property
    def result(self) -> Result:
        """How it stands for the player."""
        if self.ended is None or self.termination == "closed":
            return "unfinished"
        if self.winner is None:
            return "drawn"
        return "won" if self.winner == self.seat else "lost"


@dataclass(frozen=True, slots=True)
class Tally:
    """Results of a player against one opponent, practice left out.

    Attributes:
        opponent: who.
        won: matches won; ``lost`` and ``drawn`` likewise; ``unfinished`` are still going on.
        rounds: finished rounds, of unfinished matches too.
        own: points a round, the player's mean; None without a round.
        theirs: points a round, the opponent's mean.
    """

    opponent: Opponent
    won: int
    lost: int
    drawn: int
    unfinished: int
    rounds: int
    own: float | None
    theirs: float | None


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """A finished round in the course of time, from the player's seat."""

    match: str
    round: int
    at: int
    own: int
    theirs: int
    opponent: Opponent


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """A record that a player brought along: canonical text, and when."""

    record: str
    added: int
    text: str


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """A score sheet of a real table that a player keeps.

    Attributes:
        sheet: its id, the player's own.
        added: when it was kept, milliseconds since 1970 (UTC).
        played: when it was written on last, by the player's clock.
        rules: in written form.
        link: the fragment of a link that holds all of it.
    """

    sheet: str
    added: int
    played: int
    rules: str
    link: str


@dataclass(frozen=True, slots=True)
class WantedSheets:
    """Which sheets of a player are asked for; as :class:`Wanted`, ``before`` by when played."""

    rules: str | None = None
    before: tuple[int, str] | None = None
    limit: int = 20


class Archive(Protocol):
    """The part of a store that looks back."""

    async def played(self, player: str, wanted: Wanted) -> tuple[Played, ...]:
        """Matches of a player in which both seats were taken, newest first."""
        ...

    async def played_rules(self, player: str) -> tuple[str, ...]:
        """The rules under which a player has played, each once, in written form."""
        ...

    async def tallies(self, player: str) -> tuple[Tally, ...]:
        """Results against each opponent, most matches first."""
        ...

    async def points(self, player: str, limit: int) -> tuple[RoundPoints, ...]:
        """The player's last finished rounds, oldest first; practice left out."""
        ...

    async def share(self, match: str, player: str, code: str) -> str:
        """Keep a code by which the replay may be seen; the one kept before, if there is one."""
        ...

    async def share_of(self, match: str, player: str) -> str | None:
        """The code that a player has given out for a match."""
        ...

    async def is_practice(self, match: str) -> bool:
        """Whether a match counts in no results: from a lesson, with aids or with takebacks."""
        ...

    async def keep_lesson(self, lesson: Lesson, player: str, now: int) -> None:
        """Keep a lesson that a player has made."""
        ...

    async def lesson(self, code: str) -> Lesson | None:
        """The lesson behind a code."""
        ...

    async def unshare(self, match: str, player: str) -> None:
        """Forget that code."""
        ...

    async def shared(self, code: str) -> str | None:
        """The match behind a code."""
        ...

    async def keep_record(self, player: str, record: KeptRecord, digest: str) -> str:
        """Keep a record; the id of the one kept before if its text has the same digest."""
        ...

    async def kept_records(
        self, player: str, before: tuple[int, str] | None, limit: int
    ) -> tuple[KeptRecord, ...]:
        """A player's records, newest first, before that one (when added, id)."""
        ...

    async def kept_record(self, player: str, record: str) -> KeptRecord | None:
        """One of a player's records."""
        ...

    async def drop_record(self, player: str, record: str) -> bool:
        """Forget one of a player's records; false if there is none."""
        ...

    async def keep_sheet(
        self, player: str, sheet: PaperSheet, knows: str | None = None, over: bool = False
    ) -> str | None:
        """Keep a sheet in the place of the player's with the same id.

        Answers the id of the one with the same content instead, if there is one already, and None
        where the one with the same id is another than the link that the writer ``knows`` to be there:
        that one stays, unless the player has said that this sheet goes ``over`` it. Of a writer who
        does not say (None), it stays if it was written on later.
        """
        ...

    async def kept_sheets(self, player: str, wanted: WantedSheets) -> tuple[PaperSheet, ...]:
        """A player's sheets, the one written on last first."""
        ...

    async def drop_sheet(self, player: str, sheet: str) -> bool:
        """Forget one of a player's sheets; false if there is none."""
        ...
