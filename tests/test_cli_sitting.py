"""The match behind `lostcities play`: turns, words, the end, the record that is kept."""

import os
import re
import stat
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lostcities.cli.terminal.decks import SeededDecks
from lostcities.cli.terminal.keeping import Keeper
from lostcities.cli.terminal.sitting import Left, OpponentError, Sitting, by_seat
from lostcities.core.cards import parse_cards
from lostcities.core.errors import NotationError
from lostcities.core.match import Phase, Termination
from lostcities.core.record import Record
from lostcities.core.record_text import parse_record
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat, Seat
from lostcities.core.turn import Lay, Turn, parse_turn
from lostcities.core.views import View

SHORT = Rules.parse("colours=2 wagers=0 top=5 hand=2 rounds=2 first=0")


class Discarder:
    """An opponent that discards its first card and draws from the deck."""

    shown = "mate"

    def choose(self, view: View) -> Turn:
        assert view.to_move == view.seat
        return Turn(Lay(view.hand[0], discard=True), None)


class Desk:
    """A front that types what a function answers to the view, and keeps what it is told."""

    def __init__(self, types: Callable[[View, str], str]) -> None:
        self._types = types
        self.view: View | None = None
        self.told: list[str] = []
        self.sums_shown = 0

    def begins(self, view: View, starter: str) -> None:
        self.view = view
        self.told.append(f"{starter} starts round {view.round}")

    def board(self, view: View, laid: Lay | None) -> None:
        self.view = view

    def turn(self, text: str) -> None:
        self.told.append(text)

    def say(self, text: str) -> None:
        self.told.append(text)

    def ask(self, prompt: str) -> str:
        assert self.view is not None
        return self._types(self.view, prompt)

    def thinking(self, view: View) -> AbstractContextManager[object]:
        return nullcontext()

    def sums(self, view: View) -> None:
        self.sums_shown += 1

    def result(self, view: View, text: str, *, sums: bool) -> None:
        self.told.append(text)

    def leaves(self, text: str) -> None:
        self.told.append(text)


def typing(*lines: str) -> Callable[[View, str], str]:
    """Types these lines, then nothing more."""
    waiting = iter(lines)

    def types(_: View, __: str) -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    return types


def discarding(view: View, prompt: str) -> str:
    """Types a whole match: always the first legal discard, drawing from the deck; goes on."""
    if "next round" in prompt:
        return ""
    return next(str(turn) for turn in view.legal if turn.lay.discard)


def seated(
    desk: Desk, rules: Rules = SHORT, seat: Seat = 0, keeper: Keeper | None = None
) -> Sitting:
    return Sitting(rules, seat, Discarder(), SeededDecks(1), desk, keeper)


def kept(path: Path) -> Record:
    return parse_record(path.read_text(encoding="utf-8"))


# ---- the sitting --------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_a_whole_match_is_played_to_its_end(seat: Seat) -> None:
    desk = Desk(discarding)
    sitting = seated(desk, seat=seat)
    sitting.play()
    assert sitting.match.phase is Phase.OVER
    assert sitting.match.totals == BySeat(0, 0)
    assert desk.told[-1].endswith("A draw, 0 to 0.")
    assert desk.sums_shown == 1
    assert [text for text in desk.told if "starts round" in text] == [
        f"{'you' if seat == 0 else 'mate'} starts round 1",
        f"{'mate' if seat == 0 else 'you'} starts round 2",
    ]


def test_the_front_never_sees_more_than_the_seat_may() -> None:
    seen: list[View] = []

    def types(view: View, prompt: str) -> str:
        seen.append(view)
        return discarding(view, prompt)

    desk = Desk(types)
    seated(desk).play()
    assert all(view.seat == 0 for view in seen)
    told = " ".join(desk.told)
    assert re.search(r"You discard \w+ and draw \w+ from the deck", told)
    assert not re.search(r"mate discards \w+ and draws \w+ from", told.replace("draws from", ""))


def test_a_lay_is_taken_back_before_the_draw_and_changes_nothing() -> None:
    desk = Desk(discarding)
    sitting = seated(desk)
    before: list[View] = []

    def types(view: View, prompt: str) -> str:
        if len(before) < 4:
            before.append(view)
            return ["-" + str(view.hand[0]), "undo", "+" + str(view.hand[-1]), "u"][len(before) - 1]
        return discarding(view, prompt)

    desk._types = types
    sitting.play()
    assert before[0] == before[2]
    assert before[1].legal == tuple(t for t in before[0].legal if t.lay == before[1].legal[0].lay)
    assert before[1].hand == before[0].hand[1:]
    assert before[3].expeditions[0] != before[0].expeditions[0]


