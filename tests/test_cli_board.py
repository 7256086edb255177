"""The two ways in which `lostcities play` shows a match."""

import io
import re
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import Console

from lostcities.cli.terminal import telling
from lostcities.cli.terminal.lines import Lines
from lostcities.cli.terminal.screen import HEIGHT, WIDTH, Screen, fits
from lostcities.core.cards import parse_cards
from lostcities.core.position import parse_position
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.core.turn import Lay
from lostcities.core.views import View, view_of_round

# ---- plain lines --------------------------------------------------------------------------------

BUSY = (
    "0 | Y10 B4 B7 WX W9 G10 RX R4 | Y9 W2 W3 B9 B10 R2 R3 R5 | YX YX Y2 Y3 Y5 Y7 Y8 BX B3 GX G4 G5 "
    "G6 G7 G8 G9 RX | BX B2 B5 W5 W6 W10 YX GX R6 R8 R10 | Y4 Y6 WX W4 R7 | W7 W8 G2 G3 RX B6 B8 R9"
)


def busy(rules: str = "", **changes: object) -> View:
    state = replace(
        parse_position(BUSY, Rules.parse(rules)), taken=BySeat((), parse_cards("Y9 B9")), ply=33
    )
    return replace(view_of_round(state, 0, 2, BySeat(35, -12)), **changes)  # type: ignore[arg-type]


def test_plain_lines_tell_the_whole_board(capsys: pytest.CaptureFixture[str]) -> None:
    Lines("mate").board(busy(), None)
    told = capsys.readouterr().out
    assert "Deck 8. This round: you -21, mate -101. In total with it: you 14, mate -113." in told
    assert "Yellow: you YX YX Y2 Y3 Y5 Y7 Y8 (15), mate YX (-40), pile Y6 on 1." in told
    assert "White: mate W5 W6 W10 (1), pile W4 on 1." in told
    assert "Blue: you BX B3 (-34), mate BX B2 B5 (-26)." in told
    assert "mate took and still holds Y9 B9." in told
    assert "Turns left for you: 4" in told
    assert "Your hand: Y10 B4 B7 WX W9 G10 RX R4" in told
    assert told.isprintable() or "\x1b" not in told


@pytest.mark.parametrize(("deck", "turns"), [(11, None), (10, 5), (7, 4), (2, 1), (1, 1)])
def test_the_turns_left_are_told_near_the_end(deck: int, turns: int | None) -> None:
    """If all draw from the deck, the seat to move draws its first, third, fifth … card."""
    assert telling.turns_left(busy(deck=deck)) == turns


def test_plain_sums_show_the_working(capsys: pytest.CaptureFixture[str]) -> None:
    Lines("mate").result(busy(), "You win, 1 to 0.", sums=True)
    told = capsys.readouterr().out.splitlines()
    assert "You, yellow: (25 - 20) × 3 = 15" in told
    assert "mate, red: 24 - 20 = 4" in told
    assert told[-1] == "You win, 1 to 0."


# ---- the drawn board ----------------------------------------------------------------------------


def drawn(
    view: View, laid: Lay | None = None, *, answers: str = "\n", console: Console | None = None
) -> list[str]:
    screen_console = console or Console(
        file=io.StringIO(), width=WIDTH, height=HEIGHT, force_terminal=True,
        color_system="truecolor", highlight=False,
    )  # fmt: skip
    screen = Screen(screen_console, "mate")
    screen.begins(view, "you")
    screen.turn("mate discards R7 and draws from the deck.")
    screen.board(view, laid)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO(answers))
        patch.setattr(sys, "stdout", io.StringIO())
        screen.ask("Draw")
    written = screen_console.file.getvalue()  # type: ignore[attr-defined]
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", str(written))
    return [line.rstrip() for line in shown.splitlines()]


def test_the_board_shows_rows_piles_scores_hand_and_what_is_known() -> None:
    lines = drawn(busy())
    assert "round 2 of 3" in lines[0]
    assert lines[0].endswith("deck 8, your turns 4")
    assert "mate took and still holds Y9 B9" in lines[1]
    assert "mate  -101, in total -113" in lines[2]
    assert "you  -21, in total 14" in lines[2]
    yellow = next(line for line in lines if "Y6" in line)
    assert yellow.split() == [
        "X",
        "-40",
        "│",
        "Y6",
        "(2)",
        "│",
        "15",
        "X",
        "X",
        "2",
        "3",
        "5",
        "7",
        "8",
    ]
    hand = next(line for line in lines if line.startswith(" Hand"))
    assert hand.split() == ["Hand", "Y10", "B4", "B7", "WX", "W9", "G10", "RX", "R4"]
    assert lines[lines.index(hand) + 1].split() == ["+"] * 8


