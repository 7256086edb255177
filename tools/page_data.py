"""Write what the page knows of decks, sheets and rules without asking the room.

`make page-data` writes the files below; a test fails when one is out of date. The decks and the
questions of the rules are data for the page, the cases are for its tests: what the page works out by
itself at a table without a network must be what the core works out.
"""

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unicodedata import normalize

from tools.deck_faults import FAULTS, base_text, edited

from lostcities.conformance.cases_matches import matches, replayed
from lostcities.core.cards import Card, parse_cards
from lostcities.core.errors import NotationError
from lostcities.core.rules import PRESETS, STUDIES, Rules
from lostcities.core.scoring import ExpeditionScore
from lostcities.core.seats import SEATS, BySeat
from lostcities.table.contrast import readable_ink
from lostcities.table.deck import Deck, DeckError
from lostcities.table.deck_check import check_deck, deck_left
from lostcities.table.deck_file import deck_of_table, find_deck, parse_deck, shipped
from lostcities.table.entry import parse_typed
from lostcities.table.sheet_link import PaperMatch, read_link, seal, write_link
from lostcities.table.sheets import make_sheet

ROOT = Path(__file__).parents[1]
SHEET = ROOT / "web" / "src" / "sheet"


INKS = (
    ("#16202A", "#49275D"), ("#000000", "#111111"), ("#FFFFFF", "#FBF8EF"), ("#FFFFFF", "#0D47CF"),
    ("#777777", "#808080"), ("#767676", "#FFFFFF"), ("#777777", "#FFFFFF"), ("#FFFF00", "#FFFFFF"),
    ("#FF0000", "#0000FF"), ("#16202A", "#48A89C"),
)  # fmt: skip
"""Inks and fills, readable and not, and two about the edge."""


def names(cards: tuple[Card, ...]) -> list[str]:
    """Cards by their codes."""
    return [str(card) for card in cards]


def decks() -> dict[str, Any]:
    """Every shipped deck, and the rules of every preset and study."""
    return {
        "decks": [deck.to_dict() for deck in shipped()],
        "aliases": {
            name: deck.name for deck in shipped() for name in (deck.name, *deck.other_names)
        },
        "presets": {name: rules.to_dict() for name, rules in PRESETS.items()},
        "studies": {name: rules.to_dict() for name, rules in STUDIES.items()},
    }


# ---- cases for the page's tests -----------------------------------------------------------------

SHEETS: tuple[tuple[str, str, str], ...] = (
    ("", "", ""),
    ("", "Y5 Y8 Y10 WX GX G3 G5 G7 RX RX R2 R3 R5 R7 R8 R10", "RX"),
    ("", "R10 R2 RX", "Y10 YX YX B5"),
    ("", "R5", "R5"),
    ("", "R5 R5", ""),
    ("", "RX RX", "RX RX"),
    ("", "P5 R5", ""),
    ("long", "P5 R5", "PX PX P10"),
    ("long", "PX P2 P3 P4 P5 P6 P7 P8", "YX YX YX Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10"),
    ("cost=15 bonus=15 bonus_at=7", "R2 R3 R4 R5 R6 R7 R8", "G2"),
)
TYPED: tuple[tuple[str, str], ...] = (
    ("mtttgc3", "2-10 81-83"), ("mtttgc3", "64, purplex W3-W5;orange3-6"), ("mtttgc3", "11"),
    ("mtttgc3", "81 3 81"), ("mtttgc3", "8-18"), ("mtttgc3", "red 5"), ("mtttgc3", "P5"), ("mtttgc3", "0"), ("mtttgc3", "02"), ("mtttgc3", "02-3"),
    ("mtttgc3", "2-03"), ("mtttgc3", "red02"), ("room", "grey 02 3"), ("room", "grey02-3"), ("five", "R02"), ("five", "R02-3"),
    ("room", "grey x 2 5-7 red investment 10"), ("room", "5"), ("room", "gray5 R3-6"),
    ("tutorial", "yellow $ $ 2 red$"), ("six", "purple 2-4 PX"), ("five", "R5-B7"), ("five", "-"),
    ("five", "R5\u200b,R6\x85R7\ufeff"), ("five", "R5\x1cR6\u2028R7"), ("five", "red"), ("room", "grey red 5"), ("five", "yellow 5 red"), ("five", "red Y5"), ("five", "red R5 yellow 2 3"),
)  # fmt: skip


def working(score: ExpeditionScore) -> dict[str, int]:
    """The working of a colour."""
    return {key: getattr(score, key) for key in ExpeditionScore.__dataclass_fields__}


def sheet_case(text: str, sides: BySeat[tuple[Card, ...]]) -> dict[str, Any]:
    """Both sides' cards, and the sheet that they make."""
    rules = Rules.parse(text)
    sheet = make_sheet(sides, rules)
    return {
        "rules": text,
        "cards": [names(side) for side in sides],
        "rows": [[names(row) for row in side] for side in sheet.rows],
        "scores": [[working(score) for score in side] for side in sheet.scores],
        "totals": list(sheet.totals),
        "problems": [
            {"card": None if each.card is None else str(each.card), "seats": list(each.seats)}
            for each in sheet.problems
        ],
    }


