"""Tai-sai: three dice, fifty areas, Division VI of the 1996 gazette."""

from __future__ import annotations

from croupier.game import DiceFell, Game, Roll
from croupier.game.circumstances import Circumstance, Circumstances, DeclaredField, listed, one_of
from croupier.games.single_draw import Draw, SingleDraw
from croupier.games.tai_sai import bets, procedure
from croupier.games.tai_sai.editions import EDITIONS
from croupier.games.tai_sai.rules import Faces, TaiSaiRules
from croupier.law.officials import DEALER

CIRCUMSTANCES: Circumstances = listed(
    Circumstance("die_not_flat", "a die does not lie flat", call=one_of("No spin")),
    Circumstance("tumbler_fault", "the tumbler did not work as it should", call=one_of("No spin")),
    Circumstance("dice_exposed", "the dice were seen before the call of No more bets", call=one_of("No spin")),
    Circumstance("not_tumbled", "the dealer did not activate the tumbler for this game", call=one_of("No spin")),
    Circumstance("lights_wrong", "winning areas are not lit, or wrong ones are"),
    Circumstance("wrong_numbers_entered", "the numbers keyed in are not those of the dice"),
    Circumstance(
        "straddling_chip",
        "a wager does not lie wholly in one area",
        "to: the area it counts for; call: whose it is",
        to=DeclaredField("the area it counts for"),
        call=DeclaredField("whose it is"),
    ),
)

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
    equipment={"die": procedure.inspect_die},
    display=procedure.display,
)

TAI_SAI: Game[TaiSaiRules, Draw[Faces]] = DRAW.game("tai_sai", EDITIONS, CIRCUMSTANCES)
