"""Running a room: bind, open the store, serve, and leave in good order."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from types import FrameType

import uvicorn

from lostcities.server.app import build_app
from lostcities.server.settings import Settings
from lostcities.service.room import Room
from lostcities.service.table import BusyError
from lostcities.store.interfaces import Store, StoreError

log = logging.getLogger("lostcities.run")

FRAME_LIMIT = 4096
TIDY_SECONDS = 60.0
GRACE_SECONDS = 5


class BindError(Exception):
    """The address cannot be listened on; the message is one sentence for people."""


def bind(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        BindError: the port is in use or not allowed, or the address is not of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, since asyncio sends without delay only where it sees TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":  # there it would share a port that is in use
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(2048)
    except (OSError, OverflowError) as error:
        listening.close()
        raise BindError(f"cannot listen on {host} port {port}: {_reason(error)}") from None
    listening.setblocking(False)
    return listening


def _reason(error: Exception) -> str:
    if not isinstance(error, OSError):
        return str(error)
    if error.errno == errno.EADDRINUSE:
        return "it is in use (another room? --port chooses another one)"
    return error.strerror or str(error)


class RoomServer(uvicorn.Server):
    """Uvicorn, with the room's own beginning and end."""

    def __init__(self, config: uvicorn.Config, room: Room, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._room = room
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell every socket, then end."""
        self._room.say_goodbye()
        await asyncio.sleep(0.05)  # their frames go out before uvicorn closes them
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on SIGINT and SIGTERM, in order and with status 0; a second one ends at once.

        Beside the main thread there are no signals to catch.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def leave(number: int, frame: FrameType | None) -> None:
            self.handle_exit(number, frame)

        before = {each: signal.signal(each, leave) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def server_config(room: Room, settings: Settings) -> uvicorn.Config:
    """How uvicorn serves a room."""
    return uvicorn.Config(
        build_app(room, settings),
        host=settings.host,
        port=settings.port,
        ws="websockets-sansio",
        ws_max_size=FRAME_LIMIT,
        ws_per_message_deflate=False,
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=list(settings.proxies),
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


async def serve(
    room: Room,
    store: Store,
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve until a signal comes; closes the room and the store at the end."""
    server = RoomServer(server_config(room, settings), room, ready)
    tidying = asyncio.create_task(_tidy(room))
    try:
        await room.notices.begin()
        await server.serve([listening])
    finally:
        tidying.cancel()
        await room.close()
        await store.close()


async def _tidy(room: Room) -> None:
    while True:
        await asyncio.sleep(TIDY_SECONDS)
        for look in (room.tidy, room.wake_overdue):
            try:
                await look()
            except (StoreError, BusyError) as error:
                log.warning("cannot look after the tables now: %s", error)


def run(main: Callable[[], Coroutine[None, None, None]]) -> None:
    """Run a coroutine function on uvloop where there is one."""
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(main())


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
