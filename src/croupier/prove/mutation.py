"""Change each value of the law in turn, and see whether a case at a door notices.

Theory of operation.  A mutant is one law of one edition with another value: a number one higher, a set without one of
its members, odds that pay one more.  All versions of an edition that hold the same law at the same path are changed
together; so are the editions that share a room's rules.  A case of the compliance matrix that carries out one of the
law's own rules must then fail, or be answered otherwise than under the law unchanged: what the neighbours of a rule
notice does not count.  A law whose rules have no case is unobserved, and that is a fault as well.

Everything is imported once; then a child is forked for each mutant.  It puts the mutant where the editions are looked
up, plays the cases in its own process until the first goes otherwise, and ends with the verdict as its exit code.  So
no mutant can touch another.  A child that takes too long is ended: a mutant that hangs the rules has not passed.  An
edition that cannot even be built with the mutant has noticed it.

Before the mutants a child plays the cases on the law unchanged.  They must go as they say, or all that follows would be
caught for nothing; it keeps what each was answered, and how long it took, so that the quick ones go first.

Some mutants decide every round as the law does: a set that loses, where what wins is looked at first.  `alike.csv`
lists them with the reason; a row with a star stands for the same change of the same law in several documents.  One that
is caught after all must leave it, and so must a row that stands for it.

Two controls.  A law that only its neighbour's cases would notice, because its own rule has none, must be told as
unobserved; and a mutant that changes nothing must survive.
"""

from __future__ import annotations

import contextlib
import csv
import os
import pickle
import pkgutil
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from math import ceil
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, cast, get_args

import croupier
from croupier.games import GAMES
from croupier.law.editions import EDITIONS
from croupier.law.model import Law, laws_in, present
from croupier.prove import ProofScope, Tell, Verdict
from croupier.prove.allowance import Allowance
from croupier.prove.changes import changed
from croupier.survey.coverage import Places, watchers, watching

ROOT: Final = Path(__file__).parents[3]
SECONDS: Final = 60.0
"""Of the processor, so that a busy machine ends nobody before his time."""
ASLEEP: Final = 10
"""So many times as long by the clock, for one that sleeps and uses no processor."""
MEMORY: Final = 4 * 2**30
PROCESSOR_SECONDS: Final = 600
"""No child outlives this, even if its parent was killed before it could end it."""
PATIENCE: Final = 0.005

Fate: TypeAlias = Literal["caught", "not built", "timed out", "survived", "unobserved", "not run"]
HARMLESS: Final[tuple[Fate, ...]] = ("caught", "not built", "timed out")
LIKE: Final = Path(__file__).with_name("alike.csv")
STAR: Final = "*"

Look: TypeAlias = Callable[[str], object]
"""Plays a case, by its name: what it was answered, or an exception if it did not go as it says."""

# Exit codes of a child.
PASSED, FAILED, NOT_BUILT, NOT_RUN = 0, 1, 3, 70
FATES: Final[dict[int, Fate]] = {
    PASSED: "survived",
    FAILED: "caught",
    NOT_BUILT: "not built",
    -signal.SIGXCPU: "timed out",
}

# ---------------------------------------------------------------- mutants


Key: TypeAlias = str | tuple[str, ...]
"""What rules are looked up by: a version, an edition, or an edition with a game and its version."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where rules are looked up: the versions of a game in an edition, or a part of the law by edition."""

    name: str
    edition: str
    held: dict[Key, Any]


def shelves() -> tuple[Shelf, ...]:
    """Every shelf; one that is in no edition holds rules for several."""
    games = [
        Shelf(game.name, edition, _open(versions))
        for game in GAMES.values()
        for edition, versions in game.editions.items()
    ]
    parts = [Shelf(f"law.{part}", "", _Part(part)) for part in PARTS]
    return (*games, *parts, Shelf("law.areas", "", _Layouts()))


def _open(versions: Mapping[str, Any]) -> dict[Key, Any]:
    if not isinstance(versions, dict):
        raise TypeError("the versions of an edition must be a plain dictionary, so that a mutant can be put there")
    return cast("dict[Key, Any]", versions)


def _edition(key: Key) -> str:
    return key if isinstance(key, str) else key[0]


class _Part(dict[Key, Any]):
    """One part of the law of every edition that has it; what is put here is put into the edition's record."""

    def __init__(self, part: str) -> None:
        laws = {key: getattr(edition, part) for key, edition in EDITIONS.items()}
        super().__init__({key: law for key, law in laws.items() if present(law)})
        self.part = part

    def __setitem__(self, key: Key, law: Any) -> None:
        super().__setitem__(key, law)
        EDITIONS[_edition(key)] = replace(EDITIONS[_edition(key)], **{self.part: law})


