"""Write the boards of the page's rules and tutorial, played out by the core.

The page knows no rule: whatever can be done on a board that it explains with, and what it looks like
afterwards, is worked out here. A board is a tree: a view, the workings of its rows, and by each turn
that may be played the view after it. `make page-data` writes the files; a test holds them up to date.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tools.page_data import ROOT, rules

from lostcities.core.cards import Colour, parse_cards
from lostcities.core.errors import NotationError
from lostcities.core.position import parse_position
from lostcities.core.round import RoundState, deal, legal_turns, play_turn
from lostcities.core.rules import Rules
from lostcities.core.scoring import Expeditions, score_expedition
from lostcities.core.seats import SEATS, BySeat, Seat
from lostcities.core.turn import parse_turn
from lostcities.core.view_json import view_to_dict
from lostcities.core.views import view_of_round

GUIDE = ROOT / "web" / "src" / "guide"
WORDS = ROOT / "web" / "src" / "words" / "en"
SAME = ("rules", "rounds", "round", "totals", "seat")
"""What is the same in every view of a board; it is written once."""

# ---- trees ---------------------------------------------------------------------------------------


def node(state: RoundState, seat: Seat) -> dict[str, Any]:
    """A view of a seat without what all views of a board share, and the workings of its rows."""
    view = view_to_dict(view_of_round(state, seat))
    return {
        "view": {key: value for key, value in view.items() if key not in SAME},
        "workings": [
            {
                Colour(index).letter: asdict(score_expedition(row, state.rules))
                for index, row in enumerate(state.expeditions[each])
                if row
            }
            for each in SEATS
        ],
    }


def after(state: RoundState, token: str, seat: Seat, line: Sequence[str]) -> dict[str, Any]:
    """The node after a turn, and the turns that follow it by themselves."""
    mover = state.to_move
    played = play_turn(state, parse_turn(token))
    last = played.last_turn
    assert last is not None
    told = str(last if mover == seat else last.public)
    found = {"turn": told, **node(played, seat)}
    if line:
        found["next"] = {line[0]: after(played, line[0], seat, line[1:])}
    return found


def board(
    state: RoundState,
    line: Sequence[str] = (),
    replies: Sequence[str] = (),
) -> dict[str, Any]:
    """A board with a line of turns to follow, and every other legal turn one turn deep.

    ``replies`` follow each of the other turns by themselves, as far as they are legal.
    """
    seat = state.to_move
    turns = [str(turn) for turn in legal_turns(state)]
    following = {}
    for token in turns:
        rest = line[1:] if line and token == line[0] else legal_replies(state, token, replies)
        following[token] = after(state, token, seat, rest)
    start = {**node(state, seat), "next": following}
    return {"seat": seat, "rules": state.rules.to_dict(), "start": start}


def legal_replies(state: RoundState, token: str, replies: Sequence[str]) -> list[str]:
    """Those of the replies that can be played one after the other."""
    played, found = play_turn(state, parse_turn(token)), []
    for reply in replies:
        if reply in map(str, legal_turns(played)):
            played = play_turn(played, parse_turn(reply))
            found.append(reply)
    return found


# ---- the boards of the rules ---------------------------------------------------------------------


def fresh(colours: int = 5) -> RoundState:
    """A round just dealt, always the same."""
    cards = list(Rules(colours=colours).all_cards())
    random.Random(2).shuffle(cards)  # noqa: S311 - no secret, only always the same
    return deal(Rules(colours=colours), tuple(cards), 0)


def sheet_state(cards: str, of: Rules) -> RoundState:
    """One side's rows as they lie at the end of a round, everything else put away."""
    rows: list[list[Any]] = [[] for _ in range(of.colours)]
    for card in parse_cards(cards):
        rows[card.colour].append(card)
    nothing: Expeditions = tuple(() for _ in rows)
    lying: Expeditions = tuple(tuple(row) for row in rows)
    return RoundState(of, 0, BySeat((), ()), BySeat(lying, nothing), nothing, ())


