"""One open socket of a seat, as its table sees it: a bounded queue of frames to send."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec

from lostcities.core.seats import Seat
from lostcities.protocol.messages import Failed, ServerMessage

QUEUE = 64
"""Frames that may wait for a socket; one that is further behind is cut off and resyncs."""

_encoder = msgspec.json.Encoder()


def encoded(message: ServerMessage) -> bytes:
    """The frame of a message."""
    return _encoder.encode(message)


class Subscriber:
    """A socket of a seat, or of a watcher (seat None). The table puts frames in, the server takes
    them out.

    Args:
        seat: whose it is.
        player: who is behind it, if anybody is known to be.
        address: where it comes from.
    """

    def __init__(
        self, seat: Seat | None, player: str | None = None, address: str | None = None
    ) -> None:
        self.seat = seat
        self.player = player
        self.address = address
        self.muted = False
        """The host does not let this person write."""
        self.looking = True
        """Somebody looks at the page, as far as it has said."""
        self.ended: str | None = None
        """Why the socket is to be closed, once it is."""
        self.cut = asyncio.Event()
        """Set when the socket did not keep up: what it still has to send is dropped."""
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE)

    def send(self, message: ServerMessage) -> None:
        """Queue a message."""
        self.send_frame(encoded(message))

    def send_frame(self, frame: bytes) -> None:
        """Queue a frame; a socket that does not keep up is cut off instead."""
        if self.ended is not None:
            return
        if self._frames.full():
            self._cut("too_slow")
        else:
            self._frames.put_nowait(frame)

    def fail(self, reason: str, text: str) -> None:
        """Tell the socket why, after what is already queued, and end it."""
        self.send(Failed(reason, text))
        self.end(reason)

    def end(self, reason: str) -> None:
        """End the socket after what is queued."""
        if self.ended is not None:
            return
        if self._frames.full():
            self._cut(reason)
            return
        self.ended = reason
        self._frames.put_nowait(None)

    def _cut(self, reason: str) -> None:
        self.ended = reason
        self.cut.set()

    async def frames(self) -> AsyncIterator[bytes]:
        """The frames in order, until the end."""
        while (frame := await self._frames.get()) is not None:
            yield frame
