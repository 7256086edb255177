"""What people ask about notices: which there are, to get them, to try them, to end them."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress

import msgspec

from lostcities.protocol.notices import MailAddress, NoticeInfo, NoticeTried, Subscription
from lostcities.service.ids import hashed
from lostcities.service.notices.channels import Channels
from lostcities.service.notices.endpoints import EndpointError, origin_of
from lostcities.service.notices.mail import Mail, Mailer, MailError, checked_address
from lostcities.service.notices.push import Letter, WebPush, checked_keys
from lostcities.service.notices.teller import BROWSERS, Teller
from lostcities.service.notices.texts import known, say
from lostcities.service.table import Table
from lostcities.service.wishes import WishError
from lostcities.store.interfaces import Store, StoreError
from lostcities.store.notices import Proposal, PushTarget

log = logging.getLogger("lostcities.notices")

CODE_MS = 24 * 3600 * 1000
"""How long the link in a mail that asks for a yes is good for."""
TRY_SECONDS = 120
"""How long a push service keeps a test notice."""


class Notices:
    """Everything about notices, for the room and its routes.

    Args:
        store: where subscriptions and wishes are kept; the room's.
        channels: which ways there are.
        table: the live table of a match.
        shut_out: whether a player may not come to a table any more, or into the room.
        clock: milliseconds since 1970 (UTC).
    """

    def __init__(
        self,
        store: Store,
        channels: Channels,
        table: Callable[[str], Awaitable[Table | None]],
        shut_out: Callable[[str, str], Awaitable[bool]],
        clock: Callable[[], int],
    ) -> None:
        self._store, self._channels, self._clock = store, channels, clock
        self._push = None if channels.push is None else WebPush(store, channels.push)
        self._mailer = None if channels.mail is None else Mailer(channels.mail)
        self.teller = Teller(store, channels, self._push, self._mailer, table, shut_out)
        self._beginning: asyncio.Task[None] | None = None

    # ---- life -----------------------------------------------------------------------------------

    async def begin(self) -> None:
        """Make the room's key if it has none, and tell of what was not told before it was closed.

        Raises:
            StoreError: the key could not be kept.
        """
        if self._push is not None:
            await self._push.key()
        self._beginning = asyncio.create_task(self._catch_up())

    async def _catch_up(self) -> None:
        try:
            await self.teller.catch_up()
        except StoreError as error:
            log.warning("cannot look for turns that nobody was told of: %s", error)

    async def close(self) -> None:
        """Stop telling."""
        if self._beginning is not None:
            self._beginning.cancel()
            with suppress(asyncio.CancelledError):
                await self._beginning
        await self.teller.close()
        if self._push is not None:
            await self._push.close()
        if self._mailer is not None:
            self._mailer.close()

    # ---- what is asked --------------------------------------------------------------------------

    async def info(self, player: str | None, session: str | None) -> NoticeInfo:
        """What this room and browser can do.

        Args:
            player: who asks.
            session: the hash of their browser's token.
        """
        kept = self._store.notices
        key = None if self._push is None else await self._push.key()
        push = self._channels.no_push if self._push is None else "on"
        info = NoticeInfo(push, key, False, 0, self._mailer is not None, None, None, "unseen")
        if player is None or session is None:
            return info
        wishes = await kept.wishes(player)
        return msgspec.structs.replace(
            info,
            here=await kept.target(session) is not None,
            browsers=len(await kept.targets(player, BROWSERS)),
            address=wishes.address,
            pending=wishes.pending,
            when=wishes.when,
        )

    async def subscribe(self, session: str, wish: Subscription) -> None:
        """This browser takes notices.

        Raises:
            WishError: no push here, or nothing can be sent there.
        """
        settings = self._channels.push
        if settings is None:
            raise WishError(409, "no_push", "this room pushes no notices")
        try:
            origin_of(wish.endpoint, anywhere=settings.anywhere)
            checked_keys(wish.key, wish.secret)
        except EndpointError as error:
            raise WishError(400, "bad_subscription", error.said) from None
        target = PushTarget(wish.endpoint, wish.key, wish.secret, known(wish.language))
        await self._store.notices.subscribe(session, target, self._clock())

    async def unsubscribe(self, session: str | None) -> None:
        """This browser takes none any more."""
        if session is not None:
            await self._store.notices.unsubscribe(session)

    async def try_out(self, session: str | None) -> NoticeTried:
        """Push a test notice to this browser, at once.

        Raises:
            WishError: no push here, or the browser takes no notices.
        """
        target = None if session is None else await self._store.notices.target(session)
        if self._push is None or target is None:
            raise WishError(409, "not_subscribed", "this browser takes no notices")
        said = {
            "title": say(target.language, "test", "title"),
            "body": say(target.language, "test", "body"),
            "url": "/notices",
            "tag": "test",
        }
        letter = Letter(msgspec.json.encode(said), TRY_SECONDS, "test")
        pushed = await self._push.send(target, letter)
        if pushed.gone:
            await self._store.notices.gone(target.endpoint)
        return NoticeTried(pushed.sent, pushed.status, not pushed.gone)

    async def set_when(self, player: str, when: str) -> None:
        """Keep when somebody wants to be told."""
        await self._store.notices.set_when(player, when)

    async def ask_address(self, player: str, wish: MailAddress) -> None:
        """Send a link to an address, which is used once somebody has followed it.

        Raises:
            WishError: no mail here, no address, or the mail server does not take it.
        """
        if self._mailer is None:
            raise WishError(409, "no_mail", "this room sends no mail")
        address = self.address(wish)
        code, language = secrets.token_urlsafe(24), known(wish.language)
        await self._hand_in(self._mailer, self._question(address, language, code))
        now = self._clock()
        proposal = Proposal(address, language, hashed(code), now + CODE_MS)
        await self._store.notices.propose(player, proposal, now)

    def address(self, wish: MailAddress) -> str:
        """The address of a wish; raises WishError if it is none."""
        try:
            return checked_address(wish.address)
        except ValueError:
            raise WishError(400, "bad_address", "this is no mail address") from None

    def _question(self, address: str, language: str, code: str) -> Mail:
        url = f"{self._channels.base_url}/notices/confirm/{code}"
        room = self._channels.room or say(language, "room", "name")
        text = say(language, "confirm", "mail", url=url, room=room)
        return Mail(address, say(language, "confirm", "title"), text + "\n")

    async def _hand_in(self, mailer: Mailer, mail: Mail) -> None:
        try:
            again = await mailer.send(mail)
        except MailError as error:
            log.warning("a mail is not sent: %s", error)
            raise WishError(502, "mail_refused", "the mail server does not take this") from None
        if again is not None:
            log.warning("a mail is not sent: %s", again.why)
            raise WishError(502, "mail_failed", "the mail server did not take it; try again later")

    async def confirm(self, code: str) -> None:
        """Mail goes to the address behind a code.

        Raises:
            WishError: it is wrong, used or too old.
        """
        stop = secrets.token_urlsafe(24)
        if await self._store.notices.confirm(hashed(code), self._clock(), stop) is None:
            raise WishError(404, "no_code", "this code is wrong, used or too old")

    async def no_mail(self, player: str | None) -> None:
        """Forget somebody's addresses."""
        if player is not None:
            await self._store.notices.no_mail(player)

    async def stop(self, stop: str) -> None:
        """End the mail from the link in one of them; a second time is no fault."""
        await self._store.notices.stop(stop)
