"""The socket of a seat: hello, then commands in and pushes out."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import TypeGuard

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from lostcities.protocol.messages import (
    PROTOCOL_VERSION,
    ClientMessage,
    Failed,
    Hello,
    Look,
    Ping,
    Pong,
    Say,
)
from lostcities.server.limits import Bucket
from lostcities.server.security import origin_allowed, session_token
from lostcities.server.settings import Settings
from lostcities.service.door import SHUT_OUT
from lostcities.service.room import Room
from lostcities.service.subscriber import Subscriber, encoded
from lostcities.service.table import BusyError, Table
from lostcities.service.wishes import WishError
from lostcities.store.interfaces import StoreError

log = logging.getLogger("lostcities.sockets")

POLICY = 1008
"""Close code for whatever we do not serve; the reason went ahead in a message."""

_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)


class FailError(Exception):
    """The socket cannot be served; becomes a ``failed`` message."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason
        self.text = text


class Sockets:
    """The endpoint ``/api/socket``."""

    def __init__(self, room: Room, settings: Settings) -> None:
        self._room = room
        self._settings = settings
        self._open: Counter[str] = Counter()

    async def endpoint(self, ws: WebSocket) -> None:
        """Serve one socket until either side ends it."""
        address = ws.client.host if ws.client else "-"
        full = self._open[address] >= self._settings.limits.sockets
        if full or not origin_allowed(ws, self._settings):
            await ws.close(POLICY)  # before accepting: the upgrade is answered 403
            return
        self._open[address] += 1
        try:
            token = session_token(ws, self._settings)
            player = await self._room.player(token)
            await ws.accept()
            await self._serve(ws, player, token, address)
        except (WebSocketDisconnect, OSError):
            pass
        except FailError as error:
            await _fail(ws, error)
        except StoreError as error:
            await _fail(ws, FailError("shutdown", f"the room cannot read its database: {error}"))
        finally:
            self._open[address] -= 1
            if self._open[address] <= 0:
                del self._open[address]

    async def _serve(
        self, ws: WebSocket, player: str | None, token: str | None, address: str
    ) -> None:
        hello = await self._hello(ws)
        table = await self._room.table(hello.match)
        await self._admit(player, address)
        if table is None:
            raise FailError("no_table", "there is no such table")
        seats = table.seats_of(player)
        if not seats and not table.info.terms.watch:
            raise FailError("not_allowed", "this browser has no seat at this table")
        seat = hello.seat if hello.seat in seats else next(iter(seats), None)
        socket = Subscriber(seat, player, address)
        if (reason := self._room.house.welcome(table, socket)) is not None:
            raise FailError(reason, SHUT_OUT[reason])
        table.join(socket, hello)
        try:
            with self._room.sessions.attending(token, socket):
                await self._both_ways(ws, table, socket)
        finally:
            table.leave(socket)

    async def _admit(self, player: str | None, address: str) -> None:
        try:
            await self._room.house.admit(player, address)
        except WishError as error:
            raise FailError(error.reason, error.text) from None

    async def _hello(self, ws: WebSocket) -> Hello:
        try:
            async with asyncio.timeout(self._settings.limits.hello):
                message = await _receive(ws)
        except TimeoutError:
            raise FailError("bad_message", "no hello came") from None
        if not isinstance(message, Hello):
            raise FailError("bad_message", "the first message must be a hello")
        if message.protocol != PROTOCOL_VERSION:
            raise FailError("protocol", "this page is of another version, reload it")
        return message

    async def _both_ways(self, ws: WebSocket, table: Table, socket: Subscriber) -> None:
        sending = asyncio.create_task(_send(ws, socket))
        receiving = asyncio.create_task(self._listen(ws, table, socket))
        cut = asyncio.create_task(socket.cut.wait())
        tasks = (sending, receiving, cut)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, FailError):
                raise result
            if _unexpected(result):
                log.error("a socket failed", exc_info=result)
        await _close(ws)

    async def _listen(self, ws: WebSocket, table: Table, socket: Subscriber) -> None:
        limits = self._settings.limits
        bucket = Bucket(limits.messages, limits.messages_a_second)
        while True:
            message = await _receive(ws)
            if not bucket.take():
                raise FailError("too_fast", "too many messages")
            if isinstance(message, Ping):
                socket.send(Pong(message.n))
            elif isinstance(message, Say):
                table.say(socket, message)
            elif isinstance(message, Look):
                socket.looking = message.looking
            elif isinstance(message, Hello):
                raise FailError("bad_message", "hello is said once")
            else:
                try:
                    table.submit(socket, message)
                except BusyError:
                    raise FailError("too_fast", "this table is busy") from None


async def _receive(ws: WebSocket) -> ClientMessage:
    event = await ws.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(event.get("code", 1005))
    content = event.get("text") or event.get("bytes") or ""
    try:
        return _decoder.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise FailError("bad_message", f"unreadable message: {error}") from None
    except RecursionError:
        raise FailError("bad_message", "unreadable message: nested too deeply") from None


def _unexpected(result: object) -> TypeGuard[Exception]:
    """Whether the end of a socket's task is a defect: not a visitor who left, nor our own doing."""
    return isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect)


async def _send(ws: WebSocket, socket: Subscriber) -> None:
    async for frame in socket.frames():
        await ws.send({"type": "websocket.send", "text": frame.decode()})


async def _fail(ws: WebSocket, error: FailError) -> None:
    if ws.application_state is WebSocketState.CONNECTED:
        frame = encoded(Failed(error.reason, error.text)).decode()
        try:
            await ws.send({"type": "websocket.send", "text": frame})
        except (WebSocketDisconnect, OSError, RuntimeError):
            return
    await _close(ws)


async def _close(ws: WebSocket) -> None:
    if ws.application_state is WebSocketState.CONNECTED:
        try:
            await ws.close(POLICY)
        except (WebSocketDisconnect, OSError, RuntimeError):
            return
