"""Generators for property tests of anything that speaks this game (needs ``hypothesis``).

Two layers: plain functions that play at random from a seed, the same at every run and in every
version of Python, and Hypothesis strategies over them. What they give is always possible: rules that
can be played, states that turns have led to, logs that the rules accept.

    >>> from hypothesis import given
    >>> from lostcities import testing
    >>> @given(testing.rounds())
    ... def test_mine(state): ...
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from hypothesis import strategies as st

from lostcities.core.cards import FACES, Card, Colour
from lostcities.core.events import Event, MatchStarted, RoundDealt
from lostcities.core.match import (
    MatchState,
    Phase,
    decide_abandon,
    decide_answer,
    decide_answer_back,
    decide_ask_back,
    decide_continue,
    decide_deal,
    decide_offer,
    decide_resign,
    decide_time,
    decide_turn,
    evolve,
    new_match,
    seats_to_act,
    takeback_open,
)
from lostcities.core.position import format_position, parse_position
from lostcities.core.refusal import Refusal
from lostcities.core.round import RoundState, deal, make_lay
from lostcities.core.rules import First, Next, Rounds, Rules
from lostcities.core.seats import SEATS
from lostcities.core.shuffle import shuffled
from lostcities.core.turn import Lay, Turn
from lostcities.core.views import View, view_of_round

MOST_PLIES = 400
"""Random rounds that last longer are drawn from the deck to their end."""

_DEFAULT = Rules()

# ---- play at random -----------------------------------------------------------------------------


def generator(seed: int) -> random.Random:
    """A source of chance that gives the same at every run."""
    return random.Random(seed)  # noqa: S311


def shuffled_deck(rules: Rules, rng: random.Random) -> tuple[Card, ...]:
    """The whole deck of these rules in a random order, top first."""
    return shuffled(rules.all_cards(), lambda below: _below(rng, below))


def _below(rng: random.Random, bound: int) -> int:
    """A number from 0 to ``bound`` − 1 by the one method whose results Python keeps for good."""
    return int(rng.random() * bound)


def choose_turn(state: RoundState, rng: random.Random) -> Turn:
    """A random legal turn: any lay alike, then the deck half the time, so that rounds end."""
    lays = list(state.lays())
    lay = lays[_below(rng, len(lays))]
    draws = list(state.draws(lay))
    if state.ply >= MOST_PLIES or rng.random() < 0.5:
        return Turn(lay, None)
    return Turn(lay, draws[_below(rng, len(draws))])


def random_round(rules: Rules, seed: int) -> Iterator[RoundState]:
    """The states of a round played at random, from the deal to the end."""
    rng = generator(seed)
    state = deal(rules, shuffled_deck(rules, rng), _below(rng, 2))
    yield state
    while not state.over:
        state = state.play(choose_turn(state, rng))
        yield state


def random_log(
    rules: Rules, seed: int, *, fickle: bool = False, takebacks: bool = False
) -> Iterator[Event]:
    """The events of a match played at random, beginning with ``MatchStarted``.

    Args:
        rules: the rules; an open match ends when a seat declines, sooner or later.
        seed: the same seed gives the same match.
        fickle: seats now and then offer draws, answer them, resign, stay away or run out of time.
        takebacks: they ask to take turns back, and answer that.
    """
    rng = generator(seed)
    state = new_match(rules)
    yield MatchStarted(rules)
    while state.phase is not Phase.OVER:
        event = _next_event(state, rng, fickle, takebacks)
        state = evolve(state, event)
        yield event


def _next_event(state: MatchState, rng: random.Random, fickle: bool, takebacks: bool) -> Event:
    if fickle and rng.random() < 0.05:
        decided = _whim(state, rng)
    elif takebacks and takeback_open(state) is not None and rng.random() < 0.3:
        decided = _regret(state, rng)
    elif state.phase is Phase.DEALING:
        decided = decide_deal(state, shuffled_deck(state.rules, rng), _below(rng, 2))
    elif state.phase is Phase.BETWEEN:
        seats = seats_to_act(state)
        go_on = state.rules.rounds != "open" or rng.random() < 0.75
        decided = decide_continue(state, seats[_below(rng, len(seats))], go_on)
    else:
        assert state.round is not None
        mover = state.round.to_move
        decided = decide_turn(state, mover, choose_turn(state.round, rng), state.round.ply)
    assert not isinstance(decided, Refusal), decided
    return decided


def _whim(state: MatchState, rng: random.Random) -> Event | Refusal:
    seat = _below(rng, 2)
    if state.offer is not None:
        return decide_answer(state, 1 - state.offer, accept=rng.random() < 0.2)
    if rng.random() < 0.8:
        return decide_offer(state, seat)
    leave = (decide_resign, decide_abandon, decide_time)[_below(rng, 3)]
    return leave(state, seat)


def _regret(state: MatchState, rng: random.Random) -> Event | Refusal:
    seat = takeback_open(state)
    assert seat is not None
    if state.asked is None:
        return decide_ask_back(state, seat)
    if rng.random() < 0.2:
        return decide_answer_back(state, seat, accept=False)
    return decide_answer_back(state, 1 - seat, accept=rng.random() < 0.7)


# ---- strategies ---------------------------------------------------------------------------------

seeds = st.integers(0, 2**32 - 1)
"""Seeds of random play."""

seats = st.sampled_from(SEATS)
"""A seat."""


def cards(rules: Rules | None = None) -> st.SearchStrategy[Card]:
    """Any face, or any that these rules have."""
    faces = FACES if rules is None else [card for card in FACES if rules.copies(card)]
    return st.sampled_from(faces)


def lays() -> st.SearchStrategy[Lay]:
    """Any lay, legal or not."""
    return st.builds(Lay, cards(), st.booleans())


def turns() -> st.SearchStrategy[Turn]:
    """Any turn, legal or not, with and without the face drawn."""
    piles = st.builds(Turn, lays(), st.sampled_from(Colour))
    return piles | st.builds(Turn, lays(), st.none(), st.none() | cards())


@st.composite
def rules(draw: st.DrawFn, rounds: Rounds | None = None) -> Rules:
    """Any rules that can be played; ``rounds`` fixes their number."""
    colours, wagers = draw(st.integers(1, 6)), draw(st.integers(0, 3))
    top = draw(st.integers(2, 10))
    most = (colours * (wagers + top - 1) - 1) // 2
    if most < 1:
        colours, wagers, top, most = 5, 3, 10, 29
    firsts: list[First] = ["random", 0, 1]
    nexts: list[Next] = ["alternate", "leader", "winner"]
    open_or_not: st.SearchStrategy[Rounds] = st.integers(1, 99) | st.just("open")
    return Rules(
        colours=colours,
        hand=draw(st.integers(1, min(12, most))),
        cost=draw(st.integers(0, 99)),
        bonus=draw(st.integers(0, 99)),
        bonus_at=draw(st.integers(1, 13)),
        rounds=draw(open_or_not) if rounds is None else rounds,
        first=draw(st.sampled_from(firsts)),
        next=draw(st.sampled_from(nexts)),
        own_discard=draw(st.booleans()),
        stall=draw(st.just(0) | st.integers(1, 999) | st.integers(1, 12)),
        wagers=wagers,
        top=top,
    )


def common_rules(rounds: Rounds = 3) -> st.SearchStrategy[Rules]:
    """The game, the long game, and the two small study decks that bring rare cases up often."""
    small = Rules(colours=2, hand=3, top=5, wagers=2, bonus_at=4, rounds=rounds, stall=6)
    own = Rules(colours=3, hand=2, top=4, own_discard=True, rounds=rounds, next="winner")
    game = Rules(rounds=rounds, next="leader")
    return st.sampled_from([game, Rules(colours=6, rounds=rounds), small, own])


def decks(rules: Rules = _DEFAULT) -> st.SearchStrategy[tuple[Card, ...]]:
    """The whole deck of these rules in any order."""
    return st.permutations(rules.all_cards()).map(tuple)


@st.composite
def rounds(draw: st.DrawFn, under: st.SearchStrategy[Rules] | None = None) -> RoundState:
    """A round at any ply, from the deal to the end, the cards known."""
    states = list(random_round(draw(common_rules() if under is None else under), draw(seeds)))
    return states[draw(st.integers(0, len(states) - 1))]


@st.composite
def mid_turns(draw: st.DrawFn, under: st.SearchStrategy[Rules] | None = None) -> RoundState:
    """A round in the middle of a turn: the lay is made, the draw is not."""
    state = draw(rounds(under).filter(lambda each: not each.over))
    return make_lay(state, draw(st.sampled_from(list(state.lays()))))


def positions(under: st.SearchStrategy[Rules] | None = None) -> st.SearchStrategy[RoundState]:
    """What a position says of any round: everything, or with hands and deck hidden."""
    return st.builds(_partly_hidden, rounds(under) | mid_turns(under), st.integers(0, 7))


def _partly_hidden(state: RoundState, what: int) -> RoundState:
    fields = format_position(state).split(" | ")
    for bit, index in enumerate((1, 2, 6)):
        size = len(fields[index].split())
        if what >> bit & 1 and fields[index] != "-":
            fields[index] = f"?{size}"
    return parse_position(" | ".join(fields), state.rules)


@st.composite
def logs(
    draw: st.DrawFn, under: st.SearchStrategy[Rules] | None = None, *, fickle: bool = True
) -> tuple[Event, ...]:
    """The events of a match, cut anywhere after its start."""
    events = tuple(
        islice(
            random_log(
                draw(common_rules() if under is None else under), draw(seeds), fickle=fickle
            ),
            2000,
        )
    )
    return events[: draw(st.integers(1, len(events)))]


def dealt_logs(
    under: st.SearchStrategy[Rules] | None = None,
) -> st.SearchStrategy[tuple[Event, ...]]:
    """As :func:`logs`, with at least one round dealt."""
    return logs(under).filter(lambda log: any(isinstance(event, RoundDealt) for event in log))


@st.composite
def views(draw: st.DrawFn, under: st.SearchStrategy[Rules] | None = None) -> View:
    """What a seat or a spectator may see of any round."""
    state, seat = draw(rounds(under)), draw(st.none() | seats)
    number = draw(st.integers(1, 9))
    return view_of_round(state, seat, number)
