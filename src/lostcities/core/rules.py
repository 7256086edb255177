"""The rules in force: every option, the presets, reading, writing and validation.

Written ``key=value`` separated by spaces in a fixed order; the first eight keys always, the others
only when they differ from their default. The presets are one for each source text that this project
implements, and the publisher's six-colour long game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lostcities import encoding
from lostcities.core import sentences as say
from lostcities.core.cards import FACES, Card, Colour
from lostcities.core.errors import RulesError
from lostcities.core.said import WORD, Said

First = Literal["random", 0, 1]
Next = Literal["alternate", "leader", "winner"]
Rounds = int | Literal["open"]

_RANGES: dict[str, tuple[int, int]] = {
    "colours": (1, encoding.MAX_COLOURS),
    "hand": (1, 12),
    "cost": (0, 99),
    "bonus": (0, 99),
    "bonus_at": (1, 13),
    "rounds": (1, 99),
    "stall": (0, 999),
    "wagers": (0, encoding.MAX_WAGERS),
    "top": (encoding.LOWEST_NUMBER, encoding.HIGHEST_NUMBER),
}
_COLOURS = tuple(Colour)
_ALWAYS_WRITTEN = ("colours", "hand", "cost", "bonus", "bonus_at", "rounds", "first", "next")
_NEXT = ("alternate", "leader", "winner")


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of a match. Every instance can be played: impossible ones are refused.

    Attributes:
        colours: how many colours, the first ones of the canonical order (5 the game, 6 the long
            game, fewer for study).
        hand: cards in a hand at the start of a turn.
        cost: points that an opened expedition costs before multiplying.
        bonus: points that a long expedition adds after multiplying.
        bonus_at: cards (wagers included) that make an expedition long; 13 switches the bonus off.
        rounds: rounds of a match, or ``"open"``: after each, both seats agree to go on or not.
        first: who starts the first round: ``"random"`` or a seat.
        next: who starts later rounds: ``"alternate"``, the ``"leader"`` on totals, or the
            ``"winner"`` of the last round; a tie alternates from the last starter.
        own_discard: whether one may take back the card just discarded.
        stall: when this many turns in a row (both seats together) drew from piles the round ends
            there; 0 for never.
        wagers: wagers of each colour.
        top: the highest number.

    Raises:
        RulesError: a value out of range, or a deck too small to deal both hands and leave a card.
    """

    colours: int = 5
    hand: int = 8
    cost: int = 20
    bonus: int = 20
    bonus_at: int = 8
    rounds: Rounds = 3
    first: First = "random"
    next: Next = "alternate"
    own_discard: bool = False
    stall: int = 0
    wagers: int = 3
    top: int = 10

    def __post_init__(self) -> None:
        for key, (low, high) in _RANGES.items():
            _check_range(key, getattr(self, key), low, high)
        _check_first(self.first)
        if self.next not in _NEXT:
            raise RulesError("next", say.NOT_ONE_OF(found=self.next, due=", ".join(_NEXT)))
        if not isinstance(self.own_discard, bool):
            raise RulesError("own_discard", say.NOT_YES(found=self.own_discard))
        if self.deck_size < 2 * self.hand + 1:
            raise RulesError("hand", self._too_small())

    def _too_small(self) -> Said:
        need = 2 * self.hand + 1
        return say.HANDS_TOO_LARGE(hand=self.hand, need=need, size=self.deck_size)

    @property
    def deck_size(self) -> int:
        """How many cards the whole deck has (60 in the game, 72 in the long game)."""
        return self.colours * (self.wagers + self.top - 1)

    def copies(self, card: Card) -> int:
        """How many cards with this face the deck has; 0 if these rules lack it."""
        if card.colour >= self.colours or card.rank > self.top:
            return 0
        return self.wagers if card.is_wager else 1

    def all_cards(self) -> tuple[Card, ...]:
        """The whole deck in canonical order."""
        return tuple(card for card in FACES for _ in range(self.copies(card)))

    def all_colours(self) -> tuple[Colour, ...]:
        """The colours in force, in canonical order."""
        return _COLOURS[: self.colours]

    def __str__(self) -> str:
        return " ".join(
            f"{key}={_written(getattr(self, key))}" for key in _keys() if self._says(key)
        )

    def _says(self, key: str) -> bool:
        return key in _ALWAYS_WRITTEN or getattr(self, key) != getattr(_DEFAULT, key)

    @staticmethod
    def parse(text: str, base: Rules | None = None) -> Rules:
        """Read rules: a preset's name, ``key=value`` words, or a preset followed by such words.

        Args:
            text: e.g. ``"room"``, ``"colours=6 rounds=5"``, ``"blog rounds=1"``.
            base: what unnamed keys are taken from; the defaults if not given.

        Raises:
            RulesError: an unknown preset or key, a key given twice, or an impossible value.
        """
        words = text.split()
        start = base or _DEFAULT
        if words and "=" not in words[0]:
            start = preset(words.pop(0))
        return dataclasses.replace(start, **_read_words(words))

    def to_dict(self) -> dict[str, Any]:
        """Every key as JSON has it: numbers, ``"random"``/0/1, ``"open"``, true or false."""
        return {key: getattr(self, key) for key in _keys()}

    @staticmethod
    def from_dict(values: Mapping[str, Any]) -> Rules:
        """Rules from JSON; missing keys have their default.

        Raises:
            RulesError: an unknown key or an impossible value.
        """
        for key in values:
            if key not in _keys():
                raise RulesError(str(key), say.UNKNOWN_RULE(due=", ".join(_keys())))
        return Rules(**dict(values))


