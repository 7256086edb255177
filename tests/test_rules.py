"""Rules: reading, writing, what is refused, the presets, the deck."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from lostcities import testing
from lostcities.core.cards import Colour, format_cards, parse_card
from lostcities.core.errors import RulesError
from lostcities.core.rules import PRESETS, STUDIES, Rules, preset

DEFAULT = "colours=5 hand=8 cost=20 bonus=20 bonus_at=8 rounds=3 first=random next=alternate"
PRESET_TEXTS = {
    "room": DEFAULT,
    "tutorial": DEFAULT,
    "blog": DEFAULT.replace("alternate", "leader"),
    "site": DEFAULT.replace("alternate", "leader"),
    "travel": DEFAULT.replace("alternate", "leader").replace("rounds=3", "rounds=open"),
    "long": DEFAULT.replace("colours=5", "colours=6"),
}
KEYS = [
    "colours",
    "hand",
    "cost",
    "bonus",
    "bonus_at",
    "rounds",
    "first",
    "next",
    "own_discard",
    "stall",
    "wagers",
    "top",
]


def test_the_default_is_written_with_its_first_eight_keys() -> None:
    assert str(Rules()) == DEFAULT
    assert Rules.parse(DEFAULT) == Rules.parse("") == Rules.parse(" ") == Rules()


def test_other_keys_are_written_when_they_say_something() -> None:
    text = f"{DEFAULT} own_discard=yes stall=12 wagers=2 top=9"
    assert str(Rules.parse(text)) == text
    assert str(Rules.parse(f"{DEFAULT} own_discard=no stall=0 wagers=3 top=10")) == DEFAULT
    assert str(Rules.parse("stall=40")) == f"{DEFAULT} stall=40"
    assert str(Rules.parse("top=9 wagers=2")) == f"{DEFAULT} wagers=2 top=9"


@pytest.mark.parametrize("name", PRESET_TEXTS)
def test_preset(name: str) -> None:
    assert str(preset(name)) == PRESET_TEXTS[name]
    assert Rules.parse(name) == PRESETS[name]
    assert list(PRESETS) == list(PRESET_TEXTS)


def test_a_study_is_read_as_a_preset_is_and_is_none() -> None:
    mini = "colours=1 hand=1 cost=4 bonus=4 bonus_at=3 rounds=1 first=random next=alternate"
    assert str(Rules.parse("mini")) == f"{mini} stall=2 wagers=1 top=5"
    assert Rules.parse("mini") == preset("mini") == STUDIES["mini"]
    assert not STUDIES.keys() & PRESETS.keys()
    assert format_cards(preset("mini").all_cards()) == "YX Y2 Y3 Y4 Y5"
    with pytest.raises(RulesError, match="room, tutorial, blog, site, travel, long, mini"):
        preset("tiny")


def test_a_preset_may_be_followed_by_keys() -> None:
    rules = Rules.parse("blog rounds=1 first=1 colours=6")
    assert (rules.next, rules.rounds, rules.first, rules.colours) == ("leader", 1, 1, 6)


def test_unnamed_keys_come_from_the_base() -> None:
    base = Rules(colours=6, rounds="open")
    assert Rules.parse("hand=7", base) == Rules(colours=6, rounds="open", hand=7)
    assert Rules.parse("room hand=7", base) == Rules(hand=7)


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("rom", "'rom'", "unknown preset (one of room, tutorial"),
        ("room blog", "'blog'", "expected key=value"),
        ("hand=7 room", "'room'", "expected key=value"),
        ("hands=7", "hands", "unknown rule (one of colours, hand"),
        ("hand=7 hand=7", "hand", "given twice"),
        ("colours=0", "colours", "0 is not a number from 1 to 6"),
        ("colours=7", "colours", "7 is not a number from 1 to 6"),
        ("colours=five", "colours", "'five' is not a number from 1 to 6"),
        ("colours=-1", "colours", "'-1' is not a number from 1 to 6"),
        ("colours=5.0", "colours", "'5.0' is not a number"),
        ("colours=", "colours", "'' is not a number"),
        ("colours=²", "colours", "'²' is not a number"),
        ("hand=0", "hand", "0 is not a number from 1 to 12"),
        ("hand=13", "hand", "13 is not a number from 1 to 12"),
        ("cost=100", "cost", "100 is not a number from 0 to 99"),
        ("bonus=100", "bonus", "100 is not a number from 0 to 99"),
        ("bonus_at=0", "bonus_at", "0 is not a number from 1 to 13"),
        ("bonus_at=14", "bonus_at", "14 is not a number from 1 to 13"),
        ("rounds=0", "rounds", "0 is not a number from 1 to 99 or open"),
        ("rounds=100", "rounds", "100 is not a number from 1 to 99 or open"),
        ("rounds=closed", "rounds", "'closed' is not a number from 1 to 99 or open"),
        ("hand=open", "hand", "'open' is not a number from 1 to 12"),
        ("first=2", "first", "2 is not random, 0 or 1"),
        ("first=oldest", "first", "'oldest' is not random, 0 or 1"),
        ("next=loser", "next", "'loser' is not one of alternate, leader, winner"),
        ("own_discard=1", "own_discard", "'1' is not yes or no"),
        ("stall=1000", "stall", "'1000' is not a number from 0 to 999"),
        ("wagers=4", "wagers", "4 is not a number from 0 to 3"),
        ("top=1", "top", "1 is not a number from 2 to 10"),
        ("top=11", "top", "11 is not a number from 2 to 10"),
        ("colours=2 hand=12", "hand", "need 25 cards, but these rules have 24"),
        ("colours=1 wagers=0 top=2 hand=1", "hand", "need 3 cards, but these rules have 1"),
    ],
)
def test_impossible_rules_are_refused_with_the_reason(text: str, place: str, reason: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.parse(text)
    assert caught.value.place == place
    assert reason in caught.value.reason


@pytest.mark.parametrize(
    "text",
    [
        "colours=6", "hand=1", "hand=12", "cost=0", "cost=99", "bonus=0", "bonus=99",
        "bonus_at=1", "bonus_at=13", "rounds=1", "rounds=99", "rounds=open", "first=0", "first=1",
        "next=winner", "own_discard=yes", "stall=1", "stall=999", "wagers=0", "top=2 hand=7",
        "colours=1 hand=5", "colours=1 hand=1 wagers=0 top=4", "colours=2 hand=11",
    ],
)  # fmt: skip
def test_the_ends_of_every_range_are_allowed(text: str) -> None:
    rules = Rules.parse(text)
    for word in text.split():
        assert word in str(rules).split()


@pytest.mark.parametrize(
    "values",
    [
        {"first": 0.0}, {"first": True}, {"first": "0"}, {"first": None}, {"first": []},
        {"colours": 5.0}, {"colours": True}, {"colours": "5"}, {"colours": None},
        {"rounds": True}, {"rounds": 2.0}, {"rounds": None}, {"own_discard": 0},
        {"own_discard": "no"}, {"next": None}, {"next": ["leader"]}, {"hands": 8}, {3: 4},
    ],
)  # fmt: skip
def test_json_of_the_wrong_kind_is_refused(values: dict[Any, Any]) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.from_dict(values)
    assert caught.value.place == str(next(iter(values)))


def test_as_json_every_key_is_there() -> None:
    assert list(Rules().to_dict()) == KEYS
    assert Rules(first=1, rounds="open", own_discard=True).to_dict() == {
        "colours": 5, "hand": 8, "cost": 20, "bonus": 20, "bonus_at": 8, "rounds": "open",
        "first": 1, "next": "alternate", "own_discard": True, "stall": 0, "wagers": 3, "top": 10,
    }  # fmt: skip
    assert Rules.from_dict({}) == Rules()
    assert Rules.from_dict({"colours": 6, "stall": 9}) == Rules(colours=6, stall=9)


@pytest.mark.parametrize(("colours", "size"), [(5, 60), (6, 72)])
def test_the_deck_is_a_multiset(colours: int, size: int) -> None:
    """Twelve cards of a colour: 2 to 10 once each and three wagers. The count alone is no test."""
    rules = Rules(colours=colours)
    deck = Counter(rules.all_cards())
    assert rules.deck_size == deck.total() == size
    for colour in Colour:
        ranks = {card.rank: count for card, count in deck.items() if card.colour == colour}
        wanted = {0: 3} | dict.fromkeys(range(2, 11), 1)
        assert ranks == (wanted if colour < colours else {})
    assert all(rules.copies(card) == deck[card] for card in deck)
    assert (rules.copies(parse_card("PX")), rules.copies(parse_card("P2"))) == (
        (3, 1) if colours == 6 else (0, 0)
    )


def test_study_decks() -> None:
    rules = Rules.parse("colours=2 wagers=1 top=3 hand=2")
    assert format_cards(rules.all_cards()) == "YX Y2 Y3 BX B2 B3"
    assert rules.deck_size == 6
    assert rules.all_colours() == (Colour.YELLOW, Colour.BLUE)
    assert rules.copies(parse_card("Y4")) == 0
    assert rules.copies(parse_card("WX")) == 0
    assert Rules.parse("wagers=0").copies(parse_card("YX")) == 0


@given(testing.rules())
def test_rules_read_back(rules: Rules) -> None:
    assert Rules.parse(str(rules)) == rules
    assert Rules.from_dict(rules.to_dict()) == rules
    assert len(rules.all_cards()) == rules.deck_size > 2 * rules.hand
    assert set(rules.to_dict()) == set(KEYS)
