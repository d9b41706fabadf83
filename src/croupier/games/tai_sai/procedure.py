"""The ceremony of tai-sai: the call of the result, the terminal, and the checks of dice and lights.

The dice are tumbled before anybody bets.  So the result exists while wagers are placed, but it has no place in the
state until the dice are uncovered: there is nothing that could leak.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations_with_replacement

from croupier.game import DiceFell, Fact, Irregular, Performed, Refusal
from croupier.games.single_draw import Sitting
from croupier.games.single_draw.procedure import number_words, too_few, unlike
from croupier.games.tai_sai.bets import lit
from croupier.games.tai_sai.rules import AMEND, ENTRY_WRONG, KEYS, TUMBLE, UNCOVER, Faces, TaiSaiRules


def figures(rules: TaiSaiRules, faces: Faces | None) -> dict[str, object]:
    """Dice, total and call, once the dice are uncovered."""
    if faces is None:
        return {"dice": None, "total": None, "call": None}
    return {"dice": sorted(faces), "total": sum(faces), "call": announcement(rules, faces)}


def announcement(rules: TaiSaiRules, faces: Faces) -> str:
    """The call: faces from low to high, doubles and triples by name, then the total."""
    parts = [f"{rules.multiples.value[n]} {number_words(face)}".strip() for face, n in sorted(Counter(faces).items())]
    return f"{', '.join(parts)}; total {number_words(sum(faces))}"


def press(rules: TaiSaiRules, keys: str) -> Faces | Refusal:
    """What the terminal shows after these keys: the last three numbers pressed."""
    pressed = [int(key) if key.isdigit() else 0 for key in keys.split("-")]
    wrong = [key for key in pressed if key not in rules.keys.value]
    if wrong:
        return Refusal(f"{keys!r:.40}: the terminal has switches 1 to 6", rules.keys.rule)
    if len(pressed) < rules.led.value:
        return Refusal(f"{keys!r:.40}: {rules.led.value} numbers are due", rules.ceremony.rule_of(KEYS))
    return tuple(pressed[-rules.led.value :])


def entered(rules: TaiSaiRules, sitting: Sitting[Faces]) -> Faces | None:
    """The numbers in force in the terminal: the last that were pressed or amended."""
    keyed = [str(fact.detail) for fact in sitting.said if fact.act in (KEYS, AMEND)]
    numbers = press(rules, keyed[-1]) if keyed else None
    return numbers if isinstance(numbers, tuple) else None


def conditions(rules: TaiSaiRules, sitting: Sitting[Faces]) -> Mapping[str, bool]:
    result = sitting.draw.result
    first = next((str(fact.detail) for fact in sitting.said if fact.act == KEYS), "")
    return {ENTRY_WRONG: result is not None and bool(first) and _differs(rules, result, first)}


def _differs(rules: TaiSaiRules, result: Faces, keys: str) -> bool:
    numbers = press(rules, keys)
    return isinstance(numbers, Refusal) or sorted(numbers) != sorted(result)


def wrong_detail(rules: TaiSaiRules, sitting: Sitting[Faces], fact: Performed) -> Refusal | None:
    """What is wrong with the number or word recorded with an act, if anything."""
    act, detail, result = fact.act, fact.detail, sitting.draw.result
    match act:
        case "tumble dice":
            return too_few(act, detail, rules.spins)
        case "announce" if result is not None:
            return unlike(act, detail, (announcement(rules, result),), rules.ceremony.rule_of(act))
        case "press numbers":
            numbers = press(rules, str(detail))
            return numbers if isinstance(numbers, Refusal) else None
        case "amend entry" if result is not None and _differs(rules, result, str(detail)):
            return Refusal(f"{act}: {detail!r:.20} are not the dice either", rules.ceremony.rule_of(act))
        case "check seal":
            return unlike(act, detail, (rules.sealed.value,), rules.sealed.rule)
        case "restore":
            return unlike(act, detail, rules.rectified.value, rules.rectified.rule)
        case "pay area" if result is not None:
            return unlike(act, str(detail).partition(" by ")[0], lit(rules, result), rules.ceremony.rule_of(act))
        case _:
            return None


def usual(rules: TaiSaiRules, sitting: Sitting[Faces], act: str) -> int | str:
    """What is commonly recorded with an act."""
    result = sitting.draw.result
    known: dict[str, int | str] = {
        "tumble dice": rules.spins.value,
        "check seal": rules.sealed.value,
        "restore": rules.rectified.value[0],
        "announce": announcement(rules, result) if result else "",
        "press numbers": "-".join(map(str, result)) if result else "",
        "amend entry": "-".join(map(str, result)) if result else "",
    }
    return known.get(act, "")


def amounts_to(rules: TaiSaiRules, sitting: Sitting[Faces], fact: Fact) -> Fact:
    """Dice that are seen too early make the round void, declared or not; any other fact is just itself."""
    early = isinstance(fact, DiceFell) or (isinstance(fact, Performed) and fact.act == UNCOVER)
    if not early or sitting.draw.closed or sitting.draw.void or sitting.owed:
        return fact
    tumbled = sitting.detail(TUMBLE) is not None
    return Irregular("dice_exposed" if tumbled else "not_tumbled")


# ---------------------------------------------------------------- equipment


def inspect_die(rules: TaiSaiRules, opposites: tuple[tuple[int, int], ...]) -> Refusal | None:
    """Why a die may not be used, if so: its faces, or what opposite faces sum to."""
    faces = sorted(face for pair in opposites for face in pair)
    if faces != sorted(rules.die.value):
        return Refusal(f"a die with faces {faces}", rules.die.rule)
    odd = [pair for pair in opposites if sum(pair) != rules.opposite_faces.value]
    return Refusal(f"{odd[0][0]} opposite {odd[0][1]}", rules.opposite_faces.rule) if odd else None


def inspect_lights(rules: TaiSaiRules, seen: Mapping[Faces, frozenset[str]]) -> Refusal | None:
    """Why the electronics fail the test before opening, if so: each of the 56 results must light what it should."""
    for faces in combinations_with_replacement(rules.die.value, rules.number_of_dice.value):
        if seen.get(faces) != frozenset(lit(rules, faces)):
            return Refusal(f"{'-'.join(map(str, faces))} lights the wrong areas", rules.ceremony.rule_of("test lights"))
    return None