def test_after_taking_back_a_card_has_to_be_laid_first() -> None:
    desk = Desk(typing())
    typed = iter(["-{0}", "undo", "*", "quit"])
    desk._types = lambda view, _: next(typed).format(*view.hand)
    with pytest.raises(Left):
        seated(desk).play()
    assert desk.told[1].startswith("Lay a card first")


def test_another_lay_replaces_the_first_until_the_draw() -> None:
    desk = Desk(typing())
    sitting = seated(desk)
    typed = iter(["-{0}", "+{0}", "*", "quit"])
    desk._types = lambda view, _: next(typed).format(*view.hand)
    with pytest.raises(Left):
        sitting.play()
    assert desk.told[1].startswith("You play ")


def test_a_card_taken_from_a_pile_is_named_for_both() -> None:
    class Taker(Discarder):
        def choose(self, view: View) -> Turn:
            return next((turn for turn in view.legal if turn.draw is not None), view.legal[-1])

    desk = Desk(discarding)
    Sitting(SHORT, 0, Taker(), SeededDecks(1), desk, None).play()
    mine, theirs = desk.told[1:3]
    laid = mine.split()[2]
    assert theirs.endswith(f"and takes {laid} from its pile.")


def test_a_draw_that_is_barred_says_why_and_the_lay_stays() -> None:
    desk = Desk(typing())
    sitting = seated(desk)
    typed = iter(["-{0}", "<{0}", "*", "quit"])
    desk._types = lambda view, _: next(typed).format(*(view.hand or ("",)))
    with pytest.raises(Left):
        sitting.play()
    assert "just discarded" in desk.told[1] or "is empty" in desk.told[1]
    assert desk.told[2].startswith("You discard ")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("?", "Write a turn in one go"),
        ("piles", "All piles are empty"),
        ("legal", "+"),
        ("undo", "Nothing to take back"),
        ("yes", "That is asked after a round"),
        ("<y", "Lay a card first"),
        ("hello", "'hello' is not understood"),
        ("+P2", "Not possible: P2 is not in the deck"),
        ("+p2*", "Not possible: P2 is not in the deck"),
    ],
)
def test_other_words_are_answered_and_the_turn_is_still_due(typed: str, told: str) -> None:
    desk = Desk(typing(typed, "quit"))
    with pytest.raises(Left):
        seated(desk, Rules(first=0)).play()
    assert any(told in text for text in desk.told), desk.told
    assert not any(text.startswith("You p") for text in desk.told)


def test_a_card_of_the_others_is_not_held() -> None:
    desk = Desk(typing())
    sitting = seated(desk)
    typed: list[str] = []

    def types(view: View, _: str) -> str:
        absent = next(card for card in SHORT.all_cards() if card not in view.hand)
        typed.append(str(absent))
        return f"-{absent}" if len(typed) == 1 else "quit"

    desk._types = types
    with pytest.raises(Left):
        sitting.play()
    assert f"You do not hold {typed[0]}." in desk.told


def test_resigning_is_asked_twice_and_ends_the_match() -> None:
    desk = Desk(typing("resign", "no", "resign", "yes"))
    sitting = seated(desk)
    sitting.play()
    assert sitting.match.termination == Termination("resigned", 0)
    assert "The match goes on." in desk.told
    assert desk.told[-1] == "You gave the match up; mate wins."


def test_declining_the_next_round_ends_the_match() -> None:
    desk = Desk(lambda view, prompt: "no" if "next round" in prompt else discarding(view, prompt))
    sitting = seated(desk, replace(SHORT, rounds="open"))
    sitting.play()
    assert sitting.match.termination == Termination("declined")
    assert len(sitting.match.results) == 1


def test_an_opponent_without_a_legal_turn_breaks_the_match_off(tmp_path: Path) -> None:
    class Cheat(Discarder):
        def choose(self, view: View) -> Turn:
            return parse_turn("+P10*")

    keeper = Keeper(tmp_path / "r.lcr", SHORT, 0, by_seat(0, "Ada", "cheat"))
    sitting = Sitting(SHORT, 0, Cheat(), SeededDecks(1), Desk(discarding), keeper)
    with pytest.raises(OpponentError, match=r"\+P10\*"):
        sitting.play()
    assert kept(tmp_path / "r.lcr").termination == Termination("unfinished")


