"""A house is begun by one command, and its doctor names what is wrong with it, each with what to do."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sqlite3
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from croupier.cli import app as cli
from croupier.floor.keeping.accounts import Accounts, Hashing
from croupier.floor.keeping.clock import clock_ms
from croupier.floor.parcel import certificates
from croupier.floor.parcel.doctor import Finding, examined
from croupier.floor.store.durable import open_store
from croupier.house.people.decide import CONSOLE
from croupier.prove.books.instruments import servers as postgres

PEOPLE = ("Mia: casino manager", "Sue: game supervisor", "Dan: dealer", "Lee: cashier", "Ina: inspector")
WORDS = (
    "--name", "casino.test", "--table", "EB-1: baccarat nzeb terminals 5-1000",
    *(word for person in PEOPLE for word in ("--person", person)),
)  # fmt: skip


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_ARGON2", "1,64,1")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("begun") / "house"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CROUPIER_ARGON2", "1,64,1")
        elsewhere = ("--witness", f"{folder}/elsewhere/heads", "--second", f"{folder}/elsewhere/second")
        (folder / "elsewhere").mkdir(mode=0o700, parents=True)
        folder.chmod(0o700)
        assert cli.run(("init", str(folder), *WORDS, *elsewhere)) == 0
    return folder


@pytest.fixture
def house(begun: Path, tmp_path: Path) -> Path:
    """A house of this test's own, with everything in its folder."""
    folder = tmp_path / "house"
    shutil.copytree(begun, folder)
    settings = folder / "house.toml"
    settings.write_text(settings.read_text().replace(str(begun), str(folder)))
    return folder


def bad(folder: Path) -> list[Finding]:
    return [each for each in examined(folder / "house.toml") if each.level == "bad"]


def test_the_database_is_named_in_the_environment_where_its_password_is_no_word_for_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_DB", f"sqlite:///{tmp_path}/elsewhere.db")
    assert cli.run(("init", str(tmp_path / "h"), *WORDS)) == 0
    assert (tmp_path / "elsewhere.db").exists()
    assert not (tmp_path / "h" / "house.db").exists()
    assert "elsewhere.db" in (tmp_path / "h" / "house.toml").read_text()


def test_it_writes_settings_key_database_people_and_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(("init", str(tmp_path / "h"), *WORDS, "--json")) == 0
    report = json.loads(capsys.readouterr().out)
    settings = tomllib.loads(Path(report["settings"]).read_text())
    assert settings["tables"][0]["supervisor"] == "Sue"
    assert settings["store"] == {"url": report["database"], "key": report["key"]}
    assert set(report["one_time"]) == {"Mia", "Sue", "Dan", "Lee", "Ina"}
    assert all(re.fullmatch(r"(\w{4}-){3}\w{4}", secret) for secret in report["one_time"].values())
    for name in ("settings", "key"):
        assert Path(report[name]).stat().st_mode & 0o077 == 0
    assert cli.run(("people", "list", "--db", report["database"], "--json")) == 0
    people = json.loads(capsys.readouterr().out)["people"]
    assert {each["name"]: each["roles"] for each in people}["Sue"] == "game supervisor"
    # What is there is never touched.
    assert cli.run(("init", str(tmp_path / "h"), *WORDS)) == 2
    assert "begun here already" in capsys.readouterr().err


def test_a_house_without_a_manager_gets_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(("init", str(tmp_path / "h"), "--person", "Dan: dealer", "--json")) == 0
    assert set(json.loads(capsys.readouterr().out)["one_time"]) == {"Dan", "manager"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--person", "Dan"), "NAME: ROLE"),
        (("--person", "Dan: croupier"), "unknown role 'croupier'"),
        (("--person", "Dan: dealer", "--person", "Dan: cashier"), "one name"),
        (("--table", "B-1: baccarat nz1998 5-1000 9"), "a table is told as"),
        (("--table", "B-1: baccarat nz1887 5-1000"), "nz1887"),
        (("--table", "B-1: roulette nzeb 5-1000"), "B-1"),
        (("--port", "70000"), "--port"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], reason: str
) -> None:
    assert cli.run(("init", str(tmp_path / "h"), *words)) in (2, 3)
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "h").exists()


