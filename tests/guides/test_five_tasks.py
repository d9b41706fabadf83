"""Five things that people want of the library, each in at most ten lines."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import croupier


def six_decks_without_commission(_: Path) -> None:
    rules = croupier.ruleset("nzd5", elections={"decks": 6, "no_commission": True})
    assert f"{float(croupier.odds(rules).line('banker').edge):.4%}" == "1.4548%"


def an_own_four_percent_edition(folder: Path) -> None:
    law = '[values]\nbets.banker.pays = { value = "1 to 1 less 4%", rule = "1" }\n'
    (folder / "own.toml").write_text(f'name = "own"\ntitle = "Own"\nsource = "us"\nbase = "nz1998"\n{law}')
    rules = croupier.ruleset(str(folder / "own.toml"))
    assert croupier.adjudicate(f"{folder}/own.toml banker 100: 2h 3d Kc Qs 8h").rows()[0]["pays"] == 9600
    gazetted = croupier.odds(croupier.ruleset("nz1998")).line("banker")
    assert croupier.odds(rules).line("banker").edge == gazetted.edge - gazetted.win / 100
    assert abs(croupier.simulate(rules, rounds=50_000).line("banker").z or 9) < 5


def banker_unless_the_last_three_were_player(folder: Path) -> None:
    (folder / "mine.py").write_text(
        "REMEMBER = 3\n"
        "def bet(seen):\n"
        "    return {'player': 1} if seen.outcomes == ('player',) * 3 else {'banker': 1}\n"
    )
    betting = croupier.simulate(croupier.ruleset("nz1998"), rounds=50_000, strategy=f"{folder}/mine.py").betting
    assert betting is not None
    assert betting.bets == 50_000


def an_own_dragon_scale(_: Path) -> None:
    scale = 'source = "us"\nnatural = 1\nmargins = { 9 = 20, 8 = 10, 7 = 6, 6 = 4, 5 = 2, 4 = 1 }'
    rules = croupier.ruleset("nzeb", elections={"dragon_bonus": scale})
    line = croupier.odds(rules).line("dragon_player")
    assert line.edge > Fraction(2, 100)
    assert {pay.odds for pay in line.pays} >= {"20 to 1", "10 to 1", "1 to 1"}


def a_recorded_shoe_of_seventy_coups(_: Path) -> None:
    coups = ["2h Kc 8h,3d Qs", "9c Kd,8d 2c", "4c 3c,6d Kh", "Ah 7h,5s 4s", "Ks 6s,7c Kc"]
    text = "player,banker\n" + "\n".join(coups * 14)
    shoe = croupier.shoe(croupier.ruleset("nz1998"), text, wagers="coup,on,amount\n1,banker,100\n")
    assert len(shoe.rows()) == 70
    assert shoe.irregular == () or len(shoe.irregular) < 70


TASKS: tuple[Callable[[Path], None], ...] = (
    six_decks_without_commission,
    an_own_four_percent_edition,
    banker_unless_the_last_three_were_player,
    an_own_dragon_scale,
    a_recorded_shoe_of_seventy_coups,
)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.__name__)
def test_a_task_in_ten_lines(task: Callable[[Path], None], tmp_path: Path) -> None:
    assert len(inspect.getsource(task).strip().splitlines()) - 1 <= 10
    task(tmp_path)
