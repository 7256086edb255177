"""Two people at a table, and how they are told of their turns."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Any

from lostcities.service.notices.channels import Channels
from lostcities.service.notices.push import PushSettings
from lostcities.service.subscriber import Subscriber
from mail_server import MailServer
from push_service import PushService
from rooms import Chair, Person, RunningRoom

BASE = "https://cards.example.org"
AT_ONCE = Channels(base_url=BASE, push_after=0.0, mail_after=0.0)
CODE = f"{BASE}/notices/confirm/"


def by_push(service: PushService, ways: Channels = AT_ONCE) -> Channels:
    push = PushSettings("mailto:host@example.org", anywhere=True, trust=service.trust)
    return replace(ways, push=push)


def by_mail(server: MailServer, ways: Channels = AT_ONCE) -> Channels:
    return replace(ways, mail=server.settings)


@dataclass
class Two:
    """Ada in seat 0 and Grace in seat 1, who opens the first round; both at the table."""

    ada: Person
    grace: Person
    match: str
    chairs: tuple[Chair, Chair]
    room: RunningRoom

    def pages(self) -> list[Subscriber]:
        """Ada's open pages, as the room knows them."""
        (table,) = [each for each in self.room.room.tables if each.match == self.match]
        return [each for each in table.sockets if each.seat == 0]

    async def look_away(self) -> None:
        """Ada's page is in the background, and the room knows."""
        await self.chairs[0].send(type="look", looking=False)
        await until(lambda: not any(each.looking for each in self.pages()))

    async def close(self) -> None:
        """Ada's page is closed, and the room knows."""
        await self.chairs[0].socket.close()
        await until(lambda: not self.pages())

    async def turn(self, seat: int, fits: Callable[[str], bool] = lambda _: True) -> dict[str, Any]:
        """The first legal turn of a seat that fits, accepted."""
        chair, other = self.chairs[seat], self.chairs[1 - seat]
        assert chair.view is not None
        answer = await chair.play(next(filter(fits, chair.view["legal"])))
        assert answer["type"] == "ack", answer
        await chair.reach(answer["seq"])
        await other.reach(answer["seq"])
        return answer


@contextlib.asynccontextmanager
async def two(room: RunningRoom, pace: str = "days=3", **terms: bool) -> AsyncIterator[Two]:
    async with Person(room.url, "Ada") as ada, Person(room.url, "Grace") as grace:
        made = await ada.create(seat=0, rules="room first=1", pace=pace, terms=terms)
        await grace.accept(made["invite"])
        async with ada.sit(made["match"]) as mine, grace.sit(made["match"]) as theirs:
            for chair in (mine, theirs):
                await chair.until("ready")
            yield Two(ada, grace, made["match"], (mine, theirs), room)


async def until(true: Callable[[], bool], seconds: float = 15) -> None:
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.01)  # what it waits for happens in the room, which tells nobody


async def quiet(seconds: float = 0.4) -> None:
    """Long enough for what is due at once to have come."""
    await asyncio.sleep(seconds)


async def letters(service: PushService, number: int) -> list[dict[str, Any]]:
    found = await asyncio.to_thread(service.wait, number)
    return [service.read(each) for each in found]


async def subscribe(person: Person, service: PushService, **more: str) -> dict[str, Any]:
    said = {**service.subscription(person.name), **more}
    told: dict[str, Any] = await person.post("/api/notices/push", said)
    return told


async def confirm(person: Person, mail: MailServer, address: str, language: str = "en") -> None:
    count = len(mail.mails)
    await person.post("/api/notices/mail", {"address": address, "language": language})
    asked = (await asyncio.to_thread(mail.wait, count + 1))[count]
    code = str(asked.get_content()).split(CODE)[1].split()[0]
    await person.post("/api/notices/mail/confirm", {"code": code})
