"""The part of a store in memory that belongs to no match's log."""

from lostcities.store.interfaces import Ban, ChatLine, Class


class MemorySide:
    """Lists, chat, bans, the password and classes, in dicts."""

    def __init__(self) -> None:
        self.lists: dict[tuple[str, str], int] = {}
        self.chat: dict[str, list[ChatLine]] = {}
        self.banned: dict[tuple[str, str], Ban] = {}
        self.facts: dict[str, str] = {}
        self.entrances: set[str] = set()
        self.groups: dict[str, Class] = {}

    async def listed(self, name: str, limit: int) -> tuple[str, ...]:
        found = sorted((-at, match) for (match, where), at in self.lists.items() if where == name)
        return tuple(match for _, match in found[:limit])

    async def unlist(self, match: str, name: str) -> None:
        self.lists.pop((match, name), None)

    async def say(self, match: str, line: ChatLine) -> None:
        self.chat.setdefault(match, []).append(line)

    async def said(self, match: str, limit: int) -> tuple[ChatLine, ...]:
        return tuple(self.chat.get(match, [])[-limit:])

    async def unsay(self, match: str) -> None:
        self.chat.pop(match, None)

    async def ban(self, ban: Ban) -> None:
        self.banned[ban.kind, ban.value] = ban

    async def unban(self, kind: str, value: str) -> None:
        self.banned.pop((kind, value), None)

    async def bans(self) -> tuple[Ban, ...]:
        return tuple(self.banned.values())

    async def fact(self, name: str) -> str | None:
        return self.facts.get(name)

    async def set_fact(self, name: str, value: str | None) -> None:
        if value is None:
            self.facts.pop(name, None)
        else:
            self.facts[name] = value

    async def enter(self, player: str, now: int) -> None:
        self.entrances.add(player)

    async def entered(self, player: str) -> bool:
        return player in self.entrances

    async def forget_entrances(self) -> None:
        self.entrances.clear()

    async def put_class(self, group: Class) -> None:
        self.groups[group.code] = group

    async def classes(self) -> tuple[Class, ...]:
        return tuple(reversed(self.groups.values()))

    async def drop_class(self, code: str) -> None:
        self.groups.pop(code, None)
