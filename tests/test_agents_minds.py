"""The levels below *Expert*: what each thinks of, and what none of them ever does."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from lostcities.agents.agent import Agent, Choice
from lostcities.agents.compiled import compiled_form
from lostcities.agents.duel import deal_deck
from lostcities.agents.minds import ERROR, LAPSE, MINDS, numbers
from lostcities.agents.minds_compiled import mind_draw, mind_lay, mind_of
from lostcities.agents.registry import make_agent
from lostcities.agents.rounds import Pairing, Table
from lostcities.core.position import parse_position
from lostcities.core.round import deal
from lostcities.core.rules import Rules
from lostcities.core.seats import other
from lostcities.core.turn import Turn
from lostcities.core.views import View, view_of_round
from lostcities.kernel import bridge
from lostcities.kernel.round import apply_lay

LEVELS = tuple(f"level{number}@2" for number in range(1, len(MINDS) + 1))
MANY_RULES = (
    "stall=100",
    "colours=6 stall=100",
    "wagers=0 stall=100",
    "colours=3 hand=5 wagers=1 top=7 cost=9 stall=40",
    "colours=2 hand=1 wagers=0 top=4 stall=20",
    "hand=12 cost=0 bonus=99 bonus_at=1 stall=60",
    "own_discard=yes bonus_at=13 stall=90",
    "",
)

# ---- nonsense -----------------------------------------------------------------------------------


class Sense:
    """A position in the words of the rules, to judge a turn by; none of the agents' own code."""

    def __init__(self, view: View) -> None:
        self.view = view
        seat = view.own_seat
        self.rows = [[card.rank for card in row] for row in view.expeditions[seat]]
        self.theirs = [[card.rank for card in row] for row in view.expeditions[other(seat)]]
        self.hand = [(int(card.colour), card.rank) for card in view.hand]
        self.lays = 1 + (view.deck - 1) // 2
        """Of this seat, this one included, if all draw from the deck."""

    def top(self, colour: int) -> int:
        return max(self.rows[colour], default=0)

    def fits(self, colour: int, rank: int) -> bool:
        return rank > self.top(colour) or (rank == 0 and self.top(colour) == 0)

    def waiting(self, colour: int) -> int:
        """Cards in hand that opened rows take, and the numbers of the colour that is to be opened."""
        opened = [c for c, row in enumerate(self.rows) if row]
        count = sum(1 for c, rank in self.hand if c in opened and self.fits(c, rank))
        if colour not in opened:
            count += sum(1 for c, rank in self.hand if c == colour and rank)
        return count

    def numbers(self, colour: int) -> list[int]:
        return sorted((r for c, r in self.hand if c == colour and r > self.top(c)), reverse=True)

    def nonsense(self, turn: Turn) -> Iterator[str]:
        """What nobody at a table would understand about a turn."""
        colour, rank = int(turn.lay.card.colour), turn.lay.card.rank
        if turn.lay.discard:
            yield from self._thrown(colour, rank)
        else:
            yield from self._played(colour, rank)
        yield from self._drawn(turn)

    def _thrown(self, colour: int, rank: int) -> Iterator[str]:
        between = set(range(max(self.top(colour), 1) + 1, rank))
        if self.rows[colour] and rank > self.top(colour) and between <= set(self.theirs[colour]):
            yield "throws away the next card of its own row"
        ready = any(row and self.numbers(c) for c, row in enumerate(self.rows))
        if self.view.deck <= 2 and ready:
            yield "throws its last lay away"

    def _played(self, colour: int, rank: int) -> Iterator[str]:
        lower = [each for each in self.numbers(colour) if each < rank]
        if lower and self.lays >= self.waiting(colour):
            yield "passes over a lower card that it holds and has time for"
        rules = self.view.rules
        if not self.rows[colour] and self.view.deck <= 10:
            rest = [each for each in self.numbers(colour) if each > rank][: self.lays - 1]
            if rank + sum(rest) <= rules.cost and 1 + len(rest) < rules.bonus_at:
                yield "opens with the last cards what cannot pay any more"

    def _drawn(self, turn: Turn) -> Iterator[str]:
        colour, card = turn.draw, turn.lay.card
        if colour is None:
            return
        if turn.lay.discard and card.colour == colour:
            yield "takes back what it has just thrown away"
            return
        laid = not turn.lay.discard and card.colour == colour
        top = max(self.top(colour), card.rank) if laid else self.top(colour)
        drawn = self.view.piles[colour][-1].rank
        after = Sense(self._after(turn))
        fitting = sum(len(after.numbers(c)) for c, row in enumerate(after.rows) if row)
        if not (drawn > top or drawn == top == 0) and fitting <= self.lays - 1:
            yield "takes a card that it can never lay, with no time to win"

    def _after(self, turn: Turn) -> View:
        hand = list(self.view.hand)
        hand.remove(turn.lay.card)
        rows = self.view.expeditions
        if not turn.lay.discard:
            own = list(rows[self.view.own_seat])
            own[turn.lay.card.colour] = (*own[turn.lay.card.colour], turn.lay.card)
            rows = rows.replace(self.view.own_seat, tuple(own))
        return replace(self.view, hand=tuple(hand), expeditions=rows, legal=())


