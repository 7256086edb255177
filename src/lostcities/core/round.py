"""One round: the state, what is legal, and what a turn does.

The state is a value: playing a turn makes another one. It can hold parts that the reader does
not know (a hidden hand, a hidden deck), as positions and one-sided records do; the server's states
never have such parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lostcities.core import sentences as say
from lostcities.core.cards import Card, Colour, distinct, sort_cards, with_card, without
from lostcities.core.errors import HiddenCardsError, NotationError
from lostcities.core.refusal import IllegalTurnError, Reason, Refusal, no
from lostcities.core.rules import Rules
from lostcities.core.scoring import Expeditions, score_round
from lostcities.core.seats import SEATS, BySeat, Seat, other
from lostcities.core.turn import Lay, Turn

Draw = Colour | None
"""Where a card is drawn from: a pile's colour, or None for the deck."""

STALL = "stall"
"""Termination of a round that the stall rule ended; a natural end has none."""


@dataclass(frozen=True, slots=True)
class RoundState:
    """The whole truth of a round (or as much of it as the reader knows).

    Attributes:
        rules: the rules in force.
        to_move: the seat to move; at the end of the round the one after the last mover.
        hands: by seat the cards known, canonically ordered.
        expeditions: by seat, then by colour, each row in the order played.
        piles: by colour, bottom to top.
        deck: top first.
        hidden_hands: by seat, how many more cards it holds that the reader does not know.
        hidden_deck: how many cards a hidden deck has (``deck`` is then empty).
        lay: the lay already made, in the middle of a turn.
        ply: turns completed.
        pile_run: turns in a row, both seats together, that drew from piles.
        taken: by seat, cards that it took from piles and still holds, as the other seat knows.
        last_turn: the last turn, with the face drawn where the reader knows it.
    """

    rules: Rules
    to_move: Seat
    hands: BySeat[tuple[Card, ...]]
    expeditions: BySeat[Expeditions]
    piles: Expeditions
    deck: tuple[Card, ...]
    hidden_hands: BySeat[int] = BySeat(0, 0)
    hidden_deck: int = 0
    lay: Lay | None = None
    ply: int = 0
    pile_run: int = 0
    taken: BySeat[tuple[Card, ...]] = BySeat((), ())
    last_turn: Turn | None = None

    @property
    def deck_size(self) -> int:
        """How many cards the deck still has."""
        return len(self.deck) + self.hidden_deck

    def hand_size(self, seat: Seat) -> int:
        """How many cards a seat holds."""
        return len(self.hands[seat]) + self.hidden_hands[seat]

    @property
    def stalled(self) -> bool:
        """Whether the stall rule has ended the round."""
        return 0 < self.rules.stall <= self.pile_run and self.deck_size > 0

    @property
    def over(self) -> bool:
        """Whether the round has ended: the moment the last deck card is drawn, or by stalling."""
        return self.deck_size == 0 or self.stalled

    @property
    def termination(self) -> str | None:
        """``"stall"`` if the stall rule ended the round, else None."""
        return STALL if self.stalled else None

    @property
    def score(self) -> BySeat[int]:
        """Both seats' points as the rows lie now."""
        return score_round(self.expeditions, self.rules)

    def lays(self) -> Iterator[Lay]:
        """The legal lays in canonical order: card by card, its play and then its discard."""
        return legal_lays(self)

    def draws(self, lay: Lay) -> Iterator[Draw]:
        """The legal draws after a lay: the deck first, then piles in canonical colour order."""
        return legal_draws(self, lay)

    def legal_turns(self) -> tuple[Turn, ...]:
        """Every legal turn in order; none when the round is over.

        Raises:
            HiddenCardsError: the hand of the seat to move is hidden.
        """
        return legal_turns(self)

    def refusal(self, turn: Turn) -> Refusal | None:
        """Why the seat to move may not play this turn; None if it may."""
        return refusal(self, turn)

    def play(self, turn: Turn) -> RoundState:
        """The state after a legal turn.

        Raises:
            IllegalTurnError: the turn is illegal; ask :meth:`refusal` first.
        """
        return play_turn(self, turn)


def check_deck(rules: Rules, deck: tuple[Card, ...]) -> None:
    """Raise :class:`NotationError` unless these are the cards of the rules, each as often."""
    if Counter(deck) != Counter(rules.all_cards()):
        raise NotationError("", say.OTHER_CARDS())


