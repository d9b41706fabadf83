"""The five documents: all the law of each, when it is in force, what it replaces, and where its games may be played.

Theory of operation.  An `Edition` is a document with every part of its law that is not a game's: the general rules with
those on terminals, the layouts, jackpot links, the cage and tournaments.  Every room gets its law from here, and a part
that is not written is an error of type; `absent` says that the document is silent.  The rules of a game, with its
ceremony and its irregularities, are typed in that game's own `editions.py`; a `Ruleset` joins both.
What a notice fixes (a commencement, a list of approved games) is a `Law` with its rule.

A date chooses only among documents that print one.  The later Division 5 and the electronic division print none, so
they are chosen by name only.

A question the law answers with no gets a `No` with the rule.  A word nobody knows is an error in the question, and
raises ValueError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from datetime import datetime, timedelta, timezone
from types import MappingProxyType
from typing import Final, TypeVar, final

from croupier.law import areas, cage, general, links, tournament
from croupier.law.areas import Layouts
from croupier.law.cage import CageRules
from croupier.law.general import GeneralRules
from croupier.law.inventory import PREFIXES, division, edition_of
from croupier.law.links import LinkRules
from croupier.law.model import Absent, Law, absent, cites, present
from croupier.law.tournament import TournamentRules
from croupier.once import WhenAsked, dataclass
from croupier.present import short

NEW_ZEALAND: Final = "new_zealand"
VICTORIA: Final = "victoria"

# Both New Zealand commencements fall in summer, Victoria's in winter; fixed offsets need no table of time zones.
NZDT: Final = timezone(timedelta(hours=13), "NZDT")
AEST: Final = timezone(timedelta(hours=10), "AEST")

T = TypeVar("T")
GameVersion = tuple[str, str]
"""A game and its version, `("baccarat", "mini")`; the version is empty where a game has one form."""


@final
@dataclass(frozen=True, slots=True)
class Scope:
    """What a document replaces: one version of one game of an earlier edition."""

    edition: str
    game: str
    version: str


@final
@dataclass(frozen=True, slots=True)
class Incorporation:
    """Rules of another edition that apply too; `reading` names the reading, where the text itself is not at hand."""

    edition: str
    division: str = ""
    reading: str = ""


@final
@dataclass(frozen=True, slots=True)
class Edition:
    """One document, and its law but for the rules of the games.

    `divisions` gives the division of each game; it is empty where none is printed.
    """

    key: str
    prefix: str
    title: str
    jurisdiction: str
    in_force: Law[datetime | None]
    replaces: Law[tuple[Scope, ...]] | Absent
    incorporates: tuple[Law[Incorporation], ...]
    approves: Law[tuple[str, ...]]
    divisions: Mapping[GameVersion, str] = field(hash=False)
    general: GeneralRules = field(hash=False)
    layouts: Layouts = field(hash=False)
    links: LinkRules | Absent = field(hash=False)
    cage: CageRules | Absent = field(hash=False)
    tournament: TournamentRules | Absent = field(hash=False)

    def __repr__(self) -> str:
        return short("Edition", key=self.key, title=self.title, games=", ".join(self.games))

    @property
    def games(self) -> tuple[str, ...]:
        return self.approves.value

    def versions(self, game: str) -> tuple[str, ...]:
        """The versions of a game, in the order of the document."""
        return tuple(version for name, version in self.divisions if name == game)

    def has(self, rule: str, *, game: str, version: str) -> bool:
        """Whether a rule is in force for a version of a game: its division's, a general one, or one incorporated."""
        document, printed = edition_of(rule), division(rule)
        if document != self.key:
            taken = (each.value for each in self.incorporates if each.value.edition == document)
            return any(printed in ("", each.division) for each in taken)
        of_others = set(self.divisions.values()) - {
            each for (name, form), each in self.divisions.items() if name == game and form in ("", version)
        }
        return printed not in of_others


@final
@dataclass(frozen=True, slots=True)
class Governing:
    """An edition, and the versions of the game it governs at the time asked about."""

    edition: Edition
    versions: tuple[str, ...]
    rule: str


@final
@dataclass(frozen=True, slots=True)
class No:
    """The law says no, or says nothing; `rule` is where."""

    reason: str
    rule: str


@final
@dataclass(frozen=True, slots=True)
class Venue:
    key: str
    name: str
    jurisdiction: str
    approved: Law[tuple[GameVersion, ...]]


def _divisions(entries: Mapping[GameVersion, str]) -> Mapping[GameVersion, str]:
    return MappingProxyType(dict(entries))


_nz1996 = cites(PREFIXES["nz1996"])
_nz1998 = cites(PREFIXES["nz1998"])
_nzd5 = cites(PREFIXES["nzd5"])
_nzeb = cites(PREFIXES["nzeb"])
_vic2002 = cites(PREFIXES["vic2002"])

