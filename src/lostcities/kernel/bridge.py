"""Between the core's values and the kernel's rows. The only module of the kernel that knows the core.

The core is the authority: where the two differ, the kernel is wrong.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lostcities import encoding
from lostcities.core.cards import FACES, Card, Colour, sort_cards
from lostcities.core.errors import HiddenCardsError, NotationError
from lostcities.core.perft import check_known
from lostcities.core.round import RoundState, visible
from lostcities.core.rules import Rules
from lostcities.core.scoring import Expeditions
from lostcities.core.seats import SEATS, BySeat, Seat, other
from lostcities.core.turn import Lay, Turn
from lostcities.core.views import View
from lostcities.kernel import layout as at
from lostcities.kernel import perft as kernel_perft
from lostcities.kernel.rng import seeded
from lostcities.kernel.rules import pack_rules

Words = list[int]


def pack(rules: Rules) -> NDArray[np.int32]:
    """Rules as the kernel takes them (what concerns the match, not the round, is left out)."""
    return pack_rules(
        colours=rules.colours,
        hand=rules.hand,
        cost=rules.cost,
        bonus=rules.bonus,
        bonus_at=rules.bonus_at,
        own_discard=rules.own_discard,
        stall=rules.stall,
        wagers=rules.wagers,
        top=rules.top,
    )


@functools.cache
def packed(rules: Rules) -> NDArray[np.int32]:
    """As :func:`pack`, made once for the same rules and shared, so only to be read."""
    return pack(rules)


def faces_of(cards: Iterable[Card]) -> NDArray[np.uint8]:
    """Cards as an array of faces, in the order given; a deck for :func:`lostcities.kernel.deal`."""
    return np.array([card.face for card in cards], dtype=np.uint8)


# ---- turns --------------------------------------------------------------------------------------


def lay_to_action(lay: Lay, colours: int) -> int:
    """The action of a lay, see :mod:`lostcities.encoding`."""
    face = lay.card.face
    return encoding.discard_action(colours, face) if lay.discard else encoding.play_action(face)


def draw_to_action(draw: Colour | None, colours: int) -> int:
    """The action of a draw from a pile, or (None) from the deck."""
    return encoding.deck_action(colours) if draw is None else encoding.pile_action(colours, draw)


def turn_to_actions(turn: Turn, colours: int) -> tuple[int, int]:
    """The two actions of a turn."""
    return lay_to_action(turn.lay, colours), draw_to_action(turn.draw, colours)


def action_to_lay(action: int, colours: int) -> Lay:
    """The lay of an action.

    Raises:
        ValueError: the action is no lay.
    """
    if not (action >= 0 and encoding.is_lay(colours, action)):
        raise ValueError(f"action {action} is no lay with {colours} colours")
    plays = encoding.faces(colours)
    return Lay(FACES[action % plays], action >= plays)


def action_to_draw(action: int, colours: int) -> Colour | None:
    """The draw of an action: a colour's pile, or None for the deck.

    Raises:
        ValueError: the action is no draw.
    """
    pile = action - encoding.deck_action(colours)
    if not 0 <= pile <= colours:
        raise ValueError(f"action {action} is no draw with {colours} colours")
    return None if pile == 0 else Colour(pile - 1)


def actions_to_turn(lay: int, draw: int, colours: int) -> Turn:
    """The turn of two actions."""
    return Turn(action_to_lay(lay, colours), action_to_draw(draw, colours))


# ---- to rows ------------------------------------------------------------------------------------


def to_row(state: RoundState, seed: int = 0, *, fill_hidden: bool = False) -> NDArray[np.uint64]:
    """A row that holds a state.

    Args:
        state: with every card known.
        seed: of the row's random numbers.
        fill_hidden: whether hidden parts of the state are filled with the cards not seen, in
            canonical order, rather than refused; shuffle them with
            :func:`lostcities.kernel.resample`.

    Raises:
        HiddenCardsError: a hand or the deck is hidden and ``fill_hidden`` is not set.
        NotationError: more cards are hidden than are left unseen.
    """
    known = _filled(state) if fill_hidden else state
    check_known(known, 2)
    words = [0] * at.WORDS
    for seat in SEATS:
        _put_seat(words, known, seat)
    _put_piles(words, known)
    _put_deck(words, known.deck)
    _put_turn(words, known)
    row = np.array(words, dtype=at.ROW)
    row[at.RNG] = seeded(np.uint64(seed))
    return row


def view_to_row(view: View, seed: int = 0) -> NDArray[np.uint64]:
    """A row that agrees with a seat's view; what it hides is filled in an order that tells nothing.

    Shuffle it with :func:`lostcities.kernel.resample` for the view's seat.

    Raises:
        ValueError: a spectator's view, which has no hand.
        NotationError: more cards are hidden than are left unseen.
    """
    seat = view.own_seat
    hidden = view.hand_sizes[other(seat)] - len(view.other_known)
    state = RoundState(
        rules=view.rules,
        to_move=seat if view.to_move is None else view.to_move,
        hands=BySeat(view.other_known, view.other_known).replace(seat, view.hand),
        expeditions=view.expeditions,
        piles=view.piles,
        deck=(),
        hidden_hands=BySeat(hidden, hidden).replace(seat, 0),
        hidden_deck=view.deck,
        ply=view.ply,
        pile_run=view.pile_run,
        taken=view.known,
        last_turn=view.last_turn,
    )
    return to_row(state, seed, fill_hidden=True)


def _filled(state: RoundState) -> RoundState:
    counts = visible(state)
    unseen = [card for card in FACES for _ in range(state.rules.copies(card) - counts[card])]
    hidden = sum(state.hidden_hands) + state.hidden_deck
    if hidden > len(unseen):
        raise NotationError("position", f"{hidden} cards are hidden, but only {len(unseen)} unseen")
    hands = state.hands
    for seat in SEATS:
        count = state.hidden_hands[seat]
        hands = hands.replace(seat, sort_cards((*hands[seat], *unseen[:count])))
        unseen = unseen[count:]
    deck = (*state.deck, *unseen[: state.hidden_deck])
    return replace(state, hands=hands, deck=deck, hidden_hands=BySeat(0, 0), hidden_deck=0)


def _bits(cards: Iterable[Card]) -> int:
    word = 0
    for card in cards:
        word |= 1 << card.face
    return word


def _wagers(cards: Iterable[Card], field: int) -> int:
    return sum(1 << 8 * card.colour + field for card in cards if card.is_wager)


def _put_seat(words: Words, state: RoundState, seat: Seat) -> None:
    base = at.SEAT * seat
    laid = [card for row in state.expeditions[seat] for card in row]
    words[base + at.HAND] = _bits(state.hands[seat])
    words[base + at.LAID] = _bits(laid)
    words[base + at.KNOWN] = _bits(state.taken[seat])
    words[base + at.WAGERS] = (
        _wagers(state.hands[seat], at.IN_HAND)
        + _wagers(laid, at.IN_LAID)
        + _wagers(state.taken[seat], at.IN_KNOWN)
    )
    words[base + at.OPEN] = _bits(
        card for card in set(state.rules.all_cards()) if _open(card, state.expeditions[seat])
    )


def _open(card: Card, rows: Expeditions) -> bool:
    return card.rank > max((laid.rank for laid in rows[card.colour]), default=0) or (
        card.is_wager and all(laid.is_wager for laid in rows[card.colour])
    )


def _put_piles(words: Words, state: RoundState) -> None:
    piled = [card for pile in state.piles for card in pile]
    words[at.PILED] = _bits(piled)
    words[at.PILED_WAGERS] = _wagers(piled, 0)
    for colour, pile in enumerate(state.piles):
        for card in pile:
            stack = words[at.PILES + 1 + colour]
            words[at.PILES + 1 + colour] = stack << 4 | (card.face % 10 + 1)


def _put_deck(words: Words, deck: tuple[Card, ...]) -> None:
    first = at.DECK_END - len(deck)
    words[at.NEXT] = first
    for place, card in enumerate(deck, first):
        words[at.DECK + place // 8] |= card.face << 8 * (place % 8)


def _put_turn(words: Words, state: RoundState) -> None:
    words[at.MOVER] = state.to_move
    words[at.RUN] = state.pile_run
    words[at.PLY] = state.ply
    colours = state.rules.colours
    if state.lay is not None:
        words[at.LAY] = lay_to_action(state.lay, colours) + 1
        if state.lay.discard and not state.rules.own_discard:
            words[at.CLOSED] = 1 << state.lay.card.colour
    if state.last_turn is not None:
        lay, draw = turn_to_actions(state.last_turn, colours)
        drawn = state.last_turn.drawn
        face = 0 if drawn is None else drawn.face + 1
        words[at.LAST] = lay + 1 | draw + 1 << 8 | face << 16


# ---- from rows ----------------------------------------------------------------------------------


def from_row(row: NDArray[np.uint64], rules: Rules) -> RoundState:
    """The state that a row holds under the rules with which it was dealt."""
    words = [int(word) for word in row]
    lay = words[at.LAY]
    return RoundState(
        rules=rules,
        to_move=words[at.MOVER],
        hands=BySeat(*(_cards(words, seat, at.HAND, at.IN_HAND) for seat in SEATS)),
        expeditions=BySeat(*(_rows(words, seat, rules) for seat in SEATS)),
        piles=tuple(_pile(words, colour) for colour in range(rules.colours)),
        deck=_deck(words),
        lay=action_to_lay(lay - 1, rules.colours) if lay else None,
        ply=words[at.PLY],
        pile_run=words[at.RUN],
        taken=BySeat(*(_cards(words, seat, at.KNOWN, at.IN_KNOWN) for seat in SEATS)),
        last_turn=_last_turn(words[at.LAST], rules),
    )


def _cards(words: Words, seat: Seat, which: int, field: int) -> tuple[Card, ...]:
    faces, wagers = words[at.SEAT * seat + which], words[at.SEAT * seat + at.WAGERS]
    cards: list[Card] = []
    while faces:
        face = (faces & -faces).bit_length() - 1
        faces &= faces - 1
        copies = 1 if face % 10 else wagers >> 8 * (face // 10) + field & 3
        cards += [FACES[face]] * copies
    return tuple(cards)


def _rows(words: Words, seat: Seat, rules: Rules) -> Expeditions:
    laid = _cards(words, seat, at.LAID, at.IN_LAID)
    return tuple(
        tuple(card for card in laid if card.colour == colour) for colour in range(rules.colours)
    )


def _pile(words: Words, colour: int) -> tuple[Card, ...]:
    stack = words[at.PILES + 1 + colour]
    codes = [stack >> 4 * depth & 15 for depth in range(12)]
    return tuple(FACES[10 * colour + code - 1] for code in reversed(codes) if code)


def _deck(words: Words) -> tuple[Card, ...]:
    places = range(words[at.NEXT], at.DECK_END)
    return tuple(FACES[words[at.DECK + place // 8] >> 8 * (place % 8) & 255] for place in places)


def _last_turn(word: int, rules: Rules) -> Turn | None:
    if not word:
        return None
    turn = actions_to_turn((word & 255) - 1, (word >> 8 & 255) - 1, rules.colours)
    face = word >> 16 & 255
    return replace(turn, drawn=FACES[face - 1]) if face else turn


# ---- perft --------------------------------------------------------------------------------------


def perft(state: RoundState, length: int) -> int:
    """:func:`lostcities.core.perft.perft` by the kernel.

    Raises:
        HiddenCardsError: cards that the count depends on are hidden.
    """
    check_known(state, length)
    seat = state.to_move
    if length and not state.over and state.lay is None and state.hidden_hands[seat]:
        raise HiddenCardsError(f"hand of seat {seat}", "hidden, so its legal turns are not known")
    row = to_row(state, fill_hidden=True)
    return kernel_perft.perft(row, pack(state.rules), length)
