"""A recorded shoe of baccarat: every coup settled by the rules, and whatever is not as it should be, by its coup.

Theory of operation.  A shoe is a table of coups in the order they were dealt, as a scoreboard or a dealer's log keeps
them: CSV with a heading.  A coup is either `cards` in the order dealt, or the two hands `player` and `banker`, from
which that order follows.  `winner` may be told too, and is then compared.  Coups are heard one after another by the
`hearing` that settles a single case, with the cards of all coups counted against the decks; Runs go on from coup to
coup.

A coup that the rules refuse (a card that was not due, one too few, a card that the decks cannot hold) is named as
irregular with the rule that says so; its wagers go back, it does not count on the roads, and the shoe goes on.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from msgspec.structs import replace as changed

from croupier.equipment import rank
from croupier.errors import BadInput, Refused
from croupier.game import Refusal, Void, say
from croupier.hearing import CardsOut, RoundIn, WagerIn, hear_round
from croupier.law.ruleset import Ruleset
from croupier.money import Cents, parse_amount
from croupier.notation import read_card, without_suit
from croupier.once import dataclass
from croupier.present import Rows, drawn, html_table, short
from croupier.round import AnyRound, next_round, open_round, settle
from croupier.rulesets import known_game

if TYPE_CHECKING:
    from rich.table import Table

Side: TypeAlias = Literal["player", "banker", "tie"]
Winner: TypeAlias = Literal["player", "banker", "tie", ""]
SIDES: Final = {"p": "player", "player": "player", "b": "banker", "banker": "banker", "t": "tie", "tie": "tie"}
MOST_COUPS: Final = 2_000
HANDS: Final = ("player", "banker")


@dataclass(frozen=True, slots=True)
class RecordedCoup:
    """A coup as it was written down; `row` is its line in the file."""

    number: int
    cards: tuple[str, ...]
    winner: str = ""
    row: int = 0


@dataclass(frozen=True, slots=True)
class HeardCoup:
    """A coup as the rules have it: who won with which counts, or why it is irregular."""

    number: int
    cards: tuple[str, ...]
    winner: Winner
    player: int | None = None
    banker: int | None = None
    irregular: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class SettledStake:
    """A wager placed at a coup, and what it came to; it may have been decided at a later one."""

    coup: int
    on: str
    by: str
    amount_cents: Cents
    result: str
    returned_cents: Cents
    rule: str


@dataclass(frozen=True, slots=True, repr=False)
class RecordedShoe:
    """A whole shoe: its coups, its wagers, and the cards that are out."""

    ruleset: Ruleset[Any]
    coups: tuple[HeardCoup, ...]
    stakes: tuple[SettledStake, ...]
    cards_out: int

    @property
    def totals(self) -> Mapping[Side, int]:
        """How often each side won."""
        sides: tuple[Side, ...] = ("player", "banker", "tie")
        return {side: sum(coup.winner == side for coup in self.coups) for side in sides}

    @property
    def irregular(self) -> tuple[HeardCoup, ...]:
        return tuple(coup for coup in self.coups if coup.irregular)

    @property
    def net_cents(self) -> Mapping[str, Cents]:
        """What each bettor is better or worse off."""
        found: dict[str, Cents] = {}
        for stake in self.stakes:
            found[stake.by] = found.get(stake.by, 0) + stake.returned_cents - stake.amount_cents
        return found

    @property
    def big_road(self) -> tuple[str, ...]:
        """The streaks in order, a letter an entry: `BBB`, `P`, …; a tie is a `t` after the entry that it followed."""
        streaks: list[str] = []
        for coup in self.coups:
            letter = coup.winner[:1].upper()
            if coup.winner == "tie":
                streaks[-1:] = [f"{streaks[-1]}t"] if streaks else ["t"]
            elif letter and streaks and streaks[-1].lstrip("t")[:1] in ("", letter):
                streaks[-1] += letter
            elif letter:
                streaks.append(letter)
        return tuple(streaks)

    def rows(self) -> Rows:
        """One flat dictionary a coup, for a data frame."""
        return [
            {
                "coup": coup.number,
                "cards": " ".join(coup.cards),
                "player": coup.player,
                "banker": coup.banker,
                "winner": coup.winner,
                "irregular": coup.irregular,
                "rule": coup.rule,
            }
            for coup in self.coups
        ]

    def to_dict(self) -> dict[str, object]:
        """The shoe in the public form, as `croupier shoe --json` prints it."""
        rules = self.ruleset
        return {
            "game": rules.game,
            "edition": rules.edition,
            "version": rules.version,
            "ruleset": rules.hash,
            **rules.marked,
            "coups": self.rows(),
            "totals": dict(self.totals),
            "irregular": [coup.number for coup in self.irregular],
            "cards_out": self.cards_out,
            "big_road": list(self.big_road),
            "settlements": [
                {
                    "coup": stake.coup,
                    "on": stake.on,
                    "by": stake.by,
                    "amount": stake.amount_cents,
                    "result": stake.result,
                    "returned": stake.returned_cents,
                    "rule": stake.rule,
                }
                for stake in self.stakes
            ],
            "net": dict(self.net_cents),
        }

    def __repr__(self) -> str:
        won = ", ".join(f"{side} {times}" for side, times in self.totals.items())
        return short("Shoe", rules=self.ruleset.label, coups=len(self.coups), won=won, irregular=len(self.irregular))

    def __rich__(self) -> Table:
        return drawn(self.rows(), repr(self))

    def _repr_html_(self) -> str:
        return html_table(self.rows(), repr(self), f"Big road: {' '.join(self.big_road)}")


# ---------------------------------------------------------------- reading


def read_coups(text: str) -> tuple[RecordedCoup, ...]:
    """The coups of a CSV file with the columns `cards`, or `player` and `banker`; `coup` and `winner` if told."""
    rows = _rows(text, "a shoe", needs=(("cards",), HANDS))
    coups = tuple(_coup(index, row, line) for index, (line, row) in enumerate(rows, 1))
    if len(coups) > MOST_COUPS:
        raise BadInput(f"{len(coups)} coups are no shoe; at most {MOST_COUPS} are read")
    return coups


def _coup(index: int, row: Mapping[str, str], line: int) -> RecordedCoup:
    number = _whole(row.get("coup", "") or str(index), "coup", line)
    if row.get("cards"):
        cards = tuple(row["cards"].split())
    else:
        hands = [row.get(side, "").split() for side in HANDS]
        most = max(map(len, hands))
        cards = tuple(hand[place] for place in range(most) for hand in hands if place < len(hand))
    winner = SIDES.get(written := row.get("winner", "").casefold(), "")
    if written and not winner:
        raise BadInput(f"line {line}: winner is player, banker or tie: {written!r:.40}")
    return RecordedCoup(number, cards, winner, line)


def read_wagers(text: str) -> Mapping[int, tuple[WagerIn, ...]]:
    """The wagers by their coup: CSV with `coup`, `on`, `amount` in dollars and, if there are several bettors, `by`."""
    found: dict[int, tuple[WagerIn, ...]] = {}
    for line, row in _rows(text, "wagers", needs=(("coup", "on", "amount"),)):
        number = _whole(row["coup"], "coup", line)
        try:
            wager = WagerIn(row["on"], parse_amount(row["amount"].lstrip("$")), by=row.get("by", ""))
        except ValueError as error:
            raise BadInput(f"line {line}: {error}") from error
        found[number] = (*found.get(number, ()), wager)
    return found


def _rows(text: str, what: str, *, needs: Sequence[Sequence[str]]) -> list[tuple[int, dict[str, str]]]:
    lines = io.StringIO(text.removeprefix("\ufeff"), newline=None)
    reader = csv.DictReader(lines, restkey="", skipinitialspace=True)
    try:
        return _cells(reader, what, needs)
    except csv.Error as error:
        raise BadInput(f"line {reader.line_num + 1}: {error}") from error


def _cells(reader: csv.DictReader[str], what: str, needs: Sequence[Sequence[str]]) -> list[tuple[int, dict[str, str]]]:
    columns = [(name or "").strip().casefold() for name in reader.fieldnames or ()]
    if not any(set(some) <= set(columns) for some in needs):
        wanted = " or ".join(", ".join(some) for some in needs)
        raise BadInput(
            f"{what} has the columns {wanted} in its first line; found are {', '.join(columns)[:120] or 'none'}"
        )
    reader.fieldnames = columns
    rows = []
    for row in reader:
        if row.get(""):
            raise BadInput(f"line {reader.line_num}: more cells than the first line has columns")
        rows.append((reader.line_num, {name: (cell or "").strip() for name, cell in row.items()}))
    return [(line, row) for line, row in rows if any(row.values())]


def _whole(text: str, what: str, line: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 7 and 0 < int(text) <= 10**6):
        raise BadInput(f"line {line}: {what} is a number: {text!r:.40}")
    return int(text)


# ---------------------------------------------------------------- hearing


def hear_shoe(
    rules: Ruleset[Any], coups: Iterable[RecordedCoup], wagers: Mapping[int, tuple[WagerIn, ...]] | None = None
) -> RecordedShoe:
    """Hear every coup of a shoe in turn, and settle what was staked."""
    if rules.game != "baccarat":
        raise BadInput(f"a shoe is of baccarat; {rules.game} is told round by round")
    recorded, staked = tuple(coups), dict(wagers or {})
    strange = sorted(set(staked) - {coup.number for coup in recorded})
    if strange:
        raise BadInput(f"wagers at coup {strange[0]}, which the shoe does not have")
    this, out = open_round(known_game(rules.game), rules.rules), CardsOut()
    heard: list[HeardCoup] = []
    placed_at: list[int] = []
    for coup in recorded:
        given = RoundIn(coup.cards, staked.get(coup.number, ()))
        fresh = this if not heard else next_round(this)
        kept = CardsOut(list(out.cards), list(out.ranks))
        try:
            after, _ = hear_round(fresh, given, out)
            heard.append(_heard(after, coup))
        except (Refused, BadInput) as error:
            after, out = _left(fresh, given), _with_cards(kept, coup, known_game(rules.game).decks(rules.rules))
            heard.append(HeardCoup(coup.number, coup.cards, "", irregular=str(error), rule=getattr(error, "rule", "")))
        placed_at += [coup.number] * (after.numbered - this.numbered)
        this = after
    return RecordedShoe(rules, tuple(heard), _stakes(this, placed_at), len(out.cards) + len(out.ranks))


def _heard(this: AnyRound, coup: RecordedCoup) -> HeardCoup:
    if not this.game.at_rest(this.rules, this.state):
        raise Refused(Refusal(f"the coup is not over: due is {say(this.due)}", this.due.rule))
    outcome = this.game.outcome(this.rules, this.state)
    winner = SIDES.get(str(outcome.get("winner")), "")
    if coup.winner and coup.winner != winner:
        raise Refused(Refusal(f"told as won by {coup.winner}, but it is {winner or 'nobody'}", this.due.rule))
    counts = (outcome.get("player"), outcome.get("banker"))
    player, banker = (count if isinstance(count, int) else None for count in counts)
    return HeardCoup(coup.number, coup.cards, winner, player, banker)  # type: ignore[arg-type]


def _with_cards(out: CardsOut, coup: RecordedCoup, decks: int) -> CardsOut:
    """The cards out after a coup that cannot be heard: what was dealt in it has left the shoe, as far as it held it."""
    cards, ranks = list(out.cards), list(out.ranks)
    for text in coup.cards:
        try:
            card, bare = read_card(text), without_suit(text)
        except ValueError:
            continue
        alike = sum(rank(each) == rank(card) for each in (*cards, *ranks))
        if alike < 4 * decks and (bare or cards.count(card) < decks):
            (ranks if bare else cards).append(card)
    return CardsOut(cards, ranks)


def _left(this: AnyRound, given: RoundIn) -> AnyRound:
    """A coup that cannot be heard: whatever was staked on it goes back, as if it had not been dealt."""
    alone, _ = hear_round(this, RoundIn((), given.wagers, given.nominate), CardsOut())
    rule = this.due.rule
    before = this.numbered
    book = tuple(
        type(entry)(entry.wager, Void(rule)) if entry.wager.number >= before and entry.resolution is None else entry
        for entry in alone.book
    )
    return changed(alone, book=book, start=book)


def _stakes(this: AnyRound, placed_at: Sequence[int]) -> tuple[SettledStake, ...]:
    rounding = this.game.rounding(this.rules)
    lines = []
    for entry, coup in zip(this.book, placed_at, strict=True):
        money, wager = settle(entry, rounding, this.sign.chip), entry.wager
        amount = wager.stake_cents + wager.voided_cents
        lines.append(SettledStake(coup, wager.on, wager.by, amount, money.result, money.returned_cents, money.rule))
    return tuple(lines)