_BACCARAT: Final = ("baccarat",)
_GAMES_OF_1996: Final = (
    "blackjack",
    "roulette",
    "baccarat",
    "tai_sai",
    "money_wheel",
    "caribbean_stud",
    "craps",
)

# The general rules of 1996 serve the later New Zealand texts until their own Division 1 is at hand.
_GENERAL_RULES: Final = Incorporation("nz1996", division="I", reading="general_rules_of_1996")


def nz1996() -> Edition:
    return Edition(
        key="nz1996",
        prefix=PREFIXES["nz1996"],
        title="New Zealand Gazette No. 7 of 26 January 1996: Rules of Casino Table Games",
        jurisdiction=NEW_ZEALAND,
        in_force=_nz1996(datetime(1996, 1, 30, 10, 0, tzinfo=NZDT), "N-0"),
        replaces=_nz1996((), "N-3"),
        incorporates=(),
        approves=_nz1996(_GAMES_OF_1996, "I-2.1"),
        divisions=_divisions(
            {
                ("blackjack", ""): "II",
                ("roulette", ""): "III",
                ("baccarat", "mini"): "IV",
                ("baccarat", "full"): "V",
                ("tai_sai", ""): "VI",
                ("money_wheel", ""): "VII",
                ("caribbean_stud", ""): "VIII",
                ("baccarat", "midi"): "IX",
                ("craps", ""): "X",
            }
        ),
        general=general.new_zealand(),
        layouts=areas.nz1996_layouts(),
        links=links.nz1996(),
        cage=cage.new_zealand(),
        tournament=absent,
    )


def nz1998() -> Edition:
    return Edition(
        key="nz1998",
        prefix=PREFIXES["nz1998"],
        title="New Zealand Gazette No. 12 of 28 January 1998: Division 5, Baccarat",
        jurisdiction=NEW_ZEALAND,
        in_force=_nz1998(datetime(1998, 2, 1, 0, 0, tzinfo=NZDT), "0.notice"),
        replaces=_nz1998((Scope("nz1996", "baccarat", "full"),), "0.notice"),
        incorporates=(_nz1998(_GENERAL_RULES, "2.0"),),
        approves=_nz1998(_BACCARAT, "0.notice"),
        divisions=_divisions({("baccarat", "full"): "5"}),
        general=general.new_zealand(),
        layouts=areas.nz1998_layouts(),
        links=absent,
        cage=cage.new_zealand(),
        tournament=absent,
    )


def nzd5() -> Edition:
    return Edition(
        key="nzd5",
        prefix=PREFIXES["nzd5"],
        title="New Zealand Division 5, Baccarat: later edition without a date",
        jurisdiction=NEW_ZEALAND,
        in_force=_nzd5(None, "0.edition"),
        replaces=absent,
        incorporates=(_nzd5(_GENERAL_RULES, "2.1"),),
        approves=_nzd5(_BACCARAT, "2.1", "2.2"),
        divisions=_divisions({("baccarat", "mini"): "5", ("baccarat", "midi"): "5", ("baccarat", "full"): "5"}),
        general=general.new_zealand(),
        layouts=areas.nzd5_layouts(),
        links=absent,
        cage=cage.new_zealand(),
        tournament=absent,
    )


def nzeb() -> Edition:
    return Edition(
        key="nzeb",
        prefix=PREFIXES["nzeb"],
        title="New Zealand Electronic Baccarat: edition without a date",
        jurisdiction=NEW_ZEALAND,
        in_force=_nzeb(None, "0.edition"),
        replaces=absent,
        incorporates=(_nzeb(Incorporation("nzd5", division="5"), "2.1"), _nzeb(_GENERAL_RULES, "2.1")),
        approves=_nzeb(_BACCARAT, "2.1", "2.2"),
        divisions=_divisions({("baccarat", "terminals"): "", ("baccarat", "hybrid"): ""}),
        general=general.electronic(),
        layouts=areas.nzeb_layouts(),
        links=absent,
        cage=cage.new_zealand(),
        tournament=absent,
    )


def vic2002() -> Edition:
    return Edition(
        key="vic2002",
        prefix=PREFIXES["vic2002"],
        title="Victoria Government Gazette S 137 of 7 August 2002: Baccarat",
        jurisdiction=VICTORIA,
        in_force=_vic2002(datetime(2002, 8, 8, 4, 0, tzinfo=AEST), "0.notice.effect"),
        replaces=_vic2002((), "0.notice.a"),
        incorporates=(),
        approves=_vic2002(_BACCARAT, "0.notice.b"),
        divisions=_divisions({("baccarat", "traditional"): "", ("baccarat", "crown"): ""}),
        general=general.victoria(),
        layouts=areas.vic2002_layouts(),
        links=absent,
        cage=absent,
        tournament=tournament.vic2002(),
    )


