"""Betting by history: a strategy tabulated for the kernel does, coup for coup, what its function says."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import croupier
from croupier.errors import BadInput
from croupier.simulation.baccarat import simulated
from croupier.simulation.betting import BUILT_IN, BettingStrategy, BettorBins, Knowledge, played, strategy_of, tabulate
from croupier.simulation.plan import Chunk, SimulationSettings, run_chunk
from croupier.simulation.twins.coups import Dealt, Finished, RulesAtWork

RULES = croupier.ruleset("nz1998")
KNOWN = ("player", "banker", "tie")


def results_of(
    unit: int, game: object, at_work: RulesAtWork, finished: Finished
) -> list[tuple[str, dict[str, Fraction]]]:
    """The coups of one of the kernel's shoes, settled by the rules: who won, and the net of each wager."""
    dealt = Dealt(RULES, game, 5, unit, finished)  # type: ignore[arg-type]
    shoe = []
    for coup in dealt.coups:
        nets = {name: how.net for name, how in at_work._coup(coup)}
        shoe.append((next(name for name in KNOWN if nets[name] > 0), nets))
    return shoe


@pytest.mark.parametrize("name", [*BUILT_IN, "martingale:on=player,maximum=8"])
def test_the_kernel_bets_as_plain_python_does_coup_for_coup(name: str) -> None:
    settings = SimulationSettings(strategy=name, quick=True)
    game, strategy = simulated(RULES, settings), strategy_of(name, "banker")
    assert isinstance(game.bettor, BettorBins)
    shoe = results_of(3, game, RulesAtWork(RULES), Finished(RULES.rules))
    staked, net = 0, Fraction(0)
    for number, (stakes, won) in enumerate(played(strategy, KNOWN, [shoe]), start=1):
        staked, net = staked + sum(stakes.values()), net + won
        betting = game.bettor.results(run_chunk(game.program, Chunk(5, 3, 1, limit=number)).counts, {})
        assert (betting.coups, betting.staked) == (number, staked)
        assert betting.net == pytest.approx(float(net))


def test_a_session_goes_over_shoes_and_ends_at_its_stop() -> None:
    name = "martingale:on=player,maximum=64,stop_loss=20,win_goal=12"
    result = croupier.simulate(RULES, rounds=200_000, seed=2, strategy=name, session=200, workers=1, exact=False)
    assert result.betting is not None
    assert result.sessions is not None
    assert result.betting.coups < result.rounds
    assert result.sessions.quantiles[-1][1] <= 12 + 64
    assert result.sessions.mean * result.sessions.sessions == pytest.approx(result.betting.net)


@pytest.mark.parametrize(("name", "edge"), [("martingale", 0.01058), ("unless_streak", 0.0107)])
def test_no_strategy_changes_the_edge_of_what_it_stakes(name: str, edge: float) -> None:
    betting = croupier.simulate(RULES, rounds=400_000, seed=11, strategy=name, workers=1).betting
    assert betting is not None
    assert betting.expected == pytest.approx(edge, abs=2e-4)
    assert abs(betting.z or 9) < 4
    assert betting.bets == betting.coups
    assert {wager for wager, _ in betting.wagers} <= {"banker", "player"}


@pytest.mark.parametrize(("game", "on"), [("roulette", "red"), ("blackjack", "main"), ("craps", "pass")])
def test_a_strategy_that_follows_hands_is_refused_where_there_are_none(game: str, on: str) -> None:
    rules = croupier.ruleset("nz1996", game=game)
    with pytest.raises(BadInput, match=f"follows the hands of baccarat, .*not '{on}'"):
        croupier.simulate(rules, rounds=10, strategy=f"unless_streak:on={on}")


