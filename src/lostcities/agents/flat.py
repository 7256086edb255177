"""``flat@1``: flat Monte Carlo over the cards that the view hides.

Every legal lay is tried on the same sampled arrangements of the hidden cards, each played out by
``steady@1`` for both seats; the best mean wins, then the same for the draws after it. The heuristic's
own choice stays unless another is clearly better, so that chance alone does not overrule it.

A player keeps what it needs, so the other hand is not a random part of the unseen cards: in rounds between
two ``steady@1`` the true hand is worth more than 3 of 4 random ones after 5 turns and than 5 of 6 after 15.
With ``kept=5`` the best hand of up to five arrangements is taken, and the values foretell the end of the
round better (in the middle of it they are 4 points too high in the mean rather than 15). It does not win
more, though, so it is off unless asked for.

All in compiled code; without Numba it works, about a thousand times slower.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.agent import Candidate, Choice, check_to_move
from lostcities.agents.steady_compiled import (
    SUM,
    TOP,
    PackedRules,
    Row,
    how_many,
    numbers_of,
    potential,
    steady_draw,
    steady_lay,
    whole,
)
from lostcities.core.turn import Lay, Turn
from lostcities.core.views import View
from lostcities.kernel import layout as at
from lostcities.kernel.bits import U
from lostcities.kernel.bridge import (
    action_to_draw,
    draw_to_action,
    lay_to_action,
    packed,
    view_to_row,
)
from lostcities.kernel.hidden import resample
from lostcities.kernel.jit import COMPILED, in_place
from lostcities.kernel.layout import empty_rows
from lostcities.kernel.round import (
    apply,
    apply_draw,
    apply_lay,
    deck_left,
    laying,
    lead,
    over,
    wagers_in,
)

BATCH = 25 if COMPILED else 1
"""Samples between two looks at the clock and at who is behind."""
SURELY = 2.5
"""Standard errors by which an action must be behind the best one to drop out."""
USED = 0.9
"""Part of a time budget that is spent on samples."""


@in_place
def copy_row(source: Row, target: Row) -> None:
    """Copy a row's words."""
    for word in range(at.WORDS):
        target[word] = source[word]


@in_place
def play_out(row: Row, rules: PackedRules) -> None:
    """Play a round to its end with ``steady@1`` in both seats; a turn begun is ended by its draw."""
    if not laying(row):
        apply_draw(row, rules, steady_draw(row, rules))
    while not over(row, rules):
        apply_lay(row, rules, steady_lay(row, rules))
        apply_draw(row, rules, steady_draw(row, rules))


@in_place
def hand_worth(row: Row, rules: PackedRules, seat: int) -> int:
    """What the rows of a seat may come to with the cards it holds, in 1/64 points."""
    base, lays = at.SEAT * seat, deck_left(row) // 2
    hand, laid, counts = row[base + at.HAND], row[base + at.LAID], row[base + at.WAGERS]
    worth = 0
    for c in range(rules[at.COLOURS]):
        own, wagers = numbers_of(laid, c), whole(wagers_in(counts, U(c), at.IN_LAID))
        worth += potential(
            rules, SUM[own], wagers, how_many(own) + wagers, TOP[own], numbers_of(hand, c),
            whole(wagers_in(counts, U(c), at.IN_HAND)), 0, lays, 0, 0,
        )  # fmt: skip
    return worth


