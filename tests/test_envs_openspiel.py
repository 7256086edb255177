"""The OpenSpiel door: its own simulation test, stored playthroughs, and what its players know."""

import random
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lostcities.core.cards import FACES
from lostcities.core.errors import RulesError
from lostcities.core.round import RoundState, deal
from lostcities.core.rules import Rules, preset
from lostcities.core.views import view_of_round
from lostcities.kernel import bridge
from needs import needs_import

needs_import("pyspiel")

import pyspiel
from absl import flags
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough
from open_spiel.python.algorithms.get_all_states import get_all_states
from open_spiel.python.observation import make_observation

from lostcities.envs.common import most_ahead
from lostcities.envs.openspiel import NAME, LostCitiesGame, most_turns

PLAYTHROUGHS = Path(__file__).parent / "data" / "openspiel"
MINI = f"{NAME}(rules=mini)"
SMALL = f"{NAME}(colours=2,hand=3,top=5,wagers=2,stall=3,own_discard=True,start=1)"


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in (NAME, f"{NAME}(colours=6)")]


@pytest.mark.parametrize("name", [MINI, SMALL, *SLOW])
def test_pyspiel_random_sim_test(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(
        game, num_sims=3 if name in (MINI, SMALL) else 1, serialize=True, verbose=False
    )


@pytest.mark.parametrize("path", sorted(PLAYTHROUGHS.glob("*.txt")), ids=lambda path: path.stem)
def test_a_stored_playthrough_is_played_again(path: Path) -> None:
    # How to store them anew is in docs/envs/openspiel.md.
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["playthrough"])
    stored, replayed = generate_playthrough.replay(str(path))
    assert generate_playthrough.content_lines(stored) == generate_playthrough.content_lines(
        replayed
    )


def test_there_are_stored_playthroughs() -> None:
    assert {path.stem for path in PLAYTHROUGHS.glob("*.txt")} == {"mini", "small"}


