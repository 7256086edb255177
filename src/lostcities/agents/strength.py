"""What is known of the shipped agents: how they play, how strong they are, how long they think.

Strength is points a round over ``greedy@1``, measured with
``lostcities arena NAME greedy --deals 2000 --seed 1`` (1,000 deals for ``random``; for ``flat`` 80 and for
``tree`` 33, both with seed 5); time is a mean of that run on one core of the machine that measured it,
and good for comparing only.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Strength:
    """What is known of an agent.

    Attributes:
        description: one line for people.
        points: points a round over ``greedy@1``; None where it has not been measured.
        se: their standard error.
        ms: milliseconds a turn.
    """

    description: str
    points: float | None = None
    se: float | None = None
    ms: float | None = None


STRENGTHS: dict[str, Strength] = {
    "random@1": Strength("plays any legal turn", -101.4, 1.0, 0.003),
    "greedy@1": Strength("plays its lowest card, never takes from a pile", 0.0, 0.0, 0.02),
    "tree@1": Strength("searches a tree of turns on possible deals", 26.3, 5.1, 380),
    "policy@1": Strength("a network that learnt to play as steady@1 does", 38.1, 1.3, 0.39),
    "steady@1": Strength("weighs every card by hand-written rules", 38.7, 0.6, 0.46),
    "policy@2": Strength("a network that learnt from looking ahead", 43.3, 1.8, 0.25),
    "flat@1": Strength("tries every turn on hundreds of possible deals", 44.3, 3.2, 73),
}
"""By name with version, from weak to strong."""
