"""Answers as tables for people.

Each function draws one kind of answer in the public form, so that people and programs are told the same.  Nothing
heavy is imported before something is drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.cli.telling.plain import Answer
from croupier.money import balance
from croupier.present import Fitted

if TYPE_CHECKING:
    from rich.console import Console

FIGURES = frozenset(
    {
        *("wins", "loses", "stands off", "void", "edge", "offered", "net", "difference", "a round"),
        *("staked", "pays", "commission", "returned", "voided", "rules", "to act on", "cited", "tested"),
        *("a round on", "ways", "chance", "adds to edge", "kept before", "kept after", "house gains"),
        *("carried out", "beyond", "no case"),
    }
)
"""The columns that hold figures, which are set to the right."""

SPARE = (
    *("a round on", "a round", "void", "adds to edge", "ways", "stands off"),
    *("loses", "voided", "commission", "kept before", "offered", "at the doors", "beyond", "cited"),
)
"""Columns that a narrow screen does without, the first named first."""

MOST_THROWS = 12
"""More than these are told by their number: the rest of a wheel says nothing."""


def _table(rows: Iterable[Mapping[str, str]], title: str = "") -> Fitted:
    return Fitted(rows, title, tuple(FIGURES), SPARE)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _list(values: Mapping[str, object]) -> str:
    """What there is to say, as `name: value, …`."""
    return ", ".join(f"{name}: {_plain(value)}" for name, value in values.items() if value not in (None, ""))


# ---------------------------------------------------------------- odds


def heading(answer: Answer) -> str:
    """The game and its edition; one that no gazette printed is told with its source."""
    named = f"{answer['game']}, {answer['edition']} {answer['version']}".rstrip()
    return named if answer.get("gazetted", True) else f"{named}: not gazetted, by {answer['source']}"


def sheet(console: Console, answer: Answer) -> None:
    console.print(heading(answer), style="bold")
    if answer.get("elections"):
        console.print(_list(answer["elections"]), style="dim")
    console.print(_table(_wager(row) for row in answer["wagers"]))
    if answer.get("with_odds"):
        console.print(
            _table((_with_odds(row) for row in answer["with_odds"]), "With odds, per unit of all that is staked")
        )
    for note in dict.fromkeys(f"{row['policy']}: {row['note']}" for row in answer["wagers"] if row.get("note")):
        console.print(note, style="dim")
    for row in answer["wagers"]:
        if "break_even" in row:
            console.print(_break_even(row))
    for warning in answer.get("warnings", ()):
        console.print(f"Warning: {warning}", style="bold red")
    reasons: dict[str, list[str]] = {}
    for each in answer.get("left_out", ()):
        reasons.setdefault(each["reason"], []).append(each["wager"])
    for reason, names in reasons.items():
        console.print(f"Not shown ({reason}): {', '.join(names)}", style="dim")
    for note in answer.get("notes", ()):
        console.print(note, style="dim")
    for name in (answer[kind] for kind in ("html", "csv", "xlsx") if kind in answer):
        console.print(f"Written: {name}")


def _wager(row: Answer) -> dict[str, str]:
    pays = "\n".join(_pay(pay) for pay in row["pays"] if pay["odds"])
    lives = row.get("throws", "1/1") != "1/1"
    return {
        "wager": row["wager"],
        "policy": row.get("policy") or "",
        "wins": _percent(row["win"]),
        "loses": _percent(row["lose"]),
        "stands off": _percent(row["standoff"], unless="0/1"),
        "void": _percent(row["void"], unless="0/1"),
        "edge": _percent(row["edge"], digits=4),
        "a round": _percent(row["per_throw_edge"], digits=4) if lives else "",
        "a round on": _percent(row["per_throw_edge_on"], digits=4) if lives else "",
        "offered": _percent(row["offered"], unless="1/1"),
        "method": "" if row.get("method", "exact") == "exact" else row["method"],
        "pays": pays,
    }


def _with_odds(row: Answer) -> dict[str, str]:
    return {
        "wager": f"{row['wager']} with {row['times']} × {row['odds']}",
        "staked": f"{float(Fraction(row['staked'])):.4f}",
        "edge": _percent(row["edge"], digits=4),
        "rules": ", ".join(row["rules"]),
    }


def _break_even(row: Answer) -> str:
    even = row["break_even"]
    pool = f"a pool of {balance(round(Fraction(even)))}" if even is not None else "no pool"
    needs = f"; its edge needs {row['needs']}" if row.get("needs") else ""
    stake = f" for a stake of {balance(row['break_even_stake'])}" if "break_even_stake" in row else ""
    return f"{row['wager']} breaks even at {pool}{stake}{needs}"


def _pay(pay: Answer) -> str:
    """Odds and rule; the way of winning is named where there are several."""
    return "  ".join(
        (pay["odds"], pay["rule"]) if pay["result"] == "win" else (pay["odds"], pay["result"], pay["rule"])
    )


def _percent(ratio: str | None, *, unless: str = "", digits: int = 3) -> str:
    """A ratio in percent; nothing where there is none, or where it goes without saying."""
    return "" if ratio in (None, unless) else f"{float(Fraction(str(ratio)) * 100):.{digits}f} %"


def working(console: Console, answer: Answer) -> None:
    """Why wagers are worth what they are."""
    console.print(heading(answer), style="bold")
    for row in answer["rows"]:
        title = row["stands_for"] if row["stands_for"].startswith(row["wager"]) else row["wager"]
        console.print(
            _table((_ending(each) for each in row["outcomes"]), " ".join(filter(None, (title, row["policy"]))))
        )
        _print_row(console, row)
        for each in row["outcomes"]:
            _print_throws(console, each)
    for rule in answer["rules"]:
        console.print(f"{rule['id']}  {' '.join(rule['says'])}")
        for reading in rule["readings"]:
            console.print(f"  read by {reading['id']} {reading['name']}: {reading['says']}", style="dim")


def _ending(each: Answer) -> dict[str, str]:
    return {
        "ends": each["ends"],
        "result": "" if each["result"] == each["ends"] else each["result"],
        "odds": each["odds"],
        "net": "" if each["net"] is None else _number(each["net"]),
        "ways": "" if each["ways"] is None else f"{each['ways']:,}",
        "chance": _percent(each["probability"], digits=4),
        "adds to edge": _percent(each["adds_to_edge"], digits=4),
        "rule": each["rule"],
    }


def _print_row(console: Console, row: Answer) -> None:
    if row["total"] is not None:
        console.print(f"{row['total']:,} {row['unit']}, all equally likely")
    if row["offered"] != "1/1":
        console.print(f"given that it is offered, which has a chance of {_percent(row['offered'])}")
    if row["throws"] != "1/1":
        off = "" if row["throws_on"] == row["throws"] else f", on in {float(Fraction(row['throws_on'])):.4f} of them"
        console.print(f"decided after {float(Fraction(row['throws'])):.4f} rounds on average{off}")
    if row.get("note"):
        console.print(row["note"])
    if row["edge"] is None:
        console.print(f"The edge needs {row['needs']}.")
    else:
        exact = row["edge"] if row["method"] == "exact" else row["method"]
        console.print(f"Edge {_percent(row['edge'], digits=4)}, {exact}", style="bold")


def _print_throws(console: Console, each: Answer) -> None:
    for thrown in each["thrown"]:
        shown = (
            " ".join(thrown["throws"]) if len(thrown["throws"]) <= MOST_THROWS else f"{len(thrown['throws'])} throws"
        )
        where = f"{each['ends']}, {thrown['layout']}" if thrown["layout"] else each["ends"]
        console.print(f"  {where}: {shown} ({_percent(thrown['probability'], digits=4)})", style="dim")


def _number(ratio: str) -> str:
    value = Fraction(ratio)
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{float(abs(value)):g}"


def comparison(console: Console, answer: Answer) -> None:
    """What a change of the rules is worth, per 100 dollars placed."""
    before, after = (_list(_named_rules(answer[side])) for side in ("before", "after"))
    console.print(f"{answer['game']}: what the house keeps of {balance(answer['per_cents'])} placed", style="bold")
    console.print(f"before  {before}\nafter   {after}", style="dim")
    console.print(_table(_changed(row) for row in answer["wagers"]))
    taken = [
        row | {"wager": f"{row['wager']} with {row['times']} × {row['odds']}", "policy": None, "because": []}
        for row in answer.get("with_odds", [])
    ]
    if taken:
        console.print(_table((_changed(row) for row in taken), "Line bets with their odds, of all that is staked"))
    for warning in answer["warnings"]:
        console.print(f"Warning: {warning}", style="bold red")


def _named_rules(side: Answer) -> dict[str, object]:
    marked = "" if side.get("gazetted", True) else " (not gazetted)"
    return {"edition": f"{side['edition']} {side['version']}{marked}", "decks": side["decks"], **side["elections"]}


def _changed(row: Answer) -> dict[str, str]:
    money = [_kept(row[side]) for side in ("before", "after")]
    gain = row["house_gains_cents"]
    return {
        "wager": row["wager"],
        "policy": row["policy"] or "",
        "kept before": money[0],
        "kept after": money[1],
        "house gains": "" if gain is None else "same" if gain == 0 else _fine(gain, signed=True),
        "because": "\n".join(
            f"{each['result']}: {each['before'] or 'nothing'} → {each['after'] or 'nothing'}  {' '.join(each['rules'])}"
            for each in row["because"]
        ),
    }


def _kept(side: Answer | None) -> str:
    if side is None:
        return "not offered"
    return "" if side["house_keeps_cents"] is None else _fine(side["house_keeps_cents"])


def _fine(cents: float, *, signed: bool = False) -> str:
    """Money with hundredths of a cent, for averages."""
    sign = "−" if cents < 0 else "+" if signed else ""
    return f"{sign}${abs(cents) / 100:,.4f}"


# ---------------------------------------------------------------- a case


def case(console: Console, answer: Answer) -> None:
    console.print(heading(answer), style="bold")
    for number, each in enumerate(answer.get("rounds", [answer]), start=1):
        _round(console, each, f"Round {number}" if "rounds" in answer else "")
    lines: Sequence[Answer] = answer["settlements"]
    if lines:
        console.print(_table(_settlement(line) for line in lines))
        console.print(_together(lines))


def _together(lines: Sequence[Answer]) -> str:
    """What all stakes came to; those that are not decided yet have come to nothing so far."""
    decided = [line for line in lines if line["result"] != "open"]
    staked, returned = (sum(line[key] for line in decided) for key in ("amount", "returned"))
    summary = f"Staked {balance(staked)}, returned {balance(returned)}: {_signed(returned - staked)}" if decided else ""
    undecided = sum(line["amount"] for line in lines) - staked
    return "; ".join(filter(None, (summary, f"open {balance(undecided)}" if undecided else "")))


def _round(console: Console, answer: Answer, title: str) -> None:
    if answer["steps"]:
        console.print(_table((_step(step) for step in answer["steps"]), title))
    console.print(f"Outcome: {_list(answer['outcome'])}")
    if answer["due"]:
        console.print(f"Due: {answer['due']} ({answer['due_rule']})", style="bold yellow")
    following = answer["next"]
    if following["first_card"] or following["hand"] != "normal":
        drawn = [following[card] for card in ("first_card", "second_card") if following.get(card)]
        first = f", starting with {' and '.join(drawn)}" if drawn else ""
        console.print(f"Next: a {following['hand']} hand{first}")


def _step(step: Answer) -> dict[str, str]:
    fact = _fact(step["fact"])
    ruled = step.get("ruling")
    ruling = f"{ruled['remedy']} by {ruled['by']} ({ruled['rule']})" if ruled else ""
    call = f"\ncalls “{ruled['call']}”" if ruled and ruled.get("call") else ""
    return {"due": step["due"], "rule": step["rule"], "fact": fact, "ruling": ruling + call}


def _fact(fact: str | Answer) -> str:
    """A fact as it is written; one that has parts by their names, what is so by its name alone."""
    if isinstance(fact, str):
        return fact
    parts = ((name, value) for name, value in fact.items() if value is not False)
    return ", ".join(name if value is True else f"{name} {value}" for name, value in parts)


def _settlement(line: Answer) -> dict[str, str]:
    return {
        "wager": f"{line['on']} (hand {line['hand'] + 1})" if line.get("hand") else line["on"],
        "by": line.get("by", ""),
        "staked": balance(line["amount"]),
        "result": line["result"],
        "pays": balance(line["pays"]),
        "commission": balance(line["commission"]) if line["commission"] else "",
        "voided": balance(line["voided"]) if line["voided"] else "",
        "returned": balance(line["returned"]),
        "rule": line["rule"],
    }


def shoe(console: Console, answer: Answer) -> None:
    """A recorded shoe: its coups, what is irregular, totals, the road, and the money."""
    console.print(heading(answer), style="bold")
    columns = ("coup", "cards", "player", "banker", "winner", "irregular", "rule")
    console.print(
        _table(
            {name: _plain(row[name]) if row[name] is not None else "" for name in columns} for row in answer["coups"]
        )
    )
    won = _list(answer["totals"])
    console.print(
        f"{len(answer['coups'])} coups, {answer['cards_out']} cards out; {won}; irregular: {len(answer['irregular'])}"
    )
    console.print(f"Big road: {' '.join(answer['big_road'])}")
    if answer["settlements"]:
        console.print(_table(_stake(line) for line in answer["settlements"]))
        for by, net in answer["net"].items():
            console.print(f"{by or 'All wagers'}: {_signed(net)}", style="bold")


def _stake(line: Answer) -> dict[str, str]:
    money = {"staked": balance(line["amount"]), "result": line["result"], "returned": balance(line["returned"])}
    return {"coup": str(line["coup"]), "wager": line["on"], "by": line["by"], **money, "rule": line["rule"]}


def _signed(cents: int) -> str:
    return f"{'+' if cents > 0 else ''}{balance(cents)}"


def editions(console: Console, answer: Answer) -> None:
    console.print(answer["game"], style="bold")
    console.print(_table(_edition(row) for row in answer["editions"]))


def _edition(row: Answer) -> dict[str, str]:
    where = f"{row['edition']} {row['version']}"
    if "refused" in row:
        return {"edition": where, "wagers": f"refused: {row['refused']}", "net": "", "difference": ""}
    lines = [f"{s['on']} {s['result']} {balance(s['returned'])} {s['rule']}" for s in row["settlements"]]
    if row["due"]:
        lines.append(f"due: {row['due']}")
    money = {"net": _signed(row["net"]), "difference": _signed(row["difference"])}
    return {"edition": where, "wagers": "\n".join(lines)} | money


def due(console: Console, answer: Answer) -> None:
    if not answer.get("gazetted", True):
        console.print(heading(answer), style="dim")
    console.print(f"{answer['due'] or 'Nothing is due: the round is over'}  ({answer['rule']})", style="bold")
    for summary in answer["says"]:
        console.print(summary)
    console.print(_list(answer["outcome"]), style="dim")


# ---------------------------------------------------------------- rules


def rule(console: Console, answer: Answer) -> None:
    for row in answer["rows"]:
        console.print(f"{row['id']}  {row['topic']}  ({row['kind']}, {row['software']})", style="bold")
        console.print(row["summary"])
        for name in ("parameters", "note"):
            if row[name]:
                console.print(f"{name}: {row[name]}")
        console.print()
    lists = {
        "below": answer["below"],
        "refers to": sorted({other for row in answer["rows"] for other in row["depends"]}),
        "other editions": answer["other_editions"],
        "readings": [f"{each['id']} {each['name']}: {each['says']}" for each in answer["readings"]],
        "cited by": answer["cited"],
        "tested by": answer["tested"],
    }
    for name, items in lists.items():
        if items:
            console.print(f"{name}:", style="dim")
            console.print("\n".join(f"  {item}" for item in items))


def difference(console: Console, answer: Answer) -> None:
    for each in answer["games"]:
        before, after = (
            f"{answer[key].partition('/')[0]} {version}"
            for key, version in zip(("before", "after"), each["versions"], strict=True)
        )
        console.print(f"{each['game']}: {before} → {after}", style="bold")
        console.print(
            _table(
                {"what": change["path"], before: _side(change["before"]), f"→ {after}": _side(change["after"])}
                for change in each["changes"]
            )
        )
        console.print(f"{each['same']} values are the same, {len(each['renumbered'])} of them under other numbers")
    for alone in answer["alone"]:
        console.print(f"only in {alone['edition']}: {alone['game']} {alone['version']}", style="dim")


def _side(side: Answer | None) -> str:
    return "—" if side is None else "\n".join(filter(None, (side["value"], " ".join(side["rules"][:1]))))


def irregularities(console: Console, answer: Answer) -> None:
    for each in answer["circumstances"]:
        console.print(each["name"], style="bold")
        console.print(f"  {each['words']}")
        versions: dict[tuple[str, ...], list[str]] = {}
        for where, rules in each["rules"].items():
            versions.setdefault(tuple(rules), []).append(where)
        for rules, places in versions.items():
            console.print(f"  {', '.join(places)}: {', '.join(rules)}", style="dim")


def coverage(console: Console, answer: Answer) -> None:
    parts = answer["parts"]
    console.print(_table(_part(part) for part in (*parts, _whole(parts))))
    for part in parts:
        if part["missing"]:
            where = f"{part['edition']} {part['name']}".strip()
            console.print(f"{where}: {len(part['missing'])} without a case", style="bold")
            console.print(" ".join(part["missing"]))


def _whole(parts: Sequence[Answer]) -> Answer:
    doors: Counter[str] = Counter()
    for part in parts:
        doors.update(part["doors"])
    added = {name: sum(part[name] for part in parts) for name in ("rules", "actionable", "cited", "tested", "beyond")}
    missing = [rule for part in parts for rule in part["missing"]]
    return {"edition": "all", "name": "", **added, "missing": missing, "doors": dict(doors.most_common())}


def _part(part: Answer) -> dict[str, str]:
    return {
        "part": f"{part['edition']} {part['name']}".strip(),
        "rules": str(part["rules"]),
        "to act on": str(part["actionable"]),
        "cited": str(part["cited"]),
        "carried out": str(part["tested"]),
        "beyond": str(part["beyond"]),
        "no case": str(len(part["missing"])),
        "at the doors": ", ".join(f"{door} {count}" for door, count in part["doors"].items()),
    }


def proofs(console: Console, answer: Answer) -> None:
    console.print(_table({"proof": each["name"], "what it shows": each["says"]} for each in answer["proofs"]))


def verified(console: Console, answer: Answer) -> None:
    """What a journal was found to be."""
    if "table" in answer:
        console.print(f"{answer['table']}{', practice' if answer['practice'] else ''}", soft_wrap=True, markup=False)
        trust = "trusted" if answer["trusted"] else "compare it with the one you know, or name that with --key"
        console.print(f"signed by {answer['key']} ({trust})", soft_wrap=True, markup=False)
    extent = f"{answer['tables']} tables, {answer['lines']:,} lines, {answer['heads']} signed heads"
    console.print(f"{extent}, {answer['settlements']:,} settlements as the rules say", soft_wrap=True)
    if answer.get("unwitnessed"):
        console.print(f"{answer['unwitnessed']:,} lines are not witnessed outside the database yet", soft_wrap=True)
    console.print(f"fault: {answer['fault']}" if answer["fault"] else "no fault", soft_wrap=True, markup=False)


def people(console: Console, answer: Answer) -> None:
    """Everybody who has an account."""
    console.print(_table(answer["people"]) if answer["people"] else "nobody has an account here")


def person(console: Console, answer: Answer) -> None:
    """What was done about a person; a password for one use is told here and nowhere else."""
    text = f"{answer['name']}: password for one use {answer['one_time']}" if "one_time" in answer else "done"
    console.print(text, soft_wrap=True, markup=False, highlight=False)


def listed(console: Console, answer: Answer) -> None:
    console.print(_table({name: str(value) for name, value in row.items()} for row in answer["rows"]))


def found(console: Console, answer: Answer) -> None:
    for row in answer["rules"]:
        console.print(f"{row['id']}  {row['topic']}", style="bold")
        console.print(row["summary"])
    more = answer["more"]
    console.print(f"{more} more: use more words" if more else "" if answer["rules"] else "No rule has all these words.")
