"""The conformance suite for programs that play: right ones pass, wrong ones are named."""

import sys
from pathlib import Path

import pytest

from lostcities.conformance.engine import engine_cases, run_engine
from lostcities.conformance.runner import Report
from running import command

TOY = Path(__file__).parents[1] / "examples" / "conformance" / "toy_engine.py"

WRONG = {
    "always the same turn": ("return (on_open or discards)[0]", 'return "-RX*"', "does not hold RX"),
    "a card that only others hold": (
        "return (on_open or discards)[0]",
        'return next(f"-Y{r}*" for r in range(2, 11) if f"Y{r}" not in view["hand"])',
        "does not hold",
    ),
    "no turn": ('return {"turn": choose(json.loads(line)["view"])}', "return {}", "no turn in the"),
    "not a turn": ("return (on_open or discards)[0]", 'return "pass"', "a turn ends with its draw"),
    "names the card drawn": (
        "return (on_open or discards)[0]",
        'return (on_open or discards)[0] + "YX"',
        "*YX",
    ),
    "a value that is no number": ('return {"turn":', 'return {"value": "good", "turn":', "no number"),
    "no number that JSON has": (
        'return {"turn":', 'return {"value": float("nan"), "turn":', "no number of points: NaN"),
    "endless points": (
        'return {"turn":', 'return {"value": -float("inf"), "turn":', "no number of points: -Infinity"),
    "more points than there are": ('return {"turn":', 'return {"value": 10**400, "turn":', "no number"),
    "candidates that are illegal": (
        'return {"turn":', 'return {"candidates": [{"turn": "+Z5*", "value": 1}], "turn":',
        "a candidate that is no legal turn",
    ),
    "no error for a bad line": ('return {"error": repr(error)}', 'return {"turn": "-R5*"}', "no error"),
    "falls over a bad line": ("except (ValueError, KeyError", "except (AttributeError, KeyError", "ended"),
    "minds keys that it does not know": (
        "mine = view", 'assert "unheard_of" not in view\n    mine = view', "AssertionError",
    ),
    "stays when its input ends": ("print(json.dumps(answer(each)), flush=True)",
        "print(json.dumps(answer(each)), flush=True)\n    import time\n    time.sleep(60)",
        "still there"),
}  # fmt: skip


def report_on(program: Path) -> Report:
    return run_engine(f"{sys.executable} {program}", 1000, 9000)


def test_the_toy_engine_conforms() -> None:
    report = report_on(TOY)
    assert report.of("failed") == []
    assert report.conforms
    assert len(report.of("passed")) > 200


@pytest.mark.slow
@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_engine_is_found(what: str, tmp_path: Path) -> None:
    old, new, reason = WRONG[what]
    text = TOY.read_text()
    assert old in text
    program = tmp_path / "engine.py"
    program.write_text(text.replace(old, new, 1))
    report = report_on(program)
    assert not report.conforms
    reasons = [report.broken, *(each.reason for each in report.of("failed"))]
    assert any(reason in each for each in reasons), reasons[:5]


def test_the_views_cover_both_seats_and_five_and_six_colours() -> None:
    views = [case.request["view"] for case, _ in engine_cases()]
    assert {view["seat"] for view in views} == {0, 1}
    assert {view["rules"]["colours"] for view in views} >= {3, 5, 6}
    assert min(len(view["legal"]) for view in views) == 1
    assert {view["deck"] for view in views} >= {1, 2}


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["steady", "greedy", "random"])
def test_our_own_programs_conform(agent: str) -> None:
    report = run_engine(" ".join(command("engine", "--agent", agent)), 1000, 9000)
    assert report.of("failed") == []
    assert report.conforms
