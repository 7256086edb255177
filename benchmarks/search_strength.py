"""What looking ahead gains a round over its network alone, measured with most of the luck taken out.

    python benchmarks/search_strength.py --time-ms 100 1000 --rounds 60 --log search.jsonl

The search sits at one seat, the network (or ``steady@1``) opposite. What it gains a round over its network
in the same seat is the sum, over its half-turns, of what its choice is worth more than the network's, if the
network played on from there (the performance difference lemma, S. Kakade and J. Langford, "Approximately
Optimal Approximate Reinforcement Learning", 2002). Where both choose the same that is nothing, and elsewhere
both are played out over fresh orders of the deck, with both hands as they really are: the luck of the cards
and of all other half-turns drops out, as in AIVAT (N. Burch and others, 2018), and nothing is assumed of how
hidden cards are spread. Beside it stands the plain mean of the final leads, which the same rounds give with
some five times the error.

Time is processor time, so that a busy machine measures the same. Rounds are kept in the log as they are
played; the same command goes on from them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.lookahead import MOST_SAMPLES, Lookahead
from lostcities.agents.network import forward
from lostcities.agents.network.weights import shipped
from lostcities.agents.search import (
    LAY_SHARE,
    USED,
    Search2Agent,
    Search3Agent,
    Search4Agent,
    SearchAgent,
)
from lostcities.agents.steady_compiled import whole
from lostcities.agents.trials import MOST_RUN, copy_row, steady_action, steady_choice
from lostcities.kernel import layout as at
from lostcities.kernel.bits import U
from lostcities.kernel.jit import in_place
from lostcities.kernel.round import (
    PackedRules,
    Row,
    apply,
    deal_seeded,
    deck_left,
    lead,
    over,
    shuffle_deck,
)
from lostcities.kernel.rules import pack_rules

FIRST_SEED = 3 << 44
"""Decks that nothing was trained or tuned on."""
SEARCHES: dict[str, type[SearchAgent]] = {
    kind.name: kind for kind in (Search2Agent, Search3Agent, Search4Agent)
}
OPPOSITE = {"policy@4": "policy-4", "policy@3": "policy-3", "steady@1": "", "level6@1": "policy-2"}
"""Who may sit opposite, and its network."""
FRESH = 600
"""Orders of the deck over which two half-turns are compared."""


@in_place
def mean_gain(
    row: Row,
    rules: PackedRules,
    chosen: int,
    usual: int,
    steady: bool,
    w: forward.Flat,
    other: forward.Flat,
    acc: forward.Flat,
    line: Row,
) -> float:
    """By how many points ``chosen`` is better than ``usual`` for the seat to act, over fresh decks.

    Args:
        row: the round; the order of its deck is used up.
        rules: packed rules.
        chosen: a legal half-turn.
        usual: another.
        steady: whether ``steady@1`` plays on opposite; else a network does.
        w: the network that plays on for the seat to act,
        other: and that opposite.
        acc: their working memory.
        line: a row to work in.
    """
    seat, left, total = whole(row[at.MOVER]), deck_left(row), 0.0
    for deal in range(2 * FRESH):
        if deal % 2 == 0:
            shuffle_deck(row, U(at.DECK_END - left), left)
        copy_row(line, row)
        apply(line, rules, chosen if deal % 2 == 0 else usual)
        while not over(line, rules) and line[at.RUN] < MOST_RUN:
            if whole(line[at.MOVER]) == seat:
                action = forward.best_action(w, line, rules, acc)
            elif steady:
                action = steady_action(line, rules)
            else:
                action = forward.best_action(other, line, rules, acc)
            apply(line, rules, action)
        total += lead(line, rules, seat) if deal % 2 == 0 else -lead(line, rules, seat)
    return total / FRESH


@dataclass(frozen=True, slots=True)
class Played:
    """A round of the search.

    Attributes:
        agent: which search.
        time_ms: milliseconds a turn.
        against: who sat opposite.
        seed: of the deck.
        gain: points over the network in its seat.
        lead: final points less those of the other.
        others: half-turns at which it chose otherwise than the network.
        turns: its turns in which trials may overrule the network.
        took_ms: processor time of all of them.
    """

    agent: str
    time_ms: int
    against: str
    seed: int
    gain: float
    lead: float
    others: int
    turns: int
    took_ms: float


class Bench:
    """Plays rounds of a search.

    Args:
        agent: which search.
        against: a name of :data:`OPPOSITE`.
    """

    def __init__(self, agent: str, against: str) -> None:
        kind = SEARCHES[agent]
        self.agent, self.against = agent, against
        self.rules, self.weights = pack_rules(stall=100), shipped(kind.network)
        self.other = shipped(OPPOSITE[against] or kind.network)
        belief = shipped(kind.belief) if kind.belief else None
        self.ahead = Lookahead(self.weights, kind.usual, belief, time.thread_time)
        self.acc, self.line = forward.scratch(), np.zeros(at.WORDS, np.uint64)
        self._compile()

    def _compile(self) -> None:
        """Before any time is taken."""
        row = np.zeros(at.WORDS, np.uint64)
        deal_seeded(row, self.rules, 0, 0)
        self.ahead.look(row, self.rules, time.thread_time(), 1)
        self.gain(row, self._opposite(row), self._opposite(row))

    def round(self, time_ms: int, seed: int) -> Played:
        """One round; the search sits in seat 0 with even seeds, and starts half of the rounds."""
        row = np.zeros(at.WORDS, np.uint64)
        seat, rng = seed % 2, Random(seed)
        deal_seeded(row, self.rules, FIRST_SEED + seed, seed // 2 % 2)
        gain, others, turns, took = 0.0, 0, 0, 0.0
        while not over(row, self.rules):
            if int(row[at.MOVER]) != seat:
                apply(row, self.rules, self._opposite(row))
                continue
            left, deciding = USED * time_ms / 1000, self.ahead.may_overrule(row)
            turns += deciding
            for share in (LAY_SHARE, 1.0):
                usual = chosen = self.ahead.first_choice(row, self.rules)
                if deciding:
                    row[at.RNG] = rng.getrandbits(63)
                    begin = time.thread_time()
                    until = begin + share * left
                    chosen = self.ahead.look(row, self.rules, until, MOST_SAMPLES).action
                    used = time.thread_time() - begin
                    left, took = left - used, took + 1000 * used
                if chosen != usual:
                    others += 1
                    gain += self.gain(row, chosen, usual)
                apply(row, self.rules, chosen)
        final = float(lead(row, self.rules, seat))
        return Played(
            self.agent, time_ms, self.against, seed, gain, final, others, turns, took
        )  # fmt: skip

    def _opposite(self, row: Row) -> int:
        if not OPPOSITE[self.against]:
            return int(steady_choice(row, self.rules))
        return int(forward.best_action(self.other, row, self.rules, self.acc))

    def gain(self, row: NDArray[np.uint64], chosen: int, usual: int) -> float:
        """By how many points ``chosen`` is better than ``usual``; the row stays as it is."""
        steady = not OPPOSITE[self.against]
        return float(
            mean_gain(
                row.copy(), self.rules, chosen, usual, steady, self.weights, self.other, self.acc,
                self.line,
            )
        )  # fmt: skip


def kind(played: Played) -> tuple[str, str, int]:
    """Which row of the table a round belongs to."""
    return played.agent, played.against, played.time_ms


def table(played: list[Played]) -> str:
    """A line for each time and opponent."""
    lines = [
        "| agent | ms a turn | against | rounds | **gain a round** | mean final lead | other half-turns a round | ms used |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for key in sorted({kind(each) for each in played}):
        some = [each for each in played if kind(each) == key]
        used = sum(each.took_ms for each in some) / sum(each.turns for each in some)
        lines.append(
            f"| {key[0]} | {key[2]} | {key[1]} | {len(some)} | {mean_and_error([each.gain for each in some])} "
            f"| {mean_and_error([each.lead for each in some])} "
            f"| {np.mean([each.others for each in some]):.1f} | {used:.0f} |"
        )
    return "\n".join(lines)


def mean_and_error(values: list[float]) -> str:
    """As ``+0.35 ± 0.14``."""
    return f"{np.mean(values):+.2f} ± {np.std(values) / len(values) ** 0.5:.2f}"


def read(path: Path | None) -> list[Played]:
    """The rounds of a log."""
    if path is None or not path.exists():
        return []
    return [Played(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Play, keep, tell."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--time-ms", type=int, nargs="+", default=[1000])
    parser.add_argument("--rounds", type=int, default=60, help="for each time")
    parser.add_argument("--seed", type=int, default=0, help="of the first round")
    parser.add_argument("--against", choices=list(OPPOSITE), default="policy@4")
    parser.add_argument("--agent", choices=list(SEARCHES), default="search@4")
    parser.add_argument("--log", type=Path)
    args = parser.parse_args()
    played, bench = read(args.log), Bench(args.agent, args.against)
    have = {(*kind(each), each.seed) for each in played}
    # In turns, so that an interrupt leaves about as many rounds of each time.
    for seed in range(args.seed, args.seed + args.rounds):
        for time_ms in args.time_ms:
            if (args.agent, args.against, time_ms, seed) in have:
                continue
            played.append(bench.round(time_ms, seed))
            if args.log:
                with args.log.open("a", encoding="utf-8") as log:
                    log.write(json.dumps(asdict(played[-1])) + "\n")
            print(f"\r{len(played)} rounds, seed {seed}", end="", file=sys.stderr, flush=True)
    print(f"\n{table(played)}")


if __name__ == "__main__":
    main()
