"""What is shipped beside the program: units, proxy, container, alarms and dashboard, each read by what will read it."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from alembic import command as alembic_command
from alembic.config import Config
from msgspec.structs import asdict
from prometheus_client.parser import text_string_to_metric_families
from promql_parser import parse
from sqlalchemy import create_engine, insert

from croupier.cli import app as cli
from croupier.floor.audit.verify import moved, redecided
from croupier.floor.keeping.house import open_house
from croupier.floor.keeping.metrics import Metrics, exposition
from croupier.floor.parcel.certificates import self_signed
from croupier.floor.store.chain import genesis, link
from croupier.floor.store.durable import open_store
from croupier.floor.store.heads import open_key
from croupier.floor.store.schema import MIGRATIONS, journal, ledger
from tests.floor.test_earlier_journals import JOURNALS
from tests.helpers.places import ROOT

DEPLOY = ROOT / "deploy"
PATIENCE_SECONDS = 300
NEEDS = {"systemd-analyze": "UNITS", "nginx": "THE PROXY", "logrotate": "THE ROTATION OF LOGS"}


def tool(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        pytest.skip(f"NO {name}, {NEEDS[name]} ARE NOT TESTED")
    return found


def test_the_units_are_understood_and_give_little_away(tmp_path: Path) -> None:
    analyze = tool("systemd-analyze")
    for unit in (each for each in DEPLOY.glob("croupier*") if each.suffix in (".service", ".socket", ".timer")):
        text = unit.read_text().replace("/opt/croupier/.venv/bin/croupier", sys.executable)
        (tmp_path / unit.name).write_text(text.replace("/opt/croupier", str(ROOT)))
    names = [str(each) for each in tmp_path.iterdir() if "@" not in each.name] + [
        str(tmp_path / "croupier@8701.service")
    ]
    result = subprocess.run([analyze, "verify", "--man=no", *names], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    # One of several processes has what the only one has.
    for name in ("croupier.service", "croupier@8701.service"):
        (tmp_path / "croupier@8701.service").write_text((tmp_path / "croupier@.service").read_text())
        words = [analyze, "security", "--offline=true", "--threshold=20", str(tmp_path / name)]
        looked_at = subprocess.run(words, capture_output=True, check=False)
        assert looked_at.returncode == 0, f"{name} gives more away than 2.0"


def test_the_proxy_is_understood(tmp_path: Path) -> None:
    nginx = tool("nginx")
    certificate, key = self_signed(tmp_path, "casino.example")
    site = (DEPLOY / "nginx.conf").read_text()
    for old, new in (("/etc/ssl/certs/croupier.pem", certificate), ("/etc/ssl/private/croupier.key", key)):
        assert old in site
        site = site.replace(old, str(new))
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off; {site} }}"
    )
    result = subprocess.run([nginx, "-t", "-c", tmp_path / "nginx.conf"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "warn" not in result.stderr


def test_the_rotation_of_logs_is_understood(tmp_path: Path) -> None:
    text = (DEPLOY / "logrotate.conf").read_text().replace("su croupier croupier", "")
    (tmp_path / "rotate").write_text(text.replace("/var/log/croupier", str(tmp_path)))
    result = subprocess.run(
        [tool("logrotate"), "--debug", tmp_path / "rotate"], capture_output=True, text=True, check=False
    )
    assert (result.returncode, "error" in result.stderr) == (0, False), result.stderr


def test_the_composition_has_a_durable_postgresql_and_a_house_that_can_change_nothing_else() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yml").read_text())["services"]
    assert {"fsync=on", "full_page_writes=on", "synchronous_commit=on"} <= {*services["postgres"]["command"]}
    assert (services["house"]["read_only"], services["house"]["cap_drop"]) == (True, ["ALL"])
    container = (DEPLOY / "Containerfile").read_text()
    assert re.search(r"^USER croupier$", container, re.MULTILINE)
    assert "make .venv/stamp/run" in container
    # What is built elsewhere would be taken for built here.
    assert {".venv", ".git"} <= {*(ROOT / ".dockerignore").read_text().split()}


def test_the_composition_begins_its_house_where_it_opens_it() -> None:
    begins = re.search(r"run .*--rm house init (\S+)", (DEPLOY / "compose.yml").read_text())
    opens = re.search(r'"--config", "(\S+)/house.toml"', (DEPLOY / "Containerfile").read_text())
    assert begins is not None
    # The password of its database is no word of a command, which everybody on the machine can read.
    assert "--db" not in (DEPLOY / "compose.yml").read_text()
    assert opens is not None
    assert begins[1] == opens[1]
    (volume,) = yaml.safe_load((DEPLOY / "compose.yml").read_text())["services"]["house"]["volumes"]
    assert volume.endswith(f":{opens[1]}")


def test_the_scripts_of_the_timers_back_up_and_verify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_ARGON2", "1,64,1")
    monkeypatch.setenv("CROUPIER", str(Path(sys.executable).with_name("croupier")))
    assert cli.run(("init", str(tmp_path / "h"), "--person", "Mia: casino manager")) == 0
    (tmp_path / "backups").mkdir()
    settings = str(tmp_path / "h" / "house.toml")
    for words in (("backup.sh", settings, str(tmp_path / "backups")), ("verify.sh", settings)):
        result = subprocess.run([DEPLOY / words[0], *words[1:]], capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
    (made,) = (tmp_path / "backups").iterdir()
    # One that is broken is told at once.
    (tmp_path / "h" / "house.db").chmod(0o600)
    made.write_bytes(made.read_bytes()[:-20])
    assert cli.run(("drill", "restore", str(made), "--key", str(tmp_path / "h" / "keys" / "house.key"))) == 2


def test_a_socket_that_systemd_holds_is_taken_over_and_systemd_is_told(tmp_path: Path) -> None:
    """What comes before the server waits in the socket, and is answered; a unit has started when it is ready."""
    with socket.socket() as held, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(tmp_path / "notify"))
        told.settimeout(PATIENCE_SECONDS)
        held.bind(("127.0.0.1", 0))
        held.listen(8)
        port = held.getsockname()[1]
        code = (
            f"import os, sys; os.dup2({held.fileno()}, 3); os.set_inheritable(3, True);"
            "os.environ['LISTEN_PID'] = str(os.getpid());"
            "words = [sys.executable, '-m', 'croupier', 'serve', '--demo', '--port', '1', '--db', sys.argv[1]];"
            "os.execv(sys.executable, words)"
        )
        words = [sys.executable, "-c", code, f"sqlite:///{tmp_path}/h.db"]
        around = {**os.environ, "LISTEN_FDS": "1", "NOTIFY_SOCKET": str(tmp_path / "notify")}
        with subprocess.Popen(words, pass_fds=[held.fileno()], env=around, stdout=subprocess.DEVNULL) as process:
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as line:
                    line.sendall(b"GET /health/ready HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                    answer = line.makefile("rb").read()
                assert told.recv(100) == b"READY=1"
            finally:
                process.terminate()
            assert told.recv(100) == b"STOPPING=1"
    assert answer.startswith(b"HTTP/1.1 200")
    assert b'"ready":true' in answer


# ---------------------------------------------------------------- seeing


def series(folder: Path, *, awkward: str = "") -> dict[str, Any]:
    house = open_house(f"sqlite:///{folder}/h.db", folder / "key", demo=True)
    metrics = Metrics()
    if awkward:
        metrics.counted("refused", 0.1, awkward)
    text = exposition(metrics, house, money=True).decode()
    house.store.close()
    return {family.name: family for family in text_string_to_metric_families(text)}


def test_a_quote_in_a_name_breaks_nothing(tmp_path: Path) -> None:
    awkward = 'a "quoted\\name"\nand more'
    (sample,) = (
        each for each in series(tmp_path, awkward=awkward)["croupier_refusals"].samples if each.name.endswith("_total")
    )
    assert (sample.labels["rule"], sample.value) == (awkward, 1.0)


def expressions() -> list[str]:
    rules = [each["expr"] for each in yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"][0]["rules"]]
    panels = json.loads((DEPLOY / "dashboard.json").read_text())["panels"]
    return rules + [target["expr"].replace("$instance", ".*") for panel in panels for target in panel["targets"]]


def test_every_alarm_and_panel_asks_for_something_that_is_told(tmp_path: Path) -> None:
    known = {sample.name for family in series(tmp_path).values() for sample in family.samples}
    known |= {family for family in series(tmp_path)} | {"up"}  # noqa: C416
    for expression in expressions():
        parse(expression)
        for name in re.findall(r"\b(?:croupier_\w+|up)\b", expression):
            assert name in known or name.removesuffix("_total") in known, name


def test_every_alarm_says_what_to_do() -> None:
    for rule in yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"][0]["rules"]:
        assert rule["annotations"]["remedy"], rule["alert"]
        assert rule["labels"]["severity"] in ("page", "warn")


# ---------------------------------------------------------------- an older house


def older_house(folder: Path) -> str:
    """A database as an earlier release left it: its tables, and a journal that it wrote."""
    url = f"sqlite:///{folder}/old.db"
    engine = create_engine(url)
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        alembic_command.upgrade(config, "0002")
        chain = genesis("nzd5-baccarat")
        for number, line in enumerate(JOURNALS["nzd5-baccarat"].read_bytes().splitlines(), 1):
            chain = link(chain, line)
            row = {"table_name": "nzd5-baccarat", "number": number, "body": line.decode(), "hash": chain}
            connection.execute(insert(journal), row)
            for position, move in enumerate(moved(number, line)):
                money = {"table_name": "nzd5-baccarat", "position": position, **asdict(move)}
                connection.execute(insert(ledger), money)
    engine.dispose()
    Path(folder, "old.db").chmod(0o600)
    return url


def test_an_older_house_is_told_migrated_read_and_backed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url, key = older_house(tmp_path), tmp_path / "keys" / "house.key"
    key.parent.mkdir(mode=0o700)
    open_key(key)
    (tmp_path / "house.toml").write_text(f'[store]\nurl = "{url}"\nkey = "{key}"\n')
    (tmp_path / "house.toml").chmod(0o600)
    cli.run(("doctor", str(tmp_path / "house.toml")))
    assert "start the house once: it migrates" in capsys.readouterr().out
    with open_store(url, key_path=key) as store:
        store.own("nzd5-baccarat").result()
        store.sign_head("nzd5-baccarat", 0).result()
        assert redecided(store, "nzd5-baccarat")
    assert cli.run(("backup", str(tmp_path / "b"), "--db", url)) == 0
    assert cli.run(("drill", "restore", str(tmp_path / "b"), "--key", str(key))) == 0
    assert "in order: " in capsys.readouterr().out