def test_once_a_card_is_laid_no_other_is_marked_as_playable() -> None:
    """Even where one of two equal wagers stays in the hand."""
    state = parse_position("0 | WX | ?2 | WX | - | - | ?9 | +WX")
    laid = drawn(view_of_round(state, 0), state.lay)
    hand = next(index for index, line in enumerate(laid) if line.startswith(" Hand"))
    assert (laid[hand].split(), laid[hand + 1]) == (["Hand", "WX"], "")


@pytest.mark.parametrize("rules", ["", "long"])
def test_the_board_fits_into_80_by_24_with_the_longest_rows(rules: str) -> None:
    view = busy(rules)
    full = tuple(card for card in view.rules.all_cards() if card.colour == 0)
    rows = tuple(
        tuple(replace(card, colour=colour) for card in full) for colour in view.rules.all_colours()
    )
    crammed = replace(view, expeditions=BySeat(rows, rows), piles=rows, scores=BySeat(-999, -999))
    lines = drawn(crammed)
    assert len(lines) <= HEIGHT
    assert max(map(len, lines)) <= WIDTH
    assert sum("X X X 2 3 4 5 6 7 8 9 10" in line for line in lines) == view.rules.colours


def test_cards_bear_the_colours_of_their_suit() -> None:
    file = io.StringIO()
    console = Console(
        file=file, width=WIDTH, height=HEIGHT, force_terminal=True, color_system="truecolor"
    )
    drawn(busy(), console=console)
    assert "48;2;255;189;37" in file.getvalue()


def test_a_message_stands_under_the_board_once() -> None:
    console = Console(file=io.StringIO(), width=WIDTH, height=HEIGHT, force_terminal=True)
    screen = Screen(console, "mate")
    screen.begins(busy(), "mate")
    screen.say("You do not hold Y9.")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("\n\n"))
        patch.setattr(sys, "stdout", io.StringIO())
        screen.ask("Play")
        screen.ask("Play")
    assert console.file.getvalue().count("You do not hold Y9.") == 1  # type: ignore[attr-defined]


def test_a_small_window_gets_lines() -> None:
    def terminal(width: int, height: int) -> Console:
        return Console(file=io.StringIO(), width=width, height=height, force_terminal=True)

    assert fits(terminal(80, 24))
    assert not fits(terminal(79, 24))
    assert not fits(terminal(80, 23))
    assert not fits(Console(file=io.StringIO(), width=80, height=24))


def on_screen(act: Callable[[Screen], None], typed: str) -> tuple[str, str]:
    """What an act writes, and what of the typed it leaves."""
    file, keys = io.StringIO(), io.StringIO(typed)
    console = Console(file=file, width=WIDTH, height=HEIGHT, force_terminal=True, markup=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", keys)
        patch.setattr(sys, "stdout", io.StringIO())
        with Screen(console, "mate") as screen:
            screen.begins(busy(), "mate")
            act(screen)
    return re.sub(r"\x1b\[[0-9;]*m", "", file.getvalue()), keys.read()


def test_sums_and_long_answers_wait_for_enter() -> None:
    shown, left = on_screen(lambda screen: screen.sums(busy()), "\nnext")
    assert "(25 - 20) × 3 = 15" in shown
    assert left == "next"
    shown, left = on_screen(lambda screen: screen.say("one\ntwo"), "\nnext")
    assert "one\ntwo" in shown
    assert left == "next"


def test_the_result_stays_on_the_persons_own_screen() -> None:
    shown, _ = on_screen(lambda screen: screen.result(busy(), "You [win].", sums=True), "")
    after = shown.partition("\x1b[?1049l")[2]
    assert "You [win]." in after
    assert "in total -113" in after
    shown, _ = on_screen(lambda screen: screen.leaves("You left."), "")
    assert "You left." in shown.partition("\x1b[?1049l")[2]


def test_the_program_thinks_under_the_board_as_it_is_now() -> None:
    def act(screen: Screen) -> None:
        with screen.thinking(busy(deck=7)):
            pass

    shown, _ = on_screen(act, "")
    assert "deck 7" in shown
    assert "mate is thinking" in shown


def test_without_a_deal_only_the_question_is_asked() -> None:
    console = Console(file=io.StringIO(), width=WIDTH, height=HEIGHT, force_terminal=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("yes\n"))
        patch.setattr(sys, "stdout", io.StringIO())
        assert Screen(console, "mate").ask("Well?") == "yes"
