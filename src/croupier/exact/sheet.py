"""The odds sheet: every wager that a rule set permits, with its exact worth.

For cards a sheet is made of a few automata: one for the wagers that see cards only by their point values, one for
those that see every card, and the waiting ones (insurance) beside the first.  Runs are reckoned over several coups;
games whose worth depends on how a hand is played have engines of their own.  For dice and wheels each wager is a
chain.  All come to one kind of row.  Where the player has the advantage the sheet says so in words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.game.kinds import wager_kind
from croupier.present import Rows, drawn, html_table, short

if TYPE_CHECKING:
    from rich.table import Table

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.util import find_spec
from itertools import islice
from math import sqrt
from typing import Any, TypeAlias

from croupier.equipment import CARDS, Space, check_counts, full_shoe
from croupier.errors import BadInput, missing, unknown
from croupier.exact.automaton import STAKE, symbols_of
from croupier.exact.chain import Chain, ChainWalker, in_any_order
from croupier.exact.compositions import ways_from
from croupier.exact.engines import ENGINES, PLAINLY, OddsAsked
from croupier.exact.pricing import NEEDS_SUITS, PLAIN, pricing
from croupier.exact.runs import MOST_ERROR
from croupier.exact.taken import Taken, with_odds_taken
from croupier.exact.ways import Ways, Worth, worth, worth_of, worth_of_chain
from croupier.game import NO_SIGN, AnyGame, Plain, Wager
from croupier.games import GAMES
from croupier.games.baccarat.own import own_bet, pair_bets, pair_ways
from croupier.law.ruleset import Ruleset

DEALT = 4
SHOES_AT_ONCE = 500
Pricer: TypeAlias = Callable[..., list[Worth]]
SEVERAL_COUPS = "priced over several coups"


@dataclass(frozen=True, slots=True, repr=False)
class Sheet:
    """The worth of every wager from one shoe, and the wagers that are not priced from it, with the reason.

    `counts` is the shoe, by card or by rank; it is empty for dice and wheels.
    """

    ruleset: Ruleset[Any]
    decks: int | None
    cards: int
    lines: tuple[Worth, ...]
    left_out: tuple[tuple[str, str], ...]
    counts: tuple[int, ...] = ()

    @property
    def warned(self) -> tuple[dict[str, str], ...]:
        """What the operator is warned of: in words, and under which rule."""
        return tuple(_warning(line) for line in self.lines if line.edge < 0 and not line.needs)

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(f"{each['says']} ({each['rule']})" for each in self.warned)

    @property
    def with_odds(self) -> tuple[Taken, ...]:
        """Line bets together with their odds, where the game has such."""
        has_odds = any(pricing(self.ruleset.game, line.wager).beside for line in self.lines)
        return with_odds_taken(self.ruleset.rules, self.lines) if has_odds and not self.counts else ()

    def of(self, wager: str) -> tuple[Worth, ...]:
        """The rows of a wager: one for each policy; a policy's name finds its own row."""
        found = self.found(wager)
        if not found:
            raise self.no_row(wager)
        return found

    def found(self, wager: str) -> tuple[Worth, ...]:
        """The rows of a wager, or none."""
        return tuple(line for line in self.lines if wager and wager in (line.wager, line.policy))

    def no_row(self, wager: object) -> BadInput:
        """Why a wager has no row: it was left out for a reason, or nobody knows it."""
        for name, reason in self.left_out:
            if name == wager:
                return BadInput(f"{wager} has no row on this sheet: {reason}")
        return unknown("wager", wager, dict.fromkeys(line.wager for line in self.lines))

    def line(self, wager: str, policy: str = "") -> Worth:
        """The row of a wager, the first one where several policies have one."""
        for each in self.of(wager):
            if policy in ("", each.policy):
                return each
        raise unknown(f"policy of {wager}", policy, [each.policy for each in self.of(wager)])

    def rows(self) -> Rows:
        """One flat dictionary a wager, for a data frame; fractions are exact."""
        return [
            {
                "wager": line.wager,
                "policy": line.policy,
                "win": line.win,
                "lose": line.lose,
                "standoff": line.standoff,
                "void": line.void,
                "edge": None if line.needs else line.edge,
                "edge_percent": None if line.needs else float(line.edge * 100),
                "sd": None if line.needs else sqrt(line.variance),
                "offered": line.offered,
                "method": line.stated_method,
                "rule": line.rules[0] if line.rules else "",
            }
            for line in self.lines
        ]

    def to_dict(self) -> dict[str, object]:
        """The sheet in the public form, as `croupier odds --json` prints it."""
        return as_json(self)

    @property
    def _title(self) -> str:
        return f"Odds of {self.ruleset.label}"

    def _short(self) -> Rows:
        named = ("wager", "policy", "win", "lose", "standoff", "edge_percent", "rule")
        return [{name: row[name] for name in named} for row in self.rows()]

    def __repr__(self) -> str:
        best = min((line for line in self.lines if not line.needs), key=lambda line: line.edge, default=None)
        lowest = f"{best.wager} {float(best.edge):.4%}" if best else ""
        return short("Sheet", rules=self.ruleset.label, wagers=len(self.lines), lowest_edge=lowest)

    def __rich__(self) -> Table:
        return drawn(self._short(), self._title)

    def _repr_html_(self) -> str:
        return html_table(self._short(), self._title, *self.warnings)


