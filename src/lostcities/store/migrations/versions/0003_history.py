"""Outcomes and points of rounds, shared replays, imported records, accounts, lessons."""

from __future__ import annotations

from typing import Any, get_args

import sqlalchemy as sa
from alembic import op

from lostcities.core.events import Event
from lostcities.core.match import MatchState, Phase, evolve, new_match
from lostcities.core.rules import Rules
from lostcities.store.codec import decode
from lostcities.store.interfaces import TableClosed

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, and tell from the logs so far what belongs into them."""
    _results()
    _archive()
    _people()
    _fill()


def downgrade() -> None:
    """Remove them."""
    for name in (
        "practices", "lessons", "accounts", "imports", "shares", "round_scores", "outcomes",
    ):  # fmt: skip
        op.drop_table(name)


def _reference(table: str, column: str, owner: str, here: str = "") -> sa.ForeignKeyConstraint:
    here = here or column
    return sa.ForeignKeyConstraint([here], [f"{table}.{column}"], name=f"fk_{owner}_{here}_{table}")


def _results() -> None:
    op.create_table(
        "outcomes",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("termination", sa.Text()),
        sa.Column("winner", sa.Integer()),
        sa.Column("score0", sa.Integer(), nullable=False),
        sa.Column("score1", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        _reference("matches", "match", "outcomes"),
        sa.PrimaryKeyConstraint("match", name="pk_outcomes"),
    )
    op.create_table(
        "round_scores",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("score0", sa.Integer(), nullable=False),
        sa.Column("score1", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        _reference("matches", "match", "round_scores"),
        sa.PrimaryKeyConstraint("match", "round", name="pk_round_scores"),
    )


def _archive() -> None:
    op.create_table(
        "shares",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        _reference("matches", "match", "shares"),
        _reference("players", "player", "shares"),
        sa.PrimaryKeyConstraint("code", name="pk_shares"),
        sa.UniqueConstraint("match", "player", name="uq_shares_match"),
    )
    op.create_index("ix_shares_player", "shares", ["player"])
    op.create_table(
        "imports",
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("added", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        _reference("players", "player", "imports"),
        sa.PrimaryKeyConstraint("record", name="pk_imports"),
        sa.UniqueConstraint("player", "hash", name="uq_imports_player"),
    )
    op.create_index("ix_imports_player_added", "imports", ["player", "added"])


def _people() -> None:
    op.create_table(
        "accounts",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("must_change", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        _reference("players", "player", "accounts"),
        sa.PrimaryKeyConstraint("player", name="pk_accounts"),
        sa.UniqueConstraint("folded", name="uq_accounts_folded"),
    )
    op.create_table(
        "lessons",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("player", sa.Text()),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        _reference("players", "player", "lessons"),
        sa.PrimaryKeyConstraint("code", name="pk_lessons"),
    )
    op.create_index("ix_lessons_player", "lessons", ["player"])
    op.create_table(
        "practices",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("lesson", sa.Text(), nullable=False),
        _reference("matches", "match", "practices"),
        _reference("lessons", "code", "practices", "lesson"),
        sa.PrimaryKeyConstraint("match", name="pk_practices"),
    )


_OF_THE_MATCH = get_args(Event)


# What was played before. A log once written is read for ever, so this stays right.


def _fill() -> None:
    connection = op.get_bind()
    outcomes = _table("outcomes", "match", "at", "termination", "winner", "score0", "score1",
                      "rounds")  # fmt: skip
    scores = _table("round_scores", "match", "round", "at", "start", "score0", "score1", "turns")
    for match, rules in connection.execute(sa.text('SELECT "match", rules FROM matches')).all():
        log = connection.execute(
            sa.text('SELECT at, body FROM events WHERE "match" = :match ORDER BY seq'),
            {"match": match},
        ).all()
        rounds, outcome = _told(match, rules, [(at, decode(body)) for at, body in log])
        if rounds:
            connection.execute(sa.insert(scores), rounds)
        if outcome is not None:
            connection.execute(sa.insert(outcomes), [outcome])


def _table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *(sa.column(column) for column in columns))


def _told(
    match: str, rules: str, log: list[tuple[int, Any]]
) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    state = new_match(Rules.parse(rules))
    rounds: list[dict[str, Any]] = []
    for at, event in log:
        if isinstance(event, TableClosed):
            return [], _row(match, at, state) | {"termination": "closed", "winner": None}
        if not isinstance(event, _OF_THE_MATCH):
            continue
        state = evolve(state, event)
        if len(state.results) > len(rounds):
            rounds.append(_round(match, at, state))
        if state.phase is Phase.OVER:
            return rounds, _row(match, at, state)
    return rounds, None


def _round(match: str, at: int, state: MatchState) -> dict[str, Any]:
    last = state.results[-1]
    return {
        "match": match, "round": len(state.results), "at": at, "start": last.start,
        "score0": last.score[0], "score1": last.score[1], "turns": last.turns,
    }  # fmt: skip


def _row(match: str, at: int, state: MatchState) -> dict[str, Any]:
    end = state.termination
    return {
        "match": match, "at": at, "termination": None if end is None else str(end),
        "winner": state.winner, "score0": state.totals[0], "score1": state.totals[1],
        "rounds": len(state.results),
    }  # fmt: skip
