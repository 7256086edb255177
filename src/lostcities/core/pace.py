"""The time rules of a table: how long a turn may take, what happens after that, who may be away.

Pure: time comes in as an argument. Written as ``key=value`` words in a fixed order, as rules are::

    absent=180
    turn=60 timeout=safe absent=180
    clock=300+5 timeout=forfeit absent=180
    days=3 timeout=forfeit

Only the seats that something is waited for use up time.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

from lostcities.core import sentences as say
from lostcities.core.errors import RulesError
from lostcities.core.turn import Turn
from lostcities.core.views import View

Timeout = Literal["forfeit", "safe"]
Kind = Literal["none", "turn", "clock", "days"]

SECOND = 1000
DAY = 24 * 3600 * SECOND
LEAST_BACK = 10 * SECOND
"""Milliseconds that a seat has at least for another turn, if it had as many."""
PAUSE = 60 * SECOND
"""The least time, in milliseconds, that a live clock gives between two rounds."""

_RANGES = {
    "turn": (5, 3600),
    "bank": (10, 36_000),
    "increment": (0, 600),
    "days": (1, 30),
    "absent": (10, 86_400),
}
_NAMES = {"bank": "clock", "increment": "clock"}


@dataclass(frozen=True, slots=True)
class Pace:
    """The time rules of a table; every instance makes sense.

    Attributes:
        turn: seconds for each turn; 0 for none.
        bank: seconds of a seat for each round, on a clock; 0 for none.
        increment: seconds that the clock gains with each turn.
        days: days for each turn; 0 for none.
        timeout: what happens when the time is out: the seat has lost (``forfeit``), or
            :func:`safe_turn` is played for it (``safe``; not with ``bank``, where nothing would be
            left for the next turn).
        absent: seconds after which a table that waits for a seat with nobody at it may be ended by
            the other; None to wait for ever. Always None with ``days``.

    Raises:
        RulesError: a value out of range, or two kinds of time at once.
    """

    turn: int = 0
    bank: int = 0
    increment: int = 0
    days: int = 0
    timeout: Timeout = "forfeit"
    absent: int | None = 180

    def __post_init__(self) -> None:
        for key, (low, high) in _RANGES.items():
            value = getattr(self, key)
            if value and not low <= value <= high:
                name = _NAMES.get(key, key)
                raise RulesError(name, say.OUT_OF_TIME(found=value, low=low, high=high))
        if sum(map(bool, (self.turn, self.bank, self.days))) > 1:
            raise RulesError("pace", say.ONE_TIME())
        if self.increment and not self.bank:
            raise RulesError("clock", say.INCREMENT())
        if self.timeout not in ("forfeit", "safe"):
            raise RulesError("timeout", say.NOT_TIMEOUT(found=self.timeout))
        if self.timeout == "safe" and not (self.turn or self.days):
            raise RulesError("timeout", say.SAFE_NEEDS())
        if self.days and self.absent is not None:
            raise RulesError("absent", say.DAYS_AWAY())

    @property
    def kind(self) -> Kind:
        """``none``, ``turn``, ``clock`` or ``days``."""
        if self.turn:
            return "turn"
        if self.bank:
            return "clock"
        return "days" if self.days else "none"

    @property
    def live(self) -> bool:
        """Whether time is measured in seconds, while both are there."""
        return bool(self.turn or self.bank)

    @property
    def turn_ms(self) -> int | None:
        """Milliseconds for a turn, None where turns have no time of their own."""
        if self.turn:
            return self.turn * SECOND
        return self.days * DAY if self.days else None

    @property
    def pause_ms(self) -> int | None:
        """Milliseconds to say that one goes on after a round; None for as long as one likes."""
        if self.live:
            return max(PAUSE, self.turn * SECOND)
        return self.days * DAY if self.days else None

    @property
    def bank_ms(self) -> int:
        """Milliseconds on the clock when a round begins."""
        return self.bank * SECOND

    @property
    def absent_ms(self) -> int | None:
        """Milliseconds after which an absent seat's match may be ended."""
        return None if self.absent is None else self.absent * SECOND

    def after_turn(self, left: int, used: int) -> int:
        """What a clock shows after a turn: no less than nothing was left, then it gains."""
        return max(0, left - max(0, used)) + self.increment * SECOND

    def turn_back(self, left: int) -> int:
        """What a clock shows once its last turn is taken back: the time stays used, what the turn
        gained goes, but not below :data:`LEAST_BACK` (or what there was).
        """
        return max(left - self.increment * SECOND, min(left, LEAST_BACK))

    def __str__(self) -> str:
        words = []
        if self.turn:
            words.append(f"turn={self.turn}")
        if self.bank:
            words.append(f"clock={self.bank}+{self.increment}")
        if self.days:
            words.append(f"days={self.days}")
        if words:
            words.append(f"timeout={self.timeout}")
        if not self.days:
            words.append(f"absent={'wait' if self.absent is None else self.absent}")
        return " ".join(words)

    @staticmethod
    def parse(text: str) -> Pace:
        """Read the written form; what is not named has its usual value.

        Raises:
            RulesError: an unknown key, one given twice, or an impossible value.
        """
        values: dict[str, object] = {}
        seen: set[str] = set()
        for word in text.split():
            key, _, value = word.partition("=")
            if key not in _READERS:
                raise RulesError(key, say.UNKNOWN_TIME(due=", ".join(_READERS)))
            if key in seen:
                raise RulesError(key, say.GIVEN_TWICE())
            seen.add(key)
            values |= _READERS[key](key, value)
        if "days" in seen and "absent" not in seen:
            values["absent"] = None
        if "timeout" in seen and not seen & {"turn", "clock", "days"}:
            raise RulesError("timeout", say.TIMEOUT_NEEDS())
        return dataclasses.replace(USUAL, **values)  # type: ignore[arg-type]


def _number(key: str, text: str, zero: bool = False) -> int:
    least = 0 if zero else 1
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) >= least):
        raise RulesError(key, say.NO_NUMBER(found=text))
    return int(text)


def _read_number(key: str, text: str) -> dict[str, object]:
    return {key: _number(key, text)}


def _read_clock(key: str, text: str) -> dict[str, object]:
    bank, plus, increment = text.partition("+")
    return {
        "bank": _number(key, bank),
        "increment": _number(key, increment, zero=True) if plus else 0,
    }


def _read_absent(key: str, text: str) -> dict[str, object]:
    return {key: None if text == "wait" else _number(key, text)}


_READERS = {
    "turn": _read_number,
    "clock": _read_clock,
    "days": _read_number,
    "timeout": lambda key, text: {key: text},
    "absent": _read_absent,
}
USUAL = Pace()
"""The time rules of a table where nobody asked for others."""


def safe_turn(view: View) -> Turn:
    """The turn that is played for a seat whose time is out, where the time rules name it.

    From what the seat itself may see, by one fixed rule: it discards, and draws from the deck.
    Discarded is the lowest card that fits no row of its own any more; if every card still fits, the
    lowest card. Wagers count lowest; of equals the first colour in canonical order goes.

    Raises:
        ValueError: the seat of this view is not to move.
    """
    playable = {turn.lay.card for turn in view.legal if not turn.lay.discard}
    discards = [turn for turn in view.legal if turn.lay.discard and turn.draw is None]
    if not discards:
        raise ValueError("a safe turn is for the seat that is to move")
    return min(
        discards,
        key=lambda turn: (turn.lay.card in playable, turn.lay.card.rank, turn.lay.card.colour),
    )
