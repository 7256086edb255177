"""Who may come into the room at all: its password, and the host's bans."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from lostcities.service.ids import hashed
from lostcities.service.wishes import Visitor, WishError
from lostcities.store.interfaces import Ban, Changes, Store

T = TypeVar("T")

PASSWORD = "password"  # noqa: S105 - the name of the fact, not its value
SHUT_OUT = {
    "kicked": "the host has asked you to leave this table",
    "banned": "the host has shut this room to you",
}
"""Why somebody may not come, in words, by the reason."""


class Door:
    """The room's door.

    Args:
        store: where the password's hash, who has given it, and bans are kept.
        clock: milliseconds since 1970 (UTC).
    """

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock
        self._hash: str | None = None
        self._entered: set[str] = set()
        self._bans: dict[tuple[str, str], Ban] | None = None
        # Hashing takes a whole processor for a moment: one at a time, beside the loop.
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="argon2")

    def close(self) -> None:
        """Let go of the thread."""
        self._pool.shutdown(wait=False)

    # ---- the password ---------------------------------------------------------------------------

    @property
    def locked(self) -> bool:
        """Whether there is a password."""
        return self._hash is not None

    async def lock(self, password: str | None) -> None:
        """Set the password for as long as the room is open; None for none.

        The same one as before lets everybody stay who has given it; another one asks all anew.
        """
        kept = await self._store.fact(PASSWORD)
        if password is None:
            self._hash = None
            return
        if kept is None or not await self._fits(kept, password):
            kept = await self._run(_hash, password)
            await self._store.forget_entrances()
            await self._store.set_fact(PASSWORD, kept)
            self._entered.clear()
        self._hash = kept

    async def enter(self, visitor: Visitor, password: str) -> None:
        """Let a visitor in.

        Raises:
            WishError: the password is wrong.
        """
        if self._hash is None:
            return
        if not await self._fits(self._hash, password):
            raise WishError(403, "wrong_password", "this is not the room's password")
        if visitor.session is not None:
            await self._store.write(Changes(sessions=(visitor.session,)))
        await self._store.enter(visitor.player, self._clock())
        self._entered.add(visitor.player)

    async def open_for(self, player: str | None) -> bool:
        """Whether this player need not give the password (again)."""
        if self._hash is None:
            return True
        if player is None:
            return False
        if player not in self._entered and await self._store.entered(player):
            self._entered.add(player)
        return player in self._entered

    async def _fits(self, kept: str, password: str) -> bool:
        return await self._run(_verify, kept, password)

    async def _run(self, function: Callable[..., T], *args: str) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, function, *args)

    # ---- bans -----------------------------------------------------------------------------------

    async def bans(self) -> tuple[Ban, ...]:
        """Every ban."""
        return tuple((await self._known()).values())

    async def banned(self, player: str | None, address: str | None) -> bool:
        """Whether somebody may not come in."""
        await self._known()
        return self.shut(player, address)

    def shut(self, player: str | None, address: str | None) -> bool:
        """The same as far as is known without asking the store: once anybody was let in, all of it."""
        known = self._bans or {}
        return ("player", player) in known or ("address", address) in known

    async def ban(self, ban: Ban) -> None:
        """Shut somebody out."""
        known = await self._known()
        await self._store.ban(ban)
        known[ban.kind, ban.value] = ban

    async def unban(self, value: str) -> None:
        """Let somebody in again, browser or address."""
        known = await self._known()
        for kind in ("player", "address"):
            await self._store.unban(kind, value)
            known.pop((kind, value), None)

    async def _known(self) -> dict[tuple[str, str], Ban]:
        if self._bans is None:
            self._bans = {(ban.kind, ban.value): ban for ban in await self._store.bans()}
        return self._bans


def _hash(password: str) -> str:
    from argon2 import PasswordHasher

    return PasswordHasher().hash(password)


def _verify(kept: str, password: str) -> bool:
    from argon2 import PasswordHasher
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return PasswordHasher().verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False


def same_code(given: str, code: str | None) -> bool:
    """Whether a code is the right one, compared by its hash so that no part of it can be timed."""
    return code is not None and hashed(given.strip()) == hashed(code)