def test_a_house_as_it_was_begun_has_nothing_bad(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(("doctor", str(house / "house.toml"), "--json")) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["bad"] == 0
    assert {each["check"] for each in report["found"]} >= {
        "files",
        "database",
        "durable",
        "clock",
        "disk",
        "certificate",
    }
    assert all(each["remedy"] for each in report["found"] if each["level"] == "mind")


# ---------------------------------------------------------------- planted, each named with its remedy


def settings(folder: Path, old: str, new: str) -> None:
    text = (folder / "house.toml").read_text()
    assert old in text
    (folder / "house.toml").write_text(text.replace(old, new))


def sql(folder: Path, *statements: str) -> None:
    with sqlite3.connect(folder / "house.db") as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def lost_lines(folder: Path) -> None:
    """The database as it was before its last line; the witness knows more."""
    last = "(SELECT max(number) FROM journal WHERE table_name = '@people')"
    sql(
        folder,
        f"DELETE FROM head WHERE table_name = '@people' AND number >= {last}",
        f"DELETE FROM journal WHERE number = {last}",
    )
    (folder / "elsewhere" / "second").unlink()


def wrong_clock(folder: Path) -> None:
    """A line that was written by a clock an hour ahead."""
    at = lambda: clock_ms() + 3_600_000  # noqa: E731
    with open_store(f"sqlite:///{folder}/house.db", key_path=folder / "keys" / "house.key") as store:
        accounts = Accounts(store, at, Hashing(1, 64, 1))

        async def added() -> None:
            await accounts.start()
            await accounts.make("Zoe", ("dealer",), kind="password", by=CONSOLE, role=CONSOLE)
            await accounts.sign()

        asyncio.run(added())


def ended(folder: Path) -> None:
    """A certificate whose time is over."""
    for name in ("certificate.pem", "certificate.key"):
        (folder / name).unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certificates, "datetime", type("Past", (datetime,), {"now": staticmethod(_long_ago)}))
        certificates.self_signed(folder, "casino.test")


def _long_ago(zone: object) -> datetime:
    return datetime.now(UTC) - timedelta(days=400)


def another_key(folder: Path) -> None:
    other = folder / "other"
    other.mkdir()
    shutil.copy(certificates.self_signed(other, "casino.test")[1], folder / "certificate.key")


def no_tls(folder: Path) -> None:
    for old, new in (("certificate = ", "# "), ("certificate_key = ", "# "), ("127.0.0.1", "0.0.0.0")):
        settings(folder, old, new)


def notice(folder: Path) -> None:
    more = '\n[[tables]]\nname = "P-1"\ngame = "baccarat"\nedition = "nzd5"\nversion = "mini"\nminimum = 500\nmaximum = 1000\nelections = {no_commission = true}\n'  # noqa: E501
    (folder / "house.toml").write_text((folder / "house.toml").read_text() + more)


def webhook(folder: Path) -> None:
    more = f'\n[[webhooks]]\nname = "bonus"\nurl = "https://bonus.test/"\nsecret = "{folder}/bonus"\n'
    (folder / "house.toml").write_text((folder / "house.toml").read_text() + more)


