"""What a viewer would see of a table that no host shows."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import asdict

from croupier.floor.views import shapes as v
from croupier.floor.views.recent import Recent
from croupier.floor.views.viewer import own, shared
from croupier.law.officials import PLAYER
from croupier.table.events import TableEntry
from croupier.table.state import Table


def recent_of(journal: Iterable[TableEntry]) -> Recent:
    """What a journal leaves to be told."""
    recent = Recent()
    recent.hear(journal)
    return recent


def view_of(table: Table, recent: Recent, viewer: tuple[str, str], *, practice: bool, at_ms: int = 0) -> v.TableView:
    """The whole view of one viewer, by name and role; a host joins its parts when they are written down already."""
    name, role = viewer
    both = (shared(table, recent, staff=role != PLAYER, practice=practice), own(table, name, role))
    return v.TableView(**{key: value for part in both for key, value in asdict(part).items()}, at_ms=at_ms)
