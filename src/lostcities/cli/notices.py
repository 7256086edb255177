"""The options of ``lostcities serve`` about notices: by which ways people are told of their turn."""

from __future__ import annotations

import argparse
import ipaddress
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from lostcities.server.settings import Settings
    from lostcities.service.notices.channels import Channels
    from lostcities.service.notices.mail import MailSettings

PORTS = {"starttls": 587, "tls": 465, "none": 25}
PASSWORD = "LOSTCITIES_SMTP_PASSWORD"  # noqa: S105 - the name of a variable
NOBODY = "mailto:host@localhost"
"""Whom a push service may write to about a room that only this machine reaches."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments about notices."""
    group = parser.add_argument_group(
        "notices", "how people who are not at the table learn that it is their turn"
    )
    add = group.add_argument
    add("--no-push", action="store_true", help="push no notices to browsers")
    add("--push-contact", metavar="ADDRESS",
        help="where push services may reach you: mailto:… or https://… (default: as of the mail, "
        "or the public URL)")  # fmt: skip
    add("--smtp", metavar="HOST[:PORT]", help="hand mail in here; without it the room sends none")
    add("--smtp-security", choices=tuple(PORTS), default="starttls",
        help="how the connection is kept from others (default starttls)")  # fmt: skip
    add("--smtp-user", metavar="NAME", help="sign in there as")
    add("--smtp-password-file", type=Path, metavar="FILE",
        help=f"with the password in the first line of this file (or set {PASSWORD})")  # fmt: skip
    add("--mail-from", metavar="ADDRESS", help="the address that mail comes from")


def read(args: argparse.Namespace) -> Channels:
    """The ways as wished; what the room is called is still to be filled in.

    Raises:
        OSError, ValueError: the wishes do not fit together; the message is for people.
    """
    from lostcities.service.notices.channels import Channels

    mail = None if args.smtp is None else _mail(args)
    if mail is None:
        for option in ("smtp_user", "smtp_password_file", "mail_from"):
            if getattr(args, option) is not None:
                raise ValueError(f"--{option.replace('_', '-')} needs --smtp")
    channels = Channels(mail=mail)
    return channels if args.no_push else _with_push(channels, args.push_contact)


def _with_push(channels: Channels, contact: str | None) -> Channels:
    from lostcities.service.notices.push import PushSettings, installed

    if contact is not None and not re.fullmatch(r"mailto:[^@\s]+@[\w.-]+|https://[\w.-]+", contact):
        raise ValueError(
            f"--push-contact {contact!r}: mailto:YOU@EXAMPLE.ORG or https://EXAMPLE.ORG"
        )
    if not installed():
        return replace(channels, no_push="missing")
    return replace(channels, push=PushSettings(contact or ""))


def _mail(args: argparse.Namespace) -> MailSettings:
    from lostcities.service.notices.mail import MailSettings, checked_address

    if args.mail_from is None:
        raise ValueError("--smtp needs --mail-from, the address that mail comes from")
    try:
        sender = checked_address(args.mail_from)
    except ValueError:
        raise ValueError(f"--mail-from {args.mail_from!r} is no mail address") from None
    host, port = _place(args.smtp, PORTS[args.smtp_security])
    password = _password(args.smtp_password_file)
    if args.smtp_user is not None and password is None:
        raise ValueError("--smtp-user needs --smtp-password-file")
    if args.smtp_user is not None and args.smtp_security == "none" and not _is_here(host):
        raise ValueError("--smtp-security none would show the password to everybody on the way")
    return MailSettings(host, port, args.smtp_security, sender, args.smtp_user, password or "")


def _place(text: str, usual: int) -> tuple[str, int]:
    wrong = ValueError(f"--smtp {text!r}: HOST or HOST:PORT")
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    if not host or parts.path or parts.username is not None:
        raise wrong
    return host, port or usual


def _password(file: Path | None) -> str | None:
    if file is None:
        return os.environ.get(PASSWORD) or None
    with file.open(encoding="utf-8") as handle:
        password = handle.readline().strip()
    if not password:
        raise ValueError(f"{file} has no password in its first line")
    return password


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def in_room(channels: Channels, settings: Settings) -> Channels:
    """The ways, for the room with these settings."""
    named = replace(channels, base_url=settings.base_url, room=settings.name)
    if named.push is None or named.push.contact:
        return named
    return replace(named, push=replace(named.push, contact=_contact(named, settings)))


def _contact(channels: Channels, settings: Settings) -> str:
    if channels.mail is not None:
        return f"mailto:{channels.mail.sender}"
    public = urlsplit(settings.public_url or "")
    return f"https://{public.hostname}" if public.scheme == "https" else NOBODY


def in_words(channels: Channels) -> str:
    """The ways, for the greeting."""
    ways = []
    if channels.push is not None:
        ways.append("push")
    if channels.mail is not None:
        ways.append(f"mail by {channels.mail.host}")
    told = f"Notices by: {', '.join(ways) or 'open pages only'}."
    if channels.push is None and channels.no_push == "missing":
        told += " For push: pip install 'lostcities[push]'."
    return told
