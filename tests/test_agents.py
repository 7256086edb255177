"""Agents: what they choose, that they are found by name, and that they see a view and no more."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from lostcities.agents import registry
from lostcities.agents.agent import Agent, Choice, ViewError
from lostcities.agents.duel import Player, deal_deck, play_deal
from lostcities.agents.registry import UnknownAgentError, agent_names, full_name, make_agent
from lostcities.core.cards import parse_cards
from lostcities.core.position import parse_position
from lostcities.core.round import RoundState, deal
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.core.views import View, view_of_round

# Slow ones with a small budget: what they choose, not how well.
QUICK = {
    "flat@1": "flat@1:samples=2",
    "tree@1": "tree@1:iterations=20",
    "search@1": "search@1:samples=2",
    "level7@1": "level7@1:samples=2",
    "search@2": "search@2:samples=2",
    "level7@2": "level7@2:samples=2",
    "search@3": "search@3:samples=2",
    "level7@3": "level7@3:samples=2",
    "search@4": "search@4:samples=2",
    "level7@4": "level7@4:samples=2",
}
BUILT_IN = [QUICK.get(name, name) for name in agent_names()]
MANY_RULES = [
    "stall=100",
    "colours=6 stall=100",
    "colours=1 hand=2",
    "colours=3 hand=5 wagers=1 top=7 cost=9 stall=40",
    "colours=2 hand=1 wagers=0 top=4 stall=20",
    "hand=12 cost=0 bonus=99 bonus_at=1 stall=60",
    "own_discard=yes bonus_at=13 stall=30",
]


def view_at(position: str, rules: str = "") -> View:
    state = parse_position(position, Rules.parse(rules))
    return view_of_round(state, state.to_move)


def choose(name: str, position: str, rules: str = "") -> str:
    return str(make_agent(name).choose(view_at(position, rules), None, Random(0)).turn)


def states_on_the_way(rules: Rules, seed: int) -> list[RoundState]:
    """States of a round that two random agents play."""
    state, rng, states = deal(rules, deal_deck(rules, seed, 0), seed % 2), Random(seed), []
    while not state.over:
        states.append(state)
        state = state.play(rng.choice(state.legal_turns()))
    return states


# ---- names --------------------------------------------------------------------------------------


def test_a_bare_name_is_the_newest_version(monkeypatch: pytest.MonkeyPatch) -> None:
    more = {"steady@2": "lostcities.agents.simple:GreedyAgent", "steady@10": "x:y"}
    monkeypatch.setattr(registry, "_BUILT_IN", registry._BUILT_IN | more)
    registry._targets.cache_clear()
    try:
        assert full_name("steady") == "steady@10"
        assert full_name("steady@1") == "steady@1"
        assert make_agent("steady@1").name == "steady@1"
    finally:
        registry._targets.cache_clear()


def test_every_agent_knows_its_name() -> None:
    for name in agent_names():
        agent = make_agent(name)
        assert isinstance(agent, Agent)
        assert agent.name == name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("stedy", "did you mean steady@1"),
        ("steady@99", "no such agent"),
        ("", "no such agent"),
        ("greedy:depth=3", "options refused"),
        ("greedy:depth", "'depth' is not key=value"),
    ],
)
def test_an_unknown_name_is_refused_with_the_reason(name: str, words: str) -> None:
    with pytest.raises(UnknownAgentError, match=words):
        make_agent(name)


def test_an_installed_package_adds_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = """
from lostcities.agents.agent import Choice
class Bold:
    name = "bold@3"
    def __init__(self, nerve=1):
        self.nerve = nerve
    def choose(self, view, time_ms, rng):
        return Choice(view.legal[-1])
