"""No hidden card leaves the server: two worlds, compared byte for byte over real sockets."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from lostcities.core.events import TurnPlayed
from lostcities.core.rules import Rules
from lostcities.service import audience as tables
from lostcities.service.seeing import seat_view, seen
from lostcities.service.state import Entry
from memory_store import MemoryStore
from rooms import Chair, CountingIds, FixedDecks, Person, RunningRoom, running
from worlds import Deck, Script, guesses, random_script

RULES = ("room", "long rounds=2", "travel", "room rounds=1 stall=6", "room hand=5 first=1")


@dataclass
class World:
    """A room whose decks are decided match by match."""

    room: RunningRoom
    decks: FixedDecks


@contextlib.asynccontextmanager
async def world() -> AsyncIterator[World]:
    decks = FixedDecks(())
    async with running(
        "unused",
        store=MemoryStore(),
        decks=decks,
        ids=CountingIds(),
        monotonic=lambda: 0,  # what is left of a time would tell the worlds apart
    ) as room:
        yield World(room, decks)


@dataclass
class Heard:
    """Everything that reached the observer, in order."""

    frames: list[str] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)


async def act_out(
    world: World, script: Script, decks: list[Deck], observer: int, seed: int
) -> Heard:
    """Play a script over sockets; the observer also tries its luck and drops its line at times."""
    world.decks.decks, world.decks.start = decks, script.start
    rng, heard = random.Random(seed), Heard()
    url = world.room.url
    async with Person(url, "Observer") as me, Person(url, "Other") as other:
        terms = {"takebacks": True}
        made = await me.create(rules=str(script.rules), seat=observer, terms=terms)
        await other.accept(made["invite"])
        async with contextlib.AsyncExitStack() as stack:
            chairs = await _sit(stack, me, other, made["match"], observer)
            for number, step in enumerate(script.steps):
                if rng.random() < 0.1:
                    await _try_luck(chairs[observer], script, rng, number)
                if rng.random() < 0.05:
                    heard.frames += chairs[observer].frames
                    chairs[observer] = await _come_back(
                        chairs[observer], me, made["match"], rng, stack
                    )
                await _do(chairs, step, number)
            heard.frames += chairs[observer].frames
            for path in ("/api/tables", f"/api/tables/{made['match']}/record"):
                if not path.endswith("record") or chairs[observer].table["phase"] != "over":
                    heard.bodies.append((await me.http.get(path)).text)
    return heard


async def _sit(
    stack: contextlib.AsyncExitStack, me: Person, other: Person, match: str, observer: int
) -> dict[int, Chair]:
    mine = await stack.enter_async_context(me.sit(match))
    await mine.until("ready")
    await mine.until("presence")
    theirs = await stack.enter_async_context(other.sit(match))
    await theirs.until("ready")
    await mine.until("presence")
    return {observer: mine, 1 - observer: theirs}


async def _do(chairs: dict[int, Chair], step: Any, number: int) -> None:
    chair, name = chairs[step.seat], f"command-{number:06d}"
    where = {"round": step.round, "ply": step.ply, "back": step.back}
    if step.regret == "ask":
        answer = await chair.command("ask_back", name, **where)
    elif step.regret is not None:
        accept = step.regret == "allow"
        answer = await chair.command("answer_back", name, accept=accept, **where)
    elif step.turn is None:
        answer = await chair.command("continue", name, round=step.round)
    else:
        turn = str(step.turn.public)
        answer = await chair.command("play", name, turn=turn, **where)
    assert answer["type"] == "ack", answer
    for each in chairs.values():
        await each.reach(answer["seq"])


async def _try_luck(chair: Chair, script: Script, rng: random.Random, number: int) -> None:
    if chair.view is None:
        return
    where = {"round": chair.view["round"], "ply": chair.view["ply"]}
    where["back"] = chair.table["back"]
    turn = next(guesses(script, rng))
    answer = await chair.command("play", f"try-luck-{number:06d}", turn=turn, **where)
    assert answer["type"] == "refused"


async def _come_back(
    chair: Chair, me: Person, match: str, rng: random.Random, stack: contextlib.AsyncExitStack
) -> Chair:
    await chair.socket.close()
    last_seq = rng.choice([0, max(0, chair.seq - 3), chair.seq])
    back = await stack.enter_async_context(me.sit(match, last_seq))
    back.seq, back.view, back.table = chair.seq, chair.view, chair.table
    if last_seq < chair.seq:
        back.seq = last_seq
    await back.until("ready")
    await back.until("presence")
    return back


async def differ(seed: int, worlds: tuple[World, World]) -> tuple[bool, int]:
    """Whether the observer can tell the two worlds of a seed apart, and how much it was told."""
    rng = random.Random(seed)
    rules = Rules.parse(rng.choice(RULES))
    script = random_script(rules, rng, rng.randrange(1, 130))
    observer = rng.randrange(2)
    decks = script.other_decks(observer, rng)
    one, two = await asyncio.gather(
        act_out(worlds[0], script, script.decks, observer, seed),
        act_out(worlds[1], script, decks, observer, seed),
    )
    assert decks != script.decks or len(script.steps) > 100
    return one != two, len(one.frames)


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_two_hundred_matches_tell_nothing_hidden() -> None:
    async def lane(seeds: range) -> int:
        told = 0
        async with world() as one, world() as two:
            for seed in seeds:
                different, frames = await differ(seed, (one, two))
                assert not different, f"seed {seed}: the worlds can be told apart"
                told += frames
        return told

    told = await asyncio.gather(*(lane(range(first, 200, 4)) for first in range(4)))
    assert sum(told) > 15_000, "the observers were told too little for this to mean anything"


async def test_a_few_matches_tell_nothing_hidden() -> None:
    async with world() as one, world() as two:
        for seed in range(1000, 1002):
            assert not (await differ(seed, (one, two)))[0]


async def watch_out(world: World, script: Script, decks: list[Deck], seed: int) -> Heard:
    """Play a script over sockets while somebody watches; the watcher also drops its line."""
    world.decks.decks, world.decks.start = decks, script.start
    rng, heard = random.Random(seed), Heard()
    url = world.room.url
    async with contextlib.AsyncExitStack() as stack:
        ada, bob, eve = [
            await stack.enter_async_context(Person(url, name)) for name in ("Ada", "Bob", "Eve")
        ]
        terms = {"watch": True, "listed": True, "takebacks": True}
        made = await ada.create(rules=str(script.rules), seat=0, terms=terms)
        await bob.accept(made["invite"])
        match = made["match"]
        chairs = {s: await stack.enter_async_context(p.sit(match)) for s, p in ((0, ada), (1, bob))}
        for chair in chairs.values():
            await chair.until("ready")
        eyes = await stack.enter_async_context(eve.sit(match))
        await eyes.until("presence")
        for number, step in enumerate(script.steps):
            if rng.random() < 0.05:
                heard.frames += eyes.frames
                eyes = await _come_back(eyes, eve, match, rng, stack)
            await _do({**chairs, 2: eyes}, step, number)
        heard.frames += eyes.frames
        heard.bodies += [(await eve.http.get(path)).text for path in ("/api/lobby", "/api/tables")]
        refused = await eyes.command("resign", "resign-1")
        assert refused["reason"] == "watching"
    return heard


@pytest.mark.parametrize("seed", range(2000, 2004))
async def test_a_watcher_is_told_nothing_hidden(seed: int) -> None:
    assert not (await watchers_differ(seed))[0]


async def test_a_hand_shown_to_a_watcher_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = seat_view

    def show(state: Any, seat: int | None) -> Any:
        view = honest(state, seat)
        if view is None or state.match.round is None or seat is not None:
            return view
        return replace_known(view, [str(card) for card in state.match.round.hands[0]])

    monkeypatch.setattr(tables, "seat_view", show)
    assert any([(await watchers_differ(seed))[0] for seed in (2000, 2001)])


async def watchers_differ(seed: int) -> tuple[bool, int]:
    rng = random.Random(seed)
    rules = Rules.parse(rng.choice(RULES))
    script = random_script(rules, rng, rng.randrange(1, 130))
    decks = script.other_decks(None, rng)
    async with world() as one, world() as two:
        heard = await asyncio.gather(
            watch_out(one, script, script.decks, seed), watch_out(two, script, decks, seed)
        )
    return heard[0] != heard[1], len(heard[0].frames)


LEAKS = ("the face drawn", "the deck's top", "the other hand")


@pytest.mark.parametrize("leak", LEAKS)
async def test_a_leak_is_noticed(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if leak == "the face drawn":

        def tell(entry: Entry, viewer: int | None) -> Any:
            by = entry.event.seat if isinstance(entry.event, TurnPlayed) else viewer
            return seen(entry, by)

        monkeypatch.setattr(tables, "seen", tell)
    else:
        honest = seat_view

        def show(state: Any, seat: int) -> Any:
            view = honest(state, seat)
            if view is None or state.match.round is None:
                return view
            hidden = state.match.round.deck[:1]
            if leak == "the other hand":
                hidden = state.match.round.hands[1 - seat]
            return replace_known(view, [str(card) for card in hidden])

        monkeypatch.setattr(tables, "seat_view", show)
    async with world() as one, world() as two:
        results = [await differ(seed, (one, two)) for seed in range(1000, 1002)]
    assert any(different for different, _ in results)


def replace_known(view: Any, cards: list[str]) -> Any:
    import msgspec

    return msgspec.structs.replace(view, known=[*view.known, *cards])


def test_the_second_world_keeps_what_the_observer_knows() -> None:
    """The derivation itself: same cards, same script, other decks."""
    rng = random.Random(5)
    script = random_script(Rules.parse("room"), rng, 60)
    decks = script.other_decks(0, rng)
    assert decks != script.decks
    for one, two in zip(script.decks, decks, strict=True):
        assert sorted(one) == sorted(two)
        assert one[0:16:2] == two[0:16:2], "the observer's own hand"
