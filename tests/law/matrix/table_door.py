"""The doors `table` and `page`: a live table asked by named people in their roles, and what each of them is shown.

the table opens minimum=10 maximum=500      else it opens with a usual sign, 10 to 1,000 dollars in chips of one
another table opens pay_scale=1             in the same house, with other elections: does it allow that?
ann sits at 4 with 500; ben stands with 200
ann bets 100 on banker; ann takes back banker
up to the cards                             all that staff and players usually do before chance (dice, spin alike)
up to "call No more bets"                   the same up to an act
cards 6h 3d Kc Qs                           each after what is usually done before it (dice 3-4, ball 17, wheel A)
terminals 7 8 with 500                      an approved game system, and these terminals with credits
terminals confirm                           every terminal that owes it confirms its slip
to the end                                  what is usually done until the round is paid
20 minutes pass
dealer: card 9d                             a fact as it is told, with nothing done before it
dealer: does burn detail=3                  an act;  declares, chooses, calls, takes, nominates are the other facts
sue the game supervisor: change limits minimum=20 maximum=500      any command of the table, in words
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import msgspec

from croupier.errors import NotPermitted, Refused
from croupier.game import Perform, say
from croupier.house.pay_scales import another_scale
from croupier.journal.accounts import owed_by
from croupier.law.officials import DEALER, GAME_SUPERVISOR, PLAYER, ROLES
from croupier.money import to
from croupier.rulesets import known_game, ruleset
from croupier.table import commands as c
from croupier.table.betting.offers import betting
from croupier.table.desk import LiveTable
from croupier.table.terminals import commands as t
from tests.helpers.desks.table import _usual, opening, until_chance, until_paid
from tests.helpers.desks.terminal import confirmed, pairing
from tests.helpers.desks.views import recent_of, view_of
from tests.law.matrix.answers import Answer, cents, dollars, of_event, plain
from tests.law.matrix.facts import command_of, fact_of, filled, vocabulary
from tests.law.matrix.hearing_door import chosen
from tests.law.matrix.language import Law, Seen, Step

COMMANDS: Final = vocabulary(c.AnyCommand)
MINUTE_MS: Final = 60_000
CHANCE: Final = ("cards", "dice", "spin", "wheel", "chance")
SHOWN: Final = ("is", "shown")


class Live:
    """A live table under one law."""

    def __init__(self, law: Law, name: str = "table 1") -> None:
        self.law = law
        self.name = name
        self.table: LiveTable | None = None

    # ------------------------------------------------------------ doing

    def do(self, step: Step) -> list[Answer]:
        if self.table is None:
            begun = self._begin(step)
            if begun or step.words[:3] == ("the", "table", "opens"):
                return begun
        if step.words == ("another", "table", "opens"):
            return self._beside(step)
        before = len(self.desk.journal)
        try:
            self._do(step)
        except Refused as error:
            return [Answer("refused", {"reason": error.reason}, error.rule)]
        return self._since(before)

    def _since(self, line: int) -> list[Answer]:
        """What was written from a line of the journal on."""
        written = self.desk.journal[line:]
        return [answer for each in written for answer in of_event(each.event, by=each.by, role=each.role)]

    def _beside(self, step: Step) -> list[Answer]:
        """A second table of the house, with other elections: it opens as the one that is open allows."""
        law = replace(self.law, elections=tuple({**dict(self.law.elections), **dict(step.named)}.items()))
        other = Live(law, "table 2")
        opened = other._begin(replace(step, words=("the", "table", "opens"), named=()))
        refusal = another_scale(other.desk.state, (self.desk.state,))
        return [Answer("refused", {"reason": refusal.reason}, refusal.rule)] if refusal else opened

    def _begin(self, step: Step) -> list[Answer]:
        """The table is set up, and opened with the usual sign unless the case says which or opens it itself."""
        law = self.law
        elections = {name: chosen(value) for name, value in law.elections}
        try:
            rules = ruleset(
                law.edition, game=law.game, version=law.version, elections=elections, readings=dict(law.readings)
            )
        except NotPermitted as error:
            return [Answer("refused", {"reason": error.reason}, error.rule)]
        self.table = LiveTable(known_game(law.game), rules, self.name)
        said = step.words[:3] == ("the", "table", "opens")
        if step.words == ("open", "table"):
            return []
        what = _sign(dict(step.named)) if said else opening(supervisor="sue")
        try:
            self.table.ask(what, by="sue", role=GAME_SUPERVISOR)
        except Refused as error:
            return [Answer("refused", {"reason": error.reason}, error.refusal.rule)]
        return self._since(0) if said else []

    @property
    def desk(self) -> LiveTable:
        assert self.table is not None
        return self.table

    def _do(self, step: Step) -> None:
        who, words = asker(step.who), step.words
        if step.who:
            self._asked(step, *who)
            return
        for known in (self._moves, self._people):
            if known(words, step.named):
                return
        raise ValueError(f"{step.text!r} means nothing at a table")

    def _asked(self, step: Step, by: str, role: str) -> None:
        fact = fact_of(step.words, step.named)
        if fact is None:
            self.desk.ask(command_of(COMMANDS, step.words, step.named), by=by, role=role)
            return
        if isinstance(fact, dict) and "perform" in fact and "by" not in fact:
            due = self.desk.state.due
            own = by if role == PLAYER else role
            fact["by"] = due.by if isinstance(due, Perform) and due.act == fact["perform"] else own
        self.desk.tell(fact, by=by, role=role)

    def _moves(self, words: tuple[str, ...], named: tuple[tuple[str, str], ...]) -> bool:
        match words:
            case ("up", "to", "the", where) if where in CHANCE:
                until_chance(self.desk)
            case ("up", "to", *act):
                self._until(" ".join(act))
            case ("cards" | "dice" | "ball" | "wheel", *facts):
                for fact in facts:
                    until_chance(self.desk)
                    self.desk.tell(fact)
            case ("to", "the", "end"):
                until_paid(self.desk)
            case ("terminals", "confirm"):
                confirmed(self.desk)
            case ("terminals", *numbers, "with", amount) if numbers:
                self._terminals([int(number) for number in numbers], cents(amount))
            case (minutes, "minutes", "pass"):
                self.desk.now_ms += int(minutes) * MINUTE_MS
            case _:
                return False
        return not named

    def _terminals(self, numbers: list[int], amount: int) -> None:
        """An approved game system with these terminals, 10 to 500 dollars in steps of 5, each with credits."""
        self.desk.ask(t.ApproveSystem("1.0", "TA-0"), by="sue", role=GAME_SUPERVISOR)
        for number in numbers:
            self.desk.ask(pairing(number), by="sue", role=GAME_SUPERVISOR)
            self.desk.ask(t.CreditTerminal(f"Terminal {number}", amount), by="dan", role=DEALER)

    def _until(self, act: str) -> None:
        for _ in range(200):
            due = self.desk.state.due
            if say(due).startswith(act):
                return
            if isinstance(due, Perform):
                self.desk.act(due)
            else:
                _usual(self.desk)
        raise ValueError(f"{act!r} does not become due")

    def _people(self, words: tuple[str, ...], named: tuple[tuple[str, str], ...]) -> bool:
        more, player = dict(named), words[0]
        match words[1:]:
            case ("sits", "at", seat, *rest) if rest[:1] in ([], ["with"]):
                self.desk.ask(c.Sit(player, int(seat)), by=player, role=PLAYER)
                self._buys(player, rest)
            case ("stands", *rest) if rest[:1] in ([], ["with"]):
                self.desk.ask(c.Sit(player), by=player, role=PLAYER)
                self._buys(player, rest)
            case ("bets", amount, "on", on):
                what = filled(c.PlaceWager, {"player": player, "on": on, "amount": amount, **more})
                by, role = ("dan", DEALER) if what.found else (player, PLAYER)
                self.desk.ask(what, by=by, role=role)
                return True
            case ("takes", "back", on):
                self.desk.ask(c.WithdrawWager(player, self._number(player, on)), by=player, role=PLAYER)
            case _:
                return False
        return not named

    def _buys(self, player: str, rest: list[str]) -> None:
        if rest:
            self.desk.ask(c.BuyChips(player, cents(rest[1])), by="dan", role=DEALER)

    def _number(self, player: str, on: str) -> int:
        book = [entry.wager for entry in self.desk.state.round.book]
        numbers = [wager.number for wager in book if (wager.by, wager.on) == (player, on)]
        if not numbers:
            raise ValueError(f"{player} has nothing on {on}")
        return numbers[-1]

    # ------------------------------------------------------------ looking

    def look(self, seen: Seen) -> list[Answer]:
        if self.table is None:
            return []
        if SHOWN in (seen.words[at : at + 2] for at in range(len(seen.words))):
            return list(self._shown(seen.words[: seen.words.index("is")]))
        state = self.desk.state
        due = state.due
        answers = [Answer("due", {"what": say(due), "kind": type(due).__name__.lower()}, due.rule)]
        for name, player in state.players.items():
            answers += [
                Answer("has", {"who": name, "amount": dollars(state.chips(name)), "seat": str(player.seat)}),
                Answer("staked", {"who": name, "amount": dollars(state.staked(name))}),
                Answer("owes", {"who": name, "amount": dollars(-state.balances.get(owed_by(name), 0))}),
            ]
        answers += [Answer("holds", {"who": name, "amount": dollars(held)}) for name, held in state.balances.items()]
        now = betting(state)
        answers.append(Answer("betting", {"open": plain(now.why is None)}, now.why.rule if now.why else ""))
        limits = {name: dollars(getattr(state.sign, name) or 0) for name in ("minimum", "maximum", "chip", "increment")}
        return [*answers, Answer("sign", limits), Answer("round", {"number": str(state.number)})]

    def _shown(self, words: tuple[str, ...]) -> Iterator[Answer]:
        by, role = asker(" ".join(words))
        view = view_of(self.desk.state, recent_of(self.desk.journal), (by, role), practice=False)
        yield from shown(" ".join(words), _printed(msgspec.to_builtins(view)))


def asker(who: str) -> tuple[str, str]:
    """Who asks, and in which role: a role, somebody in a role (`sue the game supervisor`), or a player."""
    name, the, role = who.partition(" the ")
    if the:
        if role not in ROLES:
            raise ValueError(f"{role!r} is no role; roles are {', '.join(ROLES)}")
        return name, role
    return (who, who) if who in ROLES else (who, PLAYER)


def _printed(view: dict[str, Any]) -> dict[str, Any]:
    """A view with its odds as the cloth has them."""
    odds = {on: ", ".join(map(_odds, several)) for on, several in view["odds"].items()}
    scale = [{**line, "odds": _odds(line["odds"])} if line.get("odds") else line for line in view["scale"]]
    return {**view, "odds": odds, "scale": scale}


def _odds(rate: tuple[int, int, str]) -> str:
    win, stake, percent = rate
    return str(to(win, stake).less(Fraction(percent)))


def shown(who: str, view: Mapping[str, Any]) -> Iterator[Answer]:
    """Every part of a view that cites a rule, then each figure by its path."""

    def walk(part: Any, path: str) -> Iterator[Answer]:
        if isinstance(part, Mapping):
            rule = part.get("rule") or ""
            scalars = {name: plain(value) for name, value in part.items() if not isinstance(value, Mapping)}
            if rule:
                yield Answer("is shown", {"who": who, "part": path, **scalars}, str(rule))
            for name, value in part.items():
                if name.endswith("_rule") and value:
                    yield Answer("is shown", {"who": who, "part": path, **scalars}, str(value))
                yield from walk(value, f"{path}.{name}" if path else name)
        elif isinstance(part, list | tuple):
            for index, value in enumerate(part):
                yield from walk(value, f"{path}.{index}")
        else:
            figures[path] = plain(part)

    figures: dict[str, str] = {}
    yield from walk(view, "")
    yield Answer("is shown", {"who": who, **figures})


# ---------------------------------------------------------------- signs


def _sign(named: Mapping[str, str]) -> c.OpenTable:
    usual = {"minimum": "10", "maximum": "1000", "chip": "1", "supervisor": "sue"}
    made: c.OpenTable = filled(c.OpenTable, {**usual, **named})
    return made