def _warning(line: Worth) -> dict[str, str]:
    gain = percent_text(-line.edge)
    how = f" by the play {line.policy}" if line.policy else ""
    clause = "as printed it returns" if not how else "it returns"
    says = f"{line.wager} favours the player{how}: {clause} {gain} more than is staked"
    return {"says": says, "rule": line.rules[0]}


def percent_text(part: Fraction) -> str:
    """A fraction as a percentage with two decimals."""
    return f"{float(part * 100):.2f} %"


def sheet(
    game: AnyGame, ruleset: Ruleset[Any], shoe: Sequence[int] | None = None, *, asked: OddsAsked = PLAINLY
) -> Sheet:
    """The sheet of a rule set.  `shoe` counts 52 cards, or 13 ranks; without it the shoe is full."""
    if game.chances is not None:
        if shoe is not None:
            raise ValueError(f"{game.name} is played without cards, so it has no shoe")
        return _thrown(game, ruleset, game.chances(ruleset.rules))
    counts = full_shoe(game.decks(ruleset.rules)) if shoe is None else _counted(shoe)
    if game.name in ENGINES:
        found = ENGINES[game.name](ruleset.rules, counts, asked)
        return _ordered(game, ruleset, counts, found.lines, found.left_out)
    return _dealt(game, ruleset, counts, asked)


def sheets(
    game: AnyGame, ruleset: Ruleset[Any], shoes: Iterable[Sequence[int]], *, asked: OddsAsked = PLAINLY
) -> Iterator[Sheet]:
    """A sheet for each shoe, in order; games of cards without an engine of their own count many shoes at once."""
    if game.chances is not None or game.name in ENGINES:
        yield from (sheet(game, ruleset, shoe, asked=asked) for shoe in shoes)
        return
    waiting = iter(shoes)
    while some := [_counted(shoe) for shoe in islice(waiting, SHOES_AT_ONCE)]:
        # Counts of cards and counts of ranks do not mix in one table.
        sizes = {len(shoe) for shoe in some}
        pricer = {size: _Together([shoe for shoe in some if len(shoe) == size]) for size in sizes}
        yield from (_dealt(game, ruleset, shoe, asked, priced=pricer[len(shoe)]) for shoe in some)


def _counted(shoe: Sequence[int]) -> tuple[int, ...]:
    return check_counts(shoe, 52 if len(shoe) == CARDS else 13)


def _ordered(
    game: AnyGame,
    ruleset: Ruleset[Any],
    counts: tuple[int, ...],
    lines: Sequence[Worth],
    left_out: Sequence[tuple[str, str]],
) -> Sheet:
    order = {name: index for index, name in enumerate(game.wagers(ruleset.rules))}
    ranked = sorted(lines, key=lambda line: order[line.wager])
    return Sheet(ruleset, game.decks(ruleset.rules), sum(counts), tuple(ranked), tuple(left_out), counts)


# ---------------------------------------------------------------- dice and wheels


def _thrown(game: AnyGame, ruleset: Ruleset[Any], space: Space[Plain]) -> Sheet:
    """Every wager of a game of dice or wheels, each as a chain."""
    walker = ChainWalker(game, ruleset.rules, space.map(in_any_order), NO_SIGN)
    lines = [replace(worth_of_chain(chained(walker, name)), wager=shown) for shown, name in rows(game, ruleset).items()]
    return Sheet(ruleset, None, 0, tuple(lines), ())