def random_history(game: Any, seed: int) -> Any:
    rng, state = random.Random(seed), game.new_initial_state()
    while not state.is_terminal():
        yield state
        if state.is_chance_node():
            faces, chances = zip(*state.chance_outcomes(), strict=True)
            assert sum(chances) == pytest.approx(1)
            state.apply_action(rng.choices(faces, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    yield state


@pytest.mark.parametrize("name", [MINI, SMALL, NAME])
def test_a_round_is_the_round_of_the_core(name: str) -> None:
    game = pyspiel.load_game(name)
    rules: Rules = game.rules
    for seed in range(3):
        *_, end = random_history(game, seed)
        turns = [
            bridge.actions_to_turn(lay, draw, rules.colours) for lay, draw, _ in end.truth.turns
        ]
        drawn = [turn[2] for turn in end.truth.turns if turn[1] == 20 * rules.colours]
        rest = end.truth.round.state().deck
        assert Counter(card.face for card in rest) == +Counter(dict(enumerate(end.truth.left)))
        deck = (*(FACES[face] for face in [*end.truth.dealt, *drawn]), *rest)
        state: RoundState = deal(rules, deck, game.start)
        for turn in turns:
            assert not state.over
            state = state.play(turn)
        assert state.over
        assert end.returns() == [
            state.score[0] - state.score[1],
            state.score[1] - state.score[0],
        ]
        assert end.truth.round.state() == state


def test_cards_come_by_their_chances() -> None:
    state = pyspiel.load_game(f"{NAME}(colours=1,hand=1,wagers=3,top=3)").new_initial_state()
    assert dict(state.chance_outcomes()) == {0: 0.6, 1: 0.2, 2: 0.2}
    state.apply_action(0)
    assert dict(state.chance_outcomes()) == {0: 0.5, 1: 0.25, 2: 0.25}
    with pytest.raises(ValueError, match="no Y4 is left"):
        state.truth.come(3)


def test_a_draw_from_the_deck_waits_for_its_card() -> None:
    state = pyspiel.load_game(MINI).new_initial_state()
    for action in (4, 0, 4, 20):  # Y5 and YX are dealt, Y5 is played, the deck is asked
        assert state.current_player() == (-1 if state.truth.by_chance else 0)
        state.apply_action(action)
    assert state.is_chance_node()
    assert [face for face, _ in state.chance_outcomes()] == [1, 2, 3]
    assert "+Y5*" in state.information_state_string(1)
    state.apply_action(2)
    assert "+Y5*Y3" in state.information_state_string(0)
    assert "Y3" not in state.information_state_string(1)


def decisions(game: Any) -> Any:
    states = get_all_states(game, include_terminals=False, include_chance_states=False)
    return [(state, state.current_player()) for state in states.values()]


@pytest.fixture(scope="module")
def mini_decisions() -> Any:
    return decisions(pyspiel.load_game(MINI))


def test_what_is_recalled_settles_what_is_observed(mini_decisions: Any) -> None:
    observed = defaultdict(set)
    for state, player in mini_decisions:
        known = state.information_state_string(player)
        observed[known].add(state.observation_string(player))
    assert all(len(each) == 1 for each in observed.values())


def test_the_order_of_play_is_recalled_and_not_observed() -> None:
    """Two ways to the same table: first the yellow two and then the blue, or the other way round."""
    ends = []
    for lays in (("Y2", "B2"), ("B2", "Y2")):
        state = pyspiel.load_game(f"{NAME}(colours=2,hand=2,top=6)").new_initial_state()
        play(state, "Y2", "Y3", "B2", "B3")
        play(state, f"+{lays[0]}", "*", "Y4", "-Y3", "*", "B4", f"+{lays[1]}", "*", "Y5")
        ends.append(state)
    one, two = ends
    for player in (0, 1):
        assert one.observation_string(player) == two.observation_string(player)
        assert one.observation_tensor(player) == two.observation_tensor(player)
        assert one.information_state_string(player) != two.information_state_string(player)
        assert one.information_state_tensor(player) != two.information_state_tensor(player)


def play(state: Any, *words: str) -> None:
    """Apply actions by their names."""
    for word in words:
        actions = state.legal_actions()
        named = {state.action_to_string(state.current_player(), each): each for each in actions}
        state.apply_action(named[word])


@pytest.mark.parametrize("recall", [True, False])
def test_tensors_are_equal_exactly_where_strings_are(mini_decisions: Any, recall: bool) -> None:
    kind = "information_state" if recall else "observation"
    by_tensor, by_string = defaultdict(set), defaultdict(set)
    for state, player in mini_decisions:
        tensor = bytes(np.array(getattr(state, f"{kind}_tensor")(player), dtype=np.float32))
        string = getattr(state, f"{kind}_string")(player)
        by_tensor[tensor].add(string)
        by_string[string].add(tensor)
    assert all(len(each) == 1 for each in by_string.values())
    if recall:
        assert all(len(each) == 1 for each in by_tensor.values())


def test_a_player_knows_what_its_view_shows_and_no_more(mini_decisions: Any) -> None:
    """Histories that one view and its moves so far cannot tell apart have one information state."""
    legal = defaultdict(set)
    for state, player in mini_decisions:
        legal[state.information_state_string(player)].add(tuple(state.legal_actions()))
        hand = view_of_round(state.truth.round.state(), player).hand
        assert (str(hand[0]) if hand else "-") in state.observation_string(player)
    assert all(len(each) == 1 for each in legal.values())
    assert len(legal) == 2295


@pytest.mark.parametrize(
    ("recall", "public", "private"),
    list(
        product(
            (True, False),
            (True, False),
            (pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE),
        )
    ),
)
def test_every_kind_of_observation_shows_what_it_says(
    recall: bool, public: bool, private: Any
) -> None:
    game = pyspiel.load_game(SMALL)
    kind = pyspiel.IIGObservationType(
        perfect_recall=recall, public_info=public, private_info=private
    )
    observation = make_observation(game, kind)
    named: Counter[str] = Counter()
    for state in random_history(game, 5):
        if state.truth.round is None:
            continue
        hand = state.truth.round.state().hands[0]
        observation.set_from(state, 0)
        text = observation.string_from(state, 0)
        if private == pyspiel.PrivateInfoType.NONE and not public:
            assert observation.tensor.tolist() == [1, 0]
        for name, piece in observation.dict.items():
            named[name] += int(piece.any())
        if private != pyspiel.PrivateInfoType.NONE and not recall:
            assert all(str(card) in text for card in hand)
    assert all(named.values())


def test_observations_that_there_are_not() -> None:
    game = pyspiel.load_game(MINI)
    both = pyspiel.IIGObservationType(
        perfect_recall=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(ValueError, match="both hands"):
        game.make_py_observer(both)
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"x": 1})


def test_rl_environment() -> None:
    environment = rl_environment.Environment(pyspiel.load_game(MINI))
    environment.seed(1)
    for _ in range(5):
        step = environment.reset()
        while not step.last():
            player = step.observations["current_player"]
            legal = step.observations["legal_actions"][player]
            assert len(step.observations["info_state"][player]) == 30
            step = environment.step([legal[-1]])
        assert sum(step.rewards) == 0


def test_the_longest_round_and_the_most_points(mini_decisions: Any) -> None:
    game = pyspiel.load_game(MINI)
    everything = get_all_states(game, include_terminals=True, include_chance_states=False)
    ends = [state for state in everything.values() if state.is_terminal()]
    assert max(len(state.truth.turns) for state in ends) <= most_turns(game.rules)
    assert max(abs(state.returns()[0]) for state in ends) <= game.max_utility()


@pytest.mark.parametrize(
    "text",
    [
        "colours=1 hand=1 top=4 wagers=2 cost=5 bonus=3 bonus_at=3",
        "colours=1 hand=1 top=4 wagers=3 cost=2 bonus=9 bonus_at=4",
        "colours=1 hand=1 top=5 wagers=1 cost=20 bonus=20 bonus_at=6",
    ],
)
def test_no_seat_can_be_further_ahead(text: str) -> None:
    from lostcities.core.scoring import score_expedition

    rules = Rules.parse(text)
    cards, most = rules.all_cards(), 0
    for owners in product((0, 1, 2), repeat=len(cards)):
        rows = [
            tuple(card for card, own in zip(cards, owners, strict=True) if own == s) for s in (0, 1)
        ]
        first, second = (score_expedition(row, rules).total if row else 0 for row in rows)
        most = max(most, first - second)
    assert most_ahead(rules) == most


@pytest.mark.parametrize(
    ("parameters", "error"),
    [
        ({"start": 2}, ValueError),
        ({"stall": 0}, ValueError),
        ({"rules": "long"}, ValueError),  # which has no stall rule
        ({"rules": "mini", "hand": 2}, ValueError),
        ({"rules": "mini first=1"}, ValueError),  # which start=1 says here
        ({"rules": "tiny"}, RulesError),
        ({"colours": 9}, RulesError),
    ],
)
def test_parameters_that_there_are_not(parameters: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        LostCitiesGame(parameters)


def test_the_parameters_are_the_rules() -> None:
    assert pyspiel.load_game(MINI).rules == preset("mini")
    assert pyspiel.load_game(NAME).rules == Rules(rounds=1, stall=40)
    assert pyspiel.load_game(str(pyspiel.load_game(MINI))).rules == preset("mini")


@pytest.mark.slow
def test_counterfactual_regret_minimisation_lowers_exploitability() -> None:
    game = pyspiel.load_game(MINI)
    uniform = exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    solver, found = cfr.CFRSolver(game), []
    for iterations in (3, 7):
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        found.append(exploitability.exploitability(game, solver.average_policy()))
    assert uniform == pytest.approx(1.9505, abs=1e-4)
    assert uniform > 2 * found[0] > 4 * found[1] > 0
