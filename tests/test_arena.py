"""The arena: duplicate deals, its statistics, its log, and the command."""

import json
import os
import random
import shlex
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lostcities.core.record_text import parse_record
from lostcities.core.rules import Rules
from lostcities.kernel.jit import COMPILED
from lostcities.training import workers
from lostcities.training.arena import Arena, Settings, about, arena_rules, hold
from lostcities.training.log import Log, LogError
from lostcities.training.ratings import rate
from lostcities.training.tally import (
    DealResult,
    Game,
    PairTally,
    Times,
    mean_over_pairs,
    standard_error,
    surely_ahead,
)
from lostcities.training.workers import Plan, Task
from running import assert_refused, command, environment, run_here

GREEDY_RANDOM = ("greedy@1", "random@1")


def plan(*agents: str, seed: int = 1, rules: str = "", time_ms: int = 60_000) -> Plan:
    return Plan(agents or GREEDY_RANDOM, arena_rules(rules), seed, time_ms, 512)


def timeless(arena: Arena) -> Any:
    """The results without what the clock says."""
    return json.loads(
        json.dumps(arena.facts(), default=str),
        object_hook=lambda each: {k: v for k, v in each.items() if "ms_" not in k},
    )


def bad_program(tmp_path: Path, body: str) -> str:
    path = tmp_path / "bad.py"
    path.write_text(f"import json, sys, time\nfor line in sys.stdin:\n    {body}\n")
    return "cmd:" + shlex.join([sys.executable, str(path)])


# ---- results ------------------------------------------------------------------------------------


def test_the_results_are_those_of_the_deals() -> None:
    arena = hold(Settings(plan(), 6))
    facts = arena.facts()
    (tally,) = arena.tallies.values()
    points = [(game.score[0] - game.score[1]) for result in tally.results for game in result.games]
    assert facts["deals"] == 6
    assert facts["rounds"] == len(points) == 12
    assert facts["points"] == pytest.approx(statistics.mean(points))
    by_deal = [(a + b) / 2 for a, b in zip(points[::2], points[1::2], strict=True)]
    assert facts["se"] == pytest.approx(statistics.stdev(by_deal) / 6**0.5)
    assert facts["mean_a"] - facts["mean_b"] == pytest.approx(facts["points"])
    assert facts["win"] == sum(p > 0 for p in points) / 12
    assert facts["illegal_a"] == facts["late_a"] == facts["illegal_b"] == facts["late_b"] == 0
    assert facts["turns"] > 20
    assert facts["ms_a"] > 0
    assert facts["p99_ms_a"] >= facts["ms_a"] / 2


def test_an_agent_against_itself_is_level() -> None:
    facts = hold(Settings(plan("greedy@1", "greedy@1"), 4)).facts()
    assert (facts["points"], facts["se"]) == (0, 0)


def test_the_same_seed_gives_the_same_results_with_any_number_of_processes() -> None:
    one = hold(Settings(plan("greedy@1", "random@1", "steady@1"), 3))
    three = hold(Settings(plan("greedy@1", "random@1", "steady@1"), 3, jobs=3))
    assert timeless(one) == timeless(three)
    other = hold(Settings(plan("greedy@1", "random@1", "steady@1", seed=2), 3))
    assert timeless(one) != timeless(other)


def test_compiled_agents_give_the_results_of_the_agents_themselves(tmp_path: Path) -> None:
    names = ("random@1", "greedy@1", "steady@1", "policy@2")
    deals, folders = 8, (tmp_path / "fast", tmp_path / "slow")
    fast = hold(Settings(plan(*names), deals, records=folders[0]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "compiled_places", lambda _: frozenset())
        slow = hold(Settings(plan(*names), deals, records=folders[1]))
    assert timeless(fast) == timeless(slow)
    assert all(pair["choices"] for pair in fast.facts()["pairs"])
    files = [sorted(folder.iterdir()) for folder in folders]
    assert [file.name for file in files[0]] == [file.name for file in files[1]]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(*files, strict=True))
    # Only the deals left to the agents tell what a turn takes.
    answers = [tally.times(0).count for tally in fast.tallies.values()]
    assert all(0 < count < 200 for count in answers)
    if COMPILED:
        assert fast.tallies[0, 1].times(0).count < slow.tallies[0, 1].times(0).count