def rows(game: AnyGame, ruleset: Ruleset[Any]) -> dict[str, str]:
    """The name of each row with the wager that stands for it."""
    found: dict[str, str] = {}
    for name in game.wagers(ruleset.rules):
        kind = wager_kind(name)
        found[kind if pricing(game.name, name).one_row else name] = name
    return found


def chained(walker: ChainWalker, name: str) -> Chain:
    """A wager of dice or wheels as a chain, beside the wagers that it needs."""
    names = (*pricing(walker.game.name, name).beside, name)
    return walker.solve([Wager(on, STAKE, by="bettor") for on in names])


# ---------------------------------------------------------------- cards


def _dealt(
    game: AnyGame, ruleset: Ruleset[Any], counts: tuple[int, ...], asked: OddsAsked, *, priced: Pricer | None = None
) -> Sheet:
    priced = priced or _priced
    rules = ruleset.rules
    pairs, names = pair_bets(rules), game.wagers(rules)
    names = tuple(name for name in names if name not in pairs)
    how = {name: pricing(game.name, name) for name in names}
    by_suit = [name for name in names if how[name].exact_cards]
    waiting = [name for name in names if how[name].beside]
    runs = [name for name in names if how[name].coups]
    plain = [name for name in names if how[name] == PLAIN]
    lines = priced(game, rules, counts, plain, waiting) if plain else []
    left_out: list[tuple[str, str]] = []
    if runs and asked.quick:
        left_out += [(name, SEVERAL_COUPS) for name in runs]
    elif runs and find_spec("numpy") is None:
        left_out += [(name, str(missing("numpy"))) for name in runs]
    elif runs:
        from croupier.exact.runs.rows import RunTable

        run_rows, unpriced = RunTable(game, rules).rows(runs, by_symbol(game, rules, counts, exact_cards=False))
        lines, left_out = lines + run_rows, left_out + unpriced
    if len(counts) == CARDS:
        lines += [line for name in (*by_suit, *pairs) for line in paired(game, rules, name, counts, priced=priced)]
    else:
        left_out += [(name, NEEDS_SUITS) for name in (*by_suit, *pairs)]
    priced_names = {line.wager for line in lines}
    left_out += [(name, "never offered from this shoe") for name in waiting if name not in priced_names]
    return _ordered(game, ruleset, counts, lines, left_out)


def paired(game: AnyGame, rules: Any, name: str, counts: Sequence[int], *, priced: Pricer | None = None) -> list[Worth]:
    """A bet on first cards; one of an own edition may look at both hands, and its ways are counted at once."""
    bet = own_bet(rules, name)
    if bet is None or sum(counts) < DEALT:
        return (priced or _priced)(game, rules, counts, [name], [], exact_cards=True)
    ways = pair_ways(rules, bet, counts)
    chances = {how: Fraction(number, ways.total()) for how, number in ways.items() if number}
    return [worth_of(name, chances, offered=Fraction(1))]


def _priced(
    game: AnyGame, rules: Any, counts: Sequence[int], names: list[str], waiting: list[str], *, exact_cards: bool = False
) -> list[Worth]:
    known = ways_from(game, rules, at_start=names, later=waiting, exact_cards=exact_cards)
    return _rows_of(known.one(by_symbol(game, rules, counts, exact_cards=exact_cards)), names)


def _rows_of(ways: Ways, names: Sequence[str]) -> list[Worth]:
    """The rows of all wagers; one that waits for its time may never be offered."""
    return [worth(ways, name) for name in ways.wagers if name in names or any(ways.of(name))]


class _Together:
    """As `_priced`, for shoes that are known before: each group of wagers is counted for all of them at once."""

    def __init__(self, shoes: Sequence[tuple[int, ...]]) -> None:
        self.shoes = shoes
        self.found: dict[tuple[str, ...], dict[tuple[int, ...], Ways]] = {}

    def __call__(
        self,
        game: AnyGame,
        rules: Any,
        counts: Sequence[int],
        names: list[str],
        waiting: list[str],
        *,
        exact_cards: bool = False,
    ) -> list[Worth]:
        key = (*names, *waiting)
        if key not in self.found:
            held = [by_symbol(game, rules, shoe, exact_cards=exact_cards) for shoe in self.shoes]
            known = ways_from(game, rules, at_start=names, later=waiting, exact_cards=exact_cards)
            self.found[key] = dict(zip(held, known.many(held), strict=True))
        return _rows_of(self.found[key][by_symbol(game, rules, counts, exact_cards=exact_cards)], names)


