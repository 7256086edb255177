"""Looking back: the store's lists and results, on SQLite and PostgreSQL alike."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from lostcities.core.cards import parse_cards
from lostcities.core.events import MatchStarted, Resigned, RoundDealt, TurnPlayed
from lostcities.core.round import deal, legal_turns, play_turn
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat
from lostcities.protocol.terms import DEFAULT, Terms
from lostcities.store.archive import KeptRecord, Opponent, PaperSheet, Wanted, WantedSheets
from lostcities.store.engine import make_engine, parse_url
from lostcities.store.interfaces import (
    Append,
    Changes,
    LogEvent,
    MatchInfo,
    NewSession,
    Occupant,
    Outcome,
    RoundScored,
    SeatTaken,
    SitDown,
    TableClosed,
)
from lostcities.store.sql import SqlStore
from stores import opened

RULES = Rules.parse("room")
LONG = Rules.parse("long")
ADA = NewSession("ada", "hash of ada's token", 1)
GRACE = NewSession("grace", "hash of grace's token", 2)


def person(seat: int, name: str, player: str) -> Occupant:
    return Occupant(seat, "person", name, player)


STEADY = Occupant(1, "agent", "Steady", agent="steady@1")


def match(
    name: str,
    when: int,
    *who: Occupant,
    scores: tuple[tuple[int, int], ...] = (),
    winner: int | str | None = "unfinished",
    rules: Rules = RULES,
    terms: Terms = DEFAULT,
) -> Changes:
    """A match as the room writes it, its log cut short: lists read what is beside it."""
    events = tuple(SeatTaken(each.seat, each.kind, each.name) for each in who)
    rounds = tuple(
        RoundScored(number, 0, BySeat(*score), 40) for number, score in enumerate(scores, 1)
    )
    totals = BySeat(sum(s[0] for s in scores), sum(s[1] for s in scores))
    outcome = None
    if winner == "closed":
        outcome = Outcome("closed", None, totals, len(scores))
    elif not isinstance(winner, str):
        outcome = Outcome(None, winner, totals, len(scores))
    return Changes(
        matches=(MatchInfo(name, rules, None, when, terms=terms),),
        seats=tuple(SitDown(name, each) for each in who),
        appends=(Append(name, 0, events, None, rounds, outcome),),
    )


async def fill(store: SqlStore) -> None:
    await store.write(Changes(sessions=(ADA, GRACE)))
    ada, grace = person(0, "Ada", "ada"), person(1, "Grace", "grace")
    for changes in (
        match("won", 10, ada, STEADY, scores=((30, 10), (5, 5)), winner=0),
        match("lost", 20, ada, grace, scores=((-20, 40),), winner=1),
        match("drawn", 30, ada, grace, scores=((7, 7),), winner=None, rules=LONG),
        match("going", 40, ada, grace, scores=((10, 50),)),
        match("alone", 50, ada),
        match("closed", 5, ada, grace, winner="closed"),
        match("theirs", 60, person(0, "Grace", "grace"), STEADY, winner=0),
    ):
        await store.write(changes)


async def test_a_player_is_told_the_matches_that_had_both_seats_taken(database: str) -> None:
    async with opened(database) as store:
        await fill(store)
        found = await store.archive.played("ada", Wanted())
        assert [(each.match, each.result) for each in found] == [
            ("going", "unfinished"), ("drawn", "drawn"), ("lost", "lost"), ("won", "won"),
            ("closed", "unfinished"),
        ]  # fmt: skip
        assert found[3].opponent == Opponent("agent", "steady@1", "Steady")
        assert found[3].scores == (BySeat(30, 10), BySeat(5, 5))
        assert found[0].opponent == Opponent("person", "Grace", "Grace")
        assert found[0].scores == (BySeat(10, 50),)
        assert await store.archive.played("nobody", Wanted()) == ()


async def test_matches_are_chosen_by_opponent_rules_and_result(database: str) -> None:
    async with opened(database) as store:
        await fill(store)

        async def names(**wanted: Any) -> list[str]:
            return [each.match for each in await store.archive.played("ada", Wanted(**wanted))]

        assert await names(opponent=("agent", "steady@1")) == ["won"]
        assert await names(opponent=("person", "Grace")) == ["going", "drawn", "lost", "closed"]
        assert await names(opponent=("person", "steady@1")) == []
        assert await names(rules=str(LONG)) == ["drawn"]
        assert await names(result="won") == ["won"]
        assert await names(result="lost") == ["lost"]
        assert await names(result="drawn") == ["drawn"]
        assert await names(result="unfinished") == ["going", "closed"]
        assert await names(opponent=("person", "Grace"), result="lost") == ["lost"]
        assert await store.archive.played_rules("ada") == (str(RULES), str(LONG))


async def test_pages_meet_without_gap_or_overlap_even_within_one_instant(database: str) -> None:
    async with opened(database) as store:
        await store.write(Changes(sessions=(ADA,)))
        names = [f"m{number:02d}" for number in range(11)]
        for name in names:
            await store.write(match(name, 7, person(0, "Ada", "ada"), STEADY))
        seen: list[str] = []
        before = None
        while page := await store.archive.played("ada", Wanted(before=before, limit=3)):
            seen += [each.match for each in page]
            before = (page[-1].created, page[-1].match)
        assert seen == sorted(names, reverse=True)


async def test_results_are_counted_by_opponent(database: str) -> None:
    async with opened(database) as store:
        await fill(store)
        grace, steady = await store.archive.tallies("ada")
        assert grace.opponent == Opponent("person", "Grace", "Grace")
        assert (grace.won, grace.lost, grace.drawn, grace.unfinished) == (0, 1, 1, 2)
        assert (grace.rounds, grace.own) == (3, -1.0)
        assert grace.theirs == pytest.approx(97 / 3)
        assert (steady.won, steady.rounds, steady.own, steady.theirs) == (1, 2, 17.5, 7.5)
        (other, _) = await store.archive.tallies("grace")
        assert (other.won, other.lost, other.drawn) == (1, 0, 1)
        assert other.own == pytest.approx(97 / 3)
        assert other.theirs == -1.0


@pytest.mark.parametrize("terms", [Terms(aids=True), Terms(takebacks=True)])
async def test_a_friendly_match_is_listed_and_counts_in_no_results(
    database: str, terms: Terms
) -> None:
    async with opened(database) as store:
        ada = person(0, "Ada", "ada")
        await store.write(Changes(sessions=(ADA,)))
        taught = match("taught", 70, ada, STEADY, scores=((50, 1),), winner=0, terms=terms)
        plain = match(
            "plain", 71, ada, STEADY, scores=((9, 8),), winner=0, terms=Terms(count_gone=False)
        )
        await store.write(taught)
        await store.write(plain)
        listed = await store.archive.played("ada", Wanted())
        assert [(each.match, each.practice) for each in listed] == [
            ("plain", False), ("taught", True),
        ]  # fmt: skip
        assert await store.archive.is_practice("taught")
        assert not await store.archive.is_practice("plain")
        (steady,) = await store.archive.tallies("ada")
        assert (steady.won, steady.rounds, steady.own) == (1, 1, 9.0)
        assert [each.match for each in await store.archive.points("ada", 9)] == ["plain"]


async def test_points_come_in_the_order_of_time(database: str) -> None:
    async with opened(database) as store:
        await fill(store)
        points = await store.archive.points("ada", 3)
        assert sorted((each.match, each.own, each.theirs) for each in points) == [
            ("drawn", 7, 7), ("going", 10, 50), ("lost", -20, 40),
        ]  # fmt: skip
        assert [each.at for each in points] == sorted(each.at for each in points)


async def test_a_code_leads_to_a_match_until_it_is_taken_back(database: str) -> None:
    async with opened(database) as store:
        await fill(store)
        assert await store.archive.share("won", "ada", "code1") == "code1"
        assert await store.archive.share("won", "ada", "code2") == "code1", "one a player"
        assert await store.archive.shared("code1") == "won"
        assert await store.archive.share_of("won", "ada") == "code1"
        await store.archive.unshare("won", "grace")
        assert await store.archive.shared("code1") == "won", "somebody else's"
        await store.archive.unshare("won", "ada")
        assert await store.archive.shared("code1") is None


async def test_a_record_is_its_owners_and_kept_once(database: str) -> None:
    async with opened(database) as store:
        await store.write(Changes(sessions=(ADA, GRACE)))
        archive = store.archive
        assert await archive.keep_record("ada", KeptRecord("r1", 5, "text"), "digest") == "r1"
        assert await archive.keep_record("ada", KeptRecord("r2", 6, "text"), "digest") == "r1"
        assert await archive.keep_record("grace", KeptRecord("r3", 6, "text"), "digest") == "r3"
        await archive.keep_record("ada", KeptRecord("r4", 5, "more"), "other digest")
        assert [each.record for each in await archive.kept_records("ada", None, 9)] == ["r4", "r1"]
        assert [each.record for each in await archive.kept_records("ada", (5, "r4"), 9)] == ["r1"]
        assert await archive.kept_record("grace", "r1") is None
        assert await archive.drop_record("grace", "r1") is False
        assert await archive.drop_record("ada", "r1") is True
        assert await archive.kept_record("ada", "r1") is None


async def test_a_list_is_read_by_its_indexes(tmp_path: Path) -> None:
    """No table is read through to list one player's matches."""
    async with opened(f"sqlite:///{tmp_path / 'room.sqlite3'}") as store:
        await fill(store)
    engine = make_engine(parse_url(f"sqlite:///{tmp_path / 'room.sqlite3'}"), writer=False)
    with engine.connect() as connection:
        plan = connection.execute(
            text(
                "EXPLAIN QUERY PLAN SELECT * FROM seats AS mine JOIN matches ON "
                'matches."match" = mine."match" JOIN seats AS rival ON rival."match" = '
                'mine."match" AND rival.seat != mine.seat LEFT JOIN outcomes ON '
                'outcomes."match" = mine."match" WHERE mine.player = \'ada\''
            )
        ).all()
    steps = [str(row[3]) for row in plan]
    assert all("SEARCH" in step for step in steps), steps
    assert any("ix_seats_player" in step for step in steps), steps