def views(text: str, rounds: int, players: tuple[Agent, ...], whim: float) -> Iterator[View]:
    """Positions of rounds between agents, some of whose turns are replaced by random ones."""
    rules = Rules.parse(text)
    for number in range(rounds):
        rng = Random(f"{text} {number} {whim}")
        state, turns = deal(rules, deal_deck(rules, 31, number), number % 2), 0
        while not state.over and turns < 200:
            view = view_of_round(state, state.to_move)
            yield view
            legal = state.legal_turns()
            agent = players[(number + turns) % len(players)]
            own = agent.choose(view, None, rng).turn
            state, turns = state.play(rng.choice(legal) if rng.random() < whim else own), turns + 1


def turn_of(view: View, every: NDArray[np.int64], mind: int, seed: int) -> Turn:
    """The turn of a mind, whatever its numbers."""
    row, rules = bridge.view_to_row(view), bridge.packed(view.rules)
    lay = int(mind_lay(row, rules, every, mind, seed))
    apply_lay(row, rules, lay)
    draw = int(mind_draw(row, rules, every, mind, seed))
    return bridge.actions_to_turn(lay, draw, view.rules.colours)


def looked_for(agents: tuple[Agent, ...], text: str, rounds: int) -> Counter[str]:
    """The nonsense that agents play, by what it is, and how many turns were looked at."""
    found: Counter[str] = Counter()
    rng = Random(text)
    for whim in (0.0, 0.3, 1.0):
        for view in views(text, rounds, agents, whim):
            sense = Sense(view)
            for agent in agents:
                turn = agent.choose(view, None, rng).turn
                found["turns"] += 1
                found.update(f"{agent.name} {each} ({turn})" for each in sense.nonsense(turn))
    return found


@pytest.mark.parametrize("text", MANY_RULES)
def test_no_level_ever_plays_nonsense(text: str) -> None:
    found = looked_for(tuple(make_agent(name) for name in LEVELS), text, 2)
    assert found.pop("turns") > 50
    assert not found


class Wild:
    """A level that misjudges by fifty points.

    Args:
        level: 1 to 5.
    """

    def __init__(self, level: int) -> None:
        self.name = f"wild{level}@2"
        self._mind, self._every = level - 1, np.array(numbers(), dtype=np.int64)
        self._every[:, ERROR] = 50 * 64

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        return Choice(turn_of(view, self._every, self._mind, rng.getrandbits(63)))


@pytest.mark.parametrize("text", MANY_RULES)
def test_no_level_would_play_nonsense_however_much_it_erred(text: str) -> None:
    found = looked_for(tuple(Wild(level) for level in range(1, len(MINDS) + 1)), text, 2)
    assert found.pop("turns") > 50
    assert not found


@pytest.mark.slow
@pytest.mark.parametrize("text", MANY_RULES)
def test_no_level_ever_plays_nonsense_in_many_rounds(text: str) -> None:
    found = looked_for(tuple(make_agent(name) for name in LEVELS), text, 40)
    assert found.pop("turns") > 2000
    assert not found


def test_others_do_play_nonsense_of_every_kind() -> None:
    agent = make_agent("random@1")
    found = looked_for((agent,), "own_discard=yes stall=60", 30)
    kinds = {each.removeprefix("random@1 ").partition(" (")[0] for each in found} - {"turns"}
    assert len(kinds) == 6, kinds


@pytest.mark.needs("numba")
@pytest.mark.parametrize("name", LEVELS)
def test_rounds_end_in_a_usual_number_of_turns_without_a_stall_rule(name: str) -> None:
    form = compiled_form(name)
    played = Table(Rules(), 5).play([Pairing(number, form, form) for number in range(200)])
    turns = [game.turns for games in played if games for game in games]
    assert len(turns) == 400
    assert max(turns) <= 2 * 44 + 44
    assert 44 <= np.mean(turns) < 66


