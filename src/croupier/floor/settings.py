"""The settings of a house: one TOML file, every value with what it means.

Theory of operation.  A setting is a field with a description; the explained file (`croupier settings`) and the checking
of a given file are both made from these fields, so the text cannot go astray.  A file names only what differs from what
is usual.  What is wrong in it is told in one line, with the file and the place; nothing starts on half a file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta
from msgspec.structs import replace as changed

from croupier.journal.names import is_table

Cents = Annotated[int, Meta(ge=0)]
LATEST_PORT: Final = 65_535


class BadSettings(ValueError):
    """A file that cannot be used, in one line."""


class SettingsPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of all parts of the file."""


class Server(SettingsPart, frozen=True):
    """Where the house answers."""

    host: Annotated[str, Meta(description="The address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=LATEST_PORT, description="The port to listen on; 0 takes any free one.")] = 8700
    address: Annotated[str, Meta(description="Where other processes of the house reach this one, if not there.")] = ""
    origins: Annotated[tuple[str, ...], Meta(description="Other sites whose pages may ask, as scheme and host.")] = ()
    lines: Annotated[int, Meta(ge=1, description="The most connections at one time; the system may have fewer.")] = (
        10_000
    )
    lines_per_address: Annotated[
        int, Meta(ge=1, description="The most connections from one address, unless it is a named proxy.")
    ] = 1_000
    proxies: Annotated[
        tuple[str, ...], Meta(description="The addresses of proxies that may say for whom they ask; no other may.")
    ] = ()
    grace_seconds: Annotated[
        float, Meta(ge=0, description="How long a stopping server waits for the rounds in hand to end.")
    ] = 30.0
    certificate: Annotated[
        str, Meta(description="The file of the certificate (PEM) to answer under https; empty: a proxy has it.")
    ] = ""
    certificate_key: Annotated[str, Meta(description="The file of its key, readable by its owner alone.")] = ""
    log: Annotated[
        Literal["plain", "json"], Meta(description="How the log is written to standard error: plain, or json.")
    ] = "plain"


class Storage(SettingsPart, frozen=True):
    """What the house is kept in."""

    url: Annotated[
        str, Meta(description="The database: an SQLite file or a PostgreSQL, by URL; empty: a file of the user's own.")
    ] = ""
    key: Annotated[
        str,
        Meta(description="The file of the key that signs the journal, best on another disk; empty: the usual one."),
    ] = ""
    witness: Annotated[
        str, Meta(description="Where signed heads go too: a file on another volume, or an address that takes them.")
    ] = ""
    second: Annotated[
        str, Meta(description="A second journal, on another disk; with it the loss of the first loses nothing.")
    ] = ""
    lease_seconds: Annotated[
        float, Meta(gt=0, description="How long a silent process keeps its tables, where several share a database.")
    ] = 15.0
    snapshot_lines: Annotated[
        int, Meta(ge=0, description="A snapshot is kept after so many lines of a journal, for a fast start; 0: never.")
    ] = 2_000


class PeopleSettings(SettingsPart, frozen=True):
    """What people show, and what a verification of a password costs."""

    second_factor: Annotated[
        Literal["required", "enrolled"],
        Meta(description="Who shows a second factor before a correction, a role or a key: all, or who has one."),
    ] = "required"
    argon2_passes: Annotated[int, Meta(ge=1, description="Passes over the memory.")] = 3
    argon2_memory_kib: Annotated[int, Meta(ge=8, description="Memory, in KiB.")] = 65_536
    argon2_lanes: Annotated[int, Meta(ge=1, description="Lanes side by side.")] = 4


class CageSettings(SettingsPart, frozen=True):
    """The window where vouchers are paid."""

    voucher_days: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="For how many days a voucher is paid at the window (0: for ever); if not said, as it was."),
    ] = None


