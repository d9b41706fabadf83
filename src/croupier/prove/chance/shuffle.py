"""Whether chance is fair: the mapping from bits to cards exhaustively, and what the house really draws by statistics.

Theory of operation.  First what can be shown for certain: a source of bits in which every number comes once is mapped
to every choice below n once, for all n up to eight decks; and all sequences of choices give all orders of a short pack
once each.  Then samples of what a practice house draws (`equipment.shuffled` and the spaces of the games, from the
operating system's bits) go through the tests of `statistics`.

The bounds are stated in advance: a test that falls below `GATE` is done again with a new sample, and fails when that
falls below too; sound chance does so once in 10^12 tests.  What falls outside of 99 % is reported, and must: about one
test in a hundred does.  The controls are shuffles known to be bad; each must fall below the gate.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import permutations, product
from math import factorial, prod
from random import Random, SystemRandom
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.equipment import Below, below_from_bits, card_name, shuffled
from croupier.floor.practice.dealer import VirtualShoe
from croupier.prove import Findings, ProofScope, Tell, Verdict
from croupier.prove.chance.statistics import of_draws, of_orders

DECKS: Final = 8
KINDS: Final = 52
CARDS: Final = DECKS * KINDS
SHORT_PACK: Final = 6
A_SAMPLE: Final = 20_000
"""Shoes that go through the tests together; more are several samples."""
DRAWS_A_SHOE: Final = 100
GATE: Final = 1e-6
REPORTED: Final = 0.01
RAW_BYTES: Final = 4_000_000
FACES: Final = {"dice": 6, "spins": 37, "wheel": 52}

Cards: TypeAlias = tuple[int, ...]
"""A pack in some order, each card a number."""


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    scope.no_games("chance")
    found = Findings()
    shoes = scope.count(short=20_000, long=1_000_000)
    _mapping(found)
    _all_orders(found)
    while scope.time.goes_on("shoes", found.tried.get("shoes", 0), shoes):
        _sampled(found, min(A_SAMPLE, shoes - found.tried.get("shoes", 0)), tell)
    if not found.faults:
        drawn = ", ".join(f"{found.tried[what]:,} {what}" for what in ("shoes", *FACES))
        found.holds.append(f"{drawn}: within the bounds")
    _never_twice(found)
    _committed(found)
    _raw(found)
    few = 1_000  # enough to tell a bad shuffle for certain
    found.controls = {
        "choices by the remainder of a few bits": _fails(lambda: of_orders(_orders(few, biased, tell), KINDS)),
        "a swap with any place": _fails(lambda: of_orders(_orders(few, naive, tell), KINDS)),
        "a hundred seeds": len({seeded(tuple(range(CARDS)), number % 100) for number in range(101)}) < 101,
        "a mapping by the remainder": not _even_over_bits(lambda n, bits: bits((n - 1).bit_length()) % n, 5),
    }
    return found.verdict()


# ---------------------------------------------------------------- for certain


class Counted(SystemRandom):
    """The generator behind `secrets`, with bits that come one after another instead of by chance."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers: Iterator[int] = iter(())

    def getrandbits(self, _width: int) -> int:
        return next(self.numbers)


def _mapping(found: Findings) -> None:
    """Both mappings in use: each choice comes from exactly one number of bits, and every other number is rejected."""
    ours = all(_even_over_bits(below_from_bits, n) for n in range(2, CARDS + 1))
    system = Counted()

    def theirs(n: int, bits: Callable[[int], int]) -> int:
        system.numbers = iter(lambda: bits(n.bit_length()), None)
        return system._randbelow(n)  # type: ignore[attr-defined,no-any-return]

    both = ours and all(_even_over_bits(theirs, n) for n in range(2, CARDS + 1))
    found.count("mappings", 2 * (CARDS - 1))
    if both:
        found.holds.append(f"every choice below n comes from exactly one number, for n from 2 to {CARDS}")
    else:
        found.faults.append("a mapping from bits to choices is not even")


class _Exhausted(Exception):
    """No more bits: the number was rejected."""


def _even_over_bits(mapping: Callable[[int, Callable[[int], int]], int], n: int) -> bool:
    """Whether, over all numbers of the width asked for, each choice comes equally often."""
    met: Counter[int] = Counter()
    number = 0
    while True:
        asked: list[int] = []

        def bits(width: int, number: int = number, asked: list[int] = asked) -> int:
            if asked:
                raise _Exhausted
            asked.append(width)
            return number

        with suppress(_Exhausted):
            met[mapping(n, bits)] += 1
        number += 1
        if number == 1 << asked[0]:
            return set(met) == set(range(n)) and len(set(met.values())) == 1


def _all_orders(found: Findings) -> None:
    """Every sequence of choices of a short pack: every order once."""
    met = Counter(shuffled(range(SHORT_PACK), _scripted(each)) for each in _choices())
    found.count("sequences of choices", factorial(SHORT_PACK))
    if met == Counter(permutations(range(SHORT_PACK))):
        found.holds.append(
            f"all {prod(range(1, SHORT_PACK + 1))} sequences of choices give each order of {SHORT_PACK} cards once"
        )
    else:
        found.faults.append("not every order of a short pack is as likely as the others")


