"""The conformance suite: a right toy passes, every planted fault is found, by name."""

import json
import sys
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from faulty_adapter import FAULTS, faulty
from hypothesis import given
from toy_adapter import COLOURS, Json, Toy

from lostcities import testing
from lostcities.conformance import adapter
from lostcities.conformance.case import REFUSED, Case
from lostcities.conformance.cases import GROUPS, all_cases
from lostcities.conformance.cases_play import perft
from lostcities.conformance.positions import normal, position_to_dict
from lostcities.conformance.process import Program, ProgramError
from lostcities.conformance.runner import Report, judge, run_cases
from lostcities.core.position import format_position, parse_position
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules
from lostcities.core.turn import parse_turn
from running import assert_refused, run_apart, run_here

EXAMPLES = Path(__file__).parents[1] / "examples" / "conformance"
CASES = [case for case in all_cases() if case.group != "perft"] + list(perft(2))


def command(name: str, *more: str) -> str:
    return " ".join([sys.executable, str(EXAMPLES / name), *more])


class Here:
    """A toy in this process; a fault that makes it fall over counts as one found."""

    def __init__(self, toy: Toy) -> None:
        self.toy = toy

    def ask(self, line: str, seconds: float) -> dict[str, Any]:
        try:
            return json.loads(json.dumps(self.toy.answer(json.loads(line))))  # type: ignore[no-any-return]
        except Exception as error:  # noqa: BLE001 - a mistake may show itself in any way
            raise ProgramError(repr(error)) from None


def report_on(toy: Toy) -> Report:
    return run_cases(lambda: Here(toy), CASES, 1.0)


def first_failure(toy: Toy) -> str | None:
    """The case that first finds a fault; the others are not asked."""
    program, answers = Here(toy), dict[str, Json]()
    for case in CASES:
        try:
            answers[case.id] = program.ask(json.dumps({"id": case.id, **case.request}), 1.0)
        except ProgramError:
            return case.id
        if judge(case, answers[case.id], answers).outcome == "failed":
            return case.id
    return None


def failed(report: Report) -> set[str]:
    return {verdict.case.id for verdict in report.of("failed")}


def test_the_right_toy_conforms() -> None:
    report = report_on(Toy())
    assert failed(report) == set()
    assert report.conforms
    assert len(report.of("passed")) == len(CASES) > 2400


def test_our_own_adapter_conforms() -> None:
    lines = [json.dumps({"id": case.id, **case.request}) for case in CASES]
    answers = {line["id"]: line for line in map(json.loads, adapter.serve(lines))}
    verdicts = [judge(case, answers[case.id], answers) for case in CASES]
    assert [each for each in verdicts if each.outcome != "passed"] == []


@pytest.mark.parametrize(
    ("fault", "finders"),
    [
        ("bonus", {"SV001", "SV029", "column-2047"}),
        ("twin", {"SC03-2", "SC03-legal-0"}),
        ("oldest", {"SC02-5", "SC11-2", "m000-round-1"}),
        ("empty-deck", {"SC07-2", "SC07-legal-2"}),
        ("last-round", {"match-5", "m000-record"}),
    ],
)
def test_each_planted_fault_is_found(fault: str, finders: set[str]) -> None:
    report = report_on(faulty([fault]))
    assert not report.conforms
    assert finders <= failed(report)


def test_all_five_planted_faults_are_found_together() -> None:
    assert len(FAULTS) == 5
    found = failed(report_on(faulty([])))
    assert {"SV029", "SC03-2", "SC11-2", "SC07-2", "match-5"} <= found