def by_symbol(game: AnyGame, rules: Any, counts: Sequence[int], *, exact_cards: bool) -> tuple[int, ...]:
    """How many cards of each symbol a shoe holds; counts of 13 ranks are told apart by rank alone."""
    if exact_cards:
        return (*counts, *[0] * (CARDS - len(counts)))
    symbols = {symbol: index for index, symbol in enumerate(symbols_of(game, rules, exact_cards=False))}
    held = [0] * len(symbols)
    for card, count in enumerate(counts):
        held[symbols[game.symbol(rules, card)]] += count
    return tuple(held)


# ---------------------------------------------------------------- the public form


def as_json(this: Sheet) -> dict[str, object]:
    """The sheet in the public form: fractions as text in lowest terms."""
    ruleset = this.ruleset
    taken = [_taken(each) for each in this.with_odds]
    return {
        "game": ruleset.game,
        "edition": ruleset.edition,
        "version": ruleset.version,
        "decks": this.decks,
        "elections": ruleset.elections,
        "readings": dict(ruleset.readings),
        "ruleset": ruleset.hash,
        **ruleset.marked,
        **shoe_json(this),
        "wagers": [line_json(line) | _places(this, line) for line in this.lines],
        **({"with_odds": taken} if taken else {}),
        "left_out": [
            {"wager": name, "reason": reason, "suits": reason == NEEDS_SUITS} for name, reason in this.left_out
        ],
        "warnings": list(this.warnings),
        "warned": list(this.warned),
    }


def shoe_json(this: Sheet) -> dict[str, object]:
    """The shoe that a sheet was made from, where it is not the full one."""
    if not this.counts or (this.decks and this.counts == full_shoe(this.decks)):
        return {}
    return {"shoe": {"cards" if len(this.counts) == CARDS else "ranks": list(this.counts)}}


def _places(this: Sheet, line: Worth) -> dict[str, object]:
    """The wagers that one row stands for, where it stands for a kind."""
    if this.counts or not pricing(this.ruleset.game, line.wager).one_row:
        return {}
    names = GAMES[this.ruleset.game].wagers(this.ruleset.rules)
    return {"places": [name for name in names if wager_kind(name) == line.wager]}


def line_json(line: Worth) -> dict[str, object]:
    """A row in the public form; what it needs money for is null until that is given."""
    known = not line.needs
    even = line.break_even_cents
    return {
        "wager": line.wager,
        "win": ratio(line.win),
        "lose": ratio(line.lose),
        "standoff": ratio(line.standoff),
        "void": ratio(line.void),
        "edge": ratio(line.edge) if known else None,
        "edge_percent": float(line.edge * 100) if known else None,
        "sd": sqrt(line.variance) if known else None,
        "pays": [
            {
                "result": pay.result,
                "odds": pay.odds if known else "",
                "net": ratio(pay.net) if known else None,
                "probability": ratio(pay.probability),
                "rule": pay.rule,
            }
            for pay in line.pays
        ],
        "offered": ratio(line.offered),
        "policy": line.policy or None,
        "method": line.stated_method,
        "rules": list(line.rules),
        "throws": ratio(line.throws),
        "throws_on": ratio(line.throws if line.throws_on is None else line.throws_on),
        "per_throw_edge": ratio(line.per_throw_edge) if known else None,
        "per_throw_edge_on": ratio(line.per_throw_edge_on) if known else None,
        **({"note": line.note} if line.note else {}),
        **({"shares": line.shares} if line.shares != line.method else {}),
        **({"error": f"{MOST_ERROR:g}"} if line.method == "bounded" else {}),
        **({"needs": line.needs} if line.needs else {}),
        **({"break_even": ratio(even) if even is not None else None} if _is_jackpot(line) else {}),
        **({"break_even_stake": line.stake_cents} if line.stake_cents is not None else {}),
    }


def _is_jackpot(line: Worth) -> bool:
    """Whether the row is of a wager on a pool; no pool may be enough, and then there is none to break even at."""
    return line.break_even_cents is not None or bool(line.needs)


def _taken(this: Taken) -> dict[str, object]:
    return {
        "wager": this.wager,
        "odds": this.odds,
        "times": this.times,
        "staked": ratio(this.staked),
        "edge": ratio(this.edge),
        "edge_percent": float(this.edge * 100),
        "edge_of_line": ratio(this.edge_of_line),
        "rules": list(this.rules),
    }


def ratio(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
