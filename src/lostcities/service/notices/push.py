"""Web Push: a notice to a browser, by way of the push service of its maker.

The service carries what it cannot read (RFC 8291) and takes it from us alone (VAPID, RFC 8292): the
room has a key of its own, made when it is first wanted and kept with its matches.
"""

from __future__ import annotations

import asyncio
import binascii
import logging
import ssl
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from lostcities.service import sentences as say
from lostcities.service.notices.endpoints import EndpointError, open_addresses, origin_of
from lostcities.service.notices.post import Again
from lostcities.store.interfaces import SideStore
from lostcities.store.notices import PushTarget

if TYPE_CHECKING:
    import httpcore2

log = logging.getLogger("lostcities.notices")

FACT = "push_key"
"""Where the keys are kept: the private one and the public one, base64url, with a blank between."""
NEEDED = ("cryptography", "http_ece", "httpcore2", "py_vapid")
SECONDS = 20.0
"""A push service may take so long to answer."""
TOKEN_SECONDS = 12 * 3600
"""How long a signature is good for; at most a day by RFC 8292."""
LONGEST = 28 * 24 * 3600
"""Seconds that a push service is asked to keep a notice at most."""
GONE = (404, 410)
CONNECTIONS = 8


def installed() -> bool:
    """Whether the packages of ``lostcities[push]`` are there."""
    return all(find_spec(each) is not None for each in NEEDED)


@dataclass(frozen=True, slots=True)
class PushSettings:
    """How notices are pushed.

    Attributes:
        contact: whom a push service may write to about us: ``mailto:…`` or ``https://…``.
        anywhere: push services may be on this machine; for tests alone.
        trust: whose certificates are believed; None for those of the system.
    """

    contact: str
    anywhere: bool = False
    trust: ssl.SSLContext | None = None


@dataclass(frozen=True, slots=True)
class Pushed:
    """What became of a notice: the status that the service answered, or why there is none."""

    status: int | None
    why: str = ""
    after: float | None = None

    @property
    def sent(self) -> bool:
        """The service has taken it."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def gone(self) -> bool:
        """Nobody takes notices there any more."""
        return self.status in GONE

    @property
    def again(self) -> Again | None:
        """Whether it may go through later."""
        if self.status is None or self.status == 429 or self.status >= 500:
            return Again(self.why or f"the push service answered {self.status}", self.after)
        return None


@dataclass(frozen=True, slots=True)
class Letter:
    """What is pushed.

    Attributes:
        body: JSON for the page's worker; the push service cannot read it.
        seconds: how long the service shall keep it for a browser that is not there.
        topic: it takes the place of an earlier letter with the same topic that still waits.
        urgent: worth waking a device for.
    """

    body: bytes
    seconds: int
    topic: str
    urgent: bool = True


class WebPush:
    """Notices to browsers.

    Args:
        facts: where the key is kept.
        settings: see there.
    """

    def __init__(self, facts: SideStore, settings: PushSettings) -> None:
        self._facts = facts
        self._settings = settings
        self._making = asyncio.Lock()
        self._pair: list[str] = []
        self._signer: Any = None
        self._tokens: dict[str, tuple[float, str]] = {}
        self._pool: httpcore2.AsyncConnectionPool | None = None

    async def key(self) -> str:
        """The public key that browsers subscribe with, base64url.

        Raises:
            StoreError: it could not be read or kept.
        """
        return (await self._keys())[1]

    async def _keys(self) -> list[str]:
        """The private key and the public one; what would make them is loaded once in a room's life."""
        async with self._making:
            if not self._pair:
                kept = await self._facts.fact(FACT)
                if kept is None:
                    kept = _new_keys()
                    await self._facts.set_fact(FACT, kept)
                self._pair = kept.split()
        return self._pair

    async def _signing(self) -> Any:
        from py_vapid import Vapid02

        if self._signer is None:
            self._signer = Vapid02.from_raw((await self._keys())[0].encode())
        return self._signer

    async def send(self, target: PushTarget, letter: Letter) -> Pushed:
        """Hand a letter to the target's push service. What goes wrong is in the answer."""
        try:
            origin = origin_of(target.endpoint, anywhere=self._settings.anywhere)
            body = _sealed(target, letter.body)
            headers = {
                "authorization": await self._authorization(origin),
                "content-encoding": "aes128gcm",
                "content-type": "application/octet-stream",
                "ttl": str(min(LONGEST, max(0, letter.seconds))),
                "topic": letter.topic,
                "urgency": "high" if letter.urgent else "normal",
            }
            async with asyncio.timeout(SECONDS):
                return await self._post(target.endpoint, headers, body)
        except EndpointError as error:
            return Pushed(None, str(error))
        except TimeoutError:
            return Pushed(None, "the push service did not answer")
        except Exception as error:  # noqa: BLE001 - what a stranger's server can bring about
            log.info("a push service cannot be reached: %r", error)
            return Pushed(None, "the push service cannot be reached")

    async def _authorization(self, origin: str) -> str:
        now = time.time()
        kept = self._tokens.get(origin)
        if kept is not None and kept[0] > now:
            return kept[1]
        signer = await self._signing()
        claims = {"aud": origin, "exp": int(now) + TOKEN_SECONDS, "sub": self._settings.contact}
        signed = str(signer.sign(claims)["Authorization"])
        if len(self._tokens) > 100:
            self._tokens.clear()
        self._tokens[origin] = (now + TOKEN_SECONDS / 2, signed)
        return signed

    async def _post(self, url: str, headers: dict[str, str], body: bytes) -> Pushed:
        pool = self._pool = self._pool or _pool(self._settings)
        sent = [(name.encode(), value.encode()) for name, value in headers.items()]
        sent.append((b"host", origin_of(url, anywhere=True).removeprefix("https://").encode()))
        # What it answers besides the status is not read: it could be without an end.
        async with pool.stream("POST", url, headers=sent, content=body) as answer:
            return Pushed(answer.status, after=_asked_for(answer.headers))

    async def close(self) -> None:
        """Let go of the connections."""
        if self._pool is not None:
            await self._pool.aclose()


