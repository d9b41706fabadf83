"""What a viewer may see of a table.

A view is data for a page, and nothing else can be in it than `shapes.py` says: the table and its sign, the round, what
is due and under which rule, what lies on the layout, the wagers, the viewer's own money, what was said last, and the
results of the shoe.  Players see their own wagers and money; staff see everybody's; nobody is given advice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from croupier import once
from croupier.answers.facts import performed
from croupier.equipment import CARDS, Laid, Lies, card_name, pocket_colour, seen_by
from croupier.floor.views import shapes as v
from croupier.floor.views.choices import asked, beside, costs
from croupier.floor.views.payments import settles
from croupier.floor.views.recent import RESULTS, Recent, ShoeInUse
from croupier.floor.views.staff import following_wagers, standing_orders
from croupier.floor.views.terminal import rounds_recalled, terminal_following, terminal_standing
from croupier.game import AnyGame, Choose, Deal, Demand, Perform, Performed, Refusal, Roll, Spin, Wager, say
from croupier.game.kinds import wager_kind, wager_place
from croupier.law.general import in_force
from croupier.law.inventory import parts
from croupier.law.model import Law
from croupier.law.officials import PLAYER, acting, doer, words
from croupier.law.ruleset import Ruleset
from croupier.money import Odds
from croupier.round import AnyRound
from croupier.table.betting.offers import BettingNow, KeptOffers
from croupier.table.betting.wagers import limits_of
from croupier.table.events import RoundEnded
from croupier.table.live import procedure_of
from croupier.table.orders import voice_of
from croupier.table.state import Record, SettledWager, Table


@dataclass(frozen=True, slots=True)
class Clocks:
    """What a host knows beside the table: when betting closes, when the next begins, when a choice is due at the latest
    (0 if that is not known), what its pool shows, what it knows of the offers of its table, who deals (a `person`, the
    `virtual` dealer, who may be `paused`, or nobody), and the players who called for staff and were not answered yet.
    """

    closes_ms: int = 0
    opens_ms: int = 0
    choice_ms: int = 0
    pool: int | None = None
    offers: KeptOffers | None = None
    deals: str = ""
    calls: tuple[str, ...] = ()


NO_CLOCKS: Final = Clocks()


def shared(table: Table, recent: Recent, *, staff: bool, practice: bool, clocks: Clocks = NO_CLOCKS) -> v.SharedView:
    """The part that is the same for all players, or for all staff."""
    kept = shared_standing(table, recent, staff=staff, practice=practice, clocks=clocks)
    return replace(kept, **following_wagers(table, recent, clocks.offers)) if staff else kept


def shared_standing(
    table: Table, recent: Recent, *, staff: bool, practice: bool, clocks: Clocks = NO_CLOCKS
) -> v.SharedView:
    """That part without what staff see of every wager."""
    rules, bets = table.ruleset.rules, (clocks.offers or KeptOffers()).betting(table)
    return v.SharedView(
        table=table_shown(table, practice=practice, deals=clocks.deals),
        sign=sign_shown(table),
        round=table.number,
        betting=betting_shown(bets),
        due=due_at(table, bets),
        layout=layout(table, hidden=not staff),
        offers=list(table.game.wagers(rules)),
        odds=odds(table),
        scale=scale(table),
        totals={choice: list(each) for choice, each in table.procedure.totals(rules)},
        inscriptions=inscriptions(table),
        sides=dict(table.procedure.sides(rules)),
        roles={role: v.Inscription(text=by, rule=binding[0]) for role, by, binding in _roles(table)},
        reds=reds(table),
        shoe=shoe_shown(table, recent.shoe),
        said=list(recent.said),
        history=results(table.game, recent, table.records, staff=staff) if staff or displays(table) else [],
        closes_ms=clocks.closes_ms,
        opens_ms=clocks.opens_ms,
        choice_ms=clocks.choice_ms,
        pool=clocks.pool if clocks.pool is not None else table.sign.jackpot,
        **({**standing_orders(table, recent), "calls": list(clocks.calls)} if staff else {}),
    )


def table_shown(table: Table, *, practice: bool, deals: str) -> v.TableShown:
    return v.TableShown(
        name=table.name,
        game=table.ruleset.game,
        edition=table.ruleset.edition,
        version=table.ruleset.version,
        practice=practice,
        deals=deals,
        open=table.open,
        seats=table.house.seats,
    )


def own(table: Table, name: str, role: str, offers: KeptOffers | None = None) -> v.OwnView:
    """The part that is this person's own: wagers (staff see everybody's) and money."""
    wagers = [line.wager for line in table.round.book if role != PLAYER or line.wager.by == name]
    kept, orders = own_standing(table, name, role), orders_for(table, name, role)
    return own_following(table, kept, wagers, orders=orders, offers=offers or KeptOffers())


def own_standing(
    table: Table, name: str, role: str, recalled: Callable[[Table, str], list[v.RecalledRound]] = rounds_recalled
) -> v.OwnView:
    """That part without what wagers and what is paid for them may change."""
    terminal = role == PLAYER and name in table.terminals
    shown = terminal_standing(table, name, recalled(table, name)) if terminal else UNSET
    return v.OwnView(wagers=[], me=_me(table, name, role), terminal=shown)


def own_following(
    table: Table,
    kept: v.OwnView,
    wagers: Iterable[Wager],
    *,
    orders: list[v.Inscription],
    offers: KeptOffers,
    choosing: bool = True,
) -> v.OwnView:
    """That part as the wagers are now, of which this person sees these; `choosing`: somebody may choose something."""
    me, terminal = kept.me, kept.terminal
    name = me.name
    if me.role != PLAYER:
        me = replace(me, orders=orders)
    elif name in table.players:
        me = replace(
            me,
            chips=table.chips(name),
            staked=table.staked(name),
            opens=list(offers.opens(table, name)),
            orders=orders,
        )
        if choosing:
            may = list(beside(table, name))
            me = replace(me, asked=asked(table) == name, may=may, costs=costs(table, name))
    return v.OwnView(
        wagers=[_wager(table, wager, name) for wager in wagers],
        me=me,
        terminal=terminal if terminal is UNSET else terminal_following(table, terminal, name),
    )


def displays(table: Table) -> bool:
    """Whether past results are shown to players: not where the operator elected to have no display of them."""
    return _displays(table.ruleset)


@once.once
def _displays(ruleset: Ruleset[Any]) -> bool:
    return bool(ruleset.elections.get("display", True))


def shoe_shown(table: Table, used: ShoeInUse) -> v.ShoeShown:
    """The shoe in use; of a virtual one also what was fixed of it, and what is told of the last one."""
    shoe, cards = table.shoe, CARDS * table.game.decks(table.ruleset.rules)
    shown = v.ShoeShown()
    if used.began and cards:
        shown = replace(shown, began=used.began, left=max(0, cards - used.drawn))
        shown = replace(shown, number=used.number) if used.opened else shown
    if not shoe.commitment:
        return shown
    revealed = v.ShoeTold(commitment=shoe.before, order=shoe.revealed) if shoe.revealed else None
    return replace(shown, commitment=shoe.commitment, revealed=revealed)


def odds(table: Table) -> dict[str, list[v.Rate]]:
    """What the felt says that each wager pays."""
    return _odds(table.game, table.ruleset.rules)


@once.once_of_both
def _odds(game: AnyGame, rules: Any) -> dict[str, list[v.Rate]]:
    said = {on: procedure_of(game).pays(rules, on) for on in game.wagers(rules)}
    return {on: [_rate(each) for each in several] for on, several in said.items() if several}


def _rate(odds: Odds) -> v.Rate:
    return odds.win, odds.stake, odds.percent_taken


def scale(table: Table) -> list[v.PayLine]:
    """What wagers pay on each hand, the highest first."""
    return [_pay_line(*line) for line in table.procedure.scale(table.ruleset.rules)]


def inscriptions(table: Table) -> list[v.Inscription]:
    """The words that the law wants on the cloth."""
    return _inscribed(table.game, table.ruleset.rules)


@once.once_of_both
def _inscribed(game: AnyGame, rules: Any) -> list[v.Inscription]:
    return [v.Inscription(text=text, rule=rule, on=on) for text, rule, on in procedure_of(game).inscribed(rules)]


def _pay_line(on: str, hand: str, law: Law[Any]) -> v.PayLine:
    line = v.PayLine(on=on, hand=hand, rule=law.rule)
    match law.value:
        case Odds() as each:
            return replace(line, odds=_rate(each))
        case each:
            return replace(line, cents=each.sum_cents, share=str(each.share or ""))


def betting_shown(now: BettingNow) -> v.BettingShown:
    """Whether anything can be backed now, why not, and what cannot."""
    if now.why is None:
        return v.BettingShown(open=True, reason="", rule="", shut=list(now.shut))
    return v.BettingShown(open=False, reason=now.why.reason, rule=now.why.rule, shut=[], taken_back=now.taken_back)


def reds(table: Table) -> list[int]:
    """The numbers of a wheel that are red; none where no number can be backed."""
    straight = (on for on in table.game.wagers(table.ruleset.rules) if wager_kind(on) == "straight")
    return [number for number in map(int, map(wager_place, straight)) if pocket_colour(number) == "red"]


def due(demand: Demand) -> v.DueShown:
    """What is due, in words and as data for buttons."""
    shown = v.DueShown(
        kind=type(demand).__name__.lower(),
        says=say(demand),
        rule=demand.rule,
        summary=_summary(demand.rule),
    )
    match demand:
        case Perform(act=act, by=by):
            return replace(shown, act=act, by=by, official=doer(by) if acting(by) else "")
        case Choose(by=by, options=options, box=box, hand=hand):
            shown = replace(shown, by=by, options=list(options))
            return replace(shown, box=box, hand=hand) if box else shown
        case Roll(by=by) | Spin(by=by):
            return replace(shown, by=by)
        case Deal(to=to):
            return replace(shown, to=to)
        case _:
            return shown


def due_at(table: Table, bets: BettingNow) -> v.DueShown:
    """What is due at a table: what is commonly recorded with an act and follows from it, and how a card is to lie."""
    shown, this = due(table.due), table.attended
    match table.due:
        case Perform() as act:
            done = performed(this, act)
            closes = bets.state == "closing" or (bets.state == "closed" and _ends_a_leave(table, done))
            kind = this.game.kind(this.rules, act.act)
            shown = replace(shown, does=v.ActShown(kind.verb, kind.of), usual=done.detail)
            shown = replace(shown, closes_betting=closes, settles=settles(table, done))
            order = table.procedure.places(this.rules, this.state, act.act)
            return replace(shown, places=list(order.value), places_rule=order.rule) if order else shown
        case Deal():
            face = table.procedure.face(this.rules, this.state)
            return replace(shown, face=face.value, face_rule=face.rule) if face else shown
        case _:
            return shown


def _ends_a_leave(table: Table, act: Performed) -> bool:
    """Whether wagers may be taken back now, and may not once this act is done: nobody does it in passing."""
    this, may = table.attended, table.procedure.taken
    left = [wager for wager in this.standing if may(this.rules, this.state, wager)] if may else []
    after = table.happening(act).after if left else None
    if may is None or after is None or isinstance(after, Refusal):
        return False
    return not may(this.rules, after.state, left[0])


def layout(table: Table, *, hidden: bool) -> dict[str, Any]:
    """The round in figures, and the cards that lie in each place; `hidden`: cards that lie face down are not told."""
    this = table.round
    outcome = this.game.outcome(this.rules, this.state)
    figures = _figures(outcome, lying(table), "") if hidden else laid(this.game, this.rules, this.state)
    return {**figures, **_rack(table), **table.procedure.display(this.rules, this.state)}


def lying(table: Table) -> tuple[Laid, ...]:
    """The hands of the round as they lie: face down what the game covers, and what the ceremony has not turned up."""
    this = table.round
    down = table.procedure.covered(this.rules, table.attended.state) or {}
    hands = this.game.cards(this.rules, this.state)
    return tuple(once.replace(hand, down=hand.down | down.get(hand.place, frozenset())) for hand in hands)


def laid(game: AnyGame, rules: Any, state: Any) -> dict[str, Any]:
    """What lies on a layout, and its figures, as staff see them."""
    return _figures(game.outcome(rules, state), game.cards(rules, state), None)


def _figures(outcome: Mapping[str, Any], hands: Sequence[Laid], viewer: str | None) -> dict[str, Any]:
    """What a viewer sees of the hands; of one with a card face down nothing is told that the card makes."""
    cards = {hand.place: _names(hand, viewer) for hand in hands if not hand.box}
    covered = [place for place, names in cards.items() if "?" in names]
    unknown: dict[str, Any] = dict.fromkeys((*covered, "winner", "qualifies")) | {"natural": False} if covered else {}
    known = {**outcome, **{name: value for name, value in unknown.items() if name in outcome}}
    return {**known, "cards": cards, "boxes": _boxes(hands, outcome, viewer)}


def _rack(table: Table) -> dict[str, Any]:
    """The display rack, where the layout's law has one: each colour in use, its value, whose it is, how many chips."""
    law = table.layout.rack
    if not in_force(law):
        return {}
    held = [(name, each, colour) for name, each in table.players.items() for colour in each.colours]
    return {
        "rack": {
            colour: {"value": each.colours[colour], "by": name, "chips": each.issued.get(colour, 0), "rule": law.rule}
            for name, each, colour in held
        }
    }


