"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    _people()
    _matches()
    _logs()


def downgrade() -> None:
    """Remove them."""
    for name in (
        "device_codes", "commands", "events", "invites", "reservations", "seats", "matches",
        "sessions", "players",
    ):  # fmt: skip
        op.drop_table(name)


def _reference(table: str, column: str, owner: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{table}.{column}"], name=f"fk_{owner}_{column}_{table}"
    )


def _people() -> None:
    op.create_table(
        "players",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_players"),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        _reference("players", "player", "sessions"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sessions"),
    )


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_matches"),
    )
    op.create_table(
        "seats",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("player", sa.Text()),
        sa.Column("agent", sa.Text()),
        _reference("matches", "match", "seats"),
        _reference("players", "player", "seats"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_seats"),
    )
    op.create_index("ix_seats_player", "seats", ["player"])
    op.create_table(
        "reservations",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        _reference("matches", "match", "reservations"),
        _reference("players", "player", "reservations"),
        sa.PrimaryKeyConstraint("match", name="pk_reservations"),
    )
    op.create_table(
        "invites",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("match", sa.Text(), nullable=False),
        _reference("matches", "match", "invites"),
        sa.PrimaryKeyConstraint("code", name="pk_invites"),
        sa.UniqueConstraint("match", name="uq_invites_match"),
    )


def _logs() -> None:
    op.create_table(
        "events",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        _reference("matches", "match", "events"),
        sa.PrimaryKeyConstraint("match", "seq", name="pk_events"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "commands",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("cmd_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        _reference("matches", "match", "commands"),
        sa.PrimaryKeyConstraint("match", "cmd_id", name="pk_commands"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "device_codes",
        sa.Column("code_hash", sa.Text(), nullable=False),
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.Boolean(), nullable=False, server_default=sa.false()),
        _reference("matches", "match", "device_codes"),
        _reference("players", "player", "device_codes"),
        sa.PrimaryKeyConstraint("code_hash", name="pk_device_codes"),
    )
