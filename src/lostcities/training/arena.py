"""The arena: agents against each other over duplicate deals.

Every deal is one shuffled round played twice with the seats swapped. With the same seed the results are
the same, whatever the number of processes and however often the arena was interrupted, as long as no
agent answers differently to the same question or runs out of time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from lostcities.core.rules import Rules
from lostcities.training.log import Log
from lostcities.training.records import write_records
from lostcities.training.tally import (
    DealResult,
    PairTally,
    digest_of_all,
    mean_over_pairs,
    surely_ahead,
)
from lostcities.training.workers import Done, Plan, Task, play_apart, play_here

STALL = 100
"""The stall rule of the arena, unless the rules say otherwise."""


def arena_rules(text: str) -> Rules:
    """Rules as written, with the arena's stall rule where they name none.

    Raises:
        RulesError: they cannot be read or played.
    """
    named = any(word.startswith("stall=") for word in text.split())
    return Rules.parse(text if named else f"{text} stall={STALL}")


@dataclass(frozen=True, slots=True)
class Settings:
    """An arena to hold.

    Attributes:
        plan: agents, rules, seed and limits.
        deals: how many duplicate deals each pair plays.
        jobs: how many processes play; None for one, or for all processors of a cluster.
        log: where finished deals are kept; None for nowhere.
        records: the folder for records of the rounds; None for none.
        sure: the error at which the sequential test stops a pair; None for no test.
        cluster: the address of a Ray cluster that plays; None for this machine.
        panel: the name of the panel that the first agent plays, which is all the others; empty
            where everybody plays everybody.
        at_most: places of agents and how many deals their pairs play at most.
    """

    plan: Plan
    deals: int
    jobs: int | None = None
    log: Path | None = None
    records: Path | None = None
    sure: float | None = None
    cluster: str | None = None
    panel: str = ""
    at_most: tuple[tuple[int, int], ...] = ()

    def deals_of(self, pair: tuple[int, int]) -> int:
        """How many deals a pair plays."""
        fewer = [most for place, most in self.at_most if place in pair]
        return min([self.deals, *fewer])


@dataclass(slots=True)
class Arena:
    """The state of an arena: what is done, pair by pair in the order of the deals.

    Deals may get done in any order; a pair's tally takes them in order, so that the sequential test
    decides the same however many processes play.
    """

    settings: Settings
    tallies: dict[tuple[int, int], PairTally] = field(default_factory=dict)
    decided: dict[tuple[int, int], int] = field(default_factory=dict)
    _early: dict[tuple[int, int], dict[int, DealResult]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for pair in combinations(range(len(self.settings.plan.agents)), 2):
            if self.settings.panel and pair[0]:
                continue
            self.tallies[pair] = PairTally()
            self._early[pair] = {}

    @property
    def played(self) -> int:
        """How many deals count so far, all pairs together."""
        return sum(tally.deals for tally in self.tallies.values())

    @property
    def wanted(self) -> int:
        """How many deals there are to play at most."""
        return sum(self.settings.deals_of(pair) for pair in self.tallies)

    def finished(self, pair: tuple[int, int]) -> bool:
        """Whether a pair has played all its deals, or the test has decided."""
        return pair in self.decided or self.tallies[pair].deals >= self.settings.deals_of(pair)

    @property
    def over(self) -> bool:
        """Whether every pair is finished."""
        return all(self.finished(pair) for pair in self.tallies)

    def add(self, result: DealResult) -> None:
        """Take a deal: into the tally when all deals before it are there."""
        pair = result.pair
        if pair not in self.tallies or result.deal >= self.settings.deals_of(pair):
            return
        self._early[pair][result.deal] = result
        tally = self.tallies[pair]
        while not self.finished(pair) and tally.deals in self._early[pair]:
            tally.add(self._early[pair].pop(tally.deals))
            self._test(pair)

    def _test(self, pair: tuple[int, int]) -> None:
        if self.settings.sure is not None:
            points = [each.points for each in self.tallies[pair].results]
            side = surely_ahead(points, self.settings.sure)
            if side:
                self.decided[pair] = side

    def tasks(self) -> Iterator[Task]:
        """What is still to play, deal by deal through all pairs; looks anew at every step."""
        here = {(pair, deal) for pair, early in self._early.items() for deal in early}
        here |= {
            (pair, each.deal) for pair, tally in self.tallies.items() for each in tally.results
        }
        for deal in range(self.settings.deals):
            for pair in self.tallies:
                missing = deal < self.settings.deals_of(pair) and (pair, deal) not in here
                if missing and not self.finished(pair):
                    yield Task(pair, deal)

    # ---- results --------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """The results as ``arena --json`` prints them."""
        names = self.settings.plan.agents
        pairs = [self._pair_facts(pair) for pair in self.tallies]
        if self.settings.panel:
            return self._panel_facts(pairs)
        if len(names) == 2:
            return pairs[0]
        return {**self._about(), "agents": list(names), "pairs": pairs, "table": self.table()}

    def _panel_facts(self, pairs: list[dict[str, Any]]) -> dict[str, Any]:
        own = self._against_all(0)
        return {
            **self._about(),
            "panel": self.settings.panel,
            "agent": own["name"],
            "points": own["points"],
            "se": own["se"],
            "pairs": pairs,
            "choices": digest_of_all([pair["choices"] for pair in pairs]),
        }

    def _about(self) -> dict[str, Any]:
        plan = self.settings.plan
        return {"seed": plan.seed, "rules": str(plan.rules), "time_ms": plan.time_ms}

    def _pair_facts(self, pair: tuple[int, int]) -> dict[str, Any]:
        a, b = (self.settings.plan.agents[place] for place in pair)
        side = self.decided.get(pair, 0)
        decided = {1: "a", -1: "b"}.get(side)
        return {**self.tallies[pair].facts(a, b), **self._about(), "decided": decided}

    def table(self) -> list[dict[str, Any]]:
        """Each agent against all others, the strongest first, without ratings."""
        lines = [self._against_all(place) for place in range(len(self.settings.plan.agents))]
        return sorted(lines, key=lambda line: -line["points"])

    def _against_all(self, place: int) -> dict[str, Any]:
        sides = [
            (t, 0 if pair[0] == place else 1) for pair, t in self.tallies.items() if place in pair
        ]
        points, se = mean_over_pairs(
            [{e.deal: e.points * (1, -1)[side] for e in t.results} for t, side in sides]
        )
        signs = [
            (1 if side == 0 else -1) * ((game.difference > 0) - (game.difference < 0))
            for tally, side in sides
            for game in tally.games()
        ]
        return {
            "place": place,
            "name": self.settings.plan.agents[place],
            "points": points,
            "se": se,
            "rounds": len(signs),
            "win": signs.count(1) / len(signs) if signs else 0.0,
            "draw": signs.count(0) / len(signs) if signs else 0.0,
            "illegal": sum(tally.failures(side, "illegal") for tally, side in sides),
            "late": sum(tally.failures(side, "late") for tally, side in sides),
        }

    def rounds_in_order(self) -> Iterator[tuple[int, int, int]]:
        """Places of two agents and the sign of the first one's lead, deal by deal, for ratings."""
        most = max((tally.deals for tally in self.tallies.values()), default=0)
        for deal in range(most):
            for (a, b), tally in self.tallies.items():
                if deal < tally.deals:
                    for game in tally.results[deal].games:
                        yield a, b, (game.difference > 0) - (game.difference < 0)


