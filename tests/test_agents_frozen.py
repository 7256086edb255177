"""Versions that others measure against never play differently: their choices are pinned.

If one of these tests fails, the change that made it fail needs a new version of the agent.
"""

import hashlib
from random import Random

import pytest

from lostcities.agents.duel import deal_deck
from lostcities.agents.registry import make_agent
from lostcities.core.round import deal
from lostcities.core.rules import Rules
from lostcities.core.views import view_of_round

RULES = ("stall=100", "colours=6 stall=100", "own_discard=yes hand=5 cost=15 stall=60")
FROZEN = {
    "random@1": "ff04e14ae453d569",
    "greedy@1": "13589a2edcf7c515",
    "steady@1": "044066adf1a9ea1c",
    "level1@2": "74403d99e137049b",
    "level2@2": "e0e75ec0053ccb17",
    "level3@2": "008284e4a200ff32",
    "level4@2": "46b06080ab86590d",
    "level5@2": "91ac3ce6880b5864",
}


def digest(name: str) -> str:
    """Of every choice in rounds that the agent plays against somebody at random."""
    agent, text = make_agent(name), []
    for rules in map(Rules.parse, RULES):
        for number in range(6):
            state, rng = deal(rules, deal_deck(rules, 77, number), number % 2), Random(number)
            while not state.over:
                turn = agent.choose(view_of_round(state, state.to_move), None, rng).turn
                text.append(str(turn))
                legal = state.legal_turns()
                state = state.play(turn if rng.random() < 0.8 else legal[rng.randrange(len(legal))])
    return hashlib.sha256("\n".join(text).encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", FROZEN)
def test_a_frozen_agent_plays_as_ever(name: str) -> None:
    assert digest(name) == FROZEN[name]
