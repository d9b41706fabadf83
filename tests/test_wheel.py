"""The parcel: what is in it, and that its core works alone in a clean environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

from tests.helpers.places import ROOT

ENDINGS = {".py", ".typed", ".csv", ".toml", ".json", ".jsonl", ".js", ".css", ".html", ".svg", ".mako", ".ftl"}
"""What may be shipped of the package, by its ending."""
LARGEST_BARE_MB = 60
BIN = Path(sys.executable).parent


@dataclass(frozen=True, slots=True)
class Parcel:
    wheel: Path
    source: Path


def run(*words: str | Path, cwd: Path | None = None, code: int = 0) -> str:
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=clean, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr[-2000:]
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def parcel(tmp_path_factory: pytest.TempPathFactory) -> Parcel:
    folder = tmp_path_factory.mktemp("parcel")
    run(BIN / "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", folder, cwd=ROOT)
    return Parcel(next(folder.glob("*.whl")), next(folder.glob("*.tar.gz")))


@pytest.fixture(scope="module", params=[sys.executable, "python3.12", "python3.13"], ids=["here", "3.12", "3.13"])
def bare(request: pytest.FixtureRequest, parcel: Parcel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the core alone; of other Pythons only where they are present."""
    folder = tmp_path_factory.mktemp("bare") / "env"
    find = [BIN / "uv", "python", "find", "--no-python-downloads", request.param]
    found = subprocess.run(find, capture_output=True, check=False)
    if found.returncode:
        pytest.skip(f"{request.param} is not on this machine")
    run(BIN / "uv", "venv", "--python", request.param, "--no-python-downloads", folder)
    install = (BIN / "uv", "pip", "install", "--python", folder / "bin" / "python")
    run(*install, "--require-hashes", "-r", ROOT / "requirements" / "core.txt")
    run(*install, "--no-deps", parcel.wheel)
    return folder


def test_the_wheel_holds_the_package_and_nothing_else(parcel: Parcel) -> None:
    names = [PurePosixPath(name) for name in zipfile.ZipFile(parcel.wheel).namelist()]
    own = [name for name in names if name.parts[0] == "croupier"]
    assert {name.parts[0] for name in names if name not in own} == {"croupier-0.1.0.dist-info"}
    assert [str(name) for name in own if name.suffix not in ENDINGS] == []
    assert [str(name) for name in own if "__pycache__" in name.parts or "tests" in name.parts] == []
    assert {"croupier/py.typed", "croupier/law/inventory/nz1996.csv", "croupier/web/terminal/page.html"} <= set(
        map(str, own)
    )


def test_the_source_parcel_can_be_tested(parcel: Parcel) -> None:
    with tarfile.open(parcel.source) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"pyproject.toml", "README.md", "tests/test_wheel.py", "src/croupier/game/__init__.py"} <= names


def test_the_core_is_small_and_answers(bare: Path, tmp_path: Path) -> None:
    size = sum(path.stat().st_size for path in bare.rglob("*") if path.is_file() and not path.is_symlink())
    assert size / 2**20 <= LARGEST_BARE_MB
    croupier = bare / "bin" / "croupier"
    assert run(croupier, "--version", cwd=tmp_path) == "croupier 0.1.0\n"
    games = {"baccarat", "blackjack", "caribbean_stud", "craps", "money_wheel", "roulette", "tai_sai"}
    listed = json.loads(run(croupier, "list", "games", "--json", cwd=tmp_path))
    assert {row["game"] for row in listed["rows"]} == games
    assert json.loads(run(croupier, "settle", "nz1998 banker 100: 2h 3d Kc Qs 8h", "--json", cwd=tmp_path))["over"]
    assert "deal banker" in run(croupier, "due", "nz1998 2h 3d Kc", cwd=tmp_path)
    for words in ("show NZ1998-9.4", "diff nz1998 nzd5", "irregularities craps", "coverage", "search third card"):
        assert run(croupier, "rules", *words.split(), cwd=tmp_path)
    for game, edge in (("baccarat", "103841353768/723147898655"), ("roulette", "1/37"), ("craps", "3/220")):
        edition = "nz1998" if game == "baccarat" else "nz1996"
        sheet = json.loads(run(croupier, "odds", game, "--edition", edition, "--json", cwd=tmp_path))
        assert edge in {row["edge"] for row in sheet["wagers"]}
    for game in ("tai_sai", "money_wheel"):
        assert json.loads(run(croupier, "odds", game, "--edition", "nz1996", "--json", cwd=tmp_path))["wagers"]


def test_what_is_missing_is_named_in_one_line(bare: Path, tmp_path: Path) -> None:
    croupier, python = bare / "bin" / "croupier", bare / "bin" / "python"
    for words, extra in (
        ("odds blackjack --edition nz1996", "sim"),
        ("simulate baccarat --edition nz1996", "sim"),
        ("serve --demo", "serve"),
    ):
        answer = run(croupier, *words.split(), cwd=tmp_path, code=1)
        assert answer.count("\n") == 1
        assert f"croupier[{extra}]" in answer
    answer = json.loads(run(croupier, "odds", "baccarat", "--edition", "vic2002", "--json", cwd=tmp_path))
    assert {each["reason"] for each in answer["left_out"] if "run" in each["wager"]} == {
        "numpy is not installed here: this needs the extra `sim`, as in croupier[sim]"
    }
    play = "croupier.simulate(croupier.ruleset('nz1998'), rounds=1)"
    code = f"import croupier\ntry: {play}\nexcept croupier.Error as error: print(error)"
    assert "croupier[sim]" in run(python, "-c", code, cwd=tmp_path)
    for room, extra in (("gym", "gym"), ("client", "client")):
        code = f"import croupier\ntry: import croupier.{room}\nexcept croupier.Error as error: print(error)"
        assert f"croupier[{extra}]" in run(python, "-c", code, cwd=tmp_path)
    answer = run(croupier, "prove", "law", cwd=tmp_path, code=2)
    assert answer == "croupier: the cases of the law are not here: this proof needs a checkout of the source\n"


def test_all_holds_every_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert {f"croupier[{name}]" for name in extras if name != "all"} == set(extras["all"])


def test_a_shell_completes_what_is_typed(bare: Path, tmp_path: Path) -> None:
    for typed, answer in (
        ("croupier od", ["odds"]),
        ("croupier rules se", ["search"]),
        ("croupier odds ba", ["baccarat"]),
        ("croupier odds craps --edition nz199", ["nz1996", "nz1998"]),
        ("croupier list w", ["wagers"]),
    ):
        words = ("_CROUPIER_COMPLETE=complete_bash", f"COMP_WORDS={typed}", f"COMP_CWORD={typed.count(' ')}")
        assert run("env", *words, bare / "bin" / "croupier", cwd=tmp_path).split() == answer
    # The shell is the one that asks, and it waits: who replaced itself by the command would not be found.
    script = run("bash", "-c", f"'{bare / 'bin' / 'croupier'}' --show-completion bash; exit $?", cwd=tmp_path)
    assert "_CROUPIER_COMPLETE=complete_bash" in script
