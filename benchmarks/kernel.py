"""The kernel beside the same algorithm in C, beside arrays of small ints, beside the core.

    python benchmarks/kernel.py [--seconds 2] [--portable] [--json] [--record] [--guard]

Everything is measured in turns with what it is compared to, in short pieces of which the quickest
counts, so that a busy machine does no more than lengthen the run. A *step* is one action, half a turn.
`--portable` measures the kernel without the processor's bit instructions (in a process of its own,
since code is compiled for one set of instructions). Without a C compiler the comparison with C is
left out, and the end says so.
"""

import argparse
import ctypes
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from kernel_arrays import Arrays, step_and_show_arrays, step_arrays
from numpy.typing import NDArray

from lostcities.core.round import deal
from lostcities.core.rules import Rules
from lostcities.core.turn import Turn
from lostcities.kernel import Batch, all_cards, bridge, empty_rows, jit
from lostcities.kernel import layout as at
from lostcities.kernel.batch import step_rows
from lostcities.kernel.observe import WAGER_ROWS
from lostcities.kernel.speed import deal_all, play_all, quickest, resample_all

HERE = Path(__file__).parent
RATIOS = HERE / "kernel_ratios.json"
ROUNDS = 250
BATCH = 1024
STEPS = 80  # no round of the plain rules is over before 88
COLOURS = (5, 6)


def compiler() -> str | None:
    """A C compiler on the path."""
    return next((found for name in ("gcc", "cc", "clang") if (found := shutil.which(name))), None)


def in_c(folder: str) -> Any:
    """The same playouts in C, compiled for this processor; None without a compiler."""
    name = compiler()
    if name is None:
        return None
    library = str(Path(folder, "kernel_playout.so"))
    flags = ["-O3", "-march=native", "-shared", "-fPIC", "-o", library]
    subprocess.run([name, *flags, str(HERE / "kernel_playout.c")], check=True)
    play = ctypes.CDLL(library).play_all
    play.restype = ctypes.c_int64
    play.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]
    return play


def playouts(seconds: float, colours: int, play: Any) -> dict[str, float]:
    """Ns a step of random playouts, and what a C kernel needs for the very same."""
    rules = bridge.pack(Rules(colours=colours))
    rows, row = empty_rows(ROUNDS), empty_rows(1)[0]
    turns, turns_c = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    deal_all(rows, rules, 1)
    ours = play_all(rows, rules, row, turns)
    ways: list[Callable[[], object]] = [lambda: play_all(rows, rules, row, turns)]
    if play is not None:
        pointers = rows.ctypes.data, ROUNDS, rules.ctypes.data, turns_c.ctypes.data
        theirs = play(*pointers)
        if (ours, turns[0]) != (theirs, turns_c[0]):
            raise SystemExit(f"C and Numba play differently: {ours} {turns}, {theirs} {turns_c}")
        ways.append(lambda: play(*pointers))
    times = quickest(seconds, *ways)
    per_step = 1e9 / (2 * int(turns[0]))
    result = {"playout_ns": times[0] * per_step, "rounds_per_s": ROUNDS / times[0]}
    if play is not None:
        result |= {"c_ns": times[1] * per_step, "of_c": times[1] / times[0]}
    return result


def by_core(colours: int) -> float:
    """Ns a step of the core, random play."""
    rng = random.Random(1)
    rules = Rules(colours=colours)
    cards = list(rules.all_cards())
    steps, spent = 0, 0.0
    while spent < 0.5:
        rng.shuffle(cards)
        state = deal(rules, tuple(cards), 0)
        begin = time.thread_time()
        while not state.over:
            lay = rng.choice(list(state.lays()))
            draw = rng.choice(list(state.draws(lay)))
            state = state.play(Turn(lay, draw))
            steps += 2
        spent += time.thread_time() - begin
    return spent / steps * 1e9


