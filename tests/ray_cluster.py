"""A Ray cluster of two nodes on this machine, for tests: `python ray_cluster.py`.

Prints its address, then obeys lines: `worker` kills a process that plays deals, `node` kills the second
node with all its processes. Ends, with all that it started, when its input does.
"""

import contextlib
import importlib
import os
import shutil
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

OBJECTS = 80 << 20
"""Bytes of each node's object store; Ray wants at least 75 MiB."""


def workers() -> list[int]:
    """Processes of this cluster that are playing, by their titles."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            title = (folder / "cmdline").read_bytes()
            ours = os.environ["LOSTCITIES_RAY_TEST"].encode() in (folder / "environ").read_bytes()
            if ours and title.startswith(b"ray::play_bundle"):
                found.append(int(folder.name))
    return found


def kill_worker() -> int:
    """Kill a process that is playing; waits until one is."""
    for _ in range(600):
        if playing := workers():
            os.kill(playing[0], signal.SIGKILL)
            return playing[0]
        time.sleep(0.05)
    raise TimeoutError("nobody played within 30 s")


def main() -> None:
    os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_DISABLE_IMPORT_WARNING="1")
    # By this the processes of this cluster are told from any others.
    os.environ["LOSTCITIES_RAY_TEST"] = f"lostcities-{os.getpid()}"
    warnings.simplefilter("ignore")
    folder = tempfile.mkdtemp(prefix="lcray")  # short: sockets in it have at most 107 characters
    # Ray notes its latest cluster in a folder that it does not make itself.
    os.environ["RAY_TMPDIR"] = folder
    (Path(folder) / "ray").mkdir()
    ray: Any = importlib.import_module("ray.cluster_utils")
    node = {
        "num_cpus": 1,
        "object_store_memory": OBJECTS,
        "include_dashboard": False,
    }
    cluster = ray.Cluster(initialize_head=True, head_node_args={**node, "temp_dir": folder})
    try:
        second = cluster.add_node(**node)
        print(cluster.address, flush=True)
        for line in sys.stdin:
            if line.strip() == "worker":
                print("killed", kill_worker(), flush=True)
            elif line.strip() == "node":
                cluster.remove_node(second, allow_graceful=False)
                print("killed", flush=True)
    finally:
        cluster.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
