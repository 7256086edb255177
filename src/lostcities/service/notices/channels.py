"""By which ways a room can tell people that it is their turn, as its host has set it up."""

from __future__ import annotations

from dataclasses import dataclass

from lostcities.service.notices.mail import MailSettings
from lostcities.service.notices.push import PushSettings


@dataclass(frozen=True, slots=True)
class Channels:
    """What a room may use.

    Attributes:
        push: how to push to browsers; None for not at all.
        no_push: why not: ``off`` (the host wants none) or ``missing`` (packages).
        mail: where mail is handed in; None for no mail.
        base_url: what comes before a path in a link.
        room: the room's own name; None for none.
        push_after: seconds from the beginning of a turn until browsers are told. Whoever looks at
            the table by then is not told.
        mail_after: the same for mail.
    """

    push: PushSettings | None = None
    no_push: str = "off"
    mail: MailSettings | None = None
    base_url: str = ""
    room: str | None = None
    push_after: float = 4.0
    mail_after: float = 60.0


SILENT = Channels()
"""No ways at all."""