def test_deals_of_compiled_agents_go_out_together() -> None:
    tasks = [Task((0, 1), deal) for deal in range(150)] + [Task((0, 2), 5)]
    bundled = list(workers.bundles(plan("greedy@1", "steady@1", "flat@1"), tasks))
    assert sorted((t.pair, t.deal) for each in bundled for t in each) == [
        (task.pair, task.deal) for task in tasks
    ]
    if COMPILED:
        assert [len(each) for each in bundled] == [1, 64, 64, 1, 21]


def test_everybody_plays_everybody_and_the_points_cancel() -> None:
    arena = hold(Settings(plan("random@1", "greedy@1", "random@1"), 3))
    facts = arena.facts()
    assert [(p["a"], p["b"]) for p in facts["pairs"]] == [
        ("random@1", "greedy@1"),
        ("random@1", "random@1"),
        ("greedy@1", "random@1"),
    ]
    assert facts["table"][0]["name"] == "greedy@1"
    assert sum(line["points"] for line in facts["table"]) == pytest.approx(0)
    assert all(line["rounds"] == 12 for line in facts["table"])
    rounds = list(arena.rounds_in_order())
    assert len(rounds) == 18
    assert rounds[:2] == [(0, 1, rounds[0][2]), (0, 1, rounds[1][2])]


def test_pairs_of_a_slow_agent_may_play_fewer_deals(tmp_path: Path) -> None:
    log = tmp_path / "arena.jsonl"
    words = ("arena", "greedy", "random", "steady", "--seed", "1", "--log", str(log), "--json")
    ran = run_here(*words, "--deals", "4", "--at-most", "random=2")
    deals = {(p["a"], p["b"]): p["deals"] for p in json.loads(ran.out)["pairs"]}
    assert deals == {
        ("greedy@1", "random@1"): 2,
        ("greedy@1", "steady@1"): 4,
        ("random@1", "steady@1"): 2,
    }
    more = json.loads(run_here(*words, "--deals", "4", "--at-most", "random=3").out)
    assert [pair["deals"] for pair in more["pairs"]] == [3, 4, 3]
    assert sum(line["points"] for line in more["table"]) == pytest.approx(0)
    assert_refused(
        run_here(*words, "--at-most", "flat=3"), "--at-most flat=3: flat@1 does not play"
    )
    assert_refused(run_here(*words, "--at-most", "random"), "not AGENT=N")


def test_the_error_over_pairs_is_that_of_the_deals() -> None:
    rng = random.Random(6)
    one, two = ({deal: rng.gauss(3, 9) for deal in range(50)} for _ in range(2))
    both = [(one[deal] + two[deal]) / 2 for deal in one]
    assert mean_over_pairs([one, two]) == pytest.approx(
        (statistics.mean(both), standard_error(both))
    )
    assert mean_over_pairs([one]) == pytest.approx(
        (statistics.mean(one.values()), standard_error(list(one.values())))
    )
    few = {deal: two[deal] for deal in range(10)}
    points, se = mean_over_pairs([one, few, {}])
    assert points == pytest.approx(
        (statistics.mean(one.values()) + statistics.mean(few.values())) / 2
    )
    assert se > mean_over_pairs([one, two])[1]
    assert mean_over_pairs([{0: 4.0}]) == (4.0, 0.0)
    assert mean_over_pairs([]) == (0.0, 0.0)


def test_the_stall_rule_of_the_arena_yields_to_the_rules() -> None:
    assert arena_rules("") == Rules(stall=100)
    assert arena_rules("colours=6") == Rules(colours=6, stall=100)
    assert arena_rules("long").stall == 100
    assert arena_rules("stall=0").stall == 0
    assert arena_rules("long stall=7").stall == 7


