"""What the levels below *Expert* think of, as data (no NumPy here).

A level is a *mind*: what it takes into account when it weighs a turn, how often it thinks of no more than the
level below does, and by how much it misjudges. :mod:`lostcities.agents.minds_compiled` weighs by it.
All values are whole numbers of 1/64 point.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass


@dataclass(frozen=True, slots=True)
class Mind:
    """What a player thinks of.

    Attributes:
        cost: weighs the cards in hand against what opening a colour costs. Without it a colour is
            opened with ``start`` cards in hand.
        wagers: knows that wagers multiply, what is lost too; without it they are cards like others.
        unseen: hopes for cards that it has not seen, so it leaves room for them, and thinks of the bonus
            for a long row.
        deck: counts the lays that are left until the deck is empty.
        other: 0 does not look at the other seat; 1 minds what a discard gives to its rows; 2 also minds
            what it may still open and what it is known to hold, and draws from piles to win time.
        start: cards of a colour (wagers too) with which one without ``cost`` opens it.
        luck: what it trusts to come, besides its hand, in a colour without numbers, and the less the
            higher its row stands; one that hopes for unseen cards card by card needs none.
        hope: the chance of 64 at which an unseen card is hoped for by one that counts no lays.
        jump: what it minds about each number passed over, if that is all it knows of leaving room.
        dream: worth of a point in hand in a colour not opened.
        play: what any play is worth above a discard.
        draw: what a card from the deck is worth.
        lapse: of 100 turns, how many it thinks about as the level below would.
        error: standard deviation of what it misjudges a half-turn by.
    """

    cost: bool
    wagers: bool
    unseen: bool
    deck: bool
    other: int
    start: int
    luck: int
    hope: int
    jump: int
    dream: int
    play: int
    draw: int
    lapse: int
    error: int


MINDS = (
    Mind(
        cost=False, wagers=False, unseen=False, deck=False, other=0, start=3, luck=0, hope=0, jump=48,
        dream=14, play=30, draw=240, lapse=0, error=96,
    ),
    Mind(
        cost=True, wagers=False, unseen=False, deck=False, other=0, start=0, luck=100, hope=0, jump=0,
        dream=14, play=130, draw=240, lapse=25, error=64,
    ),
    Mind(
        cost=True, wagers=True, unseen=True, deck=False, other=0, start=0, luck=0, hope=14, jump=0,
        dream=14, play=230, draw=240, lapse=25, error=48,
    ),
    Mind(
        cost=True, wagers=True, unseen=True, deck=True, other=1, start=0, luck=0, hope=0, jump=0,
        dream=16, play=57, draw=240, lapse=25, error=36,
    ),
    Mind(
        cost=True, wagers=True, unseen=True, deck=True, other=2, start=0, luck=0, hope=0, jump=0,
        dream=10, play=57, draw=240, lapse=25, error=16,
    ),
)  # fmt: skip
"""Of the levels 1 to 5, see docs/strength.md."""

(
    COST, WAGERS, UNSEEN, DECK, OTHER, START, LUCK, HOPE, JUMP, DREAM, PLAY, DRAW, LAPSE, ERROR
) = range(14)  # fmt: skip
"""Places of a mind among :func:`numbers`."""


def numbers() -> list[list[int]]:
    """The minds as whole numbers, for the compiled code."""
    return [[int(each) for each in astuple(mind)] for mind in MINDS]
