"""The numbers of wagers that choices put down in a round that is played again."""

from __future__ import annotations

from msgspec.structs import replace as changed

from croupier.game import Wager
from croupier.once import replace
from croupier.table.state import Record, SettledWager


def with_numbers(
    lines: tuple[SettledWager, ...], record: Record, added: tuple[Wager, ...], first: int
) -> tuple[SettledWager, ...]:
    """The lines of a round, of which those that choices put down have the numbers they had, or new ones."""
    placed = {wager.number for wager in (*record.carried, *(wager for _, wager in record.placed))}
    known, numbers = list(added), dict[int, int]()
    for wager in (line.wager for line in lines if line.wager.number not in placed):
        same = next((each for each in known if _kind(each) == _kind(wager)), None)
        if same is not None:
            known.remove(same)
        else:
            first += 1
        numbers[wager.number] = same.number if same else first - 1

    def named(line: SettledWager) -> SettledWager:
        wager = line.wager
        of = None if wager.of is None else numbers.get(wager.of, wager.of)
        return replace(line, wager=changed(wager, number=numbers.get(wager.number, wager.number), of=of))

    return tuple(map(named, lines))


def _kind(wager: Wager) -> tuple[object, ...]:
    return wager.by, wager.on, wager.box, wager.hand
