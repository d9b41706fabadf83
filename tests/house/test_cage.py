"""The cage by itself: every refusal in its order, the money in balance, and a voucher paid at most once."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.floor.rooms.cage.barcode import QUIET, START_C, STOP, WIDTHS, bars, modules, svg, symbols
from croupier.game import Refusal
from croupier.house.cage import messages as m
from croupier.house.cage.codes import CHANCE, LENGTH, Mistyped, code_of, grouped, in_words, read_code
from croupier.house.cage.decide import DECISIONS, decide, entries
from croupier.house.cage.law import RULES
from croupier.house.cage.messages import CageEntry, CageRequest, Issued, decode
from croupier.house.cage.state import DAY_MS, NAME, Cage, after
from croupier.journal.accounts import VOUCHERS
from croupier.journal.entries import BadJournal, encode
from croupier.law import inventory
from croupier.law.officials import ROLES
from croupier.money import LARGEST_AMOUNT, dollars
from tests.helpers.ledger import books

FLOAT = 5_000_000
CODES = tuple(code_of(number) for number in (7, 12_345_678_901_234_567_890, 10**CHANCE - 1))


def issue(amount: int = 40_000, **more: Any) -> Issued:
    return Issued("EB-1", amount, more.pop("at_ms", 1000), 31, "Terminal 3", **more)


@dataclass(slots=True)
class Desk:
    """A cage, its journal, and whoever stands at it."""

    cage: Cage = field(default_factory=Cage)
    journal: list[CageEntry] = field(default_factory=list)
    at_ms: int = 2000

    def ask(self, what: m.AnyCommand, role: str = "cashier", by: str = "Lee") -> Any:
        request = CageRequest(what, by, role, self.at_ms)
        events = decide(self.cage, request)
        if not isinstance(events, Refusal):
            lines = entries(self.cage, request, events)
            self.cage = after(self.cage, lines)
            self.journal += lines
        return events

    def done(self, what: m.AnyCommand, role: str = "cashier") -> Any:
        (event,) = self.ask(what, role)
        assert inventory.exists(event.rule)
        assert sum(self.cage.balances.values()) == 0
        return event

    def refused(self, what: m.AnyCommand, rule: str, reason: str, role: str = "cashier") -> None:
        answer = self.ask(what, role)
        assert isinstance(answer, Refusal), answer
        assert (answer.rule, reason in answer.reason) == (rule, True), answer


def opened(*, practice: bool = False, days: int = 0, shift: bool = True) -> Desk:
    desk = Desk(at_ms=500)
    desk.done(m.OpenCage(practice, days), "casino supervisor")
    if shift:
        desk.done(m.OpenShift(FLOAT, 1_000_000))
    desk.at_ms = 2000
    return desk


# ---------------------------------------------------------------- the number and its barcode


def test_a_number_has_more_than_80_bits_and_survives_being_printed_and_typed() -> None:
    assert 10**CHANCE > 2**80
    for code in CODES:
        assert len(code) == LENGTH
        assert read_code(f"  {grouped(code)}\n") == code
        assert read_code(grouped(code).replace(" ", "-")) == code


@given(st.integers(0, 10**CHANCE - 1), st.data())
def test_one_wrong_figure_and_two_exchanged_ones_always_show(chance: int, data: st.DataObject) -> None:
    code = code_of(chance)
    at = data.draw(st.integers(0, LENGTH - 1))
    other = data.draw(st.sampled_from([figure for figure in "0123456789" if figure != code[at]]))
    with pytest.raises(Mistyped, match="mistyped"):
        read_code(code[:at] + other + code[at + 1 :])
    if at and code[at] != code[at - 1]:
        with pytest.raises(Mistyped, match="mistyped"):
            read_code(code[: at - 1] + code[at] + code[at - 1] + code[at + 1 :])


@pytest.mark.parametrize("text", ["", "12", "x" * LENGTH, CODES[0][:-1], CODES[0] + "0", "²" * LENGTH, "١" * LENGTH])
def test_what_is_no_number_is_one_line(text: str) -> None:
    with pytest.raises(Mistyped) as wrong:
        read_code(text)
    assert "\n" not in str(wrong.value)


@pytest.mark.parametrize("chance", [-1, 10**CHANCE])
def test_a_number_that_does_not_fit_is_refused(chance: int) -> None:
    with pytest.raises(ValueError, match="voucher number"):
        code_of(chance)


@pytest.mark.parametrize(
    ("cents", "words"),
    [
        (0, "Zero dollars"),
        (100, "One dollar"),
        (101, "One dollar and one cent"),
        (40_000, "Four hundred dollars"),
        (2_199, "Twenty-one dollars and ninety-nine cents"),
        (136_550, "One thousand three hundred and sixty-five dollars and fifty cents"),
        (100_000_100, "One million and one dollars"),
        (LARGEST_AMOUNT, "Ten thousand million dollars"),
    ],
)
def test_amounts_in_words(cents: int, words: str) -> None:
    assert in_words(cents) == words


def test_the_symbols_are_all_that_three_even_bars_in_eleven_modules_can_make() -> None:
    possible = {
        "".join(map(str, widths))
        for widths in itertools.product(range(1, 5), repeat=6)
        if sum(widths) == 11 and sum(widths[::2]) % 2 == 0
    }
    # The two that are left out are the stop sign's, read in either direction.
    assert possible - set(WIDTHS) == {WIDTHS[STOP][:6], WIDTHS[STOP][::-1][:6]}
    assert len(set(WIDTHS)) == len(WIDTHS) == STOP + 1


def scanned(drawn: tuple[tuple[int, int], ...], width: int) -> str:
    """What a scanner reads: dark and light modules from left to right, cut into symbols."""
    dark = [False] * width
    for at, wide in drawn:
        dark[at : at + wide] = [True] * wide
    runs = [len(list(run)) for _, run in itertools.groupby(dark)]
    assert runs[0] == runs[-1] == QUIET
    widths = "".join(map(str, runs[1:-1]))
    assert widths[-7:] == WIDTHS[STOP]
    read = [WIDTHS.index(widths[at : at + 6]) for at in range(0, len(widths) - 7, 6)]
    start, *pairs, total = read
    assert start == START_C
    assert (start + sum(place * pair for place, pair in enumerate(pairs, 1))) % 103 == total
    return "".join(f"{pair:02d}" for pair in pairs)


@given(st.integers(0, 10**CHANCE - 1))
def test_a_barcode_reads_back_as_its_number(chance: int) -> None:
    code = code_of(chance)
    assert scanned(bars(code), modules(code)) == code
    assert svg(code).count("<rect") == len(bars(code)) == 3 * len(symbols(code)) + 1


@pytest.mark.parametrize("figures", ["123", "12a4", "１２"])
def test_a_barcode_is_of_pairs_of_figures(figures: str) -> None:
    with pytest.raises(ValueError, match="even number of figures"):
        symbols(figures)


# ---------------------------------------------------------------- NZEB-10.6: a voucher is paid once, for its value


def test_nzeb_10_6_a_voucher_is_paid_once() -> None:
    desk = opened()
    paid = desk.done(m.RedeemVoucher(grouped(CODES[0]), 40_000, issue()))
    assert paid.rule == "NZEB-10.6"
    assert [(move.debit, move.credit, move.amount) for move in paid.transfers] == [(VOUCHERS, "drawer:cash", 40_000)]
    assert desk.cage.cash == FLOAT - 40_000
    again = "paid already on 1 Jan 1970 at 00:00:02 UTC by Lee"
    desk.refused(m.RedeemVoucher(CODES[0], 40_000, issue()), "NZEB-10.6", again)
    assert desk.cage.cash == FLOAT - 40_000


def test_nzeb_10_6_a_journal_that_pays_twice_is_no_journal() -> None:
    desk = opened()
    desk.done(m.RedeemVoucher(CODES[0], 40_000, issue()))
    paid = desk.journal[-1]
    with pytest.raises(BadJournal, match="a second time"):
        after(desk.cage, (CageEntry(paid.number + 1, paid.at_ms, paid.by, paid.role, paid.event),))


def redeem(**changes: Any) -> m.RedeemVoucher:
    fields: dict[str, Any] = {"voucher": CODES[0], "amount": 40_000, "issued": issue()}
    return m.RedeemVoucher(**(fields | changes))


OFFENCES: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("mistyped", {"voucher": CODES[0][:-1] + "0"}, "NZEB-10.6", "mistyped"),
    ("never issued", {"issued": None}, "NZEB-10.6", "no voucher with this number"),
    ("paid at its table", {"issued": issue(paid=True)}, "NZEB-10.6", "paid already, at table EB-1"),
    ("practice", {"issued": issue(practice=True)}, "NZEB-10.6", "practice voucher is not money"),
    ("held", {"issued": issue(held="locked")}, "NZEB-12.4", "held: locked"),
    ("another amount", {"amount": 39_999}, "NZEB-10.6", "another amount"),
)


@pytest.mark.parametrize(("name", "changes", "rule", "reason"), OFFENCES, ids=[each[0] for each in OFFENCES])
def test_a_voucher_is_refused_with_the_reason(name: str, changes: dict[str, Any], rule: str, reason: str) -> None:
    opened().refused(redeem(**changes), rule, reason)


def test_the_first_reason_of_the_order_is_told() -> None:
    """Every reason at once, taken away one after another, appears in the documented order."""
    desk = opened(days=1)
    desk.at_ms = 10 * DAY_MS
    bad = issue(FLOAT + 1, paid=True, practice=True, held="locked")
    reasons = []
    for voucher, fact, amount in (
        ("12", None, 1),
        (CODES[1], None, 1),
        (CODES[1], bad, 1),
        (CODES[1], issue(FLOAT + 1, practice=True, held="locked"), 1),
        (CODES[1], issue(FLOAT + 1, held="locked"), 1),
        (CODES[1], issue(FLOAT + 1), 1),
        (CODES[1], issue(FLOAT + 1), FLOAT + 1),
        (CODES[1], issue(FLOAT + 1, at_ms=desk.at_ms), FLOAT + 1),
    ):
        answer = desk.ask(m.RedeemVoucher(voucher, amount, fact))
        assert isinstance(answer, Refusal)
        reasons.append(answer.reason.split(":")[0].split(", ")[0])
    assert reasons == [
        "a voucher number has 28 figures",
        "no voucher with this number was issued here",
        "paid already",
        "a practice voucher is not money",
        "held",
        "it shows $0.01",
        "expired",
        f"the drawer holds {dollars(FLOAT)}",
    ]


def test_the_wrong_role_comes_before_everything_and_the_missing_shift_next() -> None:
    desk = opened(shift=False)
    desk.refused(redeem(voucher="1"), "NZ1996-I-17.1", "is for the cashier", role="player")
    desk.refused(redeem(voucher="1"), "NZ1996-I-17.1", "no shift is open")


@pytest.mark.parametrize("command", DECISIONS, ids=lambda command: command.__name__)
def test_every_command_is_for_its_roles_and_for_no_others(command: type[m.AnyCommand]) -> None:
    law = DECISIONS[command][0](RULES)
    made: Any = command
    for role in ROLES:
        fields = {name: 1 if name not in ("voucher", "reason", "table", "box") else "x" for name in _required(command)}
        answer = Desk().ask(made(**fields), role)
        stopped = isinstance(answer, Refusal) and " is for " in answer.reason
        assert stopped == (role not in law.value)
    assert "inspector" not in law.value
    assert "cashier" in RULES.cashier.value


def _required(command: type[m.AnyCommand]) -> tuple[str, ...]:
    fields, defaults = command.__struct_fields__, command.__struct_defaults__
    return tuple(fields[: len(fields) - len(defaults)])


# ---------------------------------------------------------------- expiry, a setting


@pytest.mark.parametrize(("late_ms", "paid"), [(-1, True), (0, True), (1, False)])
def test_a_voucher_is_paid_until_its_last_moment(late_ms: int, *, paid: bool) -> None:
    desk = opened(days=30)
    desk.at_ms = 1000 + 30 * DAY_MS + late_ms
    answer = desk.ask(redeem())
    assert isinstance(answer, tuple) == paid
    if not paid:
        assert answer == Refusal("expired: only a supervisor can still pay it", "NZEB-10.6")


def test_without_a_setting_no_voucher_expires() -> None:
    desk = opened()
    desk.at_ms = 100_000 * DAY_MS
    desk.done(redeem())


def test_a_later_setting_does_not_change_what_is_printed() -> None:
    desk = opened(days=30)
    desk.at_ms = 5 * DAY_MS
    desk.done(m.SetExpiry(1), "casino supervisor")
    assert desk.cage.expires_ms(1000) == 1000 + 30 * DAY_MS
    assert desk.cage.expires_ms(5 * DAY_MS - 1) == 35 * DAY_MS - 1
    assert desk.cage.expires_ms(5 * DAY_MS) == 6 * DAY_MS
    desk.done(m.SetExpiry(0), "shift manager")
    desk.at_ms += 1
    assert desk.cage.expires_ms(desk.at_ms) == 0


@pytest.mark.parametrize(("days", "fine"), [(-1, False), (0, True), (36_500, True), (36_501, False)])
def test_an_expiry_has_limits(days: int, *, fine: bool) -> None:
    assert isinstance(opened().ask(m.SetExpiry(days), "casino supervisor"), tuple) == fine


def test_a_supervisor_pays_late_from_what_was_given_up() -> None:
    desk = opened(days=1)
    late = m.PayLate(CODES[0], 40_000, "she was ill", issue())
    desk.refused(late, "NZEB-10.6", "not expired", role="casino supervisor")
    desk.refused(m.ExpireVoucher(CODES[0], issue()), "NZ1996-I-16.2", "still owed", role="casino supervisor")
    desk.at_ms = 3 * DAY_MS
    gone = desk.done(m.ExpireVoucher(CODES[0], issue()), "casino supervisor")
    assert (gone.rule, desk.cage.balances["unclaimed"]) == ("NZ1996-I-16.2", 40_000)
    desk.refused(m.ExpireVoucher(CODES[0], issue()), "NZ1996-I-16.2", "expired already", role="casino supervisor")
    desk.refused(redeem(), "NZEB-10.6", "expired")
    desk.refused(late, "NZ1996-I-1.0-def-casino-supervisor", "for casino supervisors")
    desk.refused(m.PayLate(CODES[0], 1, "x", issue()), "NZEB-10.6", "another amount", role="casino supervisor")
    desk.refused(m.PayLate(CODES[0], 40_000, " ", issue()), "NZ1996-I-17.1", "the reason", role="casino supervisor")
    paid = desk.done(late, "casino supervisor")
    assert (paid.late, paid.reason, desk.cage.balances["unclaimed"]) == (True, "she was ill", 0)
    desk.refused(late, "NZEB-10.6", "paid already", role="casino supervisor")


def test_nzeb_12_4_a_voucher_that_is_voided_is_never_paid() -> None:
    desk = opened()
    void = m.VoidVoucher(CODES[0], "credited by fault 3", issue(held="locked"))
    event = desk.done(void, "casino supervisor")
    assert (event.rule, desk.cage.balances["refused"]) == ("NZEB-12.4", 40_000)
    desk.refused(redeem(), "NZEB-12.4", "voided already")
    desk.refused(void, "NZEB-12.4", "voided already", role="casino supervisor")
    desk.done(redeem(voucher=CODES[1]))
    desk.refused(m.VoidVoucher(CODES[1], "x", issue()), "NZEB-10.6", "paid already", role="shift manager")


# ---------------------------------------------------------------- chips and vouchers of the cage itself


def test_ni_17_1_chips_for_cash_for_a_cheque_and_for_a_voucher() -> None:
    desk = opened()
    event = desk.done(m.CashChips(25_000, cheque=20_000))
    assert (event.rule, event.cash, event.cheque) == ("NZ1996-I-17.1b", 5_000, 20_000)
    assert (desk.cage.cash, desk.cage.chips) == (FLOAT - 5_000, 1_025_000)
    made = desk.done(m.IssueVoucher(30_000, CODES[2]))
    assert (made.rule, desk.cage.balances[VOUCHERS]) == ("NZ1996-I-17.1a", 30_000)
    desk.refused(m.IssueVoucher(1, CODES[2]), "NZ1996-I-17.1a", "exists already")
    # What its own journal says counts more than what the floor read.
    desk.refused(m.RedeemVoucher(CODES[2], 1, issue(1)), "NZEB-10.6", "another amount")
    desk.done(m.RedeemVoucher(CODES[2], 30_000))
    assert desk.cage.balances[VOUCHERS] == 0


@pytest.mark.parametrize(
    ("what", "rule"),
    [
        (m.CashChips(100, promotional=True), "NZ1996-I-17.2"),
        (m.CashChips(100, table="R-1"), "NZ1996-I-18.2c"),
        (m.CashChips(0), "NZ1996-I-17.1b"),
        (m.CashChips(100, cheque=101), "NZ1996-I-17.1b"),
        (m.CashChips(100, cheque=-1), "NZ1996-I-17.1b"),
        (m.CashChips(FLOAT + 1), "NZ1996-I-17.1b"),
        (m.SellChips(1_000_001), "NZ1996-I-14.3"),
        (m.FillTable("R-1", 1_000_001), "NZ1996-I-14.3"),
        (m.FillTable("", 100), "NZ1996-I-17.1"),
        (m.FillTable("a\0b", 100), "NZ1996-I-17.1"),
        (m.CreditTable("R-1", 0), "NZ1996-I-14.3"),
        (m.CollectDrop("R-1", -1), "NZEB-3.1.s2"),
        (m.MoveFloat("more", cash=-FLOAT - 1), "NZ1996-I-17.1"),
        (m.MoveFloat("nothing"), "NZ1996-I-17.1"),
        (m.OpenShift(1), "NZ1996-I-17.1"),
    ],
)
def test_what_the_cage_does_not_do(what: m.AnyCommand, rule: str) -> None:
    desk = opened()
    before = desk.cage
    answer = desk.ask(what)
    assert isinstance(answer, Refusal)
    assert answer.rule == rule
    assert desk.cage == before


@pytest.mark.parametrize(
    ("what", "cash", "chips"),
    [
        (m.CashChips(FLOAT), 0, 1_000_000 + FLOAT),
        (m.SellChips(1_000_000), FLOAT + 1_000_000, 0),
        (m.FillTable("R-1", 1_000_000), FLOAT, 0),
        (m.CreditTable("R-1", 50_000), FLOAT, 1_050_000),
        (m.CollectDrop("R-1", 70_000, expected=72_000), FLOAT + 70_000, 1_000_000),
        (m.CollectDrop("R-1", 0), FLOAT, 1_000_000),
        (m.MoveFloat("too much", cash=-FLOAT, chips=5), 0, 1_000_005),
    ],
)
def test_what_each_business_does_to_the_drawer(what: m.AnyCommand, cash: int, chips: int) -> None:
    desk = opened()
    desk.done(what)
    assert (desk.cage.cash, desk.cage.chips) == (cash, chips)


# ---------------------------------------------------------------- shifts


def test_a_shift_is_not_closed_without_a_count_that_still_holds() -> None:
    desk = opened()
    desk.refused(m.CloseShift(), "NZ1996-I-1.0-def-casino-premises", "count it first")
    desk.done(m.CountDrawer(FLOAT, 1_000_000))
    desk.done(redeem())
    desk.refused(m.CloseShift(), "NZ1996-I-1.0-def-casino-premises", "count it first")
    desk.done(m.CountDrawer(FLOAT - 40_000, 1_000_000))
    desk.done(m.CloseShift())
    assert (desk.cage.cash, desk.cage.chips, desk.cage.shift) == (0, 0, None)


def test_a_difference_is_recorded_with_who_and_why() -> None:
    desk = opened()
    desk.done(m.CollectDrop("EB-1", 182_000, "Terminal 14", expected=184_000))
    counted = desk.done(m.CountDrawer(FLOAT + 182_000 - 2_000, 1_000_500))
    assert counted.expected_cash - counted.counted_cash == 2_000
    assert desk.cage.balances["drop difference"] == -2_000
    assert desk.cage.dropped("EB-1", "Terminal 14") == 184_000
    desk.refused(m.CloseShift(" "), "NZ1996-I-1.0-def-casino-premises", "cash −$20, chips $5")
    closed = desk.done(m.CloseShift("a note was paid out twice"))
    assert (closed.cash_difference, closed.chips_difference) == (-2_000, 500)
    assert desk.cage.balances["over and short"] == -1_500
    assert desk.cage.balances["vault"] == 1_500 - 182_000
    (shift,) = desk.cage.closed
    assert (shift.closed_by, shift.reason) == ("Lee", "a note was paid out twice")
    assert [(drop.expected, drop.counted) for drop in shift.drops] == [(184_000, 182_000)]
    assert {kind: flow.cash for kind, flow in shift.flows.items()} == {"float": FLOAT, "drop": 182_000}
    assert desk.done(m.OpenShift(100)).shift == 2


# ---------------------------------------------------------------- any requests at all

TEXTS = st.sampled_from(["", "x", "EB-1", "a\0", "long" * 60, *CODES, "12"])
AMOUNTS = st.sampled_from([-1, 0, 1, 99, 40_000, FLOAT, LARGEST_AMOUNT, LARGEST_AMOUNT + 1])
ISSUES = st.none() | st.builds(
    Issued,
    table=st.just("EB-1"),
    amount=st.sampled_from([1, 40_000]),
    at_ms=st.integers(0, 5 * DAY_MS),
    line=st.integers(1, 9),
    terminal=st.just("Terminal 3"),
    practice=st.booleans(),
    paid=st.sampled_from([False, False, False, True]),
    held=st.sampled_from(["", "", "locked"]),
)
KNOWN = {"issued": ISSUES, "voucher": st.sampled_from([*CODES, *CODES, "12"]), "reason": st.sampled_from(["why", ""])}
FLAGS = ("practice", "promotional")
WORDS = ("table", "box")


def _commands(command: Any) -> st.SearchStrategy[Any]:
    def part(name: str) -> st.SearchStrategy[Any]:
        plain = TEXTS if name in WORDS else st.booleans() if name in FLAGS else AMOUNTS
        return KNOWN.get(name, st.integers(-1, 3) if name in ("days", "expiry_days") else plain)

    return st.builds(command, **{name: part(name) for name in command.__struct_fields__})


COMMANDS = st.one_of([_commands(command) for command in DECISIONS])
LIKELY = st.one_of(
    [
        st.just(m.OpenShift(FLOAT, 1_000)),
        st.builds(m.RedeemVoucher, KNOWN["voucher"], st.just(40_000), st.just(issue())),
        st.builds(m.CountDrawer, AMOUNTS),
        st.builds(m.CloseShift, st.just("why")),
    ]
)
ASKED = st.tuples(
    COMMANDS | LIKELY, st.sampled_from(["cashier", "shift manager", "shift manager", "player"]), st.integers(0, DAY_MS)
)


@settings(max_examples=150)
@given(st.lists(ASKED, max_size=25))
def test_whatever_is_asked_the_books_balance_and_replay_gives_the_same(asked: list[tuple[Any, str, int]]) -> None:
    desk = opened(days=1, shift=False)
    for what, role, later in asked:
        desk.at_ms += later
        answer = desk.ask(what, role)
        outcomes = (answer,) if isinstance(answer, Refusal) else answer
        assert all(inventory.exists(each.rule) for each in outcomes)
        assert sum(desk.cage.balances.values()) == 0
        assert min(desk.cage.cash, desk.cage.chips) >= 0
    lines = [decode(encode(line)) for line in desk.journal]
    assert after(Cage(), lines) == desk.cage
    assert dict(books(lines).balances) == dict(desk.cage.balances)
    accounts = {account for line in lines for move in line.event.transfers for account in (move.debit, move.credit)}
    drawer = {"drawer:cash", "drawer:chips", "vault", "over and short", "drop difference"}
    others = {"unclaimed", "refused", "cheques", "vouchers"}
    assert all(account in drawer | others or account.startswith(("tray:", "drop:")) for account in accounts)
    paid = [line.event.voucher for line in lines if isinstance(line.event, m.VoucherPaid)]
    assert len(paid) == len(set(paid))


def test_the_name_of_the_journal_is_no_name_of_a_table() -> None:
    assert NAME.startswith("@")
