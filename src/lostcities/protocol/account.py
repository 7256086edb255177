"""Bodies of the part of the HTTP API about a person's own account.

======================================  =======================================================
``GET  /api/account``                   :class:`AccountInfo`
``POST /api/account``                   :class:`NewAccount`: a passphrase for the person of this
                                        browser; what they played as a guest is theirs
``POST /api/account/sign-in``           :class:`SignIn`: this browser becomes that person's; with
                                        ``bring`` what its guest played comes along
``POST /api/account/sign-out``          this browser is nobody's again
``POST /api/account/passphrase``        :class:`NewPassphrase`; every other browser is signed out
``POST /api/account/sign-out-others``   every other browser is signed out
``POST /api/account/forget``            :class:`Forget`: nothing personal stays
======================================  =======================================================

After the host has reset a passphrase everything here but the first, ``sign-in``, ``sign-out`` and
``passphrase`` is refused as ``must_change``, and so are lists, replays and records of what was played.

The first three and the last but two answer with :class:`AccountInfo`.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from lostcities.protocol.http import Body, Name

Passphrase = Annotated[str, msgspec.Meta(max_length=200)]


class AccountInfo(Body, frozen=True):
    """Who this browser's person is: ``name`` to sign in by, null for a guest; ``known`` whether the
    room knows them at all; ``browsers`` how many are signed in; ``must_change`` after the host has
    reset the passphrase; ``games`` how many matches are theirs.
    """

    known: bool
    name: str | None
    must_change: bool
    browsers: int
    games: int


class NewAccount(Body, frozen=True):
    """A name to sign in by, and a passphrase."""

    name: Name
    passphrase: Passphrase


class SignIn(Body, frozen=True):
    """Sign in; ``bring`` what this browser's guest has played."""

    name: Name
    passphrase: Passphrase
    bring: bool = True


class NewPassphrase(Body, frozen=True):
    """Another passphrase."""

    old: Passphrase
    new: Passphrase


class Forget(Body, frozen=True):
    """Delete what is personal; ``passphrase`` of an account, empty for a guest."""

    passphrase: Passphrase = ""
