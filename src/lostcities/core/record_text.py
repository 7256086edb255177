"""Records as text (``.lcr``): tags as in PGN, then for each round its tags, turns and score.

Text in canonical form is reproduced byte for byte; other readable text is normalised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lostcities.core import sentences as say
from lostcities.core.cards import Card, format_cards, parse_cards, sort_cards
from lostcities.core.errors import NotationError, RecordError
from lostcities.core.match import Termination
from lostcities.core.record import (
    NO_HANDS,
    Record,
    RoundRecord,
    Tags,
    as_record_error,
    parse_termination,
    replay,
)
from lostcities.core.rules import Rules
from lostcities.core.said import Said, inside
from lostcities.core.seats import SEATS, BySeat, Seat
from lostcities.core.turn import Turn, parse_turn

_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\["\\])*)"\]\s*')
_NUMBER = re.compile(r"[0-9]+\.")
_SCORE = re.compile(r"(-?[0-9]{1,6}) +(-?[0-9]{1,6})")
HEADER_TAGS = ("Event", "Date", "Seat0", "Seat1", "Rules", "Result", "Termination")
ROUND_TAGS = ("Round", "Start", "Deck", "Hand0", "Hand1", "Score", "Termination")


@dataclass
class _Part:
    """The header, or one round, as read: tags with their lines, and turn tokens."""

    line: int
    tags: dict[str, tuple[str, int]] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)

    def get(self, name: str) -> str | None:
        found = self.tags.get(name)
        return None if found is None else found[0]

    def unknown(self, known: tuple[str, ...]) -> Tags:
        return tuple((name, value) for name, (value, _) in self.tags.items() if name not in known)


def parse_record(text: str) -> Record:
    """Read a record and replay it.

    Raises:
        RecordError: unreadable text (names the line), or a record that breaks the rules or
            contradicts itself (names the round, the ply and the reason).
    """
    return replay(read_record(text)).record


def read_record(text: str) -> Record:
    """Read a record without replaying it; what it leaves out stays open.

    Raises:
        RecordError: unreadable text; names the line, or the tag.
    """
    header, *rounds = _parts(text)
    return Record(
        rules=_read_rules(header),
        rounds=tuple(_read_round(part) for part in rounds),
        event=header.get("Event"),
        date=header.get("Date"),
        seats=BySeat(header.get("Seat0"), header.get("Seat1")),
        result=_read_score(header, "Result", "Result"),
        termination=_read_termination(header),
        tags=header.unknown(HEADER_TAGS),
    )


def _parts(text: str) -> list[_Part]:
    parts = [_Part(1)]
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        stripped = line.strip(" \t")
        if stripped.startswith("["):
            _read_tags(parts, stripped, number)
        elif stripped:
            _read_tokens(parts, stripped, number)
    if len(parts) == 1 and not parts[0].tags:
        raise RecordError(say.LINE(n=1), say.NO_RECORD())
    return parts


def _read_tags(parts: list[_Part], line: str, number: int) -> None:
    at = 0
    while at < len(line):
        found = _TAG.match(line, at)
        if found is None:
            raise RecordError(say.LINE(n=number), say.NO_TAG(found=line[at : at + 40]))
        _add_tag(parts, found[1], _unescape(found[2]), number)
        at = found.end()


def _add_tag(parts: list[_Part], name: str, value: str, number: int) -> None:
    check_value(name, value, say.LINE(n=number))
    if name == "Round":
        parts.append(_Part(number))
    if name in parts[-1].tags:
        raise RecordError(say.LINE(n=number), say.TAG_TWICE(tag=name))
    parts[-1].tags[name] = (value, number)


def check_value(name: str | Said, value: str, place: str | Said) -> None:
    """Refuse a tag value that a line of text cannot hold.

    Raises:
        RecordError: the value has a control character.
    """
    for character in value:
        if character < " " or character == "\x7f" or "\ud800" <= character <= "\udfff":
            raise RecordError(place, say.NOT_TEXT(tag=name, sign=character))


def check_tags(tags: Tags, known: tuple[str, ...], place: str | Said) -> None:
    """Refuse unknown tags that bear a known tag's name: they would be read back as that one.

    Raises:
        RecordError: names the tag.
    """
    for name, _ in tags:
        if name in known or name == "Round":
            raise RecordError(place, say.KNOWN_TAG(tag=name))


def _unescape(value: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", value)


def _read_tokens(parts: list[_Part], line: str, number: int) -> None:
    if len(parts) == 1:
        raise RecordError(say.LINE(n=number), say.BEFORE_ROUND(found=line[:40]))
    parts[-1].tokens += [token for token in line.split() if not _NUMBER.fullmatch(token)]


def _read_rules(header: _Part) -> Rules:
    text = header.get("Rules")
    if text is None:
        return Rules()
    try:
        return Rules.parse(text)
    except NotationError as error:
        raise as_record_error(error, "Rules") from None


def _read_round(part: _Part) -> RoundRecord:
    text = part.get("Round") or ""
    if not re.fullmatch(r"[1-9][0-9]{0,4}", text):
        raise RecordError(say.LINE(n=part.line), say.NO_ROUND_NUMBER(found=text))
    number = int(text)
    place = say.ROUND(n=number)
    hands = NO_HANDS
    for seat in SEATS:
        cards = _read_list(part, f"Hand{seat}", place)
        hands = hands.replace(seat, None if cards is None else sort_cards(cards))
    deck = _read_list(part, "Deck", place)
    if deck is not None and hands != NO_HANDS:
        raise RecordError(place, say.DECK_AND_HAND())
    return RoundRecord(
        number, _read_start(part, place), deck, hands, _read_turns(part, number),
        _read_score(part, "Score", place), part.get("Termination"), part.unknown(ROUND_TAGS),
    )  # fmt: skip


def _read_list(part: _Part, name: str, place: Said) -> tuple[Card, ...] | None:
    text = part.get(name)
    if text is None:
        return None
    try:
        return parse_cards(text)
    except NotationError as error:
        raise as_record_error(error, inside(place, name)) from None


def _read_start(part: _Part, place: Said) -> Seat | None:
    text = part.get("Start")
    if text is None:
        return None
    if text not in ("0", "1"):
        raise RecordError(place, say.NO_START(found=text))
    return int(text)


def _read_turns(part: _Part, number: int) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    for ply, token in enumerate(part.tokens, 1):
        try:
            turns.append(parse_turn(token))
        except NotationError as error:
            raise as_record_error(error, say.PLY(round=number, ply=ply)) from None
    return tuple(turns)


def _read_score(part: _Part, name: str, place: str | Said) -> BySeat[int] | None:
    text = part.get(name)
    if text is None:
        return None
    found = _SCORE.fullmatch(text.strip())
    if found is None:
        raise RecordError(place, say.NO_POINTS(tag=name, found=text))
    return BySeat(int(found[1]), int(found[2]))


def _read_termination(header: _Part) -> Termination | None:
    text = header.get("Termination")
    return None if text is None else parse_termination(text)


def format_record(record: Record) -> str:
    """Write a record in canonical form.

    Raises:
        RecordError: a name or tag cannot be written on a line, or the record does not replay.
    """
    filled = replay(record).record
    return "\n".join([_block(_header(filled)), *(_round_text(each) for each in filled.rounds)])


def _header(record: Record) -> Iterator[tuple[str, str]]:
    result = record.result
    known = {
        "Event": record.event,
        "Date": record.date,
        "Seat0": record.seats[0],
        "Seat1": record.seats[1],
        "Rules": str(record.rules),
        "Result": None if result is None else f"{result[0]} {result[1]}",
        "Termination": None if record.termination is None else str(record.termination),
    }
    yield from ((name, value) for name, value in known.items() if value is not None)
    yield from record.tags


def _block(tags: Iterator[tuple[str, str]]) -> str:
    return "".join(f"{_tag(name, value)}\n" for name, value in tags)


def _tag(name: str, value: str) -> str:
    check_value(name, value, name)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _round_text(each: RoundRecord) -> str:
    return _block(_round_tags(each)) + _turn_lines(each.turns) + _block(_end_tags(each))


def _round_tags(each: RoundRecord) -> Iterator[tuple[str, str]]:
    yield "Round", str(each.number)
    yield "Start", str(each.start)
    if each.deck is not None:
        yield "Deck", format_cards(each.deck)
    for seat in SEATS:
        hand = each.hands[seat]
        if hand is not None:
            yield f"Hand{seat}", format_cards(hand)
    yield from each.tags


def _end_tags(each: RoundRecord) -> Iterator[tuple[str, str]]:
    if each.score is not None:
        yield "Score", f"{each.score[0]} {each.score[1]}"
    if each.termination is not None:
        yield "Termination", each.termination


def _turn_lines(turns: tuple[Turn, ...]) -> str:
    pairs = (turns[at : at + 2] for at in range(0, len(turns), 2))
    return "".join(f"{n}. {' '.join(map(str, pair))}\n" for n, pair in enumerate(pairs, 1))