def sheets() -> Iterator[dict[str, Any]]:
    """Sheets by hand, two with too many cards, and the ends of whole rounds."""
    for text, one, two in SHEETS:
        yield sheet_case(text, BySeat(parse_cards(one), parse_cards(two)))
    deck = Rules().all_cards()
    yield sheet_case("", BySeat(deck[:22], deck[22:45]))
    yield sheet_case("", BySeat((), deck[:44]))
    for _, played in replayed():
        for each in played.rounds:
            last = each.states[-1]
            sides = (
                tuple(card for row in last.expeditions[seat] for card in row) for seat in SEATS
            )
            yield sheet_case(f"colours={last.rules.colours}", BySeat(*sides))


SPELT = "größe café"
"""The names of two colours of a deck for how words may be spelt."""
SPELLINGS = (
    "größe3", "GRÖSSE3", "gro\u0308ße 3 4", "Grösse3-5", "café5", "cafe\u0301 5 6", "CAFE\u03015", "ｃａｆé５",
    "cafe5", "EXTRÊME", "café extre\u0302me", "größeEXTRE\u0302ME",
)  # fmt: skip
"""Words as keyboards, files and other programs write them."""


def spelt_deck() -> dict[str, Any]:
    """The table of a deck whose file was written by a program that takes letters apart."""
    table = find_deck("five").to_dict() | {"name": "attic", "rules": ""}
    for colour, name in zip(table["colours"], SPELT.split(), strict=False):
        colour |= {"name": normalize("NFD", name), "other_names": []}
    table["wager"]["name"] = normalize("NFD", "extrême")
    return table


def spelt() -> dict[str, Any]:
    """What is typed for a deck with letters that can be written in several ways."""
    table = spelt_deck()
    deck = deck_of_table(table, "attic", own=True)
    return {"table": table, "typed": [
        {"text": text, "cards": cards_or_none(text, deck)} for text in SPELLINGS
    ]}  # fmt: skip


def cards_or_none(text: str, deck: Deck) -> list[str] | None:
    """The cards that a line of typing names; null where it is refused."""
    try:
        return names(parse_typed(text, deck))
    except NotationError:
        return None


def typed() -> Iterator[dict[str, Any]]:
    """What is typed with a deck in hand, and the cards that it means; null where it is refused."""
    for name, text in TYPED:
        yield {"deck": name, "text": text, "cards": cards_or_none(text, find_deck(name))}


def deck_files() -> dict[str, Any]:
    """Deck files that cannot serve, and all that is wrong with each."""
    return {"base": base_text(), "edits": [deck_edit(what) for what in FAULTS]}


def deck_edit(what: str) -> dict[str, Any]:
    """One edit of the base file, and the problems that it makes."""
    old, new, _ = FAULTS[what]
    try:
        parse_deck(edited(what), "")
    except DeckError as error:
        return {"what": what, "old": old, "new": new, "problems": list(error.problems)}
    raise AssertionError(f"{what}: serves")


def own_deck() -> Deck:
    """A deck of somebody's own, by index."""
    table = find_deck("mtttgc3").to_dict() | {"name": "attic", "title": "Vom Dachboden"}
    return deck_of_table({**table, "rules": "colours=5"}, "attic")


def links() -> Iterator[dict[str, Any]]:
    """Sheets as links: what stands on each, and the fragment that holds it."""
    worked = BySeat(parse_cards(SHEETS[1][1]), parse_cards(SHEETS[1][2]))
    empty: BySeat[tuple[Card, ...]] = BySeat((), ())
    long = BySeat(parse_cards("PX P2 P10"), parse_cards("Y2 Y10"))
    blog, site = Rules.parse("blog"), Rules.parse("site rounds=7")
    five, six, index = find_deck("five"), find_deck("six"), find_deck("mtttgc3")
    for match in (
        PaperMatch(BySeat("", ""), Rules(), None, five, None, (empty,)),
        PaperMatch(BySeat("Ada ♥", "Grüße"), blog, "blog", five, 1, (worked, empty), 1, True),
        PaperMatch(BySeat("Ada", "Grace"), Rules.parse("long"), "long", six, 0, (long,)),
        PaperMatch(BySeat("Ada", "Grace"), site, "site", index, 0, (empty, worked)),
        PaperMatch(BySeat("Ada", "Grace"), Rules.parse("cost=15"), None, own_deck(), 0, (worked,)),
        PaperMatch(
            BySeat("Ada", "Grace"),
            site,
            "site",
            index,
            0,
            (empty, worked),
            1,
            wagers=(BySeat((), ()), BySeat(("91", "83", "81"), ("82",))),
        ),
        PaperMatch(
            BySeat("Ada", "Grace"),
            blog,
            "blog",
            five,
            1,
            (worked, worked, empty),
            1,
            starts=(None, 1, None),
        ),
    ):
        yield {
            "link": write_link(match),
            "names": list(match.names),
            "rules": match.rules.to_dict(),
            "source": match.source,
            "deck": match.deck.title,
            "first": match.first,
            "rounds": [[names(side) for side in cards] for cards in match.rounds],
            "at": match.at,
            "finished": match.finished,
            "wagers": [list(map(list, named)) for named in match.wagers],
            "starts": list(match.starts),
        }


