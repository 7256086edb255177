"""Whole rounds of compiled agents are, turn for turn, those that the agents themselves play."""

from itertools import combinations_with_replacement
from random import Random

import numpy as np
import pytest

from lostcities.agents.compiled import GREEDY, MIND, NETWORK, OUTSIDE, Form, compiled_form
from lostcities.agents.duel import (
    PlayedDeal,
    Player,
    actions_of,
    deal_deck,
    deal_rng,
    first_seat,
    play_deal,
)
from lostcities.agents.registry import UnknownAgentError, make_agent
from lostcities.agents.rounds import DECK_WORDS, Pairing, Table, as_played, shuffle
from lostcities.core.rules import Rules
from lostcities.kernel.bridge import faces_of
from lostcities.kernel.jit import COMPILED

AGENTS = ("random@1", "greedy@1", "steady@1", "policy@1", "policy@2")
RULES = (
    "stall=100",
    "colours=6 stall=100",
    "own_discard=yes hand=5 cost=15 stall=60 first=1",
    "stall=0",
    "colours=2 hand=3 top=5 wagers=2 bonus_at=4 stall=6",
)
DEALS = 2 if COMPILED else 1


def slowly(rules: Rules, seed: int, number: int, a: str, b: str) -> PlayedDeal:
    return play_deal(rules, seed, number, Player(make_agent(a)), Player(make_agent(b)))


@pytest.mark.parametrize("text", RULES)
def test_every_turn_and_every_score_is_that_of_the_agents(text: str) -> None:
    rules = Rules.parse(text)
    table = Table(rules, 7)
    for a, b in combinations_with_replacement(AGENTS, 2):
        pairings = [Pairing(n, compiled_form(a), compiled_form(b)) for n in range(DEALS)]
        for number, games in enumerate(table.play(pairings)):
            own = slowly(rules, 7, number, a, b)
            assert games is not None, (a, b, number)
            for fast, slow in zip(games, (own.first, own.second), strict=True):
                assert fast.actions == actions_of(slow.turns, rules.colours), (a, b, number)
                assert fast.score == tuple(slow.score)
                assert fast.stalled == (slow.termination == "stall")
                deck, start = deal_deck(rules, 7, number), first_seat(rules)
                assert as_played(rules, deck, start, fast) == slow


LEVEL_PAIRS = (
    ("level1@2", "level5@2"),
    ("level2@2", "random@1"),
    ("level3@2", "level3@2"),
    ("level4@2", "greedy@1"),
    ("level6@1", "level2@2"),
)


@pytest.mark.parametrize("text", RULES)
def test_levels_play_compiled_as_they_do_themselves(text: str) -> None:
    rules = Rules.parse(text)
    table = Table(rules, 11)
    for a, b in LEVEL_PAIRS:
        pairings = [Pairing(n, compiled_form(a), compiled_form(b)) for n in range(DEALS)]
        for number, games in enumerate(table.play(pairings)):
            own = slowly(rules, 11, number, a, b)
            assert games is not None, (a, b, number)
            for fast, slow in zip(games, (own.first, own.second), strict=True):
                assert fast.actions == actions_of(slow.turns, rules.colours), (a, b, number)
                assert fast.score == tuple(slow.score)


def test_without_random_words_a_level_s_round_is_left_to_others() -> None:
    pairings = [Pairing(0, compiled_form("level1@2"), compiled_form("level1@2"))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lostcities.agents.rounds.AGENT_WORDS", 7)
        assert Table(Rules(), 1).play(pairings) == [None]


def test_pairs_may_be_mixed_in_one_call() -> None:
    rules = Rules(stall=100)
    pairings = [
        Pairing(4, compiled_form("policy@2"), compiled_form("random")),
        Pairing(2, compiled_form("greedy"), compiled_form("policy@1")),
        Pairing(4, compiled_form("policy@2"), compiled_form("random")),
    ]
    together = Table(rules, 3).play(pairings)
    apart = [Table(rules, 3).play([each])[0] for each in pairings]
    assert together == apart
    assert together[0] == together[2] != together[1]


def test_decks_are_shuffled_as_the_core_does() -> None:
    used = np.zeros(2, np.int64)
    for text in ("colours=5", "colours=6", "colours=1 hand=2 top=4"):
        rules = Rules.parse(text)
        for number in range(50):
            deck = faces_of(rules.all_cards())
            source = deal_rng(5, number).randbytes(4 * DECK_WORDS)
            words = np.frombuffer(source, "<u4").astype(np.uint32)
            assert shuffle(deck, words, used)
            assert deck.tolist() == faces_of(deal_deck(rules, 5, number)).tolist()
    assert not shuffle(faces_of(Rules().all_cards()), np.zeros(1, np.uint32), used)


def test_a_round_without_end_is_left_to_others() -> None:
    # Without a stall rule both may discard and take from piles for long.
    rules = Rules.parse("colours=4 hand=1 top=2 wagers=0 own_discard=yes stall=0")
    pairings = [Pairing(n, compiled_form("random"), compiled_form("random")) for n in range(40)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lostcities.agents.rounds.MOST_TURNS", 2)
        played = Table(rules, 1).play(pairings)
    assert None in played
    assert any(played)
    for number, games in enumerate(played):
        own = slowly(rules, 1, number, "random", "random")
        fits = max(len(own.first.turns), len(own.second.turns)) <= 2
        assert (games is not None) == fits


def test_who_has_a_compiled_form() -> None:
    assert compiled_form("greedy") == Form(GREEDY)
    assert compiled_form("policy@1") == Form(NETWORK, "policy-1")
    assert compiled_form("level6") == Form(NETWORK, "policy-2")
    assert compiled_form("level1") == Form(MIND)
    assert compiled_form("level5@2").kind == NETWORK - 1
    assert compiled_form("level5@1").kind == OUTSIDE
    for other in ("flat", "tree", "flat:samples=8", "cmd:program", "steady:x=1"):
        assert compiled_form(other).kind == OUTSIDE
    with pytest.raises(UnknownAgentError):
        compiled_form("nobody")


def test_random_numbers_are_pythons_own() -> None:
    # What the words stand on: Random's own draws use its 32-bit words one by one, the high bits of each.
    rng, words = Random("x"), Random("x").randbytes(4 * 64)
    seen = iter(np.frombuffer(words, "<u4").tolist())
    for bound in (60, 59, 33, 32, 17, 2, 1000):
        expected = rng.randrange(bound)
        shift = 32 - bound.bit_length()
        assert next(value for word in seen if (value := word >> shift) < bound) == expected