def _keys() -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(Rules))


def _check_range(key: str, value: object, low: int, high: int) -> None:
    if key == "rounds" and value == "open":
        return
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        sentence = say.OUT_OF_ROUNDS if key == "rounds" else say.OUT_OF_RANGE
        raise RulesError(key, sentence(found=value, low=low, high=high))


def _check_first(value: object) -> None:
    if value != "random" and (type(value) is not int or value not in (0, 1)):
        raise RulesError("first", say.NOT_FIRST(found=value))


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _read_words(words: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise RulesError(WORD(word=word), say.NO_KEY())
        if key not in _keys():
            raise RulesError(key, say.UNKNOWN_RULE(due=", ".join(_keys())))
        if key in values:
            raise RulesError(key, say.GIVEN_TWICE())
        values[key] = _read_value(key, value)
    return values


def _read_value(key: str, value: str) -> object:
    if key == "own_discard":
        if value not in ("yes", "no"):
            raise RulesError(key, say.NOT_YES(found=value))
        return value == "yes"
    if value.isascii() and value.isdigit() and len(value) <= 3:
        return int(value)
    return value


_DEFAULT = Rules()

PRESETS: dict[str, Rules] = {
    "room": Rules(rounds=3, next="alternate"),
    "tutorial": Rules(rounds=3, next="alternate"),
    "blog": Rules(rounds=3, next="leader"),
    "site": Rules(rounds=3, next="leader"),
    "travel": Rules(rounds="open", next="leader"),
    "long": Rules(colours=6),
}
"""The rules of each source text by name, and the six-colour long game.

``room`` is an online room's manual, ``tutorial`` an interactive tutorial, ``blog`` a rules article,
``site`` a large game site's help page, ``travel`` the rules for a printed universal deck. Who starts
the next round is each text's own rule, except for ``room`` and ``site``, whose texts name none: they
have what programs mostly do, and what most texts say. The first round is begun by chance where there
is no table to ask: ``tutorial`` says so, ``blog`` names the oldest, ``travel`` whoever was last on an
adventure, the others nobody. That a level score alternates is said by ``blog`` alone.
"""

STUDIES: dict[str, Rules] = {
    "mini": Rules(
        colours=1, hand=1, cost=4, bonus=4, bonus_at=3, rounds=1, wagers=1, top=5, stall=2
    ),
}
"""Rules too small to be worth a person's while, by name; read as presets are, offered nowhere.

``mini`` has five cards, and a game tree of some eight thousand nodes: how far a strategy is from an
equilibrium can be computed exactly.
"""


def preset(name: str) -> Rules:
    """The rules of a preset, or of a study.

    Raises:
        RulesError: none of that name.
    """
    named = PRESETS | STUDIES
    if name not in named:
        raise RulesError(WORD(word=name), say.UNKNOWN_PRESET(due=", ".join(named)))
    return named[name]