@once.once
def _roles(table: Table) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Who took what: each of thirty pages looks for its own among them."""
    return table.procedure.roles(table.ruleset.rules, table.attended.state)


def orders_of(table: Table, called: Iterable[str]) -> list[v.Inscription]:
    """What somebody who is called so may order; the same under two names is told once."""
    rules, state = table.ruleset.rules, table.attended.state
    found = dict(order for by in called for order in table.procedure.orders(rules, state, by)) if table.open else {}
    return [v.Inscription(text=act, rule=rule) for act, rule in found.items()]


def orders_for(table: Table, name: str, role: str) -> list[v.Inscription]:
    """What somebody may order: a player under the name that is heard, staff under the words for their role."""
    return orders_of(table, (voice_of(table, name),) if role == PLAYER else words(role))


def _duties(table: Table, by: str) -> list[v.Inscription]:
    """What a role asks of whoever took it."""
    binding = (rule for _, holder, rules in _roles(table) if holder == by for rule in rules)
    return [v.Inscription(text=_summary(rule), rule=rule) for rule in dict.fromkeys(binding)]


def _summary(rule: str) -> str:
    return " ".join(row.summary for row in parts(rule))


def _names(hand: Laid, viewer: str | None) -> list[str]:
    """The cards of a hand as a viewer sees them; staff, who is no viewer in particular, sees all."""
    cards = hand.cards if viewer is None else seen_by(hand, viewer)
    return ["?" if card is None else card_name(card) for card in cards]


def _boxes(laid: Sequence[Laid], outcome: Mapping[str, Any], viewer: str | None) -> list[dict[str, Any]]:
    """The boxes with their cards, and with their figures unless cards are covered that make them."""
    figures = {each["box"]: each for each in outcome.get("boxes", ())}
    return [
        _box([hand for hand in laid if hand.box == number], figures.get(number), viewer)
        for number in dict.fromkeys(hand.box for hand in laid if hand.box)
    ]


def _box(hands: Sequence[Laid], figures: Any, viewer: str | None) -> dict[str, Any]:
    covered = viewer is not None and any(hand.down and viewer not in hand.owners for hand in hands)
    parted = [hand.hand for hand in hands if hand.asked]
    view = {"number": hands[0].box, "hands": [_names(hand, viewer) for hand in hands]}
    return view | ({"asked": parted} if parted else {}) | ({} if covered else {"figures": figures})


@once.once
def hands_of(this: AnyRound) -> tuple[Laid, ...]:
    return this.game.cards(this.rules, this.state)


def _my_boxes(table: Table, name: str) -> list[dict[str, Any]]:
    """The boxes on which this player has a wager, with all their cards."""
    this = table.round
    mine = [hand for hand in hands_of(this) if name in hand.owners]
    return _boxes(mine, this.game.outcome(this.rules, this.state), name) if mine else []


def results(game: AnyGame, recent: Recent, records: Sequence[Record], *, staff: bool = False) -> list[dict[str, Any]]:
    """The results of the last rounds, oldest first, as they are now: corrected, or void where one was invalidated."""
    rounds = _all_results(recent, records)
    return rounds if staff else [as_shown(game, each) for each in rounds]


def as_shown(game: AnyGame, figures: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of a round as everybody saw them; what was told first of a corrected one too."""
    was = {"was": as_shown(game, figures["was"])} if "was" in figures else {}
    return {**game.shown(figures), **was}


