"""What a viewer may see of a table.

A view is plain data for a page: the table and its sign, the round, what is due and under which rule, what lies on the
layout, the wagers, the viewer's own money, what was said last, and the results of the shoe.  Players see their own
wagers and money; staff see everybody's; nobody is given advice.  Money is in cents.

    {"table": {"name", "game", "edition", "version", "practice", "open", "seats"},
     "sign": {"minimum", "maximum", "chip", "increment", "differential", "kinds"},
     "round", "betting": {"open", "reason", "rule", "shut": [what nobody may back now]},
     "due": {"kind", "says", "by", "options", "rule", "summary", "usual", "to", "box", "hand"},
     "layout": {...the game's own figures..., "cards": {"player": ["2h", ...], ...},
                "boxes": [{"number", "hands": [["2h", ...]], ...figures..., "asked": hands to choose from}]},
     "wagers": [{"number", "on", "stake", "voided", "by", "box", "area", "mine"}],
     "offers": ["player", "banker", ...], "odds": {"player": "1 to 1", ...}, "reds": [1, 3, ...],
     "me": {"name", "role", "seat", "chips", "staked", "limits": [minimum, maximum], "last": [{"on", "result", "stake",
            "returned"}], "opens": [what is shut to others and not to me], "asked": whether the choice due is mine,
            "may": [choices apart from that, as they are told], "boxes": [my boxes, with my cards]},
     "terminal": what a terminal alone is told of itself: `terminal_views.py`,
     "closes_ms": when betting closes, "choice_ms": when a choice is due at the latest, 0 if that is not known,
     "shoe": {"commitment", "revealed": {"commitment", "order"}}, where the shoe is virtual,
     "pool": what the meter of the table's jackpot link shows, null if it has none,
     "said": ["No more bets", ...], "history": [{"round", ...outcome, "was": the first outcome, if it was corrected}],
     ...what staff alone see: `staff_views.py`}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from croupier.equipment import card_name
from croupier.floor.choices import asked, beside, turn
from croupier.floor.offers import opens, reds, refusals
from croupier.floor.own import as_seen
from croupier.floor.recent import RESULTS, Recent
from croupier.floor.staff_views import staff_view
from croupier.floor.terminal_views import terminal_view
from croupier.game import Choose, Deal, Demand, Perform, Roll, Spin, Wager, say
from croupier.law.inventory import parts
from croupier.table.events import RoundEnded
from croupier.table.general import PLAYER
from croupier.table.state import FixedShoe, Line, Record, Table
from croupier.table.wagers import limits_of


def common(table: Table, recent: Recent, *, staff: bool, practice: bool) -> dict[str, Any]:
    """The part that is the same for all players, or for all staff."""
    told: dict[str, Any] = {
        "table": {
            "name": table.name,
            "game": table.ruleset.game,
            "edition": table.ruleset.edition,
            "version": table.ruleset.version,
            "practice": practice,
            "open": table.open,
            "seats": table.house.seats,
        },
        "sign": _sign(table),
        "round": table.number,
        "betting": betting(table),
        "due": due(table.due) | usual(table) | turn(table),
        "layout": layout(table, hidden=not staff),
        "offers": list(table.game.wagers(table.ruleset.rules)),
        "odds": _odds(table),
        "reds": reds(table),
        "shoe": _shoe(table.shoe),
        "said": list(recent.said),
        "history": results(recent, table.records, staff=staff),
    }
    return told | staff_view(table, recent) if staff else told


def own(table: Table, name: str, role: str) -> dict[str, Any]:
    """The part that is this person's own: wagers (staff see everybody's) and money."""
    staff = role != PLAYER
    terminal = {"terminal": terminal_view(table, name)} if not staff and name in table.terminals else {}
    return terminal | {
        "wagers": [_wager(table, entry.wager, name) for entry in table.round.book if staff or entry.wager.by == name],
        "me": _me(table, name, role),
    }


def _shoe(shoe: FixedShoe) -> dict[str, Any]:
    """What was fixed of a virtual shoe, and what is told of the last one."""
    if not shoe.commitment:
        return {}
    revealed = {"commitment": shoe.before, "order": shoe.revealed} if shoe.revealed else None
    return {"commitment": shoe.commitment, "revealed": revealed}


def _odds(table: Table) -> dict[str, str]:
    """What the felt says that each wager pays."""
    rules = table.ruleset.rules
    odds = {on: table.procedure.pays(rules, on) for on in table.game.wagers(rules)}
    return {on: ", ".join(map(str, each)) for on, each in odds.items() if each}


def betting(table: Table) -> dict[str, Any]:
    """Whether anything can be backed now, why not, and what cannot."""
    offers, shut = table.game.wagers(table.ruleset.rules), refusals(table)
    why = shut[offers[0]] if len(shut) == len(offers) else None
    told = {"open": why is None, "reason": why.reason if why else "", "rule": why.rule if why else ""}
    return {**told, "shut": [] if why else list(shut)}


def due(demand: Demand) -> dict[str, Any]:
    """What is due, in words and as data for buttons."""
    told: dict[str, Any] = {
        "kind": type(demand).__name__.lower(),
        "says": say(demand),
        "rule": demand.rule,
        "summary": " ".join(row.summary for row in parts(demand.rule)),
    }
    match demand:
        case Perform(act=act, by=by):
            told |= {"act": act, "by": by}
        case Choose(by=by, options=options):
            told |= {"by": by, "options": list(options)}
        case Roll(by=by) | Spin(by=by):
            told |= {"by": by}
        case _:
            pass
    return told


def usual(table: Table) -> dict[str, Any]:
    """What is commonly recorded with the act that is due, for the console to offer."""
    match table.due:
        case Perform(act=act):
            return {"usual": table.procedure.usual(table.ruleset.rules, table.round.state, act, "")}
        case Deal(to=to):
            return {"to": to}
        case _:
            return {}


def layout(table: Table, *, hidden: bool) -> dict[str, Any]:
    """The round in figures, and the cards that lie in each place; `hidden`: cards that lie face down are not told."""
    rules = table.ruleset.rules
    felt = table.procedure.layout(rules, table.round.state)
    outcome = dict(table.game.outcome(rules, felt))
    cards = {
        place: [card_name(card) for card in getattr(felt, place)]
        for place in ("player", "banker", "dealer")
        if isinstance(getattr(felt, place, None), tuple)
    }
    if hidden and "up_card" in outcome and not outcome.get("dealer"):
        up = [str(outcome["up_card"])] if outcome["up_card"] else []
        cards["dealer"] = [*up, *["?"] * (len(cards["dealer"]) - len(up))]
    covered = hidden and "up_card" in outcome
    return {**outcome, "cards": cards, "boxes": _boxes(felt, outcome, covered=covered)}


def _boxes(felt: Any, outcome: Mapping[str, Any], *, covered: bool) -> list[dict[str, Any]]:
    """The boxes with their cards and figures; `covered`: others' cards are not told, nor what they make."""
    boxes = [(box, _box(box)) for box in getattr(felt, "boxes", ())]
    if covered:
        return [{**told, "hands": [["?"] * len(hand) for hand in told["hands"]]} for _, told in boxes]
    figures: Sequence[Mapping[str, Any]] = outcome.get("boxes", ())
    return [{**told, "figures": each} for (_, told), each in zip(boxes, figures, strict=False)]


