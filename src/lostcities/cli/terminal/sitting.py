"""The match itself: folds events, asks the program and the person in turn, keeps the record.

What is shown is always a view of the person's seat; the state stays in here.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol, assert_never

from lostcities.cli.terminal import telling
from lostcities.cli.terminal.keeping import Keeper
from lostcities.cli.terminal.words import DrawWish, LayWish, Misread, Order, Wish, read_wish
from lostcities.core.cards import Card
from lostcities.core.events import Event, MatchStarted
from lostcities.core.match import (
    MatchState,
    Phase,
    decide_continue,
    decide_deal,
    decide_resign,
    decide_turn,
    evolve,
    new_match,
    next_starter,
)
from lostcities.core.refusal import IllegalTurnError, Refusal
from lostcities.core.round import draw_refusal, lay_refusal, make_lay
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat, Seat, other
from lostcities.core.shuffle import DeckSource
from lostcities.core.turn import Lay, Turn
from lostcities.core.views import View, view_for


class Opponent(Protocol):
    """Who sits across the table."""

    @property
    def shown(self) -> str:
        """What it is called on the board."""
        ...

    def choose(self, view: View) -> Turn:
        """The turn it plays, having seen this and nothing else."""
        ...


class Front(Protocol):
    """A way to show a match and to ask the person."""

    def begins(self, view: View, starter: str) -> None:
        """A round has been dealt."""
        ...

    def board(self, view: View, laid: Lay | None) -> None:
        """The person is to move; ``laid`` is the card laid while the draw is due."""
        ...

    def turn(self, text: str) -> None:
        """A turn has been played."""
        ...

    def say(self, text: str) -> None:
        """Something that the person asked for, or should know."""
        ...

    def ask(self, prompt: str) -> str:
        """A line from the person.

        Raises:
            EOFError: there is no more input.
        """
        ...

    def thinking(self, view: View) -> AbstractContextManager[object]:
        """Shown while the program thinks."""
        ...

    def sums(self, view: View) -> None:
        """The working of both seats' points."""
        ...

    def result(self, view: View, text: str, *, sums: bool) -> None:
        """The match has ended; ``sums``: by its last round, whose sums have not been shown."""
        ...

    def leaves(self, text: str) -> None:
        """The match breaks off."""
        ...


class Left(Exception):  # noqa: N818 - it is no error
    """The person left the match before its end."""


class OpponentError(Exception):
    """The program across the table did not give a legal turn."""