def _new_keys() -> str:
    from cryptography.hazmat.primitives import serialization as how
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    number = key.private_numbers().private_value
    point = key.public_key().public_bytes(how.Encoding.X962, how.PublicFormat.UncompressedPoint)
    return f"{as_text(number.to_bytes(32, 'big'))} {as_text(point)}"


def _sealed(target: PushTarget, body: bytes) -> bytes:
    """The body so that the target's browser alone can read it."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    own = ec.generate_private_key(ec.SECP256R1())
    sealed: bytes = http_ece.encrypt(
        body, private_key=own, dh=as_bytes(target.key), auth_secret=as_bytes(target.secret)
    )
    return sealed


def _asked_for(headers: Iterable[tuple[bytes, bytes]]) -> float | None:
    """The seconds of a ``Retry-After``; None for none, or a date."""
    for name, value in headers:
        if name.lower() == b"retry-after" and value.isdigit() and len(value) < 6:
            return float(value)
    return None


def checked_keys(key: str, secret: str) -> None:
    """See that a browser's keys are such.

    Raises:
        EndpointError: they are not.
    """
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), as_bytes(key))
        whole = len(as_bytes(secret)) == 16
    except ValueError:
        whole = False
    if not whole:
        raise EndpointError(say.NO_KEYS())


def as_bytes(text: str) -> bytes:
    """What base64url, with or without its end, stands for; raises ValueError."""
    try:
        return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
    except (binascii.Error, UnicodeEncodeError) as error:
        raise ValueError("no base64url") from error


def as_text(content: bytes) -> str:
    """Bytes as base64url without its end."""
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def _pool(settings: PushSettings) -> httpcore2.AsyncConnectionPool:
    """Connections to the open internet alone; redirects are not followed."""
    import httpcore2

    plain = httpcore2.AnyIOBackend()

    class Guarded(httpcore2.AsyncNetworkBackend):
        """Connects to addresses that were looked at, not to names."""

        async def connect_tcp(
            self, host: str, port: int, timeout: float | None = None,  # noqa: ASYNC109
            local_address: str | None = None, socket_options: Any = None,
        ) -> httpcore2.AsyncNetworkStream:  # fmt: skip
            addresses = await open_addresses(host, port, anywhere=settings.anywhere)
            failed: Exception | None = None
            for address in addresses:
                try:
                    return await plain.connect_tcp(
                        address, port, timeout, local_address, socket_options
                    )
                except httpcore2.NetworkError as error:
                    failed = error
            raise failed or EndpointError(say.UNREACHED(host=host))

        async def sleep(self, seconds: float) -> None:
            await plain.sleep(seconds)

    return httpcore2.AsyncConnectionPool(
        ssl_context=settings.trust,
        max_connections=CONNECTIONS,
        keepalive_expiry=30.0,
        network_backend=Guarded(),
    )