class _Layouts(dict[Key, Any]):
    """The layouts of all editions, each under its edition, game and version."""

    def __init__(self) -> None:
        super().__init__({(key, *of): law for key, edition in EDITIONS.items() for of, law in edition.layouts.items()})

    def __setitem__(self, key: Key, law: Any) -> None:
        super().__setitem__(key, law)
        assert isinstance(key, tuple)
        edition, game, version = key
        layouts = {**EDITIONS[edition].layouts, (game, version): law}
        EDITIONS[edition] = replace(EDITIONS[edition], layouts=layouts)


PARTS: Final = ("general", "links", "cage", "tournament")
"""The parts of an edition's record that are one object of law."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A law with another value, under all keys of its shelf that hold the same law at the same path."""

    shelf: Shelf
    keys: tuple[Key, ...]
    path: str
    law: Law[object]
    change: str
    value: object

    @property
    def versions(self) -> tuple[str, ...]:
        return tuple(key if isinstance(key, str) else "/".join(key) for key in self.keys)

    @property
    def name(self) -> str:
        where = "/".join(filter(None, (self.shelf.edition, ",".join(self.versions))))
        return f"{self.shelf.name} {where} {self.path}: {self.change}"


def mutants(scope: ProofScope) -> tuple[Mutant, ...]:
    """Every mutant in scope, or a sample spread evenly over them, from where the seed says."""
    known = shelves()
    for word, words in ((scope.edition, tuple(EDITIONS)), (scope.game, tuple(dict.fromkeys(s.name for s in known)))):
        if word and word not in words:
            raise ValueError(f"nothing to change in {word!r}; known are {', '.join(words)}")
    wanted = (shelf for shelf in known if scope.game in ("", shelf.name) and scope.edition in ("", *_editions(shelf)))
    found = [mutant for shelf in wanted for mutant in _of_shelf(shelf)]
    if not found:
        raise ValueError(f"{scope.edition} has no law of {scope.game}")
    if not 0 < scope.sample < len(found):
        return tuple(found)
    first = scope.seed % (len(found) // scope.sample)
    return tuple(found[first + index * len(found) // scope.sample] for index in range(scope.sample))


def _editions(shelf: Shelf) -> tuple[str, ...]:
    return (shelf.edition,) if shelf.edition else tuple(map(_edition, shelf.held))


def _of_shelf(shelf: Shelf) -> Iterator[Mutant]:
    for (path, law), keys in _shared(shelf.held).items():
        for change, value in changed(law.value):
            yield Mutant(shelf, tuple(keys), path, law, change, value)


class _Same(tuple[str, Law[object]]):
    """A path with its law; hashed by the rules, since a value need not be hashable."""

    def __hash__(self) -> int:
        return hash((self[0], self[1].rules))


def _shared(held: Mapping[Key, object]) -> dict[_Same, list[Key]]:
    """The laws on a shelf by path, each with the keys under which it is the same."""
    found: dict[_Same, list[Key]] = {}
    for key, rules in held.items():
        for path, law in laws_in(rules):
            found.setdefault(_Same((path, law)), []).append(key)
    return found


def put(mutant: Mutant) -> None:
    """Put the mutant in force in this process, wherever its rules are held by name."""
    for key in mutant.keys:
        before = mutant.shelf.held[key]
        after = _with(before, "", mutant)
        mutant.shelf.held[key] = after
        _rename(before, after)


def _with(thing: Any, path: str, mutant: Mutant) -> Any:
    """The rules with the mutant at its path.  The walk is the one of `laws_in`."""
    if path == mutant.path and isinstance(thing, Law):
        return Law(mutant.value, thing.rules)
    if path and not f"{mutant.path}.".startswith(f"{path}."):
        return thing
    if isinstance(thing, Law):
        return Law(_with(thing.value, path, mutant), thing.rules)
    if is_dataclass(thing) and not isinstance(thing, type):
        inside = {field.name: getattr(thing, field.name) for field in fields(thing)}
        made = {key: _with(item, f"{path}.{key}" if path else key, mutant) for key, item in inside.items()}
        return replace(thing, **{key: item for key, item in made.items() if item is not inside[key]})
    if isinstance(thing, Mapping):
        entries = {key: _with(item, f"{path}.{key}", mutant) for key, item in thing.items()}
        return MappingProxyType(entries) if isinstance(thing, MappingProxyType) else entries
    if isinstance(thing, tuple | list):
        return type(thing)(_with(item, f"{path}.{index}", mutant) for index, item in enumerate(thing))
    return thing


def _rename(before: object, after: object) -> None:
    """Modules that hold the rules under a name of their own get the mutant too."""
    for name, module in list(sys.modules.items()):
        if name.startswith("croupier"):
            for key, value in list(vars(module).items()):
                if value is before:
                    setattr(module, key, after)


# ---------------------------------------------------------------- children


@dataclass(frozen=True, slots=True)
class Child:
    """A forked process at work, and when it must be done."""

    mutant: Mutant
    pid: int
    deadline: float


def _fork(work: Callable[[], int], seconds: float = PROCESSOR_SECONDS) -> int:
    """Start a child that ends with the answer of its work as exit code, silent, bounded in memory and time."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds), ceil(seconds) + 1))
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        os.chdir(ROOT)
        os._exit(work())
    except BaseException:
        os._exit(NOT_RUN)
    raise AssertionError("a child does not come back")


def _warm_up() -> None:
    """Import here what every child will need."""
    for found in pkgutil.walk_packages(croupier.__path__, "croupier."):
        # A module that needs an extra which is not installed is no concern of the cases that can be played here.
        if not found.name.startswith(("croupier.floor", "croupier.prove")):
            with contextlib.suppress(ImportError):
                import_module(found.name)


def cases() -> Look:
    """The cases of the compliance matrix, which are part of the source and not of the parcel."""
    if not (ROOT / "tests" / "law" / "cases").is_dir():
        raise ValueError("the cases of the law are not here: this proof needs a checkout of the source")
    sys.path.insert(0, str(ROOT))
    look: Look = import_module("tests.law.matrix.run").observer()
    return look


def _end(pid: int) -> None:
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


@dataclass(frozen=True, slots=True)
class Unchanged:
    """What a case is answered on the law unchanged, and how long that takes."""

    answers: object
    seconds: float


def unchanged(names: Sequence[str], look: Look) -> dict[str, Unchanged]:
    """Every case on the law unchanged, where all must go as they say."""
    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder) / "unchanged"

        def work() -> int:
            found: dict[str, Unchanged] = {}
            for name in names:
                began = time.perf_counter()
                try:
                    answers = look(name)
                except Exception as error:
                    note.write_bytes(pickle.dumps(f"{name}: {error}"))
                    return FAILED
                found[name] = Unchanged(answers, time.perf_counter() - began)
            note.write_bytes(pickle.dumps(found))
            return PASSED

        os.waitpid(_fork(work), 0)
        found = pickle.loads(note.read_bytes()) if note.exists() else "the cases were not played to their end"
    if isinstance(found, str):
        raise ValueError(f"on the law unchanged a case fails (make concordance): {found}")
    return cast("dict[str, Unchanged]", found)


# ---------------------------------------------------------------- the proof


@dataclass(frozen=True, slots=True)
class MutationResult:
    mutant: Mutant
    fate: Fate
    cases: tuple[str, ...]


def try_all(
    these: Sequence[Mutant],
    tell: Tell,
    *,
    seen: Places,
    look: Look,
    seconds: float = SECONDS,
    allowed: Allowance | None = None,
) -> list[MutationResult]:
    """The fate of each mutant that there was time for, in the order given, where these cases saw these rules."""
    watchers = {mutant.name: watching(mutant.law, seen) for mutant in these}
    fates: dict[str, Fate] = {name: "unobserved" for name, names in watchers.items() if not names}
    _warm_up()
    before = unchanged(sorted({name for names in watchers.values() for name in names}), look)
    hunts = [
        (mutant, _hunt(mutant, sorted(watchers[mutant.name], key=lambda name: before[name].seconds), look, before))
        for mutant in these
        if watchers[mutant.name]
    ]
    for mutant, fate in _run((allowed or Allowance()).each(hunts, "mutants"), seconds):
        fates[mutant.name] = fate
        tell(len(fates), len(these), mutant.name)
    return [
        MutationResult(mutant, fates[mutant.name], watchers[mutant.name]) for mutant in these if mutant.name in fates
    ]


def _run(hunts: Iterator[tuple[Mutant, Callable[[], int]]], seconds: float) -> Iterator[tuple[Mutant, Fate]]:
    """Run hunts, as many at a time as there are processors, and tell each fate as it is known."""
    running, at_once, more = list[Child](), len(os.sched_getaffinity(0)), True
    try:
        while more or running:
            while more and len(running) < at_once:
                if more := (found := next(hunts, None)) is not None:
                    running.append(Child(found[0], _fork(found[1], seconds), time.monotonic() + ASLEEP * seconds))
            for child, fate in [(child, _fate(child)) for child in running]:
                if fate is not None:
                    running.remove(child)
                    yield child.mutant, fate
            time.sleep(PATIENCE)
    finally:
        for child in running:
            _end(child.pid)


def _hunt(mutant: Mutant, names: Sequence[str], look: Look, before: Mapping[str, Unchanged]) -> Callable[[], int]:
    def work() -> int:
        try:
            put(mutant)
        except Exception:
            return NOT_BUILT
        try:
            return PASSED if all(look(name) == before[name].answers for name in names) else FAILED
        except Exception:
            return FAILED

    return work


def _fate(child: Child) -> Fate | None:
    """What became of a child; None while it works within its time."""
    pid, status = os.waitpid(child.pid, os.WNOHANG)
    if pid:
        return FATES.get(os.waitstatus_to_exitcode(status), "not run")
    if time.monotonic() < child.deadline:
        return None
    _end(child.pid)
    return "timed out"


def prove(scope: ProofScope, tell: Tell) -> Verdict:
    """Whether every mutant in scope is caught, but for those that are like the law."""
    look, seen, like = cases(), watchers(), alike()
    results = try_all(mutants(scope), tell, seen=seen, look=look, allowed=scope.time)
    escaped = [each for each in results if each.fate not in HARMLESS and not listed(each.mutant.name, like)]
    left = [each for each in results if each.fate in HARMLESS and listed(each.mutant.name, like)]
    counts = {fate: sum(result.fate == fate for result in results) for fate in get_args(Fate)}
    controls = _controls(seen, look)
    same = sum(each.fate == "survived" and listed(each.mutant.name, like) for each in results)
    answer = {
        "proof": "mutation",
        "mutants": len(results),
        **counts,
        "alike": same,
        "escaped": [_row(each) for each in escaped],
        "controls": controls,
    }
    lines = (
        *(_line(each) for each in escaped),
        *(f"listed as like the law, but {each.fate}: {each.mutant.name}" for each in left),
        f"{len(results)} mutants: "
        + ", ".join(f"{count} {fate}" for fate, count in counts.items())
        + f"; of those that survived, {same} decide as the law does",
        *(f"control: {name}: {'caught' if caught else 'NOT CAUGHT'}" for name, caught in controls.items()),
    )
    return Verdict(not escaped and not left and all(controls.values()), answer, lines)


@cache
def alike() -> Mapping[str, str]:
    """The mutants that decide every round as the law does, each with the reason."""
    with LIKE.open(encoding="utf-8", newline="") as file:
        return {row["mutant"]: row["reason"] for row in csv.DictReader(file)}


def listed(name: str, like: Mapping[str, str]) -> bool:
    """Whether a mutant is among those that decide as the law does, by its name or by a row for several."""
    return name in like or any(STAR in each and fnmatchcase(name, each) for each in like)


NEIGHBOUR: Final = "roulette nz1996/roulette bets.straight.pays: 36 to 1"


def _controls(seen: Places, look: Look) -> dict[str, bool]:
    """A law is caught by its own cases, and not by its neighbours' alone; one that was not changed is not."""
    (mutant,) = [each for each in mutants(ProofScope("roulette")) if each.name == NEIGHBOUR]
    own = {rule: names for rule, names in seen.items() if names and set(names) & set(watching(mutant.law, seen))}
    others = {rule: names for rule, names in seen.items() if rule not in own}
    untouched = replace(mutant, value=mutant.law.value)

    def fate(each: Mutant, these: Places) -> Fate:
        (result,) = try_all((each,), lambda *_: None, seen=these, look=look)
        return result.fate

    return {
        "a value that only its neighbours' cases would notice": (fate(mutant, seen), fate(mutant, others))
        == ("caught", "unobserved"),
        "a change that changes nothing": fate(untouched, seen) == "survived",
    }


def _row(result: MutationResult) -> dict[str, object]:
    mutant = result.mutant
    return {
        "game": mutant.shelf.name,
        "edition": mutant.shelf.edition,
        "versions": list(mutant.versions),
        "path": mutant.path,
        "rules": list(mutant.law.rules),
        "change": mutant.change,
        "fate": result.fate,
        "cases": list(result.cases),
    }


def _line(result: MutationResult) -> str:
    return f"{result.fate}: {result.mutant.name} ({result.mutant.law.rule})"
