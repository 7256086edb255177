"""The kernel beside the core: the same random actions in both, everything compared at every action.

As a program it does this for as many actions as asked::

    python tests/kernel_differential.py --actions 1000000 --seed 1
"""

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kernel_observation import slow_mask, slow_observation
from lostcities import encoding
from lostcities.core.errors import RulesError
from lostcities.core.round import RoundState, deal, make_lay
from lostcities.core.rules import Rules
from lostcities.core.seats import SEATS
from lostcities.core.turn import Turn
from lostcities.kernel import bridge, jit
from lostcities.kernel import layout as at
from lostcities.kernel import round as kernel
from lostcities.kernel.observe import (
    mask_memory,
    observation_length,
    observation_memory,
    write_mask,
    write_observation,
)

PLAIN = (Rules(), Rules(colours=6))


def random_rules(rng: random.Random) -> Rules:
    """Half the time the game or the long game with a stall limit or none, else anything possible."""
    if rng.random() < 0.5:
        base = rng.choice(PLAIN)
        return Rules(colours=base.colours, stall=rng.choice((0, 0, 30)))
    while True:
        try:
            return Rules(
                colours=rng.randint(1, 6),
                hand=rng.randint(1, 12),
                cost=rng.randint(0, 99),
                bonus=rng.randint(0, 99),
                bonus_at=rng.randint(1, 13),
                own_discard=rng.random() < 0.5,
                stall=rng.choice((0, 0, 1, 2, 7, 25)),
                wagers=rng.randint(0, 3),
                top=rng.randint(2, 10),
            )
        except RulesError:
            continue


@dataclass
class Walk:
    """One round played in both at once."""

    rules: Rules
    state: RoundState
    packed: np.ndarray
    row: np.ndarray
    actions: int = 0

    @staticmethod
    def deal(rules: Rules, rng: random.Random) -> "Walk":
        cards = list(rules.all_cards())
        rng.shuffle(cards)
        start = rng.randrange(2)
        packed = bridge.pack(rules)
        row = at.empty_rows(1)[0]
        row[:] = rng.getrandbits(60)  # a row used before
        kernel.deal(row, packed, bridge.faces_of(cards), start)
        return Walk(rules, deal(rules, tuple(cards), start), packed, row)

    def legal(self) -> list[int]:
        """What the core allows, as actions."""
        state, colours = self.state, self.rules.colours
        if state.lay is None:
            return [bridge.lay_to_action(lay, colours) for lay in state.lays()]
        return [bridge.draw_to_action(draw, colours) for draw in state.draws(state.lay)]

    def do(self, action: int) -> None:
        """One half-turn in both."""
        kernel.apply(self.row, self.packed, action)
        self.state = core_step(self.state, action)
        self.actions += 1


def core_step(state: RoundState, action: int) -> RoundState:
    """One half-turn in the core."""
    colours = state.rules.colours
    if state.lay is None:
        return make_lay(state, bridge.action_to_lay(action, colours))
    return state.play(Turn(state.lay, bridge.action_to_draw(action, colours)))


def kernel_legal(row: np.ndarray, packed: np.ndarray) -> list[int]:
    """What the kernel allows, from its bit sets."""
    colours = int(packed[at.COLOURS])
    if kernel.over(row, packed):
        return []
    if not kernel.laying(row):
        draws = int(kernel.legal_draws(row, packed))
        return [encoding.deck_action(colours) + d for d in range(colours + 1) if draws >> d & 1]
    plays, discards = int(kernel.legal_plays(row)), int(kernel.legal_discards(row))
    faces = range(encoding.faces(colours))
    return [encoding.play_action(f) for f in faces if plays >> f & 1] + [
        encoding.discard_action(colours, f) for f in faces if discards >> f & 1
    ]


def check(walk: Walk) -> None:
    """Everything that the two must agree on."""
    row, packed, state = walk.row, walk.packed, walk.state
    legal = [] if state.over else sorted(walk.legal())
    assert bridge.from_row(row, walk.rules) == state
    assert kernel_legal(row, packed) == legal
    assert kernel.over(row, packed) == state.over
    assert kernel.stalled(row, packed) == state.stalled
    assert kernel.deck_left(row) == state.deck_size
    for seat in SEATS:
        assert kernel.score(row, packed, seat) == state.score[seat]


def check_tensors(walk: Walk) -> None:
    """The mask, and what both seats observe."""
    colours = walk.rules.colours
    mask = np.empty(mask_memory(colours), dtype=np.uint8)
    write_mask(walk.row, walk.packed, mask, np.uint64(0))
    assert mask[: encoding.actions(colours)].tobytes() == slow_mask(walk.state)
    for seat in SEATS:
        seen = np.empty(observation_memory(colours), dtype=np.uint8)
        write_observation(walk.row, walk.packed, seat, seen, np.uint64(0))
        expected = slow_observation(walk.state, seat)
        assert seen[: observation_length(colours)].tobytes() == expected


def check_row(walk: Walk) -> None:
    """The row is the very one that the core's state makes (past deck bytes and randomness apart)."""
    made = bridge.to_row(walk.state)
    ours = walk.row.copy()
    for row in (made, ours):
        row[at.RNG] = 0
        row[at.SPARE :] = 0
        row.view(np.uint8)[at.DECK_BYTES : at.DECK_BYTES + int(row[at.NEXT])] = 0
    assert np.array_equal(made, ours)


def walk_rounds(actions: int, seed: int) -> Iterator[Walk]:
    """Rounds under random rules until so many actions were done, yielded after every action."""
    rng = random.Random(seed)
    done = 0
    while done < actions:
        walk = Walk.deal(random_rules(rng), rng)
        deck_share = rng.choice((0.0, 0.3, 0.9))
        yield walk
        while not walk.state.over and done < actions:
            legal = walk.legal()
            deck = encoding.deck_action(walk.rules.colours)
            wanted = deck in legal and rng.random() < deck_share
            walk.do(deck if wanted else rng.choice(legal))
            done += 1
            yield walk


def run(actions: int, seed: int) -> int:
    """Compare over so many random actions; the number of rounds begun."""
    rounds = 0
    walk = None
    try:
        for walk in walk_rounds(actions, seed):
            rounds += walk.actions == 0
            check(walk)
            check_tensors(walk)
            if walk.actions % 7 == 0:
                check_row(walk)
    except AssertionError:
        if walk is not None:
            print(f"seed {seed}: {walk.rules} after {walk.actions} actions: {walk.state}")
        raise
    return rounds


def main() -> None:
    """Run as a program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    arguments = parser.parse_args()
    print(f"kernel {jit.describe()}; seed {arguments.seed}", flush=True)
    begun = time.monotonic()
    done = rounds = 0
    for part in range(0, arguments.actions, 50_000):
        count = min(50_000, arguments.actions - part)
        rounds += run(count, arguments.seed + part)
        done += count
        print(f"{done:,} actions, {rounds:,} rounds, {time.monotonic() - begun:.0f} s", flush=True)
    print("core and kernel agree on every one")


if __name__ == "__main__":
    main()
