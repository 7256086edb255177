"""Duplicate deals of ``tree@1`` over ``steady@1`` with both forms of its search, by turns; as JSON.

python -m benchmarks.tree --deals 2

It stops where the two forms do not play the same rounds. Times are of the processor, not the clock's.
"""

from __future__ import annotations

import argparse
import json
import time

from lostcities.agents import tree
from lostcities.agents.duel import Player, play_deal
from lostcities.agents.registry import make_agent
from lostcities.agents.tree_compiled import CompiledSearch
from lostcities.agents.tree_search import Search
from lostcities.core.rules import Rules

FORMS = {"compiled": CompiledSearch, "read": Search}


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=2)
    parser.add_argument("--agent", default="tree@1")
    options = parser.parse_args()
    rules, times = Rules(stall=100), dict.fromkeys(FORMS, 0.0)
    players = [Player(make_agent(name)) for name in (options.agent, "steady@1")]
    for number in range(-1, options.deals):  # the first one compiles and does not count
        rounds = []
        for name, form in FORMS.items():
            tree.SEARCH = form
            begin = time.process_time()
            deal = play_deal(rules, 1, max(0, number), *players)
            times[name] += (time.process_time() - begin) * (number >= 0)
            rounds.append([deal.first, deal.second])
        if rounds[0] != rounds[1]:
            raise SystemExit(f"deal {number}: the two forms played differently")
    found = {f"{name}_seconds_a_deal": used / options.deals for name, used in times.items()}
    print(json.dumps({**found, "read_to_compiled": times["read"] / times["compiled"]}, indent=2))


if __name__ == "__main__":
    main()
