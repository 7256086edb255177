"""Looking ahead: the half-turns worth trying, tried out until one is clearly the best.

The network ranks the half-turns; the best of them (all, unless the settings say otherwise: a clone is
much too sure of itself), and that of ``steady@1``, are tried on the same sampled deals of the hidden
cards (:mod:`lostcities.agents.trials`). Every few deals those clearly behind are dropped, and their
trials go to the others. It can be stopped at any time; with a number of trials and the same random
numbers it finds the same. The search agent and the teacher in training are both this.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from lostcities.agents import trials
from lostcities.agents.endings import last_action, last_card
from lostcities.agents.network import forward
from lostcities.kernel import layout as at
from lostcities.kernel.round import apply, deck_left, lead

PLAYOUTS = MappingProxyType(
    {
        "steady": trials.STEADY,
        "policy": trials.POLICY,
        "steady-value": trials.STEADY_THEN_VALUE,
        "policy-value": trials.POLICY_THEN_VALUE,
        "policy-steady": trials.POLICY_THEN_STEADY,
        "policy-exact": trials.POLICY_EXACT,
    }
)
"""How a trial may be played on, by name; see :mod:`lostcities.agents.trials`."""

EXACT = "policy-exact"
"""The playout that knows how the last card is played, so that it is not tried out."""

MOST_SAMPLES = 4096
"""Deals that a candidate sees at most, and trials for each in the mean."""

MOST_THREADS = 64
FACES = 10 * forward.MAX_COLOURS

Worth = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""What final leads are worth, to choose by; without one the points themselves. What it gives should
lie on the scale of points: ``bonus`` and the like are measured by it."""


@dataclass(frozen=True, slots=True)
class LookSettings:
    """How to look ahead.

    Attributes:
        playout: a name of :data:`PLAYOUTS`.
        depth: half-turns of a trial before its ``playout`` goes over to something else.
        samples: trials for each candidate in the mean; those of candidates that drop out go to the
            others.
        chunk: deals between two looks at the clock and at who is behind.
        candidates: half-turns of the network that are tried at most.
        certain: how many of them are tried whatever probability it gives them;
        least: the probability from which the others are.
        beaten: standard errors behind the best at which a candidate drops out.
        bonus: points by which another half-turn must be ahead of the network's first choice,
        doubt: and how many standard errors besides,
        caution: and how many times the square of the standard error. That is the right measure where
            other half-turns are believed to be some points worse, give or take some more (a normal
            prior): it takes the more to overrule the network the noisier the trials are.
        deck: cards in the deck from which on trials may overrule the network; with more of them they are
            only told. Early in a round trials are so noisy that the best of many is no better than the
            network's choice, and mostly worse.
        threads: how many threads try the deals; what is found does not depend on it, unless a clock
            ends it.

    Raises:
        ValueError: a number is out of its range.
    """

    playout: str = "steady"
    depth: int = 24
    samples: int = 200
    chunk: int = 16
    candidates: int = 24
    certain: int = 3
    least: float = 0.0
    beaten: float = 2.5
    bonus: float = 0.5
    doubt: float = 1.0
    caution: float = 0.0
    deck: int = at.DECK_END
    threads: int = 1

    def __post_init__(self) -> None:
        if self.playout not in PLAYOUTS:
            raise ValueError(f"playout: {self.playout!r} is none of {', '.join(PLAYOUTS)}")
        if not 1 <= self.samples <= MOST_SAMPLES:
            raise ValueError(f"samples: {self.samples} is not from 1 to {MOST_SAMPLES}")
        if self.depth < 0:
            raise ValueError(f"depth: {self.depth} is less than 0")
        if self.chunk < 1:
            raise ValueError(f"chunk: {self.chunk} is less than 1")
        if not 1 <= self.candidates < trials.MOST_ACTIONS:
            raise ValueError(
                f"candidates: {self.candidates} is not from 1 to {trials.MOST_ACTIONS - 1}"
            )
        if self.certain < 1:
            raise ValueError(f"certain: {self.certain} is less than 1")
        if not 1 <= self.threads <= MOST_THREADS:
            raise ValueError(f"threads: {self.threads} is not from 1 to {MOST_THREADS}")


@dataclass(frozen=True, slots=True)
class Looked:
    """What looking ahead found.

    Attributes:
        action: the half-turn chosen.
        actions: those tried, ``(n,)``; the network's first choice is the first.
        means: their mean final leads of the seat to act, points ``(n,)``; those that dropped out
            saw fewer deals. Without a trial (one legal half-turn, or the last card) the network's own
            value, or that of the end.
        running: which of them stayed in to the end ``(n,)``.
        deals: how many deals those saw.
    """

    action: int
    actions: NDArray[np.int64]
    means: NDArray[np.float64]
    running: NDArray[np.bool_]
    deals: int


