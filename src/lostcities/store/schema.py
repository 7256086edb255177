"""The tables, for SQLite and PostgreSQL alike. Times are milliseconds since 1970 (UTC).

A change here needs a migration in ``migrations/versions``; a test holds the two together.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    false,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

players = Table(
    "players",
    metadata,
    Column("player", Text, primary_key=True),
    Column("created", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("player", Text, ForeignKey("players.player"), nullable=False),
    Column("created", BigInteger, nullable=False),
)

matches = Table(
    "matches",
    metadata,
    Column("match", Text, primary_key=True),
    Column("rules", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("terms", Text, nullable=False, server_default="{}"),
    Column("pace", Text, nullable=False, server_default=""),
)

seats = Table(
    "seats",
    metadata,
    Column("match", Text, ForeignKey("matches.match"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("player", Text, ForeignKey("players.player")),
    Column("agent", Text),
    PrimaryKeyConstraint("match", "seat"),
    Index("ix_seats_player", "player"),
)
"""Who holds a seat; a row a seat, so that it is taken once."""

reservations = Table(
    "reservations",
    metadata,
    Column("match", Text, ForeignKey("matches.match"), primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("player", Text, ForeignKey("players.player"), nullable=False),
)
"""The free seat of a table to play again is kept for the other player."""

invites = Table(
    "invites",
    metadata,
    Column("code", Text, primary_key=True),
    Column("match", Text, ForeignKey("matches.match"), nullable=False, unique=True),
)

events = Table(
    "events",
    metadata,
    Column("match", Text, ForeignKey("matches.match"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("match", "seq"),
    sqlite_with_rowid=False,
)
"""The log of every match; the primary key is the lock between writers."""

commands = Table(
    "commands",
    metadata,
    Column("match", Text, ForeignKey("matches.match"), nullable=False),
    Column("cmd_id", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("content", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    PrimaryKeyConstraint("match", "cmd_id"),
    sqlite_with_rowid=False,
)

deadlines = Table(
    "deadlines",
    metadata,
    Column("match", Text, ForeignKey("matches.match"), primary_key=True),
    Column("due", BigInteger, nullable=False),
    Column("told", Boolean, nullable=False, server_default=false()),
    Index("ix_deadlines_due", "due"),
)
"""Until when matches with days for a turn wait, and whether those waited for were told."""

pushes = Table(
    "pushes",
    metadata,
    Column(
        "session", Text, ForeignKey("sessions.token_hash", ondelete="CASCADE"), primary_key=True
    ),
    Column("endpoint", Text, nullable=False, unique=True),
    Column("key", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""Browsers that take notices; a browser that is signed out takes none."""

notice_wishes = Table(
    "notice_wishes",
    metadata,
    Column("player", Text, ForeignKey("players.player"), primary_key=True),
    Column("moment", Text, nullable=False, server_default="unseen"),
    Column("language", Text, nullable=False, server_default="en"),
    Column("address", Text),
    Column("stop", Text, unique=True),
    Column("pending", Text),
    Column("code_hash", Text, unique=True),
    Column("code_until", BigInteger),
)
"""When people want to be told that it is their turn, and where mail goes once confirmed."""

device_codes = Table(
    "device_codes",
    metadata,
    Column("code_hash", Text, primary_key=True),
    Column("match", Text, ForeignKey("matches.match"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player", Text, ForeignKey("players.player"), nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("used", Boolean, nullable=False, server_default=false()),
)

listings = Table(
    "listings",
    metadata,
    Column("match", Text, ForeignKey("matches.match"), nullable=False),
    Column("list", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    PrimaryKeyConstraint("match", "list"),
    Index("ix_listings_list", "list"),
)
"""Tables that stand in the lobby or belong to a class."""

chat = Table(
    "chat",
    metadata,
    Column("match", Text, ForeignKey("matches.match"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("seat", Integer),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("match", "number"),
)
"""Apart from the events, since it may be deleted."""

bans = Table(
    "bans",
    metadata,
    Column("kind", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    PrimaryKeyConstraint("kind", "value"),
)

entrances = Table(
    "entrances",
    metadata,
    Column("player", Text, ForeignKey("players.player"), primary_key=True),
    Column("created", BigInteger, nullable=False),
)
"""Who has given the room's password."""

facts = Table(
    "facts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

classes = Table(
    "classes",
    metadata,
    Column("code", Text, primary_key=True),
    Column("label", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("agent", Text),
    Column("wait", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("paused", Boolean, nullable=False, server_default=false()),
)

outcomes = Table(
    "outcomes",
    metadata,
    Column("match", Text, ForeignKey("matches.match"), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("termination", Text),
    Column("winner", Integer),
    Column("score0", Integer, nullable=False),
    Column("score1", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
)
"""How a match ended, told from its log and written with it; none while it goes on."""

round_scores = Table(
    "round_scores",
    metadata,
    Column("match", Text, ForeignKey("matches.match"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("start", Integer, nullable=False),
    Column("score0", Integer, nullable=False),
    Column("score1", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    PrimaryKeyConstraint("match", "round"),
)
"""Points of every finished round, told from the log and written with it."""

shares = Table(
    "shares",
    metadata,
    Column("code", Text, primary_key=True),
    Column("match", Text, ForeignKey("matches.match"), nullable=False),
    Column("player", Text, ForeignKey("players.player"), nullable=False),
    UniqueConstraint("match", "player"),
    Index("ix_shares_player", "player"),
)
"""Codes by which anybody may see the replay of a match that is over; one a player who shared."""

imports = Table(
    "imports",
    metadata,
    Column("record", Text, primary_key=True),
    Column("player", Text, ForeignKey("players.player"), nullable=False),
    Column("added", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
    Column("text", Text, nullable=False),
    UniqueConstraint("player", "hash"),
    Index("ix_imports_player_added", "player", "added"),
)
"""Records that a person brought along; theirs alone."""

sheets = Table(
    "sheets",
    metadata,
    Column("player", Text, ForeignKey("players.player"), nullable=False),
    Column("sheet", Text, nullable=False),
    Column("added", BigInteger, nullable=False),
    Column("played", BigInteger, nullable=False),
    Column("rules", Text, nullable=False),
    Column("link", Text, nullable=False),
    PrimaryKeyConstraint("player", "sheet"),
    Index("ix_sheets_player_played", "player", "played"),
)
"""Score sheets of real tables that a person keeps; the link holds the sheet. Theirs alone."""

accounts = Table(
    "accounts",
    metadata,
    Column("player", Text, ForeignKey("players.player"), primary_key=True),
    Column("folded", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("must_change", Boolean, nullable=False, server_default=false()),
    Column("changed", BigInteger, nullable=False),
)
"""Players who chose a passphrase: its argon2 hash, and the name to sign in by."""

lessons = Table(
    "lessons",
    metadata,
    Column("code", Text, primary_key=True),
    Column("player", Text, ForeignKey("players.player")),
    Column("created", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Index("ix_lessons_player", "player"),
)
"""Where practice tables begin, with every card; secret, for the room alone."""

practices = Table(
    "practices",
    metadata,
    Column("match", Text, ForeignKey("matches.match"), primary_key=True),
    Column("lesson", Text, ForeignKey("lessons.code"), nullable=False),
)
"""Matches that began from a lesson; they count in no results."""
