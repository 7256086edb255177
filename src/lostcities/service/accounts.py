"""Accounts: a passphrase of one's own, the same seats on every device, and being forgotten."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from lostcities.protocol.account import AccountInfo, NewAccount, NewPassphrase, SignIn
from lostcities.service.ids import Ids, hashed
from lostcities.service.passphrase import Passphrases, checked
from lostcities.service.wishes import Visitor, WishError, clean_name
from lostcities.store.interfaces import Changes, Store
from lostcities.store.people import Account, Held

RESET_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
WRONG = "this name and passphrase do not belong together"


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the room does when people change.

    Attributes:
        ended: sessions have ended: their sockets close.
        moved: seats are another player's now.
        leave: a player gives up the seats of unfinished matches, before being forgotten.
    """

    ended: Callable[[tuple[str, ...]], None]
    moved: Callable[[tuple[Held, ...], str], None]
    leave: Callable[[tuple[Held, ...]], Awaitable[None]]


class Accounts:
    """Passphrases and sessions.

    Args:
        store: where people are kept.
        ids: where tokens come from.
        clock: milliseconds since 1970 (UTC).
        hooks: the room's part.
        passphrases: hashes them.
    """

    def __init__(
        self,
        store: Store,
        ids: Ids,
        clock: Callable[[], int],
        hooks: Hooks,
        passphrases: Passphrases | None = None,
    ) -> None:
        self._store = store
        self._ids = ids
        self._clock = clock
        self._hooks = hooks
        self._passphrases = passphrases or Passphrases()

    def close(self) -> None:
        """Let go of the pool."""
        self._passphrases.close()

    async def info(self, player: str | None) -> AccountInfo:
        """Who a browser's person is."""
        if player is None:
            return AccountInfo(False, None, False, 0, 0)
        people = self._store.people
        account = await people.account_of(player)
        browsers = len(await people.sessions(player))
        games = len({held.match for held in await people.seats(player)})
        if account is None:
            return AccountInfo(True, None, False, browsers, games)
        return AccountInfo(True, account.name, account.must_change, browsers, games)

    async def open(self, visitor: Visitor, wish: NewAccount) -> Visitor:
        """A passphrase for this browser's person; answers them with a fresh token.

        Raises:
            WishError: the name is taken, the passphrase too plain, or there is one already.
        """
        name = clean_name(wish.name)
        passphrase = checked(wish.passphrase, name)
        if await self._store.people.account_of(visitor.player) is not None:
            raise WishError(409, "has_account", "this browser is signed in already")
        secret = await self._passphrases.hash(passphrase)
        if visitor.session is not None:
            await self._store.write(Changes(sessions=(visitor.session,)))
        account = Account(visitor.player, folded(name), name, secret, False, self._clock())
        if not await self._store.people.open_account(account):
            raise WishError(409, "name_taken", "somebody signs in by this name already")
        self._hooks.ended(await self._store.people.end_sessions(visitor.player))
        return await self._session(visitor.player)

    async def sign_in(self, player: str | None, wish: SignIn) -> Visitor:
        """This browser becomes the account's; answers with a fresh token.

        Raises:
            WishError: the name and the passphrase do not belong together.
        """
        _given(wish.passphrase)
        account = await self._store.people.account(folded(clean_name(wish.name)))
        secret = None if account is None else account.hash
        if not await self._passphrases.fits(wish.passphrase, secret) or account is None:
            raise WishError(403, "wrong_passphrase", WRONG)
        if player is not None and player != account.player and wish.bring:
            await self._bring(player, account.player)
        return await self._session(account.player)

    async def _bring(self, guest: str, player: str) -> None:
        people = self._store.people
        if await people.account_of(guest) is not None:
            return  # a person of their own, who signs out by this; what is theirs stays theirs
        ended = await people.sessions(guest)
        moved = await people.claim(guest, player)
        self._hooks.moved(moved, player)
        self._hooks.ended(ended)

    async def _session(self, player: str) -> Visitor:
        token = self._ids.token()
        await self._store.people.open_session(hashed(token), player, self._clock())
        return Visitor(player, token)

    async def sign_out(self, token: str | None) -> None:
        """This browser is nobody's again."""
        if token:
            await self._store.people.end_session(hashed(token))
            self._hooks.ended((hashed(token),))

    async def sign_out_others(self, player: str | None, token: str | None) -> None:
        """End every other session of an account.

        Raises:
            WishError: not signed in.
        """
        account = await self._signed_in(player)
        keep = hashed(token or "")
        self._hooks.ended(await self._store.people.end_sessions(account.player, keep))

    async def change(self, player: str | None, wish: NewPassphrase) -> Visitor:
        """Another passphrase; every session ends, and this browser gets a fresh token.

        Raises:
            WishError: not signed in, the old one is wrong, or the new one too plain.
        """
        account = await self._signed_in(player)
        _given(wish.old)
        if not await self._passphrases.fits(wish.old, account.hash):
            raise WishError(403, "wrong_passphrase", "the present passphrase is another one")
        secret = await self._passphrases.hash(checked(wish.new, account.name))
        people = self._store.people
        await people.set_passphrase(account.player, secret, False, self._clock())
        self._hooks.ended(await people.end_sessions(account.player))
        return await self._session(account.player)

    async def reset(self, name: str) -> str | None:
        """The host's help for who has forgotten: a passphrase for once; None for an unknown name.

        Every session of the account ends.
        """
        account = await self._store.people.account(folded(name))
        if account is None:
            return None
        fresh = "-".join(
            "".join(secrets.choice(RESET_ALPHABET) for _ in range(4)) for _ in range(4)
        )
        secret = await self._passphrases.hash(fresh)
        people = self._store.people
        await people.set_passphrase(account.player, secret, True, self._clock())
        self._hooks.ended(await people.end_sessions(account.player))
        return fresh

    async def forget(self, player: str | None, passphrase: str) -> None:
        """Nothing personal stays; unfinished matches end as abandoned, and all sessions.

        Raises:
            WishError: an account's passphrase is wrong.
        """
        if player is None:
            return
        people = self._store.people
        account = await people.account_of(player)
        if account is not None:
            _given(passphrase)
        if account is not None and not await self._passphrases.fits(passphrase, account.hash):
            raise WishError(403, "wrong_passphrase", "the passphrase is another one")
        held = await people.seats(player)
        await self._hooks.leave(held)
        ended = await people.sessions(player)
        await people.forget(player)
        self._hooks.ended(ended)
        self._hooks.moved(held, "")

    async def settled(self, player: str | None) -> None:
        """Whether this person may use what is theirs: not while a passphrase of the host's making
        opens it, which the host and perhaps others have seen.

        Raises:
            WishError: the host has reset the passphrase, and no new one is chosen yet.
        """
        account = None if player is None else await self._store.people.account_of(player)
        if account is not None and account.must_change:
            text = "the host has reset this passphrase; choose a new one first"
            raise WishError(403, "must_change", text)

    async def _signed_in(self, player: str | None) -> Account:
        account = None if player is None else await self._store.people.account_of(player)
        if account is None:
            raise WishError(403, "no_account", "this browser is not signed in")
        return account


def folded(name: str) -> str:
    """A name as it is compared: without the differences that people do not see."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def _given(passphrase: str) -> None:
    """Whoever has typed nothing has not typed a wrong one."""
    if passphrase == "":
        raise WishError(400, "no_passphrase", "type your passphrase")
