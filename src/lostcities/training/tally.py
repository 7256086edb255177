"""What happened in duplicate deals, added up: points with their standard error, failures, times."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lostcities.agents.duel import PlayedDeal, PlayedRound, actions_of
from lostcities.core.errors import NotationError
from lostcities.core.round import STALL

_STEP = 1.05


class TallyError(NotationError):
    """A line of a log that holds no deal; says what is wrong with it."""


@dataclass(slots=True)
class Times:
    """Answer times: how many, their sum, and how many in each class of five per cent."""

    count: int = 0
    total_ms: float = 0.0
    classes: Counter[int] = field(default_factory=Counter)

    @staticmethod
    def of(times: Iterable[float]) -> Times:
        """The times of some answers in milliseconds."""
        result = Times()
        for each in times:
            result.count += 1
            result.total_ms += each
            result.classes[math.floor(math.log(max(each, 1e-6), _STEP))] += 1
        return result

    def add(self, other: Times) -> None:
        """Add others."""
        self.count += other.count
        self.total_ms += other.total_ms
        self.classes.update(other.classes)

    @property
    def mean(self) -> float:
        """Mean in milliseconds; 0 without an answer."""
        return self.total_ms / self.count if self.count else 0.0

    def quantile(self, share: float) -> float:
        """The time in milliseconds below which that share of the answers was, within five per cent."""
        left = share * self.count
        for index in sorted(self.classes):
            left -= self.classes[index]
            if left <= 0:
                return float(_STEP ** (index + 0.5))
        return 0.0

    def to_list(self) -> list[Any]:
        """As JSON has it."""
        classes = [[index, count] for index, count in sorted(self.classes.items())]
        return [self.count, round(self.total_ms, 3), classes]

    @staticmethod
    def from_list(values: Any) -> Times:
        """Read :meth:`to_list`."""
        count, total, classes = values
        return Times(int(count), float(total), Counter({int(i): int(n) for i, n in classes}))


@dataclass(frozen=True, slots=True)
class Game:
    """One round of a deal, from the side of agents a and b rather than of seats.

    Attributes:
        score: points of a and of b.
        turns: how many were played.
        stalled: whether the stall rule ended it.
        failed: 0 if a failed, 1 if b did, None if neither.
        kind: how, ``"illegal"`` or ``"late"``; empty if neither.
        reason: one line; empty if neither.
        choices: a digest of every turn of both agents, see :func:`digest_of`; empty if not known.
    """

    score: tuple[int, int]
    turns: int
    stalled: bool
    failed: int | None = None
    kind: str = ""
    reason: str = ""
    choices: str = ""

    @staticmethod
    def of(played: PlayedRound, seat_of_a: int, colours: int) -> Game:
        """A round with agent a in a seat."""
        failure = played.failure
        score = (played.score[seat_of_a], played.score[1 - seat_of_a])
        stalled = played.termination == STALL
        choices = digest_of(actions_of(played.turns, colours))
        if failure is None:
            return Game(score, len(played.turns), stalled, choices=choices)
        who = 0 if failure.seat == seat_of_a else 1
        kind, reason = failure.kind, failure.reason
        return Game(score, len(played.turns), stalled, who, kind, reason, choices)

    @property
    def difference(self) -> int:
        """Points of a less those of b."""
        return self.score[0] - self.score[1]


@dataclass(frozen=True, slots=True)
class DealResult:
    """A finished duplicate deal of a pair.

    Attributes:
        pair: the places of a and b among the agents of the arena.
        deal: the number of the deal, from 0.
        games: with a in seat 0, then in seat 1.
        times: of a's answers and of b's.
    """

    pair: tuple[int, int]
    deal: int
    games: tuple[Game, Game]
    times: tuple[Times, Times]

    @staticmethod
    def of(
        pair: tuple[int, int], played: PlayedDeal, times: tuple[Times, Times], colours: int
    ) -> DealResult:
        """What a played deal comes to."""
        games = (Game.of(played.first, 0, colours), Game.of(played.second, 1, colours))
        return DealResult(pair, played.number, games, times)

    @property
    def points(self) -> float:
        """Mean difference of both games from a's side."""
        return (self.games[0].difference + self.games[1].difference) / 2

    def to_dict(self) -> dict[str, Any]:
        """As a line of a log has it."""
        return {
            "pair": list(self.pair),
            "deal": self.deal,
            "games": [_game_to_list(game) for game in self.games],
            "choices": [game.choices for game in self.games],
            "times": [each.to_list() for each in self.times],
        }

    @staticmethod
    def from_dict(values: Any) -> DealResult:
        """Read :meth:`to_dict`.

        Raises:
            TallyError: it is something else.
        """
        try:
            choices = values.get("choices", ("", ""))  # older logs have none
            games = zip(values["games"], choices, strict=True)
            first, second = (_game_from_list(game, str(digest)) for game, digest in games)
            a, b = values["pair"]
            of_a, of_b = (Times.from_list(each) for each in values["times"])
            return DealResult((int(a), int(b)), int(values["deal"]), (first, second), (of_a, of_b))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise TallyError("deal", f"not a deal of an arena ({error!r})") from None


