"""What a command id belongs to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("command", sa.Column("request", sa.Text, nullable=False, server_default=""))
