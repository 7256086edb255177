"""What a room asks of a store about notices: which browsers take them, and where mail goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

AWAY, UNSEEN, ALWAYS = "away", "unseen", "always"
"""When a person wants to be told: only if no page of the table is open anywhere; if none is being
looked at; or whatever is open.
"""
WHEN = (AWAY, UNSEEN, ALWAYS)


@dataclass(frozen=True, slots=True)
class PushTarget:
    """A browser that takes notices.

    Attributes:
        endpoint: the address at its push service; whoever knows it and a key of ours can write there.
        key: the browser's public key, P-256, as base64url.
        secret: what authenticates our messages to it, 16 bytes as base64url.
        language: in which it is written to.
    """

    endpoint: str
    key: str
    secret: str
    language: str


@dataclass(frozen=True, slots=True)
class Wishes:
    """How a person wants to be told.

    Attributes:
        when: one of :data:`WHEN`.
        language: of mail.
        address: where mail goes, confirmed; None for no mail.
        stop: in the link that ends the mail.
        pending: an address that was given and is not confirmed yet.
    """

    when: str = UNSEEN
    language: str = "en"
    address: str | None = None
    stop: str | None = None
    pending: str | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """An address to be confirmed by whoever gets the code that was sent there.

    Attributes:
        address: where the code went.
        language: of mail.
        code_hash: of the code.
        until: how long it is good for, milliseconds since 1970 (UTC).
    """

    address: str
    language: str
    code_hash: str
    until: int


class NoticeStore(Protocol):
    """The part of a store that knows how people are told that it is their turn."""

    async def subscribe(self, session: str, target: PushTarget, now: int) -> None:
        """This session's browser takes notices there, and no longer elsewhere.

        Args:
            session: the hash of its token; what it subscribed to ends with it.
            target: where, and how to write to it.
            now: milliseconds since 1970 (UTC).
        """
        ...

    async def unsubscribe(self, session: str) -> None:
        """This session's browser takes none any more."""
        ...

    async def gone(self, endpoint: str) -> None:
        """The push service has said that nobody takes notices there any more."""
        ...

    async def target(self, session: str) -> PushTarget | None:
        """Where this session's browser takes notices."""
        ...

    async def targets(self, player: str, limit: int) -> tuple[PushTarget, ...]:
        """Where the browsers of a player take notices, the newest first."""
        ...

    async def wishes(self, player: str) -> Wishes:
        """How a player wants to be told."""
        ...

    async def set_when(self, player: str, when: str) -> None:
        """Keep when a player wants to be told."""
        ...

    async def propose(self, player: str, proposal: Proposal, now: int) -> None:
        """Keep an address until it is confirmed; an earlier one of the player that was not is
        forgotten, and everybody's that are too old.
        """
        ...

    async def confirm(self, code_hash: str, now: int, stop: str) -> str | None:
        """Mail goes to the address behind a code from now on; answers whose it is.

        None if the code is unknown, used or too old.
        """
        ...

    async def no_mail(self, player: str) -> None:
        """Forget a player's addresses."""
        ...

    async def stop(self, stop: str) -> bool:
        """Forget the address behind such a link; false if there is none."""
        ...

    async def untold(self, limit: int) -> tuple[str, ...]:
        """Matches with days for a turn of which nobody was told yet that it waits."""
        ...

    async def told(self, match: str, due: int) -> None:
        """Whoever that match waits for until then was told, or did not want to be."""
        ...
