"""A program that plays Lost Cities by the engine protocol, in plain Python without any dependency.

It reads one JSON object a line, ``{"view": {...}, "time_ms": 1000}``, and answers one a line,
``{"turn": "+R5*"}``. Try it against ours:

    lostcities arena "cmd:python examples/engine.py" greedy --deals 100

The view holds what its seat may see: `hand`, `expeditions` (by seat), `piles` (bottom to top), `deck`
(how many are left), `legal` (every legal turn) and the `rules`. A turn is a lay and a draw: `+R5` plays
the red 5, `-R5` discards it; `*` draws from the deck, `<B` takes the top card of the blue pile.

This player gives each legal turn a number of points and plays the one with the most. Make it better!
"""

import json
import sys
from typing import Any

View = dict[str, Any]
Row = list[str]


def rank(card: str) -> int:
    """The number on a card, 0 for a wager: R10 is 10, RX is 0."""
    return 0 if card[1:] == "X" else int(card[1:])


def highest(row: Row) -> int:
    """The highest number of a row, 0 if it has none."""
    return max((rank(card) for card in row), default=0)


def worth_opening(colour: str, view: View) -> bool:
    """Whether the cards in hand make a good start of a colour while there is time to play them."""
    held = [rank(card) for card in view["hand"] if card[0] == colour]
    return sum(held) >= 18 and view["deck"] > 4 * len(held)


def useful(card: str, row: Row, colour_is_wanted: bool) -> float:
    """How useful a card is to the owner of a row: its points, none if it can no longer be played."""
    if not colour_is_wanted or (row and rank(card) <= highest(row) and rank(card)):
        return 0
    wagers = sum(1 for laid in row if rank(laid) == 0)
    return rank(card) * (1 + wagers) if rank(card) else (8 if highest(row) == 0 else 0)


def points_of_play(card: str, row: Row, view: View) -> float:
    """Playing is good in an open colour, low cards first; opening is for good colours only."""
    if not row and not worth_opening(card[0], view):
        return -40
    between = [
        rank(other)
        for other in view["hand"]
        if other[0] == card[0] and highest(row) < rank(other) < rank(card)
    ]
    wagers_held = sum(1 for other in view["hand"] if other == card[0] + "X")
    skipped_wagers = 10 * wagers_held if rank(card) and not highest(row) else 0
    gap = max(0, rank(card) - max(highest(row), 1) - 1)
    lays_left = view["deck"] // 2
    patience = 1 if lays_left > 6 else 0.2
    return 12 + rank(card) - 2 * sum(between) - skipped_wagers - 2 * gap * patience


def points_of_discard(card: str, row: Row, theirs: Row, view: View) -> float:
    """Discard what neither seat can use."""
    wanted = bool(row) or worth_opening(card[0], view)
    mine = useful(card, row, wanted)
    gift = useful(card, theirs, bool(theirs))
    unknown = 0 if theirs else rank(card) / 2
    return -2 * mine - 2 * gift - unknown


def points_of_draw(turn: str, row: Row, view: View) -> float:
    """A known card that fits is better than an unknown one."""
    if turn[-1] == "*":
        return 4
    top = view["piles"].get(turn[-1], [turn[-1] + "2"])[-1]
    return useful(top, row, bool(row) or worth_opening(top[0], view))


def points(turn: str, view: View) -> float:
    """What a turn is worth to this player."""
    seat = view["seat"]
    mine, theirs = view["expeditions"][seat], view["expeditions"][1 - seat]
    play = turn[0] == "+"
    card = turn[1:4] if turn[2:4] == "10" else turn[1:3]
    row = mine.get(card[0], [])
    if play:
        lay = points_of_play(card, row, view)
    else:
        lay = points_of_discard(card, row, theirs.get(card[0], []), view)
    drawn_row = mine.get(turn[-1], [])
    if play and turn[-1] == card[0]:
        drawn_row = [*drawn_row, card]
    return lay + points_of_draw(turn, drawn_row, view)


def answer(line: str) -> dict[str, str]:
    """The answer to one line."""
    try:
        view = json.loads(line)["view"]
        return {"turn": max(view["legal"], key=lambda turn: points(turn, view))}
    except (ValueError, KeyError, TypeError) as error:
        return {"error": f"cannot read this: {error!r}"}


for line in sys.stdin:
    print(json.dumps(answer(line)), flush=True)