def _choices() -> Iterator[tuple[int, ...]]:
    return product(*(range(size) for size in range(SHORT_PACK, 1, -1)))


def _scripted(choices: tuple[int, ...]) -> Below:
    left = iter(choices)
    return lambda _: next(left)


# ---------------------------------------------------------------- by statistics


def _sampled(found: Findings, shoes: int, tell: Tell) -> None:
    """One sample of shoes, and of each kind of draws a hundred for every shoe of it."""
    _gated(found, f"{shoes:,} shoes", lambda: of_orders(_orders(shoes, fair, tell), KINDS))
    draws = shoes * DRAWS_A_SHOE
    for what, faces in FACES.items():
        _gated(found, f"{draws:,} {what}", lambda faces=faces: of_draws(_draws(draws, faces), faces))  # type: ignore[misc]
        found.count(what, draws)
    found.count("shoes", shoes)


def fair(pack: Cards) -> Cards:
    return shuffled(pack, secrets.randbelow)


def biased(pack: Cards) -> Cards:
    return shuffled(pack, lambda n: secrets.randbits(9) % n)


def naive(pack: Cards) -> Cards:
    mixed = list(pack)
    for place in range(len(mixed)):
        other = secrets.randbelow(len(mixed))
        mixed[place], mixed[other] = mixed[other], mixed[place]
    return tuple(mixed)


def seeded(pack: Cards, seed: int) -> Cards:
    return shuffled(pack, Random(seed).randrange)


def _orders(shoes: int, shuffle: Callable[[Cards], Cards], tell: Tell) -> NDArray[np.int64]:
    pack = tuple(range(CARDS))
    rows = np.empty((shoes, CARDS), np.int16)
    for number in range(shoes):
        rows[number] = shuffle(pack)
        if number % 1000 == 0:
            tell(number, shoes, "shuffling")
    return rows.astype(np.int64)


def _draws(count: int, faces: int) -> NDArray[np.int64]:
    return np.fromiter((secrets.randbelow(faces) for _ in range(count)), np.int64, count)


def _gated(found: Findings, what: str, tests: Callable[[], Iterator[tuple[str, float]]]) -> None:
    """All tests of a sample; what falls below the gate once more, with another."""
    low = [name for name, chance in _counted(found, tests()) if chance < GATE]
    again = [name for name, chance in _counted(found, tests()) if chance < GATE and name in low] if low else []
    if again:
        found.faults.append(f"{what}: {', '.join(again)} below {GATE} twice")


def _counted(found: Findings, tests: Iterator[tuple[str, float]]) -> Iterator[tuple[str, float]]:
    for name, chance in tests:
        found.count("tests")
        if chance < REPORTED:
            found.count("tests outside of 99 %")
        yield name, chance


def _fails(tests: Callable[[], Iterator[tuple[str, float]]]) -> bool:
    return any(chance < GATE for _, chance in tests())


# ---------------------------------------------------------------- the stream


def _never_twice(found: Findings, shoes: int = 200) -> None:
    """No shoe comes twice, not even in two processes that were one a moment ago."""
    met = {fair(tuple(range(CARDS))) for _ in range(shoes)}
    theirs = _in_a_fork(lambda: bytes(secrets.randbelow(256) for _ in range(64)))
    ours = bytes(secrets.randbelow(256) for _ in range(64))
    if len(met) == shoes and theirs != ours:
        found.holds.append("no stream comes twice, nor in two processes of one origin")
    else:
        found.faults.append("a stream came twice")


def _in_a_fork(work: Callable[[], bytes]) -> bytes:
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:  # pragma: no cover - it is another process
        os.write(writing, work())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        output = pipe.read()
    os.waitpid(child, 0)
    return output


def _committed(found: Findings) -> None:
    """The order that a practice shoe commits to before the first card is the order in which its cards are dealt."""
    shoe = VirtualShoe(DECKS)
    fixed = shoe.shuffle()
    dealt = [card_name(shoe.left.pop()) for _ in range(CARDS)]
    revealed = shoe.shuffle().revealed
    salt, *order = revealed.split()
    if (
        sha256(revealed.encode()).hexdigest() == fixed.commitment
        and order == dealt
        and Counter(dealt) == Counter(map(card_name, tuple(range(KINDS)) * DECKS))
    ):
        found.holds.append("the committed order is the dealt one")
    else:
        found.faults.append(f"a shoe dealt another order than it had committed to (salt {salt})")


def _raw(found: Findings) -> None:
    """The machine's own testers on the raw stream, where they are installed."""
    for tool, command in RAW.items():
        if shutil.which(tool) is None:
            found.not_run.append(f"{tool} on the raw stream: it is not installed here")
            continue
        process: subprocess.CompletedProcess[Any] = subprocess.run(
            command, input=secrets.token_bytes(RAW_BYTES), capture_output=True, check=False
        )
        found.count(f"bytes for {tool}", RAW_BYTES)
        if b"FAILED" in process.stdout:
            found.faults.append(f"{tool}: {process.stdout.decode(errors='replace')[-300:]}")
        else:
            found.holds.append(f"{tool} on {RAW_BYTES:,} bytes of the raw stream")


RAW: Final = {"rngtest": ("rngtest", "--blockcount=1500"), "dieharder": ("dieharder", "-g", "200", "-d", "0")}