@in_place
def sample_hidden(
    row: Row, rules: PackedRules, seat: int, kept: int, sampled: Row, spare: Row
) -> None:
    """Write into ``sampled`` an arrangement of what a seat cannot see, as it is likely to be.

    Args:
        row: what the seat sees; its random numbers move on, nothing else changes.
        rules: packed rules.
        seat: whose eyes.
        kept: the most arrangements of which the one with the best other hand is taken.
        sampled: is overwritten.
        spare: a row for scratch.
    """
    tries = min(kept, 1 + (whole(row[at.PLY]) + 2) // 4, 1 + deck_left(row) // 2)
    best = -(1 << 60)
    for _ in range(tries):
        copy_row(row, spare)
        resample(spare, rules, seat)
        row[at.RNG] = spare[at.RNG]
        worth = hand_worth(spare, rules, 1 - seat) if tries > 1 else 0
        if worth > best:
            best = worth
            copy_row(spare, sampled)


@in_place
def add_samples(
    row: Row,
    rules: PackedRules,
    seat: int,
    kept: int,
    actions: NDArray[np.int64],
    leads: NDArray[np.int32],
    sampled: Row,
    work: Row,
) -> None:
    """For each action, its leads at the end over sampled arrangements of the hidden cards.

    Args:
        row: what the seat sees; its random numbers move on, nothing else changes.
        rules: packed rules.
        seat: the seat to act.
        kept: see :func:`sample_hidden`.
        actions: legal actions of it (lays, or draws in the middle of a turn), ``(a,)``.
        leads: ``(samples, a)``, written: points by which the seat leads; a row of it is the same
            arrangement for every action.
        sampled: a row for scratch.
        work: another.
    """
    for index in range(leads.shape[0]):
        sample_hidden(row, rules, seat, kept, sampled, work)
        for place in range(actions.shape[0]):
            copy_row(sampled, work)
            apply(work, rules, actions[place])
            play_out(work, rules)
            leads[index, place] = lead(work, rules, seat)


@dataclass(frozen=True, slots=True)
class Found:
    """What sampling found.

    Attributes:
        action: the action chosen.
        means: by action, points by which the seat leads at the end in the mean of the samples that
            it got; actions that fell behind got fewer.
    """

    action: int
    means: dict[int, float]


class Race:
    """Actions against each other on the same sampled arrangements.

    After every batch those drop out that are surely behind the best one, so that the playouts go
    to those that may be the best. The heuristic's own action stays in to the end.

    Args:
        row: what the seat sees, see :func:`add_samples`.
        rules: packed rules.
        seat: the seat to act.
        actions: its legal actions.
        own: the heuristic's one among them.
        kept: see :func:`sample_hidden`.
    """

    def __init__(
        self,
        row: Row,
        rules: PackedRules,
        seat: int,
        actions: list[int],
        own: int,
        kept: int = 1,
    ) -> None:
        self._row, self._rules, self._seat, self._kept = row, rules, seat, kept
        self._own = own
        self._running = list(actions)
        self._leads = {action: np.zeros(0, dtype=np.int32) for action in actions}
        self._scratch = empty_rows(2)

    def run(self, samples: int, until: float | None) -> None:
        """Play out ``samples`` times as many rounds as there are actions, or until the clock says stop."""
        left = samples * len(self._running)
        while left > 0 and len(self._running) > 1:
            batch = max(1, min(BATCH, left // len(self._running)))
            self._play(batch)
            left -= batch * len(self._running)
            self._drop()
            if until is not None and time.monotonic() >= until:
                break

    def _play(self, batch: int) -> None:
        tried = np.array(self._running, dtype=np.int64)
        leads = np.zeros((batch, len(tried)), dtype=np.int32)
        add_samples(self._row, self._rules, self._seat, self._kept, tried, leads, *self._scratch)
        for place, action in enumerate(self._running):
            self._leads[action] = np.concatenate((self._leads[action], leads[:, place]))

    def _drop(self) -> None:
        best = max(self._running, key=self._mean)
        self._running = [
            action
            for action in self._running
            if action in (best, self._own) or not self._behind(action, best)
        ]

    def _behind(self, action: int, best: int) -> bool:
        difference, error = self._ahead(best, action)
        return difference > SURELY * error

    def _mean(self, action: int) -> float:
        return float(self._leads[action].mean())

    def _ahead(self, one: int, other: int) -> tuple[float, float]:
        """By how many points an action is ahead of another on the same arrangements, ± standard error."""
        each = self._leads[one] - self._leads[other]
        return float(each.mean()), float(each.std() / (len(each) - 1) ** 0.5) if len(
            each
        ) > 1 else 1e9

    def found(self, bonus: float, doubt: float) -> Found:
        """The best action; one other than the heuristic's own must be clearly ahead of it.

        Args:
            bonus: by how many points at least,
            doubt: and by how many standard errors.
        """
        means = {action: self._mean(action) for action in self._leads if len(self._leads[action])}
        if not means:
            return Found(self._running[0], {})
        best, gain = self._own, 0.0
        for action in self._running:
            if action != self._own:
                ahead, error = self._ahead(action, self._own)
                if ahead - bonus - doubt * error > gain:
                    best, gain = action, ahead - bonus - doubt * error
        return Found(best, means)


class FlatAgent:
    """Flat Monte Carlo.

    Args:
        samples: playouts for each legal action in the mean, for both decisions of a turn; fewer if
            time runs out.
        bonus: points by which another action must be ahead of the heuristic's own,
        doubt: and how many standard errors besides.
        kept: how good the other hand is believed to be, see :func:`sample_hidden`; 1 for any.
    """

    name = "flat@1"

    def __init__(
        self, samples: int = 200, bonus: float = 0.5, doubt: float = 1.0, kept: int = 1
    ) -> None:
        if samples < 1:
            raise ValueError(f"samples: {samples} is less than 1")
        self._samples = int(samples)
        self._bonus, self._doubt, self._kept = float(bonus), float(doubt), int(kept)

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        """See :meth:`lostcities.agents.agent.Agent.choose`.

        A budget that cuts sampling short makes the choice depend on the machine; without one, or
        with enough of it, it is the same everywhere.
        """
        check_to_move(view)
        lay_end, draw_end = _ends(time.monotonic(), time_ms)
        colours, rules = view.rules.colours, packed(view.rules)
        row = view_to_row(view, rng.getrandbits(63))
        lays = {lay_to_action(turn.lay, colours): turn.lay for turn in view.legal}
        found = self._look(row, rules, view, list(lays), int(steady_lay(row, rules)), lay_end)
        values = {
            _with_own_draw(row, rules, lays[a], a, colours): v for a, v in found.means.items()
        }
        lay = lays[found.action]
        apply_lay(row, rules, found.action)
        draws = {draw_to_action(t.draw, colours): t.draw for t in view.legal if t.lay == lay}
        drawn = self._look(row, rules, view, list(draws), int(steady_draw(row, rules)), draw_end)
        values |= {Turn(lay, draws[action]): v for action, v in drawn.means.items()}
        return _choice(Turn(lay, draws[drawn.action]), values)

    def _look(
        self,
        row: Row,
        rules: PackedRules,
        view: View,
        actions: list[int],
        own: int,
        until: float | None,
    ) -> Found:
        race = Race(row, rules, view.own_seat, actions, own, self._kept)
        race.run(self._samples, until)
        return race.found(self._bonus, self._doubt)


def _with_own_draw(row: Row, rules: PackedRules, lay: Lay, action: int, colours: int) -> Turn:
    """A lay with the draw that its playouts gave it: the heuristic's, the same in all of them."""
    work = empty_rows(1)[0]
    copy_row(row, work)
    apply_lay(work, rules, action)
    return Turn(lay, action_to_draw(int(steady_draw(work, rules)), colours))


def _ends(start: float, time_ms: int | None) -> tuple[float | None, float | None]:
    if time_ms is None:
        return None, None
    budget = USED * time_ms / 1000
    return start + 0.75 * budget, start + budget


def _choice(chosen: Turn, values: dict[Turn, float]) -> Choice:
    if chosen not in values:
        return Choice(chosen)  # the only legal turn: nothing was played out
    first = Candidate(chosen, values.pop(chosen))
    others = sorted(values.items(), key=lambda item: -item[1])
    return Choice(chosen, first.value, (first, *(Candidate(turn, v) for turn, v in others)))