EDITIONS: Final = WhenAsked[Edition](nz1996=nz1996, nz1998=nz1998, nzd5=nzd5, nzeb=nzeb, vic2002=vic2002)
"""The one place where the law of an edition is found by its name."""
JURISDICTIONS: Final = (NEW_ZEALAND, VICTORIA)
GAMES: Final = _GAMES_OF_1996

_CHRISTCHURCH: Final[tuple[GameVersion, ...]] = (
    ("blackjack", ""),
    ("roulette", ""),
    ("baccarat", "mini"),
    ("baccarat", "full"),
    ("tai_sai", ""),
    ("money_wheel", ""),
    ("caribbean_stud", ""),
)
_AUCKLAND: Final = (*_CHRISTCHURCH, ("baccarat", "midi"), ("craps", ""))
_CROWN: Final[tuple[GameVersion, ...]] = (("baccarat", "traditional"), ("baccarat", "crown"))

VENUES: Final[Mapping[str, Venue]] = MappingProxyType(
    {
        "christchurch": Venue("christchurch", "Christchurch", NEW_ZEALAND, _nz1996(_CHRISTCHURCH, "N-1")),
        "auckland": Venue("auckland", "Auckland", NEW_ZEALAND, _nz1996(_AUCKLAND, "N-2")),
        # Victoria's notice approves the rules and names no place; Melbourne's casino is the one they are for.
        "crown": Venue("crown", "Crown, Melbourne", VICTORIA, _vic2002(_CROWN, "0.notice.b")),
    }
)


def edition(key: str) -> Edition:
    """The edition with this key."""
    return EDITIONS[_known("edition", key, EDITIONS)]


def first_with(part: Callable[[Edition], T | Absent]) -> tuple[Edition, T]:
    """The first document that has this part of the law, and the part.

    A link, a tournament and the cage serve a house, not a table, and no election names their document: they work by the
    first that has their law, and stay under it when another comes.
    """
    for each in EDITIONS.values():
        found = part(each)
        if present(found):
            return each, found
    raise LookupError("no edition has this part of the law")


def venue(key: str) -> Venue:
    """The venue with this key."""
    return VENUES[_known("venue", key, VENUES)]


def _known(what: str, word: str, words: Iterable[str]) -> str:
    if word not in (known := tuple(words)):
        raise ValueError(f"unknown {what} {word!r}: one of {', '.join(known)}")
    return word


def in_force(on: datetime, *, jurisdiction: str, game: str) -> tuple[Governing, ...] | No:
    """The editions that govern a game at a moment, latest first, each with the versions left to it."""
    if on.utcoffset() is None:
        raise ValueError(f"a moment needs its offset from UTC: {on.isoformat()}")
    _known("game", game, GAMES)
    here = _dated(_known("jurisdiction", jurisdiction, JURISDICTIONS))
    knowing = tuple(each for each in here if game in each.games)
    if not knowing:
        return No(f"no document of {jurisdiction} allows {game}", here[0].approves.rule)
    begun = tuple(each for each in knowing if each.in_force.value and each.in_force.value <= on)
    if not begun:
        return _too_early(on, knowing[0])
    return tuple(_governing(each, game, _replaced(begun)) for each in reversed(begun))


def _too_early(on: datetime, first: Edition) -> No:
    return No(
        f"no rules at hand for {on.isoformat()}: {first.title} begins {first.in_force.value}", first.in_force.rule
    )


def _dated(jurisdiction: str) -> tuple[Edition, ...]:
    return tuple(
        each for each in EDITIONS.values() if each.jurisdiction == jurisdiction and each.in_force.value is not None
    )


def _replaced(begun: Iterable[Edition]) -> frozenset[Scope]:
    return frozenset(scope for each in begun if present(each.replaces) for scope in each.replaces.value)


def _governing(each: Edition, game: str, replaced: frozenset[Scope]) -> Governing:
    left = tuple(version for version in each.versions(game) if Scope(each.key, game, version) not in replaced)
    return Governing(each, left, each.in_force.rule)


def versions(game: str) -> tuple[str, ...]:
    """Every version of a game that some edition knows."""
    _known("game", game, GAMES)
    return tuple(dict.fromkeys(version for each in EDITIONS.values() for version in each.versions(game)))


def approved(venue_key: str, game: str, *, version: str = "") -> Law[GameVersion] | No:
    """The approval of a game at a venue, or the notice whose list leaves it out."""
    place = venue(venue_key)
    if version not in (known := versions(game)):
        raise ValueError(f"unknown version {version!r} of {game}: one of {', '.join(map(repr, known))}")
    wanted = (game, version)
    if wanted in place.approved.value:
        return Law(wanted, place.approved.rules)
    name = f"{version} {game}".strip()
    return No(f"{place.name} may not offer {name}", place.approved.rule)
