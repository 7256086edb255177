"""What is said on each occasion: who asks what at which table, and nothing of the position."""

from __future__ import annotations

import datetime as dt
import hashlib

import msgspec

from lostcities.core.seats import Seat, other
from lostcities.service.notices.mail import Mail
from lostcities.service.notices.occasions import TURN, Occasion
from lostcities.service.notices.push import Letter, as_text
from lostcities.service.notices.texts import say
from lostcities.service.table import Table
from lostcities.store.notices import Wishes

LIVE_SECONDS = 3600
"""How long a push service keeps a notice of a match without days for a turn."""


def _their_name(table: Table, seat: Seat) -> str:
    who = table.state.taken[other(seat)]
    return "" if who is None else who.name


def letter_of(occasion: Occasion, table: Table, language: str) -> Letter:
    """What a browser is told: of what at which table, and no card."""
    days, kind = table.info.pace.days, occasion.kind
    tag = f"{kind}-{table.match}"
    body = {
        "title": say(language, kind, "title"),
        "body": say(language, kind, "body", name=_their_name(table, occasion.seat)),
        "url": f"/t/{table.match}",
        "tag": tag,
    }
    topic = as_text(hashlib.sha256(tag.encode()).digest())[:32]
    seconds = days * 24 * 3600 if days else LIVE_SECONDS
    return Letter(msgspec.json.encode(body), seconds, topic, urgent=not days)


def mail_of(occasion: Occasion, table: Table, wishes: Wishes, base_url: str) -> Mail:
    """What is written: the same, until when a turn has time, and how to end such mail."""
    assert wishes.address is not None
    language, kind = wishes.language, occasion.kind
    name = _their_name(table, occasion.seat)
    lines = [
        say(language, kind, "mail", name=name),
        f"{base_url}/t/{table.match}",
        say(language, "link", "text"),
    ]
    due = table.timing.due
    if due is not None and kind == TURN:
        until = dt.datetime.fromtimestamp(due / 1000, dt.UTC).strftime("%Y-%m-%d %H:%M")
        lines.append(say(language, "turn", "days", until=until))
    page = f"{base_url}/notices/stop/{wishes.stop}"
    lines.append("-- \n" + say(language, "stop", "line", url=page))
    subject = f"{say(language, kind, 'title')}: {name}"
    post = f"{base_url}/api/notices/mail/stop/{wishes.stop}"
    return Mail(wishes.address, subject, "\n\n".join(lines) + "\n", post)
