"""The rows of the odds sheet: the ante with its bet, and the progressive jackpot.

The ante's row is per ante placed: ante and bet together win or lose by their net.

The jackpot is that of one box: no other hand of the round shares the pool, and payments are exact, before chips round
them.  A folded hand has no claim, so its worth depends on how the ante is played; the row says by which policy.  Its
prizes are sums of money and shares of a pool, so it needs both the stake and the pool.  Without them the row has no
edge, but always the pool at which the edge would be nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from croupier.exact.caribbean_stud.counting import FOLDED, NO_HAND
from croupier.exact.caribbean_stud.endings import Stakes, StudEnding, endings, net_of
from croupier.exact.caribbean_stud.policy import LEAST, OPTIMUM, StudPlay
from croupier.exact.ways import Pay, Worth, worth_of
from croupier.game import Lost, Resolution, StandOff, Void, Won
from croupier.games.caribbean_stud.bets import wagers
from croupier.games.caribbean_stud.jackpot import greater
from croupier.games.caribbean_stud.rules import ANTE, JACKPOT, StudRules
from croupier.money import Cents
from croupier.once import dataclass

ONE_DOLLAR: Cents = 100
TOO_FEW = f"a hand and the dealer's take {LEAST} cards, and the deck has fewer: every round is a misdeal"


@dataclass(frozen=True, slots=True)
class StudRow:
    """A wager's worth under a policy.  `edge`, `variance` and `pays` are unknown for a jackpot without pool or stake.

    `break_even_cents` is the pool at which a jackpot wager of `stake_cents` has no edge (one dollar if none was
    given); None for other wagers, and where no pool is enough.
    """

    wager: str
    policy: str
    win: Fraction
    lose: Fraction
    standoff: Fraction
    void: Fraction
    rules: tuple[str, ...]
    worth: Worth | None = None
    stake_cents: Cents | None = None
    break_even_cents: Fraction | None = None
    method: str = "exact"

    @property
    def edge(self) -> Fraction | None:
        return self.worth.edge if self.worth else None

    @property
    def pays(self) -> tuple[Pay, ...]:
        return self.worth.pays if self.worth else ()


def rows_of(
    rules: StudRules, this: StudPlay, *, pool_cents: Cents | None, stake_cents: Cents | None
) -> tuple[StudRow, ...]:
    """A row for each wager that the rules permit."""
    made = {
        ANTE: lambda: _row(this, worth_of_ante(this)),
        JACKPOT: lambda: _jackpot_row(rules, this, pool_cents, stake_cents),
    }
    return tuple(made[name]() for name in wagers(rules))


def _row(this: StudPlay, worth: Worth) -> StudRow:
    return StudRow(
        worth.wager, this.policy, worth.win, worth.lose, worth.standoff, worth.void, worth.rules, worth=worth
    )


def void_rows(rules: StudRules) -> list[Worth]:
    """The rows of a deck too small for a hand and the dealer's: some hand gets too few cards, and the round is void.

    A jackpot wager is not decided in that round either.
    """
    misdeal = Void(rules.irregularities["wrong_count"][0].rule)
    void = {name: worth_of(name, {misdeal: Fraction(1)}, offered=Fraction(1)) for name in wagers(rules)}
    return [replace(each, policy=OPTIMUM, note=TOO_FEW) for each in void.values()]


# ---------------------------------------------------------------- the ante


def worth_of_ante(this: StudPlay) -> Worth:
    """Ante and bet together, per ante; a stand-off is a deal that leaves them as they were."""
    chances: defaultdict[tuple[str, str, Fraction, str], Fraction] = defaultdict(Fraction)
    for kind, end, deals in this.ends():
        ending = this.endings[kind, end]
        chances[*_words(ending, end), ending.net, _telling(ending, end).rule] += Fraction(deals, this.deals)
    pays = [Pay(result, odds, net, chance, rule) for (result, odds, net, rule), chance in chances.items()]
    shares = {sign: sum((p.probability for p in pays if _sign(p.net) == sign), Fraction(0)) for sign in (1, -1, 0)}
    return _worth(ANTE, pays, win=shares[1], lose=shares[-1], standoff=shares[0], void=Fraction(0))


def _telling(ending: StudEnding, end: int) -> Resolution:
    """The resolution that tells how the deal ended: the bet's, but the ante's if there is none or it is returned."""
    return ending.ante if ending.bet is None or end == NO_HAND else ending.bet


def _words(ending: StudEnding, end: int) -> tuple[str, str]:
    if end == FOLDED:
        return "fold", ""
    telling = _telling(ending, end)
    return telling.result, str(telling.odds) if isinstance(telling, Won) else ""


def _sign(net: Fraction) -> int:
    return (net > 0) - (net < 0)


def _worth(wager: str, pays: list[Pay], *, win: Fraction, lose: Fraction, standoff: Fraction, void: Fraction) -> Worth:
    ordered = sorted(pays, key=lambda pay: (-pay.net, pay.result))
    mean = sum((pay.net * pay.probability for pay in pays), Fraction(0))
    square = sum((pay.net**2 * pay.probability for pay in pays), Fraction(0))
    return Worth(
        wager=wager,
        win=win,
        lose=lose,
        standoff=standoff,
        void=void,
        edge=-mean,
        variance=square - mean**2,
        offered=Fraction(1),
        throws=Fraction(1),
        pays=tuple(ordered),
        rules=tuple(dict.fromkeys(pay.rule for pay in ordered)),
    )


# ---------------------------------------------------------------- the jackpot


def _jackpot_row(rules: StudRules, this: StudPlay, pool_cents: Cents | None, stake_cents: Cents | None) -> StudRow:
    stake = ONE_DOLLAR if stake_cents is None else _positive(stake_cents, "a jackpot wager")
    pool = 0 if pool_cents is None else _positive(pool_cents, "a jackpot pool", least=0)
    chances = _jackpot_chances(rules, this, stake_cents=stake, pool_cents=pool)
    worth = _worth_of_jackpot(chances)
    known = pool_cents is not None and stake_cents is not None
    return StudRow(
        wager=JACKPOT,
        policy=this.policy,
        win=worth.win,
        lose=worth.lose,
        standoff=worth.standoff,
        void=worth.void,
        rules=worth.rules,
        worth=worth if known else None,
        stake_cents=stake,
        break_even_cents=break_even(rules, this, stake_cents=stake),
    )


def _positive(cents: Cents, what: str, least: Cents = 1) -> Cents:
    if type(cents) is not int or cents < least:
        raise ValueError(f"{what} is a whole number of cents from {least} up: {cents!r:.60}")
    return cents


def _jackpot_chances(
    rules: StudRules, this: StudPlay, *, stake_cents: Cents, pool_cents: Cents
) -> Mapping[Resolution, Fraction]:
    """How the jackpot wager ends, by the game's own judge, and how often."""
    found = endings(rules, this.known, Stakes(jackpot_cents=stake_cents, pool_cents=pool_cents))
    chances: defaultdict[Resolution, Fraction] = defaultdict(Fraction)
    for kind, end, deals in this.ends():
        chances[found[kind, end].jackpot] += Fraction(deals, this.deals)
    return chances


