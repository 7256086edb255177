"""Whole rounds between compiled agents, many at a time and without the interpreter's lock.

The deals, the turns and the scores are those of :mod:`lostcities.agents.duel`, a thousand times sooner:
decks and random turns come from the same generators (Python's Mersenne Twister, from which the words are
fetched beforehand). What does not fit into the memory set aside here, a round of endless draws from
piles, is left to that module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.compiled import (
    GREEDY,
    MIND,
    NETWORK,
    RANDOM,
    STEADY,
    Form,
    count_turns,
    greedy_lay,
    nth_turn,
)
from lostcities.agents.duel import PlayedRound, agent_rng, deal_rng, first_seat
from lostcities.agents.minds_compiled import MINDS, mind_draw, mind_lay, mind_of
from lostcities.agents.network import forward
from lostcities.agents.network.weights import shipped
from lostcities.agents.steady_compiled import steady_draw, steady_lay, whole
from lostcities.core.cards import Card
from lostcities.core.round import deal as deal_round
from lostcities.core.rules import Rules
from lostcities.core.seats import Seat
from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U
from lostcities.kernel.bridge import actions_to_turn, faces_of, pack
from lostcities.kernel.jit import in_place, inlined
from lostcities.kernel.round import (
    PackedRules,
    Row,
    apply_draw,
    apply_lay,
    deal,
    over,
    score,
    stalled,
)

Words = NDArray[np.uint32]
Actions = NDArray[np.uint8]
Counts = NDArray[np.int64]

MOST_TURNS = 500
"""Turns of a round that are kept; a longer round is not played here."""
DECK_WORDS = 384
"""Random words for a deck: Fisher and Yates take 1.4 a card in the mean."""
AGENT_WORDS = 512
"""Random words for the turns in a round of an agent that takes any."""


@inlined
def _drawn(words: Words, used: Counts, which: int, bound: int) -> int:
    """``random.Random.randrange(bound)`` from the words of its generator; −1 when they are used up."""
    shift = U(32)
    rest = bound
    while rest > 0:
        shift -= U(1)
        rest >>= 1
    while used[which] < words.size:
        value = whole(U(words[used[which]]) >> shift)
        used[which] += 1
        if value < bound:
            return value
    return -1


@in_place
def shuffle(deck: Actions, words: Words, used: Counts) -> bool:
    """Shuffle as :func:`lostcities.core.shuffle.shuffled` does; false when the words are used up."""
    used[0] = 0
    for last in range(deck.size - 1, 0, -1):
        chosen = _drawn(words, used, 0, last + 1)
        if chosen < 0:
            return False
        face = deck[last]
        deck[last] = deck[chosen]
        deck[chosen] = face
    return True


@inlined
def _seed(words: Words, used: Counts, which: int) -> int:
    """``random.Random.getrandbits(63)`` from the words of its generator; −1 when they are used up."""
    at_word = used[which]
    if at_word + 2 > words.size:
        return -1
    used[which] = at_word + 2
    return whole(U(words[at_word]) | ((U(words[at_word + 1]) >> ONE) << U(32)))


@in_place
def _best(
    networks: forward.Flat, which: int, row: Row, rules: PackedRules, acc: forward.Flat
) -> int:
    first = which * forward.SIZE
    return int(forward.best_action(networks[first : first + forward.SIZE], row, rules, acc))


@in_place
def play_round(
    row: Row,
    rules: PackedRules,
    kinds: Counts,
    networks: forward.Flat,
    acc: forward.Flat,
    words: NDArray[np.uint32],
    used: Counts,
    actions: Actions,
) -> int:
    """Play a round that has been dealt to its end.

    Args:
        row: the round, used up.
        rules: packed rules.
        kinds: which agent sits in each seat, see :data:`lostcities.agents.compiled.NETWORK`.
        networks: flat networks, one after the other.
        acc: working memory of a network.
        words: ``uint32 (2, n)``: random words for each seat.
        used: ``int64 (2,)``, overwritten: how many of them were used.
        actions: ``uint8 (most turns, 2)``: the turns are written here, lay and draw.

    Returns:
        How many turns it had; −1 if there was no room for them or no random words were left.
    """
    used[0] = used[1] = 0
    turns = 0
    while not over(row, rules):
        if turns == actions.shape[0]:
            return -1
        if rules[at.STALL] == 0:
            row[at.RUN] = ZERO  # without a stall rule a view does not tell it either
        seat = whole(row[at.MOVER])
        kind = kinds[seat]
        if kind == RANDOM:
            chosen = _drawn(words[seat], used, seat, count_turns(row, rules))
            if chosen < 0:
                return -1
            draw = nth_turn(row, rules, chosen)
            actions[turns, 0] = whole(row[at.LAY]) - 1
        elif MIND <= kind < NETWORK:
            seed = _seed(words[seat], used, seat)
            if seed < 0:
                return -1
            mind = mind_of(MINDS, kind - MIND, seed)
            lay = mind_lay(row, rules, MINDS, mind, seed)
            actions[turns, 0] = lay
            apply_lay(row, rules, lay)
            draw = mind_draw(row, rules, MINDS, mind, seed)
        else:
            if kind == STEADY:
                lay = steady_lay(row, rules)
            elif kind == GREEDY:
                lay = greedy_lay(row, rules)
            else:
                lay = _best(networks, kind - NETWORK, row, rules, acc)
            actions[turns, 0] = lay
            apply_lay(row, rules, lay)
            if kind == STEADY:
                draw = steady_draw(row, rules)
            elif kind == GREEDY:
                draw = 20 * int(rules[at.COLOURS])
            else:
                draw = _best(networks, kind - NETWORK, row, rules, acc)
        actions[turns, 1] = draw
        apply_draw(row, rules, draw)
        turns += 1
    return turns


@in_place
def play_rounds(
    rows: NDArray[np.uint64],
    rules: PackedRules,
    kinds: Counts,
    networks: forward.Flat,
    acc: forward.Flat,
    words: Words,
    used: Counts,
    actions: Actions,
    ends: Counts,
) -> None:
    """Play many rounds, see :func:`play_round`.

    Args:
        rows: ``(n, WORDS)``, used up.
        rules: packed rules.
        kinds: ``(n, 2)``, by seat.
        networks: see there.
        acc: see there.
        words: ``(n, 2, words)``; those of agents that take none are not read.
        used: see there.
        actions: ``(n, most turns, 2)``.
        ends: ``(n, 4)``, written: turns (−1: not played here), the points of both seats, and 1
            where the stall rule ended the round.
    """
    for i in range(rows.shape[0]):
        row = rows[i]
        ends[i, 0] = play_round(
            row, rules, kinds[i], networks, acc, words[i], used, actions[i]
        )  # fmt: skip
        ends[i, 1], ends[i, 2] = score(row, rules, 0), score(row, rules, 1)
        ends[i, 3] = stalled(row, rules)


@dataclass(frozen=True, slots=True)
class FastRound:
    """A round that compiled agents played.

    Attributes:
        score: points of seat 0 and of seat 1.
        stalled: whether the stall rule ended it.
        actions: the turns as bytes, the action of the lay and that of the draw for each.
    """

    score: tuple[int, int]
    stalled: bool
    actions: bytes

    @property
    def turns(self) -> int:
        """How many turns it had."""
        return len(self.actions) // 2


@dataclass(frozen=True, slots=True)
class Pairing:
    """A numbered duplicate deal to play, and who plays it."""

    number: int
    a: Form
    b: Form


class Table:
    """Plays numbered deals of a seed between compiled agents; keeps its memory between calls.

    Args:
        rules: the rules in force.
        seed: of decks and agents, as :func:`lostcities.agents.duel.play_deal` takes it.
    """

    def __init__(self, rules: Rules, seed: int | str) -> None:
        self._seed, self._start = seed, first_seat(rules)
        self._rules = pack(rules)
        self._faces = faces_of(rules.all_cards())
        self._places: dict[str, int] = {}
        self._networks = np.zeros(0, dtype=np.float32)
        self._acc = forward.scratch()
        self._used = np.zeros(2, dtype=np.int64)

    def play(self, pairings: Sequence[Pairing]) -> list[tuple[FastRound, FastRound] | None]:
        """Play duplicate deals: first with ``a`` in seat 0, then in seat 1; None where one did not fit."""
        count = 2 * len(pairings)
        rows = at.empty_rows(count)
        kinds = np.zeros((count, 2), dtype=np.int64)
        words = np.zeros((count, 2, AGENT_WORDS), dtype=np.uint32)
        dealt = [self._deal(each, i, rows, kinds, words) for i, each in enumerate(pairings)]
        actions = np.zeros((count, MOST_TURNS, 2), dtype=np.uint8)
        ends = np.zeros((count, 4), dtype=np.int64)
        play_rounds(
            rows, self._rules, kinds, self._networks, self._acc, words, self._used, actions, ends
        )
        played = [_round(actions[i], ends[i]) for i in range(count)]
        results: list[tuple[FastRound, FastRound] | None] = []
        for i, fits in enumerate(dealt):
            first, second = played[2 * i], played[2 * i + 1]
            fitting = fits and first is not None and second is not None
            results.append((first, second) if fitting and first and second else None)
        return results

    def _deal(
        self,
        pairing: Pairing,
        place: int,
        rows: NDArray[np.uint64],
        kinds: Counts,
        words: Words,
    ) -> bool:
        deck = self._faces.copy()
        source = _words(deal_rng(self._seed, pairing.number).randbytes(4 * DECK_WORDS))
        fits = bool(shuffle(deck, source, self._used))
        for game in (0, 1):
            i = 2 * place + game
            deal(rows[i], self._rules, deck, self._start)
            for which, form in enumerate((pairing.a, pairing.b)):
                seat = which if game == 0 else 1 - which
                kinds[i, seat] = self._kind(form)
                if form.kind == RANDOM or MIND <= form.kind < NETWORK:
                    rng = agent_rng(self._seed, pairing.number, game, which)
                    words[i, seat] = _words(rng.randbytes(4 * AGENT_WORDS))
        return fits

    def _kind(self, form: Form) -> int:
        if form.kind < NETWORK:
            return form.kind
        if form.network not in self._places:
            self._places[form.network] = len(self._places)
            self._networks = np.concatenate((self._networks, shipped(form.network)))
        return NETWORK + self._places[form.network]


def as_played(rules: Rules, deck: tuple[Card, ...], start: Seat, played: FastRound) -> PlayedRound:
    """A round as :mod:`lostcities.agents.duel` gives it, its turns played once more by the core.

    Args:
        rules: the rules in force.
        deck: the deck of its deal.
        start: who started.
        played: the round.
    """
    state, turns = deal_round(rules, deck, start), []
    halves = iter(played.actions)
    for lay, draw in zip(halves, halves, strict=True):
        state = state.play(actions_to_turn(lay, draw, rules.colours))
        assert state.last_turn is not None
        turns.append(state.last_turn)
    return PlayedRound(start, deck, tuple(turns), state.score, state.termination, None)


def _words(content: bytes) -> Words:
    # `randbytes` gives the generator's words in order, each in little-endian bytes.
    return np.frombuffer(content, dtype="<u4").astype(np.uint32)


def _round(actions: Actions, ends: Counts) -> FastRound | None:
    turns, first, second, stalled_out = ends.tolist()
    if turns < 0:
        return None
    return FastRound((first, second), bool(stalled_out), actions[:turns].tobytes())
