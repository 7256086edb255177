"""The observation and the mask built slowly from the core, as `lostcities.kernel.observe` describes them."""

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from lostcities import encoding
from lostcities.core.cards import FACES, Card
from lostcities.core.round import RoundState, may_play
from lostcities.core.rules import Rules
from lostcities.core.seats import Seat, other
from lostcities.kernel import bridge

Cards = Iterable[Card]


@cache
def deck(rules: Rules) -> list[int]:
    """How many cards of each face there are."""
    return [rules.copies(card) for card in FACES]


@cache
def faces_by_colour(rules: Rules) -> list[list[Card]]:
    """Each face once, by colour."""
    faces = sorted(set(rules.all_cards()))
    return [[card for card in faces if card.colour == c] for c in range(rules.colours)]


def slow_observation(state: RoundState, seat: Seat) -> NDArray[np.int64]:
    """What a seat may see, value by value."""
    rules, away = state.rules, other(seat)
    rows = [[card for row in state.expeditions[s] for card in row] for s in (seat, away)]
    piled = [card for pile in state.piles for card in pile]
    known, shown = state.taken[away], state.taken[seat]
    left = list(deck(rules))
    for card in [*state.hands[seat], *rows[0], *rows[1], *piled, *known]:
        left[_face(card)] -= 1
    unseen = [FACES[face] for face, copies in enumerate(left) for _ in range(copies)]
    open_ = [
        [
            card
            for row, cards in zip(state.expeditions[s], faces_by_colour(rules), strict=True)
            for card in cards
            if may_play(card, row)
        ]
        for s in (seat, away)
    ]
    counted: list[Cards] = [state.hands[seat], *rows, piled, known, shown, unseen]
    planes = [*counted[:4], [pile[-1] for pile in state.piles if pile], *counted[4:], *open_]
    blocks: list[list[int]] = [*(_plane(cards, state) for cards in planes)]
    blocks += [_wagers(cards, state) for cards in counted]
    blocks += [_stack(pile) for pile in state.piles]
    blocks += [_closed(state), _numbers(state, seat)]
    return np.array([value for block in blocks for value in block])


def _face(card: Card) -> int:
    return 10 * card.colour + max(0, card.rank - 1)


def _plane(cards: Cards, state: RoundState) -> list[int]:
    plane = [0] * encoding.faces(state.rules.colours)
    for card in cards:
        plane[_face(card)] = 1
    return plane


def _wagers(cards: Cards, state: RoundState) -> list[int]:
    counts = [0] * state.rules.colours
    for card in cards:
        counts[card.colour] += card.rank == 0
    return counts


def _stack(pile: tuple[Card, ...]) -> list[int]:
    return ([card.rank or 1 for card in reversed(pile)] + 12 * [0])[:12]


def _closed(state: RoundState) -> list[int]:
    lay = state.lay
    shut = lay is not None and lay.discard and not state.rules.own_discard
    return [int(shut and lay.card.colour == c) for c in range(state.rules.colours)]  # type: ignore[union-attr]


def _numbers(state: RoundState, seat: Seat) -> list[int]:
    away = other(seat)
    numbers = [
        int(state.lay is not None),
        state.deck_size,
        state.pile_run if state.rules.stall else 0,
        state.rules.stall,
        state.ply,
        len(state.hands[away]) - len(state.taken[away]),
        len(state.hands[seat]) - len(state.taken[seat]),
        int(not state.over and state.to_move == seat),
    ]
    return [min(number, 255) for number in numbers]


def slow_mask(state: RoundState) -> NDArray[np.int64]:
    """1 for each action that the core allows."""
    count = state.rules.colours
    mask = np.zeros(encoding.actions(count), dtype=np.int64)
    if state.over:
        return mask
    if state.lay is None:
        mask[[bridge.lay_to_action(lay, count) for lay in state.lays()]] = 1
    else:
        mask[[bridge.draw_to_action(draw, count) for draw in state.draws(state.lay)]] = 1
    return mask