def recorded(colours: int) -> tuple[Batch, NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """A batch, decks, starts, and random legal actions that no round ends in."""
    rng = np.random.default_rng(1)
    batch = Batch(BATCH, bridge.pack(Rules(colours=colours)))
    decks = np.stack([rng.permutation(all_cards(batch.rules)) for _ in range(BATCH)])
    starts = np.arange(BATCH) % 2
    actions = np.zeros((STEPS, BATCH), dtype=np.int64)
    batch.reset_to(decks, starts)
    for step in range(STEPS):
        actions[step] = np.argmax(rng.random(batch.masks.shape) * batch.masks, axis=1)
        batch.step(actions[step])
    return batch, decks, starts, actions


def steps(seconds: float, colours: int) -> dict[str, float]:
    """Ns a step of a batch, with masks and observations and without, and of plain arrays, likewise."""
    batch, decks, starts, actions = recorded(colours)
    check_arrays(batch, Arrays(decks, starts, colours), actions)
    batch.reset_to(decks, starts)
    begun = batch.rows.copy()
    least = [np.full(STEPS, np.inf) for _ in range(4)]
    end = time.monotonic() + seconds
    rounds = 0
    while time.monotonic() < end or rounds < 8:
        rounds += 1
        for index, pieces in enumerate(_ways(batch, begun, decks, starts, colours, actions)):
            np.minimum(least[index], pieces, out=least[index])
    shown, hidden, array_shown, array_hidden = (times.mean() * 1e9 / BATCH for times in least)
    return {
        "step_ns": shown,
        "state_only_ns": hidden,
        "arrays_step_ns": array_shown,
        "arrays_state_only_ns": array_hidden,
        "values": float(batch.observations.shape[1] + batch.masks.shape[1]),
        "of_arrays": array_shown / shown,
        "of_arrays_state_only": array_hidden / shown,
        "state_only_of_arrays": array_hidden / hidden,
    }


def check_arrays(batch: Batch, plain: Arrays, actions: NDArray[np.int64]) -> None:
    """Play the recorded actions in the baseline: it must show what the batch shows at the end."""
    for chosen in actions:
        step_and_show_arrays(chosen, plain.state, plain.masks, plain.observations)
    size = batch.observations.shape[1] - plain.observations.shape[1]
    colours = int(batch.rules[at.COLOURS])
    planes = 100 * colours
    wager_free = np.arange(planes) % 10 != 0
    same = np.array_equal(plain.masks, batch.masks)
    same &= size == WAGER_ROWS * colours
    theirs, ours = plain.observations[:, :planes], batch.observations[:, :planes]
    same &= np.array_equal(theirs[:, wager_free], ours[:, wager_free])
    same &= np.array_equal(plain.observations[:, planes:], batch.observations[:, planes + size :])
    if not same:
        raise SystemExit("the baseline of arrays plays differently")


def _ways(
    batch: Batch,
    begun: NDArray[np.uint64],
    decks: NDArray[np.uint8],
    starts: NDArray[np.int64],
    colours: int,
    actions: NDArray[np.int64],
) -> Iterator[list[float]]:
    def timed(step: Callable[[NDArray[np.int64]], object]) -> list[float]:
        pieces = []
        for chosen in actions:
            begin = time.perf_counter()
            step(chosen)
            pieces.append(time.perf_counter() - begin)
        return pieces

    batch.rows[:] = begun
    yield timed(lambda chosen: batch.step(chosen, trusted=True))
    batch.rows[:] = begun
    results = batch.done, batch.scores, True
    yield timed(lambda chosen: step_rows(batch.rows, batch.rules, chosen, *results))
    plain = Arrays(decks, starts, colours)
    seen = plain.masks, plain.observations
    state = plain.state
    yield timed(lambda chosen: step_and_show_arrays(chosen, state, *seen))
    again = Arrays(decks, starts, colours).state
    yield timed(lambda chosen: step_arrays(chosen, again))


def others(seconds: float, colours: int) -> dict[str, float]:
    """Ns of a deal, of dealing hidden cards anew, of drawing an action from logits."""
    batch = Batch(BATCH, bridge.pack(Rules(colours=colours)))
    rows, row = batch.rows.copy(), empty_rows(1)[0]
    logits = np.random.default_rng(2).normal(size=batch.masks.shape).astype(np.float32)
    times = quickest(
        seconds,
        lambda: deal_all(rows, batch.rules, 1),
        lambda: resample_all(rows, batch.rules, row),
        lambda: batch.choose(logits),
    )
    names = ("deal_ns", "resample_ns", "choose_lay_ns")
    return {name: time_ * 1e9 / BATCH for name, time_ in zip(names, times, strict=True)}


FIRST = """
import time
begin = time.perf_counter(), time.process_time()
from lostcities.kernel import deal_seeded, empty_rows, pack_rules, playout
row = empty_rows(1)[0]
rules = pack_rules()
deal_seeded(row, rules, 1, 0)
playout(row, rules)
print(time.perf_counter() - begin[0], time.process_time() - begin[1])
"""


def first_playout() -> dict[str, float]:
    """Seconds from import to the first playout in a new process, the cache being warm."""
    command = [sys.executable, "-c", FIRST]
    runs = [subprocess.run(command, capture_output=True, check=True).stdout for _ in range(6)]
    wall, busy = zip(*(map(float, run.split()) for run in runs), strict=True)
    return {"first_playout_s": min(wall), "first_playout_cpu_s": min(busy)}


def measure(seconds: float) -> dict[str, Any]:
    """Everything, by name."""
    with tempfile.TemporaryDirectory() as folder:
        play = in_c(folder)
        result: dict[str, Any] = {"kernel": jit.describe(), "c": play is not None}
        for colours in COLOURS:
            result[f"colours={colours}"] = (
                playouts(seconds, colours, play)
                | {"core_ns": by_core(colours)}
                | steps(seconds, colours)
                | others(seconds, colours)
            )
    return result | first_playout()


def processor() -> str:
    """The processor's own name, where it tells."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    name = next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), ""
    )
    return f"{name or platform.processor()} ({jit.CPU_NAME}), {os.cpu_count()} cores"


def ratios(result: dict[str, Any]) -> dict[str, float]:
    """What travels from machine to machine."""
    path = "bits" if jit.BIT_INSTRUCTIONS else "portable"
    found = {}
    for colours in COLOURS:
        figures = result[f"colours={colours}"]
        for name in ("of_c", "of_arrays", "state_only_of_arrays"):
            if name in figures:
                found[f"{path} {colours} {name}"] = round(figures[name], 2)
        found[f"{path} {colours} of_core"] = round(figures["core_ns"] / figures["playout_ns"])
    return found


def guard(found: dict[str, float], recorded: dict[str, float]) -> list[str]:
    """Ratios that have fallen below half of what was recorded."""
    return [
        f"{name}: {ratio}, was {recorded[name]}"
        for name, ratio in found.items()
        if name in recorded and ratio < recorded[name] / 2
    ]


def record(found: dict[str, float]) -> None:
    """Keep the ratios of this run as those to compare later runs with."""
    old = json.loads(RATIOS.read_text()) if RATIOS.exists() else {}
    RATIOS.write_text(json.dumps(dict(sorted((old | found).items())), indent=1) + "\n")


def report(result: dict[str, Any]) -> None:
    """Print it for people."""
    print(f"kernel {result['kernel']}; {processor()}, Python {platform.python_version()}")
    print(
        f"import to first playout, cache warm: {result['first_playout_s']:.2f} s, "
        f"of which {result['first_playout_cpu_s']:.2f} s on the processor"
    )
    for colours in COLOURS:
        found = result[f"colours={colours}"]
        print(f"\n{colours} colours")
        print(
            f"  random playout        {found['playout_ns']:8.1f} ns a step, {found['rounds_per_s']:,.0f} rounds/s"
        )
        if result["c"]:
            print(
                f"  the same in C         {found['c_ns']:8.1f} ns a step: the kernel is {found['of_c']:.2f} times as fast"
            )
        print(
            f"  the core              {found['core_ns']:8.0f} ns a step: {found['core_ns'] / found['playout_ns']:,.0f} times slower"
        )
        print(
            f"  batch, mask and obs.  {found['step_ns']:8.1f} ns a step, {1e3 / found['step_ns']:.1f} M steps/s, {found['values']:.0f} values"
        )
        print(
            f"  the same with arrays  {found['arrays_step_ns']:8.1f} ns a step: the kernel is {found['of_arrays']:.1f} times as fast"
        )
        print(f"  batch, state only     {found['state_only_ns']:8.1f} ns a step")
        print(
            f"  the same with arrays  {found['arrays_state_only_ns']:8.1f} ns a step: the kernel is {found['state_only_of_arrays']:.2f} times as fast"
        )
        print(f"  shuffle and deal      {found['deal_ns']:8.0f} ns")
        print(f"  hidden cards anew     {found['resample_ns']:8.0f} ns")
        print(f"  a lay from logits     {found['choose_lay_ns']:8.0f} ns")
    if not result["c"]:
        print("\n!!! NOT COMPARED WITH C: no C compiler (gcc, cc, clang) on this machine !!!")


def main() -> None:
    """Run as a program."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="for each comparison")
    parser.add_argument(
        "--portable", action="store_true", help="without the processor's bit instructions"
    )
    parser.add_argument("--json", action="store_true", help="print the figures for programs")
    parser.add_argument("--record", action="store_true", help=f"keep the ratios in {RATIOS.name}")
    parser.add_argument("--guard", action="store_true", help="fail below half of a recorded ratio")
    arguments = parser.parse_args()
    if arguments.portable and jit.BIT_INSTRUCTIONS:
        features = jit.CPU_FEATURES.replace("+bmi2", "-bmi2")
        command = [sys.executable, *sys.argv]
        raise SystemExit(
            subprocess.run(
                command, env={**os.environ, "NUMBA_CPU_FEATURES": features}, check=False
            ).returncode
        )
    result = measure(arguments.seconds)
    print(json.dumps(result, indent=1)) if arguments.json else report(result)
    if arguments.record:
        record(ratios(result))
    if arguments.guard and (fallen := guard(ratios(result), json.loads(RATIOS.read_text()))):
        raise SystemExit("below half of the recorded ratio:\n" + "\n".join(fallen))


if __name__ == "__main__":
    main()
