"""The rows of blackjack on an odds sheet.

`main` is the best play that looks at the cards of a hand (see `board` for what it may look at once hands are split),
`main:chart` the best chart.  Their numbers are doubles, with errors below 1e-12, unless fractions are asked for: then
the play that the doubles found is weighed in fractions.  The shares of won and lost rounds need split hands weighed
together, which in fractions is possible only from small shoes: `BlackjackRow.shares` says what they are.  From the
smallest shoes fractions are quicker than doubles, and are given unasked.

Insurance knows only the dealer's ace, and the second card is a ten as often however hands are played: its row has no
policy.  Super Sevens depends on what is done with two sevens: always draw, always split, or what the chart says.  Both
are exact.

From a shoe that may run out within a round the rows are those of `short_rows`, with their share of void rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from croupier.equipment import CARDS, check_counts, full_shoe
from croupier.exact.blackjack.paper.rows import BlackjackRow, completed, decimal
from croupier.exact.blackjack.policy import Policy
from croupier.exact.blackjack.rational import MOST_TOGETHER, QUICK, Rational
from croupier.exact.blackjack.sevens import PLAYS, sevens_ends
from croupier.exact.blackjack.shares import Doubles, Number, Share, mean, shares
from croupier.exact.blackjack.short.rows import MOST_STEPS, short_rows, steps
from croupier.exact.blackjack.size import most_cards, second_card, why_long
from croupier.exact.blackjack.solve import Solved, solve
from croupier.exact.blackjack.terms import RuleTables, by_symbol, terms
from croupier.exact.pricing import NEEDS_SUITS
from croupier.exact.ways import Pay, Worth, worth_of
from croupier.game import Lost, Resolution, Won
from croupier.games.blackjack import BLACKJACK
from croupier.games.blackjack.layout import points
from croupier.games.blackjack.placing import no_sevens
from croupier.games.blackjack.rules import INSURANCE, MAIN, SUPER_SEVENS, BlackjackRules
from croupier.law.model import present

BY_CARDS = "best play that looks at the cards of the hand, the dealer's first card and the pairs dealt; optimum exact"
BY_CARDS_SEARCHED = "play that looks at the cards of the hand, the dealer's first card and the pairs dealt; by search"
BY_TOTALS = "best chart by totals and pairs, found by search: no change of one entry gains"


def blackjack_sheet(rules: BlackjackRules, shoe: Sequence[int], *, exact: bool = False) -> list[BlackjackRow]:
    """Every wager that the rules permit, from a shoe of 52 counts, or of 13 by rank; `left_out` says what is missing.

    `rules` hold the elections and readings in force.  The rows, in order: `main` by the policies `main` and
    `main:chart`; `insurance`, if the shoe holds a card that offers it; `super_sevens` by `super_sevens:draw`, `:split`
    and `:chart`.  With `exact` the plays that doubles found are weighed in fractions, which is much slower from a full
    shoe.  Raises ValueError for counts that are no shoe, and `NotPriced` for rules that the tables cannot hold.
    """
    counts, table = _counts(shoe), terms(rules)
    missing = _missing(rules, counts, table)
    permitted = [name for name in BLACKJACK.wagers(rules) if name not in missing]
    held = by_symbol(rules, counts)
    if most_cards(table, held) > sum(held):
        return _rows_of_short(rules, counts, permitted, plainly=_comes(table, held))
    solved = solved_of(rules, counts)
    rows = main_rows(solved, exact=exact)
    if INSURANCE in permitted:
        rows.append(insurance_row(rules, counts))
    if SUPER_SEVENS in permitted:
        rows += sevens_rows(rules, counts, solved.chart_play)
    return rows


def _rows_of_short(
    rules: BlackjackRules, counts: tuple[int, ...], permitted: list[str], *, plainly: bool
) -> list[BlackjackRow]:
    """The rows of a shoe that may run out, by the chart of a full one where a chart is asked for."""
    full = full_solved(rules)
    held, rows = by_symbol(rules, counts), list[BlackjackRow]()
    insured = INSURANCE in permitted
    if MAIN in permitted:
        rows += short_rows(rules, held, full.chart, insured=insured and not plainly)
    if insured and plainly:
        rows.append(insurance_row(rules, counts))
    if SUPER_SEVENS in permitted:
        rows += sevens_rows(rules, counts, full.chart_play)
    return rows


_FULL: list[tuple[BlackjackRules, Solved]] = []
"""The last full shoe that was solved: rules hold mappings, so they cannot be the key of a cache."""


def solved_of(rules: BlackjackRules, counts: Sequence[int]) -> Solved:
    """A shoe solved; the full one is remembered."""
    full = tuple(counts) == full_shoe(rules.decks.value.elected)
    return full_solved(rules) if full else solve(rules, counts)


def full_solved(rules: BlackjackRules) -> Solved:
    """The full shoe of the decks elected."""
    if not _FULL or _FULL[0][0] != rules:
        _FULL[:] = [(rules, solve(rules, full_shoe(rules.decks.value.elected)))]
    return _FULL[0][1]


def _comes(table: RuleTables, held: Sequence[int]) -> bool:
    """Whether the dealer's second card comes however hands are played."""
    return second_card(table, held) <= sum(held)


def may_run_out(rules: BlackjackRules, shoe: Sequence[int]) -> bool:
    """Whether a round can need more cards than the shoe holds."""
    return most_cards(terms(rules), by_symbol(rules, shoe)) > sum(shoe)


def _counts(shoe: Sequence[int]) -> tuple[int, ...]:
    return check_counts(shoe, 52 if len(shoe) == CARDS else 13)


