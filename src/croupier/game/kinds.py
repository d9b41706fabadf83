"""What an act is, whatever it is called, and what a wager's key is made of.

A journal, a page and a person know an act by its name, which is written as the gazette has it.  Whoever needs to know
more of it asks for its `ActKind`, which stands where the act is declared: so nobody reads a name for its beginning.

A wager's key is its kind and perhaps its place: `place:4`, `split:0-2`; that of a Run ends with its length.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

Verb: TypeAlias = Literal[
    "",
    "announce",
    "burn",
    "burn down",
    "burn up",
    "call",
    "count",
    "cut",
    "declare",
    "insert",
    "mark",
    "mix",
    "mix again",
    "notify",
    "order mixing",
    "pass",
    "pay jackpot",
    "renew",
    "return",
    "reveal",
    "show balances",
    "turn",
]


class ActKind(NamedTuple):
    """What is done; `of`: of which hand, box or role, or the words that are called; `what` of it is meant.

    `burn up` shows the card that it burns, `burn down` tells how many it burns, `burn` is whatever else belongs to it;
    `insert` is of a cutting card; `renew` brings other cards, `mix again` mixes those that were in use, and `order
    mixing` is the word of somebody who may want that.  `show balances` is of a game system, which settles its terminals
    with it.  `later`: an earlier release did not ask for it at some of its tables, whose journals go on without it.
    """

    verb: Verb = ""
    of: str = ""
    what: str = ""
    later: bool = False

    def written(self, **names: object) -> ActKind:
        """This kind for one of those that its declaration stands for: a hand, a box."""
        return self._replace(of=self.of.format(**names)) if self.of else self


NO_KIND: Final = ActKind()
"""An act of which its name says all."""
LATER: Final = ActKind(later=True)
MIX: Final = ActKind("mix")
BALANCES: Final = ActKind("show balances")
NO_MORE_BETS: Final = ActKind("call", "No more bets")
AS_DETAILED: Final = ActKind("announce", what="detail")
"""What is announced is recorded with the act."""


def wager_kind(on: str) -> str:
    """The kind of a wager: `place` of `place:4`."""
    return on.partition(":")[0]


def wager_place(on: str) -> str:
    """The place of a wager: `4` of `place:4`; empty for one that has none."""
    return on.partition(":")[2]


def wager_run(on: str) -> tuple[str, int]:
    """The kind of a Run and its length: `banker_run` and 3 of `banker_run_3`; nothing and 0 for any other wager."""
    kind, _, length = on.rpartition("_")
    return (kind, int(length)) if kind.endswith("_run") and length in "23456789" and length else ("", 0)