@given(st.lists(st.sampled_from(["+{0}", "-{0}", "+{1}*", "-{1}*", "*", "<y", "<b", "u", "?", "",
                                 "score", "no", "c", "board", "resign", "x"]), max_size=40),
       st.integers(0, 1000))  # fmt: skip
def test_no_typing_breaks_a_match(typed: list[str], seed: int) -> None:
    lines = iter(typed)

    def types(view: View, _: str) -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        cards = [*map(str, view.hand), "Y2", "B3"]
        return line.format(*cards)

    sitting = Sitting(SHORT, seed % 2, Discarder(), SeededDecks(seed), Desk(types), None)
    try:
        sitting.play()
    except Left:
        assert sitting.match.phase is not Phase.OVER
    else:
        assert sitting.match.phase is Phase.OVER


# ---- the record ---------------------------------------------------------------------------------


def test_the_record_is_kept_turn_by_turn_as_the_seat_sees_it(tmp_path: Path) -> None:
    path = tmp_path / "r.lcr"
    seen: list[Record] = []

    def types(view: View, prompt: str) -> str:
        seen.append(kept(path))
        return discarding(view, prompt)

    keeper = Keeper(path, SHORT, 0, by_seat(0, "Ada", "mate@1"))
    sitting = seated(Desk(types), keeper=keeper)
    sitting.play()
    assert all(each.termination == Termination("unfinished") for each in seen)
    assert all(round_.deck is None for each in seen for round_ in each.rounds)
    assert seen[1].rounds[0].hands[0] is not None
    assert seen[1].rounds[0].hands[1] is None
    assert len(seen[1].rounds[0].turns) == 2
    assert seen[1].rounds[0].turns[1].drawn is None
    whole = kept(path)
    assert (whole.termination, whole.seats) == (None, BySeat("Ada", "mate@1"))
    assert all(each.deck is not None for each in whole.rounds)
    assert [each.score for each in whole.rounds] == [r.score for r in sitting.match.results]
    assert os.listdir(tmp_path) == ["r.lcr"]  # noqa: PTH208


def test_a_match_that_is_left_is_kept_whole_and_unfinished(tmp_path: Path) -> None:
    path = tmp_path / "r.lcr"
    desk = Desk(typing())
    sitting = seated(desk, keeper=Keeper(path, SHORT, 0, by_seat(0, "Ada", "mate")))
    with pytest.raises(Left):
        sitting.play()
    record = kept(path)
    assert record.termination == Termination("unfinished")
    assert record.rounds[0].deck is not None


def test_a_file_with_something_in_it_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "r.lcr"
    path.write_text("precious")
    with pytest.raises(NotationError, match="something in this file"):
        Keeper(path, SHORT, 0, by_seat(0, "a", "b"))
    assert path.read_text() == "precious"
    with pytest.raises(NotationError, match="not a file"):
        Keeper(tmp_path, SHORT, 0, by_seat(0, "a", "b"))


def test_the_record_keeps_its_link_and_its_mode(tmp_path: Path) -> None:
    target, link = tmp_path / "target.lcr", tmp_path / "link.lcr"
    target.touch(mode=0o640)
    target.chmod(0o640)
    link.symlink_to(target)
    keeper = Keeper(link, SHORT, 0, by_seat(0, "Ada", "mate"))
    seated(Desk(discarding), keeper=keeper).play()
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert kept(target).rounds


def test_a_full_disk_is_said_once_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.lcr"
    keeper = Keeper(path, SHORT, 0, by_seat(0, "Ada", "mate"))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    desk = Desk(discarding)
    sitting = seated(desk, keeper=keeper)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        sitting.play()
    assert sitting.match.phase is Phase.OVER
    assert sitting.unkept is not None
    assert sum("No space left" in text for text in desk.told) == 1
    assert os.listdir(tmp_path) == ["r.lcr"]  # noqa: PTH208


# ---- decks for study ----------------------------------------------------------------------------


def test_a_seed_means_the_same_deck_for_ever() -> None:
    """Pinned: a change here would change every deal that someone noted down by its seed."""
    first = SeededDecks(7).deck(Rules(), 1)
    assert first == SeededDecks(7).deck(Rules(), 1)
    assert sorted(first) == sorted(Rules().all_cards())
    assert first[:8] == parse_cards("Y5 GX RX B6 BX B4 B3 Y4")
    assert first != SeededDecks(7).deck(Rules(), 2)
    assert first != SeededDecks(8).deck(Rules(), 1)
    assert {SeededDecks(seed).coin() for seed in range(20)} == {0, 1}