class TableSettings(SettingsPart, frozen=True):
    """A table; amounts are in cents."""

    name: Annotated[str, Meta(min_length=1, max_length=40, description="What the table is called.")]
    game: Annotated[str, Meta(description="The game, for example baccarat.")]
    edition: Annotated[
        str, Meta(description="The gazette it is played by, for example nzeb; or FILE.toml, for practice.")
    ]
    minimum: Annotated[int, Meta(ge=1, description="The smallest wager.")]
    maximum: Annotated[int, Meta(ge=1, description="The largest wager.")]
    version: Annotated[str, Meta(description="The version of the game, where the gazette has several.")] = ""
    elections: Annotated[
        dict[str, Any], Meta(description="What the operator elects among what the gazette permits.")
    ] = {}
    readings: Annotated[dict[str, str], Meta(description="How open texts are read, if not as usual.")] = {}
    chip: Annotated[int, Meta(ge=1, description="The smallest chip.")] = 100
    increment: Annotated[int, Meta(ge=0, description="The step of wagers; 0: any.")] = 0
    differential: Annotated[
        tuple[Cents, Cents] | None, Meta(description="The least and the most of the table differential.")
    ] = None
    kinds: Annotated[dict[str, tuple[Cents, Cents]], Meta(description="Limits of their own for some wagers.")] = {}
    seats: Annotated[int, Meta(ge=0, description="Seats; 0: as many as the gazette lets.")] = 0
    supervisor: Annotated[str, Meta(description="Who supervises the table when it opens.")] = ""
    signs: Annotated[
        tuple[str, ...], Meta(description="Notices that stand at the table, where the gazette wants one.")
    ] = ()
    practice: Annotated[
        bool, Meta(description="Practice: a virtual dealer, and no money; marked wherever it is shown.")
    ] = False

    def sign(self) -> dict[str, Any]:
        """What the table is opened with."""
        names = ("minimum", "maximum", "chip", "increment", "differential", "kinds", "seats", "supervisor")
        return {name: getattr(self, name) for name in names} | ({"signs": self.signs} if self.signs else {})


class LinkSettings(SettingsPart, frozen=True):
    """A progressive jackpot that tables play for together; amounts are in cents."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 .-]{0,39}$", description="What the link is called.")]
    tables: Annotated[
        tuple[str, ...], Meta(min_length=1, description="The tables of Caribbean stud that play for its pool.")
    ]
    wager: Annotated[int, Meta(ge=1, description="The jackpot wager, on the sign of each of them.")]
    pool_rate: Annotated[
        int, Meta(ge=1, le=10_000, description="What a wager adds to the pool, in hundredths of a percent of it.")
    ]
    seed: Annotated[int, Meta(ge=0, description="What the house puts into the pool at first, and when it was won.")]
    approval: Annotated[str, Meta(min_length=1, description="The approval of the Authority for the rate and the seed.")]


class FeedSettings(SettingsPart, frozen=True):
    """Who is told of everything."""

    readers: Annotated[
        dict[str, str],
        Meta(description="Systems that may read the feed of events, with the marks that `croupier feed-key` tells."),
    ] = {}


class SignificantSettings(SettingsPart, frozen=True):
    """What a person acknowledges."""

    large_win: Annotated[
        Cents, Meta(description="What a wager wins, in cents, from which on a person acknowledges it; 0: none.")
    ] = 1_000_000


class WebhookSettings(SettingsPart, frozen=True):
    """A system that the feed of events is sent to."""

    name: Annotated[str, Meta(min_length=1, max_length=40, description="What the receiver is called.")]
    url: Annotated[str, Meta(pattern="^https?:", description="Where events are sent.")]
    secret: Annotated[str, Meta(min_length=1, description="The file of the secret that signs what is sent.")]


class Settings(SettingsPart, frozen=True):
    """The whole file."""

    server: Server = Server()
    store: Storage = Storage()
    people: PeopleSettings = PeopleSettings()
    cage: CageSettings = CageSettings()
    tables: tuple[TableSettings, ...] = ()
    links: tuple[LinkSettings, ...] = ()
    feed: FeedSettings = FeedSettings()
    significant: SignificantSettings = SignificantSettings()
    webhooks: tuple[WebhookSettings, ...] = ()


def read_settings(path: Path) -> Settings:
    """The settings in a file."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path}: not TOML: {error}") from None
    try:
        settings = msgspec.convert(found, Settings)
    except msgspec.ValidationError as error:
        raise BadSettings(f"{path}: {error}") from None
    names = [table.name for table in settings.tables]
    for name in names:
        if names.count(name) > 1:
            raise BadSettings(f"{path}: two tables are called {name!r}")
        if not is_table(name):
            raise BadSettings(f"{path}: {name!r}: names with @ are the house's own journals")
    if bool(settings.server.certificate) != bool(settings.server.certificate_key):
        raise BadSettings(f"{path}: certificate and certificate_key are named together")
    _check_links(path, settings)
    return settings


def _check_links(path: Path, settings: Settings) -> None:
    names, linked = [link.name for link in settings.links], [name for link in settings.links for name in link.tables]
    games = {table.name: table.game for table in settings.tables}
    for name in names:
        if names.count(name) > 1:
            raise BadSettings(f"{path}: two links are called {name!r}")
    for name in linked:
        if linked.count(name) > 1:
            raise BadSettings(f"{path}: table {name!r} is linked twice")
        if games.get(name) != "caribbean_stud":
            raise BadSettings(f"{path}: {name!r} is no table of Caribbean stud, and cannot be linked")
    practice = {table.name for table in settings.tables if table.practice}
    for link in settings.links:
        if 0 < len(practice & set(link.tables)) < len(link.tables):
            raise BadSettings(f"{path}: link {link.name!r} has tables for practice and others; it is one or the other")