def _worth_of_jackpot(chances: Mapping[Resolution, Fraction]) -> Worth:
    pays = [
        Pay(how.result, str(how.odds) if isinstance(how, Won) else "", net_of(how), chance, how.rule)
        for how, chance in chances.items()
    ]

    def share(kind: type) -> Fraction:
        return sum((chance for how, chance in chances.items() if isinstance(how, kind)), Fraction(0))

    return _worth(JACKPOT, pays, win=share(Won), lose=share(Lost), standoff=share(StandOff), void=share(Void))


def break_even(rules: StudRules, this: StudPlay, *, stake_cents: Cents) -> Fraction | None:
    """The least pool, in cents, at which a jackpot wager has no edge under this play; None if no pool is enough.

    A prize is a sum, or a share of the pool once that is more: the worth rises in straight pieces, which bend where a
    share passes its sum.
    """
    chances = _jackpot_chances(rules, this, stake_cents=stake_cents, pool_cents=0)
    prizes = [(rules.progressive.prizes[how.result].value, p) for how, p in chances.items() if isinstance(how, Won)]
    wanted = stake_cents * sum((chance for how, chance in chances.items() if _is_kept(how)), Fraction(0))

    def short(pool: Fraction) -> Fraction:
        return wanted - sum((chance * greater(prize, pool) for prize, chance in prizes), Fraction(0))

    low = Fraction(0)
    if short(low) <= 0:
        return low
    for bend in sorted({Fraction(prize.sum_cents) / prize.share for prize, _ in prizes if prize.share}):
        if short(bend) <= 0:
            return _crossing(low, short(low), bend, short(bend))
        low = bend
    return _crossing(low, short(low), low + 1, short(low + 1))


def _is_kept(how: Resolution) -> bool:
    """Whether the stake does not come back."""
    return isinstance(how, Lost) or (isinstance(how, Won) and not how.stake_back)


def _crossing(low: Fraction, short_low: Fraction, high: Fraction, short_high: Fraction) -> Fraction | None:
    """Where the line through two points comes to nothing, if it falls."""
    fall = short_low - short_high
    return low + short_low * (high - low) / fall if fall else None
