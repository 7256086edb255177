"""What one seat may see, built up from what is allowed.

The page, programs over stdio or HTTP and the analysis all receive a :class:`View`. Nothing here
copies a state and takes away: every field is constructed from what that seat may know.
"""

from __future__ import annotations

from dataclasses import dataclass

from lostcities.core.cards import Card
from lostcities.core.errors import HiddenCardsError
from lostcities.core.match import MatchState, Phase
from lostcities.core.round import RoundState, legal_turns
from lostcities.core.rules import Rounds, Rules
from lostcities.core.scoring import Expeditions
from lostcities.core.seats import SEATS, BySeat, Seat, other
from lostcities.core.turn import Turn


@dataclass(frozen=True, slots=True)
class View:
    """A round as one seat, or a spectator, may see it.

    Attributes:
        seat: whose view it is; None for a spectator.
        to_move: the seat to move; None when the round or the match is over.
        round: the number of the round, from 1.
        rounds: rounds of the match, or ``"open"``.
        ply: turns completed in this round.
        hand: the seat's own cards, canonically ordered; empty for a spectator.
        expeditions: by seat and colour, in the order played.
        piles: by colour, bottom to top.
        deck: how many cards are left.
        hand_sizes: by seat.
        known: by seat, cards that it took from piles and still holds.
        scores: points of this round as it lies, by seat.
        totals: points of earlier rounds, by seat.
        last_turn: the last turn; the face drawn only if it was this seat's own draw.
        legal: every legal turn in order; empty when the seat is not to move.
        rules: the rules in force.
        pile_run: turns in a row, both seats together, that drew from piles (key ``run``, written
            under a stall rule only, where it matters).
    """

    seat: Seat | None
    to_move: Seat | None
    round: int
    rounds: Rounds
    ply: int
    hand: tuple[Card, ...]
    expeditions: BySeat[Expeditions]
    piles: Expeditions
    deck: int
    hand_sizes: BySeat[int]
    known: BySeat[tuple[Card, ...]]
    scores: BySeat[int]
    totals: BySeat[int]
    last_turn: Turn | None
    legal: tuple[Turn, ...]
    rules: Rules
    pile_run: int = 0

    @property
    def other_known(self) -> tuple[Card, ...]:
        """Cards that the other seat is known to hold (key ``known`` of a seat's view)."""
        return self.known[other(self.own_seat)]

    @property
    def exposed(self) -> tuple[Card, ...]:
        """Own cards that the other seat saw this seat take (key ``exposed``)."""
        return self.known[self.own_seat]

    @property
    def own_seat(self) -> Seat:
        """The seat of a seat's view.

        Raises:
            ValueError: a spectator has no seat.
        """
        if self.seat is None:
            raise ValueError("a spectator has no seat")
        return self.seat


def view_for(state: MatchState, seat: Seat | None) -> View:
    """What a seat (or a spectator, None) may see of the present round of a match.

    Raises:
        ValueError: no round has been dealt yet.
    """
    if state.round is None:
        raise ValueError("no round has been dealt yet")
    over = state.phase is Phase.OVER
    return view_of_round(state.round, seat, state.number, state.earlier_totals, ended=over)


_NOTHING = BySeat(0, 0)


def view_of_round(
    state: RoundState,
    seat: Seat | None,
    number: int = 1,
    totals: BySeat[int] = _NOTHING,
    *,
    ended: bool = False,
) -> View:
    """What a seat (or a spectator) may see of a round.

    Args:
        state: the round.
        seat: whose eyes; None for a spectator.
        number: which round of the match it is.
        totals: points of earlier rounds.
        ended: the match has ended in the middle of the round, so that nobody is to move.

    Raises:
        HiddenCardsError: the seat's own hand is hidden, as in a record seen from the other seat.
    """
    if seat is not None and state.hidden_hands[seat]:
        raise HiddenCardsError(f"hand of seat {seat}", "hidden, so its view is not known")
    over = ended or state.over
    mine = seat is not None and state.to_move == seat and not over
    return View(
        seat=seat,
        to_move=None if over else state.to_move,
        round=number,
        rounds=state.rules.rounds,
        ply=state.ply,
        hand=() if seat is None else state.hands[seat],
        expeditions=state.expeditions,
        piles=state.piles,
        deck=state.deck_size,
        hand_sizes=BySeat(*(state.hand_size(each) for each in SEATS)),
        known=state.taken,
        scores=state.score,
        totals=totals,
        last_turn=_last_turn(state, seat),
        legal=legal_turns(state) if mine else (),
        rules=state.rules,
        pile_run=state.pile_run if state.rules.stall else 0,
    )


def _last_turn(state: RoundState, seat: Seat | None) -> Turn | None:
    turn = state.last_turn
    if turn is None:
        return None
    mover = other(state.to_move)
    return turn if seat == mover else turn.public