def deal(rules: Rules, deck: tuple[Card, ...], start: Seat) -> RoundState:
    """The first state of a round: cards go one at a time, seat 0 first whoever starts.

    Raises:
        ValueError: the deck does not hold the cards of these rules.
    """
    check_deck(rules, deck)
    dealt = 2 * rules.hand
    empty: Expeditions = ((),) * rules.colours
    hands = BySeat(sort_cards(deck[0:dealt:2]), sort_cards(deck[1:dealt:2]))
    return RoundState(rules, start, hands, BySeat(empty, empty), empty, deck[dealt:])


def may_play(card: Card, row: tuple[Card, ...]) -> bool:
    """Whether a card may go on a row: ascending numbers, wagers first, any number of them."""
    if not row:
        return True
    top = row[-1]
    return card.rank > top.rank or (card.is_wager and top.is_wager)


def legal_lays(state: RoundState) -> Iterator[Lay]:
    """See :meth:`RoundState.lays`."""
    if state.over:
        return
    if state.lay is not None:
        yield state.lay
        return
    seat = state.to_move
    if state.hidden_hands[seat]:
        raise HiddenCardsError(say.HAND_OF(seat=seat), say.HIDDEN_HAND())
    for card in distinct(state.hands[seat]):
        if may_play(card, state.expeditions[seat][card.colour]):
            yield Lay(card, discard=False)
        yield Lay(card, discard=True)


def legal_draws(state: RoundState, lay: Lay) -> Iterator[Draw]:
    """See :meth:`RoundState.draws`; computed after the lay, which may close its own pile."""
    if state.deck_size:
        yield None
    for colour in state.rules.all_colours():
        if _pile_open(state, lay, colour):
            yield colour


def legal_turns(state: RoundState) -> tuple[Turn, ...]:
    """See :meth:`RoundState.legal_turns`."""
    return tuple(Turn(lay, draw) for lay in legal_lays(state) for draw in legal_draws(state, lay))


def _pile_open(state: RoundState, lay: Lay, colour: Colour) -> bool:
    fresh = lay.discard and lay.card.colour == colour
    return state.rules.own_discard if fresh else bool(state.piles[colour])


def _pile_refusal(state: RoundState, lay: Lay, colour: Colour) -> Refusal | None:
    if _pile_open(state, lay, colour):
        return None
    if lay.discard and lay.card.colour == colour:
        return no(Reason.OWN_DISCARD, say.OWN_DISCARD(colour=colour.letter))
    return no(Reason.PILE_EMPTY, say.PILE_EMPTY(colour=colour.letter))


def refusal(state: RoundState, turn: Turn) -> Refusal | None:
    """See :meth:`RoundState.refusal`."""
    return lay_refusal(state, turn.lay) or draw_refusal(state, turn)


def lay_refusal(state: RoundState, lay: Lay) -> Refusal | None:
    """Why a lay is illegal now; None if it is legal."""
    if state.over:
        return no(Reason.ROUND_OVER, say.ROUND_OVER())
    if state.lay is not None:
        if lay == state.lay:
            return None
        return no(Reason.OTHER_LAY_MADE, say.OTHER_LAY_MADE(lay=str(state.lay)))
    card, rules = lay.card, state.rules
    if rules.copies(card) == 0:
        return no(Reason.NO_SUCH_COLOUR, say.ABSENT(card=str(card)))
    if not _may_hold(state, state.to_move, card):
        return no(Reason.NOT_HELD, say.NOT_HELD(seat=state.to_move, card=str(card)))
    row = state.expeditions[state.to_move][card.colour]
    if not lay.discard and not may_play(card, row):
        return _row_refusal(card, row)
    return None


def _row_refusal(card: Card, row: tuple[Card, ...]) -> Refusal:
    if card.is_wager:
        late = say.WAGER_AFTER(card=str(card), before=str(row[-1]))
        return no(Reason.WAGER_AFTER_NUMBER, late)
    return no(Reason.NOT_ASCENDING, say.NOT_HIGHER(card=str(card), before=str(row[-1])))


def _may_hold(state: RoundState, seat: Seat, card: Card) -> bool:
    if card in state.hands[seat]:
        return True
    return state.hidden_hands[seat] > 0 and visible(state)[card] < state.rules.copies(card)


def visible(state: RoundState) -> Counter[Card]:
    """How often the reader knows where each face is."""
    seen = Counter(state.deck)
    for seat in SEATS:
        seen.update(state.hands[seat])
        for row in state.expeditions[seat]:
            seen.update(row)
    for pile in state.piles:
        seen.update(pile)
    return seen