def with_words(
    config: str,
    *,
    db: str,
    key: str,
    port: int | None,
    host: str,
    origins: tuple[str, ...],
    witness: str = "",
    second: str = "",
) -> Settings:
    """The settings of a file, or the usual ones, with what was named on the command line in their place."""
    given = read_settings(Path(config)) if config else Settings()
    server = changed(given.server, host=host or given.server.host, origins=origins or given.server.origins)
    server = server if port is None else changed(server, port=port)
    store = changed(
        given.store,
        url=db or given.store.url,
        key=key or given.store.key,
        witness=witness or given.store.witness,
        second=second or given.store.second,
    )
    return changed(given, server=server, store=store)


# ---------------------------------------------------------------- the explained file


def explained() -> str:
    """A file with everything as it is usually, and what each value means; the tables and links are examples."""
    parts: tuple[tuple[str, type[SettingsPart]], ...] = (
        ("[server]", Server), ("[store]", Storage), ("[people]", PeopleSettings), ("[cage]", CageSettings),
        ("[feed]", FeedSettings), ("[significant]", SignificantSettings),
    )  # fmt: skip
    lines = [
        "# The settings of a house.  What is not in the file is as it is here.  The table and the link at its end are",
        "# examples, which open once their comment signs are taken away; a webhook wants the file of its secret first.",
    ]
    for title, part in parts:
        lines += ["", *_part(title, part, {})]
    lines += ["", *_part("# [[tables]]", TableSettings, _EXAMPLE, mark="# ")]
    lines += ["", *_part("# [[links]]", LinkSettings, _EXAMPLE_LINK, mark="# ")]
    return "\n".join([*lines, "", *_part("# [[webhooks]]", WebhookSettings, _EXAMPLE_HOOK, mark="# ")]) + "\n"


def settings_text(parts: dict[str, dict[str, Any]], tables: tuple[TableSettings, ...]) -> str:
    """A file with these values, and those of tables that are not usual."""
    titled = [(f"[{title}]", values) for title, values in parts.items()]
    titled += [("[[tables]]", _unusual(table)) for table in tables]
    lines = ["# The settings of this house; `croupier settings` tells what else can be said here, and what it means."]
    for title, values in titled:
        lines += [
            "",
            title,
            *(f"{name} = {_toml(value)}" for name, value in values.items() if value not in ("", (), {})),
        ]
    return "\n".join(lines) + "\n"


def _unusual(table: TableSettings) -> dict[str, Any]:
    usual = _defaults(TableSettings)
    fields = msgspec.structs.asdict(table)
    return {name: value for name, value in fields.items() if name not in usual or value != usual[name]}


def _defaults(part: type[SettingsPart]) -> dict[str, Any]:
    """What is usual, of what need not be said."""
    optional = (each for each in msgspec.structs.fields(part) if not each.required)
    return {
        each.name: each.default if each.default_factory is msgspec.NODEFAULT else each.default_factory()
        for each in optional
    }


_EXAMPLE: Final = {
    "name": "S-1", "game": "caribbean_stud", "edition": "nz1996", "minimum": 500, "maximum": 10_000,
    "supervisor": "Sue",
}  # fmt: skip


_EXAMPLE_LINK: Final = {
    "name": "Grand", "tables": ("S-1",), "wager": 200, "pool_rate": 7_500, "seed": 1_000_000, "approval": "CCA 96/1",
}  # fmt: skip


_EXAMPLE_HOOK: Final = {"name": "bonus", "url": "https://bonus.example/croupier", "secret": "/srv/croupier/keys/bonus"}


def _part(title: str, part: type[SettingsPart], given: dict[str, Any], mark: str = "") -> Iterator[str]:
    yield title
    defaults = _defaults(part)
    for name, hint in get_type_hints(part, include_extras=True).items():
        value = given.get(name, defaults.get(name))
        yield f"{mark}# {_description(hint)}"
        if value is None or isinstance(value, msgspec.UnsetType):
            yield f"{mark}# {name} ="
        else:
            yield f"{mark}{name} = {_toml(value)}"


def _description(hint: Any) -> str:
    assert get_origin(hint) is Annotated
    return str(next(meta.description for meta in get_args(hint) if isinstance(meta, Meta)))


def _toml(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case str():
            return msgspec.json.encode(value).decode()
        case tuple() | list():
            return f"[{', '.join(map(_toml, value))}]"
        case dict():
            return f"{{{', '.join(f'{_toml(str(name))} = {_toml(each)}' for name, each in value.items())}}}"
        case _:
            raise TypeError(f"no TOML for {value!r}")
