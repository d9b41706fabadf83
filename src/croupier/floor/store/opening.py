"""What is looked at before a store is trusted: its chain, its witnesses, and the second journal.

Theory of operation.  A database can be put back to an old copy of itself, or rewritten, and still follow line from
line.  So before a house opens on it, the furthest head that anybody outside witnessed must be in it, with the same
hash, and the lines after its last signed head must follow from that.  A store that is behind its witness is an old
backup, or was cut: it does not open.  If the loss is real and cannot be made good, two people accept it
(`croupier accept-loss`); that is written to their journal and to the witness, and from then on the heads of the lost
lines count no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from croupier.floor.store.durable import Store
from croupier.floor.store.engines import BadStore, told_plainly
from croupier.floor.store.heads import Head, is_genuine


@dataclass(frozen=True, slots=True)
class Behind:
    """The journal of a table ends at line `last`, or goes another way from there; line `number` was witnessed."""

    table: str
    number: int
    last: int

    def __str__(self) -> str:
        return f"{self.table}: line {self.number} was witnessed, but the journal agrees only up to {self.last}"


class BehindItsWitness(BadStore):
    """A store that has lost lines which somebody outside knows of."""

    def __init__(self, name: str, lost: tuple[Behind, ...]) -> None:
        super().__init__(
            f"{name}: the database is older than its witness, or was rewritten: {lost[0]}"
            + (f" (and {len(lost) - 1} more)" if len(lost) > 1 else "")
            + "; restore the newest copy, or let two people accept the loss (croupier accept-loss)"
        )
        self.lost = lost


def check_opening(store: Store) -> None:
    """Refuse a store that is not what it was when it was last signed, or that the database itself cannot read."""
    with told_plainly(store.opened.name):
        _check(store)


def _check(store: Store) -> None:
    lost = tuple(behind(store))
    if lost:
        raise BehindItsWitness(store.opened.name, lost)
    for table in store.missing_heads():
        raise BadStore(f"{store.opened.name}: {table}: a signed head is missing; `croupier verify` tells more")
    for table in store.tables():
        head = store.last_head(table)
        if head is not None and not is_genuine(head, store.trusted):
            raise BadStore(f"{store.opened.name}: {table}: the last head was not signed by a key of this house")
        first = head.number + 1 if head is not None else 1
        for _ in store.each_sound_line(table, first):
            pass


def behind(store: Store) -> Iterable[Behind]:
    """The tables whose journals do not hold what was witnessed of them."""
    furthest: dict[str, Head] = {}
    for head in store.witnessed_heads():
        known = furthest.get(head.table)
        if is_genuine(head, store.trusted) and (known is None or head.number >= known.number):
            furthest[head.table] = head
    for table in sorted({*furthest, *store.headed_tables()}):
        last, inside = store.last(table)[0], store.last_head(table)
        for head in filter(None, (inside, furthest.get(table))):
            if head.number and store.hash_at(table, head.number) != head.hash:
                yield Behind(table, head.number, _agreed(store, table, last))
                break


def _agreed(store: Store, table: str, last: int) -> int:
    """The last line that a witnessed head agrees with."""
    heads = sorted((head for head in store.witnessed_heads() if head.table == table), key=lambda head: -head.number)
    return next((h.number for h in heads if h.number <= last and store.hash_at(table, h.number) == h.hash), 0)
