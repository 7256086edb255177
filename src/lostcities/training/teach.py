"""Second stage, its data: a teacher looks ahead at every decision and keeps what it found.

Rounds are played in shards. A shard is decided by its number and the settings, and written in one
step when it is done; the same command goes on with those that are missing. What is kept is the mean
final lead of every half-turn that was tried, not only the choice.
"""

from __future__ import annotations

import hashlib
import io
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.lookahead import Lookahead, Looked, LookSettings
from lostcities.agents.network.forward import Flat
from lostcities.kernel import layout as at
from lostcities.kernel.round import apply, deal_seeded, deck_left, over
from lostcities.training.cluster import call_on_cluster, connect
from lostcities.training.stage import Step, TrainingError, Watch, replace_file

ABOUT = "teacher.json"
TEMPERATURE = 2.0
"""Points at which values are softened, where choices are drawn and in the students' targets."""
LOOK_S = 0.2
"""Seconds between two looks at whether a shard is done."""


@dataclass(frozen=True, slots=True)
class TeachSettings:
    """How to teach.

    Attributes:
        shards: files to write.
        rounds: rounds a shard.
        seed: of everything random.
        variety: the share of half-turns drawn from a softmax over the values.
        follow: of the other half-turns, the share of rounds in which the network's first choice is
            played and not the teacher's, so that positions are those that the network reaches.
        deck: look ahead only while the deck has at most so many cards. Trials are shorter there, so
            both cheaper and less noisy, and a network has more to learn; before that it plays alone
            and nothing is kept.
        look: how the teacher looks ahead.
    """

    shards: int = 100
    rounds: int = 8
    seed: int = 1
    variety: float = 0.12
    follow: float = 0.75
    deck: int = at.DECK_END
    look: LookSettings = field(default_factory=LookSettings)


@dataclass(frozen=True, slots=True)
class Lesson:
    """Decisions with what the teacher found.

    Attributes:
        rows: ``(n, WORDS)``.
        values: ``float32 (n, actions)``: mean final leads of the seat to act, NaN where not tried.
    """

    rows: NDArray[np.uint64]
    values: NDArray[np.float32]


def shard_path(folder: Path, number: int) -> Path:
    """The file of a shard."""
    return folder / f"shard-{number:05}.npz"


def teach(
    folder: Path,
    weights: Flat,
    rules: NDArray[np.int32],
    settings: TeachSettings,
    watch: Watch,
    jobs: int | None = None,
    cluster: str | None = None,
) -> int:
    """Write the shards that are missing.

    Ctrl-C ends it when the shards under way are written; a second one drops those. On a cluster it drops
    them at once.

    Args:
        folder: where; it is made if it is not there.
        weights: the network that proposes half-turns and plays trials on.
        rules: packed rules.
        settings: how.
        watch: told of every shard.
        jobs: threads, 1 unless told (the compiled code runs beside Python); with ``cluster`` how many
            processors to use at most, all unless told.
        cluster: the address of a Ray cluster whose processors play,
            see :func:`lostcities.training.cluster.connect`; the shards are the same.

    Returns:
        How many shards are there.

    Raises:
        TrainingError: the folder has lessons of another teacher.
        ClusterError, WorkerError: see :func:`lostcities.training.cluster.call_on_cluster`.
        KeyboardInterrupt: it was interrupted.
    """
    _claim(folder, weights, rules, settings)
    missing = [n for n in range(settings.shards) if not shard_path(folder, n).exists()]
    done, decisions, begin = settings.shards - len(missing), 0, time.monotonic()
    watch(Step(done, settings.shards, "shards"))
    if cluster is None:
        made = _shards(folder, missing, weights, rules, settings, jobs or 1)
    else:
        made = _shards_of_cluster(cluster, folder, missing, weights, rules, settings, jobs)
    for lesson in made:
        done, decisions = done + 1, decisions + len(lesson.rows)
        speed = decisions / (time.monotonic() - begin)
        watch(Step(done, settings.shards, "shards", f"{speed:.0f} decisions a second"))
    return done


def _claim(folder: Path, weights: Flat, rules: NDArray[np.int32], settings: TeachSettings) -> None:
    """Say in the folder what it holds, or see that it holds the same. More shards may be added."""
    about: dict[str, Any] = {
        **asdict(settings),
        "network": hashlib.sha256(weights.tobytes()).hexdigest()[:16],
        "rules": hashlib.sha256(rules.tobytes()).hexdigest()[:16],
    }
    del about["shards"]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ABOUT
    if not path.exists():
        replace_file(path, json.dumps(about, indent=1).encode())
        return
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise TrainingError(str(path), f"not of this program ({error})") from error
    if found != about:
        differ = [
            key for key in about if not isinstance(found, dict) or found.get(key) != about[key]
        ]
        raise TrainingError(
            str(folder), f"has lessons of another teacher: {', '.join(differ)} differ"
        )


