"""Many rounds at once: the arrays that training loops and vector environments step.

All rounds of a batch take half-turns in step, so they are always in the same phase. When a round
ends it is dealt anew at once, unless that is switched off.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lostcities import encoding
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, U, Word
from lostcities.kernel.choose import MOST_LEGAL, choose_rows
from lostcities.kernel.given import float_logits, whole_actions, whole_count, whole_seed
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.observe import (
    Bytes,
    mask_memory,
    observation_length,
    observation_memory,
    observation_scale,
    write_mask,
    write_observation,
)
from lostcities.kernel.rng import GAMMA, mix
from lostcities.kernel.round import (
    PackedRules,
    apply,
    deal,
    deal_next,
    deal_seeded,
    is_legal,
    over,
    score,
    stalled,
)
from lostcities.kernel.rules import all_cards

Rows = NDArray[np.uint64]

RUNNING, ENDED, STALLED = 0, 1, 2
"""What ``done`` says of a round after a step: it goes on, the deck is empty, the stall rule ended it."""


@in_place
def step_rows(
    rows: Rows,
    rules: PackedRules,
    actions: NDArray[np.int64],
    done: Bytes,
    scores: NDArray[np.int32],
    again: bool,
) -> None:
    """Do one legal action in every round that is not over.

    Args:
        rows: the rounds, ``(n, WORDS)``.
        rules: packed rules.
        actions: one a round, ``int64``; ignored where the round is over.
        done: ``(n,)``, becomes ``RUNNING``, ``ENDED`` or ``STALLED`` for each round.
        scores: ``(n, 2)``, become both seats' points where a round ended in this step.
        again: deal rounds that ended anew; ``rules[FIRST]`` says which seat starts them.
    """
    for i in range(rows.shape[0]):
        _step(rows[i], rules, actions[i], done, scores, i, again)


@inlined
def _step(
    row: NDArray[np.uint64],
    rules: PackedRules,
    action: int,
    done: Bytes,
    scores: NDArray[np.int32],
    i: int,
    again: bool,
) -> None:
    if over(row, rules):
        done[i] = STALLED if stalled(row, rules) else ENDED
        return
    apply(row, rules, action)
    done[i] = RUNNING
    if over(row, rules):
        done[i] = STALLED if stalled(row, rules) else ENDED
        scores[i, 0] = score(row, rules, 0)
        scores[i, 1] = score(row, rules, 1)
        if again:
            row[at.RNG] += GAMMA
            at_random = int(mix(row[at.RNG]) & ONE)
            deal_next(row, rules, int(rules[at.FIRST]) - 1 if rules[at.FIRST] else at_random)


@in_place
def show_rows(
    rows: Rows, rules: PackedRules, seats: Bytes, masks: Bytes, observations: Bytes
) -> None:
    """Write seat to act, mask and observation of every round.

    Args:
        rows: the rounds, ``(n, WORDS)``.
        rules: packed rules.
        seats: ``(n,)``, becomes the seat to act.
        masks: flat, ``n * mask_memory``; becomes the masks.
        observations: flat, ``n * observation_memory``; becomes the observations of the seats to act.
    """
    mask_size = masks.size // rows.shape[0]
    size = observations.size // rows.shape[0]
    for i in range(rows.shape[0]):
        row = rows[i]
        seats[i] = row[at.MOVER]
        write_mask(row, rules, masks, U(i * mask_size))
        write_observation(row, rules, int(row[at.MOVER]), observations, U(i * size))


@in_place
def step_and_show_rows(
    rows: Rows,
    rules: PackedRules,
    actions: NDArray[np.int64],
    done: Bytes,
    scores: NDArray[np.int32],
    again: bool,
    seats: Bytes,
    masks: Bytes,
    observations: Bytes,
) -> None:
    """:func:`step_rows` and :func:`show_rows` in one pass, while each row is at hand."""
    mask_size = masks.size // rows.shape[0]
    size = observations.size // rows.shape[0]
    for i in range(rows.shape[0]):
        row = rows[i]
        _step(row, rules, actions[i], done, scores, i, again)
        seats[i] = row[at.MOVER]
        write_mask(row, rules, masks, U(i * mask_size))
        write_observation(row, rules, int(row[at.MOVER]), observations, U(i * size))


@in_place
def first_illegal(rows: Rows, rules: PackedRules, actions: NDArray[np.int64]) -> int:
    """The first round that is not over and whose action is illegal; −1 if there is none."""
    for i in range(rows.shape[0]):
        if not is_legal(rows[i], rules, actions[i]) and not over(rows[i], rules):
            return i
    return -1


@in_place
def deal_rows(rows: Rows, rules: PackedRules, seed: Word) -> None:
    """Seed and deal every round anew, seats starting by turns unless ``rules[FIRST]`` names one."""
    for i in range(rows.shape[0]):
        first = int(rules[at.FIRST]) - 1 if rules[at.FIRST] else i & 1
        deal_seeded(rows[i], rules, mix(U(seed) + U(i) * GAMMA), first)


class Batch:
    """Rounds that are stepped together, with the arrays that show them.

    Attributes:
        rules: packed rules.
        rows: ``uint64 (n, WORDS)``, the rounds.
        seats: ``uint8 (n,)``, the seat to act.
        masks: ``uint8 (n, actions)``, 1 for each legal action.
        observations: ``uint8 (n, observation_length)`` of the seat to act.
        done: ``uint8 (n,)``, ``RUNNING``, ``ENDED`` or ``STALLED``, by the last step.
        scores: ``int32 (n, 2)``, both seats' points where ``done`` is not ``RUNNING``.

    The arrays are overwritten by every step; copy what is to be kept.
    """

    def __init__(
        self,
        count: int,
        rules: PackedRules,
        seed: int = 0,
        *,
        again: bool = True,
        first: int | None = None,
    ) -> None:
        """Deal the rounds.

        Args:
            count: how many.
            rules: packed rules.
            seed: of the deals and of :meth:`choose`.
            again: deal those that end anew within the same step.
            first: the seat that starts them all; None for seats by turns in the first rounds and one
                at random in later ones.

        Raises:
            ValueError: no round at all, a seat that there is not, or a seed beyond 64 bits.
            TypeError: a count or a seed that is no whole number.
        """
        count = whole_count(count)
        if first not in (None, 0, 1):
            raise ValueError(f"seat {first!r} cannot start, only 0 or 1")
        colours = int(rules[at.COLOURS])
        self.rules = np.array(rules, dtype=at.RULES)
        self.rules[at.FIRST] = 0 if first is None else 1 + first
        self.again = again
        self.rows = at.empty_rows(count)
        self.seats = np.zeros(count, dtype=np.uint8)
        self.done = np.zeros(count, dtype=np.uint8)
        self.scores = np.zeros((count, 2), dtype=np.int32)
        self._masks = np.zeros((count, mask_memory(colours)), dtype=np.uint8)
        self._observations = np.zeros((count, observation_memory(colours)), dtype=np.uint8)
        self.masks = self._masks[:, : encoding.actions(colours)]
        self.observations = self._observations[:, : observation_length(colours)]
        self._scale = observation_scale(self.rules)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Deal every round anew from a seed; seats start as the first time."""
        deal_rows(self.rows, self.rules, U(whole_seed(seed)))
        self._random = self.rows[:, at.RNG] ^ GAMMA
        self._begun()

    def reset_to(self, decks: NDArray[np.uint8], starts: NDArray[np.int64]) -> None:
        """Deal every round from a given deck.

        Args:
            decks: ``uint8 (n, deck size)``, faces, top first.
            starts: ``int64 (n,)``, the seats that start.

        Raises:
            ValueError: arrays of another shape, a deck of other cards, a seat that is neither 0 nor 1.
        """
        shape = (len(self.rows), int(self.rules[at.DECK_SIZE]))
        if decks.shape != shape or starts.shape != shape[:1]:
            got = f"{decks.shape} and {starts.shape}"
            raise ValueError(f"decks must be {shape} and starts {shape[:1]}, not {got}")
        for i in np.flatnonzero((np.sort(decks, axis=1) != all_cards(self.rules)).any(axis=1)):
            raise ValueError(f"round {i}: the deck does not hold the cards of these rules")
        for i in np.flatnonzero((starts != 0) & (starts != 1)):
            raise ValueError(f"round {i}: seat {starts[i]} cannot start, only 0 or 1")
        for row, deck, start in zip(self.rows, decks, starts, strict=True):
            deal(row, self.rules, np.ascontiguousarray(deck, dtype=np.uint8), int(start))
        self._begun()

    def _begun(self) -> None:
        self.done[:] = RUNNING
        self.scores[:] = 0
        self.show()

    def show(self) -> None:
        """Write seats, masks and observations of the rows as they are."""
        flat = self._masks.reshape(-1), self._observations.reshape(-1)
        show_rows(self.rows, self.rules, self.seats, *flat)

    def step(self, actions: NDArray[np.int64], *, trusted: bool = False) -> None:
        """Do one action in every round, and show what follows.

        Args:
            actions: ``int64 (n,)``; ignored where a round is over and is not dealt again.
            trusted: do not check them. An illegal action then makes nonsense of its round.

        Raises:
            ValueError: an illegal action, with its round, or actions of another shape; nothing has
                been done then.
            TypeError: actions that are no whole numbers.
        """
        actions = whole_actions(actions, self.done.shape)
        if not trusted:
            self._check(actions)
        flat = self._masks.reshape(-1), self._observations.reshape(-1)
        results = self.done, self.scores, self.again
        step_and_show_rows(self.rows, self.rules, actions, *results, self.seats, *flat)

    def _check(self, actions: NDArray[np.int64]) -> None:
        i = first_illegal(self.rows, self.rules, actions)
        if i >= 0:
            raise ValueError(f"round {i}: action {actions[i]} is illegal")

    def choose(self, logits: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Draw a legal action for every round from the softmax of its logits.

        Args:
            logits: ``float32 (n, actions)``; those of illegal actions do not matter.

        Returns:
            The actions, ``int64 (n,)`` (``NO_ACTION`` where a round is over), and the logarithms of
            their probabilities among the legal actions, ``float32 (n,)``. New arrays.

        Raises:
            ValueError: logits of another shape, or of which no distribution can be made; the latter
                with its round.
            TypeError: logits that are no numbers.
        """
        wanted = float_logits(logits, self.masks.shape)
        actions = np.empty(len(self.rows), dtype=np.int64)
        log_probs = np.empty(len(self.rows), dtype=np.float32)
        scratch = np.empty(MOST_LEGAL, dtype=np.int64), np.empty(MOST_LEGAL, dtype=np.float32)
        choose_rows(self.rows, self.rules, wanted, self._random, actions, log_probs, *scratch)
        for i in np.flatnonzero(np.isnan(log_probs)):
            raise ValueError(f"round {i}: the logits of its legal actions make no distribution")
        return actions, log_probs

    def float_observations(self) -> NDArray[np.float32]:
        """The observations as ``float32``, divided by :func:`observation_scale`; a new array."""
        return np.divide(self.observations, self._scale, dtype=np.float32)
