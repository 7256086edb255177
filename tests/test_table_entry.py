"""Typing cards in a deck's words, sheets of both sides, the deck check and the dealer's help."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.core.cards import format_cards, parse_cards, sort_cards
from lostcities.core.errors import NotationError, RecordError
from lostcities.core.record_text import format_record, parse_record
from lostcities.core.round import deal
from lostcities.core.rules import PRESETS, Rules
from lostcities.core.seats import BySeat
from lostcities.table.deck import DeckError
from lostcities.table.deck_check import cards_but, check_deck, deck_left
from lostcities.table.deck_file import find_deck
from lostcities.table.entry import format_typed, parse_sides, parse_typed
from lostcities.table.records import deck_of, with_deck
from lostcities.table.sheets import make_sheet
from running import assert_refused, run_here

TRAVEL = find_deck("travel")
ROOM = find_deck("room")
TYPED = {
    "travel": {
        "64": "W4",
        "2-10 81-83": "R2 R3 R4 R5 R6 R7 R8 R9 R10 RX RX RX",
        "17, 76;90": "B2 BX WX",
        "purple4 ORANGE10 orangex": "W4 Y10 YX",
        "purple-4 redinvestment": "W4 RX",
        "R3-R6 G8-10 purple3-4": "R3 R4 R5 R6 G8 G9 G10 W3 W4",
        "w5 wx": "W5 WX",
        "62–65": "W2 W3 W4 W5",
        "-": "-",
        "": "-",
        "R5\u200b W3\ufeff\x1cG2": "R5 W3 G2",
    },
    "room": {
        "grey x 2 5-7 red investment 10": "WX W2 W5 W6 W7 RX R10",
        "gray5 greyhandshake": "W5 WX",
        "blue 2 R3 4": "B2 R3 B4",
        "blue B2 red R3-R5": "B2 R3 R4 R5",
    },
    "tutorial": {"yellow $ $ 2 red$": "YX YX Y2 RX", "white funding": "WX"},
    "long": {"purple 2-4 PX": "P2 P3 P4 PX"},
}
REFUSED = {
    "travel": {
        "11": "word 1: '11': the card with index 11 stays in the box",
        "2 8-18": "word 2: '8-18': the card with index 11 stays in the box",
        "93": "stays in the box",
        "0": "word 1: '0': not a card of this deck: an index, a code",
        "02": "word 1: '02': not a card of this deck: an index, a code",
        "٢": "word 1: '٢': not a card of this deck: an index, a code",
        "2-٣": "a sweep of indices runs from one up to another",
        "81 3 81": "word 3: '81': named twice",
        "64 62-65": "word 2: '64': named twice",
        "red 5": "word 1: 'red': a colour alone",
        "P5": "not in this deck (red is R, blue is B",
        "pink5": "not a card of this deck: an index, a code",
        "02-3": "word 1: '02-3': not a card of this deck: an index, a code",
        "2-03": "word 1: '2-03': not a card of this deck: an index, a code",
        "red02": "word 1: 'red02': not a card of this deck",
        "10-2": "from one up to another",
        "R5-B7": "a sweep stays within one colour",
        "R7-R5": "a sweep runs upward",
        "RX-R5": "from a number to a number",
        "red11": "not a card of this deck",
    },
    "room": {
        "5": "a number without its colour",
        "grey 11": "not one of 2 to 10",
        "64": "a number",
        "grey 02-3": "a number without its colour, or not one of 2 to 10",
        "grey R02": "not a card of this deck",
        "٢": "word 1: '٢': not a card of this deck: a code",
        "grey": "word 1: 'grey': a colour alone",
        "grey red 5": "word 1: 'grey': a colour alone",
        "grey 2 red": "word 3: 'red': a colour alone",
        "grey R5": "word 1: 'grey': a colour alone",
    },
}


@pytest.mark.parametrize(("deck", "text"), [(d, t) for d, each in TYPED.items() for t in each])
def test_what_is_typed_is_read(deck: str, text: str) -> None:
    assert format_cards(parse_typed(text, find_deck(deck))) == TYPED[deck][text]


@pytest.mark.parametrize(("deck", "text"), [(d, t) for d, each in REFUSED.items() for t in each])
def test_what_is_no_card_says_why(deck: str, text: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_typed(text, find_deck(deck))
    assert REFUSED[deck][text] in str(refused.value)


@given(st.permutations(list(TRAVEL.by_index())))
def test_every_index_names_its_card_in_any_order(indices: list[str]) -> None:
    cards = parse_typed(" ".join(indices), TRAVEL)
    assert cards == tuple(TRAVEL.by_index()[index] for index in indices)
    assert check_deck(cards, TRAVEL.rules).whole


@given(st.text(max_size=40), st.sampled_from([TRAVEL, ROOM]))
def test_any_text_is_read_or_refused(text: str, deck: object) -> None:
    try:
        parse_typed(text, deck)  # type: ignore[arg-type]
    except NotationError:
        return


def test_cards_are_said_in_the_decks_words() -> None:
    assert format_typed(parse_cards("W4 WX"), TRAVEL) == "purple 4 (64), purple investment (90–92)"
    assert format_typed(parse_cards("W4 WX"), ROOM) == "grey 4, grey investment"
    assert format_typed((), ROOM) == "-"


def test_an_index_on_both_sides_is_refused() -> None:
    assert parse_sides(BySeat("81 82", "83"), TRAVEL)[1] == parse_cards("RX")
    with pytest.raises(NotationError, match=r"second rows: word 1: '82': named twice"):
        parse_sides(BySeat("81 82", "82"), TRAVEL)


# ---- sheets -------------------------------------------------------------------------------------


def sheet(one: str, two: str, rules: Rules | None = None) -> list[str]:
    made = make_sheet(BySeat(parse_cards(one), parse_cards(two)), rules or Rules())
    return [problem.text for problem in made.problems]


def test_a_sheet_puts_rows_in_order_and_scores_them() -> None:
    made = make_sheet(BySeat(parse_cards("R3 RX R2"), parse_cards("Y10")), Rules())
    assert made.problems == ()
    assert made.rows[0][4] == parse_cards("RX R2 R3")
    assert list(made.totals) == [-30, -10]


def test_what_cannot_be_is_told_across_both_sides() -> None:
    assert sheet("R5 RX RX", "R6 RX") == []
    assert sheet("R5", "R5") == ["R5 lies on both sides"]
    assert sheet("R5 R5", "") == ["R5 lies there twice"]
    assert sheet("RX RX", "RX RX") == ["there are only 3 RX"]
    assert sheet("P5", "") == ["P5 is not in the deck of these rules"]
    assert sheet("P5", "", PRESETS["long"]) == []


def test_purple_counts_for_nothing_once_the_sheet_has_five_colours() -> None:
    cards = BySeat(parse_cards("P10 P9 R10"), ())
    assert make_sheet(cards, PRESETS["long"]).totals[0] == -1 - 10
    assert make_sheet(cards, Rules()).totals[0] == -10


def test_more_cards_than_can_lie_there() -> None:
    deck = Rules().all_cards()
    assert sheet(format_cards(deck[:22]), format_cards(deck[22:44])) == []
    (text,) = sheet(format_cards(deck[:22]), format_cards(deck[22:45]))
    assert text.startswith("45 cards, but at most 44 can lie there")
    assert sheet(format_cards(deck[:43]), "") == []
    (text,) = sheet("", format_cards(deck[:44]))
    assert text.startswith("44 cards on one side, but at least one that the other side laid")


# ---- the deck check and the dealer --------------------------------------------------------------


def test_the_deck_check_tells_missing_and_surplus() -> None:
    found = check_deck(parse_cards("R5 R5 RX"), Rules())
    assert (found.held, len(found.missing), found.surplus) == (2, 58, parse_cards("R5"))
    assert not found.whole
    whole = cards_but(parse_cards("RX Y7"), Rules())
    assert check_deck(whole, Rules()).missing == parse_cards("Y7 RX")
    with pytest.raises(NotationError, match="RX: missing 4 times, the deck has 3"):
        cards_but(parse_cards("RX RX RX RX"), Rules())


def test_the_dealers_help_agrees_with_play() -> None:
    rules = Rules()
    state = deal(rules, rules.all_cards(), 0)
    assert deck_left(rules, 0) == state.deck_size == 44
    while not state.over:
        turns = state.legal_turns()
        state = state.play(turns[(7 * state.ply) % len(turns)])
        rows = [row for side in state.expeditions for row in side]
        lying = sum(map(len, [*rows, *state.piles]))
        assert deck_left(rules, lying) == state.deck_size
        if not state.over:
            assert deck_left(rules, lying + 1, laid=True) == state.deck_size


@pytest.mark.parametrize(("lying", "laid"), [(45, False), (-1, False), (0, True), (45, True)])
def test_so_many_cards_cannot_lie_there(lying: int, laid: bool) -> None:
    with pytest.raises(NotationError, match="cannot lie in rows and on piles"):
        deck_left(Rules(), lying, laid=laid)


# ---- records ------------------------------------------------------------------------------------

RECORD = '[Rules "colours=5"]\n[Termination "unfinished"]\n[Cards "%s"]\n[Venue "train"]\n'


def test_a_record_names_its_deck() -> None:
    record = parse_record(RECORD % "mtttgc3")
    assert deck_of(record) is TRAVEL
    again = parse_record(format_record(with_deck(record, ROOM)))
    assert again.tags == (("Venue", "train"), ("Cards", "room"))
    assert deck_of(again) is ROOM


def test_a_record_may_name_no_deck_or_an_unknown_one() -> None:
    assert deck_of(parse_record(RECORD % "attic")) is None
    assert deck_of(parse_record('[Termination "unfinished"]\n')) is None


def test_a_deck_of_another_size_does_not_serve_a_record() -> None:
    record = parse_record(RECORD % "six")
    with pytest.raises(RecordError, match="Cards: six: it has 72 cards in 6 colours, these rules"):
        deck_of(record)
    with pytest.raises(DeckError, match="six: it has 72 cards in 6 colours"):
        with_deck(record, find_deck("six"))


def test_the_command_names_the_deck_of_a_record() -> None:
    text = run_here("record", "-", "--deck", "travel", stdin=RECORD % "room").out
    assert (
        text
        == RECORD.replace('[Cards "%s"]\n', "")
        .replace("colours=5", str(PRESETS["room"]))
        .replace("[Term", '[Result "0 0"]\n[Term')
        + '[Cards "mtttgc3"]\n'
    )
    shown = run_here("replay", "-", stdin=text).out
    assert "cards: Minimal Travel Table Top Game Collection 3" in shown
    assert_refused(run_here("record", "-", "--deck", "six", stdin=text), "six: it has 72 cards")
    wrong = RECORD % "six"
    assert_refused(run_here("replay", "-", stdin=wrong), "Cards: six: it has 72 cards")


# ---- the commands -------------------------------------------------------------------------------


def test_the_command_lists_and_shows_decks() -> None:
    assert "mtttgc3   Minimal Travel Table Top" in run_here("decks").out
    shown = run_here("decks", "travel").out
    assert "R  red     numbers 2–10, wagers 81–83" in shown
    assert "stay in the box: 1, 11–16, 26–31" in shown
    assert "take out of the box (60 cards)" in shown
    told = json.loads(run_here("decks", "--json").out)
    assert {deck["name"] for deck in told["decks"]} >= {"five", "six", "room", "mtttgc3"}
    assert json.loads(run_here("decks", "six", "--json").out)["rules"]["colours"] == 6


def test_the_command_finds_what_is_missing() -> None:
    there = "2-10 81-83 17-25 76-78 32-40 84-86 47-55 87 89 62-69 90-92"
    ran = run_here("decks", "travel", "--check", there)
    assert ran.status == 1
    assert "missing 2: orange investment (88), purple 10 (70)" in ran.out
    ran = run_here("decks", "travel", "--check", "-", "--json", stdin=f"{there} 88 70")
    assert ran.status == 0
    assert json.loads(ran.out) == {"held": 60, "missing": [], "surplus": [], "whole": True}
    assert "missing 1: grey 5" in run_here("decks", "room", "--but", "grey5").out
    assert "orange investment (88)" in run_here("decks", "travel", "--but", "88").out


def test_the_cards_that_lack_may_come_from_standard_input() -> None:
    """`--but -` read nothing and called the deck whole, `--check -` read it."""
    ran = run_here("decks", "room", "--but", "-", stdin="grey5\nredx\n")
    assert (ran.status, ran.lines[0]) == (1, "58 of 60 cards are there")
    assert ran.lines[1] == "missing 2: grey 5, red investment"
    assert run_here("decks", "room", "--but", "-", stdin="\n").lines == [
        "the deck is whole: 60 cards"
    ]
    assert_refused(run_here("decks", "room", "--but", "-", stdin="plum5"), "word 1: 'plum5'")


def test_equal_cards_that_lack_are_said_once_with_their_count() -> None:
    """The name of three equal wagers stood there three times."""
    said = run_here("decks", "travel", "--but", "81-83 76 78 70").lines[1]
    assert said == (
        "missing 6: 2 × blue investment (76, 78), purple 10 (70), 3 × red investment (81–83)"
    )
    assert run_here("decks", "five", "--but", "RX red wager").lines[1] == "missing 2: 2 × red wager"


def test_laid_alone_is_refused() -> None:
    """It was passed over, as if it said something of the deck."""
    for other in ((), ("--check", "R5")):
        assert_refused(run_here("decks", "five", "--laid", *other), "--laid: goes with --lying")


def test_the_command_helps_the_dealer() -> None:
    assert run_here("decks", "five", "--lying", "12").out == "the deck should hold 32\n"
    assert json.loads(run_here("decks", "six", "--lying", "1", "--laid", "--json").out) == {
        "deck": 56
    }
    assert "the round is over" in run_here("decks", "five", "--lying", "44").out
    assert_refused(run_here("decks", "five", "--lying", "60"), "cannot lie")


def test_the_command_refuses_a_deck_that_cannot_serve() -> None:
    assert_refused(run_here("decks", "poker"), "no such deck")
    assert_refused(run_here("decks", "--lying", "3"), "which deck is it")
    assert_refused(run_here("decks", "/nowhere/own.toml"), "No such file")


def test_a_sheet_is_scored_in_the_decks_words() -> None:
    ran = run_here("score", "--deck", "travel", "--json", "62 2-5 81 64 17")
    assert json.loads(ran.out) == {
        "colours": {"Y": 0, "B": -18, "W": -14, "G": 0, "R": -12}, "total": -44,
    }  # fmt: skip
    shown = run_here("score", "--deck", "travel", "81 2-5").out.splitlines()
    assert [line.split()[0] for line in shown[:5]] == ["red", "blue", "green", "orange", "purple"]
    assert_refused(run_here("score", "--deck", "travel", "2 11"), "stays in the box")
    assert_refused(run_here("score", "--deck", "room", "grey 5 5"), "W5 lies there twice")
    refused = run_here("score", "--deck", "travel", "--rules", "long", "2")
    assert_refused(refused, "it has 60 cards in 5 colours")


def test_both_sides_are_scored_and_checked_against_each_other() -> None:
    ran = run_here("score", "RX R5", "--against", "R6 Y10")
    assert ran.lines[5].split() == ["total", "-30"]
    assert ran.lines[-1].split() == ["total", "-24"]
    told = json.loads(run_here("score", "RX R5", "--against", "R6 Y10", "--json").out)
    assert [side["total"] for side in told["sides"]] == [-30, -24]
    refused = run_here("score", "--deck", "travel", "64 81", "--against", "90 W4 red5")
    assert_refused(refused, "W4 lies on both sides")
    assert_refused(run_here("score", "RX RX", "--against", "RX RX"), "there are only 3 RX")
    assert_refused(
        run_here("score", "--deck", "travel", "81", "--against", "81"), "--against: word 1: '81'"
    )
    assert_refused(run_here("score", "-", "--against", "R5"), "--against: needs the sheet as")


def test_sort_of_a_sheet_is_canonical() -> None:
    assert sort_cards(parse_typed("red 10 x 2", ROOM)) == parse_cards("RX R2 R10")
