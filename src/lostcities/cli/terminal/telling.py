"""What both ways of showing a match say in words, from the person's side."""

from __future__ import annotations

from lostcities.cli.score import working
from lostcities.core.cards import Card, Colour
from lostcities.core.refusal import Reason, Refusal
from lostcities.core.scoring import ExpeditionScore, score_expedition
from lostcities.core.seats import Seat, other
from lostcities.core.turn import Lay, Turn
from lostcities.core.views import View

HELP = """\
Write a turn in one go, or lay first and then draw:
  +R5*   play the red 5, draw from the deck     +R5  or  play r5  or  p r5
  -R5<B  discard the red 5, take the blue pile  -R5  or  discard r5  or  d r5
then  *  or  deck  or  Enter                    <B  or  b  or  blue  or  take b
X is a wager: RX. Until you draw you may lay another card instead, or undo.
board  the board again       piles  all the cards of every pile
score  the sums so far       legal  every legal turn
resign  give the match up    quit   leave the match unfinished"""

_FEW = 10


def told(turn: Turn, name: str | None, taken: Card | None) -> str:
    """One turn in a sentence.

    Args:
        turn: with the face drawn from the deck only if it was the person's own draw.
        name: who played it; None for the person.
        taken: the card that it took from a pile, which both seats have seen.
    """
    who, s = ("You", "") if name is None else (name, "s")
    lay = turn.lay
    does = f"discard{s} {lay.card}" if lay.discard else f"play{s} {lay.card}"
    if turn.draw is not None:
        return f"{who} {does} and take{s} {taken} from its pile."
    drawn = f"draw{s} {turn.drawn}" if turn.drawn is not None else f"draw{s}"
    return f"{who} {does} and {drawn} from the deck."


ASK_LAY = "Play (as in +R5) or discard (as in -R5) a card; ? helps"
"""The prompt of the first half of a turn."""


def ask_draw(view: View, lay: Lay) -> str:
    """The prompt of the second half of a turn: where the next card may come from."""
    tops = [str(view.piles[turn.draw][-1]) for turn in view.legal if turn.draw is not None]
    laid = "discarded" if lay.discard else "played"
    piles = f", or {' '.join(tops)}" if tops else ""
    return f"{lay.card} {laid}; now draw: Enter for the deck{piles}; undo"


def refused(refusal: Refusal, lay: Lay) -> str:
    """Why what the person wanted is not possible."""
    if refusal.reason is Reason.NOT_HELD:
        return f"You do not hold {lay.card}."
    return f"Not possible: {refusal.text}."


def turns_left(view: View) -> int | None:
    """Near the end of the deck: how many turns the seat to move still has if all draw from it."""
    return (view.deck + 1) // 2 if view.deck <= _FEW else None


def legal(view: View) -> str:
    """Every legal turn, a line for each lay."""
    lines: dict[Lay, list[str]] = {}
    for turn in view.legal:
        lines.setdefault(turn.lay, []).append(str(turn))
    return "\n".join(" ".join(turns) for turns in lines.values())


def lay_of(view: View) -> frozenset[Lay]:
    """The lays that are legal now."""
    return frozenset(turn.lay for turn in view.legal)


def sums(view: View, seat: Seat) -> list[tuple[Colour, ExpeditionScore]]:
    """A seat's points by colour, with their working."""
    return [
        (colour, score_expedition(view.expeditions[seat][colour], view.rules))
        for colour in view.rules.all_colours()
    ]


def sum_text(score: ExpeditionScore) -> str:
    """The working of a colour with its points, ``(8 - 20) × 2 = -24``."""
    return f"{working(score)} {score.total}" if score.cards else "not opened"


def totals_with(view: View) -> tuple[int, int]:
    """The match totals with the present round as it lies: the person's, then the other's."""
    mine, theirs = view.own_seat, other(view.own_seat)
    return view.totals[mine] + view.scores[mine], view.totals[theirs] + view.scores[theirs]


def known_text(view: View, name: str) -> str:
    """What the other seat is known to hold; empty if nothing."""
    if not view.other_known:
        return ""
    return f"{name} took and still holds {' '.join(map(str, view.other_known))}"


def piles(view: View) -> str:
    """Every pile with all its cards, bottom to top."""
    lines = [
        f"{Colour(index).name.lower()}: {' '.join(map(str, pile))}"
        for index, pile in enumerate(view.piles)
        if pile
    ]
    return "\n".join(["Piles, bottom to top:", *lines]) if lines else "All piles are empty."
