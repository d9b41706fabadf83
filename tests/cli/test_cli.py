"""The commands, used as people and programs use them."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from croupier.cli import app as cli

ROUND = "2h 3d Kc Qs 8h"
CASE = {
    "game": "baccarat",
    "edition": "nz1998",
    "wagers": [{"on": "banker", "amount": 10000, "by": "seat 1"}, {"on": "tie", "amount": 500, "by": "[red]2"}],
    "facts": ROUND.split(),
}
COUNTS = ",".join(["4"] * 13)


class Answered:
    """What a command answered."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Shell:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Answered:
        code = cli.run(arguments)
        captured = self._capsys.readouterr()
        return Answered(code, captured.out, captured.err)


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.fixture
def case(tmp_path: Path) -> str:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(CASE))
    return str(path)


def process(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "croupier", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


# ---------------------------------------------------------------- odds


def test_odds_as_json_are_exact_and_complete(croupier: Shell) -> None:
    answer = croupier("odds", "baccarat", "--edition", "nz1998", "--json").json
    assert (answer["game"], answer["edition"], answer["version"], answer["decks"]) == ("baccarat", "nz1998", "full", 8)
    banker = {row["wager"]: row for row in answer["wagers"]}["banker"]
    assert f"{banker['edge_percent']:.4f}" == "1.0579"
    for row in answer["wagers"]:
        assert sum(Fraction(row[part]) for part in ("win", "lose", "standoff", "void")) == 1
        assert set(row) >= {"edge", "sd", "pays", "offered", "policy", "method", "rules"}


def test_odds_for_people_show_rules_and_warn_of_an_advantage(croupier: Shell) -> None:
    answer = croupier("odds", "baccarat", "--edition", "vic2002", "--version", "crown")
    assert answer.code == 0
    assert "VIC2002-10.1.crown-banker" in answer.out
    assert "Warning: insurance favours the player" in answer.out
    assert "4.36 %" in answer.out
    assert "player_run_2" in answer.out


def test_decks_and_elections_reach_the_rules(croupier: Shell) -> None:
    arguments = ("odds", "baccarat", "--edition", "nzd5", "--decks", "6", "--elect", "no_commission", "--json")
    answer = croupier(*arguments).json
    assert answer["decks"] == 6
    assert answer["elections"]["no_commission"] is True
    banker = {row["wager"]: row for row in answer["wagers"]}["banker"]
    assert {pay["odds"] for pay in banker["pays"]} >= {"1 to 1", "1 to 2"}


def test_a_shoe_is_given_by_rank_or_by_card_with_commas_or_spaces(croupier: Shell) -> None:
    start = ("odds", "baccarat", "--edition", "nzd5", "--json")
    full = croupier(*start, "--decks", "4").json
    by_card = croupier(*start, "--decks", "4", "--cards", " ".join(["4"] * 52)).json
    by_rank = croupier(*start, "--ranks", ", ".join(["16"] * 13)).json
    assert by_card["wagers"] == full["wagers"]
    assert [row for row in full["wagers"] if row["wager"] != "perfect_pairs"] == by_rank["wagers"]
    assert [each["wager"] for each in by_rank["left_out"]] == ["perfect_pairs"]


@pytest.mark.parametrize(("most", "code"), [("31", 0), ("32", 0), ("33", 2)])
def test_a_shoe_holds_no_more_than_its_decks(croupier: Shell, most: str, code: int) -> None:
    shoe = ",".join([*["1"] * 12, most])
    assert croupier("odds", "baccarat", "--edition", "nz1998", "--ranks", shoe).code == code


# ---------------------------------------------------------------- rounds


def test_adjudicate_reads_a_file_and_answers_in_the_public_form(croupier: Shell, case: str) -> None:
    answer = croupier("adjudicate", case, "--json").json
    assert answer["over"] is True
    assert answer["steps"][0] == {"due": "deal player", "rule": "NZ1998-8.3", "fact": "2h"}
    banker, tie = answer["settlements"]
    assert banker == banker | {"on": "banker", "result": "won", "pays": 9500, "commission": 500, "returned": 19500}
    assert tie == tie | {"result": "lost", "returned": 0, "rule": "NZ1998-5.1c.ii"}


def test_adjudicate_for_people_tells_steps_and_money(croupier: Shell, case: str) -> None:
    answer = croupier("adjudicate", case)
    for words in ("deal banker", "NZ1998-9.3", "$95.00", "$195.00", "seat 1", "[red]2", "+$90.00"):
        assert words in answer.out


def test_adjudicate_reads_stdin(croupier: Shell, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(CASE).encode())))
    assert croupier("adjudicate", "-", "--json").json == croupier("adjudicate", case, "--json").json


