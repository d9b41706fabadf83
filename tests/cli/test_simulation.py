"""`croupier simulate` as a user meets it: every game with its figures and page, the jackpot, bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path
from time import perf_counter
from xml.etree import ElementTree

import pytest

from croupier.cli import app as cli
from croupier.rulesets import ruleset
from croupier.simulation import command
from croupier.simulation.command import Words
from croupier.simulation.paper import report
from croupier.simulation.plan import SimulationSettings
from croupier.simulation.results import Result
from croupier.simulation.run import simulate

THUMB = "three rules of thumb"
CALL = "import sys; from croupier.cli import app; sys.exit(app.run(sys.argv[1:]))"
GAMES = (
    ("baccarat", "nz1998", ()),
    ("blackjack", "nz1996", ()),
    ("caribbean_stud", "nz1996", ("--strategy", THUMB)),
    ("craps", "nz1996", ("--strategy", "pass_with_odds")),
    ("money_wheel", "nz1996", ()),
    ("roulette", "nz1996", ("--stake", "red=2")),
    ("tai_sai", "nz1996", ()),
)


# ---------------------------------------------------------------- figures of sessions


@pytest.mark.parametrize(("game", "edition", "more"), GAMES, ids=[each[0] for each in GAMES])
def test_every_game_tells_variance_drawdown_ruin_and_hold(
    game: str, edition: str, more: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    words = [game, "--edition", edition, "--session", "50", "--rounds", "1e5", *more, "--html", str(page), "--json"]
    assert cli.run(["simulate", *words]) == 0
    figures = json.loads(capsys.readouterr().out)["sessions"]
    assert (figures["sessions"], figures["rounds"]) == (2_000, 50)
    assert figures["variance"] == pytest.approx(figures["sd"] ** 2) != 0
    assert figures["mean_drawdown"] > 0
    for curve in ("risk_of_ruin", "drawdown"):
        falls = [point["probability"] for point in figures[curve]]
        assert falls[0] == 1
        assert falls == sorted(falls, reverse=True)
        assert len(falls) > 5
    holds = [point["hold"] for point in figures["hold"]]
    assert holds == sorted(holds)
    assert len(holds) == len(figures["quantiles"]) == 7
    assert holds[0] < 0 < holds[-1] <= 1.5
    check_page(page)


def check_page(page: Path) -> None:
    """The page is whole: its drawings are well formed, and every number in them is one."""
    text = page.read_text(encoding="utf-8")
    for caption in ("Results of sessions", "Risk of ruin", "drawdown", "Hold of the house"):
        assert caption in text
    drawings = re.findall(r"<svg.*?</svg>", text, flags=re.S)
    assert len(drawings) == text.count("<figure>") >= 4
    for drawing in drawings:
        places = [part.get("points") or part.get("d") or part.get("cx") for part in ElementTree.fromstring(drawing)]
        assert any(places)
        assert not any("nan" in place or "inf" in place for place in places if place)
    assert "://" not in text


def staked_in_a_round(found: Result) -> float:
    """What the hold takes a bettor to have staked, found back from one of its points."""
    figures = found.sessions
    assert figures is not None
    lost, hold = -dict(figures.quantiles)[0.01], dict(figures.hold)[0.99]
    return lost / hold / figures.rounds


def test_the_hold_of_craps_is_of_all_that_was_decided() -> None:
    settings = SimulationSettings(strategy={"pass": 2, "pass_odds": 2, "field": 1}, session=40)
    found = simulate(ruleset("nz1996", game="craps"), rounds=40_000, seed=3, settings=settings, exact=False)
    units = {line.wager: 1 if line.wager == "field" else 2 for line in found.lines}
    assert len(units) == 8
    total = sum(units[line.wager] * line.decided for line in found.lines)
    assert staked_in_a_round(found) == pytest.approx(total / found.rounds)


def test_the_bars_of_a_page_hold_all_sessions_but_the_last_thousandths() -> None:
    """Bars of one width, whose shares add up, whatever the lattice of possible results."""
    for game, edition in (("roulette", "nz1996"), ("baccarat", "nz1998")):
        settings = SimulationSettings(session=100)
        figures = simulate(ruleset(edition, game=game), rounds=10**6, settings=settings, exact=False).sessions
        assert figures is not None
        (first, low), *outline, (last, high) = report._bars(figures)
        assert (low, high) == (0, 0)
        assert 0.998 <= sum(share for _, share in outline) / 2 <= 1
        widths = {round(right[0] - left[0], 6) for left, right in zip(outline[::2], outline[1::2], strict=True)}
        assert len(widths) == 1
        assert (first, last) == (outline[0][0], outline[-1][0])
        assert 10 <= len(outline) // 2 <= report.BARS + 1


# ---------------------------------------------------------------- the jackpot


def asked(game: str, words: Words) -> Result:
    return command.run(ruleset("nz1996", game=game), words, perf_counter)


def test_the_jackpot_wager_has_a_row_with_its_pool_and_stake() -> None:
    """As `croupier odds` has them: cents, or dollars with their sign."""
    words = Words("300_000", "5", strategy=THUMB, pool="$50,000", stakes=("$2.50",))
    ante, jackpot = report.as_json(asked("caribbean_stud", words))["wagers"]
    assert (ante["wager"], jackpot["wager"]) == ("ante", "jackpot")
    assert (jackpot["decided"], jackpot["policy"]) == (300_000, THUMB)
    assert abs(jackpot["z"]) < 5
    # 10 % of the pool for a straight flush, the stake being kept.
    prize = next(count for count in jackpot["counts"] if count["result"] == "straight flush")
    assert prize["net"] == f"{50_000_00 // 10 // 250 - 1}/1"


def test_a_session_may_stake_on_the_jackpot() -> None:
    """Its money is that of its wagers, and its hold is of antes, bets and jackpot wagers."""
    stakes = {"ante": 4, "jackpot": 1}
    words = Words("20_000", "5", strategy=THUMB, pool="0", stakes=("100", "ante=4", "jackpot=1"), session="50")
    found = asked("caribbean_stud", words)
    assert found.sessions is not None
    won = sum(stakes[line.wager] * each.times * each.ending.net for line in found.lines for each in line.counts)
    assert found.sessions.mean * found.sessions.sessions == pytest.approx(float(won))
    times = dict(found.outcomes)
    assert times["bet"] + times["folded"] == found.rounds
    assert staked_in_a_round(found) == pytest.approx(4 + 8 * times["bet"] / found.rounds + 1)


@pytest.mark.parametrize(
    ("game", "words", "line"),
    [
        ("caribbean_stud", Words("9", "1", pool="a lot", stakes=("1",)), "--pool is a whole number of cents"),
        ("caribbean_stud", Words("9", "1", pool="-1", stakes=("1",)), "--pool is a whole number of cents"),
        ("caribbean_stud", Words("9", "1", pool="1"), "with its pool and the stake, not with one of them"),
        ("caribbean_stud", Words("9", "1", stakes=("1",)), "with its pool and the stake, not with one of them"),
        ("caribbean_stud", Words("9", "1", pool="1", stakes=("0",)), "stake is a whole number of cents, 1 or more: 0"),
        ("caribbean_stud", Words("9", "1", pool="1", stakes=("$x",)), "amount"),
        ("caribbean_stud", Words("9", "1", pool="1", stakes=("1", "2")), "a jackpot wager is given twice: '2'"),
        ("caribbean_stud", Words("9", "1", pool="1", stakes=("1", "ante=0")), "--stake ante is a whole number"),
        ("craps", Words("9", "1", pool="1"), "--pool is a jackpot's, and craps has none"),
    ],
)
def test_money_that_is_no_jackpot_s_is_named(game: str, words: Words, line: str) -> None:
    with pytest.raises(ValueError, match=line) as error:
        asked(game, words)
    assert "\n" not in str(error.value)


def test_a_pool_is_no_business_of_other_games() -> None:
    with pytest.raises(ValueError, match="are a jackpot's, and roulette has none"):
        simulate(ruleset("nz1996", game="roulette"), rounds=1, settings=SimulationSettings(pool_cents=1, stake_cents=1))


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["baccarat", "--rounds", "1.5"], "--rounds is a whole number from 1 to 1000000000000000: '1.5'"),
        (["baccarat", "--rounds", ""], "--rounds is a whole number"),
        (["baccarat", "--rounds", "1000000000000001"], "--rounds is a whole number"),
        (["baccarat", "--rounds", "1e16"], "--rounds is a whole number"),
        (["baccarat", "--rounds", "nan"], "--rounds is a whole number"),
        (["baccarat", "--seed", "-1"], "--seed is a whole number from 0 to 18446744073709551615: '-1'"),
        (["baccarat", "--seed", "18446744073709551616"], "--seed is a whole number"),
        (["baccarat", "--seed", "0x7"], "--seed is a whole number"),
        (["baccarat", "--workers", "1025"], "--workers is a whole number from 1 to 1024"),
        (["baccarat", "--workers", "-1"], "--workers is a whole number"),
        (["baccarat", "--session", "1000001"], "--session is a whole number"),
        (["baccarat", "--boxes", "2"], "baccarat has one coup for all"),
        (["baccarat", "--boxes", "0"], "--boxes is a whole number from 1"),
        (["baccarat", "--behind", "far"], "--behind is a whole number"),
        (["baccarat", "--cluster", "nonsense"], "a cluster is named like tcp://scheduler:8786: 'nonsense'"),
        (["baccarat", "--cluster", "tcp://x:1", "--workers", "2"], "a --cluster has its own"),
        (["blackjack", "--strategy", "wild"], "no strategy 'wild' for blackjack; known are basic, main"),
        (["blackjack", "--boxes", "8"], "blackjack has 1 to 7 boxes, not 8"),
        (["caribbean_stud", "--strategy", "wild"], "no strategy 'wild' for Caribbean stud; known are optimum"),
        (["roulette", "--strategy", "wild"], "unknown strategy 'wild'; known are flat, martingale"),
        (["roulette", "--session", "5", "--stake", "purple"], "'purple' is not a wager here"),
        (["craps", "--stake", "pass=1", "--stake", "pass=2"], "--stake takes each WAGER=UNITS once"),
        (["craps", "--stake", "pass=1", "--strategy", "pass"], "a strategy or stakes, not both"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line_and_exit_2(words: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    edition = "nz1998" if words[0] == "baccarat" else "nz1996"
    assert cli.run(["simulate", *words, "--edition", edition]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    assert line in lines[0]