@given(testing.rounds())
def test_the_toy_and_the_core_agree_wherever_play_leads(state: RoundState) -> None:
    """Two implementations that share no line: either would have to be wrong in the same way."""
    toy, rules = Toy(), state.rules.to_dict()
    at = {**position_to_dict(state), "run": state.pile_run}
    legal = [str(turn) for turn in state.legal_turns()]
    assert sorted(toy.legal(at, rules)) == sorted(legal)
    assert toy.over(at, rules) == state.over
    assert [toy.points(rows, rules) for rows in at["expeditions"]] == list(state.score)
    for token in legal[:: max(1, len(legal) // 5)]:
        after = state.play(parse_turn(token))
        assert normal(toy.play(at, token, rules), state.rules) == format_position(after)


# ---- the mistakes that real programs make, one a toy --------------------------------------------


def row(points: Callable[[list[int], int], int]) -> type[Toy]:
    """A toy that scores an opened row of numbers and wagers in its own way."""

    class Scores(Toy):
        def row_points(self, row: list[str], rules: Json) -> int:
            numbers = [self.rank(card) for card in row if not card.endswith("X")]
            return points(numbers, len(row) - len(numbers)) if row else 0

    return Scores


def long(numbers: list[int], wagers: int, at: int = 8) -> int:
    return 20 if len(numbers) + wagers >= at else 0


SCORING: dict[str, Callable[[list[int], int], int]] = {
    "no bonus": lambda n, w: (sum(n) - 20) * (1 + w),
    "bonus above eight only": lambda n, w: (sum(n) - 20) * (1 + w) + long(n, w, 9),
    "bonus at seven": lambda n, w: (sum(n) - 20) * (1 + w) + long(n, w, 7),
    "bonus counts numbers only": lambda n, w: (sum(n) - 20) * (1 + w) + long(n, 0),
    "bonus for each card from the eighth": lambda n, w: (
        (sum(n) - 20) * (1 + w) + 20 * max(0, len(n) + w - 7)
    ),
    "cost after multiplying": lambda n, w: sum(n) * (1 + w) - 20 + long(n, w),
    "multiplier is the wagers": lambda n, w: (sum(n) - 20) * (w or 1) + long(n, w),
    "each wager doubles": lambda n, w: (sum(n) - 20) * 2**w + long(n, w),
    "losses not multiplied": lambda n, w: (
        (sum(n) - 20) * (1 + w if sum(n) > 20 else 1) + long(n, w)
    ),
    "only the cost multiplied": lambda n, w: sum(n) - 20 * (1 + w) + long(n, w),
    "wagers alone are free": lambda n, w: ((sum(n) - 20) * (1 + w) + long(n, w)) if n else 0,
    "one card is free": lambda n, w: (
        ((sum(n) - 20) * (1 + w) + long(n, w)) if len(n) + w > 1 else 0
    ),
    "a wager counts one": lambda n, w: (sum(n) + w - 20) * (1 + w) + long(n, w),
    "no cost": lambda n, w: sum(n) * (1 + w) + long(n, w),
    "never below nought": lambda n, w: max(0, (sum(n) - 20) * (1 + w) + long(n, w)),
}


OTHER_CONSTANTS = {
    case.id for case in CASES
    if case.request.get("rules", {}).get("cost", 20) != 20
    or case.request.get("rules", {}).get("bonus", 20) != 20
    or case.request.get("rules", {}).get("bonus_at", 8) != 8
}  # fmt: skip


@pytest.mark.parametrize("mistake", SCORING)
def test_a_scoring_mistake_is_found(mistake: str) -> None:
    found = first_failure(row(SCORING[mistake])())
    assert found is not None
    assert found.startswith(("SV", "column"))
    assert found not in OTHER_CONSTANTS


def test_the_mistakes_are_made_on_top_of_a_right_row() -> None:
    """Else any of them would be found for another reason: that it reads no other constants."""
    right = row(lambda n, w: (sum(n) - 20) * (1 + w) + long(n, w))
    assert failed(report_on(right())) <= OTHER_CONSTANTS


class UnopenedCosts(Toy):
    def row_points(self, row: list[str], rules: Json) -> int:
        return super().row_points(row, rules) if row else -20


class OwnDiscardFree(Toy):
    def open_piles(self, at: Json, lay: str, rules: Json) -> list[str]:
        return super().open_piles(at, lay, {**rules, "own_discard": True})


class BarredAfterPlay(Toy):
    def open_piles(self, at: Json, lay: str, rules: Json) -> list[str]:
        return [pile for pile in super().open_piles(at, lay, rules) if pile != lay[1]]


class PilesBeforeTheLay(Toy):
    def open_piles(self, at: Json, lay: str, rules: Json) -> list[str]:
        return [colour for colour in COLOURS[: rules["colours"]] if at["piles"].get(colour)]


class HighestOnTop(Toy):
    def take(self, pile: list[str]) -> str:
        card = max(pile, key=self.rank)
        pile.remove(card)
        return card


class OneWager(Toy):
    def fits(self, card: str, row: list[str]) -> bool:
        return not row or self.rank(card) > self.rank(row[-1])


class WagerAnytime(Toy):
    def fits(self, card: str, row: list[str]) -> bool:
        return card.endswith("X") or super().fits(card, row)


class NoOrder(Toy):
    def fits(self, card: str, row: list[str]) -> bool:
        return not row or not card.endswith("X") or row[-1].endswith("X")


class Consecutive(Toy):
    def fits(self, card: str, row: list[str]) -> bool:
        next_up = not row or row[-1].endswith("X") or self.rank(card) == self.rank(row[-1]) + 1
        return super().fits(card, row) and next_up


class TextOrder(Toy):
    def fits(self, card: str, row: list[str]) -> bool:
        return not row or card[1:] > row[-1][1:] or card[1:] == row[-1][1:] == "X"


class OtherRowBinds(Toy):
    def lays(self, at: Json) -> list[str]:
        theirs = at["expeditions"][1 - at["to_move"]]
        return [
            lay for lay in super().lays(at)
            if lay[0] == "-" or self.fits(lay[1:], theirs.get(lay[1], []))
        ]  # fmt: skip


class NoUselessDiscard(Toy):
    def lays(self, at: Json) -> list[str]:
        mine = at["expeditions"][at["to_move"]]
        return [
            lay for lay in super().lays(at)
            if lay[0] == "+" or self.fits(lay[1:], mine.get(lay[1], []))
        ]  # fmt: skip


class AllTwinsLeave(Toy):
    def lay_down(self, at: Json, lay: str) -> None:
        super().lay_down(at, lay)
        hand = at["hands"][at["to_move"]]
        hand[:] = [card for card in hand if card != lay[1:]]


class PileEndsToo(Toy):
    def over(self, at: Json, rules: Json) -> bool:
        return super().over(at, rules) or (len(at["deck"]) == 1 and at.get("run", 0) > 0)


class NoStall(Toy):
    def over(self, at: Json, rules: Json) -> bool:
        return not at["deck"]


class SeatKept(Toy):
    def play(self, at: Json, token: str, rules: Json) -> Json:
        after = super().play(at, token, rules)
        return {**after, "to_move": at["to_move"]} if "<" in token else after


class EndUnheeded(Toy):
    def legal(self, at: Json, rules: Json) -> list[str]:
        return super().legal({**at, "deck": at["deck"] or ["YX"]}, rules)


class NotHeldFine(Toy):
    def play(self, at: Json, token: str, rules: Json) -> Json:
        hand = at["hands"][at["to_move"]]
        card = token[1:].partition("*")[0].partition("<")[0]
        if card in hand or card in at["deck"]:
            return super().play(at, token, rules)
        hands = [list(each) for each in at["hands"]]
        hands[at["to_move"]].append(card)
        return super().play({**at, "hands": hands}, token, rules)


class EmptyPilePasses(Toy):
    def open_piles(self, at: Json, lay: str, rules: Json) -> list[str]:
        fresh = lay[1] if lay[0] == "-" else ""
        return [colour for colour in COLOURS[: rules["colours"]] if colour != fresh]

    def take(self, pile: list[str]) -> str:
        return pile.pop() if pile else "RX"


class OneToNine(Toy):
    def deck(self, rules: Json) -> Counter[str]:
        cards: Counter[str] = Counter()
        for colour in COLOURS[: rules["colours"]]:
            cards.update({f"{colour}X": 2, **{f"{colour}{n}": 1 for n in range(1, 11)}})
        return cards


class StarterDealtFirst(Toy):
    def deal(self, deck: list[str], start: int, rules: Json) -> Json:
        at = super().deal(deck, start, rules)
        return {**at, "hands": at["hands"] if start == 0 else at["hands"][::-1]}


class HalvesDealt(Toy):
    def deal(self, deck: list[str], start: int, rules: Json) -> Json:
        hand = rules["hand"]
        at = super().deal(deck, start, rules)
        return {**at, "hands": [deck[:hand], deck[hand : 2 * hand]]}


class TieToSeatNought(Toy):
    def starter(self, rounds: list[Json], rules: Json) -> int:
        level = len({*self.totals(rounds)}) == 1
        return 0 if level and rules["next"] == "leader" else super().starter(rounds, rules)


class NoPurple(Toy):
    def points(self, rows: dict[str, list[str]], rules: Json) -> int:
        return super().points({c: row for c, row in rows.items() if c != "P"}, rules)


class PurpleAlways(Toy):
    def check_cards(self, cards: list[str], rules: Json) -> None:
        super().check_cards(cards, {**rules, "colours": 6})

    def do_score(self, ask: Json, rules: Json) -> Json:
        return super().do_score(ask, {**rules, "colours": 6})


class PointsUnchecked(Toy):
    def check_said(self, what: str, said: str, points: list[int]) -> None:
        pass


class DeckShown(Toy):
    def view(self, at: Json, seat: int, rules: Json) -> Json:
        return {**super().view(at, seat, rules), "next": at["deck"][:1]}


class OtherHandShown(Toy):
    def view(self, at: Json, seat: int, rules: Json) -> Json:
        return {**super().view(at, seat, rules), "hands": at["hands"]}


class OneListForBothHands(Toy):
    def legal(self, at: Json, rules: Json) -> list[str]:
        return super().legal({**at, "hands": [[*at["hands"][0], *at["hands"][1]]] * 2}, rules)


ENGINES = [
    UnopenedCosts, OwnDiscardFree, BarredAfterPlay, PilesBeforeTheLay, HighestOnTop, OneWager,
    WagerAnytime, NoOrder, Consecutive, TextOrder, OtherRowBinds, NoUselessDiscard, AllTwinsLeave,
    PileEndsToo, NoStall, SeatKept, EndUnheeded, NotHeldFine, EmptyPilePasses, OneToNine,
    StarterDealtFirst, HalvesDealt, TieToSeatNought, NoPurple, PurpleAlways, PointsUnchecked,
    DeckShown, OtherHandShown, OneListForBothHands,
]  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.__name__)
def test_a_mistake_in_the_rules_is_found(engine: type[Toy]) -> None:
    assert first_failure(engine()) is not None


# ---- what the runner says -----------------------------------------------------------------------


def test_no_case_points_to_what_is_not_shipped() -> None:
    """Reasons named a file that neither the package nor the exported cases hold."""
    assert [case.id for case in CASES if ".json" in case.why or "LC-" in case.why] == []


def test_ids_are_unique_and_every_case_is_json() -> None:
    counts = Counter(case.id for case in all_cases())
    assert [name for name, count in counts.items() if count > 1] == []
    for case in CASES:
        assert json.loads(json.dumps(case.to_dict())) == case.to_dict()


def test_every_group_has_right_and_refused_cases_where_both_make_sense() -> None:
    kinds = {
        name: Counter(case.expected == REFUSED for case in group())
        for name, group in GROUPS.items()
    }
    for name in ("stories", "records"):
        assert min(kinds[name][True], kinds[name][False]) >= 4, name


CASE = Case("a", "legal", "", {"do": "legal", "rules": {}}, {"turns": ["+R5*", "-R5*"]})


@pytest.mark.parametrize(
    ("answer", "outcome", "reason"),
    [
        ({"turns": ["-R5*", "+R5*"], "more": 1}, "passed", ""),
        ({"turns": ["+R5*"]}, "failed", "missing: -R5*"),
        ({"turns": ["+R5*", "-R5*", "+R6*"]}, "failed", "not legal: +R6*"),
        ({"turns": ["+R5*", "-R5*", "-R5*"]}, "failed", "more than once: -R5*"),
        ({"turns": "+R5* -R5*"}, "failed", "expected a list of strings"),
        ({}, "failed", "no 'turns' in the answer"),
        ({"refused": "why"}, "failed", "refused: why"),
        ({"error": "why"}, "failed", "error: why"),
        ({"id": "b", "turns": ["+R5*", "-R5*"]}, "failed", "the answer is to 'b'"),
        ({"unsupported": "no piles"}, "skipped", "no piles"),
    ],
)
def test_an_answer_is_judged(answer: dict[str, Any], outcome: str, reason: str) -> None:
    verdict = judge(CASE, answer, {})
    assert verdict.outcome == outcome
    assert reason in verdict.reason


class Texts(Toy):
    """Reads and writes positions as text."""

    def answer(self, ask: Json) -> Json:
        rules = Rules.from_dict(ask.get("rules", {}))
        if "text" in ask:
            assert parse_position(ask["text"], rules) == parse_position(
                normal(ask["position"], rules), rules
            )
        answer = super().answer(ask)
        if "position" in answer:
            text = normal(answer["position"], rules)
            if answer.get("over"):
                text = f"0 |{text.partition('|')[2]}"
            answer = {**answer, "position": text}
        return answer


def test_positions_may_be_text() -> None:
    assert failed(report_on(Texts())) == set()
    case = next(case for case in CASES if case.id == "SC01-3")
    right = Texts().answer(case.request)
    for wrong in ("nonsense", right["position"].replace("G2", "G3"), 5):
        verdict = judge(case, {**right, "position": wrong}, {})
        assert verdict.reason.startswith("position: ")


def test_a_program_that_supports_nothing_does_not_conform() -> None:
    class Nothing:
        def ask(self, line: str, seconds: float) -> dict[str, Any]:
            return {"unsupported": "anything"}

    report = run_cases(Nothing, islice(CASES, 20), 1.0)
    assert not report.of("failed")
    assert not report.conforms


def test_a_program_that_falls_over_is_started_anew() -> None:
    started = []

    class Falls:
        def __init__(self) -> None:
            started.append(self)

        def ask(self, line: str, seconds: float) -> dict[str, Any]:
            if "SV002" in line or "SV004" in line:
                raise ProgramError("fell over")
            return Toy().answer(json.loads(line))

    report = run_cases(Falls, islice(CASES, 10), 1.0)
    assert failed(report) == {"SV002", "SV004"}
    assert (len(started), report.broken) == (3, "")


# ---- outside programs ---------------------------------------------------------------------------


def test_the_command_tests_an_adapter() -> None:
    ran = run_here("conformance", "--adapter", command("toy_adapter.py"), "--only", "stories")
    assert (ran.status, ran.lines[-1].endswith("conforms in stories")) == (0, True)
    some = ("--only", "stories", "--only", "matches")
    ran = run_here("conformance", "--adapter", command("faulty_adapter.py", "twin"), *some)
    assert ran.status == 1
    assert "SC03-2: a fresh wager shuts its pile" in ran.out
    assert ran.lines[-1].endswith("DOES NOT CONFORM")


def test_the_report_as_json() -> None:
    ran = run_here(
        "conformance", "--json", "--only", "matches", "--adapter",
        command("faulty_adapter.py", "last-round"),
    )  # fmt: skip
    report = json.loads(ran.out)
    assert (ran.status, report["conforms"]) == (1, False)
    assert report["groups"] == {"matches": {"passed": 10, "failed": 1, "skipped": 0}}
    assert report["failed"][0]["id"] == "match-5"
    assert "expected 0, got 1" in report["failed"][0]["reason"]


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (f"{sys.executable} -c pass", "the program ended with status 0"),
        (f"{sys.executable} -c 'print(5, flush=True); input()'", "no JSON object"),
        (f"{sys.executable} -c 'print(\"hm\", flush=True); input()'", "no JSON: 'hm'"),
        (f"{sys.executable} -c 'import sys; sys.exit(\"gone\")'", "status 1: gone"),
        (f"{sys.executable} -c 'print(\"[\" * 9999, flush=True); input()'", "no JSON: '[[["),
    ],
)
def test_a_program_that_cannot_answer_does_not_conform(program: str, reason: str) -> None:
    ran = run_here("conformance", "--only", "matches", "--adapter", program)
    assert ran.status == 1
    assert reason in ran.out


