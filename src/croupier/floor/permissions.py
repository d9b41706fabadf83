"""The permission table: every operation of the house, and who may ask for it.  What is not listed is refused.

Theory of operation.  An operation is an HTTP route (`GET /api/tables`), a line (`WS …`) or a command of a table
(`PlaceWager`).  A `Door` says how somebody shows who they are (nothing, the cookie of a session, a ticket in the
header, or a ticket inside the message) and which roles may pass.  `guard.py` asks here before any route runs, so a
route that nobody has listed answers 403.  For commands, this table says which roles may ask at all; the law of the
table then decides, and may be narrower: a test holds the two against each other.  `tests/golden/permissions.txt` is
the whole matrix, for people.

`FOUR_EYES` are the commands that one person does not do alone in a house with accounts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from croupier.table.general import (
    CASHIER,
    CASINO_SUPERVISOR,
    DEALER,
    GAME_SUPERVISOR,
    INSPECTOR,
    JACKPOT_EQUIPMENT,
    LADDER,
    NOTE_ACCEPTOR,
    PLAYER,
    ROLES,
    SHIFT_MANAGER,
    STICKPERSON,
    VIRTUAL_SHOE,
    Roles,
    at_least,
)

Shown: TypeAlias = Literal["nothing", "session", "ticket", "inside"]

EVERYBODY: Final[Roles] = frozenset(ROLES)
DEALERS: Final[Roles] = frozenset({STICKPERSON, *LADDER})
SUPERVISORS: Final = at_least(GAME_SUPERVISOR)
SENIORS: Final = at_least(CASINO_SUPERVISOR)
MANAGERS: Final = at_least(SHIFT_MANAGER)
CASH_DESK: Final[Roles] = frozenset({CASHIER, *SENIORS})
REVIEWERS: Final[Roles] = frozenset({INSPECTOR, *SUPERVISORS})
INSPECTORS: Final[Roles] = frozenset({INSPECTOR, *MANAGERS})


@dataclass(frozen=True, slots=True)
class Door:
    """How somebody shows who they are, and the roles that may pass; `demo`: how, in a demonstration."""

    shown: Shown
    roles: Roles = EVERYBODY
    demo: Shown | None = None


PUBLIC: Final = Door("nothing")

DOORS: Final[Mapping[str, Door]] = {
    # What anybody may see: that the house lives, its pages, its tables and the rules.
    "GET /health": PUBLIC,
    "GET /metrics": PUBLIC,
    "GET /openapi.json": PUBLIC,
    "HEAD /openapi.json": PUBLIC,
    "GET /first": PUBLIC,
    "GET /icon.svg": PUBLIC,
    "GET /{path:path}": PUBLIC,
    "GET /api/tables": PUBLIC,
    "GET /api/rules/{rule}": PUBLIC,
    "GET /api/lab/choices": PUBLIC,
    "GET /api/lab/sheet": PUBLIC,
    "GET /api/lab/why": PUBLIC,
    "GET /api/lab/compare": PUBLIC,
    "GET /api/lab/par": PUBLIC,
    "GET /api/lab/simulation": PUBLIC,
    "GET /api/rulebook/shelf": PUBLIC,
    "GET /api/rulebook/search": PUBLIC,
    "GET /api/rulebook/rule/{rule}": PUBLIC,
    "GET /api/rulebook/places/{rule}": PUBLIC,
    "GET /api/rulebook/diff": PUBLIC,
    "GET /api/training/choices": PUBLIC,
    "GET /api/training/lesson": PUBLIC,
    "GET /api/training/judge": PUBLIC,
    "GET /api/training/score": PUBLIC,
    "GET /api/training/advice": PUBLIC,
    # Signing in, and what a session is for.
    "GET /api/me": PUBLIC,
    "POST /api/sign-in": PUBLIC,
    "POST /api/lend": PUBLIC,
    "POST /api/sign-out": Door("session"),
    "POST /api/password": Door("session"),
    "POST /api/enter": Door("session", demo="nothing"),
    # The people of the house.
    "GET /api/people": Door("ticket", MANAGERS),
    "POST /api/people": Door("ticket", MANAGERS),
    # The cage; whoever has a voucher in hand may look it up by its number, which nobody can guess.
    "GET /api/cage/state": Door("ticket", CASH_DESK | {INSPECTOR}),
    "GET /api/cage/vouchers/{code}": Door("ticket", CASH_DESK | {INSPECTOR}),
    "GET /api/cage/meters": Door("ticket", CASH_DESK | {INSPECTOR}),
    "GET /api/cage/report": Door("ticket", CASH_DESK | {INSPECTOR}),
    "GET /api/cage/report.html": Door("ticket", CASH_DESK | {INSPECTOR}),
    "POST /api/cage/commands": Door("ticket", CASH_DESK | DEALERS | {INSPECTOR}),
    "GET /voucher": PUBLIC,
    # Tournaments: everybody of the house reads; who may ask which command is decided by their law.
    "GET /api/tournaments": Door("session", demo="nothing"),
    "GET /api/tournaments/{name}": Door("session", demo="nothing"),
    "POST /api/tournaments": Door("ticket", SENIORS),
    "POST /api/tournaments/{name}/commands": Door("ticket", DEALERS | {PLAYER}),
    # The jackpot links; what of a link is for senior staff, the link itself refuses.
    "GET /api/links": Door("ticket", REVIEWERS),
    "POST /api/links/{name}/commands": Door("ticket", SUPERVISORS),
    # The tables.
    "POST /api/tables/{name}/commands": Door("inside"),
    "POST /api/tables/{name}/preview": Door("inside", DEALERS | REVIEWERS),
    "GET /api/tables/{name}/rounds/{number}": Door("ticket", demo="nothing"),
    "GET /api/tables/{name}/records": Door("ticket", REVIEWERS),
    "WS /api/tables/{name}/live": Door("inside"),
    # Devices prove themselves by a code or their secret; cards are told by a paired shoe, which its ticket says.
    "POST /api/devices/code": Door("ticket", SUPERVISORS),
    "POST /api/devices/pair": PUBLIC,
    "POST /api/devices/enter": PUBLIC,
    "POST /api/devices/notes": PUBLIC,
    "POST /api/tables/{name}/shoe": Door("ticket", frozenset({DEALER})),
    # The inspector's own.
    "POST /api/inspect/verify": Door("ticket", INSPECTORS),
    "GET /api/inspect/export": Door("ticket", INSPECTORS),
    "GET /api/inspect/reports": Door("ticket", INSPECTORS),
    # Other processes of the same house show that they know its secret.
    "WS /api/peers": Door("inside"),
}

COMMANDS: Final[Mapping[str, Roles]] = {
    "OpenTable": SUPERVISORS,
    "PostClosing": SENIORS,
    "CloseTable": SENIORS,
    "Sit": DEALERS | {PLAYER},
    "Leave": DEALERS | {PLAYER},
    "AskToLeave": SUPERVISORS,
    "Exclude": SENIORS,
    "AllowStanding": SUPERVISORS,
    "PostLimits": SUPERVISORS,
    "ChangeLimits": SUPERVISORS,
    "SetDifferential": SUPERVISORS,
    "SetPersonalLimit": SENIORS,
    "BuyChips": DEALERS | {CASHIER},
    "ExchangeChips": DEALERS | {CASHIER},
    "RedeemChips": DEALERS | {CASHIER},
    "IssueColour": DEALERS,
    "RedeemColour": DEALERS,
    "RequireColour": DEALERS,
    "Tip": EVERYBODY,
    "FixShoe": frozenset({VIRTUAL_SHOE}),
    "ShowPool": frozenset({JACKPOT_EQUIPMENT}),
    "PlaceWager": DEALERS | {PLAYER},
    "WithdrawWager": DEALERS | {PLAYER},
    "Tell": DEALERS | {PLAYER, INSPECTOR},
    "TakeBack": DEALERS,
    "DeferCommission": DEALERS,
    "CollectCommission": DEALERS,
    "Overrule": REVIEWERS,
    "Correct": SUPERVISORS,
    "Invalidate": SENIORS,
    "ReportDevice": DEALERS,
    "Sanction": SENIORS,
    "RaiseDispute": EVERYBODY,
    "DecideDispute": REVIEWERS,
    "ReportPaid": SUPERVISORS,
    "RecoverPaid": SUPERVISORS,
    "HoldUnclaimed": SUPERVISORS,
    "ShowRules": EVERYBODY,
    "Advise": EVERYBODY,
    "ApproveSystem": SUPERVISORS,
    "PairTerminal": SUPERVISORS,
    "UnpairTerminal": SUPERVISORS,
    "SetTerminalLimits": SUPERVISORS,
    "InsertNotes": frozenset({NOTE_ACCEPTOR}),
    "CreditTerminal": DEALERS,
    "CashOut": DEALERS | {PLAYER},
    "CancelCredit": DEALERS,
    "RedeemVoucher": DEALERS | {CASHIER},
    "PayDue": DEALERS | {CASHIER},
    "ConfirmSlip": frozenset({PLAYER}),
    "ReturnSlip": SUPERVISORS,
    "ReportMalfunction": SUPERVISORS,
    "ReportToInspector": SUPERVISORS,
    "Investigate": SUPERVISORS,
    "RefundRound": SUPERVISORS,
    "CloseMalfunction": SUPERVISORS,
}

FOUR_EYES: Final[Mapping[str, Roles]] = {"Correct": REVIEWERS}
"""Commands of settled money, with the roles that the second person may have."""

NOBODY: Final[Roles] = frozenset()


def door_of(operation: str, *, demo: bool) -> Door | None:
    """The door of an operation, as it is in a house with accounts or in a demonstration; none if it is not listed."""
    door = DOORS.get(operation)
    return Door(door.demo, door.roles) if door and demo and door.demo else door


def may_pass(operation: str, role: str) -> bool:
    door = DOORS.get(operation)
    return door is not None and role in door.roles


def may_ask(command: str, role: str) -> bool:
    return role in COMMANDS.get(command, NOBODY)


def matrix() -> str:
    """The whole table as text: a column for each role, `+` may, `.` may not, `2` only with a second person."""
    width = max(map(len, (*DOORS, *COMMANDS)))
    head = f"{'operation':<{width}}  shown    {'  '.join(ROLES)}"
    doors = [_row(name, door.shown, door.roles, width) for name, door in DOORS.items()]
    asked = [_row(name, "inside", roles, width, two=name in FOUR_EYES) for name, roles in COMMANDS.items()]
    return "\n".join((head, "", *doors, "", *asked, ""))


def _row(name: str, shown: str, roles: Roles, width: int, *, two: bool = False) -> str:
    sign = "2" if two else "+"
    cells = "  ".join(f"{sign if role in roles else '.':^{len(role)}}" for role in ROLES)
    return f"{name:<{width}}  {shown:<7}  {cells}".rstrip()
