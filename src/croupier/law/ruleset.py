"""A rule set: the edition, how it is read, and what the operator elected.

A `Ruleset` is plain data with a stable hash, so that a journal, a sheet or an export can say exactly under which rules
it was made.  It joins the game's rules object, with the elections in force, to all the other law of its edition; which
games there are is not known here.

The hash covers every value that can change what happens at the table.  A journal names it beside the names of the
edition, the elections and the readings, and beside the hash of the law alone (`text`), which is the same whatever was
elected.  So a program whose law was mended can still tell a journal of an earlier one: it keeps the hash that the law
had in `FORMER`.  Journals of the first form named a hash of the game's rules only; their names say which law is meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from croupier.law.areas import NONE, AreaRules, on_cloth
from croupier.law.conditions import AS_TEXT
from croupier.law.editions import Edition
from croupier.law.elections import Options, electable
from croupier.law.inventory import parts
from croupier.law.model import Law
from croupier.once import dataclass, once_each
from croupier.present import Rows, drawn, html_table, short

if TYPE_CHECKING:
    from rich.table import Table

R = TypeVar("R")

NOT_GAZETTED: Final = "not gazetted"
FORM: Final = 2
"""How a journal names its law; the first form had no number."""
FORMER: Final[frozenset[str]] = frozenset(
    {
        # Victoria, Traditional and Crown, before a Run said that each coup of it needs a wager.
        "586a22c4990a4abca5a449f550c7ab38ad1fffcc31470579fa49f14617057603",
        "9e05c607bcdc5a240338c23eef86f26f362c590230425ce5b1d3de629f7a78d1",
        # Roulette, tai-sai, the money wheel and craps, before they said where
        # results may come from; and roulette, which layout has a courtesy line.
        "4569a135c1c55011986666fa89c7815b312cb83f04bbb6262237856f816311d3",
        "9f9b7ffa7137611db507fcc4d707b14868097cf7927dea71f0b395e1a95b4c5a",
        "150e6df8db34dfd0c875c8857c092d06c0db63aa10eae67ecfe4ee2f346c7796",
        "d7d93dcd86ba03d15cdba27836943653a2f46e82bc70b106bf81550629794a94",
        # Electronic Baccarat, terminals and hybrid, before its own rules on the second set beside a batch shuffler.
        "dddaaf133c40045088ed8f3141ef2b85991a5bf1d9429f6a65dc7250ab98145e",
        "0e23ad57209e21656bc56c9584ea4f3a645d59248aa290c915c59593f2dc50b7",
        # All, before they said who confirms that a wager is void which the others of its owner bar.
        "5c3697cf7ebffba58776ad22488db33fdbabe3f830416a1b55afd275fe2f668f",
        "20770fa7384b6198a7507afbe5e51c1a7ac5a51e773dcba8a81251785a179f67",
        "83bca1bce705e542424914e73f90076f5d185dfaea010db56804d550ad7c44a7",
        "247fe077436989a09a3ab8baa52502467e7f7780e27f0c39834e09027ece64e2",
        "b5cf7e889b625ca857d0fa0e7ba8bf8a9275c45a957b0f8700d2b37dc24921ed",
        "1b2d8db5dd4993e1fd3d317df36f4fe5d0ff6aee1f61ea49d3ca29e8d13ecf1c",
        "448cdf634ff9fa957cec0e43e2d3f0f0493ccea9100e847e98129416f8f5d317",
        "7f0a9041d9a50e283aa9b986c02fa002f31ed7cc4b2a9c4de687483a126e46cb",
        "4bdffdbba31faf2ab0f6cdc4c805953c77e2a5ef3806c3824722f3f811d12724",
        "5bda2f266ede936c1a65ea7c1d11c19a3a57fbacf4c26d0de04987aac1821116",
        "6995bf75685004f361020bb15e3a5fd2eac4c086dd37c8d693bc92b734f84ab3",
        "dd4635ecc7db84974bc9bce62251b5a9100d85d04bb99bf5b31b78573f84cac4",
        "c2c3af4880694e05f2c75539547dbb30551b50d7abfa58bc4be2e5e2087c2d46",
        "cb336eab2ab9b43bbdead350374c1aa06f79de6147fce09ad2c6a9b2e7fb4f8a",
        "363d7e6e2e7470b3126226c29ff5ed7bb0cbddead82fd8e1bed888f14d38a555",
        "749b90ee9286cd40abc3f504ffcbf5a71cce65ec2f6e49f6af074fae90f0872c",
        "73dca23c5a264a2868239daf0675c874e9492c1a0e4af1abbb6a53cb302a44c8",
    }
)
"""The hashes (`text`) of laws that earlier releases had, and that were mended since."""


@dataclass(frozen=True, slots=True)
class OwnFile:
    """What an edition of somebody's own is made from: its file, where its rules come from, what each of them says."""

    text: str
    source: str
    says: Mapping[str, str]