def left_out(rules: BlackjackRules, shoe: Sequence[int]) -> tuple[tuple[str, str], ...]:
    """The permitted wagers, or plays of one, that have no row from this shoe, each with the reason."""
    return tuple(_missing(rules, _counts(shoe), terms(rules)).items())


def _missing(rules: BlackjackRules, counts: tuple[int, ...], table: RuleTables) -> dict[str, str]:
    held = by_symbol(rules, counts)
    short = most_cards(table, held) > sum(counts)
    if short and present(rules.hole_card):
        reason = f"a hole card from a shoe that may run out is not counted ({rules.hole_card.rule})"
        return dict.fromkeys(BLACKJACK.wagers(rules), reason)
    long = steps(table, held) > MOST_STEPS if short else False
    found = {}
    elected = SUPER_SEVENS in rules.permitted.value and rules.super_sevens.value.elected
    if elected and (refusal := no_sevens(rules)):
        found[SUPER_SEVENS] = f"{refusal.reason} ({refusal.rule})"
    for name in BLACKJACK.wagers(rules):
        if name == SUPER_SEVENS and len(counts) != CARDS:
            found[name] = NEEDS_SUITS
        elif name == INSURANCE and (not _offering(rules, counts) or sum(counts) < len(rules.passes)):
            found[name] = f"never offered from this shoe ({rules.insurance.against.rule})"
        elif long and (name == MAIN or (name == INSURANCE and not _comes(table, held))):
            found[name] = why_long(rules, shoe=counts, table=table)
    return found


# ---------------------------------------------------------------- the main wager


def main_rows(solved: Solved, *, exact: bool = False) -> list[BlackjackRow]:
    """The main wager by the best play and by the best chart."""
    doubles, fractions = Doubles(solved.board), Rational(solved.board)
    separable = solved.board.terms.separable
    rows = []
    for policy, note in ((solved.main, BY_CARDS if separable else BY_CARDS_SEARCHED), (solved.chart_play, BY_TOTALS)):
        counted = fractions.feasible(policy, most=MOST_TOGETHER if exact else QUICK)
        listed = shares(solved.board, fractions if counted else doubles, policy)
        if counted:
            rows.append(BlackjackRow(_worth(listed, -mean(listed)), policy.name, "exact", "exact", note))
        elif exact and separable:
            rows.append(
                BlackjackRow(_worth(completed(listed), -fractions.worth(policy)), policy.name, "exact", "float", note)
            )
        else:
            edge = -decimal(brings(solved, policy, doubles))
            rows.append(BlackjackRow(_worth(completed(listed), edge), policy.name, "float", "float", note))
    return rows


def brings(solved: Solved, policy: Policy, doubles: Doubles) -> float:
    """What a play brings, in doubles: hand by hand, which is closer than the net results of splits."""
    if policy is solved.main:
        return solved.main_worth
    board, worth = solved.board, solved.chart_worth
    for (up, symbol), plan in policy.plans.items():
        if board.terms.completes[up] >= 0 and not board.terms.separable:
            nets = doubles.split_nets(up, symbol, plan)
            more = sum(float(net * chance) for net, chance in nets.items())
            more -= solved.chart.columns[up].splits[symbol].worth
            worth += board.up_chance(up) * board.pair_chance(up, symbol, symbol) * more
    return worth


def _worth(listed: tuple[Share, ...], edge: Number) -> Worth:
    pays = tuple(Pay(each.result, each.odds, each.net, Fraction(each.chance), each.rule) for each in listed)
    edge = Fraction(edge)
    square = sum((pay.net**2 * pay.probability for pay in pays), Fraction(0))

    def part(sign: int) -> Fraction:
        return sum((pay.probability for pay in pays if (pay.net > 0) - (pay.net < 0) == sign), Fraction(0))

    return Worth(
        wager=MAIN,
        win=part(1),
        lose=part(-1),
        standoff=part(0),
        void=Fraction(0),
        edge=edge,
        variance=square - edge**2,
        offered=Fraction(1),
        throws=Fraction(1),
        pays=pays,
        rules=tuple(dict.fromkeys(pay.rule for pay in pays)),
    )


# ---------------------------------------------------------------- insurance


def _offering(rules: BlackjackRules, counts: Sequence[int]) -> int:
    """How many cards in the shoe would offer insurance as the dealer's first."""
    return _holding(rules, counts, rules.insurance.against.value)


def _holding(rules: BlackjackRules, counts: Sequence[int], values: frozenset[int]) -> int:
    return sum(count for card, count in enumerate(counts) if points(rules, card) in values)


def insurance_row(rules: BlackjackRules, counts: Sequence[int]) -> BlackjackRow:
    """Insurance, given that the dealer's first card offers it."""
    law, cards, firsts = rules.insurance, sum(counts), _offering(rules, counts)
    offered = Fraction(firsts, cards)
    both = _holding(rules, counts, law.against.value & law.wins_on.value)
    pairs = firsts * _holding(rules, counts, law.wins_on.value) - both
    wins = Fraction(pairs, cards * (cards - 1)) / offered
    ends: dict[Resolution, Fraction] = {Won(law.pays.value, law.pays.rule): wins, Lost(law.taken_at.rule): 1 - wins}
    return BlackjackRow(worth_of(INSURANCE, ends, offered=offered), "", "exact", "exact")


# ---------------------------------------------------------------- Super Sevens


def sevens_rows(rules: BlackjackRules, counts: Sequence[int], chart: Policy) -> list[BlackjackRow]:
    """Super Sevens by what is done with two sevens."""
    rows = []
    for play in PLAYS:
        worth = worth_of(SUPER_SEVENS, sevens_ends(rules, counts, play, chart), offered=Fraction(1))
        rows.append(BlackjackRow(worth, f"{SUPER_SEVENS}:{play}", "exact", "exact"))
    return rows
