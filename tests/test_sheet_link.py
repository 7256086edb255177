"""Score sheets in links: the same that the page writes, and nothing else is taken for one."""

import base64
import contextlib
import json
import zlib
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities import testing
from lostcities.core.cards import Card, parse_cards, sort_cards
from lostcities.core.errors import NotationError
from lostcities.core.rules import PRESETS, Rules
from lostcities.core.seats import BySeat
from lostcities.table.deck import Deck
from lostcities.table.deck_file import find_deck, parse_deck
from lostcities.table.plain import plain
from lostcities.table.sheet_link import (
    PaperMatch,
    follows,
    is_link,
    read_link,
    write_link,
)

NAMES = st.text(st.characters(codec="utf-8"), max_size=40).map(plain)
SIDES = st.lists(testing.cards(PRESETS["long"]), max_size=20).map(
    lambda cards: tuple(sort_cards(cards))
)


@st.composite
def matches(draw: st.DrawFn) -> PaperMatch:
    colours = draw(st.sampled_from([5, 6]))
    rules = Rules(colours=colours, rounds=draw(st.sampled_from([1, 3, "open"])), next="leader")
    rounds = draw(st.lists(st.builds(BySeat, SIDES, SIDES), min_size=1, max_size=5))
    source = "blog" if rules.rounds == 3 and draw(st.booleans()) else None
    deck = find_deck("six" if colours == 6 else draw(st.sampled_from(["five", "room", "mtttgc3"])))
    named = tuple(each.map(lambda side: draw(indices(side, deck))) for each in rounds)
    return PaperMatch(
        BySeat(draw(NAMES), draw(NAMES)), rules, source, deck,
        draw(st.sampled_from([None, 0, 1])), tuple(rounds),
        draw(st.integers(0, len(rounds) - 1)), draw(st.booleans()),
        named if any(any(sides) for sides in named) else (), draw(starts(len(rounds))),
    )  # fmt: skip


def starts(rounds: int) -> st.SearchStrategy[tuple[int | None, ...]]:
    """Who started the rounds, where it was not who does by the rules."""
    each = st.sampled_from([None, 0, 1])
    later = st.tuples(*[each] * (rounds - 1)).filter(any_said)
    told = later.map(lambda rest: (None, *rest)) if rounds > 1 else st.nothing()
    return st.just(()) | told


def any_said(values: tuple[int | None, ...]) -> bool:
    return any(value is not None for value in values)


@st.composite
def indices(draw: st.DrawFn, side: tuple[Card, ...], deck: Deck) -> tuple[str, ...]:
    """Some of the wagers of a side by their indices."""
    found: list[str] = []
    for card in {each for each in side if each.is_wager and deck.indexed}:
        if deck.rules.copies(card):
            lying = min(side.count(card), deck.rules.wagers)
            found += draw(st.permutations(deck.indices_of(card)))[: draw(st.integers(0, lying))]
    return tuple(found)


@given(matches(), st.sampled_from(["", "https://room.test/sheet", " http://x:8000/sheet"]))
def test_a_sheet_is_read_from_its_link(match: PaperMatch, before: str) -> None:
    link = before + write_link(match)
    assert is_link(link)
    assert read_link(link) == match
    assert read_link(link.rpartition("#")[2]) == match


MATCH = PaperMatch(
    BySeat("Ada", "Grace"), Rules(), None, find_deck("five"), 0,
    (BySeat(parse_cards("YX Y3 Y10"), parse_cards("R2")),),
)  # fmt: skip
LINK = write_link(MATCH)


def link_with(content: object) -> str:
    """A whole link, whatever is in it."""
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    body = base64.urlsafe_b64encode(data).decode().rstrip("=")
    digits, number = "", zlib.crc32(data)
    while number:
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36] + digits
        number //= 36
    return f"#1.{body}.{digits or '0'}"


CONTENT: dict[str, Any] = json.loads(base64.urlsafe_b64decode(LINK[3:].split(".")[0] + "=="))


