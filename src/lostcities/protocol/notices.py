"""Bodies of the part of the HTTP API about notices: how people are told that it is their turn.

=========================================  ====================================================
``GET  /api/notices``                      :class:`NoticeInfo`: what this room and browser can do
``POST /api/notices/push``                 :class:`Subscription`: this browser takes notices
``POST /api/notices/push/drop``            it takes none any more
``POST /api/notices/test``                 sends it one by the same way: :class:`NoticeTried`
``POST /api/notices/when``                 :class:`NoticeWhen`
``POST /api/notices/mail``                 :class:`MailAddress`: a link to confirm it is sent there
``POST /api/notices/mail/confirm``         :class:`MailCode`, from that link, on whatever device
``POST /api/notices/mail/drop``            no mail any more
``POST /api/notices/mail/stop/{stop}``     the same, from the link in a mail, without a session;
                                           takes any body, as mail programs send one of their own
=========================================  ====================================================

Where nothing else is named, and nothing is answered as ``{}``, the answer is :class:`NoticeInfo`.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from lostcities.protocol.http import Body

Endpoint = Annotated[str, msgspec.Meta(min_length=9, max_length=1000)]
PublicKey = Annotated[str, msgspec.Meta(min_length=80, max_length=100)]
AuthSecret = Annotated[str, msgspec.Meta(min_length=16, max_length=40)]
Language = Annotated[str, msgspec.Meta(min_length=2, max_length=20)]
Code = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
When = Annotated[str, msgspec.Meta(pattern="^(away|unseen|always)$")]


class NoticeInfo(Body, frozen=True):
    """``push``: ``on``, ``off`` (the host wants none) or ``missing`` (a package is not installed);
    ``key`` to subscribe with, where it is on. ``here``: this browser takes notices; ``browsers``:
    how many of this person's do. ``mail``: the room can send any; ``address`` is confirmed,
    ``pending`` not yet. ``when`` somebody wants to be told: ``away`` (only if no page of the table
    is open), ``unseen`` (if none is being looked at) or ``always``.
    """

    push: str
    key: str | None
    here: bool
    browsers: int
    mail: bool
    address: str | None
    pending: str | None
    when: str


class Subscription(Body, frozen=True):
    """What the browser's ``PushSubscription`` says, and the language to write in."""

    endpoint: Endpoint
    key: PublicKey
    secret: AuthSecret
    language: Language = "en"


class NoticeTried(Body, frozen=True):
    """Whether the push service has taken the notice; ``status`` is what it answered, null for
    nothing. ``here`` is false if it no longer knows this browser, which then has to subscribe anew.
    """

    sent: bool
    status: int | None
    here: bool


class NoticeWhen(Body, frozen=True):
    """When to be told."""

    when: When


class MailAddress(Body, frozen=True):
    """Where mail is to go, and its language."""

    address: Annotated[str, msgspec.Meta(min_length=3, max_length=254)]
    language: Language = "en"


class MailCode(Body, frozen=True):
    """The code of a link to confirm an address."""

    code: Code