def test_stalled_rounds_are_counted_and_scored_as_they_stand() -> None:
    facts = hold(Settings(plan("random@1", "random@1", rules="stall=3"), 5)).facts()
    assert facts["stalled"] == 10


def test_a_failing_program_loses_its_rounds_and_the_arena_goes_on(tmp_path: Path) -> None:
    bad = bad_program(tmp_path, "print('nonsense', flush=True)")
    facts = hold(Settings(plan("greedy@1", bad), 2)).facts()
    assert facts["illegal_b"] == 4
    assert facts["points"] >= 60
    assert list(facts["reasons_b"].values()) == [4]
    assert "nonsense" not in facts["a"]


def test_a_late_program_loses_by_time(tmp_path: Path) -> None:
    body = "n = globals().get('n', 0) + 1; time.sleep(5 if n > 1 else 0); v = json.loads(line)['view']; print(json.dumps({'turn': v['legal'][0]}), flush=True)"
    facts = hold(Settings(plan("greedy@1", bad_program(tmp_path, body), time_ms=100), 1)).facts()
    assert (facts["late_b"], facts["illegal_b"]) == (2, 0)


def test_records_of_every_round_replay(tmp_path: Path) -> None:
    bad = bad_program(tmp_path, 'print(\'{"turn": "+Y2<Y"}\', flush=True)')
    arena = hold(Settings(plan("greedy@1", "random@1", bad), 2, records=tmp_path / "records"))
    files = sorted((tmp_path / "records").glob("*.lcr"))
    assert len(files) == 12
    records = [parse_record(file.read_text()) for file in files]
    ends = [str(each.termination) for each in records if each.termination is not None]
    assert len(ends) == 8
    assert all(end.startswith("abandoned") for end in ends)
    first = parse_record((tmp_path / "records" / "deal000000-0-1.lcr").read_text())
    assert first.seats.zero == "greedy@1"
    assert first.result is not None
    assert tuple(first.result) == arena.tallies[0, 1].results[0].games[0].score


# ---- statistics ---------------------------------------------------------------------------------


def test_the_standard_error_of_few_values() -> None:
    assert standard_error([]) == standard_error([3.0]) == 0
    assert standard_error([1.0, 3.0]) == pytest.approx(1.0)


def test_times_keep_their_quantiles_within_five_per_cent() -> None:
    rng = random.Random(4)
    values = sorted(rng.expovariate(0.1) for _ in range(10_000))
    times = Times.of(values)
    times.add(Times.from_list(json.loads(json.dumps(Times.of(values).to_list()))))
    assert times.count == 20_000
    assert times.mean == pytest.approx(statistics.mean(values), rel=1e-3)
    assert times.quantile(0.99) == pytest.approx(values[9899], rel=0.06)
    assert times.quantile(0.5) == pytest.approx(values[4999], rel=0.06)
    assert Times().quantile(0.99) == Times().mean == 0


def test_the_sequential_test_is_seldom_wrong_and_finds_a_difference() -> None:
    rng = random.Random(11)

    def decision(mean: float, most: int) -> tuple[int, int]:
        values: list[float] = []
        while len(values) < most:
            values.append(rng.gauss(mean, 25))
            if len(values) % 5 == 0 and (side := surely_ahead(values, 0.05)):
                return side, len(values)
        return 0, most

    level = [decision(0, 400)[0] for _ in range(200)]
    assert sum(side != 0 for side in level) <= 16  # 5 % of 200, and three standard deviations
    ahead = [decision(8, 2000) for _ in range(20)]
    assert all(side == 1 for side, _ in ahead)
    assert statistics.mean(deals for _, deals in ahead) < 400
    assert decision(-8, 2000)[0] == -1


