"""Notices of two matches that differ in hidden cards alone are the same."""

import asyncio
import contextlib
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lostcities.core.rules import Rules
from mail_server import MailServer
from noticing import (
    by_mail,
    by_push,
    confirm,
    subscribe,
)
from push_service import PushService
from rooms import Chair, CountingIds, FixedDecks, Person, running
from worlds import random_script


async def told_in(
    decks: list[Any], script: Any, service: PushService, mail: MailServer
) -> list[str]:
    """Everything that Ada is told away from the table while a script is played."""
    service.letters.clear()
    mail.mails.clear()
    channels = by_push(service, by_mail(mail))
    fixed = FixedDecks(decks, script.start)
    told = []
    with contextlib.ExitStack() as stack:
        path = stack.enter_context(temporary_database())
        async with (
            running(path, channels=channels, decks=fixed, ids=CountingIds()) as room,
            Person(room.url, "Ada") as ada,
            Person(room.url, "Grace") as grace,
        ):
            made = await ada.create(seat=0, rules=str(script.rules), pace="days=3")
            await grace.accept(made["invite"])
            await subscribe(ada, service)
            await confirm(ada, mail, "ada@example.org")
            await ada.post("/api/notices/when", {"when": "always"})
            count = 0
            async with ada.sit(made["match"]) as mine, grace.sit(made["match"]) as theirs:
                for chair in (mine, theirs):
                    await chair.until("ready")
                for number, step in enumerate(script.steps):
                    chair = (mine, theirs)[step.seat]
                    answer = await _do(chair, step, f"command-{number:06d}")
                    for each in (mine, theirs):
                        await each.reach(answer["seq"])
                    if mine.view is not None and mine.view["to_move"] == 0:
                        count += 1
                        await asyncio.to_thread(service.wait, count)
                        await asyncio.to_thread(mail.wait, count + 1)
            told += [json.dumps(service.read(each)) for each in service.letters]
            told += [f"{m['Subject']}\n{_without_codes(str(m.get_content()))}" for m in mail.mails]
            told += [str(len(each.body)) for each in service.letters]
    return told


@contextlib.contextmanager
def temporary_database() -> Iterator[Path]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder, "room.sqlite3")


def _without_codes(text: str) -> str:
    """What is by chance, or of the moment, goes."""
    return re.sub(r"(You have until|/notices/(stop|confirm)/).*", r"\1", text)


async def _do(chair: Chair, step: Any, name: str) -> dict[str, Any]:
    if step.turn is None:
        return await chair.command("continue", name, round=step.round)
    return await chair.command("play", name, round=step.round, ply=step.ply, turn=str(step.turn))


@pytest.mark.slow
async def test_two_worlds_that_differ_in_hidden_cards_are_told_the_same(
    service: PushService, mail: MailServer
) -> None:
    rng = random.Random(11)
    script = random_script(Rules.parse("room first=1"), rng, 14)
    first = await told_in(script.decks, script, service, mail)
    second = await told_in(script.other_decks(0, rng), script, service, mail)
    assert script.decks != script.other_decks(0, rng)
    assert len(first) > 10
    assert first == second