MIDDLE = (
    "0 | YX Y5 B3 W2 W6 G7 R4 R9 | BX B9 W3 W5 G9 G10 R6 R8 | Y2 Y3 B4 B7 RX RX R2 | "
    "W4 G2 G3 G4 | Y9 R3 BX BX W7 G6 | Y4 B8 W8 G8 R5 Y6 B10 W9 Y7 R7"
)
"""In the middle of a round, for the questions that no single example settles."""
TAKEN = (
    "0 | B2 B5 W2 W6 G7 R4 R9 Y5 | B9 W3 W5 G9 G10 R6 R8 YX | Y2 Y3 | W4 | R3 B7 | "
    "Y4 B8 W8 G8 R5 Y6"
)
MORE: dict[str, tuple[Callable[[], RoundState], tuple[str, ...]]] = {
    "how-many-cards-in-a-hand": (fresh, ()),
    "is-the-deal-settled-by-the-shuffle": (fresh, ()),
    "may-we-know-how-many-cards-the-deck-still-has": (lambda: parse_position(MIDDLE), ()),
    "may-i-look-through-a-discard-pile": (lambda: parse_position(MIDDLE), ()),
    "what-must-the-other-side-not-see": (lambda: parse_position(TAKEN), ("-Y5*", "+W5<Y")),
    "who-starts-the-first-round": (fresh, ()),
    "who-starts-the-next-round": (lambda: last_card(60, 10), ("-B2*",)),
    "and-if-that-is-level": (lambda: last_card(20, 20), ("-B2*",)),
    "how-many-rounds": (lambda: last_card(60, 10), ("-B2*",)),
    "how-are-rounds-added": (lambda: last_card(-40, 0), ("-B2*",)),
    "level-at-the-end-of-the-match": (lambda: last_card(0, 0), ("-B2*",)),
    "what-a-record-must-keep": (lambda: last_card(20, 20), ("-B2*",)),
    "may-a-turn-be-taken-back": (lambda: parse_position(MIDDLE), ()),
    "which-score-sheets-cannot-be": (lambda: parse_position(MIDDLE), ()),
    "purple-on-a-sheet-of-five-colours": (lambda: fresh(6), ()),
}
"""Boards for questions whose examples have none: how it is made, and the line to follow."""


def last_card(own: int, theirs: int) -> RoundState:
    """A round whose last card is about to be drawn, with rows worth so many points."""
    rows = {
        (60, 10): ("RX RX R6 R7 R8 R9 R10", "B6 B7 B8 B9"),
        (20, 20): ("RX R6 R7 R8 R9", "YX Y6 Y7 Y8 Y9"),
        (-40, 0): ("RX", "-"),
        (0, 0): ("R2 R3 R6 R9", "Y2 Y3 Y6 Y9"),
    }[own, theirs]
    return parse_position(f"0 | B2 W6 | Y5 W3 | {rows[0]} | {rows[1]} | - | W4")


def boards_of(question: dict[str, Any]) -> list[dict[str, Any]]:
    """Every board of a question: its positions, its sheets, or the one made for it."""
    found = []
    for example in question["examples"]:
        of, state, line, sheets = Rules(), None, "", []
        for key, value in example:
            if key == "rules":
                of = Rules() if value == "five" else Rules.parse(value)
            elif key == "position" and state is None:
                state = read(value, of)
            elif key == "play" and state is not None:
                line = f"{line} {value}"
            elif key == "sheet":
                sheets.append(value)
        if state is not None:
            found.append(board(state, line.split()))
        found += [board(sheet_state(cards, of)) for cards in sheets if possible(cards, of)]
    if not found and question["id"] in MORE:
        make, turns = MORE[question["id"]]
        found.append(board(make(), turns))
    return found


def read(position: str, of: Rules) -> RoundState | None:
    """The position, or None where the example is about one that cannot be."""
    try:
        return parse_position(position, of)
    except NotationError:
        return None


def possible(cards: str, of: Rules) -> bool:
    """Whether the cards can lie as one side's rows."""
    return read(f"0 | - | - | {cards} | - | - | -", of) is not None


def positions() -> dict[str, Any]:
    """By question, its boards."""
    return {each["id"]: found for each in rules()["questions"] if (found := boards_of(each))}