def _box(box: Any) -> dict[str, Any]:
    hands = [hand.cards for hand in box.hands] if hasattr(box, "hands") else [box.cards]
    asked_of = [hand.number for hand in box.parted] if getattr(box, "asked", ()) else []
    told = {"number": box.number, "hands": [[card_name(card) for card in hand] for hand in hands]}
    return told | ({"asked": asked_of} if asked_of else {})


def _my_boxes(table: Table, name: str) -> list[dict[str, Any]]:
    """The boxes on which this player has a wager, with all their cards."""
    rules = table.ruleset.rules
    felt = table.procedure.layout(rules, table.round.state)
    if not getattr(felt, "boxes", ()):
        return []
    mine = {wager.box for wager in (entry.wager for entry in table.round.book) if wager.by == name}
    return [each for each in _boxes(felt, table.game.outcome(rules, felt), covered=False) if each["number"] in mine]


def results(recent: Recent, records: Sequence[Record], *, staff: bool = False) -> list[dict[str, Any]]:
    """The results of the last rounds, oldest first, as they are now: corrected, or void where one was invalidated."""
    told = _all_results(recent, records)
    return told if staff else [as_seen(each) for each in told]


def _all_results(recent: Recent, records: Sequence[Record]) -> list[dict[str, Any]]:
    now = {record.number: _result(record) for record in records[-RESULTS:]}
    corrected = frozenset(recent.corrected)
    return [_told(event, now.get(event.round, event.outcome), corrected) for event in recent.ended]


def _told(event: RoundEnded, outcome: Mapping[str, Any], corrected: Set[int]) -> dict[str, Any]:
    """A round with its outcome as now; what was told first stays with one that was corrected."""
    return {"round": event.round, **outcome} | ({"was": event.outcome} if event.round in corrected else {})


def _result(record: Record) -> Mapping[str, Any]:
    return {"void": record.invalid} if record.invalid else record.outcome


def _sign(table: Table) -> dict[str, Any]:
    sign = table.sign
    return {
        "minimum": sign.minimum,
        "maximum": sign.maximum,
        "chip": sign.chip,
        "increment": sign.increment,
        "differential": sign.differential,
        "kinds": dict(table.house.kinds),
    }


def _wager(table: Table, wager: Wager, name: str) -> dict[str, Any]:
    return {
        "number": wager.number,
        "on": wager.on,
        "stake": wager.stake_cents,
        "voided": wager.voided_cents,
        "by": wager.by,
        "box": wager.box,
        "area": table.areas.get(wager.number, 0),
        "mine": wager.by == name,
    }


def _me(table: Table, name: str, role: str) -> dict[str, Any]:
    player = table.players.get(name)
    if role != PLAYER or player is None:
        return {"name": name, "role": role}
    last = table.records[-1] if table.records else None
    first, own_limits = table.game.wagers(table.ruleset.rules)[0], table.terminals.get(name)
    limits = own_limits.limits(first) if own_limits else limits_of(table, player, first)
    return {
        "name": name,
        "role": role,
        "seat": player.seat,
        "chips": table.chips(name),
        "staked": table.staked(name),
        "limits": list(limits),
        "last": [_line(line) for line in last.lines if line.wager.by == name] if last and not last.invalid else [],
        "opens": list(opens(table, name)),
        "asked": asked(table) == name,
        "may": list(beside(table, name)),
        "boxes": _my_boxes(table, name),
    }


def _line(line: Line) -> dict[str, Any]:
    wager = line.wager
    placed = wager.stake_cents + wager.voided_cents
    return {"on": wager.on, "result": line.result, "stake": placed, "returned": line.returned}
