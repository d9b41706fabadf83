"""The ceremony of tai-sai: the call of the result, the terminal, and the checks of dice and lights.

The dice are tumbled before anybody bets.  So the result exists while wagers are placed, but it has no place in the
state until the dice are uncovered: there is nothing that could leak.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from croupier.ceremony import acts
from croupier.game import Performed, Refusal
from croupier.games.single_draw import DrawSitting
from croupier.games.single_draw.procedure import number_words, too_few, unlike
from croupier.games.tai_sai.bets import lit
from croupier.games.tai_sai.rules import AMEND, ENTRY, ENTRY_WRONG, KEYS, Faces, TaiSaiRules


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
    switches = {str(number): number for number in rules.keys.value}
    pressed = [switches.get(key, 0) for key in keys.split("-")]
    wrong = [key for key in pressed if key not in rules.keys.value]
    if wrong:
        return Refusal(f"{keys!r:.40}: the terminal has switches 1 to 6", rules.keys.rule)
    if len(pressed) < rules.led.value:
        return Refusal(f"{keys!r:.40}: {rules.led.value} numbers are due", rules.ceremony.rule_of(KEYS))
    return tuple(pressed[-rules.led.value :])


def entered(rules: TaiSaiRules, sitting: DrawSitting[Faces]) -> Faces | None:
    """The numbers in force in the terminal: the last that were pressed or amended."""
    keyed = [str(fact.detail) for fact in sitting.said if fact.act in (KEYS, AMEND)]
    numbers = press(rules, keyed[-1]) if keyed else None
    return numbers if isinstance(numbers, tuple) else None


def display(rules: TaiSaiRules, sitting: DrawSitting[Faces]) -> Mapping[str, object]:
    """What the terminal shows of the numbers pressed, and the areas that are lit once they are entered."""
    numbers = entered(rules, sitting) or ()
    areas = lit(rules, numbers) if numbers and ENTRY in acts(sitting.said) else ()
    return {
        "led": {"numbers": list(numbers), "rule": rules.led.rule},
        "lit": {"areas": list(areas), "rule": rules.lights.rule},
    }


def conditions(rules: TaiSaiRules, sitting: DrawSitting[Faces]) -> Mapping[str, bool]:
    result = sitting.draw.result
    first = next((str(fact.detail) for fact in sitting.said if fact.act == KEYS), "")
    return {ENTRY_WRONG: result is not None and bool(first) and _differs(rules, result, first)}


def _differs(rules: TaiSaiRules, result: Faces, keys: str) -> bool:
    numbers = press(rules, keys)
    return isinstance(numbers, Refusal) or sorted(numbers) != sorted(result)


def wrong_detail(rules: TaiSaiRules, sitting: DrawSitting[Faces], fact: Performed) -> Refusal | None:
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
            return Refusal(f"{detail!r:.20} are not the dice either", rules.ceremony.rule_of(act), on=act)
        case "check seal":
            return unlike(act, detail, (rules.sealed.value,), rules.sealed.rule)
        case "restore":
            return unlike(act, detail, rules.rectified.value, rules.rectified.rule)
        case "pay area" if result is not None:
            return unlike(act, detail, lit(rules, result), rules.ceremony.rule_of(act))
        case _:
            return None


def usual(rules: TaiSaiRules, sitting: DrawSitting[Faces], act: str) -> int | str:
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


# ---------------------------------------------------------------- equipment


def inspect_die(rules: TaiSaiRules, opposites: str) -> Refusal | None:
    """Why a die with these faces opposite each other (`1-6,2-5,3-4`) may not be used, if so."""
    pairs = [pair.split("-") for pair in opposites.split(",")]
    faces = sorted(face for pair in pairs for face in pair)
    if faces != sorted(map(str, rules.die.value)) or any(len(pair) != 2 for pair in pairs):
        return Refusal(f"a die with faces {opposites!r:.40}", rules.die.rule)
    odd = [pair for pair in pairs if sum(map(int, pair)) != rules.opposite_faces.value]
    return Refusal(f"{odd[0][0]} opposite {odd[0][1]}", rules.opposite_faces.rule) if odd else None
