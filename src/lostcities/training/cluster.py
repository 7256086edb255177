"""Work on a Ray cluster: the same work, the same results, on more machines.

It goes out in pieces, such as a bundle of duplicate deals, a few more than there are processors; whatever
machine finishes one is handed the next. A process or a machine that dies takes no result with it: its piece
goes out again, to another, and since a result is only taken from the run that delivers it, none counts
twice.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from lostcities.core.errors import NotationError
from lostcities.training.workers import Bundle, Crew, Done, Plan, Task, WorkerError, bundles

ADDRESS_WAIT_S = 5.0
"""Seconds in which the cluster's address must answer."""
MOST_TRIES = 5
"""How often a bundle goes out when its process or machine dies each time."""
AHEAD = 2
"""Bundles under way for each processor, so that none waits for its next one."""
LOOK_S = 1.0
"""Seconds between two looks at how many processors there are."""
LOCAL = "auto"
"""The address of a cluster that runs on this machine."""


class ClusterError(NotationError):
    """A cluster that cannot be used; says which and why."""


def play_on_cluster(
    plan: Plan, tasks: Iterable[Task], address: str, jobs: int | None = None
) -> Iterator[Done]:
    """Play deals on a Ray cluster, in whatever order they get done.

    Closing the iterator takes back what is under way and leaves the cluster as it was.

    Args:
        plan: what they are played with.
        tasks: the deals; taken from as there is room.
        address: ``HOST:PORT`` of the cluster's head, or :data:`LOCAL`. This process must run on a
            machine of the cluster.
        jobs: how many processors to use at most; None for all.

    Raises:
        ClusterError: Ray is not installed, no cluster answers there, or one of its machines has
            another version of this package.
        WorkerError: a deal ended every process that played it.
    """
    ray = connect(address)
    try:
        calls = ((plan, bundle) for bundle in bundles(plan, tasks))
        for _, done in call_on_cluster(ray, play_bundle, calls, jobs, _first_deal):
            yield from done
    finally:
        ray.shutdown()


def _first_deal(call: tuple[Any, ...]) -> str:
    return f"deal {call[1][0].deal}"


def connect(address: str) -> Any:
    """Join a cluster; returns the module ``ray``.

    Raises:
        ClusterError: see :func:`play_on_cluster`.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_gcs_server_port_wait_time_s", "1")  # one try, of about half a minute
    try:
        import ray
    except ImportError:
        raise ClusterError("--cluster", "needs Ray: pip install 'lostcities[cluster]'") from None
    if address != LOCAL:
        _check_answers(address)
    try:
        ray.init(address, log_to_driver=False, configure_logging=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ClusterError(f"--cluster {address}", f"no Ray cluster answers ({reason})") from None
    return ray


def _check_answers(address: str) -> None:
    """Ray itself would ask a dead address for minutes."""
    host, colon, port = address.rpartition(":")
    if not (colon and host and port.isdecimal() and 0 < int(port) < 1 << 16):
        raise ClusterError(f"--cluster {address}", f"not HOST:PORT, nor {LOCAL!r}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), ADDRESS_WAIT_S).close()
    except OSError as error:
        reason = f"nobody answers there ({error.strerror or error})"
        raise ClusterError(f"--cluster {address}", reason) from None


def call_on_cluster(
    ray: Any,
    function: Callable[..., Any],
    calls: Iterator[tuple[Any, ...]],
    jobs: int | None,
    named: Callable[[tuple[Any, ...]], str],
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Call a function on the processors of a cluster, in whatever order the calls get done.

    A call whose process or machine dies is made again, on another, :data:`MOST_TRIES` times in all.
    Closing the iterator takes back what is under way.

    Args:
        ray: see :func:`connect`.
        function: of a module of this package; what it does must follow from its arguments.
        calls: arguments; taken from as there is room. Large ones that repeat are best put into the
            cluster once, by ``ray.put``.
        jobs: how many processors to use at most; None for all.
        named: what a call is called in an error.

    Yields:
        The arguments of a call and what it returned.

    Raises:
        ClusterError: a machine has another version of this package.
        WorkerError: a call ended every process that made it.
        Exception: what the function raised.
    """
    # Ray makes a call again by itself when its process or machine dies.
    options = {"num_cpus": 1, "max_retries": MOST_TRIES - 1, "retry_exceptions": False}
    remote = ray.remote(_called_there).options(**options, name=function.__name__)
    under_way: dict[Any, tuple[Any, ...]] = {}
    try:
        while True:
            room = _room(ray, jobs) - len(under_way)
            for call in islice(calls, max(0, room)):
                under_way[remote.remote(_version(), function, *call)] = call
            if not under_way:
                return
            ready, _ = ray.wait(list(under_way), num_returns=1, timeout=LOOK_S)
            for reference in ready:
                call = under_way.pop(reference)
                yield call, _take(ray, reference, named(call))
    finally:
        for reference in under_way:
            with contextlib.suppress(Exception):
                ray.cancel(reference, force=True)


def _room(ray: Any, jobs: int | None) -> int:
    """How many calls may be under way, for the processors that are there now."""
    if jobs is not None:
        return jobs
    return AHEAD * max(1, int(ray.cluster_resources().get("CPU", 0)))


def _take(ray: Any, reference: Any, name: str) -> Any:
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.cause if isinstance(error.cause, Exception) else error from None
    except ray.exceptions.RayError as error:
        what = f"{name} ended {MOST_TRIES} processes"
        raise WorkerError(f"{what} ({str(error).strip().splitlines()[0]})") from None


# ---- on the machines of the cluster -------------------------------------------------------------

_crews: dict[Plan, Crew] = {}


def _called_there(version: str, function: Callable[..., Any], *arguments: Any) -> Any:
    if version != _version():
        reason = f"lostcities {_version()} there, {version} here"
        raise ClusterError(f"machine {socket.gethostname()}", reason)
    return function(*arguments)


def play_bundle(plan: Plan, bundle: Bundle) -> list[Done]:
    """Play deals in a process of the cluster, which keeps its agents for the next ones."""
    if plan not in _crews:
        for crew in _crews.values():
            crew.close()
        _crews.clear()
        _crews[plan] = Crew(plan)
    return _crews[plan].play(bundle)


def _version() -> str:
    from importlib.metadata import version

    return version("lostcities")
