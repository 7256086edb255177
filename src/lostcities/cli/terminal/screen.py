"""The match drawn with Rich on a terminal of 80 × 24 characters or more.

A line a colour: the other's row, the pile in the middle, the person's row. Cards bear their letter
and number, so that nothing depends on colour.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Self

from rich.console import Console, Group
from rich.rule import Rule
from rich.style import Style
from rich.table import Table
from rich.text import Text

from lostcities.cli.terminal import telling
from lostcities.core.cards import Card, Colour
from lostcities.core.seats import other
from lostcities.core.turn import Lay
from lostcities.core.views import View

WIDTH = 80
HEIGHT = 24
_STRIP = 26
_DARK, _LIGHT = "#16202A", "#FFFFFF"
_FILLS = {
    Colour.YELLOW: ("#FFBD25", _DARK),
    Colour.BLUE: ("#0D47CF", _LIGHT),
    Colour.WHITE: ("#FBF8EF", _DARK),
    Colour.GREEN: ("#48A89C", _DARK),
    Colour.RED: ("#AA3A18", _LIGHT),
    Colour.PURPLE: ("#49275D", _LIGHT),
}
_STYLES = {
    colour: Style(bgcolor=fill, color=ink, bold=True) for colour, (fill, ink) in _FILLS.items()
}
_FAINT = Style(dim=True)
_GOOD, _BAD = Style(bold=True), Style(bold=True, color="red")
_TURN = Style(bold=True, reverse=True)


def terminal() -> Console:
    """The terminal of this process; text is shown as it is, brackets included."""
    return Console(highlight=False, markup=False, emoji=False)


def fits(console: Console) -> bool:
    """Whether the terminal is large enough for the board."""
    return console.is_terminal and console.width >= WIDTH and console.height >= HEIGHT


class Screen:
    """Draws the whole board anew before each question, in the terminal's second screen."""

    def __init__(self, console: Console, opponent: str) -> None:
        self._console, self._opponent = console, opponent
        self._view: View | None = None
        self._laid: Lay | None = None
        self._turns: list[str] = []
        self._said = ""

    def __enter__(self) -> Self:
        self._console.set_alt_screen(True)
        return self

    def __exit__(self, *_: object) -> None:
        self._console.set_alt_screen(False)

    # ---- what the match tells -------------------------------------------------------------------

    def begins(self, view: View, starter: str) -> None:
        """Forget the last round's turns and say who starts."""
        starts = "You start" if starter == "you" else f"{starter} starts"
        self._view, self._laid = view, None
        self._turns = [f"{starts}."]

    def board(self, view: View, laid: Lay | None) -> None:
        """Keep what is to be drawn before the next question."""
        self._view, self._laid = view, laid

    def turn(self, text: str) -> None:
        """Keep the last two turns in sight."""
        self._turns = [*self._turns[-1:], text]

    def say(self, text: str) -> None:
        """One line goes under the board; more get the screen until Enter."""
        if "\n" in text:
            self._page(Text(text))
        else:
            self._said = text

    def ask(self, prompt: str) -> str:
        """Draw the board, then ask under it."""
        self._draw(prompt)
        self._said = ""
        return self._console.input(Text("> ", style="bold"))

    def thinking(self, view: View) -> AbstractContextManager[object]:
        """The board after the person's turn, and a sign that the program is at work."""
        self._view, self._laid = view, None
        self._draw("")
        return self._console.status(f"{self._opponent} is thinking", spinner="dots")

    def sums(self, view: View) -> None:
        """Both sides' sums, until Enter."""
        self._view, self._laid = view, None
        self._page(self._table(view))

    def result(self, view: View, text: str, *, sums: bool) -> None:
        """Leave the second screen, so that the result stays to be seen."""
        self._console.set_alt_screen(False)
        if sums:
            self._console.print(self._table(view))
        self._console.print(Text(text, style="bold"))

    def leaves(self, text: str) -> None:
        """Leave the second screen and say so."""
        self._console.set_alt_screen(False)
        self._console.print(text)

    # ---- drawing --------------------------------------------------------------------------------

    def _page(self, content: Text | Table) -> None:
        self._console.clear()
        self._console.print(content)
        self._console.print()
        self._console.input(Text("Enter goes on ", style=_FAINT))

    def _draw(self, prompt: str) -> None:
        if self._view is None:
            return
        self._console.clear()
        self._console.print(self._picture(self._view))
        self._console.print(Text(self._said, style="bold red"), no_wrap=True, overflow="ellipsis")
        self._console.print(Text(prompt, style="bold"))

    def _picture(self, view: View) -> Group:
        lines: list[Text | Rule] = [self._title(view), self._known(view), self._heads(view)]
        for colour in view.rules.all_colours():
            lines += [self._line(view, colour), Text()]
        lines += [Rule(style="dim"), *self._last_turns(), Text()]
        return Group(*lines, *self._hand(view))

    def _title(self, view: View) -> Text:
        of = f" of {view.rounds}" if isinstance(view.rounds, int) else ""
        left = f" Lost Cities · round {view.round}{of}"
        turns = telling.turns_left(view)
        right = f"deck {view.deck} "
        if view.to_move is None:
            right = "the round is over "
        elif turns is not None:
            right = f"deck {view.deck}, your turns {turns} "
        return Text(f"{left}{right:>{WIDTH - len(left)}}", style="bold")

    def _known(self, view: View) -> Text:
        return Text(f" {telling.known_text(view, self._opponent)}", style=_FAINT)

    def _heads(self, view: View) -> Text:
        you, they = telling.totals_with(view)
        mine, theirs = view.own_seat, other(view.own_seat)
        name = self._opponent[:14]
        left = f"{name}  {view.scores[theirs]}, in total {they} "
        right = f" you  {view.scores[mine]}, in total {you}"
        text = Text(f" {left:>{_STRIP + 6}}", style="bold" if view.to_move == theirs else "")
        text.append("    pile    ", style=_FAINT)
        return text.append(f"{right:<{_STRIP + 6}}", style="bold")

    def _line(self, view: View, colour: Colour) -> Text:
        mine, theirs = view.own_seat, other(view.own_seat)
        text = Text(" ")
        strip = _strip(view.expeditions[theirs][colour])
        text.append(" " * (_STRIP - len(strip))).append_text(strip)
        text.append_text(_points(dict(telling.sums(view, theirs))[colour].total, strip, ">5"))
        text.append_text(_pile(view.piles[colour], colour))
        strip = _strip(view.expeditions[mine][colour])
        text.append_text(_points(dict(telling.sums(view, mine))[colour].total, strip, ">4"))
        return text.append("  ").append_text(strip)

    def _last_turns(self) -> list[Text]:
        shown = [Text(f" {each}", no_wrap=True, overflow="ellipsis") for each in self._turns[-2:]]
        if len(shown) == 2:
            shown[0].stylize(_FAINT)
        return [*[Text()] * (2 - len(shown)), *shown]

    def _hand(self, view: View) -> list[Text]:
        """The hand as cards, a sign under each that may be played."""
        playable = {lay.card for lay in telling.lay_of(view) if not lay.discard}
        cards, signs, before = Text(" Hand  "), " " * 7, None
        for card in view.hand:
            gap = "  " if before not in (None, card.colour) else " "
            chip = f" {card} "
            cards.append(gap).append(chip, style=_STYLES[card.colour])
            sign = "+" if card in playable and self._laid is None else ""
            signs += gap + f"{sign:^{len(chip)}}"
            before = card.colour
        return [cards, Text(signs, style=_FAINT)]

    def _table(self, view: View) -> Table:
        mine, theirs = view.own_seat, other(view.own_seat)
        table = Table(title=f"Round {view.round}", width=WIDTH - 2)
        table.add_column(self._opponent, justify="right", ratio=1)
        table.add_column("", justify="center", width=3)
        table.add_column("you", ratio=1)
        others = dict(telling.sums(view, theirs))
        for colour, own in telling.sums(view, mine):
            chip = Text(f" {colour.letter} ", style=_STYLES[colour])
            table.add_row(telling.sum_text(others[colour]), chip, telling.sum_text(own))
        table.add_section()
        table.add_row(str(view.scores[theirs]), "", str(view.scores[mine]), style="bold")
        you, they = telling.totals_with(view)
        table.add_row(f"in total {they}", "", f"in total {you}", style="bold")
        return table


def _strip(row: tuple[Card, ...]) -> Text:
    """A row as one strip of its colour, each card's rank on it."""
    if not row:
        return Text()
    ranks = " ".join("X" if card.is_wager else str(card.rank) for card in row)
    return Text(f" {ranks} ", style=_STYLES[row[0].colour])


def _points(total: int, strip: Text, width: str) -> Text:
    text = f"{total if len(strip) else '·':{width}}"
    return Text(f" {text}" if width == ">4" else f"{text} ", style=_points_style(total, strip))


def _points_style(total: int, strip: Text) -> Style:
    if not len(strip):
        return _FAINT
    return _BAD if total < 0 else _GOOD


def _pile(pile: tuple[Card, ...], colour: Colour) -> Text:
    """The top of a pile and how many cards it has; an empty one is a bare letter."""
    top = f" {pile[-1]} " if pile else f" {colour.letter} "
    text = Text()
    text.append("│ ", style=_FAINT).append(top, style=_STYLES[colour] if pile else _FAINT)
    count = f"({len(pile)})" if len(pile) > 1 else ""
    return text.append(f"{count:>{9 - len(top)}} │", style=_FAINT)
