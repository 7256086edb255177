"""``lostcities bench``: how fast this machine is, each figure beside another of the same run.

A ratio above 1 means that the first named is the faster. The comparisons with other people's code
and with C are in ``benchmarks/`` of the source.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lostcities.cli import options
from lostcities.cli.complaint import complain
from lostcities.core.record import Record, replay
from lostcities.core.record_text import read_record
from lostcities.core.round import RoundState, deal
from lostcities.core.rules import Rules
from lostcities.core.shuffle import shuffled
from lostcities.core.turn import Turn

NAME = "bench"
HELP = "The speed of this machine: compiled rounds beside plain ones, agents, records, as ratios."
_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement.

    Attributes:
        name: what was measured.
        value: how many a second.
        unit: of what.
        against: what was measured beside it.
        ratio: how many times faster than that.
    """

    name: str
    value: float
    unit: str
    against: str
    ratio: float


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    parser.add_argument(
        "--seconds", type=options.positive, default=2, help="for each comparison (default 2)"
    )
    options.add_rules(parser)
    options.add_json(parser, "name → value, unit, against, ratio")
    options.example(parser, "lostcities bench", "lostcities bench --rules long --json")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    rules = options.rules_of(args)
    if importlib.util.find_spec("numpy") is None:
        complain("bench: needs NumPy and Numba: pip install 'lostcities[fast]'")
        return 1
    if args.json:
        options.show({f.name: _as_json(f) for f in figures(rules, args.seconds)})
        return 0
    from lostcities.kernel.jit import describe

    print(f"The kernel is {describe()}.", flush=True)
    for figure in figures(rules, args.seconds):
        print(
            f"{figure.name:<24}{figure.value:>14,.0f} {figure.unit:<18}"
            f"{figure.ratio:>9,.2f} × {figure.against}",
            flush=True,
        )
    return 0


def _as_json(figure: Figure) -> dict[str, str | float]:
    return {
        "value": figure.value,
        "unit": figure.unit,
        "against": figure.against,
        "ratio": figure.ratio,
    }


def figures(rules: Rules, seconds: float = _SECONDS) -> Iterator[Figure]:
    """Every comparison, each taking about so many seconds, yielded as soon as it is known."""
    from lostcities.kernel import speed
    from lostcities.kernel.bridge import pack

    measured = speed.measure(pack(rules), seconds)
    core = plain_rounds(rules, seconds)
    yield Figure(
        "random rounds",
        measured.rounds,
        "rounds/s",
        "the core's plain Python",
        measured.rounds / core,
    )
    yield Figure(
        "batched steps",
        measured.shown_steps,
        "steps/s",
        "random play without observation",
        measured.shown_steps / measured.steps,
    )
    yield _steady(rules, seconds)
    yield _replay(rules, seconds)


def plain_rounds(rules: Rules, seconds: float) -> float:
    """Rounds of random play a second in the core."""
    source = random.Random(1)  # noqa: S311 - a benchmark's deals need no secrecy
    return _rate(lambda: _random_round(rules, source), seconds)


def _random_round(rules: Rules, source: random.Random) -> RoundState:
    state = deal(rules, shuffled(rules.all_cards(), source.randrange), 0)
    while not state.over:
        lays = list(state.lays())
        lay = lays[source.randrange(len(lays))]
        draws = list(state.draws(lay))
        state = state.play(Turn(lay, draws[source.randrange(len(draws))]))
    return state


def _rate(way: Callable[[], object], seconds: float) -> float:
    from lostcities.kernel.speed import quickest

    return 1 / quickest(seconds, way)[0]


def _steady(rules: Rules, seconds: float) -> Figure:
    from lostcities.agents.steady import SteadyAgent
    from lostcities.agents.steady_compiled import steady_draw, steady_lay
    from lostcities.core.views import view_of_round
    from lostcities.kernel import bridge
    from lostcities.kernel.round import apply_lay

    state = deal(rules, shuffled(rules.all_cards(), random.Random(1).randrange), 0)  # noqa: S311
    view, packed = view_of_round(state, 0), bridge.pack(rules)
    first, agent = bridge.to_row(state), SteadyAgent()
    row = first.copy()

    def compiled() -> None:
        for _ in range(100):
            row[:] = first
            apply_lay(row, packed, steady_lay(row, packed))
            steady_draw(row, packed)

    fast = 100 * _rate(compiled, seconds / 2)
    slow = _rate(lambda: agent.choose(view, None, random.Random(1)), seconds / 2)  # noqa: S311
    return Figure("turns of steady@1", fast, "turns/s", "its readable form", fast / slow)


def _replay(rules: Rules, seconds: float) -> Figure:
    from lostcities.core.record import RoundRecord
    from lostcities.core.record_text import format_record

    source = random.Random(2)  # noqa: S311
    deck = shuffled(rules.all_cards(), source.randrange)
    state, turns = deal(rules, deck, 0), []
    while not state.over:
        lays = list(state.lays())
        lay = lays[source.randrange(len(lays))]
        turns.append(Turn(lay, None))
        state = state.play(turns[-1])
    one = Rules.parse("rounds=1 first=0", rules)
    text = format_record(Record(one, (RoundRecord(1, 0, deck, turns=tuple(turns)),)))
    read = _rate(lambda: read_record(text), seconds / 2)
    whole = _rate(lambda: replay(read_record(text)), seconds / 2)
    return Figure("records replayed", whole, "rounds/s", "reading without replay", whole / read)