def test_the_content_is_as_documented() -> None:
    assert link_with(json.dumps(CONTENT, separators=(",", ":")).encode()) == LINK
    assert CONTENT == {
        "n": ["Ada", "Grace"], "r": {}, "d": "five", "f": 0, "s": [["YX3T", "R2"]], "a": 0,
        "e": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("", "holds no sheet"),
        ("https://room.test/sheet", "holds no sheet"),
        (LINK[:-2], "damaged or cut short"),
        (LINK.replace("Q", "R", 1), "damaged or cut short"),
        (LINK + "x", "damaged or cut short"),
        ("#1." + "A" * 70_000 + ".0", "damaged or cut short"),
        (LINK.replace("#1.", "#3.", 1), "version is 3"),
        (link_with([]), "holds no sheet"),
        (link_with(b"{"), "holds no sheet that can be read"),
        (link_with(b'{"n": NaN}'), "holds no sheet that can be read"),
        (link_with(b"[" * 40_000), "holds no sheet"),
        (link_with(CONTENT | {"n": ["Ada"]}), "n: there are two names"),
        (link_with(CONTENT | {"r": {"colours": 7}}), "r: colours"),
        (link_with(CONTENT | {"r": {"more": 1}}), "r: more: unknown rule"),
        (link_with(CONTENT | {"r": None}), "r: the rules are missing"),
        (link_with(CONTENT | {"d": "nothing"}), "'nothing' is not one of the decks"),
        (link_with(CONTENT | {"d": 5}), "deck: it is missing"),
        (link_with(CONTENT | {"d": {"name": "a"}}), "deck: colours: missing"),
        (link_with(CONTENT | {"d": "six"}), "six: it has 72 cards"),
        (link_with(CONTENT | {"f": True}), "f: the first start"),
        (link_with(CONTENT | {"s": []}), "s: there are 1 to 99 rounds"),
        (link_with(CONTENT | {"s": [["YX"]]}), "round 1: there are two sides"),
        (link_with(CONTENT | {"s": [["", ""], ["Y1", ""]]}), "round 2: 'Y1' is no row"),
    ],
)
def test_what_holds_no_sheet_is_told(link: str, said: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_link(link)
    assert said in str(caught.value)


NAMED = PaperMatch(
    BySeat("Ada", "Grace"), Rules(), None, find_deck("mtttgc3"), 0,
    (BySeat(parse_cards("YX YX Y3"), parse_cards("RX R2")),),
    wagers=(BySeat(("89", "87"), ("82",)),),
)  # fmt: skip


def test_a_link_says_which_wagers_lie_there_and_older_ones_still_open() -> None:
    link = write_link(NAMED)
    assert link.startswith("#2.")
    assert read_link(link) == NAMED
    content = json.loads(base64.urlsafe_b64decode(link[3:].split(".")[0] + "=="))
    assert content["i"] == [["89 87", "82"]]
    assert read_link(LINK) == MATCH
    assert LINK.startswith("#1.")


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ([["87 87", ""]], "'87' is none of the wagers"),
        ([["81", ""]], "'81' is none of the wagers"),
        ([["", "2"]], "'2' is none of the wagers"),
        ([["87 88 89", ""]], "'89' is none of the wagers"),
        ([["87 ", ""]], "'' is none of the wagers"),
        ([[" ", ""]], "'' is none of the wagers"),
        ([["87"]], "i: round 1: there are two sides"),
        ([["87", 5]], "i: round 1: there are two sides"),
        ([], "i: there are indices for each round"),
        ("87", "i: there are indices for each round"),
    ],
)
def test_a_wager_that_does_not_lie_there_is_refused(named: object, said: str) -> None:
    content = json.loads(base64.urlsafe_b64decode(write_link(NAMED)[3:].split(".")[0] + "=="))
    with pytest.raises(NotationError) as caught:
        read_link(link_with(content | {"i": named}))
    assert said in str(caught.value)


def test_a_link_says_who_started_a_round_against_the_rules() -> None:
    match = replace(MATCH, rounds=MATCH.rounds * 3, starts=(None, 1, None))
    link = write_link(match)
    assert link.startswith("#2.")
    assert read_link(link) == match


@pytest.mark.parametrize(
    ("starts", "said"),
    [
        ([], "b: there is a start for each round"),
        ([0], "b: there is a start for each round"),
        ("0", "b: there is a start for each round"),
        ([None, 2], "b: round 2: who started it is 0, 1 or null"),
        ([None, True], "b: round 2: who started it is 0, 1 or null"),
    ],
)
def test_starts_that_cannot_be_are_refused(starts: object, said: str) -> None:
    content = CONTENT | {"s": [["", ""], ["", ""]], "b": starts}
    with pytest.raises(NotationError) as caught:
        read_link(link_with(content))
    assert said in str(caught.value)