def hold(settings: Settings, watch: Callable[[Arena], None] = lambda _: None) -> Arena:
    """Hold an arena to its end.

    Args:
        settings: what to hold.
        watch: is called at the start and after every deal. An exception that it raises, such as
            ``KeyboardInterrupt``, ends the arena; a log then has every deal that was finished.

    Raises:
        LogError: the log is in use, of another arena, or cannot be written to.
        WorkerError: a process is gone.
        ClusterError: the cluster cannot be used.
        OSError: a record cannot be written.
    """
    arena = Arena(settings)
    log = Log(settings.log, about(settings.plan)) if settings.log else None
    try:
        for result in log.results if log else ():
            arena.add(result)
        watch(arena)
        if not arena.over:
            _play(arena, log, watch)
    finally:
        if log:
            log.close()
    return arena


def about(plan: Plan) -> dict[str, Any]:
    """What makes two arenas the same one, for the head of a log."""
    return {
        "agents": list(plan.agents),
        "seed": plan.seed,
        "rules": str(plan.rules),
        "time_ms": plan.time_ms,
    }


def _play(arena: Arena, log: Log | None, watch: Callable[[Arena], None]) -> None:
    with closing(_done(arena)) as deals:
        for done in deals:
            if arena.settings.records:
                write_records(arena.settings.records, arena.settings.plan, done)
            if log:
                log.add(done.result)
            arena.add(done.result)
            watch(arena)
            if arena.over:
                break


def _done(arena: Arena) -> Any:
    settings = arena.settings
    plan = replace(settings.plan, turns=settings.records is not None)
    if settings.cluster is not None:
        from lostcities.training.cluster import play_on_cluster

        return play_on_cluster(plan, arena.tasks(), settings.cluster, settings.jobs)
    jobs = min(settings.jobs or 1, arena.wanted - arena.played)
    if jobs > 1:
        return play_apart(plan, arena.tasks(), jobs)
    return play_here(plan, arena.tasks())


__all__ = ["Arena", "Done", "Plan", "Settings", "arena_rules", "hold"]