def test_the_test_stops_a_pair_at_the_same_deal_with_any_number_of_processes() -> None:
    one = hold(Settings(plan(), 60, sure=0.05))
    assert one.facts()["decided"] == "a"
    assert 30 <= one.facts()["deals"] < 60
    many = hold(Settings(plan(), 60, jobs=3, sure=0.05))
    assert timeless(many) == timeless(one)


@pytest.mark.needs("openskill")
def test_ratings_order_the_agents_and_say_how_sure_they_are() -> None:
    rng = random.Random(3)
    beats = {(0, 1): 0.8, (1, 2): 0.8, (0, 2): 0.94}
    rounds = [
        (a, b, 1 if rng.random() < chance else -1)
        for _ in range(400)
        for (a, b), chance in beats.items()
    ]
    few, many = rate(3, rounds[:60]), rate(3, rounds)
    assert [each.value for each in many] == sorted((each.value for each in many), reverse=True)
    assert many[0].low > many[1].high > many[1].low > many[2].high
    assert all(f.high - f.low > m.high - m.low for f, m in zip(few, many, strict=True))
    level = rate(2, [(0, 1, 0)] * 100)
    assert level[0].value == pytest.approx(level[1].value)


# ---- the log ------------------------------------------------------------------------------------


class StopError(Exception):
    """Stands for an interrupt."""


def stop_after(deals: int) -> Any:
    def watch(arena: Arena) -> None:
        if arena.played >= deals:
            raise StopError

    return watch


def test_an_interrupted_arena_goes_on_from_its_log(tmp_path: Path) -> None:
    log = tmp_path / "arena.jsonl"
    settings = Settings(plan("greedy@1", "random@1", "random@1"), 4, log=log)
    with pytest.raises(StopError):
        hold(settings, stop_after(5))
    before = log.read_text()
    assert len(before.splitlines()) == 6
    resumed = hold(settings)
    assert log.read_text().startswith(before)
    assert len(log.read_text().splitlines()) == 13
    whole = hold(Settings(plan("greedy@1", "random@1", "random@1"), 4))
    assert timeless(resumed) == timeless(whole)
    played = []
    again = hold(settings, lambda arena: played.append(arena.played))
    assert played == [12]
    assert timeless(again) == timeless(resumed)


def test_a_log_serves_more_deals_later(tmp_path: Path) -> None:
    log = tmp_path / "arena.jsonl"
    hold(Settings(plan(), 2, log=log))
    more = hold(Settings(plan(), 5, log=log))
    assert timeless(more) == timeless(hold(Settings(plan(), 5)))
    fewer = hold(Settings(plan(), 3, log=log))
    assert timeless(fewer) == timeless(hold(Settings(plan(), 3)))


def test_what_a_crash_left_half_written_is_taken_off(tmp_path: Path) -> None:
    log = tmp_path / "arena.jsonl"
    hold(Settings(plan(), 3, log=log))
    whole = log.read_bytes()
    for cut in (1, 20, len(whole) - 10, len(whole) - 1):
        log.write_bytes(whole[:-cut])
        arena = hold(Settings(plan(), 3, log=log))
        assert arena.played == 3
        assert log.read_bytes().count(b"\n") == 4
    log.write_bytes(b"")
    assert hold(Settings(plan(), 1, log=log)).played == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"hello\n", "not the log of an arena"),
        (b"hello", "not the log of an arena"),
        (b"{}\n", "not the log of an arena"),
        (b"\xff\xfe\n", "not the log of an arena"),
        (b"[" * 30_000 + b"\n", "not the log of an arena"),  # nested too deeply to be read
        (b'{"arena": 1, "agents": ["x", "y"]}\n', "agents is .* there"),
        (b'{"arena": 2}\n', "arena is 2 there"),
    ],
)
def test_a_file_that_is_no_log_of_this_arena_is_left_alone(
    tmp_path: Path, content: bytes, words: str
) -> None:
    log = tmp_path / "notes.txt"
    log.write_bytes(content)
    with pytest.raises(LogError, match=words):
        hold(Settings(plan(), 1, log=log))
    assert log.read_bytes() == content