def _game_to_list(game: Game) -> list[Any]:
    plain = [*game.score, game.turns, game.stalled]
    return plain if game.failed is None else [*plain, game.failed, game.kind, game.reason]


def _game_from_list(values: Any, choices: str) -> Game:
    a, b, turns, stalled, *failure = values
    who, kind, reason = failure or (None, "", "")
    return Game((int(a), int(b)), int(turns), bool(stalled), who, kind, reason, choices)


def digest_of_all(digests: list[str | None] | list[str]) -> str | None:
    """The SHA-256 of digests in order; None where one is missing."""
    known = [each for each in digests if each]
    whole = len(known) == len(digests)
    return hashlib.sha256("\n".join(known).encode()).hexdigest() if whole else None


def digest_of(actions: bytes) -> str:
    """A short SHA-256 of a round's turns, as :func:`lostcities.agents.duel.actions_of` writes them."""
    return hashlib.sha256(actions).hexdigest()[:16]


@dataclass(slots=True)
class PairTally:
    """The deals of a pair of agents added up."""

    results: list[DealResult] = field(default_factory=list)

    def add(self, result: DealResult) -> None:
        """Add a deal."""
        self.results.append(result)

    @property
    def deals(self) -> int:
        """How many deals."""
        return len(self.results)

    def games(self) -> Iterator[Game]:
        """Every round."""
        return (game for result in self.results for game in result.games)

    @property
    def points(self) -> float:
        """Mean score difference a round from a's side."""
        return mean([result.points for result in self.results])

    @property
    def se(self) -> float:
        """Its standard error, over deals."""
        return standard_error([result.points for result in self.results])

    def share(self, sign: int) -> float:
        """The share of rounds that a won (1), drew (0) or lost (−1)."""
        signs = [(game.difference > 0) - (game.difference < 0) for game in self.games()]
        return signs.count(sign) / len(signs) if signs else 0.0

    def failures(self, who: int, kind: str) -> int:
        """How many rounds a (0) or b (1) lost by a kind of failure."""
        return sum(1 for game in self.games() if (game.failed, game.kind) == (who, kind))

    def reasons(self, who: int) -> dict[str, int]:
        """Why a (0) or b (1) failed, and how often, the most frequent first."""
        counts = Counter(game.reason for game in self.games() if game.failed == who)
        return dict(counts.most_common())

    def times(self, who: int) -> Times:
        """The answer times of a (0) or b (1)."""
        total = Times()
        for result in self.results:
            total.add(result.times[who])
        return total

    @property
    def choices(self) -> str | None:
        """The SHA-256 of all digests of rounds in order; None where one is missing (an older log)."""
        return digest_of_all([game.choices for game in self.games()])

    def facts(self, a: str, b: str) -> dict[str, Any]:
        """Everything, under the names of ``arena --json``."""
        games = list(self.games())
        of_a, of_b = self.times(0), self.times(1)
        return {
            "a": a,
            "b": b,
            "deals": self.deals,
            "rounds": len(games),
            "points": self.points,
            "se": self.se,
            "win": self.share(1),
            "draw": self.share(0),
            "mean_a": mean([game.score[0] for game in games]),
            "mean_b": mean([game.score[1] for game in games]),
            "illegal_a": self.failures(0, "illegal"),
            "illegal_b": self.failures(1, "illegal"),
            "late_a": self.failures(0, "late"),
            "late_b": self.failures(1, "late"),
            "turns": mean([game.turns for game in games]),
            "stalled": sum(game.stalled for game in games),
            "ms_a": of_a.mean,
            "ms_b": of_b.mean,
            "p99_ms_a": of_a.quantile(0.99),
            "p99_ms_b": of_b.quantile(0.99),
            "reasons_a": self.reasons(0),
            "reasons_b": self.reasons(1),
            "choices": self.choices,
        }