def test_what_a_program_does_not_have_is_no_part_of_what_conforms() -> None:
    """One that scores and no more was said to conform."""
    score = "import sys, json\nfor line in sys.stdin: print(json.dumps({'unsupported': 'all'} if"
    score += " json.loads(line)['id'] != 'match-1' else {'starter': 1}), flush=True)"
    ran = run_here(
        "conformance", "--only", "matches", "--adapter", f'{sys.executable} -c "{score}"'
    )
    assert ran.status == 0
    assert ran.lines[-1].endswith("conforms in matches but for 10 cases not supported")


@pytest.mark.parametrize(
    "options",
    [
        ("--adapter", "x", "--seconds", "-1"),
        ("--adapter", "x", "--seconds", "nan"),
        ("--adapter", "x", "--seconds", "inf"),
        ("--engine", "x", "--time-ms", "99999999999999"),
        ("--engine", "x", "--time-ms", "0"),
    ],
)
def test_a_time_that_nobody_can_wait_for_is_refused(options: tuple[str, ...]) -> None:
    ran = run_here("conformance", *options)
    assert (ran.status, "Traceback" in ran.err) == (2, False)
    assert options[2] in ran.err


@pytest.mark.parametrize("kind", ["--adapter", "--engine"])
@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (" ", "no program named"),
        ("no-such-program-here", "no-such-program-here: No such file or directory"),
        ("'unclosed", "'unclosed: No closing quotation"),
        (f"{Path(__file__).parent}", "Permission denied"),
    ],
)
def test_a_program_that_cannot_be_started_is_no_verdict(
    kind: str, program: str, reason: str
) -> None:
    """It was told that it does not conform, with status 1."""
    ran = run_here("conformance", kind, program)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.splitlines()[-1].startswith(f"lostcities conformance: error: {kind}: ")
    assert ran.err.rstrip().endswith(reason)