class Lookahead:
    """Looks ahead with one network; keeps its working memory, so one thread at a time.

    Args:
        weights: a flat network.
        settings: how.
        belief: a flat network of what the other hand may hold; None to hold every arrangement of the
            hidden cards for equally likely.
        clock: what ``until`` is read from, in seconds.
    """

    def __init__(
        self,
        weights: forward.Flat,
        settings: LookSettings,
        belief: forward.Flat | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.settings = settings
        self._clock = clock
        self._belief = belief
        self._odds = np.zeros(0 if belief is None else FACES, dtype=np.float32)
        self._weights = weights
        self._scratch = [forward.scratch() for _ in range(settings.threads)]
        self._logits = np.zeros(21 * forward.MAX_COLOURS + 1, dtype=np.float32)
        self._rows = np.zeros((settings.threads, 2, at.WORDS), dtype=np.uint64)
        self._leads = np.zeros((trials.MOST_ACTIONS, MOST_SAMPLES), dtype=np.float32)
        self._worths = np.zeros_like(self._leads)
        self._pool = ThreadPoolExecutor(settings.threads) if settings.threads > 1 else None

    def look(
        self,
        row: NDArray[np.uint64],
        rules: NDArray[np.int32],
        until: float | None = None,
        samples: int = 0,
        worth: Worth | None = None,
    ) -> Looked:
        """Look ahead from a round that is not over.

        Args:
            row: the round; what the seat to act cannot see is not read. Its random numbers decide
                the deals; they are left as they are.
            rules: packed rules.
            until: when to stop, by the clock; at least one chunk is tried.
            samples: as in the settings; 0 for theirs.
            worth: what to choose by; the means that are told are points all the same.
        """
        if self.settings.playout == EXACT and last_card(row):
            return self._decided(row, rules, np.array([last_action(row, rules)]))
        actions, count = self._candidates(row, rules)
        if count == 1:
            return self._decided(row, rules, actions[:1])
        if self._belief is not None:
            forward.write_odds(self._belief, row, rules, self._scratch[0], self._odds)
        running = np.ones(count, dtype=np.bool_)
        seen = np.zeros(count, dtype=np.int64)
        living, left, deals = count, count * (samples or self.settings.samples), 0
        while living > 1 and left >= living and deals < MOST_SAMPLES:
            if deals and until is not None and self._clock() >= until:
                break
            more = min(deals + min(self.settings.chunk, left // living), MOST_SAMPLES)
            self._try(row, rules, actions, running, deals, more)
            new = self._leads[:count, deals:more]
            self._worths[:count, deals:more] = new if worth is None else worth(new.astype(float))
            left -= living * (more - deals)
            deals = more
            seen[running] = deals
            living = trials.drop_beaten(count, running, self._worths, deals, self.settings.beaten)
        means = np.array([self._leads[i, : seen[i]].mean(dtype=np.float64) for i in range(count)])
        chosen = self._choose(running, deals) if self.may_overrule(row) else 0
        return Looked(int(actions[chosen]), actions[:count], means, running, deals)

    def may_overrule(self, row: NDArray[np.uint64]) -> bool:
        """Whether trials may overrule the network here, see :class:`LookSettings`."""
        return bool(deck_left(row) <= self.settings.deck)

    def _decided(
        self, row: NDArray[np.uint64], rules: NDArray[np.int32], only: NDArray[np.int64]
    ) -> Looked:
        """Nothing to try: one half-turn, with the network's own value or that of the end."""
        if last_card(row):
            line = self._rows[0, 1]
            line[:] = row
            apply(line, rules, int(only[0]))
            value = float(lead(line, rules, int(row[at.MOVER])))
        else:
            value = forward.expected_lead(self._weights, row, rules, self._scratch[0])
        return Looked(int(only[0]), only, np.array([value]), np.ones(1, np.bool_), 0)

    def first_choice(self, row: NDArray[np.uint64], rules: NDArray[np.int32]) -> int:
        """The half-turn of the network alone, without looking ahead."""
        return int(forward.best_action(self._weights, row, rules, self._scratch[0]))

    def _candidates(
        self, row: NDArray[np.uint64], rules: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], int]:
        actions, settings = np.zeros(trials.MOST_ACTIONS, dtype=np.int64), self.settings
        count = trials.rank(
            row, rules, self._weights, self._scratch[0], self._logits, actions,
            settings.candidates, settings.certain, settings.least,
        )  # fmt: skip
        own = trials.steady_choice(row, rules)
        return actions, int(trials.add(actions, count, own))

    def _try(
        self,
        row: NDArray[np.uint64],
        rules: NDArray[np.int32],
        actions: NDArray[np.int64],
        running: NDArray[np.bool_],
        first: int,
        last: int,
    ) -> None:
        def part(thread: int, begin: int, end: int) -> None:
            trials.try_out(
                row, rules, actions, len(running), running, begin, end,
                PLAYOUTS[self.settings.playout], self.settings.depth, self._weights,
                self._scratch[thread], self._rows[thread, 0], self._rows[thread, 1], self._leads,
                self._odds,
            )  # fmt: skip

        if self._pool is None:
            part(0, first, last)
            return
        threads = self.settings.threads
        edges = [first + (last - first) * i // threads for i in range(threads + 1)]
        for done in [self._pool.submit(part, i, *edges[i : i + 2]) for i in range(threads)]:
            done.result()

    def _choose(self, running: NDArray[np.bool_], deals: int) -> int:
        """The best by its mean; the network's first choice unless another is clearly ahead of it."""
        means = self._worths[: len(running), :deals].mean(axis=1, dtype=np.float64)
        best = int(np.where(running, means, -np.inf).argmax())
        if best == 0 or not running[0]:
            return best
        ahead = self._worths[best, :deals] - self._worths[0, :deals]
        error = float(ahead.std(dtype=np.float64)) / deals**0.5
        clear = float(ahead.mean(dtype=np.float64)) > (
            self.settings.bonus + self.settings.doubt * error + self.settings.caution * error**2
        )
        return best if clear else 0
