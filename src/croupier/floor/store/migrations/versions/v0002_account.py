"""The people of the house."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("roles", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("verifier", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("locked_until_ms", sa.BigInteger, nullable=False),
        sa.Column("must_change", sa.Boolean, nullable=False),
        sa.Column("disabled", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