@dataclass(frozen=True, slots=True, repr=False)
class Ruleset(Generic[R]):
    """One game under one edition and version, with its elections and readings; `law` is the rest of its edition.

    `own` is there where no gazette printed these rules, and says so wherever they are shown.
    """

    game: str
    edition: str
    version: str
    rules: R
    readings: Mapping[str, str]
    law: Edition
    own: OwnFile | None = None

    @property
    def elections(self) -> dict[str, object]:
        """What is in force where the law leaves a choice."""
        chosen = {name: law.value.elected for name, law in electable(self.rules).items()}
        return {name: value for name, value in chosen.items() if name not in self.readings}

    @property
    def label(self) -> str:
        """The rule set in a word: `baccarat nz1998/full`."""
        named = f"{self.game} {self.edition}" + (f"/{self.version}" if self.version else "")
        return f"{named} ({NOT_GAZETTED})" if self.own else named

    @property
    def marked(self) -> dict[str, object]:
        """What every answer under rules of somebody's own says beside their name."""
        return {"gazetted": False, "title": self.law.title, "source": self.own.source} if self.own else {}

    def says(self, rule: str) -> tuple[str, ...]:
        """What a rule says, in our words or in those of the edition's own file."""
        if self.own and rule in self.own.says:
            return (f"{NOT_GAZETTED}: {self.own.says[rule]}",)
        return tuple(row.summary for row in parts(rule))

    def __hash__(self) -> int:
        """Equal rule sets are one key; the rest of the law follows from these names, and a dictionary has no hash."""
        return hash((self.game, self.edition, self.version, str(self.elections)))

    def __repr__(self) -> str:
        return short("Ruleset", rules=self.label, **self.elections)

    def rows(self) -> Rows:
        """One flat dictionary for each choice that the law leaves, with what is in force."""
        choices = electable(self.rules).items()
        return [
            {
                "choice": name,
                "kind": "reading" if name in self.readings else "election",
                "in_force": str(law.value.elected),
                "permitted": ", ".join(map(str, law.value.permitted)),
                "rule": law.rule,
            }
            for name, law in choices
        ]

    def to_dict(self) -> dict[str, Any]:
        """The rule set as a journal names it."""
        return self.named()

    def __rich__(self) -> Table:
        return drawn(self.rows(), self._title)

    def _repr_html_(self) -> str:
        return html_table(self.rows(), self._title)

    @property
    def _title(self) -> str:
        return f"{self.label}: {self.law.title}"

    @property
    def layout(self) -> AreaRules:
        """The law on this game's layout, on the cloth that was elected."""
        return on_cloth(self._areas, self.elections.get("layout"))

    @property
    def _areas(self) -> AreaRules:
        return self.law.layouts.get((self.game, self.version), NONE)

    @property
    def hash(self) -> str:
        """The same for the same law, readings and elections, on any machine and in any run."""
        chosen = [f"{name}={choice}" for name, choice in sorted(self.readings.items())]
        elected = [f"{name}={choice!r}" for name, choice in sorted(self.elections.items())]
        return _digest(self.text, *chosen, *elected)

    @property
    def text(self) -> str:
        """The hash of the law alone, whatever of it is elected.

        A field that came later has a default, and adds nothing while it holds that: the law is what it was before.
        """
        law = self.law
        pairs = ((field, getattr(self.rules, field.name)) for field in fields(self.rules))  # type: ignore[arg-type]
        own = [f"{field.name} {_part(value)}" for field, value in pairs if _says(field.default, value)]
        parts = (law.general, self._areas, law.links, law.cage, law.tournament)
        return _digest(f"{self.game} {self.edition} {self.version}", *own, *map(_part, parts))

    def named(self) -> dict[str, Any]:
        """The rule set as a journal tells it: enough to make it again, and its hashes to compare."""
        return {
            "form": FORM,
            "game": self.game,
            "edition": self.edition,
            "version": self.version,
            "elections": {name: value for name, value in self.elections.items() if value != ""},
            "readings": dict(self.readings),
            "text": self.text,
            "hash": self.hash,
            **({"own": self.own.text} if self.own else {}),
        }

    def is_named(self, recorded: Mapping[str, Any]) -> bool:
        """Whether a journal that tells its law so was kept under this one, or under what this one was before."""
        names = (recorded.get("game"), recorded.get("edition"), recorded.get("version"))
        if names != (self.game, self.edition, self.version) or not self._chosen(recorded):
            return False
        if recorded.get("form", 1) == 1:
            return True
        if recorded["hash"] == self.hash:
            return True
        # What was printed nowhere is known by its file: the text of its base may have been mended since.
        former = recorded["text"] in FORMER or (self.own is not None and recorded.get("own") == self.own.text)
        return recorded["text"] != self.text and former

    def _chosen(self, recorded: Mapping[str, Any]) -> bool:
        """Whether just what is told was chosen; of a choice that was not known then, the default is in force."""
        offered = {**electable(self.rules)}
        chosen = {**recorded.get("elections", {}), **recorded.get("readings", {})}
        for name, law in offered.items():
            default = law.value.permitted[0] if law.value.permitted else ""
            if law.value.elected != chosen.get(name, default):
                return False
        known = {**{name: law.value.elected for name, law in offered.items()}, **self.readings}
        return all(known.get(name) == choice for name, choice in chosen.items())


