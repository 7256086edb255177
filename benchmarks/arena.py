"""What the arena costs: rounds a second, compiled and readable agents, outside programs.

    python benchmarks/arena.py [--deals 20]

Ratios, each beside something in the same run: rounds of the compiled ``steady@1`` beside those of the
readable one; rounds of the whole arena with compiled agents beside the same arena when every turn is asked
of the agents; rounds of the arena beside the same turns played through the core alone; a turn of an
outside program that answers at once beside an echo of the same bytes through a pipe. Rounds are counted by
processor time, turns of programs by the median of the clock, so that other work on the machine shows little.
"""

import argparse
import json
import shlex
import statistics
import subprocess
import sys
import time
from random import Random

from lostcities.agents.duel import PlayedDeal, Player, deal_deck, play_deal
from lostcities.agents.engine_protocol import write_answer, write_request
from lostcities.agents.flat import play_out
from lostcities.agents.program import ProgramAgent
from lostcities.agents.registry import make_agent
from lostcities.core.round import deal
from lostcities.core.rules import Rules
from lostcities.core.views import view_of_round
from lostcities.kernel.bridge import pack, to_row
from lostcities.kernel.jit import describe
from lostcities.training.arena import Arena, Settings
from lostcities.training.workers import Crew, Plan, Task, bundles

RULES = Rules(stall=100)
PAIRS = (
    ("greedy@1", "steady@1"),
    ("steady@1", "steady@1"),
    ("random@1", "random@1"),
    ("policy@2", "steady@1"),
)
AT_ONCE = (
    "import json, sys\n"
    "for line in sys.stdin:\n"
    "    print(json.dumps({'turn': json.loads(line)['view']['legal'][0]}), flush=True)\n"
)
ECHO = "import sys\nfor line in sys.stdin:\n    print(line[:14], flush=True)\n"


def readable(deals: int) -> tuple[float, list[PlayedDeal]]:
    """Rounds a second of two readable ``steady@1`` in the arena."""
    a, b = Player(make_agent("steady@1")), Player(make_agent("steady@1"))
    begin = time.process_time()
    played = [play_deal(RULES, 1, number, a, b) for number in range(deals)]
    return 2 * deals / (time.process_time() - begin), played


def core_alone(played: list[PlayedDeal]) -> float:
    """Rounds a second when the core plays the turns of these deals, asking nobody."""
    begin = time.process_time()
    for each in played:
        for round_ in (each.first, each.second):
            state = deal(RULES, round_.deck, round_.start)
            for turn in round_.turns:
                state = state.play(turn)
    return 2 * len(played) / (time.process_time() - begin)


def whole_arena(agents: tuple[str, str], deals: int, *, fast: bool) -> float:
    """Rounds a second of the arena, everything counted but its start; both ways give the same."""
    plan = Plan(agents, RULES, 1, 1000, 2048)
    crew = Crew(plan)
    tasks = [Task((0, 1), deal) for deal in range(1, deals + 1)]
    work = list(bundles(plan, tasks)) if fast else [[task] for task in tasks]
    crew.play(work[0]) if fast else crew.play_slowly(tasks[0])
    arena = Arena(Settings(plan, deals + 1))
    begin = time.process_time()
    for bundle in work:
        for done in crew.play(bundle) if fast else [crew.play_slowly(bundle[0])]:
            arena.add(done.result)
    return 2 * deals / (time.process_time() - begin)


def compiled(rounds: int) -> float:
    """Rounds a second of the compiled ``steady@1`` against itself."""
    rules = pack(RULES)
    rows = [to_row(deal(RULES, deal_deck(RULES, 1, number), 0)) for number in range(rounds + 1)]
    play_out(rows.pop(), rules)
    begin = time.process_time()
    for row in rows:
        play_out(row, rules)
    return rounds / (time.process_time() - begin)


def program_ms(turns: int) -> float:
    """Milliseconds a turn of an outside program that answers at once."""
    agent = ProgramAgent(shlex.join([sys.executable, "-c", AT_ONCE]))
    view = view_of_round(deal(RULES, deal_deck(RULES, 1, 0), 0), 0)
    agent.choose(view, None, Random(0))
    spent = []
    for _ in range(turns):
        begin = time.perf_counter()
        agent.choose(view, None, Random(0))
        spent.append(time.perf_counter() - begin)
    agent.close()
    return 1000 * statistics.median(spent)


def echo_ms(turns: int) -> float:
    """Milliseconds for the same bytes there and back through a pipe."""
    view = view_of_round(deal(RULES, deal_deck(RULES, 1, 0), 0), 0)
    request = (write_request(view, 1000) + "\n").encode()
    answer = len(write_answer(make_agent("greedy").choose(view, None, Random(0)))) + 1
    command = [sys.executable, "-c", ECHO]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as echo:
        assert echo.stdin is not None
        assert echo.stdout is not None
        spent = []
        for _ in range(turns):
            begin = time.perf_counter()
            echo.stdin.write(request)
            echo.stdin.flush()
            assert len(echo.stdout.readline()) <= answer + 16
            spent.append(time.perf_counter() - begin)
        echo.stdin.close()
    return 1000 * statistics.median(spent[1:])


def arena_ratio(pair: tuple[str, str], deals: int) -> dict[str, object]:
    """The arena with compiled agents beside the same with every turn asked of the agents."""
    slow, fast = whole_arena(pair, deals, fast=False), whole_arena(pair, 50 * deals, fast=True)
    return {
        "value": round(fast), "unit": "rounds/s",
        "against": f"every turn asked of the agents, {slow:.0f}", "ratio": round(fast / slow, 1),
    }  # fmt: skip


def main() -> None:
    """Measure and print one object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=20)
    args = parser.parse_args()
    slow, played = readable(args.deals)
    core, fast = core_alone(played), compiled(100 * args.deals)
    program, echo = program_ms(50 * args.deals), echo_ms(50 * args.deals)
    result = {
        "compiled steady@1": {
            "value": round(fast), "unit": "rounds/s",
            "against": f"readable steady@1, {slow:.0f}", "ratio": round(fast / slow, 1),
        },
        "arena of readable agents": {
            "value": round(slow), "unit": "rounds/s",
            "against": f"the core alone, {core:.0f}", "ratio": round(slow / core, 2),
        },
        **{f"arena of {' and '.join(pair)}": arena_ratio(pair, args.deals) for pair in PAIRS},
        "outside program": {
            "value": round(program, 3), "unit": "ms/turn",
            "against": f"echo through a pipe, {echo:.3f}", "ratio": round(echo / program, 2),
        },
        "kernel": {"value": describe()},
    }  # fmt: skip
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
