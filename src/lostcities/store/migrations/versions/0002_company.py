"""Terms of tables, the lobby, chat, the host's bans, the room's password, classes."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.add_column("matches", sa.Column("terms", sa.Text(), nullable=False, server_default="{}"))
    _of_tables()
    _of_the_room()


def downgrade() -> None:
    """Remove them."""
    for name in ("classes", "facts", "entrances", "bans", "chat", "listings"):
        op.drop_table(name)
    op.drop_column("matches", "terms")


def _of_match(owner: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["match"], ["matches.match"], name=f"fk_{owner}_match_matches")


def _of_tables() -> None:
    op.create_table(
        "listings",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("list", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        _of_match("listings"),
        sa.PrimaryKeyConstraint("match", "list", name="pk_listings"),
    )
    op.create_index("ix_listings_list", "listings", ["list"])
    op.create_table(
        "chat",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        _of_match("chat"),
        sa.PrimaryKeyConstraint("match", "number", name="pk_chat"),
    )


def _of_the_room() -> None:
    op.create_table(
        "bans",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "value", name="pk_bans"),
    )
    op.create_table(
        "entrances",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.player"], name="fk_entrances_player_players"),
        sa.PrimaryKeyConstraint("player", name="pk_entrances"),
    )
    op.create_table(
        "facts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_facts"),
    )
    op.create_table(
        "classes",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text()),
        sa.Column("wait", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("code", name="pk_classes"),
    )
