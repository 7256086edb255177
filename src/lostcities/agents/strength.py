"""What is known of the shipped agents: how they play, how strong they are, how long they think.

Points a round and the share of rounds won (draws as half) are over ``greedy@1``, in 2,000 duplicate deals
(1,000 for ``random``, ``flat`` and ``tree``, 4,000 for the second versions of the levels), ``lostcities arena NAME greedy --deals 2000``. Ratings are
on the scale of Elo with ``steady@1`` at 1000, from as many duplicate deals of each with its neighbour in
strength; the interval of 95 % is that of the chain of neighbours down from ``steady@1`` (of the levels' second versions
that is from one level to the next). Who is rated higher may lose against somebody further off all the same. Times are means on
one core of the machine that measured it, and good for comparing only.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Strength:
    """What is known of an agent; None where it has not been measured.

    Attributes:
        description: one line for people.
        points: points a round over ``greedy@1``.
        se: their standard error.
        ms: milliseconds a turn.
        win: share of rounds won against ``greedy@1``.
        rating: Elo points, ``steady@1`` has 1000.
        interval: half of its interval of 95 %.
    """

    description: str
    points: float | None = None
    se: float | None = None
    ms: float | None = None
    win: float | None = None
    rating: int | None = None
    interval: int | None = None


STRENGTHS: dict[str, Strength] = {
    "random@1": Strength("plays any legal turn", -101.4, 1.0, 0.003),
    "level1@2": Strength(
        "First game: plays what fits, thinks no further", -10.9, 0.5, 0.4, 0.407, 566, 18
    ),
    "level1@1": Strength("First game: weighs what it sees badly", -12.8, 0.7, 0.3, 0.364, 570, 26),
    "level2@1": Strength("Beginner: often errs", -2.8, 0.7, 0.3, 0.448, 655, 24),
    "level2@2": Strength(
        "Beginner: weighs its hand against the cost", 10.4, 0.4, 0.4, 0.617, 663, 16
    ),
    "greedy@1": Strength(
        "plays its lowest card, never takes from a pile", 0.0, 0.0, 0.02, 0.5, 700, 30
    ),
    "level3@1": Strength("Casual: tells good from bad", 7.1, 0.7, 0.3, 0.540, 749, 21),
    "level3@2": Strength("Casual: hopes for what may come", 20.0, 0.4, 0.4, 0.696, 762, 14),
    "level4@1": Strength("Regular: a few mistakes a round", 18.9, 0.7, 0.3, 0.648, 835, 18),
    "level4@2": Strength("Regular: counts turns, minds your rows", 27.8, 0.4, 0.4, 0.750, 861, 11),
    "tree@1": Strength("searches a tree of turns on possible deals", 29.3, 0.9, 70, 0.744, 889, 16),
    "level5@1": Strength("Strong: errs where it is close", 30.4, 0.7, 0.3, 0.747, 927, 11),
    "level5@2": Strength(
        "Strong: minds what you may want, wins time", 34.7, 0.4, 0.4, 0.815, 946, 8
    ),
    "policy@1": Strength("a network that learnt to play as steady@1 does", 38.1, 1.3, 0.39),
    "steady@1": Strength(
        "weighs every card by hand-written rules", 38.8, 0.6, 0.46, 0.848, 1000, 0
    ),
    "policy@2": Strength(
        "a network that learnt from looking ahead", 46.3, 0.7, 0.25, 0.860, 1057, 11
    ),
    "level6@1": Strength("Expert: judges at a glance", 46.3, 0.7, 0.3, 0.860, 1057, 11),
    "flat@1": Strength(
        "tries every turn on hundreds of possible deals", 46.5, 0.9, 70, 0.862, 1081, 16
    ),
    "policy@3": Strength(
        "a network that learnt from playing itself", 51.3, 0.6, 0.25, 0.884, 1117, 11
    ),
    "search@1": Strength("tries its turns on possible deals, as long as it may", ms=900),
    "level7@1": Strength("Master: search@1", ms=900),
    "search@2": Strength("tries every turn on possible deals, as long as it may", ms=900),
    "level7@2": Strength("Master: search@2", ms=900),
    "policy@4": Strength(
        "a network that learnt to beat policy@3, for longer", 52.1, 0.7, 0.25, 0.885, 1128, 14
    ),
    "search@3": Strength("tries turns late in a round, where it pays, as long as it may", ms=900),
    "level7@3": Strength("Master: search@3", ms=900),
    "search@4": Strength("as search@3, with the network of policy@4", ms=900),
    "level7@4": Strength("Master: tries its turns on deals that could be", ms=900),
}
"""By name with version, from weak to strong."""
