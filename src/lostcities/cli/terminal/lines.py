"""The match as plain lines, for screen readers, pipes and small terminals."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext

from lostcities.cli.terminal import telling
from lostcities.core.cards import Colour
from lostcities.core.seats import other
from lostcities.core.turn import Lay
from lostcities.core.views import View


class Lines:
    """Says what happens line by line; nothing is drawn and nothing moves."""

    def __init__(self, opponent: str) -> None:
        self._opponent = opponent

    def begins(self, view: View, starter: str) -> None:
        """A heading for the round."""
        of = f" of {view.rounds}" if isinstance(view.rounds, int) else ""
        starts = "you start" if starter == "you" else f"{starter} starts"
        print(f"\nRound {view.round}{of}: {starts}. You have seat {view.own_seat}.")
        if view.round == 1 and view.ply == 0:
            print("Type ? for help.")

    def board(self, view: View, laid: Lay | None) -> None:
        """Colour by colour what lies there, then the hand."""
        if laid is None:
            print()
            print(self._standing(view))
            print("\n".join(self._colours(view)))
            if known := telling.known_text(view, self._opponent):
                print(f"{known}.")
            if left := telling.turns_left(view):
                print(f"Turns left for you: {left}, more if cards are taken from piles.")
        print(f"Your hand: {' '.join(map(str, view.hand)) or 'empty'}")

    def _standing(self, view: View) -> str:
        mine, theirs = view.own_seat, other(view.own_seat)
        you, they = telling.totals_with(view)
        return (
            f"Deck {view.deck}. This round: you {view.scores[mine]}, "
            f"{self._opponent} {view.scores[theirs]}. "
            f"In total with it: you {you}, {self._opponent} {they}."
        )

    def _colours(self, view: View) -> list[str]:
        mine, theirs = view.own_seat, other(view.own_seat)
        lines, bare = [], []
        own, others = (dict(telling.sums(view, seat)) for seat in (mine, theirs))
        for colour in view.rules.all_colours():
            parts = []
            for name, seat, sums in (("you", mine, own), (self._opponent, theirs, others)):
                if row := view.expeditions[seat][colour]:
                    parts.append(f"{name} {' '.join(map(str, row))} ({sums[colour].total})")
            if pile := view.piles[colour]:
                parts.append(f"pile {pile[-1]}" + (f" on {len(pile) - 1}" if pile[1:] else ""))
            if parts:
                lines.append(f"{_named(colour)}: {', '.join(parts)}.")
            else:
                bare.append(_named(colour).lower())
        return [*lines, f"Nothing yet: {', '.join(bare)}."] if bare else lines

    def turn(self, text: str) -> None:
        """A sentence."""
        print(text)

    def say(self, text: str) -> None:
        """As it is."""
        print(text)

    def ask(self, prompt: str) -> str:
        """The prompt on a line of its own, then a line of input."""
        print(prompt, flush=True)
        return input("> " if sys.stdin.isatty() else "")

    def thinking(self, view: View) -> AbstractContextManager[object]:
        """Nothing: a sentence will say what was played."""
        return nullcontext()

    def sums(self, view: View) -> None:
        """A colour a line for each side, then the totals."""
        mine, theirs = view.own_seat, other(view.own_seat)
        print(f"\nRound {view.round}, the sums:")
        for name, seat in (("You", mine), (self._opponent, theirs)):
            opened = [(colour, each) for colour, each in telling.sums(view, seat) if each.cards]
            for colour, each in opened:
                print(f"{name}, {_named(colour).lower()}: {telling.sum_text(each)}")
            print(f"{name}, this round: {view.scores[seat]}")
        you, they = telling.totals_with(view)
        print(f"In total: you {you}, {self._opponent} {they}.")

    def result(self, view: View, text: str, *, sums: bool) -> None:
        """The last round's sums and the outcome."""
        if sums:
            self.sums(view)
        print(text)

    def leaves(self, text: str) -> None:
        """A sentence."""
        print(text)


def _named(colour: Colour) -> str:
    return colour.name.capitalize()