"""
    (tmp_path / "bold_agent.py").write_text(source)
    info = tmp_path / "bold_agent-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bold-agent\nVersion: 1.0\n")
    entry = "[lostcities.agents]\nbold@3 = bold_agent:Bold\nlost@1 = nowhere:Lost\n"
    (info / "entry_points.txt").write_text(entry)
    monkeypatch.syspath_prepend(tmp_path)
    registry._targets.cache_clear()
    try:
        bold = make_agent("bold:nerve=7")
        assert (bold.name, bold.nerve) == ("bold@3", 7)  # type: ignore[attr-defined]
        assert "bold@3" in agent_names()
        with pytest.raises(UnknownAgentError, match="cannot be loaded"):
            make_agent("lost")
    finally:
        registry._targets.cache_clear()


# ---- a view and nothing else --------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_choice_depends_on_the_view_alone(name: str) -> None:
    rng, agent, differs = Random(5), make_agent(name), False
    for state in states_on_the_way(Rules(stall=100), 3)[::7]:
        view = view_of_round(state, state.to_move)
        other_state = with_hidden_permuted(state, rng)
        differs |= other_state != state
        seen = view_of_round(other_state, other_state.to_move)
        assert seen == view
        assert agent.choose(seen, None, Random(1)) == agent.choose(view, None, Random(1))
    assert differs


def with_hidden_permuted(state: RoundState, rng: Random) -> RoundState:
    """Another state that the seat to move cannot tell from this one."""
    from dataclasses import replace

    hidden_seat = 1 - state.to_move
    known = Counter(state.taken[hidden_seat])
    unknown = list((Counter(state.hands[hidden_seat]) - known).elements())
    pool = [*unknown, *state.deck]
    rng.shuffle(pool)
    hand = sorted([*known.elements(), *pool[: len(unknown)]], key=lambda card: card.face)
    hands = state.hands.replace(hidden_seat, tuple(hand))
    return replace(state, hands=hands, deck=tuple(pool[len(unknown) :]))


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_view_without_a_turn_is_refused(name: str) -> None:
    state = parse_position("0 | G2 R5 | B3 Y4 | - | - | R3 | W4 W5")
    for seat, words in ((1, "to_move: 0"), (None, "seat: null")):
        with pytest.raises(ViewError, match=words):
            make_agent(name).choose(view_of_round(state, seat), None, Random(0))


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("text", MANY_RULES)
def test_every_choice_is_legal_under_any_rules(name: str, text: str) -> None:
    rules = Rules.parse(text)
    player, opponent = Player(make_agent(name)), Player(make_agent("random"))
    played = play_deal(rules, 11, 0, player, opponent)
    assert played.first.failure is None
    assert played.second.failure is None


@pytest.mark.parametrize("text", ["", "colours=6", "colours=1 hand=2"])
def test_rounds_of_steady_end_without_a_stall_rule(text: str) -> None:
    rules = Rules.parse(text)
    a, b = Player(make_agent("steady")), Player(make_agent("steady"))
    for number in range(2):
        played = play_deal(rules, 2, number, a, b)
        most = 4 * rules.deck_size
        assert max(len(played.first.turns), len(played.second.turns)) < most


# ---- random -------------------------------------------------------------------------------------


def test_random_plays_every_legal_turn_alike() -> None:
    view, agent, rng = (
        view_at("0 | G2 R5 | B3 Y4 | - | - | R3 | W4 W5"),
        make_agent("random"),
        Random(9),
    )
    counts = Counter(agent.choose(view, None, rng).turn for _ in range(7000))
    assert set(counts) == set(view.legal)
    assert all(800 < count < 1200 for count in counts.values())


# ---- greedy -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "turn"),
    [
        # The lowest card of a started colour, however little it is worth.
        ("0 | Y9 B3 B4 W2 | ?4 | Y8 | - | R2 | ?9", "+Y9*"),
        # A colour of 15 in hand is started with its lowest card, a wager first.
        ("0 | Y2 BX B7 B8 | ?4 | - | - | - | ?9", "+BX*"),
        ("0 | Y2 B6 B8 W9 | ?4 | Y3 | - | - | ?9", "-Y2*"),
        ("0 | Y4 B7 B8 W9 | ?4 | Y3 | - | - | ?9", "+Y4*"),
        # 14 is not enough; the lowest unplayable card goes first.
        ("0 | Y2 B6 B8 W3 W2 | ?4 | W4 | - | - | ?9", "-W2*"),
        # Nothing unplayable: the lowest card goes, of equal ranks the canonical first.
        ("0 | Y2 B6 B8 W2 | ?4 | - | - | - | ?9", "-Y2*"),
        ("0 | YX B2 W2 | ?4 | Y5 | - | - | ?9", "-YX*"),
    ],
)  # fmt: skip
def test_greedy_plays_as_it_is_defined(position: str, turn: str) -> None:
    assert choose("greedy", position) == turn


# ---- steady -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "turn", "why"),
    [
        ("0 | R5 R9 B2 | ?3 | R2 R3 R4 | - | - | ?2", "+R9*", "one lay left: the largest"),
        ("0 | R5 R9 | ?2 | R2 R3 R4 | - | Y2 | ?2", "+R5<Y", "a pile wins the time for both"),
        ("0 | RX R5 R6 R7 R8 R9 | ?8 | - | - | - | ?30", "+RX*", "a wager on a strong colour"),
        ("0 | B2 Y9 | ?2 | - | - | - | ?1", "-Y9*", "opening at the end only costs"),
        ("0 | W10 G3 B7 Y4 | ?8 | - | W5 W6 | - | ?20", "-G3*", "the other seat needs the white 10"),
        ("0 | W5 G3 B7 Y4 | ?8 | W2 W3 W4 | - | W6 | ?20", "+W5<W", "a pile has what the row needs"),
    ],
)  # fmt: skip
def test_steady_does_what_a_sensible_player_does(position: str, turn: str, why: str) -> None:
    assert choose("steady", position) == turn, why


def test_steady_draws_no_random_numbers() -> None:
    view = view_at("0 | RX R6 R7 R8 R9 Y2 B3 | ?8 | - | - | - | ?44")
    rng = Random(1)
    before = rng.getstate()
    make_agent("steady").choose(view, None, rng)
    assert rng.getstate() == before


@pytest.mark.slow
def test_steady_beats_greedy_by_far() -> None:
    rules, steady, greedy = (
        Rules(stall=100),
        Player(make_agent("steady")),
        Player(make_agent("greedy")),
    )
    deals = [play_deal(rules, 1, number, steady, greedy) for number in range(150)]
    points = [sum(each.differences) / 2 for each in deals]
    assert sum(points) / len(points) > 18


# ---- duels --------------------------------------------------------------------------------------


class Fixed:
    """Answers what it is told."""

    name = "fixed@1"

    def __init__(self, turn: str) -> None:
        self.turn = turn

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        from lostcities.core.turn import parse_turn

        return Choice(parse_turn(self.turn))


def test_an_illegal_turn_loses_the_round() -> None:
    played = play_deal(Rules(), 1, 0, Player(Fixed("+Y2<Y")), Player(make_agent("greedy")))
    assert played.first.failure is not None
    assert (played.first.failure.seat, played.first.failure.kind) == (0, "illegal")
    assert "+Y2<Y" in played.first.failure.reason
    assert played.first.score == BySeat(-60, 0)
    assert played.differences[0] == -60
    assert played.second.failure is not None
    assert played.second.failure.seat == 1
    assert played.differences[1] <= -60


def test_a_deal_is_the_same_every_time_and_of_every_card() -> None:
    rules = Rules.parse("long")
    deck = deal_deck(rules, 7, 12)
    assert deck == deal_deck(rules, 7, 12)
    assert deck != deal_deck(rules, 7, 13) != deal_deck(rules, 8, 13)
    assert sorted(deck) == sorted(rules.all_cards())
    # Pinned: measured results are only worth something while their decks stay what they were.
    assert deck[:6] == parse_cards("P9 Y2 R8 W4 Y10 W8")


def test_a_deal_gives_both_agents_both_hands() -> None:
    played = play_deal(
        Rules(stall=100), 3, 0, Player(make_agent("random")), Player(make_agent("random"))
    )
    assert played.first.deck == played.second.deck
    assert played.first.start == played.second.start == 0
    again = play_deal(
        Rules(stall=100), 3, 0, Player(make_agent("random")), Player(make_agent("random"))
    )
    assert again == played


class Slow:
    """Computes, or waits, before it answers."""

    name = "slow@1"

    def __init__(self, compute_s: float = 0, wait_s: float = 0) -> None:
        self.compute_s, self.wait_s = compute_s, wait_s

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        import time

        time.sleep(self.wait_s)
        end = time.process_time() + self.compute_s
        while time.process_time() < end:
            pass
        return Choice(view.legal[0])


def test_an_agent_that_computes_too_long_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    from lostcities.agents import duel

    slow, greedy = Player(Slow(compute_s=0.2), 20), Player(make_agent("greedy"), 20)
    played = play_deal(Rules(), 1, 0, slow, greedy)
    # Its first answer has more time.
    assert len(played.first.turns) == 2
    assert played.first.failure is not None
    assert (played.first.failure.seat, played.first.failure.kind) == (0, "late")
    assert "of 20 ms" in played.first.failure.reason
    # A busy machine makes nobody late; waiting for something does in the end.
    waiting = Player(Slow(wait_s=0.1), 20)
    assert play_deal(Rules(hand=1, colours=1), 1, 0, waiting, greedy).first.failure is None
    monkeypatch.setattr(duel, "FIRST_MS", 40)
    assert play_deal(Rules(hand=1, colours=1), 1, 0, waiting, greedy).first.failure is not None
