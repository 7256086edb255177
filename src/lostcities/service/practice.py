"""Practice: lessons made and begun, and hints at the table."""

from __future__ import annotations

import logging
from collections.abc import Callable

from lostcities.core.record import Replay
from lostcities.core.seats import Seat, other
from lostcities.core.view_json import view_to_dict
from lostcities.core.views import View, view_for, view_of_round
from lostcities.protocol.messages import SeatView
from lostcities.protocol.practice import Hint, HintTurn, LessonInfo, LessonMade, NewLesson
from lostcities.service import sentences as say
from lostcities.service.agents import Advice, Agents
from lostcities.service.beginnings import FRIEND, beginning_of
from lostcities.service.history import History, read
from lostcities.service.ids import Ids
from lostcities.service.lessons import read_lesson
from lostcities.service.refusing import No
from lostcities.service.seeing import rules_in_force
from lostcities.service.table import Decision, Table
from lostcities.service.wishes import Visitor, WishError
from lostcities.store.interfaces import Changes, HintTaken, Lesson, Store

log = logging.getLogger("lostcities.practice")

ADVISER = "steady"
"""Who is asked where no program that weighs its turns sits at the table."""
WEIGHING = ("steady", "policy", "flat", "tree")


class Practice:
    """Lessons and hints.

    Args:
        store: where lessons are kept.
        agents: the programs.
        history: finds the records that lessons begin from.
        ids: where codes come from.
        clock: milliseconds since 1970 (UTC).
    """

    def __init__(
        self,
        store: Store,
        agents: Agents,
        history: History,
        ids: Ids,
        clock: Callable[[], int],
    ) -> None:
        self._store = store
        self._agents = agents
        self._history = history
        self._ids = ids
        self._clock = clock

    # ---- lessons --------------------------------------------------------------------------------

    async def make(self, visitor: Visitor, wish: NewLesson) -> LessonMade:
        """Keep a lesson.

        Raises:
            WishError: it cannot be played; names the place and the reason.
        """
        begun = read_lesson(wish, await self._record(visitor.player, wish))
        self._title(begun.against)
        if visitor.session is not None:
            await self._store.write(Changes(sessions=(visitor.session,)))
        lesson = Lesson(self._ids.invite(), begun.to_text())
        await self._store.archive.keep_lesson(lesson, visitor.player, self._clock())
        return LessonMade(lesson.code, f"/lesson/{lesson.code}")

    async def _record(self, player: str, wish: NewLesson) -> Replay | None:
        if wish.record is not None:
            return read(wish.record)
        if wish.replay is not None:
            return await self._history.whole_round(wish.replay, wish.round, player)
        return None

    async def info(self, code: str) -> LessonInfo:
        """A lesson, with what the learner's seat sees.

        Raises:
            WishError: there is none.
        """
        begun = beginning_of(await self.lesson(code))
        values = view_to_dict(view_of_round(begun.round(), begun.seat))
        values |= {"rules": rules_in_force(begun.rules), "legal": []}
        return LessonInfo(
            code, begun.text, str(begun.rules), begun.seat, begun.against,
            self._title(begun.against), SeatView(**values),
        )  # fmt: skip

    async def lesson(self, code: str) -> Lesson:
        """A lesson by its code.

        Raises:
            WishError: there is none.
        """
        lesson = await self._store.archive.lesson(code)
        if lesson is None:
            raise WishError(404, "no_lesson", "there is no such lesson")
        return lesson

    def _title(self, against: str) -> str:
        if against == FRIEND:
            return ""
        return self._card(against)[1]

    def _card(self, name: str) -> tuple[str, str]:
        for card in self._agents.cards():
            if name in (card.name, card.name.partition("@")[0]):
                return card.name, card.title
        raise WishError(400, "no_agent", f"there is no agent {name!r}")

    # ---- hints ----------------------------------------------------------------------------------

    async def hint(self, table: Table, seat: Seat) -> Hint:
        """What a program would do in this seat's place, from what the seat sees alone; noted.

        Raises:
            WishError: not at this table, not this seat's turn, or nobody can be asked.
        """
        rival = table.occupants[other(seat)]
        if table.info.lesson is None and (rival is None or rival.agent is None):
            raise WishError(409, "no_hint", say.WHERE_HINTS())
        view = _view(table, seat)
        name, title = self._adviser(None if rival is None else rival.agent)
        advice = await self._ask(name, view)
        await self._note(table, seat, view)
        turns = [HintTurn(str(turn), round(value, 1)) for turn, value in advice.candidates]
        return Hint(name, title, str(advice.turn), advice.exact, turns)

    def _adviser(self, agent: str | None) -> tuple[str, str]:
        plain = (agent or "").partition("@")[0]
        names = [card.name.partition("@")[0] for card in self._agents.cards()]
        for wanted in (plain if plain in WEIGHING else ADVISER, ADVISER, *names):
            if wanted in names:
                return self._card(wanted)
        raise WishError(409, "no_hint", say.NOBODY_TO_ASK())

    async def _ask(self, name: str, view: View) -> Advice:
        try:
            advice = await self._agents.advise(name, view)
        except Exception:
            log.exception("agent %s failed at a hint", name)
            raise WishError(503, "no_hint", say.NO_ADVICE()) from None
        if advice.turn not in view.legal:
            raise WishError(503, "no_hint", say.NO_ADVICE())
        return advice

    async def _note(self, table: Table, seat: Seat, view: View) -> None:
        def wish() -> Decision | No:
            match = table.state.match
            if match is None or match.round is None or match.round.ply != view.ply:
                return No("stale", "the turn has been played meanwhile")
            return Decision((HintTaken(seat),))

        refused = await table.do(lambda: table.commit(wish))
        if refused is not None:
            raise WishError(409, refused.reason, refused.text)


def _view(table: Table, seat: Seat) -> View:
    match = table.state.playing
    if match is None:
        raise WishError(409, "not_your_turn", "nobody is to move")
    view = view_for(match, seat)
    if view.to_move != seat:
        raise WishError(409, "not_your_turn", "it is the other seat's turn")
    return view
