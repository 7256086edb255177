"""A whole score sheet in the fragment of a link, as the page writes and reads it.

``#1.CONTENT.SUM``: the version, the content as base64url of JSON, and a checksum (CRC-32 in base 36),
so that a link cut short is told from a whole one. docs/sheet.md has the keys of the content. Version 2
may say which of several equal wagers lies there, and who started a round; it is written only where
something does, so that programs which know version 1 alone read every other link.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from lostcities.core.cards import Card, parse_card, sort_cards
from lostcities.core.errors import NotationError
from lostcities.core.rules import PRESETS, Rules
from lostcities.core.said import inside
from lostcities.core.seats import SEATS, BySeat, Seat
from lostcities.core.sentences import ROUND
from lostcities.table import sentences as say
from lostcities.table.deck import Deck, DeckError
from lostcities.table.deck_file import deck_of_table, shipped
from lostcities.table.plain import plain
from lostcities.table.records import check_serves
from lostcities.table.sheets import Problem, Sheet, make_sheet

LONGEST = 1 << 16
"""Characters of a link at most."""
LONGEST_NAME = 40
MOST_ROUNDS = 99
_VERSIONS = ("1", "2")
_LINK = re.compile(r"(?:\S*#)?[0-9]+\.[A-Za-z0-9_-]+(?:\.\S*)?")
_ROW = re.compile(r"[YBWGRP][X2-9T]{1,24}")
_HALF = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
"""What is escaped in JSON, and as its group half a surrogate pair: no sign, but a name cut short may
end in one.
"""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

Cards = tuple[Card, ...]
Named = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PaperMatch:
    """A match as it stands on a sheet: no turns, only what lies there at the end of each round.

    Attributes:
        names: by seat; empty where nobody wrote one.
        rules: in force.
        source: the preset whose text they follow; None for none.
        deck: in whose words and colours it is shown.
        first: who started the first round; None if nobody has said so.
        rounds: the cards of both sides, in canonical order.
        at: which round was looked at last, from 0.
        finished: whether the match was closed.
        wagers: the wagers that were named by the deck's index, by round and seat, in the order named;
            empty if none was.
        starts: for each round who started it, where that was not who does by the rules, else None;
            empty if there is none.
    """

    names: BySeat[str]
    rules: Rules
    source: str | None
    deck: Deck
    first: Seat | None
    rounds: tuple[BySeat[Cards], ...]
    at: int = 0
    finished: bool = False
    wagers: tuple[BySeat[Named], ...] = ()
    starts: tuple[Seat | None, ...] = ()

    def sheets(self) -> tuple[Sheet, ...]:
        """Every round with its working, and what makes it impossible."""
        nothing: BySeat[Named] = BySeat.both(())
        named = self.wagers or (nothing,) * len(self.rounds)
        return tuple(
            _with_shared(make_sheet(cards, self.rules), each, self.deck)
            for cards, each in zip(self.rounds, named, strict=True)
        )


def _with_shared(sheet: Sheet, named: BySeat[Named], deck: Deck) -> Sheet:
    """The sheet, and as impossible what lies on both sides though it is printed once."""
    cards = deck.by_index()
    shared = tuple(
        Problem(cards[index], SEATS, say.WAGER_SHARED(index=index))
        for index in named[0]
        if index in named[1]
    )
    return replace(sheet, problems=(*sheet.problems, *shared)) if shared else sheet


def is_link(text: str) -> bool:
    """Whether a text is the link of a sheet, or the fragment of one, however damaged."""
    return _LINK.fullmatch(text.strip()) is not None


def read_link(text: str) -> PaperMatch:
    """The sheet in a link: a whole address, its fragment, or that without the ``#``.

    Raises:
        NotationError: damaged, of another version, or no sheet; says which and why.
    """
    fragment = text.strip().rpartition("#")[2]
    version, _, rest = fragment.partition(".")
    if not version.isascii() or not version.isdigit():
        raise NotationError(say.LINK(), say.NO_SHEET())
    if version not in _VERSIONS:
        known = " and ".join(_VERSIONS)
        raise NotationError(say.LINK(), say.VERSION(found=version[:9], due=known))
    content, _, checksum = rest.partition(".")
    data = _decoded(content) if len(fragment) <= LONGEST else None
    if data is None or _base36(zlib.crc32(data)) != checksum:
        raise NotationError(say.LINK(), say.DAMAGED())
    return _match(_json(data))


def write_link(match: PaperMatch) -> str:
    """The fragment that holds a sheet; the same, letter for letter, that the page writes."""
    told = _content(match)
    content = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
    return seal(content, _VERSIONS["i" in told or "b" in told])


def seal(content: bytes, version: str = "1") -> str:
    """The fragment of a whole link with this content, whatever it is."""
    body = base64.urlsafe_b64encode(content).decode().rstrip("=")
    return f"#{version}.{body}.{_base36(zlib.crc32(content))}"


def _decoded(text: str) -> bytes | None:
    try:
        padded = text + "=" * (-len(text) % 4)
        return base64.b64decode(padded.encode("ascii"), b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None


def _base36(number: int) -> str:
    text = ""
    while number:
        number, digit = divmod(number, 36)
        text = _DIGITS[digit] + text
    return text or "0"


def _json(data: bytes) -> dict[str, Any]:
    try:
        text = _HALF.sub(lambda found: "" if found[1] else found[0], data.decode("utf-8"))
        value = json.loads(text, parse_float=_number, parse_int=_number, parse_constant=_constant)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise NotationError(say.LINK(), say.UNREADABLE())
    return value


def _number(text: str) -> int | float:
    """A number as the page reads it: 1.0 is 1."""
    number = float(text)
    return int(number) if number.is_integer() else number


def _constant(text: str) -> float:
    raise ValueError(f"{text} is no JSON")


# ---- reading the content ------------------------------------------------------------------------


def _match(content: dict[str, Any]) -> PaperMatch:
    names = _names(content.get("n"))
    rules = _rules(content.get("r"))
    rounds = _rounds(content.get("s"))
    deck = _deck(content.get("d"))
    try:
        check_serves(deck, rules)
    except DeckError as error:
        raise NotationError(inside(say.CARDS(), deck.name), error.why) from None
    first, at, source = content.get("f"), content.get("a"), content.get("p")
    if first is not None and (type(first) is not int or first not in (0, 1)):
        raise NotationError("f", say.NO_FIRST())
    looked = at if type(at) is int and 0 <= at < len(rounds) else 0
    known = source if isinstance(source, str) and follows(source, rules) else None
    return PaperMatch(
        names, rules, known, deck, first, rounds, looked, content.get("e") is True,
        _named(content.get("i"), rounds, deck), _starts(content.get("b"), len(rounds)),
    )  # fmt: skip


def _names(value: object) -> BySeat[str]:
    match value:
        case [str(one), str(two)]:
            return BySeat(plain(one)[:LONGEST_NAME], plain(two)[:LONGEST_NAME])
        case _:
            raise NotationError("n", say.TWO_NAMES())


def _rules(value: object) -> Rules:
    if not isinstance(value, dict):
        raise NotationError("r", say.NO_RULES())
    try:
        return Rules.from_dict(value)
    except NotationError as error:
        raise error.within("r") from None


def follows(source: str, rules: Rules) -> bool:
    """Whether rules are those of a preset. How many colours there are is the deck's, and the number
    of rounds is the players' where the text leaves it to them.
    """
    preset = PRESETS.get(source)
    if preset is None:
        return False
    mine, due = rules.to_dict(), preset.to_dict()
    free = {"colours"} if source != "long" else set()
    free |= {"rounds"} if source in ("site", "travel") else set()
    return all(mine[key] == due[key] for key in due if key not in free)


def _rounds(value: object) -> tuple[BySeat[Cards], ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_ROUNDS:
        raise NotationError("s", say.ROUNDS(most=MOST_ROUNDS))
    return tuple(_round(each, number) for number, each in enumerate(value, 1))


def _round(value: object, number: int) -> BySeat[Cards]:
    match value:
        case [str(one), str(two)]:
            return BySeat(_side(one, number), _side(two, number))
        case _:
            raise NotationError(ROUND(n=number), say.TWO_SIDES())


def _side(text: str, number: int) -> Cards:
    cards: list[Card] = []
    for row in text.split(" ") if text else ():
        if not _ROW.fullmatch(row):
            raise NotationError(ROUND(n=number), say.NO_ROW(found=row[:30]))
        cards += (parse_card(row[0] + ("10" if rank == "T" else rank)) for rank in row[1:])
    return tuple(sort_cards(cards))


def _named(
    value: object, rounds: tuple[BySeat[Cards], ...], deck: Deck
) -> tuple[BySeat[Named], ...]:
    """Which wagers lie there; each must be one of those that do."""
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) != len(rounds):
        raise NotationError("i", say.EACH_INDICES())
    found: list[BySeat[Named]] = []
    for number, (each, cards) in enumerate(zip(value, rounds, strict=True), 1):
        match each:
            case [str(one), str(two)]:
                sides = BySeat(_indices(one), _indices(two))
            case _:
                raise NotationError(inside("i", ROUND(n=number)), say.TWO_SIDES())
        for seat in SEATS:
            _check_named(sides[seat], cards[seat], deck, number)
        found.append(sides)
    return tuple(found) if any(any(sides) for sides in found) else ()


def _indices(text: str) -> Named:
    return tuple(text.split(" ")) if text else ()


def _check_named(named: Named, side: Cards, deck: Deck, number: int) -> None:
    cards = deck.by_index()
    seen: set[str] = set()
    left = Counter(card for card in side if card.is_wager)
    for index in named:
        card = cards.get(index)
        if card is None or index in seen or not left[card]:
            place = inside("i", ROUND(n=number))
            raise NotationError(place, say.NOT_LYING(found=index[:30]))
        seen.add(index)
        left[card] -= 1


def _starts(value: object, rounds: int) -> tuple[Seat | None, ...]:
    """Who started each round; of the first one ``f`` tells it."""
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) != rounds or value[0] is not None:
        raise NotationError("b", say.EACH_START())
    for number, start in enumerate(value, 1):
        if start is not None and (type(start) is not int or start not in (0, 1)):
            raise NotationError(inside("b", ROUND(n=number)), say.NO_STARTER())
    return tuple(value) if any(start is not None for start in value) else ()


def _deck(value: object) -> Deck:
    if isinstance(value, str):
        for deck in shipped():
            if deck.name == value:
                return deck
        raise NotationError(say.CARDS(), say.NOT_SHIPPED(found=value[:40]))
    if not isinstance(value, dict):
        raise NotationError(say.CARDS(), say.DECK_MISSING())
    try:
        return deck_of_table(value, "deck")
    except DeckError as error:
        raise NotationError(say.CARDS(), error.why) from None


# ---- writing it ---------------------------------------------------------------------------------


def _content(match: PaperMatch) -> dict[str, Any]:
    usual = Rules().to_dict()
    changed = {key: value for key, value in match.rules.to_dict().items() if value != usual[key]}
    return {
        "n": list(match.names),
        "r": changed,
        **({} if match.source is None else {"p": match.source}),
        "d": match.deck.name if match.deck in shipped() else _table(match.deck),
        "f": match.first,
        "s": [[_written(side) for side in cards] for cards in match.rounds],
        "a": match.at,
        "e": match.finished,
        **_told_wagers(match.wagers),
        **({"b": list(match.starts)} if match.starts else {}),
    }


def _told_wagers(wagers: tuple[BySeat[Named], ...]) -> dict[str, Any]:
    if not any(any(sides) for sides in wagers):
        return {}
    return {"i": [[" ".join(side) for side in sides] for sides in wagers]}


def _written(side: Iterable[Card]) -> str:
    rows = groupby(sort_cards(side), key=lambda card: card.colour)
    return " ".join(
        colour.letter + "".join(str(card)[1:].replace("10", "T") for card in row)
        for colour, row in rows
    )


def _table(deck: Deck) -> dict[str, Any]:
    """A deck as its file has it; in the order of the page's keys."""
    told = deck.to_dict()
    return {
        "name": deck.name, "title": deck.title, "rules": deck.preset or str(deck.rules), "take": deck.take,
        "wager": told["wager"], "colours": told["colours"],
    }  # fmt: skip