# ---- the words of the rules ----------------------------------------------------------------------


def message(text: str) -> str:
    """Prose of the documentation as a message: one line, with real apostrophes."""
    if text.startswith(("1. ", "|", "    ")):
        return text.strip("\n").replace("'", "’")
    return " ".join(text.split()).replace("'", "’")


def words() -> dict[str, Any]:
    """docs/rules.md as the English catalogue of the rules page; other languages follow its keys."""
    questions = [each for each in rules()["questions"] if each["id"] != "how-to-read-the-examples"]
    parts: dict[str, str] = {}
    for each in questions:
        parts.setdefault(slug(each["part"]), each["part"])
    return {
        "parts": parts,
        "questions": {
            each["id"]: {
                "title": message(each["title"]),
                "answer": [message(text) for text in each["answer"]],
                "others": [message(text) for text in each["others"]],
            }
            for each in questions
        },
    }


def slug(title: str) -> str:
    """A part's name as a key."""
    return title.lower().replace(" ", "-")


def order() -> list[dict[str, Any]]:
    """The parts with the questions in each."""
    found: dict[str, list[str]] = {}
    for each in rules()["questions"]:
        if each["id"] != "how-to-read-the-examples":
            found.setdefault(slug(each["part"]), []).append(each["id"])
    return [{"part": part, "questions": ids} for part, ids in found.items()]


# ---- the tutorial --------------------------------------------------------------------------------

LAST = (
    "0 | G3 G5 B9 W5 Y9 Y10 WX W2 | G9 W3 W4 R3 R5 R6 GX GX | RX R2 R7 R9 R10 Y5 Y8 | "
    "B2 B5 B6 B8 G2 G6 | Y7 G8 | W9"
)
LESSONS: dict[str, tuple[str, Sequence[str]]] = {
    "funding": ("0 | B9 G2 RX R3 R4 R8 W5 Y10 | ?8 | - | B2 | - | Y7 G5 W9", ()),
    "ascending": ("0 | B9 G2 R3 R6 R9 W5 Y10 WX | ?8 | R4 | B2 B5 | - | Y7 G5 W9", ()),
    "discards": (
        "0 | G3 G5 R6 R9 W5 Y10 WX YX | ?8 | BX B4 B7 R4 | B2 B5 Y2 | G8 B9 | Y7 G6 W9",
        (),
    ),
    "bonus": (
        "0 | G3 G5 R10 B9 W5 Y10 WX YX | ?8 | RX RX RX R2 R3 R4 R7 | B2 B5 Y2 | G8 | Y7 G6 W9",
        (),
    ),
    "end": (LAST, ("-R3*",)),
}
"""By lesson: a position, and what the other side answers where it can."""


def lessons() -> dict[str, Any]:
    """The boards of the tutorial; the first hand is a real deal, with any card to begin by."""
    found = {"first": board(fresh(), replies=reply_to(fresh()))}
    for name, (position, replies) in LESSONS.items():
        found[name] = board(parse_position(position), replies=replies)
    return found


def reply_to(state: RoundState) -> list[str]:
    """What the other side does first: it plays its lowest card of the colour it has most of."""
    hand = state.hands[1]
    most = max(hand, key=lambda card: sum(each.colour == card.colour for each in hand)).colour
    return [f"+{next(card for card in hand if card.colour == most)}*"]


FILES: dict[str, tuple[Path, Callable[[], Any]]] = {
    "positions.json": (GUIDE, positions), "lessons.json": (GUIDE, lessons),
    "order.json": (GUIDE, order), "rules.json": (WORDS, words),
}  # fmt: skip


def text_of(name: str) -> str:
    """What a file should hold. Boards are many, so they are written closely."""
    made = FILES[name][1]()
    if name in ("positions.json", "lessons.json"):
        lines = (f"{json.dumps(key)}:{compact(value)}" for key, value in made.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def compact(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main() -> None:
    """Write every file."""
    for name, (folder, _) in FILES.items():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text_of(name), "utf-8")


if __name__ == "__main__":
    main()
