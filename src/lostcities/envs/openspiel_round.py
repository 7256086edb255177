"""The round behind an OpenSpiel state: the kernel's row, dealt and drawn card by card."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostcities import encoding
from lostcities.core.cards import FACES
from lostcities.core.rules import Rules
from lostcities.envs.one_round import OneRound
from lostcities.kernel import bridge
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, U
from lostcities.kernel.jit import in_place
from lostcities.kernel.round import Row, deck_card, put_deck_card


@in_place
def bring_up(row: Row, face: int) -> None:
    """Make a face that the deck holds its top card."""
    top = row[at.NEXT]
    place = top
    while deck_card(row, place) != U(face):
        place += ONE
    put_deck_card(row, place, deck_card(row, top))
    put_deck_card(row, top, U(face))


@cache
def whole_deck(rules: Rules) -> tuple[int, ...]:
    """How often the deck has each face, ``10 * colours`` numbers."""
    return tuple(rules.copies(FACES[face]) for face in range(encoding.faces(rules.colours)))


@dataclass
class ChanceRound:
    """A round whose cards come from outside, one at a time.

    Attributes:
        rules: the rules in force.
        start: the seat that starts.
        dealt: the faces dealt so far, seat 0 first, then by turns.
        left: how often each face is still in the deck.
        turns: completed turns: lay and draw as actions, and the face drawn.
        lay: the lay made in the turn under way, −1 if none.
        drawing: whether a card is to come from the deck.
        round: the kernel's round, once the hands are dealt.
    """

    rules: Rules
    start: int
    dealt: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    turns: list[tuple[int, int, int]] = field(default_factory=list)
    lay: int = -1
    drawing: bool = False
    round: OneRound | None = None

    def __post_init__(self) -> None:
        if not self.left:
            self.left = list(whole_deck(self.rules))

    def __deepcopy__(self, memo: dict[int, Any]) -> ChanceRound:
        lists = list(self.dealt), list(self.left), list(self.turns)
        return ChanceRound(
            self.rules, self.start, *lists, self.lay, self.drawing, _copied(self.round)
        )

    @property
    def by_chance(self) -> bool:
        """Whether a card is to come."""
        return self.round is None or self.drawing

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.round is not None and not self.drawing and self.round.over

    @property
    def begun(self) -> OneRound:
        """The kernel's round.

        Raises:
            RuntimeError: the hands are not dealt yet.
        """
        if self.round is None:
            raise RuntimeError("the hands are not dealt yet")
        return self.round

    def outcomes(self) -> list[tuple[int, float]]:
        """The faces that may come, with their chances."""
        total = sum(self.left)
        return [(face, count / total) for face, count in enumerate(self.left) if count]

    def come(self, face: int) -> None:
        """A card comes: it is dealt, or drawn by the seat that asked for one."""
        if not self.left[face]:
            raise ValueError(f"no {FACES[face]} is left in the deck")
        self.left[face] -= 1
        if self.round is None:
            self.dealt.append(face)
            if len(self.dealt) == 2 * self.rules.hand:
                self._begin()
        else:
            bring_up(self.round.row, face)
            self._draw(encoding.deck_action(self.rules.colours), face)

    def _begin(self) -> None:
        rest = [face for face, count in enumerate(self.left) for _ in range(count)]
        self.round = OneRound(self.rules)
        self.round.deal_deck(np.array(self.dealt + rest, dtype=np.uint8), self.start)

    def act(self, action: int) -> None:
        """Do a legal action of the seat to act; a draw from the deck then waits for its card."""
        if self.lay < 0:
            self.begun.step(action)
            self.lay = action
        elif action == encoding.deck_action(self.rules.colours):
            self.drawing = True
        else:
            colour = action - encoding.pile_action(self.rules.colours, 0)
            self._draw(action, self.top(colour))

    def _draw(self, action: int, face: int) -> None:
        self.begun.step(action)
        self.turns.append((self.lay, action, face))
        self.lay, self.drawing = -1, False

    def top(self, colour: int) -> int:
        """The face on top of a pile."""
        code = int(self.begun.row[at.PILES + 1 + colour]) & 15
        return 10 * colour + code - 1

    def mover(self, ply: int) -> int:
        """The seat that played a turn."""
        return (self.start + ply) % 2

    def first_hand(self, seat: int) -> list[int]:
        """The faces that a seat has been dealt so far, ascending."""
        return sorted(self.dealt[seat::2])


def _copied(round_: OneRound | None) -> OneRound | None:
    if round_ is None:
        return None
    twin: OneRound = object.__new__(OneRound)
    twin.rules, twin.packed, twin.row = round_.rules, round_.packed, round_.row.copy()
    return twin


def turn_text(action: int, colours: int) -> str:
    """Half a turn as its token has it: ``+Y5``, ``-YX``, ``*``, ``<Y``."""
    if encoding.is_lay(colours, action):
        return str(bridge.action_to_lay(action, colours))
    draw = bridge.action_to_draw(action, colours)
    return "*" if draw is None else f"<{draw.letter}"


Floats = NDArray[np.float32]
