"""The room: its tables, who may sit at them, and everything that is not a turn."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace

import msgspec

from lostcities.core.match import decide_abandon
from lostcities.core.refusal import Refusal
from lostcities.core.rules import PRESETS
from lostcities.core.seats import Seat, other
from lostcities.core.shuffle import DeckSource, SystemEntropy
from lostcities.protocol.http import (
    DeviceCode,
    InviteInfo,
    Joined,
    MyTables,
    NewTable,
    TableMade,
)
from lostcities.protocol.practice import Hint
from lostcities.service.accounts import Accounts, Hooks
from lostcities.service.agents import AgentCard, Agents
from lostcities.service.beginnings import FRIEND, beginning_of, first_state
from lostcities.service.chat import KEPT, ChatBook
from lostcities.service.decide import settle
from lostcities.service.history import History
from lostcities.service.house import House
from lostcities.service.ids import Ids, RandomIds, hashed, typed_code
from lostcities.service.notices.channels import SILENT, Channels
from lostcities.service.notices.desk import Notices
from lostcities.service.notices.occasions import offers_of, stands
from lostcities.service.practice import Practice
from lostcities.service.refusing import No
from lostcities.service.rematch import never_began, take_back
from lostcities.service.seeing import pace_info
from lostcities.service.sessions import Sessions
from lostcities.service.sheets import Sheets
from lostcities.service.table import Decision, Table
from lostcities.service.timekeeper import Timekeeper, monotonic_ms
from lostcities.service.timing import deadlines, wait_of
from lostcities.service.wishes import (
    Visitor,
    WishError,
    clean_name,
    listings,
    made,
    read_pace,
    read_rules,
    read_seat,
    read_terms,
    rules_again,
    summary,
    table_record,
)
from lostcities.store.interfaces import (
    AgainAsked,
    Append,
    Changes,
    ChatLine,
    DeviceGrant,
    Listing,
    LogEvent,
    MatchInfo,
    NewSession,
    Occupant,
    Reservation,
    SeatTaken,
    SitDown,
    Store,
    StoredMatch,
    StoreError,
    TableClosed,
)
from lostcities.store.people import Held

CODE_SECONDS = 300
"""How long a device code is good for."""
WOKEN = 100
"""Tables that are woken together because their time is out."""
LISTED = 50
"""Tables of one browser that are listed at most."""
IDLE_SECONDS = 600.0
"""A table with nobody at it is put away after this long; the next visitor takes it out again."""


class Room:
    """Everything behind the server's routes.

    Args:
        store: where matches are kept.
        agents: the programs that can take a seat.
        decks: where decks come from.
        ids: where ids and tokens come from.
        clock: milliseconds since 1970 (UTC).
        host_code: what makes a browser the host's; None for a room without a host.
        monotonic: milliseconds of a clock that only goes forward, for live play.
        channels: how people are told that it is their turn.
    """

    def __init__(
        self,
        store: Store,
        agents: Agents,
        *,
        clock: Callable[[], int],
        decks: DeckSource | None = None,
        ids: Ids | None = None,
        host_code: str | None = None,
        monotonic: Callable[[], int] = monotonic_ms,
        channels: Channels = SILENT,
    ) -> None:
        self._store = store
        self._agents = agents
        self._decks = decks or SystemEntropy()
        self._ids = ids or RandomIds()
        self._clock = clock
        self._keeper = Timekeeper(clock, monotonic, self._ids.opening())
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Future[Table | None]] = {}
        self._players: dict[str, str] = {}
        self._stopping: set[asyncio.Future[None]] = set()
        self.history = History(store, self._ids, clock)
        self.sheets = Sheets(store, clock)
        self.practice = Practice(store, agents, self.history, self._ids, clock)
        self.sessions = Sessions()
        hooks = Hooks(self._sessions_ended, self._seats_moved, self._leave_for_good)
        self.accounts = Accounts(store, self._ids, clock, hooks)
        self.house = House(
            self, store, clock=clock, now=monotonic, host_code=host_code, ids=self._ids
        )
        self.notices = Notices(store, channels, self.table, self.house.desk.shut_out, clock)

    # ---- tables ---------------------------------------------------------------------------------

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables in memory."""
        return tuple(self._tables.values())

    @property
    def live(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    async def table(self, match: str) -> Table | None:
        """The live table of a match, taken out of the store if need be."""
        table = self._tables.get(match)
        if table is not None:
            return table
        loading = self._loading.get(match)
        if loading is None:
            loading = asyncio.ensure_future(self._load(match))
            self._loading[match] = loading
            loading.add_done_callback(lambda _: self._loading.pop(match, None))
        return await asyncio.shield(loading)

    async def _load(self, match: str) -> Table | None:
        stored = await self._store.load(match)
        if stored is None:
            return None
        if stored.info.group is not None:
            await self.house.classes.known()
        table = self._open(stored, await self._store.said(match, KEPT))
        await self._look_at_offer(table)
        await self._look_at_bans(table)
        return table

    async def _look_at_offer(self, table: Table) -> None:
        """The table to play again at may have been closed, and this one not told of it."""
        again = table.state.again
        if again is not None and never_began(await self._store.load(again)):
            with contextlib.suppress(StoreError):  # then it is seen to the next time
                await take_back(table, again)

    async def _look_at_bans(self, table: Table) -> None:
        """Somebody may have been banned while the table was put away, and the other not told of it."""
        with contextlib.suppress(StoreError):  # then it is told the next time
            await self.house.desk.look_at_bans(table)

    async def offers_end(self, closed: Table) -> None:
        """Where a table was closed before its match began, it is no longer one to play again at.

        Raises:
            StoreError: it could not be saved; the other table still tells of the offer.
        """
        if closed.state.never_began:
            for table in self.tables:
                if table.state.again == closed.match:
                    await take_back(table, closed.match)

    def _open(self, stored: StoredMatch, lines: tuple[ChatLine, ...] = ()) -> Table:
        chat = ChatBook(stored.info.match, self._store, lines, self._clock)
        table = Table(stored, self._store, self._agents, self._decks, chat, self._keeper)
        table.touched = asyncio.get_running_loop().time()
        self._tables[table.match] = table
        self.notices.teller.follow(table)
        self.house.classes.adopt(table)
        table.start()
        return table

    async def check(self) -> None:
        """Go all the way to the store's writer and back.

        Raises:
            StoreError: nothing can be written now.
        """
        await self._store.write(Changes())

    async def tidy(self) -> None:
        """Put away the tables that nobody has been at for a while.

        Raises:
            StoreError: what was to be done at the tables of classes cannot be now.
        """
        try:
            await self.house.classes.tick()
        finally:
            await self._put_away()

    async def _put_away(self) -> None:
        now = asyncio.get_running_loop().time()
        for match, table in list(self._tables.items()):
            if table.idle and now - table.touched > IDLE_SECONDS:
                del self._tables[match]
                await table.stop()

    async def wake_overdue(self) -> None:
        """Take out of the store the tables whose days for a turn are over; they see to the rest.

        Raises:
            StoreError: the store cannot be read now.
        """
        if self._keeper.patience == 0:
            for match in await self._store.overdue(self._keeper.wall, WOKEN):
                await self.table(match)

    def say_goodbye(self) -> None:
        """Tell every socket that the room shuts down."""
        for table in self._tables.values():
            table.end_sockets("shutdown", "the room is shutting down")

    async def close(self) -> None:
        """Stop every table and agent. The store is closed by whoever opened it."""
        await self.notices.close()
        await self.house.close()
        await asyncio.gather(*(table.stop() for table in self._tables.values()))
        await asyncio.gather(*self._stopping)
        self._tables.clear()
        self._agents.close()
        self.accounts.close()

    # ---- who is asking --------------------------------------------------------------------------

    async def player(self, token: str | None) -> str | None:
        """The player behind a session token; None if it is none of ours."""
        if not token or len(token) > 100:
            return None
        token_hash = hashed(token)
        player = self._players.get(token_hash)
        if player is None:
            player = await self._store.player(token_hash)
            if player is not None:
                self._remember(token_hash, player)
        return player

    def _remember(self, token_hash: str, player: str) -> None:
        if len(self._players) >= 10_000:
            self._players.clear()
        self._players[token_hash] = player

    async def visitor(self, token: str | None) -> Visitor:
        """The player behind a token, or a new one, to be kept with the first thing it does."""
        player = await self.player(token)
        if player is not None:
            return Visitor(player)
        fresh, player = self._ids.token(), self._ids.player()
        return Visitor(player, fresh, NewSession(player, hashed(fresh), self._clock()))

    async def keep(self, visitor: Visitor) -> None:
        """Keep who came for the first time.

        Raises:
            StoreError: it could not be saved.
        """
        if visitor.session is not None:
            await self._store.write(Changes(sessions=(visitor.session,)))
            self._seen(visitor)

    def _sessions_ended(self, hashes: tuple[str, ...]) -> None:
        for each in hashes:
            self._players.pop(each, None)
        self.sessions.end(hashes)

    def _seats_moved(self, moved: tuple[Held, ...], _player: str) -> None:
        """Live tables whose seats have changed hands are read anew with the next visitor."""
        for held in moved:
            table = self._tables.pop(held.match, None)
            if table is not None:
                table.end_sockets("shutdown", "this table is being opened anew")
                self._stopping.add(stop := asyncio.ensure_future(table.stop()))
                stop.add_done_callback(self._stopping.discard)

    async def _leave_for_good(self, held: tuple[Held, ...]) -> None:
        for each in held:
            table = await self.table(each.match)
            if table is not None:
                await _leave(table, each.seat)
                await self.offers_end(table)

    @property
    def agents(self) -> tuple[AgentCard, ...]:
        """The agents one can play against."""
        return self._agents.cards()

    @property
    def presets(self) -> dict[str, str]:
        """The named sets of rules, each in written form."""
        return {name: str(rules) for name, rules in PRESETS.items()}

    # ---- making and joining ---------------------------------------------------------------------

    async def create(self, visitor: Visitor, wish: NewTable) -> TableMade:
        """A new table with its maker seated; against an agent the match begins at once.

        Raises:
            WishError: rules that cannot be read, an unknown agent, a seat that is none.
            StoreError: it could not be saved.
        """
        rules, pace = read_rules(wish.rules), read_pace(wish.pace)
        seat = self._ids.coin() if wish.seat is None else read_seat(wish.seat)
        me = Occupant(seat, "person", clean_name(wish.name), visitor.player)
        terms = read_terms(wish)
        info = MatchInfo(self._ids.match(), rules, None, self._clock(), terms=terms, pace=pace)
        if terms.one_device:
            second = clean_name(wish.second or "")
            them = Occupant(other(seat), "person", second, visitor.player)
            await self.begin(info, (me, them), visitor)
        elif wish.against == "friend":
            info = replace(info, invite=self._ids.invite())
            await self.begin(info, (me,), visitor, listings(info))
        else:
            await self.begin(info, (me, self.agent(wish.against, other(seat))), visitor)
        return made(info, seat)

    def agent(self, name: str, seat: Seat) -> Occupant:
        """An agent in a seat.

        Raises:
            WishError: there is no such agent.
        """
        for card in self._agents.cards():
            if name in (card.name, card.name.partition("@")[0]):
                return Occupant(seat, "agent", card.title, agent=card.name)
        known = ", ".join(card.name for card in self._agents.cards())
        raise WishError(400, "no_agent", f"there is no agent {name!r} (one of {known})")

    async def begin(
        self,
        info: MatchInfo,
        occupants: tuple[Occupant, ...],
        visitor: Visitor,
        listed: tuple[Listing, ...] = (),
    ) -> Table:
        """Write a new match with whoever sits at it already, and open its table.

        Raises:
            StoreError: it could not be saved.
        """
        stored, changes = self._new_match(info, occupants)
        sessions = () if visitor.session is None else (visitor.session,)
        await self._store.write(replace(changes, sessions=sessions, listings=listed))
        self._seen(visitor)
        return self._open(stored)

    def _seen(self, visitor: Visitor) -> None:
        if visitor.session is not None:
            self._remember(visitor.session.token_hash, visitor.player)

    def _new_match(
        self, info: MatchInfo, occupants: tuple[Occupant, ...]
    ) -> tuple[StoredMatch, Changes]:
        sat: tuple[LogEvent, ...] = tuple(SeatTaken(w.seat, w.kind, w.name) for w in occupants)
        agents = frozenset(w.seat for w in occupants if w.kind == "agent")
        state, entries = settle(first_state(info), sat, agents, self._decks)
        events = tuple(entry.event for entry in entries)
        due = deadlines(info.match, info.pace, None, wait_of(state), self._keeper.wall)
        changes = Changes(
            matches=(info,),
            seats=tuple(SitDown(info.match, who) for who in occupants),
            appends=(Append(info.match, 0, events),),
            deadlines=due,
        )
        until = due[0].due if due else None
        return StoredMatch(info, occupants, events, due=until), changes

    async def start_lesson(self, code: str, visitor: Visitor, name: str) -> TableMade:
        """A practice table of one's own, from where a lesson begins.

        Raises:
            WishError: no such lesson, or its program is not here.
            StoreError: it could not be saved.
        """
        lesson = await self.practice.lesson(code)
        begun = beginning_of(lesson)
        me = Occupant(begun.seat, "person", clean_name(name), visitor.player)
        friend = begun.against == FRIEND
        invite = self._ids.invite() if friend else None
        info = MatchInfo(self._ids.match(), begun.rules, invite, self._clock(), lesson=lesson)
        rivals = () if friend else (self.agent(begun.against, other(begun.seat)),)
        await self.begin(info, (me, *rivals), visitor)
        return made(info, begun.seat)

    async def hint(self, match: str, player: str | None) -> Hint:
        """What a program would do in this player's place.

        Raises:
            WishError: no seat here, not to move, or no hints at this table.
        """
        table, seat = await self._mine(match, player)
        return await self.practice.hint(table, seat)

    async def invite(self, code: str, player: str | None) -> InviteInfo:
        """What a visitor of an invite link is told; changes nothing.

        Raises:
            WishError: no such invite.
        """
        table = await self._invited(code)
        state = table.state
        host = next((w.name for w in state.taken if w is not None), "")
        mine = table.seat_of(player) is not None
        return InviteInfo(
            host,
            str(state.rules),
            state.phase == "waiting",
            pace_info(table.info.pace),
            table.info.terms,
            table.match if mine else None,
        )

    async def _invited(self, code: str) -> Table:
        match = await self._store.match_of_invite(code)
        table = None if match is None else await self.table(match)
        if table is None:
            raise WishError(404, "no_invite", "this invite link leads nowhere")
        return table

    async def accept(self, code: str, visitor: Visitor, name: str) -> Joined:
        """Take the free seat behind an invite; for whoever sits there already, just the way back.

        Raises:
            WishError: no such invite, or the seat is taken.
            StoreError: it could not be saved.
        """
        table = await self._invited(code)
        return await self.sit(table, visitor, clean_name(name))

    async def sit(self, table: Table, visitor: Visitor, name: str) -> Joined:
        """Take the free seat of a table; for whoever sits there already, just the way back.

        Raises:
            WishError: there is none.
            StoreError: it could not be saved.
        """

        def wish() -> Decision | No:
            if table.seat_of(visitor.player) is not None:
                return No("sits_already", "")
            free = [seat for seat in (0, 1) if table.state.taken[seat] is None]
            if not free or table.state.closed:
                return No("seat_taken", "this seat is taken, or the table was closed")
            who = Occupant(free[0], "person", name, visitor.player)
            sessions = () if visitor.session is None else (visitor.session,)
            changes = Changes(sessions, seats=(SitDown(table.match, who),))
            return Decision((SeatTaken(who.seat, who.kind, who.name),), changes)

        refused = await table.do(lambda: table.commit(wish))
        seat = table.seat_of(visitor.player)
        if seat is None:
            no = refused or No("seat_taken", "this seat is taken")
            raise WishError(409, no.reason, no.text)
        if refused is None:
            self._seen(visitor)
        return Joined(table.match, seat, f"/t/{table.match}")

    # ---- at a table -----------------------------------------------------------------------------

    async def _mine(self, match: str, player: str | None) -> tuple[Table, Seat]:
        table = await self.table(match)
        seat = None if table is None else table.seat_of(player)
        if table is None or seat is None:
            # The same words for both: who has no seat learns nothing about a table.
            raise WishError(404, "no_table", "this browser has no seat at such a table")
        return table, seat

    async def leave(self, match: str, player: str | None) -> None:
        """Leave a table; one that never began is closed. A match goes on: one may come back."""
        table, seat = await self._mine(match, player)

        def wish() -> Decision | No:
            if table.state.phase != "waiting":
                return No("began", "")
            return Decision((TableClosed(seat),))

        await table.do(lambda: table.commit(wish))
        await self.offers_end(table)

    async def again(self, match: str, player: str | None) -> TableMade:
        """Play again: whoever asks first makes the table, the other sits down at it, whenever.

        Seats and the start of the first round change sides; rules, terms and time stay.

        Raises:
            WishError: no seat here, the match is not over, or it never began.
        """
        table, seat = await self._mine(match, player)
        if table.state.never_began:
            raise WishError(409, "never_began", "no match began at this table")
        if not table.state.over or table.state.match is None:
            raise WishError(409, "not_over", "the match is not over yet")
        await self._look_at_offer(table)
        made_now = await table.do(lambda: self._ask_again(table, seat))
        if made_now is not None:
            return made_now
        after = await self.table(str(table.state.again))
        if after is None:
            raise WishError(404, "no_table", "the table to play again has vanished")
        name = next(w.name for w in table.occupants if w is not None and w.seat == seat)
        sat = await self.sit(after, Visitor(str(player)), name)
        return made(after.info, sat.seat)

    async def _ask_again(self, table: Table, seat: Seat) -> TableMade | None:
        if table.state.again is not None:
            return None
        me, rival = table.occupants[seat], table.occupants[other(seat)]
        assert me is not None
        assert rival is not None
        rules = table.info.rules
        if table.info.lesson is None:  # a lesson is for its seat
            me, rival = replace(me, seat=rival.seat), replace(rival, seat=me.seat)
            rules = rules_again(table.state)
        kept = None
        occupants: tuple[Occupant, ...] = (me, rival)
        if rival.player is not None:
            kept = Reservation(rival.seat, rival.player, rival.name)
            occupants = (me,)
        if me.player == rival.player:
            kept, occupants = None, (me, rival)
        info = replace(
            table.info, match=self._ids.match(), rules=rules, invite=None, created=self._clock(),
            group=None, reserved=kept, terms=msgspec.structs.replace(table.info.terms, listed=False),
        )  # fmt: skip
        stored, changes = self._new_match(info, occupants)

        def wish() -> Decision | No:
            if table.state.again is not None:
                return No("asked", "")
            return Decision((AgainAsked(seat, info.match),), changes)

        if await table.commit(wish) is not None:
            return None
        self._open(stored)
        return made(info, me.seat)

    async def device_code(self, match: str, player: str | None) -> DeviceCode:
        """A short-lived code that moves this seat to another browser."""
        table, seat = await self._mine(match, player)
        code = self._ids.device_code()
        expires = self._clock() + 1000 * CODE_SECONDS
        await self._store.grant(DeviceGrant(hashed(code), table.match, seat, str(player), expires))
        return DeviceCode(f"{code[:4]}-{code[4:]}", CODE_SECONDS)

    async def use_device_code(self, typed: str, visitor: Visitor) -> Joined:
        """Move the seat behind a code to this browser; its sockets elsewhere end.

        Raises:
            WishError: the code is wrong, used or too old.
        """
        await self.keep(visitor)
        code = hashed(typed_code(typed))
        moved = await self._store.redeem(code, visitor.player, self._clock())
        table = None if moved is None else await self.table(moved.match)
        if moved is None or table is None:
            raise WishError(404, "no_code", "this code is wrong, used or too old")
        table.moved(moved.seat, visitor.player)
        return Joined(moved.match, moved.seat, f"/t/{moved.match}")

    async def my_tables(self, player: str | None) -> MyTables:
        """The tables of a browser, those that wait for it first."""
        if player is None:
            return MyTables([])
        summaries = []
        for match in await self._store.matches_of(player, LISTED):
            table = await self.table(match)
            seat = None if table is None else table.seat_of(player)
            if table is not None and seat is not None and not table.state.closed:
                line = summary(table, seat)
                summaries.append(
                    msgspec.structs.replace(line, offer=await self._offered(table, seat))
                )
        order = {"playing": 0, "between": 0, "dealing": 0, "waiting": 1, "over": 2}
        return MyTables(
            sorted(summaries, key=lambda s: (not (s.your_turn or s.offer), order[s.phase]))
        )

    async def _offered(self, table: Table, seat: Seat) -> str | None:
        if table.info.terms.one_device:
            return None
        for offer in sorted(offers_of(table.state), key=lambda each: each.kind):
            if offer.seat == seat and await stands(offer, table, self.table):
                return offer.kind
        return None

    async def invite_path(self, match: str, player: str | None) -> str:
        """The path of a table's invite link, for the seat that may hand it out."""
        table, _ = await self._mine(match, player)
        if table.info.invite is None or table.state.phase != "waiting":
            raise WishError(404, "no_invite", "this table has no free seat to invite to")
        return f"/i/{table.info.invite}"

    async def record(self, match: str, player: str | None, date: str) -> str:
        """The match as a record: whole once it is over, before that as this seat may know it."""
        table = await self.table(match)
        if table is not None and table.info.terms.watch and table.state.over:
            return table_record(table, None, date)
        table, seat = await self._mine(match, player)
        return table_record(table, seat, date)


async def _leave(table: Table, seat: Seat) -> None:
    await table.do(lambda: table.commit(lambda: _given_up(table, seat)))


def _given_up(table: Table, seat: Seat) -> Decision | No:
    """What a seat's leaving for good makes of a table that is not over."""
    match = table.state.match
    if table.state.over:
        return No("match_over", "")
    if match is None:
        return Decision((TableClosed(seat),))
    decided = decide_abandon(match, seat)
    return (
        No(decided.reason.value, decided.text)
        if isinstance(decided, Refusal)
        else Decision((decided,))
    )
