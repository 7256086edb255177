"""What goes wrong around an arena: full disks, two of them on one log, views and turns that cannot be."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lostcities.agents.agent import Choice
from lostcities.agents.duel import Player, deal_deck, play_deal
from lostcities.agents.engine_protocol import answer_line, write_request
from lostcities.agents.registry import make_agent
from lostcities.core.round import deal
from lostcities.core.rules import Rules
from lostcities.core.turn import Lay, Turn
from lostcities.core.views import View, view_of_round
from running import assert_refused, command, environment, run_here

RULES = Rules(stall=100)
WORDS = ("arena", "greedy", "random", "--seed", "1", "--time-ms", "60000", "--json", "--quiet")
# Compiled code would be written to a disk that is meant to be full.
PLAIN = {"NUMBA_DISABLE_JIT": "1"}
unix = pytest.mark.skipif(sys.platform == "win32", reason="limits of processes")


def limited(size: int, *words: str) -> subprocess.CompletedProcess[str]:
    """The command where no file may grow beyond a size, as on a disk with no more room."""

    def limit() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return subprocess.run(
        command(*words), capture_output=True, text=True, timeout=120,
        env={**environment(), **PLAIN}, preexec_fn=limit, check=False,
    )  # fmt: skip


def timeless(text: str) -> Any:
    return json.loads(
        text, object_hook=lambda each: {k: v for k, v in each.items() if "ms_" not in k}
    )


@unix
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_full_disk_ends_the_arena_and_the_log_goes_on(tmp_path: Path, jobs: str) -> None:
    log = tmp_path / "arena.jsonl"
    words = (*WORDS, "--deals", "8", "--jobs", jobs, "--log", str(log))
    ran = limited(1500, *words)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert f"{log}: File too large; what was in it is kept" in ran.stderr
    assert "Traceback" not in ran.stderr
    kept = log.read_bytes()
    assert len(kept) <= 1500
    assert kept.endswith(b"\n")
    assert 2 <= kept.count(b"\n") < 9
    assert all(json.loads(line) for line in kept.splitlines())
    again = run_here(*words)
    assert again.status == 0, again.err
    assert log.read_bytes().startswith(kept)
    assert timeless(again.out) == timeless(run_here(*WORDS, "--deals", "8").out)


@unix
def test_no_room_for_a_record_leaves_no_half_of_one(tmp_path: Path) -> None:
    log, records = tmp_path / "arena.jsonl", tmp_path / "records"
    words = (*WORDS, "--deals", "2", "--log", str(log), "--records", str(records))
    ran = limited(600, *words)
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert "deal000000-0-1" in ran.stderr
    assert not list(records.iterdir())
    again = run_here(*words)
    assert again.status == 0, again.err
    assert len(list(records.glob("*.lcr"))) == 4


@unix
def test_a_second_arena_on_a_log_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "arena.jsonl"
    words = (*WORDS, "--deals", "100000", "--log", str(log))
    first = subprocess.Popen(
        command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**environment(), **PLAIN},
    )  # fmt: skip
    try:
        lines_at_least(log, 2)
        assert_refused(run_here(*words), "another arena is writing to this log")
        lines_at_least(log, log.read_bytes().count(b"\n") + 2)
        first.send_signal(signal.SIGINT)
        _, err = first.communicate(timeout=60)
    finally:
        first.kill()
    assert first.returncode == 130, err
    deals = log.read_bytes().count(b"\n") - 1
    ran = run_here(*WORDS, "--deals", str(deals), "--log", str(log))
    assert json.loads(ran.out)["deals"] == deals


def lines_at_least(log: Path, count: int) -> None:
    for _ in range(1200):
        if log.exists() and log.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.05)
    pytest.fail("nothing was played in a minute")


# ---- views --------------------------------------------------------------------------------------


def set_to(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda view: view.__setitem__(key, value)


IMPOSSIBLE: list[tuple[str, Callable[[dict[str, Any]], None], str]] = [
    ("a card twice", lambda v: v["hand"].__setitem__(1, v["hand"][0]), "appears too often"),
    ("a card in two places", lambda v: v.update(deck=43, expeditions=[{}, {"Y": ["Y7"]}]), "Y7"),
    ("a row that falls", lambda v: v.update(deck=42, expeditions=[{}, {"B": ["B7", "B3"]}]), "B3"),
    ("too large a deck", set_to("deck", 80), "deck: more cards"),
    ("a deck below nothing", set_to("deck", -1), "deck: -1 is negative"),
    ("no card in hand", set_to("hand", []), "hand_sizes: 8"),
    ("no such card", set_to("hand", ["Q9"]), "'Q9': not a card"),
    ("somebody else's turn", set_to("to_move", 1), "to_move: 1"),
    ("an illegal turn among the legal", set_to("legal", ["+R5*"]), "R5 is not in the hand"),
    ("no turn at all", set_to("legal", []), "legal"),
    ("rules that cannot be", lambda v: v["rules"].__setitem__("colours", 9), "colours"),
    ("a pile of nowhere", set_to("piles", {"Q": ["Q2"]}), "piles"),
]


@pytest.mark.parametrize("name", ["random", "greedy", "steady", "policy", "flat:samples=2"])
@pytest.mark.parametrize(("what", "change", "said"), IMPOSSIBLE, ids=[i[0] for i in IMPOSSIBLE])
def test_an_impossible_view_is_refused_by_every_agent(
    what: str, change: Callable[[dict[str, Any]], None], said: str, name: str
) -> None:
    view = view_of_round(deal(RULES, deal_deck(RULES, 1, 1), 0), 0)
    request = json.loads(write_request(view, None))
    change(request["view"])
    answer = json.loads(answer_line(make_agent(name), json.dumps(request), Random(1)))
    assert list(answer) == ["error"], what
    assert said in answer["error"]


# ---- turns --------------------------------------------------------------------------------------


class Wrong:
    """Plays a turn that is wrong in one way after some right ones."""

    name = "wrong@1"

    def __init__(self, wrong: Callable[[View], Any]) -> None:
        self._wrong, self._left = wrong, 3

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Any:
        self._left -= 1
        return Choice(view.legal[0]) if self._left > 0 else self._wrong(view)


def absent(view: View) -> Choice:
    card = next(c for c in RULES.all_cards() if c not in view.hand)
    return Choice(Turn(Lay(card, discard=True), None))


def from_empty_pile(view: View) -> Choice:
    colour = next(c for c in RULES.all_colours() if not view.piles[c])
    lay = next(t.lay for t in view.legal if t.lay.discard and t.lay.card.colour != colour)
    return Choice(Turn(lay, colour))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (absent, "does not hold"),
        (from_empty_pile, "pile is empty"),
        (lambda _: None, "raised AttributeError"),
        (lambda _: 1 // 0, "raised ZeroDivisionError"),
    ],
)
def test_a_wrong_turn_loses_the_round_with_the_reason(
    wrong: Callable[[View], Any], said: str
) -> None:
    played = play_deal(RULES, 1, 0, Player(Wrong(wrong)), Player(make_agent("greedy")))
    failure = played.first.failure
    assert failure is not None
    assert (failure.seat, failure.kind) == (0, "illegal")
    assert said in failure.reason
    assert len(played.first.turns) == 4
    assert played.differences[0] <= -60
