"""What a viewer may see of a table.

A view is plain data for a page: the table and its sign, the round, what is due and under which rule, what lies on the
layout, the wagers, the viewer's own money, what was said last, and the results of the shoe.  Players see their own
wagers and money; staff see everybody's; nobody is given advice.  Money is in cents.

    {"table": {"name", "game", "edition", "version", "practice", "open"},
     "sign": {"minimum", "maximum", "chip", "increment", "differential", "kinds"},
     "round", "betting": {"open", "reason", "rule"},
     "due": {"kind", "says", "by", "options", "rule", "summary", "usual", "to"},
     "layout": {...the game's own figures..., "cards": {"player": ["2h", ...], ...}},
     "wagers": [{"number", "on", "stake", "voided", "by", "box", "area", "mine"}],
     "offers": ["player", "banker", ...], "odds": {"player": "1 to 1", ...},
     "me": {"name", "role", "seat", "chips", "staked", "limits": [minimum, maximum], "last": [{"on", "result", "stake",
            "returned"}]},
     "closes_ms": when betting closes, 0 if that is not known,
     "said": ["No more bets", ...], "history": [{"round", ...outcome}],
     "players": [{"name", "seat", "chips", "staked"}], "disputes", "irregularities": {...}}    staff only
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.equipment import card_name
from croupier.game import Choose, Deal, Demand, Perform, Refusal, Roll, Spin, Wager, say
from croupier.law.inventory import parts
from croupier.table.events import Announced, Entry, RoundEnded
from croupier.table.general import PLAYER
from croupier.table.state import Line, Player, Table
from croupier.table.wagers import limits_of

SAID, RESULTS = 6, 90


def view(table: Table, recent: Sequence[Entry], *, name: str, role: str, practice: bool) -> dict[str, Any]:
    """All that this person may see now; `recent` are the last lines of the journal."""
    staff = role != PLAYER
    told: dict[str, Any] = {
        "table": {
            "name": table.name,
            "game": table.ruleset.game,
            "edition": table.ruleset.edition,
            "version": table.ruleset.version,
            "practice": practice,
            "open": table.open,
        },
        "sign": _sign(table),
        "round": table.number,
        "betting": betting(table),
        "due": due(table.due) | usual(table),
        "layout": layout(table, hidden=not staff),
        "wagers": [_wager(table, entry.wager, name) for entry in table.round.book if staff or entry.wager.by == name],
        "offers": list(table.game.wagers(table.ruleset.rules)),
        "odds": _odds(table),
        "me": _me(table, name, role),
        "said": [line.event.text for line in recent if isinstance(line.event, Announced)][-SAID:],
        "history": results(recent),
    }
    if staff:
        told["players"] = [_player(table, player) for player in table.players.values()]
        told["irregularities"] = dict(table.game.circumstances)
        told["disputes"] = [
            {"number": number, "complainant": each.complainant, "about": each.about}
            | {"decision": each.decision, "resolved": each.resolved}
            for number, each in enumerate(table.disputes)
        ]
    return told


def _odds(table: Table) -> dict[str, str]:
    """What the felt says that each wager pays."""
    rules = table.ruleset.rules
    odds = {on: table.procedure.pays(rules, on) for on in table.game.wagers(rules)}
    return {on: ", ".join(map(str, each)) for on, each in odds.items() if each}


def betting(table: Table) -> dict[str, Any]:
    """Whether a plain wager could be placed now, and why not."""
    shut = _shut(table)
    return {"open": shut is None, "reason": shut.reason if shut else "", "rule": shut.rule if shut else ""}


def _shut(table: Table) -> Refusal | None:
    if not table.open:
        return Refusal("the table is closed", table.general.limits.set.rule)
    rules, this = table.ruleset.rules, table.round
    wager = Wager(table.game.wagers(rules)[0], table.sign.minimum, by="nobody", number=this.numbered)
    shut = table.procedure.closed(rules, this.state, wager)
    taken = this.game.accept(rules, table.sign, this.state, (), (wager,))
    return shut or (taken if isinstance(taken, Refusal) else None)


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
    boxes = [_box(box) for box in getattr(felt, "boxes", ())]
    return {**outcome, "cards": cards, "boxes": boxes}


def _box(box: Any) -> dict[str, Any]:
    hands = [hand.cards for hand in box.hands] if hasattr(box, "hands") else [box.cards]
    return {"number": box.number, "hands": [[card_name(card) for card in hand] for hand in hands]}


def results(recent: Sequence[Entry]) -> list[dict[str, Any]]:
    """The results of the last rounds, oldest first."""
    ended = [line.event for line in recent if isinstance(line.event, RoundEnded)]
    return [{"round": event.round, **event.outcome} for event in ended][-RESULTS:]


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
    limits = limits_of(table, player, table.game.wagers(table.ruleset.rules)[0])
    return {
        "name": name,
        "role": role,
        "seat": player.seat,
        "chips": table.chips(name),
        "staked": table.staked(name),
        "limits": list(limits),
        "last": [_line(line) for line in last.lines if line.wager.by == name] if last else [],
    }


def _line(line: Line) -> dict[str, Any]:
    wager = line.wager
    placed = wager.stake_cents + wager.voided_cents
    return {"on": wager.on, "result": line.result, "stake": placed, "returned": line.returned}


def _player(table: Table, player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "seat": player.seat,
        "chips": table.chips(player.name),
        "staked": table.staked(player.name),
        "idle": player.idle,
    }
