"""The arena on a Ray cluster: the same results, though processes and machines die on the way."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from lostcities.core.rules import Rules
from lostcities.training import cluster
from lostcities.training.arena import arena_rules
from lostcities.training.workers import Plan, Task
from running import assert_refused, command, environment, run_here

DEALS = 12
# Slow enough to be killed in the middle, and decided by numbers of samples alone.
WORDS = (
    "arena", "greedy", "random", "flat:samples=8", "--deals", str(DEALS), "--seed", "3",
    "--time-ms", "60000", "--json", "--quiet",
)  # fmt: skip


class RayCluster:
    """Two nodes of one processor each, in a process of their own."""

    def __init__(self) -> None:
        program = Path(__file__).with_name("ray_cluster.py")
        self._process = subprocess.Popen(
            [sys.executable, str(program)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=environment(),
        )  # fmt: skip
        self.address = self._line()

    def _line(self) -> str:
        out: IO[str] | None = self._process.stdout
        assert out is not None
        return out.readline().strip()

    def kill(self, what: str) -> None:
        assert self._process.stdin is not None
        print(what, file=self._process.stdin, flush=True)
        assert self._line().startswith("killed")

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture(scope="module")
def two_nodes() -> Iterator[RayCluster]:
    started = RayCluster()
    assert ":" in started.address
    yield started
    started.close()


def timeless(text: str) -> Any:
    return json.loads(
        text, object_hook=lambda each: {k: v for k, v in each.items() if "ms_" not in k}
    )


def lines_of(log: Path) -> int:
    return log.read_bytes().count(b"\n") if log.exists() else 0


@pytest.fixture(scope="module")
def on_this_machine() -> Any:
    ran = run_here(*WORDS)
    assert ran.status == 0, ran.err
    return timeless(ran.out)


@pytest.mark.slow
@pytest.mark.needs("ray")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("what", ["worker", "node"])
def test_the_results_are_the_same_whoever_dies(
    what: str, two_nodes: RayCluster, on_this_machine: Any, tmp_path: Path
) -> None:
    log = tmp_path / "arena.jsonl"
    words = (*WORDS, "--cluster", two_nodes.address, "--log", str(log))
    running = subprocess.Popen(
        command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    give_up = time.monotonic() + 240
    while lines_of(log) < 4:
        assert time.monotonic() < give_up
        assert running.poll() is None, running.communicate()
        time.sleep(0.02)
    two_nodes.kill(what)
    at_the_kill = lines_of(log)
    out, err = running.communicate(timeout=300)
    assert running.returncode == 0, err
    assert at_the_kill < 1 + 3 * DEALS, "nothing was left to play when it was killed"
    assert timeless(out.decode()) == on_this_machine
    played = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    each_once = {(*deal["pair"], deal["deal"]) for deal in played}
    assert len(each_once) == len(played) == 3 * DEALS
    # The same command goes on from the log, without a cluster too.
    again = run_here(*WORDS, "--log", str(log))
    assert timeless(again.out) == on_this_machine


# ---- what needs no cluster ----------------------------------------------------------------------


def test_a_machine_with_another_version_is_refused() -> None:
    plan = Plan(("greedy@1", "random@1"), arena_rules(""), 1, 60_000, 512)
    (done,) = cluster.play_bundle(cluster._version(), plan, [Task((0, 1), 0)])
    assert done.result.deal == 0
    with pytest.raises(cluster.ClusterError, match=r"lostcities .* there, 9\.9 here"):
        cluster.play_bundle("9.9", plan, [Task((0, 1), 0)])


def test_a_process_of_the_cluster_keeps_its_agents_for_the_same_plan() -> None:
    plan = Plan(("greedy@1", "random@1"), arena_rules(""), 2, 60_000, 512)
    cluster.play_bundle(cluster._version(), plan, [Task((0, 1), 0)])
    crew = cluster._crews[plan]
    cluster.play_bundle(cluster._version(), plan, [Task((0, 1), 1)])
    assert list(cluster._crews) == [plan]
    assert cluster._crews[plan] is crew
    other = Plan(("greedy@1", "random@1"), Rules(stall=50), 2, 60_000, 512)
    cluster.play_bundle(cluster._version(), other, [Task((0, 1), 0)])
    assert list(cluster._crews) == [other]


def test_without_ray_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    ran = run_here("arena", "greedy", "random", "--deals", "1", "--cluster", "auto")
    assert_refused(ran, "pip install 'lostcities[cluster]'")


@pytest.mark.needs("ray")
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("127.0.0.1:1", "nobody answers there"),
        ("nowhere.invalid:6379", "nobody answers there"),
        ("127.0.0.1", "not HOST:PORT"),
        ("host:port", "not HOST:PORT"),
    ],
)
def test_a_dead_address_is_refused_at_once(address: str, said: str, tmp_path: Path) -> None:
    log = tmp_path / "arena.jsonl"
    words = ("arena", "greedy", "random", "--deals", "2", "--seed", "1", "--log", str(log))
    ran = run_here(*words, "--cluster", address)
    assert_refused(ran, f"--cluster {address}: ")
    assert said in ran.err
    assert run_here(*words).status == 0  # the log is as good as new