ODD = (
    ("half a surrogate pair ends a name", '"Ada"', r'"Ada\ud83d"'),
    ("half a surrogate pair begins a name", '"Ada"', r'"\uDE00Ada"'),
    ("a surrogate pair is a sign", '"Ada"', r'"\ud83d\ude00"'),
    ("half a pair after a whole one", '"Ada"', r'"\ud83d\ude00\ude00"'),
    ("a backslash before what looks like half a pair", '"Ada"', r'"\\ud83d"'),
    ("forty signs that need two places each", '"Ada"', "".join(('"', "\U0001f600" * 41, '"'))),
    ("no number", '"a":1', '"a":NaN'),
    ("a number without end", '"a":1', '"a":1e999'),
    ("a whole number with a point", '"f":0', '"f":0.0'),
    ("half a seat", '"f":0', '"f":0.5'),
    ("nobody said who started", '"f":0,', ""),
    ("yes in the place of a number", '"a":1', '"a":true'),
    ("a mark of the order of bytes", '{"n"', '\ufeff{"n"'),
    ("a deck whose indices are numbers", '"81"', "81"),
    ("a deck with nothing for a symbol", '"flame"', "null"),
    ("a deck with numbers for a name", '"Vom Dachboden"', "[1]"),
)
"""What no page writes, and what one did: each change of a content in JSON."""


def odd_links() -> Iterator[dict[str, Any]]:
    """Links that nobody's page writes today: what is read of them, null for nothing."""
    side = BySeat(parse_cards("R5"), parse_cards("RX"))
    match = PaperMatch(
        BySeat("Ada", "Grace"), Rules(), None, own_deck(), 0, (side, side), 1,
    )  # fmt: skip
    body = write_link(match).split(".")[1]
    text = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)).decode()
    for what, old, new in ODD:
        assert old in text, what
        link = seal(text.replace(old, new, 1).encode())
        yield {"what": what, "link": link, "reads": read_or_none(link)}


def read_or_none(link: str) -> dict[str, Any] | None:
    """What the command reads of a link."""
    try:
        match = read_link(link)
    except NotationError:
        return None
    return {"names": list(match.names), "first": match.first, "at": match.at}


def cases() -> dict[str, Any]:
    """Everything that the page's own reckoning is held to."""
    found = check_deck(parse_cards("R5 R5 RX"), Rules())
    return {
        "sheets": list(sheets()),
        "typed": list(typed()),
        "spelt": spelt(),
        "links": list(links()),
        "odd_links": list(odd_links()),
        "deck_files": deck_files(),
        "inks": [
            {"ink": ink, "fill": fill, "shown": readable_ink(ink, fill)}
            for ink, fill in INKS
        ],
        "starters": [{**case.request, **case.expected} for case in matches()],
        "left": [
            {"rules": text, "lying": lying, "laid": laid, "deck": deck_left(Rules.parse(text), lying, laid=laid)}
            for text, lying, laid in (("", 0, False), ("", 12, False), ("", 13, True), ("long", 1, True), ("", 44, False))
        ],
        "check": {
            "cards": ["R5", "R5", "RX"], "missing": names(found.missing),
            "surplus": names(found.surplus),
        },
    }  # fmt: skip


# ---- the rules ----------------------------------------------------------------------------------


def rules() -> dict[str, Any]:
    """docs/rules.md as questions: part, title, paragraphs, what others do, and examples."""
    text = (ROOT / "docs" / "rules.md").read_text("utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    questions = []
    for part, body in zip(parts[1::2], parts[2::2], strict=True):
        lead, *rest = re.split(r"^### (.+)$", body, flags=re.MULTILINE)
        if lead.strip():
            questions.append(question(part, part, lead))
        for title, inside in zip(rest[::2], rest[1::2], strict=True):
            questions.append(question(part, title, inside))
    return {"questions": questions}


def question(part: str, title: str, body: str) -> dict[str, Any]:
    """One question with its answer."""
    blocks = re.findall(r"^```example\n(.*?)^```$", body, re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^```example\n.*?^```$", "", body, flags=re.MULTILINE | re.DOTALL)
    paragraphs = [part for part in re.split(r"\n\n+", prose.strip()) if part]
    others = [each for each in paragraphs if each.startswith("*Others:*")]
    return {
        "id": re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-"),
        "part": part,
        "title": title,
        "answer": [each for each in paragraphs if each not in others],
        "others": [each.removeprefix("*Others:*").strip() for each in others],
        "examples": [
            [
                [key.strip(), value.strip()]
                for key, _, value in (line.partition(":") for line in block.splitlines())
            ]
            for block in blocks
        ],
    }


FILES = {"decks.json": decks, "cases.json": cases, "rules.json": rules}


def text_of(name: str) -> str:
    """What a file should hold."""
    return json.dumps(FILES[name](), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    SHEET.mkdir(parents=True, exist_ok=True)
    for each in FILES:
        (SHEET / each).write_text(text_of(each), "utf-8")