# ---- what was played before there were lists ----------------------------------------------------


def small_log() -> tuple[Rules, list[LogEvent], tuple[int, int]]:
    """A round played through by first legal turns, then a resignation between two rounds."""
    rules = Rules.parse("colours=1 hand=2 rounds=2 first=0")
    deck = parse_cards("YX YX Y2 Y3 YX Y4 Y5 Y6 Y7 Y8 Y9 Y10")
    log: list[LogEvent] = [
        SeatTaken(0, "person", "Ada"), SeatTaken(1, "person", "Grace"), MatchStarted(rules),
        RoundDealt(1, 0, deck),
    ]  # fmt: skip
    state = deal(rules, deck, 0)
    while not state.over:
        turn = next(each for each in legal_turns(state) if each.draw is None)
        seat, ply = state.to_move, state.ply
        state = play_turn(state, turn)
        assert state.last_turn is not None
        log.append(TurnPlayed(seat, ply, state.last_turn))
    log.append(Resigned(1))
    return rules, log, (state.score[0], state.score[1])


async def test_migrating_tells_results_from_the_logs_so_far(database: str) -> None:
    rules, log, score = small_log()
    async with opened(database) as store:
        await store.write(Changes(sessions=(ADA,)))
        await store.write(
            Changes(
                matches=(MatchInfo("old", rules, None, 5), MatchInfo("shut", rules, None, 6)),
                seats=(
                    SitDown("old", person(0, "Ada", "ada")), SitDown("old", STEADY),
                    SitDown("shut", person(0, "Ada", "ada")),
                ),
                appends=(
                    Append("old", 0, tuple(log)),
                    Append("shut", 0, (SeatTaken(0, "person", "Ada"), TableClosed(0))),
                ),
            )
        )  # fmt: skip
    migrate_back(database, "0002")
    async with opened(database) as store:
        (old,) = await store.archive.played("ada", Wanted())
        assert (old.match, old.result, old.termination) == ("old", "won", "resigned 1")
        assert old.scores == (BySeat(*score),)
        (tally,) = await store.archive.tallies("ada")
        assert (tally.rounds, tally.own) == (1, score[0])