def test_the_command_looks_for_no_seed_in_a_log_nested_too_deeply(tmp_path: Path) -> None:
    log = tmp_path / "deep.jsonl"
    log.write_bytes(b"[" * 30_000 + b"\n")
    ran = run_here("arena", "greedy", "random", "--deals", "1", "--log", str(log))
    assert (ran.status, ran.out) == (1, "")
    assert "deep.jsonl: not the log of an arena" in ran.err


def test_a_wrong_line_of_a_log_is_named(tmp_path: Path) -> None:
    log = tmp_path / "arena.jsonl"
    hold(Settings(plan(), 3, log=log))
    lines = log.read_text().splitlines()
    for wrong in ("[]", "{", "[" * 30_000, '{"pair": [0], "deal": 1, "games": [], "times": []}'):
        log.write_text("\n".join([lines[0], lines[1], wrong, lines[3]]) + "\n")
        with pytest.raises(LogError, match="line 3"):
            hold(Settings(plan(), 3, log=log))


def test_another_seed_is_another_arena(tmp_path: Path) -> None:
    log = tmp_path / "arena.jsonl"
    hold(Settings(plan(), 1, log=log))
    with pytest.raises(LogError, match="seed is 1 there, 2 here"):
        hold(Settings(plan(seed=2), 1, log=log))


def test_two_arenas_do_not_share_a_log(tmp_path: Path) -> None:
    log = tmp_path / "arena.jsonl"
    first = Log(log, about(plan()))
    with pytest.raises(LogError, match="another arena is writing to this log"):
        Log(log, about(plan()))
    first.close()
    Log(log, about(plan())).close()


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "arena.jsonl"
    hold(Settings(plan(), 2, log=path))
    whole = path.read_bytes()
    write, left = os.write, [40]  # bytes: no line is as short

    def full(file: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(28, "No space left on device")
        count = write(file, data[: left[0]])
        left[0] -= count
        return count

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(LogError, match="No space left on device; what was in it is kept"):
        hold(Settings(plan(), 4, log=path))
    assert path.read_bytes() == whole
    monkeypatch.undo()
    assert hold(Settings(plan(), 4, log=path)).played == 4


def test_a_deal_comes_back_from_its_line() -> None:
    lost = Game((-60, 0), 3, False, 0, "late", "no answer", "ab")
    result = DealResult((0, 2), 7, (lost, Game((5, 4), 44, True)), (Times.of([1.0]), Times()))
    back = DealResult.from_dict(json.loads(json.dumps(result.to_dict())))
    assert back == result
    older = {k: v for k, v in result.to_dict().items() if k != "choices"}
    assert PairTally([DealResult.from_dict(older)]).choices is None
    tally = PairTally([back])
    assert (tally.failures(0, "late"), tally.failures(1, "late")) == (1, 0)
    assert tally.reasons(0) == {"no answer": 1}


def test_deals_that_come_out_of_order_are_counted_in_order() -> None:
    arena = Arena(Settings(plan(), 3))
    games = (Game((1, 0), 9, False), Game((1, 0), 9, False))
    results = [DealResult((0, 1), deal, games, (Times(), Times())) for deal in range(5)]
    arena.add(results[2])
    assert (arena.played, arena.over) == (0, False)
    assert list(arena.tasks()) == [Task((0, 1), 0), Task((0, 1), 1)]
    for deal in (0, 1, 4):
        arena.add(results[deal])
    assert (arena.played, arena.over) == (3, True)


# ---- the command --------------------------------------------------------------------------------


def test_the_command_prints_one_object_for_two_agents() -> None:
    ran = run_here("arena", "greedy", "random", "--deals", "2", "--seed", "5", "--json")
    assert (ran.status, ran.err) == (0, "")
    (line,) = ran.lines
    facts = json.loads(line)
    wanted = "a b deals rounds points se win draw mean_a mean_b illegal_a illegal_b late_a late_b"
    assert set(f"{wanted} turns ms_a ms_b stalled".split()) <= set(facts)
    assert (facts["a"], facts["b"], facts["deals"], facts["rounds"]) == (
        "greedy@1",
        "random@1",
        2,
        4,
    )
    assert "stall=100" in facts["rules"]


def test_the_command_says_the_results_in_words() -> None:
    ran = run_here("arena", "greedy", "random", "--deals", "2", "--seed", "5")
    assert ran.status == 0
    assert ran.lines[0].startswith("greedy@1 against random@1: +")
    assert "4 rounds" in ran.out
    assert "seed 5" in ran.lines[-1]


@pytest.mark.needs("openskill")
def test_the_command_rates_more_than_two() -> None:
    ran = run_here("arena", "greedy", "random", "steady", "--deals", "2", "--seed", "5")
    assert ran.status == 0
    assert "rating (95 %)" in ran.lines[0]
    assert [line.split("@")[0] for line in ran.lines[1:4]] == ["steady", "greedy", "random"]
    as_json = run_here("arena", "greedy", "random", "steady", "--deals", "1", "--json")
    table = json.loads(as_json.out)["table"]
    assert all(line["rating_low"] < line["rating"] < line["rating_high"] for line in table)


def test_ratings_are_left_out_without_their_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill", None)
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    ran = run_here("arena", "greedy", "random", "random", "--deals", "1")
    assert ran.status == 0
    assert "pip install 'lostcities[ratings]'" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("greedy", "stedy"), "did you mean steady@1"),
        (("greedy", "cmd:/no/such/program"), "no program"),
        (("greedy", "random", "--rules", "colours=9"), "--rules: colours"),
        (("greedy", "random", "--log", "/no/such/folder/log"), "No such file or directory"),
    ],
)
def test_the_command_refuses_what_cannot_be(arguments: tuple[str, ...], said: str) -> None:
    assert_refused(run_here("arena", *arguments), said)


