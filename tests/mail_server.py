"""An SMTP server of the tests' own."""

import email.policy
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from typing import Any

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from lostcities.service.notices.mail import MailSettings

SENDER = "room@cards.example.org"


@dataclass
class MailServer:
    """Takes mail on this machine; ``refusal`` is answered instead of taking it."""

    settings: MailSettings
    mails: list[EmailMessage] = field(default_factory=list)
    recipients: list[list[str]] = field(default_factory=list)
    refusal: str | None = None
    no_address: str | None = None
    arrived: threading.Condition = field(default_factory=threading.Condition)

    def wait(self, number: int, seconds: float = 15) -> list[EmailMessage]:
        """So many mails."""
        with self.arrived:
            came = self.arrived.wait_for(lambda: len(self.mails) >= number, seconds)
        assert came, f"{len(self.mails)} mails came, not {number}"
        return self.mails


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def mail_server(security: str = "none", password: str | None = None) -> Iterator[MailServer]:
    authority = trustme.CA()
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(serving)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)

    class Handler:
        async def handle_RCPT(  # noqa: N802 - named by the library
            self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
        ) -> str:
            if server.no_address is not None:
                return server.no_address
            envelope.rcpt_tos.append(address)
            return "250 OK"

        async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
            if server.refusal is not None:
                return server.refusal
            message = BytesParser(policy=email.policy.default).parsebytes(envelope.content)
            assert isinstance(message, EmailMessage)
            with server.arrived:
                server.mails.append(message)
                server.recipients.append(envelope.rcpt_tos)
                server.arrived.notify_all()
            return "250 OK"

    def authenticate(
        _server: Any, _session: Any, _envelope: Any, _how: str, said: Any
    ) -> AuthResult:
        fits = said.login == b"room" and said.password == str(password).encode()
        return AuthResult(success=fits, handled=fits)

    options: dict[str, Any] = {}
    if security == "starttls":
        options = {"tls_context": serving, "require_starttls": True}
    elif security == "tls":
        options = {"ssl_context": serving}
    if password is not None:
        options |= {"authenticator": authenticate, "auth_required": True}
        options["auth_require_tls"] = security == "starttls"
    port = free_port()
    controller = Controller(Handler(), hostname="127.0.0.1", port=port, **options)
    user = None if password is None else "room"
    server = MailServer(
        MailSettings("localhost", port, security, SENDER, user, password or "", trusting)
    )
    controller.start()
    try:
        yield server
    finally:
        controller.stop()
