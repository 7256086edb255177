"""A record in the words of the deck that it was played with, for people who hold those cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lostcities.cli import paint
from lostcities.cli.complaint import printable
from lostcities.core.cards import Card
from lostcities.core.record import Record
from lostcities.core.round import RoundState
from lostcities.core.seats import SEATS
from lostcities.core.turn import Turn
from lostcities.table.deck import Deck
from lostcities.table.deck_file import find_deck
from lostcities.table.records import TAG, check_serves, deck_of

RECORDED = "record"
"""What the option says for the deck that the record itself names."""


def deck_for(name: str, record: Record, own: Iterable[Deck] = ()) -> Deck:
    """The deck to speak of a record in: the one named, or the one that the record names.

    A record that names none, or one that nobody here knows, is told in the deck that comes with its
    colours.

    Raises:
        DeckError: no such deck, or one without the cards of the record's rules.
        RecordError: the record's own deck lacks the cards of its rules.
        OSError: the file cannot be read.
    """
    if name == RECORDED:
        deck = deck_of(record, own) or find_deck("six" if record.rules.colours == 6 else "five")
    else:
        deck = find_deck(name)
    check_serves(deck, record.rules)
    return deck


def unknown(name: str, record: Record, own: Iterable[Deck] = ()) -> str | None:
    """The deck that the record names and that nobody here knows, where it was asked for."""
    if name != RECORDED or deck_of(record, own) is not None:
        return None
    return dict(record.tags).get(TAG)


def table_lines(state: RoundState, deck: Deck, names: list[str]) -> Iterator[str]:
    """What lies on the table: rows of both sides, piles, hands, the deck."""
    for seat in SEATS:
        yield paint.bold(f"{names[seat]}: {state.score[seat]}")
        yield from _rows("row", state.expeditions[seat], deck)
        hand = [deck.say(card) for card in state.hands[seat]]
        hidden = state.hidden_hands[seat]
        hand += [f"{hidden} unknown"] if hidden else []
        yield f"  hand: {', '.join(hand) or '-'}"
    yield paint.bold("piles")
    yield from _rows("pile", state.piles, deck)
    yield f"deck: {state.deck_size}"


def _rows(what: str, rows: tuple[tuple[Card, ...], ...], deck: Deck) -> Iterator[str]:
    """Rows or piles in the order in which the deck's colours lie."""
    width = max(len(each.name) for each in deck.colours)
    for each in deck.colours:
        row = rows[each.colour]
        if row:
            cards = " ".join(deck.wager if card.is_wager else str(card.rank) for card in row)
            yield f"  {paint.colour(f'{each.name:<{width}}', each.colour)}  {cards}"
    if not any(rows):
        yield f"  no {what} yet"


def turn_lines(turns: tuple[Turn, ...], start: int, deck: Deck, names: list[str]) -> Iterator[str]:
    """Every turn as a sentence, counted from 1."""
    for number, turn in enumerate(turns, 1):
        yield f"{number}. {names[(start + number - 1) % 2]} {turn_words(turn, deck)}"


def turn_words(turn: Turn, deck: Deck) -> str:
    """A turn as a sentence without its subject: ``plays red 5 and draws purple 4``."""
    lay = f"{'discards' if turn.lay.discard else 'plays'} {deck.say(turn.lay.card)}"
    if turn.draw is not None:
        return f"{lay} and takes from the {deck.printed(turn.draw).name} pile"
    drawn = "from the deck" if turn.drawn is None else deck.say(turn.drawn)
    return f"{lay} and draws {drawn}"


def names_of(record: Record) -> list[str]:
    """The players, safe to print."""
    return [printable(record.seats[seat] or f"seat {seat}") for seat in SEATS]
