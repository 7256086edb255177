"""`lostcities replay` and `lostcities record`."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.deck_faults import base_text

from data_files import DATA
from lostcities.core.match import Phase
from lostcities.core.position import parse_position
from lostcities.core.record import Replay, replay
from lostcities.core.record_text import read_record
from lostcities.core.rules import Rules
from lostcities.core.view_json import view_from_dict
from lostcities.core.views import view_of_round
from running import assert_refused, run_apart, run_here

RECORDS = sorted((DATA / "records").glob("*.lcr"))
WHOLE = DATA / "records" / "m000.lcr"

ONE_SIDED = """[Event "Seen"]
[Seat0 "Ada"]
[Seat1 "Grace"]
[Rules "colours=2 hand=2 cost=20 bonus=20 bonus_at=8 rounds=1 first=0 next=alternate"]
[Result "0 0"]
[Termination "unfinished"]

[Round "1"]
[Start "0"]
[Hand0 "Y2 B3"]
1. +Y2*Y5 -B9*
2. +B3<B
"""


def loaded(path: Path) -> Replay:
    return replay(read_record(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_right_record_replays_to_its_scores(path: Path) -> None:
    ran = run_here("replay", "--json", str(path))
    assert ran.status == 0
    read = json.loads(ran.out)
    record = loaded(path).record
    assert read == {
        "file": str(path),
        "rounds": [
            {"score": list(each.score or ()), "turns": len(each.turns), "termination": None}
            for each in record.rounds
        ],
        "result": list(record.result or ()),
        "termination": None,
    }


def test_the_text_shows_rounds_totals_and_the_winner() -> None:
    ran = run_here("replay", str(WHOLE))
    assert ran.status == 0
    assert "Oracle, 2026.11.29" in ran.lines[0]
    assert [line.split() for line in ran.lines[1:]] == [
        ["round", "starts", "turns", "north", "south"],
        ["1", "1", "138", "-50", "7"],
        ["2", "1", "168", "-26", "-38"],
        ["3", "1", "157", "-15", "-22"],
        ["total", "-91", "-53"],
        ["south", "wins"],
    ]


def test_a_wrong_turn_names_file_round_and_ply(tmp_path: Path) -> None:
    text = WHOLE.read_text(encoding="utf-8")
    wrong = tmp_path / "wrong.lcr"
    wrong.write_text(text.replace("1. +G6*W3 +R3*G10", "1. +G6*W3 +R3<Y", 1), encoding="utf-8")
    assert_refused(run_here("replay", str(wrong)), f"{wrong}: round 1, ply 2: +R3<Y", "empty")
    wrong.write_text(text.replace('[Score "-50 7"]', '[Score "-50 8"]'), encoding="utf-8")
    assert_refused(run_here("replay", str(wrong)), "round 1, ply 138", "-50 8", "-50 7")


def test_several_files_are_each_reported(tmp_path: Path) -> None:
    broken, folder = tmp_path / "broken.lcr", tmp_path / "folder"
    broken.write_bytes(b'[Event "x"]\n[Date "\xff"]\n')
    folder.mkdir()
    nowhere = tmp_path / "nowhere.lcr"
    files = [str(each) for each in (broken, RECORDS[0], nowhere, folder, RECORDS[1])]
    ran = run_here("replay", "--json", *files)
    assert ran.status == 1
    read = [json.loads(line) for line in ran.lines]
    assert [each["file"] for each in read] == files
    assert ["error" in each for each in read] == [True, False, True, True, False]
    said = ran.err.splitlines()
    assert len(said) == 3
    assert f"{broken}: not UTF-8: byte 0xff in line 2" in said[0]
    assert f"{nowhere}: No such file" in said[1]
    assert f"{folder}: " in said[2]
    in_text = run_here("replay", *files)
    assert (in_text.status, in_text.err) == (1, ran.err)
    assert in_text.out.count(" wins\n") == 2


def test_at_prints_the_position() -> None:
    ran = run_here("replay", str(WHOLE), "--at", "2.17")
    state = loaded(WHOLE).rounds[1].states[17]
    assert parse_position(ran.out.strip(), state.rules).legal_turns() == state.legal_turns()
    deal = run_here("replay", str(WHOLE), "--at", "1.0").out
    fields = deal.split(" | ")
    assert (fields[0], fields[3:6]) == ("1", ["-", "-", "-"])
    assert fields[1] == "B9 WX WX W4 W5 G4 R3 R5"
    read = json.loads(run_here("replay", str(WHOLE), "--at", "1.0", "--json").out)
    assert read == {"file": str(WHOLE), "at": "1.0", "position": deal.strip()}


def test_the_position_at_the_end_of_a_round_has_no_deck() -> None:
    assert run_here("replay", str(WHOLE), "--at", "1.138").out.endswith(" | -\n")


def test_seat_prints_that_seats_view_alone() -> None:
    found = loaded(WHOLE).rounds[1]
    for seat, word in ((0, "0"), (1, "1"), (None, "spectator")):
        read = json.loads(run_here("replay", str(WHOLE), "--at", "2.17", "--seat", word).out)
        assert view_from_dict(read) == view_of_round(found.states[17], seat, 2, found.totals)
        assert ("hand" in read) == (seat is not None)
    last = json.loads(run_here("replay", str(WHOLE), "--seat", "0").out)
    assert (last["round"], last["to_move"], last["deck"]) == (3, None, 0)


@pytest.mark.parametrize(
    ("at", "said"),
    [("4.0", "no such round, the record has 3"), ("0.0", "no such round"),
     ("1.139", "no such ply, round 1 has 138 turns")],
)  # fmt: skip
def test_a_moment_outside_the_record_is_refused(at: str, said: str) -> None:
    assert_refused(run_here("replay", str(WHOLE), "--at", at), f"{WHOLE}: --at {at}", said)


@pytest.mark.parametrize("at", ["1", "1.", "x.y", "1.-1", "1.0.0", "1.²"])
def test_a_moment_that_is_none_is_wrong_usage(at: str) -> None:
    assert run_here("replay", str(WHOLE), "--at", at).status == 2


def test_a_record_seen_from_one_seat_keeps_the_other_hidden(tmp_path: Path) -> None:
    seen = tmp_path / "seen.lcr"
    seen.write_text(ONE_SIDED, encoding="utf-8")
    ran = run_here("replay", str(seen))
    assert ran.status == 0
    assert "not finished" in ran.out
    assert "the match is unfinished" in ran.out
    assert run_here("replay", str(seen), "--at", "1.3").out.startswith("1 | Y5 B9 | ?2 | Y2 B3 |")
    own = json.loads(run_here("replay", str(seen), "--seat", "0").out)
    assert own["hand"] == ["Y5", "B9"]
    for at in ("1.0", "1.3"):  # whether it is to move or not
        ran = run_here("replay", str(seen), "--at", at, "--seat", "1")
        assert_refused(ran, "hand of seat 1", "hidden")
    read = json.loads(run_here("replay", str(seen), "--json").out)
    assert read["rounds"] == [{"score": None, "turns": 3, "termination": None}]
    assert read["termination"] == "unfinished"


@pytest.mark.parametrize(
    ("end", "said"),
    [("resigned 0", "Grace wins (Ada resigned)"), ("time 1", "Ada wins (Grace ran out of time)"),
     ("abandoned 1", "Ada wins (Grace stayed away)"), ("agreed", "a draw (agreed)")],
)  # fmt: skip
def test_the_end_of_a_match_is_told_apart_from_its_outcome(
    end: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "ended.lcr"
    path.write_text(ONE_SIDED.replace("unfinished", end), encoding="utf-8")
    assert run_here("replay", str(path)).lines[-1] == said
    assert json.loads(run_here("replay", "--json", str(path)).out)["termination"] == end


def test_a_long_name_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "named.lcr"
    path.write_text(ONE_SIDED.replace("Ada", "A" * 60), encoding="utf-8")
    assert f"  {'A' * 15}…  " in run_here("replay", str(path)).out


def test_a_record_without_a_round_has_no_moment(tmp_path: Path) -> None:
    path = tmp_path / "empty.lcr"
    path.write_text(ONE_SIDED.partition("[Round")[0], encoding="utf-8")
    assert run_here("replay", str(path)).status == 0
    assert_refused(run_here("replay", str(path), "--seat", "0"), f"{path}: holds no round")


def test_a_file_too_large_is_refused_without_reading_it_all(tmp_path: Path) -> None:
    path = tmp_path / "large.lcr"
    with path.open("wb") as file:
        file.truncate(1 << 32)
    assert_refused(run_here("replay", str(path)), f"{path}: larger than 16 MiB")


def test_a_name_cannot_send_escape_sequences_to_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "named.lcr"
    path.write_text(ONE_SIDED.replace("Ada", "A\x9b31m\u202eda"), encoding="utf-8")
    ran = run_here("replay", str(path))
    assert ran.status == 0
    assert "\x9b" not in ran.out
    assert "\u202e" not in ran.out
    assert_refused(run_here("replay", str(tmp_path / "no\x1b[31m")), "no\\x1b[31m")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_converts_there_and_back_byte_for_byte(path: Path) -> None:
    text = path.read_bytes()
    as_json = run_here("record", str(path), "--json")
    assert set(json.loads(as_json.out)) == {
        "event", "date", "seats", "rules", "result", "termination", "tags", "rounds",
    }  # fmt: skip
    for arguments in (("--text",), ()):
        assert run_here("record", "-", *arguments, stdin=as_json.out).out.encode() == text
        assert run_here("record", "-", *arguments, stdin=text).out.encode() == text
    assert run_here("record", "-", "--json", stdin=as_json.out).out == as_json.out


def test_a_record_is_written_in_utf8_whatever_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "named.lcr"
    path.write_text(ONE_SIDED.replace("Ada", "Ädä 日本"), encoding="utf-8")
    assert "Ädä 日本" in run_apart("record", str(path)).out
    assert "Ädä 日本" in run_apart("record", str(path), "--json").out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ("line 1",)),
        ("{", ("line 1", "column 2")),
        ("{}", ("Termination", "missing")),
        ('{"rounds": 3}', ("rounds", "not a list")),
        ('{"result": [' + "9" * 5000 + ", 0]}", ("too long",)),
        ('{"a": ' + "[" * 100_000, ("too long",)),
        ("[Event 3]", ("line 1",)),
        ("\x00\x01", ("line 1",)),
    ],
)
def test_what_is_no_record_names_the_place(text: str, said: tuple[str, ...]) -> None:
    for command in ("record", "replay"):
        assert_refused(run_here(command, "-", stdin=text), "standard input: ", *said)


def test_the_match_of_the_fixture_is_over() -> None:
    assert loaded(WHOLE).match.phase is Phase.OVER
    assert loaded(WHOLE).record.rules == Rules(first=1, next="leader")


@given(st.data())
def test_a_damaged_record_is_refused_or_replays(data: st.DataObject) -> None:
    """Bytes dropped, doubled or changed: a declared error or a record that replays, never else."""
    content = bytearray(ONE_SIDED.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        kept = data.draw(st.sampled_from([b"", b"0", b"9", b'"', b"\\", b"\xff", b"Y", b"*", b"<"]))
        content[at : at + data.draw(st.integers(0, 3))] = kept
    ran = run_here("replay", "-", "--json", stdin=bytes(content))
    read = json.loads(ran.out)
    if ran.status == 0:
        assert read["file"] == "-"
    else:
        assert ran.status == 1
        assert read["error"]
        assert len(ran.err.splitlines()) == 1


TAGGED = """[Event "Kitchen table"]
[Seat0 "Ada"]
[Seat1 "Grace"]
[Rules "colours=5 hand=8 cost=20 bonus=20 bonus_at=8 rounds=1 first=0 next=alternate"]
[Result "0 0"]
[Termination "unfinished"]
[Cards "{deck}"]

