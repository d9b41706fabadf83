"""Journal, ledger, commands, signed heads, snapshots and leases."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _journal()
    _ledger()
    _command()
    _head()
    _snapshot()
    _lease()


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False)


def _bytes(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary, nullable=False)


def _journal() -> None:
    op.create_table(
        "journal",
        _text("table_name"),
        _number("number"),
        _text("body"),
        _bytes("hash"),
        sa.PrimaryKeyConstraint("table_name", "number"),
        sqlite_with_rowid=False,
    )


def _ledger() -> None:
    op.create_table(
        "ledger",
        _text("table_name"),
        _number("number"),
        sa.Column("position", sa.Integer, nullable=False),
        _text("debit"),
        _text("credit"),
        _number("cents"),
        _text("rule"),
        sa.PrimaryKeyConstraint("table_name", "number", "position"),
        sqlite_with_rowid=False,
    )


def _command() -> None:
    op.create_table(
        "command",
        _text("id"),
        _text("table_name"),
        _number("number"),
        _bytes("answer"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_with_rowid=False,
    )


def _head() -> None:
    op.create_table(
        "head",
        _text("table_name"),
        _number("ordinal"),
        _number("number"),
        _bytes("hash"),
        _number("at_ms"),
        _bytes("key"),
        _bytes("signature"),
        sa.PrimaryKeyConstraint("table_name", "ordinal"),
        sqlite_with_rowid=False,
    )


def _snapshot() -> None:
    op.create_table(
        "snapshot",
        _text("table_name"),
        _number("number"),
        _bytes("hash"),
        _bytes("body"),
        _bytes("key"),
        _bytes("signature"),
        sa.PrimaryKeyConstraint("table_name"),
    )


def _lease() -> None:
    op.create_table(
        "lease",
        _text("table_name"),
        _number("owner"),
        _text("address"),
        _number("epoch"),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("table_name"),
    )