PLANTED: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "settings that others may change": (lambda f: (f / "house.toml").chmod(0o666), "can be changed", "chmod"),
    "a key that others may read": (lambda f: (f / "keys" / "house.key").chmod(0o644), "can be read", "chmod 600"),
    "no key": (lambda f: (f / "keys" / "house.key").unlink(), "there is no key", "name the file of the key"),
    "a key that is none": (lambda f: (f / "keys" / "house.key").write_text("x"), "32 bytes", "put the key back"),
    "the key of another house": (
        lambda f: (f / "keys" / "house.key").write_bytes(b"k" * 32), "not signed by a key", "key of this very house"
    ),
    "a folder that others may change": (lambda f: (f / "keys").chmod(0o777), "keys can be changed", "chmod 700"),
    "a database that others may read": (lambda f: (f / "house.db").chmod(0o644), "house.db can be read", "chmod 600"),
    "no database": (lambda f: (f / "house.db").unlink(), "no such database", "url under [store]"),
    "a file that is no database": (
        lambda f: (f / "house.db").write_bytes(b"x" * 9_999), "not a database", "croupier restore"
    ),
    "a later database": (
        lambda f: sql(f, "UPDATE alembic_version SET version_num = '9999'"), "of version 9999", "install the version"
    ),
    "lines that were lost": (lost_lines, "older than its witness", "croupier accept-loss"),
    "a second journal that is ahead": (
        lambda f: sql(f, "DELETE FROM journal WHERE number > 3"), "second journal has line", "restore the house from"
    ),
    "a witness that cannot be written": (
        lambda f: settings(f, "/elsewhere/heads", "/nowhere/heads"), "cannot be written", "make the folder"
    ),
    "a witness that does not answer": (
        lambda f: settings(f, f"{f}/elsewhere/heads", "http://127.0.0.1:9/"), "does not answer", "can be reached"
    ),
    "a clock that is behind": (wrong_clock, "behind the last line", "timedatectl"),
    "a certificate that ended": (ended, "ended on", "put a new certificate"),
    "the key of another certificate": (another_key, "is not the key of", "put a new certificate"),
    "a certificate for another name": (
        lambda f: settings(f, "https://casino.test", "https://grand.test"), "is not for grand.test", "have a cert"
    ),
    "no TLS": (
        no_tls, "without TLS", "deploy/nginx.conf"
    ),
    "cheap passwords": (
        lambda f: settings(f, "[people]", "[people]\nargon2_memory_kib = 64"), "64 KiB", "argon2_memory_kib"
    ),
    "a webhook without its secret": (webhook, "webhook bonus", "write the secret"),
    "limits upside down": (
        lambda f: settings(f, "minimum = ", "minimum = 999"), "is above the maximum", "both are in cents"
    ),
    "a notice that does not stand": (notice, "stays closed without the notice", "put the notice up"),
    "a table without a supervisor": (
        lambda f: settings(f, 'supervisor = "Sue"', "# nobody"), "opens with a game supervisor", 'supervisor = "NAME"'
    ),
    "a sign that the law refuses": (
        lambda f: settings(f, "minimum = ", 'kinds = {tie = [900, 100]}\nminimum = '), "stays closed", "rules show"
    ),
    "a word that no setting has": (lambda f: settings(f, "port", "prot"), "unknown field `prot`", "croupier settings"),
    "a law that nobody wrote": (lambda f: settings(f, '"nzeb"', '"nz1887"'), "nz1887", "croupier list"),
}  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED)
def test_what_was_planted_is_found_with_its_remedy(house: Path, planted: str) -> None:
    plant, says, remedy = PLANTED[planted]
    plant(house)
    found = bad(house)
    assert any(says in each.says and remedy in each.remedy for each in found), found


@pytest.mark.parametrize("lost", ["vouchers", "factors"])
def test_a_secret_that_cannot_be_made_again_is_missed_before_the_start_makes_another(house: Path, lost: str) -> None:
    (house / "keys" / f"house.key.{lost}").unlink()
    found = [each for each in examined(house / "house.toml") if f"house.key.{lost}" in each.says]
    assert [each.level for each in found] == ["mind"]
    assert "put it back" in found[0].remedy


def test_an_inspector_is_not_sent_for_to_the_lobby(tmp_path: Path) -> None:
    assert cli.run(("init", str(tmp_path / "h"), "--person", "Mia: casino manager")) == 0
    (found,) = (each for each in examined(tmp_path / "h" / "house.toml") if each.says == "nobody here is inspector")
    assert "croupier people add NAME --db URL --key FILE --role 'inspector'" in found.remedy
    assert "lobby" not in found.remedy


def made_in_latin(url: str) -> str:
    """The name of another database of that server, in an encoding that cannot hold every text."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    return "latin"


def test_a_postgresql_that_does_not_sync_its_commits_is_found(tmp_path: Path) -> None:
    try:
        with postgres.postgresql() as server:
            url = postgres.new_database(server)
            assert cli.run(("init", str(tmp_path / "h"), "--db", url, *WORDS)) == 0
            assert bad(tmp_path / "h") == []
            name = url.partition("?")[0].rpartition("/")[2]
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
            (found,) = bad(tmp_path / "h")
            assert "synchronous_commit is off" in found.says
            assert "ALTER SYSTEM SET synchronous_commit = on" in found.remedy
            another = made_in_latin(url)
            settings = tmp_path / "h" / "house.toml"
            settings.write_text(settings.read_text().replace(f"/{name}", f"/{another}"))
            (found,) = (each for each in examined(settings) if "UTF8" in each.says)
            assert found.level == "bad"
            assert found.says.endswith("the database is in LATIN1, not UTF8")
            assert "ENCODING 'UTF8'" in found.remedy
            assert "ALTER SYSTEM" not in found.remedy
    except postgres.NoPostgresql as error:
        pytest.skip(f"NO POSTGRESQL, ITS SETTINGS ARE NOT TESTED: {error}")