[Round "1"]
[Start "0"]
[Hand0 "Y2 YX B3 B4 W5 W6 G7 R8"]
1. +YX*W10 -B9*
2. +Y2<B -W2<B
"""


def test_a_record_is_told_in_the_words_of_its_deck(tmp_path: Path) -> None:
    path = tmp_path / "match.lcr"
    path.write_text(TAGGED.format(deck="mtttgc3").replace(" -W2<B", " -W2*"), "utf-8")
    ran = run_here("replay", str(path), "--deck", "record")
    assert ran.status == 0, ran.err
    for line in (
        "round 1, with Minimal Travel Table Top Game Collection 3",
        "1. Ada plays orange investment and draws purple 10",
        "2. Grace discards blue 9 and draws from the deck",
        "3. Ada plays orange 2 and takes from the blue pile",
        "4. Grace discards purple 2 and draws from the deck",
        "Ada: -36",
        "  orange  investment 2",
        "  purple  2",
        "  no row yet",
        "  hand: 8 unknown",
        "deck: 41",
    ):
        assert line in ran.out.splitlines(), line
    other = run_here("replay", str(path), "--deck", "room", "--at", "1.1").out.splitlines()
    assert "  yellow  investment" in other
    assert "deck: 43" in other
    assert not any("grey 10" in line for line in other[-4:])


def test_a_record_without_a_deck_is_told_in_the_usual_words() -> None:
    ran = run_here("replay", str(WHOLE), "--deck", "record", "--at", "1.0")
    assert "wager" in ran.out
    assert ran.out.count("no row yet") == 2


def test_a_deck_that_cannot_tell_a_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.lcr"
    path.write_text(TAGGED.format(deck="six"), "utf-8")
    reason = "it has 72 cards in 6 colours, these rules need 60 in 5"
    assert_refused(run_here("replay", str(WHOLE), "--deck", "six"), reason)
    assert_refused(run_here("replay", str(WHOLE), "--deck", "nobody"), "no such deck")
    assert_refused(run_here("replay", str(WHOLE), "--deck", "five", "--json"), "--json and --seat")


def test_a_deck_of_ones_own_is_named_in_the_first_line(tmp_path: Path) -> None:
    """Only a shipped deck was, although turns and table were told in the own one."""
    path, own = tmp_path / "match.lcr", tmp_path / "attic.toml"
    path.write_text('[Rules "colours=5"]\n[Termination "unfinished"]\n[Cards "attic"]\n', "utf-8")
    own.write_text(base_text(), "utf-8")
    told = run_here("replay", str(path), "--deck", "record", "--own", str(own)).lines[0]
    assert told == f"{path}: cards: Minimal Travel Table Top Game Collection 3"
    assert run_here("replay", str(path)).lines[0] == str(path)


def test_an_unknown_deck_of_a_record_is_told_and_an_own_one_taken(tmp_path: Path) -> None:
    path, own = tmp_path / "match.lcr", tmp_path / "attic.toml"
    text = TAGGED.format(deck="attic").replace(" -W2<B", " -W2*")
    path.write_text(text, "utf-8")
    own.write_text(base_text(), "utf-8")
    ran = run_here("replay", str(path), "--deck", "record")
    assert ran.status == 0
    assert (
        "[Cards]: 'attic': no such deck here (--own NAME.toml), told in 'The game, five colours'"
        in ran.err
    )
    assert "1. Ada plays yellow wager and draws white 10" in ran.lines
    ran = run_here("replay", str(path), "--deck", "record", "--own", str(own))
    assert (ran.status, ran.err) == (0, "")
    assert "1. Ada plays orange investment and draws purple 10" in ran.lines
    assert_refused(
        run_here("replay", str(path), "--own", str(own)), "--own: goes with --deck record"
    )


def test_standard_input_is_no_two_records() -> None:
    """The second one was empty, and said to be no record."""
    assert_refused(run_here("replay", "-", "-"), "FILE: standard input (-) can be read only once")
