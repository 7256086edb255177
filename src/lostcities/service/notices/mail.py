"""Mail about turns, by the SMTP server that the host has named."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import localtime, make_msgid

from lostcities.service.notices.post import Again

SECONDS = 20.0
"""An SMTP server may take so long for each answer."""
SECURITY = ("starttls", "tls", "none")


@dataclass(frozen=True, slots=True)
class MailSettings:
    """Where mail is handed in.

    Attributes:
        host: the server's name.
        port: its port.
        security: ``starttls``, ``tls`` from the first byte on, or ``none`` (for this machine alone).
        user: to sign in as; None for nobody.
        password: of that user.
        sender: the address that mail comes from.
        trust: whose certificates are believed; None for those of the system.
    """

    host: str
    port: int
    security: str
    sender: str
    user: str | None = None
    password: str = field(default="", repr=False)
    trust: ssl.SSLContext | None = None


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail.

    Attributes:
        to: a checked address.
        subject: one line.
        text: lines.
        stop: a page of the room that ends such mail, and the address behind it to which mail
            programs may post; None where nothing is to be ended.
    """

    to: str
    subject: str
    text: str
    stop: str | None = None


def checked_address(text: str) -> str:
    """An address as mail can be sent there.

    Raises:
        ValueError: it is none, or one that needs more than ASCII.
    """
    try:
        address = Address(addr_spec=text.strip())
    except (MessageError, ValueError, IndexError) as error:
        raise ValueError(f"{text!r} is no mail address") from error
    spelled = address.addr_spec
    plain = spelled.isascii() and spelled.isprintable() and not set(spelled) & set(' ,;:<>"()[]\\')
    if not plain or not address.username or "." not in address.domain.strip("."):
        raise ValueError(f"{text!r} is no mail address")
    return spelled


def written(mail: Mail, sender: str) -> EmailMessage:
    """A mail with its headers; an automatic one, by which no absence note is provoked."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = mail.to
    message["Subject"] = mail.subject
    message["Date"] = localtime()
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    if mail.stop is not None:
        message["List-Unsubscribe"] = f"<{mail.stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(mail.text)
    return message


class Mailer:
    """Hands mail in, in threads of its own: one server that hangs holds up nothing else."""

    def __init__(self, settings: MailSettings) -> None:
        self.settings = settings
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="mail")

    async def send(self, mail: Mail) -> Again | None:
        """Hand a mail in; an answer if it may go through later.

        Raises:
            MailError: the server refuses it for good.
        """
        message = written(mail, self.settings.sender)
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._threads, self._hand_in, message)
        except smtplib.SMTPRecipientsRefused as error:
            code = next((code for code, _ in error.recipients.values()), 550)
            return _judged(code, "the mail server refuses the address")
        except smtplib.SMTPResponseException as error:
            return _judged(error.smtp_code, "the mail server refuses")
        except (smtplib.SMTPException, OSError) as error:
            return Again(f"the mail server cannot be reached: {error}")
        return None

    def _hand_in(self, message: EmailMessage) -> None:
        settings = self.settings
        trust = settings.trust or ssl.create_default_context()
        server: smtplib.SMTP
        if settings.security == "tls":
            server = smtplib.SMTP_SSL(settings.host, settings.port, timeout=SECONDS, context=trust)
        else:
            server = smtplib.SMTP(settings.host, settings.port, timeout=SECONDS)
        with server:
            if settings.security == "starttls":
                server.starttls(context=trust)
            if settings.user is not None:
                server.login(settings.user, settings.password)
            server.send_message(message)

    def close(self) -> None:
        """Let go of the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class MailError(Exception):
    """A mail server refuses for good; the message says why."""


def _judged(code: int, why: str) -> Again:
    if 400 <= code < 500:
        return Again(f"{why} ({code})")
    raise MailError(f"{why} ({code})")