def _shards(
    folder: Path,
    missing: list[int],
    weights: Flat,
    rules: NDArray[np.int32],
    settings: TeachSettings,
    jobs: int,
) -> Iterator[Lesson]:
    stop = threading.Event()
    with ThreadPoolExecutor(jobs) as pool:
        waiting = iter(missing)

        def start(number: int) -> Future[Lesson | None]:
            return pool.submit(_write_shard, folder, number, weights, rules, settings, stop)

        running = {start(number) for _, number in zip(range(jobs), waiting, strict=False)}
        try:
            while running:
                ready, running = wait(running, LOOK_S, FIRST_COMPLETED)
                for each in ready:
                    running |= {start(number) for _, number in zip(range(1), waiting, strict=False)}
                    lesson = each.result()
                    assert lesson is not None
                    yield lesson
        except KeyboardInterrupt:
            try:
                wait(running)
            except KeyboardInterrupt:
                stop.set()
                raise
            raise
        except BaseException:
            stop.set()
            raise


def _shards_of_cluster(
    address: str,
    folder: Path,
    missing: list[int],
    weights: Flat,
    rules: NDArray[np.int32],
    settings: TeachSettings,
    jobs: int | None,
) -> Iterator[Lesson]:
    """The same on a Ray cluster: shards are made there and written here."""
    ray = connect(address)
    try:
        given = (ray.put(weights), ray.put(rules), settings)
        calls = ((number, *given) for number in missing)
        done = call_on_cluster(ray, make_shard, calls, jobs, lambda call: f"shard {call[0]}")
        for (number, *_), lesson in done:
            _write(folder, number, lesson)
            yield lesson
    finally:
        ray.shutdown()


def _write_shard(
    folder: Path,
    number: int,
    weights: Flat,
    rules: NDArray[np.int32],
    settings: TeachSettings,
    stop: threading.Event,
) -> Lesson | None:
    lesson = make_shard(number, weights, rules, settings, stop)
    if lesson is not None:
        _write(folder, number, lesson)
    return lesson


def make_shard(
    number: int,
    weights: Flat,
    rules: NDArray[np.int32],
    settings: TeachSettings,
    stop: threading.Event | None = None,
) -> Lesson | None:
    """Play the rounds of a shard, which its number decides; None if it was stopped."""
    ahead = Lookahead(weights, settings.look)
    lessons = []
    for each in range(settings.rounds):
        if stop is not None and stop.is_set():
            return None
        seed = settings.seed * 1_000_003 + number * settings.rounds + each
        lessons.append(teach_round(ahead, rules, settings, seed))
    return Lesson(
        np.concatenate([each.rows for each in lessons]),
        np.concatenate([each.values for each in lessons]),
    )


def _write(folder: Path, number: int, lesson: Lesson) -> None:
    content = io.BytesIO()
    np.savez_compressed(content, rows=lesson.rows, values=lesson.values)
    replace_file(shard_path(folder, number), content.getvalue())


def teach_round(
    ahead: Lookahead, rules: NDArray[np.int32], settings: TeachSettings, seed: int
) -> Lesson:
    """Play one round, looking ahead at every decision that is one."""
    rng = Random(seed)  # noqa: S311
    row = np.zeros(at.WORDS, np.uint64)
    deal_seeded(row, rules, seed, seed & 1)
    actions = 21 * int(rules[at.COLOURS]) + 1
    follow = rng.random() < settings.follow
    rows, values = [], []
    while not over(row, rules):
        if deck_left(row) > settings.deck:
            apply(row, rules, ahead.first_choice(row, rules))
            continue
        # Random numbers of its own: those of the row have shuffled the deck.
        row[at.RNG] = rng.getrandbits(63)
        found = ahead.look(row, rules)
        if found.deals:
            rows.append(row.copy())
            tried = np.full(actions, np.nan, np.float32)
            tried[found.actions] = found.means
            values.append(tried)
        apply(row, rules, _played(found, settings, follow, rng))
    return Lesson(
        np.array(rows, np.uint64).reshape(-1, at.WORDS),
        np.array(values, np.float32).reshape(-1, actions),
    )


def _played(found: Looked, settings: TeachSettings, follow: bool, rng: Random) -> int:
    if rng.random() < settings.variety:
        weights = np.exp((found.means - found.means.max()) / TEMPERATURE)
        return rng.choices(found.actions.tolist(), weights.tolist())[0]
    return int(found.actions[0]) if follow else found.action


def read_lessons(folders: list[Path]) -> Lesson:
    """All shards of some folders.

    Raises:
        TrainingError: there are none, or one is damaged.
    """
    lessons = []
    for folder in folders:
        paths = sorted(folder.glob("shard-*.npz"))
        if not paths:
            raise TrainingError(str(folder), "no shards here")
        lessons += [_read_shard(path) for path in paths]
    rows = np.concatenate([each.rows for each in lessons])
    if len({each.values.shape[1] for each in lessons}) > 1:
        raise TrainingError("data", "shards of different numbers of colours")
    return Lesson(rows, np.concatenate([each.values for each in lessons]))


def _read_shard(path: Path) -> Lesson:
    try:
        with path.open("rb") as file, np.load(file) as shard:
            rows, values = shard["rows"], shard["values"]
    except Exception as error:
        raise TrainingError(str(path), f"not a shard ({error})") from error
    fits = rows.ndim == values.ndim == 2 and rows.shape[1] == at.WORDS
    if not (fits and len(rows) == len(values)):
        raise TrainingError(str(path), f"shapes {rows.shape} and {values.shape}")
    return Lesson(rows, values)
