"""A baccarat table under test, and what must be true of every ceremony.

The `Desk` puts a table into a position and sees what is due, allowed or refused there; the other files of this name use
it.  The tests below hold for all editions at once: the words of conditions are known, staff and players can always go
on, and a fact that is refused names a rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from croupier.ceremony import Act, Order
from croupier.equipment import parse_card
from croupier.game import (
    CardSeen,
    Choose,
    Chosen,
    Deal,
    Demand,
    Fact,
    Irregular,
    Perform,
    Performed,
    Refusal,
    Wager,
    say,
)
from croupier.games.baccarat import procedure, rulings
from croupier.games.baccarat.ceremonies.sitting import CONDITIONS
from croupier.games.baccarat.editions import EDITIONS
from croupier.games.baccarat.play import winner
from croupier.games.baccarat.procedure import BaccaratSitting
from croupier.games.baccarat.rules import BaccaratRules
from croupier.law.conditions import conditions
from croupier.law.elections import elect
from croupier.law.inventory import all_rules
from croupier.law.model import laws_in
from croupier.once import replace
from tests.helpers.rulings import after_it

SEATS = (1, 2, 5, 7)
STANDS = "2h 3d 4c 4s"  # Player 6, Banker 7: nobody draws
DRAWS = "2h Kd 3c 4s 2d 9h"  # Player 5 draws a two, Banker 4 draws
NATURAL = "4h 2d 5c 3s"


def stake(hand: str, cents: int, seat: int | str) -> Wager:
    return Wager(hand, cents, by=f"seat {seat}" if isinstance(seat, int) else seat)


@dataclass
class Desk:
    """A table under test: what is due, what happens, what is refused."""

    rules: BaccaratRules
    sitting: BaccaratSitting
    depth: int = 104
    burn: str = "4h"

    @property
    def due(self) -> Demand:
        return procedure.demand(self.rules, self.sitting)

    @property
    def text(self) -> str:
        return say(self.due)

    def expects(self, demand: Demand) -> None:
        """Assert that just this is due, and note that its rule was compared."""
        assert self.due == demand

    def happens(self, fact: Fact) -> None:
        after = after_it(procedure.apply, rulings.rule_on, self.rules, self.sitting, fact)
        assert isinstance(after, BaccaratSitting), f"{fact}: {after}"
        self.sitting = after

    def does(self, act: str, by: str = "", detail: int | str = "") -> None:
        self.happens(Performed(act, by, detail))

    def chooses(self, option: str, by: str) -> None:
        self.happens(Chosen(option, by))

    def deals(self, cards: str) -> None:
        for card in cards.split():
            self.happens(CardSeen(parse_card(card)))

    def refuses(self, fact: Fact) -> Refusal:
        answer = after_it(procedure.apply, rulings.rule_on, self.rules, self.sitting, fact)
        assert isinstance(answer, Refusal), f"{fact} was allowed"
        return answer

    def refuses_act(self, act: str, by: str = "", detail: int | str = "") -> Refusal:
        return self.refuses(Performed(act, by, detail))

    def refuses_card(self, card: str = "5h") -> Refusal:
        return self.refuses(CardSeen(parse_card(card)))

    def bets(self, *wagers: Wager) -> None:
        self.sitting = replace(self.sitting, wagers=wagers)

    def detail_of(self, act: str) -> int | str:
        """How an act is done where nothing else is said."""
        match act:
            case "cut":
                return self.depth
            case "insert cutting card":
                return 20
            case "burn face up":
                return self.burn
            case "burn face down":
                return procedure.burn_value(self.rules, self.sitting)
            case "enter outcome":
                return winner(self.rules, self.sitting.coup)
            case _:
                return ""

    def acts_until(self, act: str) -> None:
        """Do whatever is due, declining all offers, until this act or offer is due."""
        for _ in range(60):
            if self.text.startswith(act):
                return
            self.next()
        raise AssertionError(f"{act} never fell due; due is {self.text}")

    def opens(self) -> None:
        """From fresh cards until betting is to be closed."""
        self.acts_until(self.rules.ceremony.calls[0].value.act)

    def closes(self) -> None:
        """Betting is closed, and all offers before the deal are declined."""
        self.does(self.rules.ceremony.calls[0].value.act)
        self.acts_until("deal player")

    def plays(self, cards: str = STANDS) -> None:
        """A whole round, from the call; every offer is declined."""
        self.closes()
        for card in cards.split():
            self.acts_until("deal ")
            self.happens(CardSeen(parse_card(card)))
        self.ends_round()

    def ends_round(self) -> None:
        """Whatever is due until the round is settled or a card is wanted."""
        while procedure.holds(self.rules, self.sitting, "betting closed") and not isinstance(self.due, Deal):
            self.next()

    def next(self) -> None:
        """Do the act that is due, or decline the offer."""
        match self.due:
            case Perform(act=name, by=by):
                self.does(name, by, self.detail_of(name))
            case Choose(by=by, options=options):
                self.chooses(options[-1], by)
            case wanted:
                raise AssertionError(f"due is {say(wanted)}")


def desk(
    edition: str,
    version: str = "",
    style: str = "",
    *,
    cards: str = "",
    seats: tuple[int, ...] = SEATS,
    shuffler: str = "",
    decks: int = 0,
    cutting_cards: int = 0,
) -> Desk:
    """A table that has just received its cards; three dollars lie on the Banker from the last seat."""
    versions = EDITIONS[edition]
    wanted = {"style": style, "shuffler": shuffler, "decks": decks, "cutting_cards": cutting_cards}
    rules = elect(versions[version or next(iter(versions))], {name: value for name, value in wanted.items() if value})
    backed = stake("banker", 300, seats[-1] if seats else "terminal 1")
    return Desk(rules, BaccaratSitting(seats=seats, cards=cards, wagers=(backed,)))


def opened(edition: str, version: str = "", style: str = "", *, shuffler: str = "") -> Desk:
    """A table with a loaded shoe, where betting is to be closed."""
    table = desk(edition, version, style, shuffler=shuffler)
    table.opens()
    return table


ALL_TABLES = [
    pytest.param(edition, version, style, id=f"{edition}-{version}-{style}")
    for edition, versions in EDITIONS.items()
    for version, rules in versions.items()
    for style in rules.style.value.permitted
]


# ---------------------------------------------------------------- what holds everywhere


def words_of(rules: BaccaratRules) -> set[str]:
    found: set[str] = set()
    for _, law in laws_in(rules.ceremony):
        if isinstance(law.value, Act | Order) and law.value.when:
            found.update(word.format(hand="player") for word in conditions(law.value.when))
    return found


@pytest.mark.parametrize(("edition", "version", "style"), ALL_TABLES)
def test_each_condition_is_a_word_that_the_table_knows(edition: str, version: str, style: str) -> None:
    rules = elect(EDITIONS[edition][version], {"style": style})
    assert words_of(rules) <= {*CONDITIONS}


def vocabulary(rules: BaccaratRules) -> tuple[list[str], list[str]]:
    """Every act of an edition, for both hands, and everybody who may do one."""
    acts: dict[str, None] = {"cutting card": None, "dance on the table": None}
    people: dict[str, None] = {"seat 1": None, "seat 7": None, "standing 1": None, "": None, "dealer": None}
    for _, law in laws_in(rules.ceremony):
        if isinstance(law.value, Act | Order):
            acts |= dict.fromkeys(law.value.act.format(hand=hand) for hand in ("player", "banker"))
            by = law.value.by
            people |= dict.fromkeys((by,) if isinstance(by, str) else by)
    return list(acts), list(people)


DETAILS: tuple[int | str, ...] = ("", 1, 4, 13, 20, 51, 104, "4h", "up", "seat 2", "player seat 5", "pre-shuffled")


REPORTS = ("excess_card", "burn_forgotten", "insufficient_cards", "face_up_card", "out_of_sequence", "disruption")


def what_is_due(chance: Random, table: Desk) -> Fact:
    match table.due:
        case Perform(act=act, by=by):
            return Performed(act, by, table.detail_of(act))
        case Choose(by=by, options=options):
            return Chosen(chance.choice(options), by)
        case _:
            return CardSeen(chance.randrange(52))


def anything(chance: Random, acts: list[str], people: list[str]) -> Fact:
    """Whatever anybody could do, say or report."""
    card = chance.randrange(52)
    match chance.randrange(6):
        case 0:
            return Chosen(chance.choice(("cut", "decline", "accept banker")), chance.choice(people))
        case 1:
            return CardSeen(card)
        case 2:
            return Irregular(chance.choice(REPORTS), card, disclosed=chance.random() < 0.5)
        case _:
            return Performed(chance.choice(acts), chance.choice(people), chance.choice(DETAILS))


@pytest.mark.parametrize(("edition", "version", "style"), ALL_TABLES)
def test_any_fact_is_taken_or_refused_with_a_rule_of_the_inventory(edition: str, version: str, style: str) -> None:
    """Whatever anybody does, in whatever order: something is due afterwards, and a refusal names its rule."""
    known, chance = {rule.id for rule in all_rules()}, Random(f"{edition} {version} {style}")
    table = desk(edition, version, style)
    acts, people = vocabulary(table.rules)
    for _ in range(500):
        expected = chance.random() < 0.6
        fact = what_is_due(chance, table) if expected else anything(chance, acts, people)
        answer = after_it(procedure.apply, rulings.rule_on, table.rules, table.sitting, fact)
        if isinstance(answer, Refusal):
            assert not expected, f"{fact} was due: {answer}"
            assert {answer.rule} <= known, f"{fact}: {answer}"
            assert answer.reason
        else:
            table.sitting = answer
        assert {table.due.rule} <= known, table.text


@pytest.mark.parametrize(("edition", "version", "style"), ALL_TABLES)
def test_what_is_due_can_always_be_done(edition: str, version: str, style: str) -> None:
    """Two whole shoes go through with nobody refusing to do what is due, whatever is accepted."""
    for option in (0, -1):
        table = desk(edition, version, style)
        for step in range(400):
            match table.due:
                case Deal() if step % 97 == 50:
                    table.sitting = replace(table.sitting, cutting=(table.sitting.rounds, 2), left=1)
                case Deal():
                    table.happens(CardSeen((step * 7) % 52))
                case Choose(by=by, options=options):
                    table.chooses(options[option], by)
                case _:
                    table.next()
        assert table.sitting.shoe
