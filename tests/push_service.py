"""A push service of the tests' own, and the browser behind it, who can read what comes."""

import base64
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import trustme
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

CURVE = ec.SECP256R1()
POINT = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def unpacked(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def packed(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _derived(salt: bytes, info: bytes, secret: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


@dataclass
class Reader:
    """The keys of a browser; opens letters as RFC 8291 has it, without the library that sealed them."""

    private: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(CURVE)
    )
    auth: bytes = b"sixteen bytes ok"

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes(*POINT)

    def keys(self) -> dict[str, str]:
        return {"key": packed(self.public), "secret": packed(self.auth)}

    def open(self, body: bytes) -> bytes:
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size, "one record"
        shared = self.private.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        )
        ikm = _derived(self.auth, b"WebPush: info\0" + self.public + sender, shared, 32)
        key = _derived(salt, b"Content-Encoding: aes128gcm\0", ikm, 16)
        nonce = _derived(salt, b"Content-Encoding: nonce\0", ikm, 12)
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain.endswith(b"\2"), "the last record ends with a 2"
        return plain[:-1]


def signature_of(authorization: str) -> tuple[dict[str, Any], str]:
    """The claims of a VAPID header and the key that they were signed with; fails if they were not."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = parts["t"].split(".")
    assert json.loads(unpacked(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = unpacked(signature)
    assert len(raw) == 64
    pair = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, unpacked(parts["k"]))
    key.verify(pair, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(unpacked(claims)), parts["k"]


@dataclass
class Letter:
    """What came, as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    """Takes letters on this machine, over TLS; answers ``statuses`` in order, then 201."""

    url: str
    trust: ssl.SSLContext
    readers: dict[str, Reader] = field(default_factory=dict)
    letters: list[Letter] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    arrived: threading.Condition = field(default_factory=threading.Condition)

    def subscription(self, who: str) -> dict[str, str]:
        """What a browser would tell the room."""
        reader = self.readers.setdefault(who, Reader())
        return {"endpoint": f"{self.url}/push/{who}", **reader.keys()}

    def wait(self, number: int, seconds: float = 15) -> list[Letter]:
        """So many letters."""
        with self.arrived:
            came = self.arrived.wait_for(lambda: len(self.letters) >= number, seconds)
        assert came, f"{len(self.letters)} letters came, not {number}"
        return self.letters

    def read(self, letter: Letter) -> dict[str, Any]:
        """What a letter says to its browser."""
        said: dict[str, Any] = json.loads(
            self.readers[letter.path.rpartition("/")[2]].open(letter.body)
        )
        return said


@contextmanager
def push_service() -> Iterator[PushService]:
    authority = trustme.CA()
    serving, trusting = (
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH),
        ssl.create_default_context(),
    )
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(serving)
    authority.configure_trust(trusting)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            with service.arrived:
                service.letters.append(Letter(self.path, headers, body))
                status = service.statuses.pop(0) if service.statuses else 201
                service.arrived.notify_all()
            self.send_response(status)
            for name, value in service.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            pass  # a room that closes in the middle

    server = Server(("127.0.0.1", 0), Handler)
    server.socket = serving.wrap_socket(server.socket, server_side=True)
    service = PushService(f"https://localhost:{server.server_address[1]}", trusting)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
