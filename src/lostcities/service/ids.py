"""Names that nobody can guess: sessions, matches, invites, device codes."""

from __future__ import annotations

import hashlib
import secrets
from typing import Protocol

from lostcities.core.seats import Seat

DEVICE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without the signs that are mistaken for each other."""
DEVICE_LENGTH = 8


class Ids(Protocol):
    """Where names come from; tests put their own in its place."""

    def token(self) -> str:
        """A session token of 256 bits."""
        ...

    def player(self) -> str:
        """The id of a player."""
        ...

    def match(self) -> str:
        """The id of a match: short enough for a link, long enough to meet no other."""
        ...

    def invite(self) -> str:
        """An invite code; whoever knows it can take the seat."""
        ...

    def device_code(self) -> str:
        """A code that people can read out and type, 40 bits."""
        ...

    def opening(self) -> str:
        """Another name each time that a room opens."""
        ...

    def coin(self) -> Seat:
        """A seat by chance."""
        ...


class RandomIds:
    """Names from the operating system's entropy."""

    def token(self) -> str:
        """See :meth:`Ids.token`."""
        return secrets.token_urlsafe(32)

    def player(self) -> str:
        """See :meth:`Ids.player`."""
        return secrets.token_urlsafe(12)

    def match(self) -> str:
        """See :meth:`Ids.match`."""
        return secrets.token_hex(6)

    def invite(self) -> str:
        """See :meth:`Ids.invite`."""
        return secrets.token_urlsafe(16)

    def device_code(self) -> str:
        """See :meth:`Ids.device_code`."""
        return "".join(secrets.choice(DEVICE_ALPHABET) for _ in range(DEVICE_LENGTH))

    def opening(self) -> str:
        """See :meth:`Ids.opening`."""
        return secrets.token_hex(4)

    def coin(self) -> Seat:
        """See :meth:`Ids.coin`."""
        return secrets.randbelow(2)


def hashed(secret: str) -> str:
    """What is kept of a token or code: SHA-256, 64 hex digits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def typed_code(text: str) -> str:
    """A device code as typed, in the form it was shown: without spaces and dashes, upper case."""
    return "".join(text.split()).replace("-", "").upper()