@pytest.mark.parametrize(
    "arguments",
    [("greedy",), ("greedy", "random", "--deals", "0"), ("greedy", "random", "--until-sure", "2")],
)
def test_wrong_usage_of_the_command(arguments: tuple[str, ...]) -> None:
    assert run_here("arena", *arguments).status == 2


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_shows_what_there_is_and_the_log_goes_on(tmp_path: Path, jobs: str) -> None:
    log = tmp_path / "arena.jsonl"
    words = ["arena", "greedy", "random", "--deals", "100000", "--jobs", jobs, "--log", str(log)]
    running = subprocess.Popen(
        command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    for _ in range(600):
        if log.exists() and log.read_bytes().count(b"\n") > 3:
            break
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert b"greedy@1 against random@1" in out
    assert b"the same command goes on from" in err
    assert b"Traceback" not in err
    deals = log.read_bytes().count(b"\n") - 1
    # Without --seed the same command goes on with the seed of the log.
    ran = run_here("arena", "greedy", "random", "--deals", str(deals + 1), "--log", str(log))
    assert ran.status == 0
    assert f"{deals + 1} deals" in ran.out


def test_a_terminal_sees_the_running_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from lostcities.cli import arena_show

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(arena_show, "EVERY_S", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    settings = Settings(plan(), 3)
    with arena_show.Progress(settings, quiet=False) as progress:
        hold(settings, progress.show)
    assert "3/3" in terminal.getvalue()
    assert "points a round" in terminal.getvalue()


def test_without_a_terminal_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    from lostcities.cli import arena_show

    settings = Settings(plan(), 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arena_show, "PLAIN_EVERY_S", 0.0)
        with arena_show.Progress(settings, quiet=False) as progress:
            hold(settings, progress.show)
        with arena_show.Progress(settings, quiet=True) as silent:
            hold(settings, silent.show)
    said = capsys.readouterr().err.splitlines()
    assert [line.split()[0] for line in said] == ["0/3", "1/3", "2/3"]
    assert "±" in said[-1]