def test_a_strategy_from_a_file_and_from_python(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "REMEMBER = 3\n"
        "def bet(seen):\n"
        "    return {'player': 1} if seen.outcomes == ('player',) * 3 else {'banker': 1}\n"
    )

    def bet(seen: Knowledge) -> dict[str, int]:
        return {"player": 1} if seen.outcomes == ("player",) * 3 else {"banker": 1}

    given = (str(file), BettingStrategy("mine", bet, remember=3), "unless_streak")
    found = [croupier.simulate(RULES, rounds=20_000, strategy=each, workers=1, exact=False).betting for each in given]
    assert len({(each.staked, each.net, each.wagers) for each in found if each}) == 1


def test_what_is_noted_and_the_place_in_the_shoe_are_known() -> None:
    def bet(seen: Knowledge) -> tuple[dict[str, int], int]:
        skipped = seen.note if isinstance(seen.note, int) else 0
        return ({"tie": 2}, 0) if skipped == 2 and seen.coup < 9 else ({}, min(skipped + 1, 2))

    strategy = BettingStrategy("every third of the first nine", bet, coups=9)
    shoe = [("tie", {"tie": Fraction(8)})] * 12
    assert [bool(stakes) for stakes, _ in played(strategy, ("tie",), [shoe, shoe])] == [
        *([False, False, True] * 3 + [False] * 3),
        *([True, False, False] * 3 + [False] * 3),
    ]
    assert len(tabulate(strategy, ("tie",), ["tie"], lambda *_: Fraction(8)).stakes) > 20


WRONG = {
    "unknown strategy 'martingail'": "martingail",
    "unknown option of a strategy 'most'": "flat:most=3",
    "base is a whole number": "flat:base=x",
    "minimum 9 is above maximum 5": "flat:minimum=9,maximum=5",
    "unknown wager of a strategy 'red'": "flat:on=red",
    "none.py: No such file": "none.py",
}


@pytest.mark.parametrize("complaint", WRONG)
def test_a_mistake_in_a_strategy_is_named(complaint: str) -> None:
    with pytest.raises(BadInput) as raised:
        simulated(RULES, SimulationSettings(strategy=WRONG[complaint], quick=True))
    assert complaint in str(raised.value)


def test_a_stop_needs_a_session_and_a_memory_has_an_end() -> None:
    with pytest.raises(ValueError, match="give --session"):
        simulated(RULES, SimulationSettings(strategy="flat:stop_loss=5", quick=True))
    with pytest.raises(BadInput, match="let it remember less"):
        tabulate(BettingStrategy("long", lambda _: {}, remember=30), KNOWN, KNOWN, lambda *_: Fraction(0))


def test_a_file_that_is_no_strategy_is_told_in_one_line(tmp_path: Path) -> None:
    for text, complaint in (("bet = 3\n", "a function bet"), ("def bet(:\n", "line 1"), ("1/0\n", "ZeroDivisionError")):
        file = tmp_path / "bad.py"
        file.write_text(text)
        with pytest.raises(BadInput, match=complaint):
            strategy_of(str(file), "banker")


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("    return 1 / 0", r"bad\.py line 2: ZeroDivisionError: division by zero"),
        ("    return {'banker': seen.luck}", r"bad\.py line 2: AttributeError: .*luck"),
        ("    raise SystemExit(7)", r"bad\.py line 2: SystemExit: 7"),
        ("    return bet(seen)", r"bad\.py line 2: RecursionError"),
        ("    return None", "strategy bad.py: stakes in units by wager .*: None"),
        ("    return {}, 1, 2", "strategy bad.py: stakes in units by wager"),
        ("    return {}, [seen]", "strategy bad.py: a note is a value that does not change"),
    ],
)
def test_what_a_file_does_wrong_is_its_own_mistake_with_its_line(tmp_path: Path, body: str, complaint: str) -> None:
    file = tmp_path / "bad.py"
    file.write_text(f"def bet(seen):\n{body}\n")
    with pytest.raises(BadInput, match=complaint):
        simulated(RULES, SimulationSettings(strategy=str(file), quick=True))


def test_a_function_that_raises_is_its_writers_to_mend() -> None:
    with pytest.raises(ZeroDivisionError):
        simulated(RULES, SimulationSettings(strategy=lambda _: {"banker": 1 // 0}, quick=True))