def test_all_editions_side_by_side(croupier: Shell, case: str) -> None:
    rows = croupier("adjudicate", case, "--all-editions", "--json").json["editions"]
    nets = {f"{row['edition']} {row['version']}": row["difference"] for row in rows}
    assert nets["nz1998 full"] == 0
    assert nets["vic2002 crown"] == 500
    assert "+$5.00" in croupier("adjudicate", case, "--all-editions").out


def test_a_ruling_is_shown(croupier: Shell, tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    facts = [*ROUND.split(), {"irregular": "excess_card", "card": "5h", "disclosed": True}]
    path.write_text(json.dumps(CASE | {"facts": facts}))
    answer = croupier("adjudicate", str(path))
    assert "void hand" in answer.out
    assert "NZ1998-12.2b" in answer.out
    assert croupier("adjudicate", str(path), "--json").json["next"]["hand"] == "void"


def test_settle_is_adjudicate_in_one_line(croupier: Shell) -> None:
    line = f"nz1998 banker 100: {ROUND}"
    quoted, unquoted = croupier("settle", line, "--json"), croupier("settle", *line.split(), "--json")
    assert quoted.json == unquoted.json
    assert quoted.json["settlements"][0]["pays"] == 9500


def test_due_tells_what_and_why(croupier: Shell) -> None:
    answer = croupier("due", "nz1998 2h 3d Kc", "--json").json
    assert (answer["due"], answer["rule"], answer["over"]) == ("deal banker", "NZ1998-8.3", False)
    assert answer["says"]
    over = croupier("due", f"nz1998 {ROUND}", "--json").json
    assert (over["due"], over["over"]) == (None, True)
    assert "Nothing is due" in croupier("due", f"nz1998 {ROUND}").out


# ---------------------------------------------------------------- rules


def test_rules_show_a_row_and_a_parent(croupier: Shell) -> None:
    row = croupier("rules", "show", "nz1998-9.4.t2.3", "--json").json
    assert row["id"] == "NZ1998-9.4.T2.3"
    assert any(place.startswith("baccarat nz1998/full banker_after") for place in row["cited"])
    parent = croupier("rules", "show", "nzd5-5.11", "--json").json
    assert [each["id"] for each in parent["rows"]][:1] == ["NZD5-5.11.s1"]
    assert "NZD5-5.11.s1" in croupier("rules", "show", "NZD5-5.11").out


def test_rules_diff_names_what_changed(croupier: Shell) -> None:
    answer = croupier("rules", "diff", "nz1998", "nzd5", "--game", "baccarat", "--json").json
    (only,) = answer["games"]
    changes = {each["path"]: each for each in only["changes"]}
    assert only["versions"] == ["full", "full"]
    assert changes["backs_both"]["before"]["value"] == "no"
    assert changes["backs_both"]["after"]["rules"][0] == "NZD5-5.2"
    assert changes["no_commission"]["before"] is None
    assert "player_draws" not in changes
    assert {"edition": "nzd5", "game": "baccarat", "version": "mini"} in answer["alone"]
    assert "backs_both" in croupier("rules", "diff", "nz1998", "nzd5").out


def test_rules_diff_takes_versions(croupier: Shell) -> None:
    answer = croupier("rules", "diff", "vic2002/traditional", "vic2002/crown", "--json").json
    changes = {each["path"]: each for each in answer["games"][0]["changes"]}
    assert changes["bets.banker.pays"]["before"]["value"] == "1 to 1 less 5%"
    assert changes["bets.banker.pays"]["after"]["value"] == "1 to 1"


def test_an_edition_does_not_differ_from_itself(croupier: Shell) -> None:
    answer = croupier("rules", "diff", "nzd5", "nzd5", "--json").json
    assert [each["changes"] for each in answer["games"]] == [[]] * len(answer["games"])


def test_rules_irregularities_lists_what_can_go_wrong(croupier: Shell) -> None:
    listed = croupier("rules", "irregularities", "baccarat", "--json").json["circumstances"]
    found = {each["name"]: each for each in listed}
    assert found["excess_card"]["rules"]["nz1998/full"] == ["NZ1998-12.2a", "NZ1998-12.2b"]
    assert "excess_card" in croupier("rules", "irregularities", "baccarat").out
    at_craps = croupier("rules", "irregularities", "craps", "--json").json["circumstances"]
    wrong_call = next(each for each in at_craps if each["name"] == "wrong_call")
    assert wrong_call["rules"] == {"nz1996/craps": ["NZ1996-X-7.5", "NZ1996-X-7.6", "NZ1996-X-7.7"]}


def test_rules_coverage_has_every_rule(croupier: Shell) -> None:
    answer = croupier("rules", "coverage", "--json").json
    rules = {each["id"]: each for each in answer["rules"]}
    assert len(rules) == 2181
    assert "baccarat nz1998/full player_draws" in rules["NZ1998-9.3"]["cited"]
    assert all(isinstance(each["tested"], list) for each in rules.values())
    assert "vic2002" in croupier("rules", "coverage").out


def test_proofs_are_listed(croupier: Shell) -> None:
    assert "mutation" in [each["name"] for each in croupier("prove", "--json").json["proofs"]]
    assert "mutation" in croupier("prove").out


# ---------------------------------------------------------------- what goes wrong

ODDS = ("odds", "baccarat", "--edition")
BAD = {
    "no such command": (("shuffle",), "shuffle", None),
    "no game": (("odds",), "GAME", None),
    "unknown game": (("odds", "bridge", "--edition", "nz1998"), "'bridge'", None),
    "no edition": (("odds", "baccarat"), "--edition", None),
    "unknown edition": ((*ODDS, "nz1997"), "'nz1997'", None),
    "unknown version": ((*ODDS, "nz1998", "--version", "mini"), "'mini'", None),
    "unknown option": ((*ODDS, "nz1998", "--packs", "8"), "--packs", None),
    "decks not permitted": ((*ODDS, "nz1998", "--decks", "7"), "decks=7", "NZ1998-3.4a"),
    "decks in words": ((*ODDS, "nz1998", "--decks", "six"), "decks=six", "NZ1998-3.4a"),
    "decks twice": ((*ODDS, "nzd5", "--decks", "6", "--elect", "decks=7"), "decks", None),
    "election without a name": ((*ODDS, "nzd5", "--elect", "=1"), "'=1'", None),
    "election unknown": ((*ODDS, "nzd5", "--elect", "jokers"), "'jokers'", None),
    "election not permitted": ((*ODDS, "nzd5", "--elect", "no_commission=9"), "no_commission=9", "NZD5-5.11.s1"),
    "election without a source": ((*ODDS, "nzeb", "--elect", "dragon_bonus"), "dragon_bonus", "NZEB-11B.1"),
    "election of a bad scale": ((*ODDS, "nzeb", "--elect", "dragon_bonus=x"), "dragon_bonus", "NZEB-11B.1"),
    "reading without a value": ((*ODDS, "nzd5", "--reading", "x"), "'x'", None),
    "reading unknown": ((*ODDS, "nzd5", "--reading", "x=y"), "'x'", None),
    "too few ranks": ((*ODDS, "nz1998", "--ranks", "1,2"), "--ranks: 2 counts", None),
    "too few cards": ((*ODDS, "nz1998", "--cards", COUNTS), "--cards: 13 counts", None),
    "a negative count": ((*ODDS, "nz1998", "--ranks", COUNTS[:-1] + "-1"), "-1", None),
    "half a card": ((*ODDS, "nz1998", "--ranks", COUNTS[:-1] + "1.5"), "'1.5'", None),
    "an absurd count": ((*ODDS, "nz1998", "--ranks", "9" * 5000), "not a count", None),
    "an empty shoe": ((*ODDS, "nz1998", "--ranks", ",".join("0" * 13)), "without a single card", None),
    "no counts at all": ((*ODDS, "nz1998", "--ranks", ""), "--ranks", None),
    "two shoes": ((*ODDS, "nz1998", "--ranks", COUNTS, "--cards", COUNTS), "not both", None),
    "no file": (("adjudicate", "/no/such/case"), "/no/such/case", None),
    "a folder": (("adjudicate", "/"), "/: Is a directory", None),
    "no colon": (("settle", "nz1998 banker 100"), "colon", None),
    "no amount": (("settle", "nz1998 banker: 2h"), "'banker'", None),
    "both hands": (("settle", "nz1998 banker 1, player 1: 2h"), "back both", "NZ1998-5.2.tail"),
    "a card too many": (("due", f"nz1998 {ROUND} 9c"), "9c: the coup is over", "NZ1998-9.4.T2.3"),
    "no such compartment": (("due", "nz1996 roulette 37"), "37: no compartment", "NZ1996-III-2.3"),
    "no such symbol": (("settle", "nz1996 money_wheel A 10: Z"), "Z: no symbol", "NZ1996-VII-2.3"),
    "no card": (("due", "nz1998 1x"), "'1x'", None),
    "nothing": (("due", ""), "edition", None),
    "no such rule": (("rules", "show", "NZ1998-99"), "NZ1998-99", None),
    "no such edition": (("rules", "diff", "nz1998", "nz1999"), "'nz1999'", None),
    "no such game": (("rules", "irregularities", "bridge"), "'bridge'", None),
    "no such proof": (("prove", "everything"), "'everything'", None),
    "too many minutes": (("prove", "settle", "--long", "--minutes", "10081"), "'10081'", None),
    "half a minute": (("prove", "settle", "--long", "--minutes", "0.5"), "'0.5'", None),
    "a sample of less than nothing": (("prove", "mutation", "--sample", "-1"), "'-1'", None),
    "nothing to search for": (("rules", "search", " "), "the text is empty", None),
    "games of a game": (("list", "games", "craps"), "'craps'", None),
    "nothing to elect": (("odds", "tai_sai", "--edition", "nz1996", "--decks", "8"), "nothing to elect", None),
    "a version in the edition": ((*ODDS, "nz1998/full"), "the version is named apart", None),
    "a file without a name": (("adjudicate", ""), "'': No such file", None),
    "a key for nobody": (("feed-key", ""), "''", None),
    "a pool in words": (
        ("odds", "caribbean_stud", "--edition", "nz1996", "--pool", "$45,00x", "--stake", "250"),
        "--pool '$45,00x'",
        None,
    ),
    "no such port": (("serve", "--port", "65536"), "'65536'", None),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gives_one_line_that_names_it_and_the_rule(croupier: Shell, name: str) -> None:
    arguments, words, rule = BAD[name]
    answer = croupier(*arguments)
    assert answer.code == (3 if rule and arguments[0] == "odds" else 2)
    assert answer.out == ""
    assert answer.err.startswith("croupier: ")
    assert answer.err.count("\n") == 1
    assert words in answer.err
    assert rule is None or rule in answer.err
    if arguments[0] == "serve":
        return
    error = croupier(*arguments, "--json")
    assert error.code == answer.code
    assert (words in error.json["error"]["reason"], error.json["error"]["rule"]) == (True, rule)


def test_a_house_whose_database_is_away_is_started_again(croupier: Shell, tmp_path: Path) -> None:
    """Its unit starts it again but after a 2, which says that something is to be put right first."""
    answer = croupier("serve", "--db", "postgresql://nobody@127.0.0.1:1/x", "--key", str(tmp_path / "key"))
    assert (answer.code, answer.out) == (74, "")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "\udcff",
        '{"edition": "nz1998", "facts": [1]}',
        '{"edition": "nz1998", "x": 1}',
        '{"a":' * 100_000,
    ],
)
def test_a_case_that_cannot_be_read_is_named(croupier: Shell, tmp_path: Path, text: str) -> None:
    path = tmp_path / "case.json"
    path.write_bytes(text.encode(errors="surrogateescape"))
    for command in (("adjudicate",), ("score",), ("shoe", "--edition", "nzd5")):
        answer = croupier(*command, str(path))
        assert answer.code == 2
        assert answer.err.count("\n") == 1
        assert "case.json" in answer.err