def mean(values: list[float] | list[int]) -> float:
    """The mean; 0 of nothing."""
    return math.fsum(values) / len(values) if values else 0.0


def standard_error(values: list[float]) -> float:
    """The standard error of the mean of independent values; 0 for fewer than two."""
    if len(values) < 2:
        return 0.0
    middle = mean(values)
    squares = math.fsum((each - middle) ** 2 for each in values)
    return math.sqrt(squares / (len(values) - 1) / len(values))


def mean_over_pairs(pairs: list[dict[int, float]]) -> tuple[float, float]:
    """The mean of several pairs' means, and its standard error.

    Pairs play the same decks, so that their points on a deal are not independent, deals are: the
    error adds up what each deal contributes to the mean. With as many deals in all pairs it is the standard
    error of the deals' means.

    Args:
        pairs: for each pair, points by the number of the deal.
    """
    played = [each for each in pairs if each]
    off: dict[int, float] = {}
    total = 0.0
    for points in played:
        middle = mean(list(points.values()))
        total += middle / len(played)
        for deal, value in points.items():
            share = (value - middle) / (len(points) * len(played))
            off[deal] = off.get(deal, 0.0) + share
    if len(off) < 2:
        return total, 0.0
    squares = math.fsum(each * each for each in off.values())
    return total, math.sqrt(squares * len(off) / (len(off) - 1))


# ---- a test that may be looked at after every deal ----------------------------------------------

SPREAD = 100 * 20.0**2
"""Where the sequential test is sharpest: about 100 deals with a standard deviation of 20 points."""
LEAST_DEALS = 30
"""Fewer deals decide nothing: the test leans on their variance."""


def surely_ahead(values: list[float], error: float) -> int:
    """Which side is ahead, by a test that may be asked after every deal.

    Robbins' normal mixture: with the sum S of n differences and V = n times their variance, the chance
    that ``S² ≥ (V + r) ln((V + r) / (r error²))`` ever happens though the mean is 0 is about ``error``
    (H. Robbins, "Statistical methods related to the law of the iterated logarithm", 1970); r is
    :data:`SPREAD`.

    Args:
        values: differences by deal, in the order of the deals.
        error: the chance of a wrong decision, e.g. 0.05.

    Returns:
        1 or −1 for the side that is ahead; 0 if that is not sure (yet).
    """
    count = len(values)
    if count < LEAST_DEALS:
        return 0
    total = math.fsum(values)
    spread = count * (standard_error(values) ** 2 * count)
    bound = (spread + SPREAD) * math.log((spread + SPREAD) / (SPREAD * error**2))
    if total**2 < bound or spread == 0:
        return 0
    return 1 if total > 0 else -1