@pytest.mark.parametrize("option", [("--only", "matches"), ("--quick",)])
def test_an_engine_is_tested_as_a_whole(option: tuple[str, ...]) -> None:
    """These were passed over without a word."""
    ran = run_here("conformance", "--engine", "no-such-program-here", *option)
    assert (ran.status, ran.out) == (2, "")
    assert f"{option[0]}: goes with an adapter" in ran.err


def test_a_program_that_is_late_is_told() -> None:
    with Program(f"{sys.executable} -c 'import time; time.sleep(60)'") as program:
        with pytest.raises(ProgramError, match=r"no answer within 0\.2 s"):
            program.ask("{}", 0.2)
        program.kill()


def test_the_command_serves_the_adapter_protocol() -> None:
    lines = ['{"id": 1, "do": "score", "cards": ["RX"]}', "nonsense", '{"do": "dance"}', "[]"]
    ran = run_apart("conformance", "--serve", stdin="\n".join(lines))
    first, second, third, fourth = map(json.loads, ran.lines)
    assert first == {"id": 1, "total": -40, "colours": {"Y": 0, "B": 0, "W": 0, "G": 0, "R": -40}}
    assert "error" in second
    assert "unsupported" in third
    assert "error" in fourth


def test_the_cases_are_exported(tmp_path: Path) -> None:
    ran = run_here("conformance", "--export", str(tmp_path / "cases"))
    assert ran.status == 0
    files = {path.name for path in (tmp_path / "cases").iterdir()}
    assert files == {f"{name}.jsonl" for name in GROUPS} | {"LICENSE"}
    lines = (tmp_path / "cases" / "matches.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [case.to_dict() for case in GROUPS["matches"]()]


def test_wrong_usage() -> None:
    assert run_here("conformance").status == 2
    assert_refused(run_here("conformance", "--export", __file__), "File exists")


def test_the_page_names_every_request_and_group() -> None:
    page = (Path(__file__).parents[1] / "docs" / "conformance.md").read_text()
    asked = {str(case.request["do"]) for case in CASES}
    assert {name for name in asked | set(GROUPS) if f"`{name}`" not in page} == set()