@pytest.mark.parametrize("text", [b"", b"\xff\xfe no database"])
@pytest.mark.parametrize("command", [("explain", "B-1", "1"), ("people", "list")])
def test_what_is_no_database_is_named(croupier: Shell, tmp_path: Path, command: tuple[str, ...], text: bytes) -> None:
    path = tmp_path / "house.db"
    path.write_bytes(text)
    answer = croupier(*command, "--db", f"sqlite:///{path}")
    assert answer.code == 2
    assert answer.err.startswith(f"croupier: {path}: the database cannot be read: ")


def test_a_case_without_end_is_not_read(croupier: Shell) -> None:
    answer = croupier("adjudicate", "/dev/zero")
    assert (answer.code, answer.out) == (2, "")
    assert "/dev/zero" in answer.err


def test_what_was_typed_cannot_break_the_line(croupier: Shell) -> None:
    answer = croupier("rules", "show", "NZ\n\x1b[31m1998")
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert "\x1b" not in answer.err


def test_a_reader_that_leaves_is_told_nothing() -> None:
    with process("rules", "coverage", "--json") as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        errors = running.stderr.read().decode()
    assert running.returncode == 0
    assert errors == ""


def test_the_version_is_told(croupier: Shell) -> None:
    assert croupier("--version").out.split() == ["croupier", version("croupier")]


