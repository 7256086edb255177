"""Notices: browsers that take them, wishes of people, and which deadlines were told."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make room for them."""
    op.create_table(
        "pushes",
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"], ["sessions.token_hash"], name="fk_pushes_session_sessions",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session", name="pk_pushes"),
        sa.UniqueConstraint("endpoint", name="uq_pushes_endpoint"),
    )  # fmt: skip
    op.create_table(
        "notice_wishes",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("moment", sa.Text(), nullable=False, server_default="unseen"),
        sa.Column("language", sa.Text(), nullable=False, server_default="en"),
        sa.Column("address", sa.Text()),
        sa.Column("stop", sa.Text()),
        sa.Column("pending", sa.Text()),
        sa.Column("code_hash", sa.Text()),
        sa.Column("code_until", sa.BigInteger()),
        sa.ForeignKeyConstraint(
            ["player"], ["players.player"], name="fk_notice_wishes_player_players"
        ),
        sa.PrimaryKeyConstraint("player", name="pk_notice_wishes"),
        sa.UniqueConstraint("stop", name="uq_notice_wishes_stop"),
        sa.UniqueConstraint("code_hash", name="uq_notice_wishes_code_hash"),
    )
    # Turns that began before there were notices are not told of.
    op.add_column(
        "deadlines", sa.Column("told", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.execute("UPDATE deadlines SET told = true")


def downgrade() -> None:
    """Remove them."""
    op.drop_column("deadlines", "told")
    op.drop_table("notice_wishes")
    op.drop_table("pushes")
