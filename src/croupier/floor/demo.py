"""What the first page shows: a coup with a mistake in it, and a sheet of odds.

Theory of operation.  The script says only what people did: who staked what, which card went to which hand, and what
the dealer declared when one went wrong.  Everything else is asked of the engine: what was due, the ruling, the counts,
the money, the worth of each wager, and what each rule says.  So the page can tell nothing that the engine does not.

A card is told here with the hand it went to.  `dealt` lets it happen only if that hand was due it, and refuses it
otherwise; the dealer then declares the irregularity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from msgspec.structs import replace as changed

from croupier.equipment import Card, card_name, card_words, parse_card
from croupier.exact.engines import Asked
from croupier.exact.sheet import Sheet, sheet
from croupier.exact.ways import Worth
from croupier.game import AnyGame, CardSeen, Deal, Irregular, Over, Refusal, Ruling, Wager, Won, say
from croupier.games.baccarat.rules import BANKER, PLAYER, TIE
from croupier.law.editions import EDITIONS
from croupier.law.inventory import edition_of, in_order, other_editions, parts
from croupier.law.ruleset import Ruleset
from croupier.money import Cents
from croupier.round import AnyRound, Entry, happen, open_round, place, ruling_on, settle
from croupier.rulesets import known_game, ruleset

GAME: Final = "baccarat"
LAW_OF_THE_COUP: Final = ("nzd5", "full")
LAW_OF_THE_SHEET: Final = ("vic2002", "crown")
WAGERS: Final = (
    Wager(PLAYER, 200_00, "seat 3"),
    Wager(BANKER, 100_00, "seat 12"),
    Wager(TIE, 10_00, "seat 12"),
    Wager("perfect_pairs", 25_00, "seat 12"),
)
FELL: Final = (("2c", PLAYER), ("Qh", BANKER), ("4d", PLAYER), ("5s", BANKER), ("9d", PLAYER))
DECLARED: Final = "wrong_third_card"

NAMES: Final[Mapping[str, str]] = {"insurance": "Insurance / No 6", "perfect_pairs": "Perfect Pairs"}
RESULTS: Final[Mapping[str, str]] = {PLAYER: "The Player wins", BANKER: "The Banker wins", TIE: "A tie"}
ORDINALS: Final = ("First", "Second", "Third")
FIGURES: Final = ("no", "one", "two", "three", "four", "five", "six")


# ---------------------------------------------------------------- what is shown


@dataclass(frozen=True, slots=True)
class Basis:
    """The rules in use, as they are named on the page."""

    edition: str
    version: str
    title: str
    decks: int
    hash: str

    @property
    def words(self) -> str:
        return f"{self.edition}, {self.version}, {self.decks} decks"


@dataclass(frozen=True, slots=True)
class Hand:
    on: str
    name: str
    cards: tuple[Card, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Position:
    """Both hands, what is due, and the winner and the result in words once nothing is."""

    player: Hand
    banker: Hand
    due: str
    due_to: str
    rule: str
    winner: str
    result: str


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the story; `wrong` marks the mistake, `decided` the ruling."""

    title: str
    says: str
    rule: str = ""
    wrong: bool = False
    decided: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One wager with its money."""

    name: str
    on: str
    by: str
    stake_cents: Cents
    result: str
    odds: str
    returned_cents: Cents
    rule: str


@dataclass(frozen=True, slots=True)
class Coup:
    """The coup, from the wagers to the money."""

    law: Basis
    card: Card
    refusal: Refusal
    ruling: Ruling
    finding: str
    before: Position
    left: Position
    after: Position
    steps: tuple[Step, ...]
    lines: tuple[Line, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Price:
    """One wager of the sheet; `offered` is 1 unless the wager waits for a position."""

    name: str
    on: str
    pays: tuple[str, ...]
    win: Fraction
    lose: Fraction
    standoff: Fraction
    edge: Fraction
    offered: Fraction
    rule: str


@dataclass(frozen=True, slots=True)
class Odds:
    """The sheet, the warnings where a wager favours the player, and what is not priced, with the reason."""

    law: Basis
    prices: tuple[Price, ...]
    warnings: tuple[tuple[str, str], ...]
    left_out: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """A rule that the page cites, and what it says."""

    rule: str
    topic: str
    says: str


@dataclass(frozen=True, slots=True)
class Command:
    """Something to try next: the words after `croupier`."""

    words: tuple[str, ...]
    says: str


@dataclass(frozen=True, slots=True)
class Demonstration:
    coup: Coup
    odds: Odds
    cited: tuple[Cited, ...]
    commands: tuple[Command, ...]


def compute() -> Demonstration:
    """Everything on the page, computed now."""
    coup, odds = play_coup(), price_wagers()
    return Demonstration(coup, odds, tuple(_cited(rule) for rule in _rules_on(coup, odds)), tuple(_commands(coup)))


# ---------------------------------------------------------------- the coup


def play_coup() -> Coup:
    """The script, played."""
    edition, version = LAW_OF_THE_COUP
    chosen = ruleset(edition, game=GAME, version=version)
    opened = _granted(place(open_round(known_game(GAME), chosen.rules), WAGERS))
    *good, (wrong, to) = FELL
    before = opened
    for name, hand in good:
        before = _granted(dealt(before, parse_card(name), to=hand))
    card = parse_card(wrong)
    refusal = dealt(before, card, to=to)
    fact = Irregular(DECLARED, card=card, to=to, disclosed=True)
    ruling = ruling_on(before, fact)
    assert isinstance(refusal, Refusal), "the script's last card is the one that was not due"
    assert ruling is not None, "the edition has a rule for what the script declares"
    after = _granted(happen(before, fact))
    finding = _finding(before, after, card=card)
    return Coup(
        law=_law(chosen, before.game),
        card=card,
        refusal=refusal,
        ruling=ruling,
        finding=finding,
        before=_position(before),
        left=_position(_laid(before, card, to=to)),
        after=_position(after),
        steps=(
            *_until_refused(opened, before, refusal=refusal),
            *_from_declared(ruling, after, finding=finding),
        ),
        lines=tuple(_line(after, entry) for entry in after.book),
        others=other_editions(ruling.rule),
    )


def dealt(this: AnyRound, card: Card, *, to: str) -> AnyRound | Refusal:
    """The round after a card went to a hand; refused, naming what was due, if that hand was not due it."""
    due = this.due
    if isinstance(due, Deal) and due.to == to:
        return happen(this, CardSeen(card))
    wanted = due_words(this)
    return Refusal(f"the {card_words(card)} went to the {title(to)}; due was: {_lower(wanted)}", due.rule)


def _granted(result: AnyRound | Refusal) -> AnyRound:
    assert not isinstance(result, Refusal), f"the script is refused: {result}"
    return result


def _laid(this: AnyRound, card: Card, *, to: str) -> AnyRound:
    """The layout with a card left where it fell, whoever was due it."""
    hand = (*getattr(this.state, to), card)
    return changed(this, state=replace(this.state, **{to: hand}))


def _finding(before: AnyRound, after: AnyRound, *, card: Card) -> str:
    """Whose card it is after the ruling, read from the layout."""
    for to in (PLAYER, BANKER):
        if len(getattr(after.state, to)) > len(getattr(before.state, to)):
            nth = ORDINALS[len(getattr(before.state, to))].lower()
            return f"The {card_words(card)} is the {title(to)}’s {nth} card."
    return f"The {card_words(card)} belongs to neither hand."


def _position(this: AnyRound) -> Position:
    winner = str(this.game.outcome(this.rules, this.state)["winner"] or "")
    due = this.due
    return Position(
        player=_hand(this, PLAYER),
        banker=_hand(this, BANKER),
        due=due_words(this),
        due_to=due.to if isinstance(due, Deal) else "",
        rule=due.rule,
        winner=winner,
        result=RESULTS.get(winner, ""),
    )


def _hand(this: AnyRound, on: str) -> Hand:
    count = this.game.outcome(this.rules, this.state)[on]
    assert isinstance(count, int)
    return Hand(on, title(on), getattr(this.state, on), count)


def due_words(this: AnyRound) -> str:
    """What is due, as a dealer would say it."""
    due = this.due
    if isinstance(due, Deal):
        return f"{ORDINALS[len(getattr(this.state, due.to))]} card to the {title(due.to)}"
    return "Nothing: the coup is over" if isinstance(due, Over) else say(due)


def _until_refused(opened: AnyRound, before: AnyRound, *, refusal: Refusal) -> tuple[Step, ...]:
    staked = sum(wager.stake_cents for wager in opened.standing)
    return (
        Step("Wagers on the layout", f"{_figure(len(opened.book))}, {money(staked)} dollars in all.", _permits(opened)),
        Step("First four cards", f"{_held(before, PLAYER)} {_held(before, BANKER)}", opened.due.rule),
        Step("Card refused", f"{_upper(refusal.reason)}.", refusal.rule, wrong=True),
    )


def _from_declared(ruling: Ruling, after: AnyRound, *, finding: str) -> tuple[Step, ...]:
    end = _position(after)
    what = after.game.circumstances[DECLARED].partition(" (")[0]
    return (
        Step("Declared by the dealer", f"{DECLARED}: {what}.", wrong=True),
        Step(f"Ruling: {ruling.remedy}", f"{finding} Ordered by the {ruling.by}.", ruling.rule, decided=True),
        Step("Result", f"{end.result}: {end.player.count} to {end.banker.count}.", end.rule),
    )


def _permits(this: AnyRound) -> str:
    return str(this.rules.permitted.rule)


def _held(this: AnyRound, hand: str) -> str:
    return f"{title(hand)}: {', '.join(card_words(card) for card in getattr(this.state, hand))}."


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _figure(number: int) -> str:
    return (FIGURES[number] if number < len(FIGURES) else str(number)).capitalize()


def _line(this: AnyRound, entry: Entry) -> Line:
    wager, done = entry.wager, settle(entry, this.game.rounding(this.rules), this.sign.chip)
    return Line(
        name=title(wager.on),
        on=wager.on,
        by=wager.by,
        stake_cents=wager.stake_cents + wager.voided_cents,
        result=done.result,
        odds=str(entry.resolution.odds) if isinstance(entry.resolution, Won) else "",
        returned_cents=done.returned_cents,
        rule=done.rule,
    )


# ---------------------------------------------------------------- the sheet


def price_wagers() -> Odds:
    """The sheet of a rule set with eight decks."""
    edition, version = LAW_OF_THE_SHEET
    chosen = ruleset(edition, game=GAME, version=version, elections={"decks": 8})
    priced = sheet(known_game(GAME), chosen, asked=Asked(quick=True))
    return Odds(
        law=_law(chosen, known_game(GAME)),
        prices=tuple(_price(line) for line in priced.lines),
        warnings=tuple(_warning(line) for line in priced.lines if line.edge < 0),
        left_out=tuple(_left_out(priced)),
    )


def _price(line: Worth) -> Price:
    """The rule to cite is that of the payment."""
    paying = [pay for pay in line.pays if pay.odds]
    return Price(
        name=title(line.wager),
        on=line.wager,
        pays=tuple(pay.odds if len(paying) == 1 else f"{pay.odds} ({pay.result})" for pay in paying),
        win=line.win,
        lose=line.lose,
        standoff=line.standoff,
        edge=line.edge,
        offered=line.offered,
        rule=paying[0].rule,
    )


def _warning(line: Worth) -> tuple[str, str]:
    gain = percent(-line.edge, 2)
    says = f"{title(line.wager)} favours the player: paid as printed, it returns {gain} more than is staked."
    return says, _price(line).rule


def _left_out(priced: Sheet) -> Iterator[tuple[str, str]]:
    """By reason the wagers, those of one family together: Player run of 2, 3, 4."""
    reasons: dict[str, dict[str, list[str]]] = {}
    for wager, reason in priced.left_out:
        family, run, length = title(wager).partition(" run of ")
        reasons.setdefault(reason, {}).setdefault(family + run, []).append(length)
    for reason, families in reasons.items():
        yield "; ".join(f"{name}{', '.join(lengths)}" for name, lengths in families.items()), reason


# ---------------------------------------------------------------- rules and commands


def _law(chosen: Ruleset[Any], game: AnyGame) -> Basis:
    name = EDITIONS[chosen.edition].title
    return Basis(chosen.edition, chosen.version, name, game.decks(chosen.rules), chosen.hash)


def _rules_on(coup: Coup, odds: Odds) -> tuple[str, ...]:
    told = (step.rule for step in coup.steps if step.rule)
    return in_order((*told, *(line.rule for line in coup.lines), *(price.rule for price in odds.prices), *coup.others))


def _cited(rule: str) -> Cited:
    rows = parts(rule)
    return Cited(rule, rows[0].topic, " ".join(row.summary for row in rows))


def _commands(coup: Coup) -> Iterator[Command]:
    position = " ".join(card_name(parse_card(name)) for name, _ in FELL[:-1])
    edition, version = LAW_OF_THE_COUP
    other = edition_of(coup.others[0])
    yield Command(("due", f"{edition}/{version} {position}"), "what is due in the position above, and why")
    yield Command(("settle", "nz1998 banker 100: 2h 3d Kc Qs 8h"), "a coup in one line, from wagers to money")
    yield Command(("rules", "diff", other, edition), "what changed between two editions")


# ---------------------------------------------------------------- words and figures


def title(wager: str) -> str:
    """A wager or a hand as it is printed on the layout."""
    family, run, length = wager.partition("_run_")
    name = NAMES.get(family) or family.replace("_", " ").capitalize()
    return f"{name} run of {length}" if run else name


def money(cents: Cents) -> str:
    """Dollars with their cents: 1,570.00."""
    return f"{'−' if cents < 0 else ''}{abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def percent(part: Fraction, digits: int) -> str:
    """A part in percent, rounded to so many digits; the sign is a true minus."""
    scaled = round(abs(part) * 100 * 10**digits)
    whole, rest = divmod(scaled, 10**digits)
    return f"{'−' if part < 0 and scaled else ''}{whole}.{rest:0{digits}d} %"