def test_what_there_is_to_choose_from(croupier: Shell) -> None:
    rows = croupier("list", "games", "--json").json["rows"]
    assert [row["game"] for row in rows][:2] == ["baccarat", "blackjack"]
    assert {"wager": "tie"} in croupier("list", "wagers", "--edition", "nz1998", "--json").json["rows"]
    assert [
        row["version"]
        for row in croupier("list", "versions", "--game", "baccarat", "--edition", "vic2002", "--json").json["rows"]
    ] == [
        "traditional",
        "crown",
    ]
    assert "batch" in croupier("list", "elections", "--edition", "nzd5").out


def test_rules_are_found_by_words_and_a_bare_number_names_its_candidates(croupier: Shell) -> None:
    found = croupier("rules", "search", "third", "card", "--edition", "nz1998", "--json").json["rules"]
    assert all("third" in f"{row['topic']} {row['summary']}".casefold() for row in found[:3])
    assert croupier("rules", "search", "zebra").out.strip() == "No rule has all these words."
    answer = croupier("rules", "show", "9.4")
    assert answer.code == 2
    assert "NZ1998-9.4" in answer.err
    assert "NZD5-9.4" in answer.err
    # A number that is printed in parts only is a candidate too; one that a single document has is understood.
    assert croupier("rules", "show", "5.11").err.rstrip().endswith("'5.11': NZ1996-X-5.11, NZ1998-5.11, NZD5-5.11")
    assert croupier("rules", "show", "5.11.s1", "--json").json["id"] == "NZD5-5.11.s1"
    assert croupier("rules", "show", "v-9.4", "--json").json["id"] == "NZ1996-V-9.4"


