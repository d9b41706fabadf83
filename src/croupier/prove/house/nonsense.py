"""Nonsense by chance: messages that are nearly right, and bytes that are not.

A `Mutator` has a stock of messages and makes a new one out of one or two of them: a value of another kind, a field
left out or put in, something nested, long, huge or torn; or the bytes themselves flipped, cut and joined.  What leads
to an answer that was not seen before joins the stock, so that the search goes where there is something to find.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

NASTY: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 1, 2**31, 2**63 - 1, 2**63, 10**40, -(10**20), 0.5, -0.0, 1e308, "", " ", "\0", "\n",
    "banker", "player", "A" * 1_100, "\ud800", "é", "2h", "Terminal 1", [], [[]], {}, {"type": "Tell"}, [None] * 20,
    {"perform": "shuffle"}, {"choose": "hit", "by": "ann"}, {"irregular": "nothing"}, {"take": "main", "by": "ann"},
)  # fmt: skip
TORN: Final = (b"\x00", b"\xff", b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\u0000", b"1e999", b"null", b"NaN")
MOST_KEPT: Final = 3_000
DEEP: Final = 40


@dataclass(slots=True)
class Mutator:
    chance: Random
    stock: list[bytes]
    seen: set[str] = field(default_factory=set)

    def make(self) -> bytes:
        one = self.chance.choice(self.stock)
        if self.chance.random() < 0.7:
            try:
                value = json.loads(one)
            except (ValueError, RecursionError):
                return self._bytes(one)
            return json.dumps(self._changed(value), ensure_ascii=self.chance.random() < 0.5).encode("utf-8", "replace")
        return self._bytes(one)

    def torn(self) -> bytes:
        """One of the stock with its bytes changed."""
        return self._bytes(self.chance.choice(self.stock))

    def heard(self, message: bytes, what: str) -> None:
        """What a message led to; one that led to something new is kept to be changed again."""
        if what not in self.seen:
            self.seen.add(what)
            if len(self.stock) < MOST_KEPT:
                self.stock.append(message)

    def _changed(self, part: Any) -> Any:
        """The same with one place in it another."""
        chance = self.chance
        if isinstance(part, dict) and part and chance.random() < 0.85:
            key = chance.choice(list(part))
            roll = chance.random()
            if roll < 0.08:
                return {name: value for name, value in part.items() if name != key}
            if roll < 0.14:
                return {**part, chance.choice(("extra", "amount", "player", "fact", key)): chance.choice(NASTY)}
            if roll < 0.18:
                return {**part, key: self._nested(part[key])}
            return {**part, key: self._changed(part[key])}
        if isinstance(part, list) and part and chance.random() < 0.8:
            at = chance.randrange(len(part))
            return [*part[:at], self._changed(part[at]), *part[at + 1 :]]
        return chance.choice(NASTY)

    def _nested(self, value: Any) -> Any:
        for _ in range(self.chance.randrange(1, DEEP)):
            value = [value]
        return value

    def _bytes(self, one: bytes) -> bytes:
        chance, at = self.chance, self.chance.randrange(len(one) + 1)
        match chance.randrange(5):
            case 0:
                return one[:at]
            case 1:
                return one[:at] + chance.choice(TORN) + one[at:]
            case 2 if one:
                at = chance.randrange(len(one))
                return one[:at] + bytes((one[at] ^ (1 << chance.randrange(8)),)) + one[at + 1 :]
            case 3:
                other = chance.choice(self.stock)
                return one[:at] + other[chance.randrange(len(other) + 1) :]
            case _:
                return one[:at] + one[max(0, at - 20) :] * 2