def test_one_wager_on_both_sides_is_told() -> None:
    sides = BySeat(parse_cards("YX"), parse_cards("YX"))
    match = replace(NAMED, rounds=(sides,), wagers=(BySeat(("87",), ("87",)),))
    (sheet,) = match.sheets()
    assert [problem.text for problem in sheet.problems] == [
        "the wager with index 87 lies on both sides"
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


@given(st.sampled_from([*sorted(CONTENT), "i", "b"]), json_values)
def test_any_content_is_read_or_refused(key: str, value: object) -> None:
    try:
        link = link_with(CONTENT | {key: value})
    except UnicodeEncodeError:
        return
    match = None
    with contextlib.suppress(NotationError):
        match = read_link(link)
    assert match is None or read_link(write_link(match)) == match


@given(st.text(max_size=200))
def test_any_text_is_no_sheet(text: str) -> None:
    with pytest.raises(NotationError):
        read_link(text)


@pytest.mark.parametrize("text", ["", "-", "YX Y3 R10", "81 2-5 62", "red 5", "grey x 2-7"])
def test_cards_are_no_link(text: str) -> None:
    assert not is_link(text)


def test_a_text_is_credited_for_as_long_as_its_rules_are_kept() -> None:
    blog = PRESETS["blog"]
    assert follows("blog", blog)
    assert follows("blog", Rules.parse("blog colours=6"))
    assert not follows("blog", Rules.parse("blog rounds=5"))
    assert not follows("blog", PRESETS["tutorial"])
    assert follows("site", Rules.parse("site rounds=7"))
    assert not follows("long", Rules.parse("long colours=5"))
    assert not follows("nobody", blog)


def test_a_deck_that_names_a_preset_says_so_in_its_link() -> None:
    """The page showed “own rules” for one whose file says `rules = "long"`."""
    text = (resources.files("lostcities.table") / "decks" / "six.toml").read_text("utf-8")
    own = parse_deck(text.replace('name = "six"', 'name = "attic"', 1), "attic.toml")
    assert own.preset == "long"
    match = PaperMatch(
        BySeat("Ada", "Grace"), own.rules, "long", own, 0, (BySeat(parse_cards("R5"), ()),)
    )
    link = write_link(match)
    assert read_link(link).deck.preset == "long"
    assert write_link(read_link(link)) == link


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("Ada\u202eecarG", "AdaecarG"),
        ("A\x1b[2Jd\x9ba\u2028", "A[2Jda"),
        ("\u2067שרה\u2069", "שרה"),
        ("\ufeff\u200b", ""),
        ("\u200d \u200c", ""),
        ("👩\u200d👧", "👩\u200d👧"),
    ],
)
def test_names_in_a_link_hold_nothing_that_cannot_be_seen(written: str, seen: str) -> None:
    """A name could turn the text around it, on the page and in a terminal."""
    match = PaperMatch(
        BySeat(written, "Grace"), Rules(), None, find_deck("five"), 0, (BySeat((), ()),)
    )
    assert read_link(write_link(match)).names == BySeat(seen, "Grace")


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        (r"Ada\ud83d", "Ada"),
        (r"\uDE00Ada", "Ada"),
        (r"\ud83d\ude00\ud83d", "\U0001f600"),
        (r"\\ud83d", r"\ud83d"),
        ("\U0001f600" * 41, "\U0001f600" * 40),
    ],
)
def test_half_a_surrogate_pair_in_a_name_is_passed_over(written: str, seen: str) -> None:
    """The page opened what the command refused; it had cut such names itself."""
    text = json.dumps(CONTENT).replace("Ada", written)
    match = read_link(link_with(text.encode()))
    assert match.names == BySeat(seen, "Grace")
    assert read_link(write_link(match)) == match


def test_the_words_of_a_deck_in_a_link_hold_nothing_that_cannot_be_seen() -> None:
    five = find_deck("five")
    turned = replace(
        five, name="attic", title="At\u202etic", mark="\u200b$", other_wagers=("\u2066c",)
    )
    match = PaperMatch(BySeat("", ""), Rules(), None, turned, 0, (BySeat((), ()),))
    deck = read_link(write_link(match)).deck
    assert (deck.title, deck.mark, deck.other_wagers) == ("Attic", "$", ("c",))