@pytest.mark.parametrize(
    "words",
    [
        "prove replay --short --html {}",
        "prove replay --short --html {}/none/page.html",
        "prove law --sample 1 --progress {}/none/done",
        "odds baccarat --edition nz1998 --ranks 1 --html {}/none/page.html",
        "odds baccarat --edition nz1998 --ranks 1 --csv {}",
        "simulate baccarat --edition nz1998 --rounds none --html {}",
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(words: str, tmp_path: Path, croupier: Shell) -> None:
    answer = croupier(*words.format(tmp_path).split())
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"croupier: {tmp_path}")


def test_work_that_is_refused_leaves_no_file(tmp_path: Path, croupier: Shell) -> None:
    page = tmp_path / "page.html"
    assert croupier("simulate", "baccarat", "--edition", "nz1998", "--rounds", "none", "--html", str(page)).code == 2
    assert not page.exists()


def test_settle_reads_lines_from_standard_input() -> None:
    with process("settle", "-", stdin=subprocess.PIPE) as running:
        printed, _ = running.communicate(
            b"# two coups\nnz1998 banker 100: 2h 3d Kc Qs 8h\n\nnz1998 tie 5: 2h 3d Kc Qs 8h\n"
        )
    assert running.returncode == 0
    assert printed.decode().count("Staked") == 2


def test_ctrl_c_ends_with_130_and_one_line() -> None:
    with process("adjudicate", "-", stdin=subprocess.PIPE) as running:
        assert running.stderr is not None
        _wait_until_reading(running.pid)
        running.send_signal(signal.SIGINT)
        errors = running.stderr.read().decode()
    assert running.returncode == 130
    assert errors == "croupier: interrupted\n"


def test_a_question_that_nobody_answers_ends_with_130_and_one_line() -> None:
    with process("accept-loss", "ann", "ben", "--db", "sqlite:///none.db", stdin=subprocess.DEVNULL) as running:
        _, errors = running.communicate()
    assert running.returncode == 130
    assert errors.decode().splitlines()[-1] == "croupier: interrupted"


@pytest.mark.parametrize("loading", ["typer", "croupier.cli.telling", "croupier.cli.odds", "croupier.exact.command"])
def test_ctrl_c_while_the_commands_are_loaded_shows_no_traceback(loading: str) -> None:
    code = f"""
import os, signal, sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == "{loading}":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
sys.argv = ["croupier", "odds", "roulette", "--edition", "nz1996"]
from croupier.cli.app import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "croupier: interrupted\n")


def _wait_until_reading(pid: int) -> None:
    """Until the process sleeps in a read of its stdin."""
    for _ in range(400):
        with open(f"/proc/{pid}/syscall", encoding="ascii") as file:
            if file.read().split()[:2] == ["0", "0x0"]:
                return
        time.sleep(0.05)
    raise AssertionError("the command does not read its stdin")


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    code = "import sys; from croupier.cli import app; app.run(['--help']); print(*sys.modules, file=sys.stderr)"
    used = []
    done = subprocess.CompletedProcess([], 0, "", "")
    for _ in range(3):
        before = os.times()
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        used.append(os.times().children_user - before.children_user)
    heavy = {"rich", "msgspec", "numpy", "numba", "croupier.games", "croupier.law", "croupier.exact"}
    assert not heavy & set(done.stderr.split())
    assert "odds" in done.stdout
    assert min(used) < 0.4
