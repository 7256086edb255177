"""Passphrases: argon2 in a small pool, so that guessing costs and the room does not wait."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from lostcities.service.wishes import WishError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST = 8
"""Letters of a passphrase at least; longer is better than odder."""
LONGEST = 200
WAITING = 16
"""Passphrases that may wait for the pool; more are sent away."""
MEMORY_KIB = 19_456
PASSES = 2


class Passphrases:
    """Hashes and checks, one at a time (argon2 takes 19 MiB and lets go of the interpreter).

    The costs are the second of those that OWASP names for argon2id; a hash says its own, so that
    they may be raised.
    """

    def __init__(self, memory_kib: int = MEMORY_KIB, passes: int = PASSES) -> None:
        self._costs = (memory_kib, passes)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="passphrase")
        self._waiting = 0
        self._hasher: PasswordHasher | None = None
        self._nobody = ""

    async def hash(self, passphrase: str) -> str:
        """What is kept of a passphrase.

        Raises:
            WishError: too many are waiting.
        """
        return await self._run(self._hash, passphrase)

    async def fits(self, passphrase: str, hashed: str | None) -> bool:
        """Whether this is the passphrase; for an unknown account (None) no, after the same time.

        Raises:
            WishError: too many are waiting.
        """
        return await self._run(self._fits, passphrase, hashed) == "yes"

    def close(self) -> None:
        """Let go of the pool."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: object, *args: object) -> str:
        if self._waiting >= WAITING:
            raise WishError(503, "busy", "too many are signing in just now, try again in a moment")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, work, *args)  # type: ignore[arg-type]
        finally:
            self._waiting -= 1

    def _argon2(self) -> PasswordHasher:
        if self._hasher is None:
            from argon2 import PasswordHasher

            memory, passes = self._costs
            self._hasher = PasswordHasher(time_cost=passes, memory_cost=memory, parallelism=1)
        return self._hasher

    def _hash(self, passphrase: str) -> str:
        return self._argon2().hash(passphrase)

    def _fits(self, passphrase: str, hashed: str | None) -> str:
        from argon2.exceptions import InvalidHashError, VerificationError

        if hashed is None and not self._nobody:
            self._nobody = self._hash("nobody's")
        try:
            self._argon2().verify(hashed or self._nobody, passphrase)
        except (VerificationError, InvalidHashError):
            return "no"
        return "no" if hashed is None else "yes"


def checked(passphrase: str, name: str) -> str:
    """A passphrase that may be chosen; raises WishError."""
    if not SHORTEST <= len(passphrase) <= LONGEST:
        text = f"a passphrase has {SHORTEST} to {LONGEST} letters; a few plain words are best"
        raise WishError(400, "short_passphrase", text)
    if passphrase.casefold() == name.casefold() or len(set(passphrase)) < 3:
        raise WishError(400, "plain_passphrase", "this passphrase is too easy to guess")
    return passphrase