def migrate_back(database: str, revision: str) -> None:
    from alembic import command
    from alembic.config import Config

    from lostcities.store import engine as engines

    config = Config()
    folder = Path(engines.__file__).with_name("migrations")
    config.set_main_option("script_location", str(folder))
    engine = make_engine(parse_url(database), writer=True)
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)


async def test_sheets_of_real_tables_are_a_player_s_own(database: str) -> None:
    async with opened(database) as store:
        await store.write(Changes(sessions=(ADA, GRACE)))
        archive = store.archive

        async def kept(**wanted: Any) -> list[str]:
            found = await archive.kept_sheets("ada", WantedSheets(**wanted))
            return [each.sheet for each in found]

        one = PaperSheet("one", 5, 4, str(RULES), "#1.one")
        assert await archive.keep_sheet("ada", one) == "one"
        assert await archive.keep_sheet("ada", PaperSheet("two", 6, 4, str(LONG), "#1.b")) == "two"
        assert await archive.keep_sheet("ada", PaperSheet("new", 7, 3, str(RULES), "#1.c")) == "new"
        assert await archive.keep_sheet("grace", one) == "one", "ids are each player's own"
        assert await kept() == ["two", "one", "new"], "by when they were written on"
        assert await kept(limit=2) == ["two", "one"]
        assert await kept(before=(4, "one")) == ["new"]
        assert await kept(rules=str(LONG)) == ["two"]
        again = PaperSheet("one", 9, 8, str(RULES), "#1.mended")
        assert await archive.keep_sheet("ada", again) == "one"
        assert (await archive.kept_sheets("ada", WantedSheets()))[0] == again, "in its place"
        late = PaperSheet("one", 10, 7, str(RULES), "#1.waited")
        assert await archive.keep_sheet("ada", late) is None, "an older one overwrites no newer one"
        assert (await archive.kept_sheets("ada", WantedSheets()))[0] == again
        assert await archive.keep_sheet("ada", late, "#1.else") is None
        after = replace(late, played=9)
        for unknown in ("", "#1.else"):
            assert await archive.keep_sheet("ada", after, unknown) is None, "later, but unseen"
        for knows, over in (("", True), ("#1.waited", False)):
            assert await archive.keep_sheet("ada", late, knows, over) == "one"
            assert (await archive.kept_sheets("ada", WantedSheets()))[0] == replace(late, played=8)
        assert (
            await archive.keep_sheet("ada", PaperSheet("copy", 9, 9, str(RULES), "#1.c")) == "new"
        )
        assert await kept() == ["one", "two", "new"], "the same content is kept once"
        assert await archive.drop_sheet("grace", "two") is False
        assert await archive.drop_sheet("ada", "two")
        assert await kept() == ["one", "new"]
        assert [each.sheet for each in await archive.kept_sheets("grace", WantedSheets())] == [
            "one"
        ]