class Sitting:
    """A person and a program at one table, until the match ends or the person leaves.

    Attributes:
        match: the match as it stands.
        events: its log so far.
        unkept: why the record could not be written the last time; None if it was.
    """

    def __init__(
        self, rules: Rules, seat: Seat, opponent: Opponent, decks: DeckSource, front: Front,
        keeper: Keeper | None,
    ) -> None:  # fmt: skip
        self.match: MatchState = new_match(rules)
        self.events: list[Event] = [MatchStarted(rules)]
        self.unkept: OSError | None = None
        self._seat, self._opponent, self._decks = seat, opponent, decks
        self.front, self._keeper = front, keeper

    def play(self) -> None:
        """Play the match to its end.

        Raises:
            Left: the person left.
            OpponentError: the program gave no legal turn.
            KeyboardInterrupt: Ctrl-C. The record has been kept in all these cases.
        """
        try:
            self._keep(whole=False)
            while self.match.phase is not Phase.OVER:
                self._step()
        except EOFError:
            raise Left from None
        finally:
            self._keep(whole=True)
        self.front.result(self.view(), self._outcome(), sums=self.match.termination is None)

    def view(self, laid: Lay | None = None) -> View:
        """What the person sees, with a card laid but not yet drawn for."""
        if laid is None or self.match.round is None:
            return view_for(self.match, self._seat)
        return view_for(replace(self.match, round=make_lay(self.match.round, laid)), self._seat)

    def _keep(self, *, whole: bool) -> None:
        """Keep the record; if that fails the match goes on, and the next turn tries again."""
        if self._keeper is None:
            return
        try:
            self._keeper.keep(self.events, whole=whole)
        except OSError as error:
            if self.unkept is None:
                self.front.say(f"The record could not be written ({error.strerror or error}).")
            self.unkept = error
        else:
            self.unkept = None

    def _apply(self, event: Event | Refusal) -> None:
        if isinstance(event, Refusal):
            raise IllegalTurnError(event)  # what is asked for has been checked
        self.match = evolve(self.match, event)
        self.events.append(event)

    def _step(self) -> None:
        match self.match.phase:
            case Phase.DEALING:
                self._deal()
            case Phase.PLAYING:
                mine = self.match.round is not None and self.match.round.to_move == self._seat
                self._own_turn() if mine else self._other_turn()
                self._keep(whole=False)
            case Phase.BETWEEN:
                self._between()
            case Phase.OVER:
                return
            case _ as never:
                assert_never(never)

    def _deal(self) -> None:
        number = self.match.number + 1
        deck = self._decks.deck(self.match.rules, number)
        self._apply(decide_deal(self.match, deck, self._decks.coin()))
        self.front.begins(self.view(), self._name(self.match.start))

    def _name(self, seat: Seat) -> str:
        return "you" if seat == self._seat else self._opponent.shown

    # ---- turns ----------------------------------------------------------------------------------

    def _other_turn(self) -> None:
        seat = other(self._seat)
        with self.front.thinking(self.view()):
            turn = self._opponent.choose(view_for(self.match, seat))
        event = decide_turn(self.match, seat, turn.public, self._ply())
        if isinstance(event, Refusal):
            raise OpponentError(f"{self._opponent.shown}: {turn} is no legal turn: {event.text}")
        taken = self._taken(turn)
        self._apply(event)
        self.front.turn(telling.told(turn.public, self._opponent.shown, taken))

    def _taken(self, turn: Turn) -> Card | None:
        """The card that a turn is about to take from a pile."""
        if turn.draw is None or self.match.round is None:
            return None
        return make_lay(self.match.round, turn.lay).piles[turn.draw][-1]

    def _ply(self) -> int:
        return self.match.round.ply if self.match.round is not None else 0

    def _own_turn(self) -> None:
        laid: Lay | None = None
        self.front.board(self.view(), None)
        while True:
            wish = self._ask(laid)
            if isinstance(wish, DrawWish) and laid is not None:
                wish = LayWish(laid, wish)
            if isinstance(wish, LayWish):
                refused = self._refused(wish.lay, wish.draw)
                if refused is not None:
                    self.front.say(telling.refused(refused, wish.lay))
                    continue
                if wish.draw is not None:
                    return self._played(Turn(wish.lay, wish.draw.source))
                laid = wish.lay
                self.front.board(self.view(laid), laid)
            elif wish is Order.UNDO and laid is not None:
                laid = None
                self.front.board(self.view(), None)
            elif self._answered(wish, laid):
                return None

    def _ask(self, laid: Lay | None) -> Wish:
        view = self.view(laid)
        prompt = telling.ASK_LAY if laid is None else telling.ask_draw(view, laid)
        return read_wish(self.front.ask(prompt), laid=laid is not None)

    def _refused(self, lay: Lay, draw: DrawWish | None) -> Refusal | None:
        assert self.match.round is not None
        refused = lay_refusal(self.match.round, lay)
        if refused is None and draw is not None:
            refused = draw_refusal(self.match.round, Turn(lay, draw.source))
        return refused

    def _played(self, turn: Turn) -> None:
        taken = self._taken(turn)
        self._apply(decide_turn(self.match, self._seat, turn, self._ply()))
        assert self.match.round is not None
        seen = self.match.round.last_turn
        self.front.turn(telling.told(seen or turn, None, taken))

    # ---- other wishes ---------------------------------------------------------------------------

    def _answered(self, wish: Wish, laid: Lay | None) -> bool:
        """Answer a wish that is no turn; True if it ended the match."""
        match wish:
            case Misread(text):
                self.front.say(text[:1].upper() + text[1:] + ".")
            case Order.HELP:
                self.front.say(telling.HELP)
            case Order.BOARD:
                self.front.board(self.view(laid), laid)
            case Order.PILES:
                self.front.say(telling.piles(self.view(laid)))
            case Order.SCORE:
                self.front.sums(self.view(laid))
            case Order.LEGAL:
                self.front.say(telling.legal(self.view(laid)))
            case Order.UNDO:
                self.front.say("Nothing to take back: a turn is over when its card is drawn.")
            case Order.RESIGN:
                return self._resigned()
            case Order.QUIT:
                raise Left
            case _:
                self.front.say("That is asked after a round.")
        return False

    def _resigned(self) -> bool:
        if read_wish(self.front.ask("Give the match up? yes or no"), laid=False) is Order.GO_ON:
            self._apply(decide_resign(self.match, self._seat))
            return True
        self.front.say("The match goes on.")
        return False

    # ---- between rounds and at the end ----------------------------------------------------------

    def _between(self) -> None:
        view = self.view()
        self.front.sums(view)
        starter = next_starter(self.match)
        assert starter is not None
        prompt = f"{self._name(starter).capitalize()} would start the next round."
        while True:
            wish = self._between_wish(prompt)
            if wish is Order.GO_ON:
                for seat in (self._seat, other(self._seat)):
                    self._apply(decide_continue(self.match, seat, go_on=True))
                return None
            if wish is Order.STOP:
                return self._apply(decide_continue(self.match, self._seat, go_on=False))
            if self._answered(wish, None):
                return None

    def _between_wish(self, prompt: str) -> Wish:
        text = self.front.ask(f"{prompt} Enter to go on, no to end the match here")
        return read_wish(text, laid=False) if text.strip() else Order.GO_ON

    def _outcome(self) -> str:
        mine, theirs = self._seat, other(self._seat)
        rounds = [
            f"Round {number}: you {each.score[mine]}, {self._opponent.shown} {each.score[theirs]}"
            for number, each in enumerate(self.match.results, 1)
        ]
        return "\n".join([*rounds, self._winner()])

    def _winner(self) -> str:
        totals, end, winner = self.match.totals, self.match.termination, self.match.winner
        name = self._opponent.shown
        if end is not None and end.kind == "resigned":
            return f"You gave the match up; {name} wins."
        points = f"{totals[self._seat]} to {totals[other(self._seat)]}"
        if winner is None:
            return f"A draw, {points}."
        return (
            f"You win, {points}." if winner == self._seat else f"{name} wins; you lose, {points}."
        )


def by_seat(seat: Seat, mine: str, theirs: str) -> BySeat[str | None]:
    """Names by seat."""
    return BySeat(mine, theirs) if seat == 0 else BySeat(theirs, mine)
