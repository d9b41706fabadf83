"""Exact probabilities of everything an automaton can come to, from any shoe.

Cards are drawn without replacement.  Which cards are gone matters, but not the order in which they went: so the work
is done over pairs of (position, multiset of symbols gone), each with the number of card sequences that lead there.
All numbers are integers.  Sequences that end early stand for all continuations to the longest length, so that every
count has one denominator; for a full eight-deck shoe that is the 4,998,398,275,503,360 coups of six cards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import perm
from typing import Literal, TypeAlias

from croupier.exact.automaton import Automaton, Decided
from croupier.exact.chain import Chain
from croupier.game import Lost, Resolution, StandOff, Void, Won
from croupier.once import dataclass
from croupier.present import short

Method: TypeAlias = Literal["exact", "bounded", "independent", "float"]
Layer: TypeAlias = dict[tuple[int, ...], dict[int, int]]
"""By the cards gone, the ways to each position."""
Finals: TypeAlias = Counter[tuple[Decided, int]]
"""Ways to each decision after so many cards."""


@dataclass(frozen=True, slots=True)
class Ways:
    """For each wager the number of ways to each resolution (None: never offered), out of `total`."""

    wagers: tuple[str, ...]
    total: int
    counts: tuple[Counter[Resolution | None], ...]

    def of(self, wager: str) -> Counter[Resolution | None]:
        return self.counts[self.wagers.index(wager)]


def count_ways(automaton: Automaton, shoe: Sequence[int]) -> Ways:
    """The ways from a shoe that holds so many cards of each symbol of the automaton."""
    if len(shoe) != len(automaton.symbols):
        raise ValueError(f"a shoe of {len(shoe)} kinds for an automaton of {len(automaton.symbols)} symbols")
    cards = sum(shoe)
    finals: Finals = Counter()
    layer: Layer = {(): {0: 1}}
    if automaton.over[0]:
        finals[automaton.decided[0], 0] = 1
        layer = {}
    drawn = 0
    while layer and drawn < cards:
        drawn += 1
        layer, ended = _drawn(automaton, shoe, layer)
        for position, ways in ended.items():
            finals[automaton.decided[position], drawn] += ways
    for at in layer.values():
        for position, ways in at.items():
            finals[automaton.empty[position], drawn] += ways
    return gathered(automaton, finals, cards)


def _drawn(automaton: Automaton, shoe: Sequence[int], layer: Layer) -> tuple[Layer, Counter[int]]:
    """One more card from every position: where that leads, and the positions where it ends.

    The same cards are gone in many positions, so what is left is reckoned once for all of them.
    """
    step, over = automaton.step, automaton.over
    following: Layer = {}
    ended: Counter[int] = Counter()
    for gone, at in layer.items():
        for symbol, held in enumerate(shoe):
            left = held - gone.count(symbol)
            if left <= 0:
                continue
            then = following.setdefault(tuple(sorted((*gone, symbol))), defaultdict(int))
            for position, ways in at.items():
                after = step[position][symbol]
                if over[after]:
                    ended[after] += ways * left
                else:
                    then[after] += ways * left
    return {gone: at for gone, at in following.items() if at}, ended


def gathered(automaton: Automaton, finals: Finals, cards: int) -> Ways:
    """All endings brought to the length of the longest."""
    longest = max(drawn for _, drawn in finals)
    counts: tuple[Counter[Resolution | None], ...] = tuple(Counter() for _ in automaton.wagers)
    for (decided, drawn), ways in finals.items():
        weight = ways * perm(cards - drawn, longest - drawn)
        for counter, resolution in zip(counts, decided, strict=True):
            counter[resolution] += weight
    return Ways(automaton.wagers, perm(cards, longest), counts)


# ---------------------------------------------------------------- what a wager is worth


@dataclass(frozen=True, slots=True)
class Pay:
    """One way in which a wager can end, with its probability; `kind` is win, lose, standoff or void."""

    result: str
    odds: str
    net: Fraction
    probability: Fraction
    rule: str
    ends: str = ""

    @property
    def kind(self) -> str:
        """What is said of it, or else what the net says: a wager of several stakes wins or loses by its net."""
        return self.ends or ("win" if self.net > 0 else "lose" if self.net < 0 else "standoff")


@dataclass(frozen=True, slots=True)
class Worth:
    """A wager's worth, per unit placed.  `edge` is the house's, so a negative one favours the player.

    `throws` is how many it takes to decide it, on average, and `throws_on` for how many of them it is on (None: for
    all); `offered` how likely it is that it can be placed at all.

    `policy` names the play a row depends on.  `method` tells of the edge: exact, or of chances with a proven error
    (bounded), or of coups taken as independent, or doubles written as fractions; `shares` tells the same of the chances
    and the variance.  `note` says what the play is best among.  `break_even_cents` is the pool at which a jackpot of
    `stake_cents` has no edge.  A row that `needs` something (a pool and a stake) holds the figures of an empty pool,
    which are not to be told as its edge.
    """

    wager: str
    win: Fraction
    lose: Fraction
    standoff: Fraction
    void: Fraction
    edge: Fraction
    variance: Fraction
    offered: Fraction
    throws: Fraction
    pays: tuple[Pay, ...]
    rules: tuple[str, ...]
    policy: str = ""
    method: Method = "exact"
    shares: Method = "exact"
    note: str = ""
    break_even_cents: Fraction | None = None
    needs: str = ""
    stake_cents: int | None = None
    throws_on: Fraction | None = None

    def __repr__(self) -> str:
        edge = f"needs {self.needs}" if self.needs else f"{self.edge} ({float(self.edge):.4%})"
        return short("Worth", wager=self.wager, policy=self.policy, edge=edge, method=self.method)

    @property
    def stated_method(self) -> str:
        """The method in the words that answers have: exact, independent or float.  What is proven but for a last
        decimal is not exact."""
        return "float" if self.method == "bounded" else self.method

    @property
    def per_throw_edge(self) -> Fraction:
        """The edge per throw or round for which the wager lies, on average; those for which it is off count."""
        return self.edge / self.throws if self.throws else self.edge

    @property
    def per_throw_edge_on(self) -> Fraction:
        """The edge per throw or round for which the wager is on: those for which it is off do not count."""
        return self.edge / self.throws_on if self.throws_on else self.per_throw_edge


def worth(ways: Ways, wager: str) -> Worth:
    """What the wager is worth given that it was offered."""
    counts = Counter(ways.of(wager))
    never = counts.pop(None, 0)
    total = sum(counts.values())
    if total == 0:
        raise ValueError(f"{wager} is never offered from this shoe")
    chances = {how: Fraction(n, total) for how, n in counts.items() if n and how is not None}
    return worth_of(wager, chances, offered=1 - Fraction(never, ways.total))


def worth_of_chain(chain: Chain) -> Worth:
    """What a wager that lives from throw to throw is worth, a commission paid at placement counted.

    Throws always come to an end: a stake that goes back undecided stands off, and no round is left incomplete.
    """
    fee = Fraction(chain.wager.fee_cents, chain.wager.stake_cents)
    found = worth_of(chain.wager.on, chain.ends, offered=chain.offered, fee=fee, throws=chain.throws, back="standoff")
    return found if chain.throws_on == chain.throws else replace(found, throws_on=chain.throws_on)


def worth_of(
    wager: str,
    chances: Mapping[Resolution, Fraction],
    *,
    offered: Fraction,
    fee: Fraction = Fraction(0),
    throws: Fraction = Fraction(1),
    back: Literal["void", "standoff"] = "void",
) -> Worth:
    """The worth of a wager from the chance of each of its resolutions; `back` is what a void one counts as."""
    pays = [_pay(resolution, chance, fee=fee, back=back) for resolution, chance in chances.items()]
    return worth_of_pays(wager, pays, offered=offered, throws=throws)


def worth_of_pays(wager: str, pays: Sequence[Pay], *, offered: Fraction, throws: Fraction = Fraction(1)) -> Worth:
    """The worth of a wager from all that it can come to; what is best for the bettor comes first."""
    mean = sum((pay.net * pay.probability for pay in pays), Fraction(0))
    square = sum((pay.net**2 * pay.probability for pay in pays), Fraction(0))

    def share(kind: str) -> Fraction:
        return sum((pay.probability for pay in pays if pay.kind == kind), Fraction(0))

    return Worth(
        wager=wager,
        win=share("win"),
        lose=share("lose"),
        standoff=share("standoff"),
        void=share("void"),
        edge=-mean,
        variance=square - mean**2,
        offered=offered,
        throws=throws,
        pays=tuple(sorted(pays, key=lambda pay: (-pay.net, pay.result))),
        rules=tuple(dict.fromkeys(pay.rule for pay in sorted(pays, key=lambda pay: -pay.net))),
    )


def _pay(resolution: Resolution, probability: Fraction, *, fee: Fraction, back: str) -> Pay:
    match resolution:
        case Won(odds=odds, rule=rule, result=result, part=part, stake_back=kept):
            # The other stakes of a wager that wins in part are lost, so its net says how it ends.
            net, ends = part * (odds.fraction + kept) - 1 - fee, "win" if part == 1 else ""
            return Pay(result, str(odds), net, probability, rule, ends)
        case Lost(rule=rule, result=result):
            return Pay(result, "", -1 - fee, probability, rule, "lose")
        case StandOff(rule=rule, result=result):
            return Pay(result, "", -fee, probability, rule, "standoff")
        case Void(rule=rule, result=result):
            return Pay(result, "", Fraction(0), probability, rule, back)
