"""The arena on a Ray cluster: the same results, though processes and machines die on the way."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest

from lostcities.agents.lookahead import LookSettings
from lostcities.agents.network import forward
from lostcities.core.rules import Rules
from lostcities.kernel.rules import pack_rules
from lostcities.training import cluster
from lostcities.training.arena import arena_rules
from lostcities.training.draw import Wanted, drawn_by_threads, drawn_on_cluster
from lostcities.training.teach import TeachSettings, read_lessons, teach
from lostcities.training.workers import Plan, Task
from networks import random_arrays
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


@pytest.mark.slow
@pytest.mark.needs("ray")
@pytest.mark.timeout(600)
def test_training_is_the_same_on_a_cluster(two_nodes: RayCluster, tmp_path: Path) -> None:
    """Lessons and drawn batches, by the processors that the tests before left alive."""
    here, there = tmp_path / "here", tmp_path / "there"
    settings = TeachSettings(shards=4, rounds=1, look=LookSettings(samples=4, depth=2))
    rules, network = pack_rules(stall=30), forward.flatten(random_arrays())
    teach(here, network, rules, settings, lambda _: None)
    told: list[int] = []
    teach(
        there, network, rules, settings, lambda step: told.append(step.done),
        cluster=two_nodes.address,
    )  # fmt: skip
    assert told == list(range(5))
    ours, theirs = (read_lessons([folder]) for folder in (here, there))
    assert (ours.rows == theirs.rows).all()
    np.testing.assert_array_equal(ours.values, theirs.values)

    drawing = network, [network], rules, Wanted(200, 0.2, 0.2)
    seeds = [[1, 2, part] for part in range(3)]
    ray = cluster.connect(two_nodes.address)
    try:
        drawn = drawn_on_cluster(ray)(drawing, seeds)
    finally:
        ray.shutdown()
    for one, other in zip(drawn, drawn_by_threads(drawing, seeds), strict=True):
        assert (one.rows == other.rows).all()
        assert (one.actions == other.actions).all()


# ---- what needs no cluster ----------------------------------------------------------------------


def test_a_machine_with_another_version_is_refused() -> None:
    plan = Plan(("greedy@1", "random@1"), arena_rules(""), 1, 60_000, 512)
    call = cluster.play_bundle, plan, [Task((0, 1), 0)]
    (done,) = cluster._called_there(cluster._version(), *call)
    assert done.result.deal == 0
    with pytest.raises(cluster.ClusterError, match=r"lostcities .* there, 9\.9 here"):
        cluster._called_there("9.9", *call)


def test_a_process_of_the_cluster_keeps_its_agents_for_the_same_plan() -> None:
    plan = Plan(("greedy@1", "random@1"), arena_rules(""), 2, 60_000, 512)
    cluster.play_bundle(plan, [Task((0, 1), 0)])
    crew = cluster._crews[plan]
    cluster.play_bundle(plan, [Task((0, 1), 1)])
    assert list(cluster._crews) == [plan]
    assert cluster._crews[plan] is crew
    other = Plan(("greedy@1", "random@1"), Rules(stall=50), 2, 60_000, 512)
    cluster.play_bundle(other, [Task((0, 1), 0)])
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
