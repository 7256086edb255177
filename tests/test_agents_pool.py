"""Agents in processes of their own."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from lostcities.core.match import MatchState, decide_deal, evolve, new_match
from lostcities.core.refusal import Refusal
from lostcities.core.rules import Rules
from lostcities.core.shuffle import SystemEntropy
from lostcities.core.views import View, view_for
from lostcities.protocol.http import NewTable
from lostcities.service import agents as pool
from lostcities.service.agents import AgentCard, ProcessAgents
from lostcities.service.room import Room
from lostcities.service.thinking import agent_cards
from lostcities.service.thinking import think as think_registered
from memory_store import MemoryStore
from running import SOURCE, environment
from thinkers import think


@pytest.fixture
def agents() -> Iterator[ProcessAgents]:
    agents = ProcessAgents((), think, workers=2)
    yield agents
    agents.close()


@pytest.fixture
def view() -> View:
    rules = Rules.parse("room first=1")
    state: MatchState = new_match(rules)
    dealt = decide_deal(state, SystemEntropy().deck(rules, 1), 0)
    assert not isinstance(dealt, Refusal)
    return view_for(evolve(state, dealt), 1)


async def test_an_agent_answers_from_a_polite_process(agents: ProcessAgents, view: View) -> None:
    assert await agents.choose("is polite", view) == view.legal[-1]


async def test_what_an_agent_raises_comes_back(agents: ProcessAgents, view: View) -> None:
    with pytest.raises(LookupError, match="out of ideas"):
        await agents.choose("fails", view)
    assert await agents.choose("plays", view) == view.legal[-1]


async def test_a_process_that_dies_is_replaced(
    agents: ProcessAgents, view: View, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIES_ONCE", str(tmp_path / "marker"))
    assert await agents.choose("dies once", view) == view.legal[-1]
    with pytest.raises(BrokenProcessPool):
        await agents.choose("dies", view)
    assert await agents.choose("plays", view) == view.legal[-1]


async def test_an_agent_that_thinks_for_ever_is_given_up(
    agents: ProcessAgents, view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agents.choose("plays", view)
    monkeypatch.setattr(pool, "LONGEST", 0.2)
    with pytest.raises(TimeoutError):
        await agents.choose("sleeps", view)
    monkeypatch.setattr(pool, "LONGEST", 60.0)
    assert await agents.choose("plays", view) == view.legal[-1]


async def test_closing_waits_for_nobody(view: View) -> None:
    agents = ProcessAgents((), think, workers=1)
    await agents.choose("plays", view)
    asleep = asyncio.ensure_future(agents.choose("sleeps", view))
    await asyncio.sleep(0.2)
    assert agents._pool is not None
    processes = list(agents._pool._processes.values())
    asleep.cancel()
    await asyncio.gather(asleep, return_exceptions=True)
    begin = time.monotonic()
    agents.close()
    for process in processes:
        await asyncio.to_thread(process.join, 20)
        assert not process.is_alive()
    assert time.monotonic() - begin < 20


async def test_more_wait_than_may_think(view: View) -> None:
    agents = ProcessAgents((), think, workers=1)
    turns = await asyncio.gather(*(agents.choose("plays", view) for _ in range(8)))
    assert set(turns) == {view.legal[-1]}
    assert agents._pool is not None
    assert len(agents._pool._processes) == 1
    agents.close()


async def test_a_registered_agent_plays_at_a_table() -> None:
    agents = ProcessAgents(agent_cards(), think_registered, workers=1)
    room = Room(MemoryStore(), agents, clock=lambda: 1)
    made = await room.create(await room.visitor(None), NewTable("Ada", "room first=1", "steady", 0))
    table = await room.table(made.match)
    assert table is not None
    assert table.occupants[1] is not None
    assert table.occupants[1].agent == "steady@1", "with its version, which never changes"
    async with asyncio.timeout(60):
        while table.busy:  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0.02)
    assert table.waits_for(0)
    await room.close()


def test_the_agents_on_offer_are_told_in_words() -> None:
    cards = agent_cards()
    assert [card.name for card in cards[:2]] == ["random@1", "level1@2"]
    assert cards[-1].title == "Master"
    assert {"steady@1", "flat@1"} <= {card.name for card in cards}
    assert len({card.title for card in cards}) == len(cards), "only the newest version is offered"
    for card in cards:
        assert isinstance(card, AgentCard)
        assert card.title
        assert "package" not in card.description, f"{card.name} is ours, and described as foreign"


def test_a_room_without_numba_offers_what_plays_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert [card.name for card in agent_cards()] == ["random@1", "greedy@1", "steady@1"]


def test_with_numpy_alone_a_room_offers_the_levels_that_search_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "numba" else name)
    assert [card.name for card in agent_cards()] == [
        "random@1", "level1@2", "level2@2", "greedy@1", "level3@2", "level4@2", "level5@2", "steady@1"
    ]  # fmt: skip


ROOM_THAT_IS_KILLED = """
import asyncio, sys, time
from lostcities.core.position import parse_position
from lostcities.core.views import view_of_round
from lostcities.service.agents import ProcessAgents
from running import SOURCE, environment
from thinkers import think

async def main():
    agents = ProcessAgents((), think, 1)
    view = view_of_round(parse_position("0 | G2 R5 | B3 Y4 | - | - | R3 | W4 W5"), 0)
    await agents.choose("plain", view)
    print(*agents._pool._processes, flush=True)
    time.sleep(600)

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_thinking_processes_end_with_a_room_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "room.py"
    script.write_text(ROOM_THAT_IS_KILLED, "utf-8")
    path = os.pathsep.join([str(SOURCE), str(Path(__file__).parent)])
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, env=environment(PYTHONPATH=path)
    ) as room:
        assert room.stdout is not None
        thinking = int(room.stdout.readline())
        room.kill()
    end = time.monotonic() + 60
    while _alive(thinking):
        assert time.monotonic() < end, "the process outlived its room"
        time.sleep(0.05)


def _alive(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text("utf-8")
    except FileNotFoundError:
        return not Path("/proc").exists() and _answers(process)
    return status.rpartition(")")[2].split()[0] != "Z"


def _answers(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
