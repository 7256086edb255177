"""What a room asks of a store about people: passphrases, sessions, and being forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from lostcities.core.seats import Seat

NOBODY = "–"
"""The name that stands where a person was who is forgotten; the same in every language."""


@dataclass(frozen=True, slots=True)
class Account:
    """A player who chose a passphrase.

    Attributes:
        player: whose it is.
        folded: the name as it is compared, unique.
        name: the name as it was typed.
        hash: of the passphrase, argon2 in its own notation.
        must_change: the host has reset it, and the page asks for a new one.
        changed: when it was last set, milliseconds since 1970 (UTC).
    """

    player: str
    folded: str
    name: str
    hash: str
    must_change: bool
    changed: int


@dataclass(frozen=True, slots=True)
class Held:
    """A seat of a player."""

    match: str
    seat: Seat


class People(Protocol):
    """The part of a store that knows people."""

    async def account(self, folded: str) -> Account | None:
        """The account of that name."""
        ...

    async def account_of(self, player: str) -> Account | None:
        """The account of a player."""
        ...

    async def open_account(self, account: Account) -> bool:
        """Keep a new account; false if the name is taken or the player has one."""
        ...

    async def set_passphrase(self, player: str, hashed: str, must_change: bool, now: int) -> None:
        """Keep another passphrase."""
        ...

    async def open_session(self, token_hash: str, player: str, now: int) -> None:
        """Another browser is this player's."""
        ...

    async def sessions(self, player: str) -> tuple[str, ...]:
        """The hashes of a player's session tokens."""
        ...

    async def end_sessions(self, player: str, keep: str | None = None) -> tuple[str, ...]:
        """End a player's sessions but that one; answers the hashes of those ended."""
        ...

    async def end_session(self, token_hash: str) -> None:
        """End one session."""
        ...

    async def seats(self, player: str) -> tuple[Held, ...]:
        """Every seat that a player holds."""
        ...

    async def claim(self, guest: str, player: str) -> tuple[Held, ...]:
        """Whatever the guest has becomes the player's, and the guest's sessions end.

        A seat at a table where the player sits already stays as it is, nobody's. Answers the seats
        that have changed hands.
        """
        ...

    async def forget(self, player: str) -> None:
        """Nothing personal of a player stays: sessions, passphrase, records, chat, shared codes,
        and the name at every table; what was played stays, played by nobody.
        """
        ...
