"""OpenSpiel: importing this registers the game ``python_lost_cities``.

>>> import pyspiel
>>> import lostcities.envs.openspiel
>>> game = pyspiel.load_game("python_lost_cities(rules=mini)")
>>> state = game.new_initial_state()
>>> state.is_chance_node()
True

Cards are dealt and drawn by chance nodes, an action is half a turn. See ``docs/envs/openspiel.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyspiel

from lostcities import encoding
from lostcities.core.cards import FACES
from lostcities.core.rules import Rules
from lostcities.envs.common import DEFAULT_RULES, most_ahead, read_rules
from lostcities.envs.openspiel_observer import LostCitiesObserver, history_text
from lostcities.envs.openspiel_round import ChanceRound, turn_text

NAME = "python_lost_cities"

_KEYS = (
    "colours",
    "hand",
    "cost",
    "bonus",
    "bonus_at",
    "own_discard",
    "stall",
    "wagers",
    "top",
)
PARAMETERS: dict[str, Any] = {key: getattr(DEFAULT_RULES, key) for key in _KEYS}
PARAMETERS |= {"rules": "", "start": 0}
"""The parameters with their defaults: the rules of a round; words for them all; who starts."""

GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Lost Cities (Python)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


def read_parameters(given: Mapping[str, Any]) -> tuple[Rules, int]:
    """The rules and the seat that starts.

    Raises:
        ValueError: ``rules`` beside other keys or with ``first`` in them, a start that is no seat, or no stall rule, without
            which a round has no greatest length.
        RulesError: rules that cannot be read.
    """
    values = PARAMETERS | dict(given)
    start, words = values.pop("start"), values.pop("rules")
    if start not in (0, 1):
        raise ValueError(f"start {start!r} is neither 0 nor 1")
    if words and values != {key: PARAMETERS[key] for key in _KEYS}:
        raise ValueError("either rules or the other parameters, not both")
    rules = read_rules(words) if words else Rules(rounds=1, **values)
    if rules.first != "random":
        raise ValueError(f"first={rules.first} in rules: say start={rules.first} instead")
    if rules.stall == 0:
        raise ValueError("stall must be at least 1 here: without it a round may last for ever")
    return rules, start


def most_turns(rules: Rules) -> int:
    """The most turns of a round: the deck's cards, each after all turns that the stall rule allows."""
    return (rules.deck_size - 2 * rules.hand) * rules.stall


def _game_info(rules: Rules) -> pyspiel.GameInfo:
    most = float(most_ahead(rules))
    return pyspiel.GameInfo(
        num_distinct_actions=encoding.actions(rules.colours),
        max_chance_outcomes=encoding.faces(rules.colours),
        num_players=2,
        min_utility=-most,
        max_utility=most,
        utility_sum=0.0,
        max_game_length=2 * most_turns(rules),
    )


class LostCitiesGame(pyspiel.Game):
    """A round as a game of OpenSpiel.

    Attributes:
        rules: the rules in force.
        start: the seat that starts.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """See :func:`read_parameters`."""
        given = dict(params or {})
        self.rules, self.start = read_parameters(given)
        super().__init__(GAME_TYPE, _game_info(self.rules), given)

    def new_initial_state(self) -> LostCitiesState:
        """A round of which no card is dealt."""
        return LostCitiesState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Every card is dealt or drawn at most once."""
        return self.rules.deck_size

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> LostCitiesObserver:
        """See :class:`lostcities.envs.openspiel_observer.LostCitiesObserver`."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return LostCitiesObserver(kind, self.rules, most_turns(self.rules), params)


class LostCitiesState(pyspiel.State):
    """A round under way.

    Attributes:
        truth: the round; copied and pickled as a whole with the state.
    """

    def __init__(self, game: LostCitiesGame) -> None:
        """Made by :meth:`LostCitiesGame.new_initial_state`."""
        super().__init__(game)
        self.truth = ChanceRound(game.rules, game.start)

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance or the end."""
        if self.truth.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.truth.by_chance:
            return int(pyspiel.PlayerId.CHANCE)
        return self.truth.begun.seat

    def is_terminal(self) -> bool:
        """Whether the round has ended, by its deck or by the stall rule."""
        return self.truth.over

    def _legal_actions(self, _player: int) -> list[int]:
        found: list[int] = self.truth.begun.mask().nonzero()[0].tolist()
        return found

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The faces that may come, with their chances."""
        return self.truth.outcomes()

    def _apply_action(self, action: int) -> None:
        if self.truth.by_chance:
            self.truth.come(action)
        else:
            self.truth.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return str(FACES[action])
        return turn_text(action, self.truth.rules.colours)

    def returns(self) -> list[float]:
        """The difference of both seats' points from either side; 0 before the end."""
        lead = float(self.truth.begun.lead(0)) if self.truth.over else 0.0
        return [lead, 0.0 - lead]

    def __str__(self) -> str:
        return history_text(self.truth)


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(GAME_TYPE, LostCitiesGame)
