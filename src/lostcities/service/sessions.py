"""Which sockets belong to which session, so that they end with it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from lostcities.service.ids import hashed
from lostcities.service.subscriber import Subscriber


class Sessions:
    """Open sockets by the hash of their session's token."""

    def __init__(self) -> None:
        self._sockets: dict[str, set[Subscriber]] = {}

    @contextlib.contextmanager
    def attending(self, token: str | None, socket: Subscriber) -> Iterator[None]:
        """While the block runs, the socket ends with its session."""
        key = hashed(token or "")
        self._sockets.setdefault(key, set()).add(socket)
        try:
            yield
        finally:
            sockets = self._sockets[key]
            sockets.discard(socket)
            if not sockets:
                del self._sockets[key]

    def end(self, hashes: tuple[str, ...]) -> None:
        """These sessions have ended."""
        for each in hashes:
            for socket in list(self._sockets.get(each, ())):
                socket.fail("signed_out", "this browser was signed in or out; reload the page")