# ---- what each thinks of ------------------------------------------------------------------------


def level_turn(level: int, position: str) -> str:
    """The turn of a level without lapses and errors."""
    state = parse_position(position)
    every = np.array(numbers(), dtype=np.int64)
    every[:, ERROR] = 0
    return str(turn_of(view_of_round(state, state.to_move), every, level - 1, 1))


def test_levels_think_of_more_from_one_to_the_next() -> None:
    for lower, upper in pairwise(MINDS):
        pairs = [
            (getattr(lower, each), getattr(upper, each))
            for each in ("cost", "wagers", "unseen", "deck", "other")
        ]
        assert all(less <= more for less, more in pairs)
        assert any(less < more for less, more in pairs)
        assert upper.error < lower.error


def test_lapses_are_as_frequent_as_told() -> None:
    every = np.array(numbers(), dtype=np.int64)
    rng = Random(4)
    for level in range(len(MINDS)):
        minds = Counter(int(mind_of(every, level, rng.getrandbits(63))) for _ in range(4000))
        assert set(minds) <= {level, level - 1}
        assert minds[level - 1] / 4000 == pytest.approx(every[level, LAPSE] / 100, abs=0.03)


def test_level_1_opens_with_three_cards_and_level_2_where_they_may_pay() -> None:
    few = "0 | R2 R3 R4 Y7 | ?4 | - | - | - | ?30"
    assert level_turn(1, few) == "+R2*"
    assert level_turn(2, few) == "-R2*"
    many = "0 | R4 R7 R9 R10 | ?4 | - | - | - | ?30"
    assert level_turn(1, many) == level_turn(2, many) == "+R4*"


def test_level_3_knows_that_wagers_multiply_and_level_2_does_not() -> None:
    last = "0 | Y10 R9 | ?2 | Y2 RX R2 | - | - | ?2"
    assert level_turn(2, last) == "+Y10*"
    assert level_turn(3, last) == "+R9*"


def test_level_3_leaves_room_for_cards_that_may_come_and_level_2_does_not() -> None:
    gap = "0 | R9 Y2 Y3 | ?3 | RX R2 | - | - | ?40"
    assert level_turn(2, gap) == "+R9*"
    assert level_turn(3, gap) == "-Y2*"


def test_level_4_counts_the_turns_left_and_level_3_does_not() -> None:
    short = "0 | R6 R7 R10 | ?3 | R2 R3 R4 | - | - | ?2"
    assert level_turn(3, short) == "+R6*"
    assert level_turn(4, short) == "+R10*"


def test_level_4_does_not_feed_the_rows_of_the_other_seat_and_level_3_does() -> None:
    useless = "0 | Y9 W9 | ?2 | Y10 W10 | Y2 | - | ?20"
    assert level_turn(3, useless) == "-Y9*"
    assert level_turn(4, useless) == "-W9*"


def test_level_5_minds_what_the_other_seat_may_still_open_and_level_4_does_not() -> None:
    useless = "0 | Y9 W3 | ?2 | Y10 W10 | - | - | ?20"
    assert level_turn(4, useless) == "-Y9*"
    assert level_turn(5, useless) == "-W3*"


def test_level_5_wins_time_from_piles_and_level_4_does_not() -> None:
    crowded = "0 | R5 R6 R7 R8 R9 R10 Y9 Y10 | ?8 | R2 R3 R4 Y8 | - | B2 | ?8"
    assert level_turn(4, crowded).endswith("*")
    assert level_turn(5, crowded).endswith("<B")


@pytest.mark.parametrize("level", range(1, len(MINDS) + 1))
def test_a_level_plays_differently_at_different_times(level: int) -> None:
    """Errors and lapses depend on chance alone, and the same chance gives the same turn."""
    agent, rules = make_agent(f"level{level}@2"), Rules()
    state = deal(rules, deal_deck(rules, 6, 0), 0)
    turns = 0
    for step in range(20):
        view = view_of_round(state, state.to_move)
        chosen = {agent.choose(view, None, Random(each)).turn for each in range(8)}
        assert agent.choose(view, None, Random(3)) == agent.choose(view, None, Random(3))
        turns += len(chosen)
        state = state.play(agent.choose(view, None, Random(step)).turn)
    assert 22 < turns < 100