def _says(default: object, value: object) -> bool:
    return default is MISSING or value != default


def _digest(*lines: str) -> str:
    from hashlib import sha256

    digest = sha256()
    for line in lines:
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def named_law(edition: str, **parts: object) -> dict[str, str]:
    """The law under which a room of the house works, as its journal names it: the document, and each part's hash."""
    return {"edition": edition, **{name: _part(part) for name, part in parts.items()}}


def _part(value: object) -> str:
    """The hash of a part of the law.

    A part is frozen and lives as long as its edition, and many rule sets share it; so its hash is made once for the
    very object.  A choice is made anew with each election, and is short.
    """
    if isinstance(value, Law) and isinstance(value.value, Options):
        return _digest(_stable(value))
    return _whole(value)


@once_each
def _whole(value: object) -> str:
    return _digest(_stable(value))


def _stable(value: object) -> str:
    """A text of a value: all of it but what is elected, in an order that is the same in any run.

    What does not count when two values are compared is not of the law: it says how the law is carried out.
    """
    if isinstance(value, Options):
        return f"choice{_stable(value.permitted)}"
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(sorted(map(_stable, value))) + "}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_stable(key)}: {_stable(item)}" for key, item in value.items()) + "}"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(map(_stable, value)) + ")"
    if is_dataclass(value) and not isinstance(value, type):
        inside = ", ".join(f"{field.name}={_stable(_told(field, value))}" for field in fields(value) if field.compare)
        return f"{type(value).__name__}({inside})"
    return repr(value)


def _told(field: Field[Any], value: object) -> object:
    """What a field holds, as text where it says so of itself."""
    held = getattr(value, field.name)
    return field.metadata[AS_TEXT](held) if AS_TEXT in field.metadata else held
