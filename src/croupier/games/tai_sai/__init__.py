"""Tai-sai: three dice, fifty areas, Division VI of the 1996 gazette."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.game import DiceFell, Game, Roll
from croupier.games.single_draw import Draw, SingleDraw
from croupier.games.single_draw.play import DEALER
from croupier.games.tai_sai import bets, procedure
from croupier.games.tai_sai.editions import EDITIONS
from croupier.games.tai_sai.rules import Faces, TaiSaiRules

CIRCUMSTANCES: Mapping[str, str] = {
    "die_not_flat": "a die does not lie flat",
    "tumbler_fault": "the tumbler did not work as it should",
    "dice_exposed": "the dice were seen before the call of No more bets",
    "not_tumbled": "the dealer did not activate the tumbler for this game",
    "lights_wrong": "winning areas are not lit, or wrong ones are",
    "wrong_numbers_entered": "the numbers keyed in are not those of the dice",
    "straddling_chip": "a wager does not lie wholly in one area (to: the area it counts for; call: whose it is)",
}

DRAW: SingleDraw[TaiSaiRules, Faces] = SingleDraw(
    due=lambda rules: Roll(DEALER, rules.spins.rule),
    chances=lambda rules: rules.dice.value.map(DiceFell),
    shown=bets.shown,
    areas=bets.areas,
    locate=bets.locate,
    decide=bets.decide,
    figures=procedure.figures,
    alike=lambda faces: tuple(sorted(faces)),
    wrong_detail=procedure.wrong_detail,
    conditions=procedure.conditions,
    usual=procedure.usual,
    pays=bets.pays,
)

TAI_SAI: Game[TaiSaiRules, Draw[Faces]] = DRAW.game("tai_sai", EDITIONS, CIRCUMSTANCES)
