"""Time rules of tables, and deadlines."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make room for them."""
    op.add_column("matches", sa.Column("pace", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "deadlines",
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.match"], name="fk_deadlines_match_matches"),
        sa.PrimaryKeyConstraint("match", name="pk_deadlines"),
    )
    op.create_index("ix_deadlines_due", "deadlines", ["due"])


def downgrade() -> None:
    """Remove them."""
    op.drop_table("deadlines")
    op.drop_column("matches", "pace")
