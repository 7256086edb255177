"""Score sheets of real tables in people's histories."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make room for them."""
    op.create_table(
        "sheets",
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("sheet", sa.Text(), nullable=False),
        sa.Column("added", sa.BigInteger(), nullable=False),
        sa.Column("played", sa.BigInteger(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("link", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.player"], name="fk_sheets_player_players"),
        sa.PrimaryKeyConstraint("player", "sheet", name="pk_sheets"),
    )
    op.create_index("ix_sheets_player_played", "sheets", ["player", "played"])


def downgrade() -> None:
    """Remove them."""
    op.drop_table("sheets")