def draw_refusal(state: RoundState, turn: Turn) -> Refusal | None:
    """Why the draw of a turn is illegal after its lay; None if it is legal."""
    if turn.draw is not None:
        if turn.drawn is not None:
            return no(Reason.FACE_NAMED, say.FACE_NAMED())
        if turn.draw >= state.rules.colours:
            return no(Reason.NO_SUCH_COLOUR, say.COLOUR_LACKS(colour=turn.draw.letter))
        return _pile_refusal(state, turn.lay, turn.draw)
    if state.deck_size == 0:
        return no(Reason.DECK_EMPTY, say.DECK_EMPTY())
    return _face_refusal(state, turn) if turn.drawn is not None else None


def _face_refusal(state: RoundState, turn: Turn) -> Refusal | None:
    drawn = turn.drawn
    assert drawn is not None
    if state.deck:
        if drawn == state.deck[0]:
            return None
        other = say.FACE_OTHER(card=str(state.deck[0]), said=str(drawn))
        return no(Reason.FACE_WRONG, other)
    counts = visible(state)
    if state.lay is None and turn.lay.card not in state.hands[state.to_move]:
        counts[turn.lay.card] += 1  # it comes out of the hidden part of the hand
    if counts[drawn] < state.rules.copies(drawn):
        return None
    return no(Reason.FACE_WRONG, say.FACE_GONE(card=str(drawn)))


def play_turn(state: RoundState, turn: Turn) -> RoundState:
    """See :meth:`RoundState.play`."""
    refused = refusal(state, turn)
    if refused is not None:
        raise IllegalTurnError(refused)
    laid = state if state.lay is not None else _laid(state, turn.lay)
    return _take_pile(laid, turn) if turn.draw is not None else _take_deck(laid, turn)


def make_lay(state: RoundState, lay: Lay) -> RoundState:
    """The state in the middle of a turn, after a legal lay.

    Raises:
        IllegalTurnError: the lay is illegal; ask :func:`lay_refusal` first.
    """
    refused = lay_refusal(state, lay)
    if refused is not None:
        raise IllegalTurnError(refused)
    return state if state.lay is not None else _laid(state, lay)


def _laid(state: RoundState, lay: Lay) -> RoundState:
    seat, card = state.to_move, lay.card
    hands, hidden = state.hands, state.hidden_hands
    if card in hands[seat]:
        hands = hands.replace(seat, without(hands[seat], card))
    else:
        hidden = hidden.replace(seat, hidden[seat] - 1)
    taken = state.taken
    if card in taken[seat]:
        taken = taken.replace(seat, without(taken[seat], card))
    expeditions, piles = state.expeditions, state.piles
    if lay.discard:
        piles = _put(piles, card)
    else:
        expeditions = expeditions.replace(seat, _put(expeditions[seat], card))
    return replace(
        state, hands=hands, hidden_hands=hidden, taken=taken, lay=lay,
        expeditions=expeditions, piles=piles,
    )  # fmt: skip


def _put(rows: Expeditions, card: Card) -> Expeditions:
    index = card.colour
    return (*rows[:index], (*rows[index], card), *rows[index + 1 :])


def _take_pile(state: RoundState, turn: Turn) -> RoundState:
    seat, colour = state.to_move, turn.draw
    assert colour is not None
    card = state.piles[colour][-1]
    piles = (*state.piles[:colour], state.piles[colour][:-1], *state.piles[colour + 1 :])
    return replace(
        state, piles=piles, lay=None, to_move=other(seat), ply=state.ply + 1, last_turn=turn,
        pile_run=state.pile_run + 1,
        hands=state.hands.replace(seat, with_card(state.hands[seat], card)),
        taken=state.taken.replace(seat, with_card(state.taken[seat], card)),
    )  # fmt: skip


def _take_deck(state: RoundState, turn: Turn) -> RoundState:
    seat = state.to_move
    drawn = state.deck[0] if state.deck else turn.drawn
    hands, hidden = state.hands, state.hidden_hands
    if drawn is None:
        hidden = hidden.replace(seat, hidden[seat] + 1)
    else:
        hands = hands.replace(seat, with_card(hands[seat], drawn))
    return replace(
        state, hands=hands, hidden_hands=hidden, lay=None, to_move=other(seat),
        deck=state.deck[1:], hidden_deck=max(0, state.hidden_deck - 1),
        ply=state.ply + 1, pile_run=0, last_turn=Turn(turn.lay, None, drawn),
    )  # fmt: skip
