"""Every example in docs/rules.md is what the core does."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from lostcities.core.errors import NotationError
from lostcities.core.match import MatchState, RoundResult, next_starter
from lostcities.core.position import format_position, parse_position
from lostcities.core.round import RoundState, deal
from lostcities.core.rules import PRESETS, Rules
from lostcities.core.scoring import Expeditions, score_expedition, score_seat
from lostcities.core.seats import BySeat
from lostcities.core.sheet import parse_sheet
from lostcities.core.turn import parse_turn
from page_examples import Example, examples

PAGE = Path(__file__).parents[1] / "docs" / "rules.md"
EXAMPLES = examples(PAGE)


class Reader:
    """Does what an example says, and compares."""

    def __init__(self) -> None:
        self.rules = Rules()
        self.state: RoundState | None = None
        self.sheet: Expeditions | None = None
        self.failure: NotationError | None = None
        self.rounds: list[BySeat[int]] = []

    def run(self, steps: Iterable[tuple[str, str]]) -> None:
        for key, value in steps:
            self.step(key, value)

    def step(self, key: str, value: str) -> None:
        check = getattr(self, f"on_{key}", None)
        assert check is not None, f"no such line in an example: {key}"
        assert self.failure is None or key in ("error", "position", "sheet"), "an error went unsaid"
        check(value)

    def read(self, how: Callable[[str, Rules], object], value: str) -> object:
        self.failure = None
        try:
            return how(value, self.rules)
        except NotationError as error:
            self.failure = error
            return None

    @property
    def now(self) -> RoundState:
        assert self.state is not None, "no position yet"
        return self.state

    def on_rules(self, value: str) -> None:
        self.rules = Rules() if value == "five" else Rules.parse(value)

    def on_position(self, value: str) -> None:
        self.state = self.read(parse_position, value)  # type: ignore[assignment]
        if self.state is not None:
            assert format_position(self.state) == value

    def on_sheet(self, value: str) -> None:
        self.sheet = self.read(parse_sheet, value)  # type: ignore[assignment]

    def on_error(self, value: str) -> None:
        assert value in str(self.failure)
        self.failure = None

    def on_points(self, value: str) -> None:
        assert self.sheet is not None
        letters = (colour.letter for colour in self.rules.all_colours())
        points = (score_expedition(row, self.rules).total for row in self.sheet)
        said = " ".join(f"{one}={two}" for one, two in zip(letters, points, strict=True))
        assert said == value

    def on_total(self, value: str) -> None:
        assert self.sheet is not None
        assert score_seat(self.sheet, self.rules) == int(value)

    def on_legal(self, value: str) -> None:
        legal = " ".join(map(str, self.now.legal_turns()))
        assert (legal or "none") == value

    def on_refused(self, value: str) -> None:
        token, reason = value.split()
        refused = self.now.refusal(parse_turn(token))
        assert refused is not None
        assert refused.reason.value == reason

    def on_play(self, value: str) -> None:
        for token in value.split():
            self.state = self.now.play(parse_turn(token))

    def on_then(self, value: str) -> None:
        assert format_position(self.now) == value

    def on_score(self, value: str) -> None:
        assert " ".join(map(str, self.now.score)) == value

    def on_over(self, value: str) -> None:
        assert ("yes" if self.now.over else "no") == value

    def on_deal(self, value: str) -> None:
        state = deal(self.rules, self.rules.all_cards(), 0)
        assert f"{state.hand_size(0)} {state.hand_size(1)} {state.deck_size}" == value

    def on_rounds(self, value: str) -> None:
        pairs = (pair.split() for pair in value.split(","))
        self.rounds = [BySeat(int(one), int(two)) for one, two in pairs]

    def match(self, rules: Rules) -> MatchState:
        match = MatchState(rules)
        for score in self.rounds:
            start = next_starter(match) or 0
            match = MatchState(rules, (*match.results, RoundResult(start, score, None, 44)))
        return match

    def on_totals(self, value: str) -> None:
        assert " ".join(map(str, self.match(Rules()).totals)) == value

    def on_starts(self, value: str) -> None:
        how, seat = value.split()
        match = self.match(Rules.parse(f"rounds=9 first=0 next={how}"))
        assert next_starter(match) == int(seat)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"line {each.line}")
def test_the_example_holds(example: Example) -> None:
    reader = Reader()
    for number, (key, value) in enumerate(example.steps, 1):
        try:
            reader.step(key, value)
        except AssertionError as error:
            place = f"docs/rules.md, line {example.line + number} ({example.heading})"
            raise AssertionError(f"{place}: {key}: {value}\n{error}") from None
    assert reader.failure is None


def test_the_page_has_its_examples() -> None:
    """An unnoticed change of the fences would leave nothing to check."""
    assert len(EXAMPLES) >= 45
    text = PAGE.read_text()
    assert text.count("```example") == len(EXAMPLES)
    assert text.count("```") == 2 * len(EXAMPLES)


def test_a_wrong_example_is_noticed() -> None:
    for steps in (
        [("sheet", "RX"), ("total", "-20")],
        [("position", "0 | G2 | B3 | - | - | R3 | W4 W5"), ("legal", "+G2*")],
        [("position", "0 | G2 | B3 | - | - | R3 | W4 W5"), ("refused", "-G2<R own_discard")],
        [("sheet", "R5 R4"), ("total", "1")],
        [("rounds", "20 20"), ("starts", "leader 0")],
    ):
        with pytest.raises(AssertionError):
            Reader().run(steps)


def test_the_table_of_presets_is_that_of_the_rules() -> None:
    words = {"alternates": "alternate", "higher": "leader"}
    rows = re.findall(r"^\| `(\w+)` \|[^|]+\| (\w+)", PAGE.read_text(), re.MULTILINE)
    assert {name: words[how] for name, how in rows} == {
        name: rules.next for name, rules in PRESETS.items()
    }


def test_links_within_the_page_lead_somewhere() -> None:
    text = PAGE.read_text()
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}
    assert len(anchors) == len(headings)
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors
