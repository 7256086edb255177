"""A store in memory for tests of tables: it can wait, fail, or be overtaken by another writer."""

import asyncio
from dataclasses import replace

from lostcities.store.archive import Archive
from lostcities.store.interfaces import (
    Append,
    Changes,
    ConflictError,
    DeviceGrant,
    MovedSeat,
    SitDown,
    StoredMatch,
    StoreError,
)
from lostcities.store.notices import NoticeStore
from lostcities.store.people import People
from memory_side import MemorySide


class MemoryStore(MemorySide):
    """Keeps matches in a dict. ``gate`` closed, writes wait; ``failures`` are raised first.

    It has no archive, no people and no notices: those are tested on the real store.
    """

    archive: Archive
    people: People
    notices: NoticeStore

    def __init__(self) -> None:
        super().__init__()
        self.matches: dict[str, StoredMatch] = {}
        self.sessions: dict[str, str] = {}
        self.grants: dict[str, DeviceGrant] = {}
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = asyncio.Event()
        self.failures: list[StoreError] = []
        self.writes: list[Changes] = []

    async def write(self, changes: Changes) -> None:
        self.waiting.set()
        await self.gate.wait()
        await asyncio.sleep(0)
        if self.failures:
            raise self.failures.pop(0)
        self._check(changes)
        self.writes.append(changes)
        self.sessions |= {each.token_hash: each.player for each in changes.sessions}
        for info in changes.matches:
            self.matches[info.match] = StoredMatch(info, (), (), {})
        for sit in changes.seats:
            self._sit(sit)
        for append in changes.appends:
            self._append(append)
        for listing in changes.listings:
            self.lists[listing.match, listing.list] = listing.created
        for deadline in changes.deadlines:
            stored = self.matches[deadline.match]
            self.matches[deadline.match] = replace(stored, due=deadline.due)

    def _check(self, changes: Changes) -> None:
        new = {info.match for info in changes.matches}
        for append in changes.appends:
            if append.match in new:
                continue
            stored = self.matches[append.match]
            if append.expected_seq != len(stored.events):
                raise ConflictError("seq taken")
            if append.command is not None and append.command.cmd_id in stored.commands:
                raise ConflictError("command taken")
        for sit in changes.seats:
            if sit.match not in new and sit.occupant.seat in {
                who.seat for who in self.matches[sit.match].occupants
            }:
                raise ConflictError("seat taken")

    def _sit(self, sit: SitDown) -> None:
        stored = self.matches[sit.match]
        self.matches[sit.match] = replace(stored, occupants=(*stored.occupants, sit.occupant))

    def _append(self, append: Append) -> None:
        stored = self.matches[append.match]
        commands = dict(stored.commands)
        if append.command is not None:
            commands[append.command.cmd_id] = append.command
        events = (*stored.events, *append.events)
        self.matches[append.match] = replace(stored, events=events, commands=commands)

    async def load(self, match: str) -> StoredMatch | None:
        return self.matches.get(match)

    async def player(self, token_hash: str) -> str | None:
        return self.sessions.get(token_hash)

    async def match_of_invite(self, code: str) -> str | None:
        found = (m for m, stored in self.matches.items() if stored.info.invite == code)
        return next(found, None)

    async def matches_of(self, player: str, limit: int) -> tuple[str, ...]:
        mine = [
            match
            for match, stored in self.matches.items()
            if any(who.player == player for who in stored.occupants)
        ]
        return tuple(reversed(mine))[:limit]

    async def overdue(self, now: int, limit: int) -> tuple[str, ...]:
        due = {m: s.due for m, s in self.matches.items() if s.due is not None and s.due <= now}
        return tuple(sorted(due, key=lambda match: due[match]))[:limit]

    async def grant(self, grant: DeviceGrant) -> None:
        self.grants[grant.code_hash] = grant

    async def redeem(self, code_hash: str, player: str, now: int) -> MovedSeat | None:
        grant = self.grants.pop(code_hash, None)
        if grant is None or grant.expires <= now:
            return None
        stored = self.matches[grant.match]
        occupants = tuple(
            replace(who, player=player) if who.seat == grant.seat else who
            for who in stored.occupants
        )
        self.matches[grant.match] = replace(stored, occupants=occupants)
        return MovedSeat(grant.match, grant.seat)

    async def close(self) -> None:
        pass