def _all_results(recent: Recent, records: Sequence[Record]) -> list[dict[str, Any]]:
    now = {record.number: record.result for record in records[-RESULTS:]}
    corrected = frozenset(recent.corrected)
    return [_as_ended(event, now.get(event.round, event.outcome), corrected) for event in recent.ended]


def _as_ended(event: RoundEnded, outcome: Mapping[str, Any], corrected: Set[int]) -> dict[str, Any]:
    """A round with its outcome as now; what was told first stays with one that was corrected."""
    return {"round": event.round, **outcome} | ({"was": event.outcome} if event.round in corrected else {})


def sign_shown(table: Table) -> v.SignView:
    sign = table.sign
    return v.SignView(
        minimum=sign.minimum,
        maximum=sign.maximum,
        chip=sign.chip,
        increment=sign.increment,
        differential=sign.differential,
        kinds=dict(table.house.kinds),
        notice=table.posted[:3] if table.posted else None,
        closing=table.closing[0] if table.closing else None,
    )


def _lies(table: Table, wager: Wager) -> Lies:
    return table.round.game.lies(table.round.rules, table.round.state, wager)


def _wager(table: Table, wager: Wager, name: str) -> v.WagerShown:
    lies = _lies(table, wager)
    return v.WagerShown(
        number=wager.number,
        on=wager.on,
        stake=wager.stake_cents,
        voided=wager.voided_cents,
        by=wager.by,
        box=wager.box,
        area=table.areas.get(wager.number, 0),
        mine=wager.by == name,
        hand=wager.hand,
        of=wager.of,
        fee=wager.fee_cents,
        at=lies.number,
        markers=list(lies.markers),
    )


def _me(table: Table, name: str, role: str) -> v.Me:
    player = table.players.get(name)
    if role != PLAYER or player is None:
        return v.Me(name=name, role=role)
    last = table.records[-1] if table.records else None
    lines = last.lines if last and not last.invalid else ()
    first, own_limits = table.game.wagers(table.ruleset.rules)[0], table.terminals.get(name)
    return v.Me(
        name=name,
        role=role,
        seat=player.seat,
        limits=own_limits.limits(first) if own_limits else limits_of(table, player, first),
        number=player.number or UNSET,
        last=[_line(table, line) for line in lines if line.wager.by == name],
        asked=False,
        may=[],
        costs={},
        boxes=_my_boxes(table, name),
        duties=_duties(table, voice_of(table, name)),
    )


def _line(table: Table, line: SettledWager) -> v.LastLine:
    wager = line.wager
    return v.LastLine(
        on=wager.on,
        result=line.result,
        stake=wager.stake_cents + wager.voided_cents,
        returned=line.returned,
        commission=line.commission,
        box=wager.box,
        hand=wager.hand,
        at=_lies(table, wager).number,
    )
