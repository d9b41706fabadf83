"""The people of a house as a journal: who may do what to whom, lock-out, and no secret in any line."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.floor.keeping.accounts import one_time, weak
from croupier.game import Refusal
from croupier.house.people import decide as book
from croupier.house.people import messages as m
from croupier.house.people.decide import CONSOLE, FIRST_WAIT_MS, LONGEST_WAIT_MS, TRIES, People, wait_ms
from croupier.journal.entries import BadJournal
from croupier.journal.messages import Request
from croupier.journal.names import readable

MANAGER = "casino manager"


def asked(people: People, what: Any, *, by: str = CONSOLE, role: str = CONSOLE, at_ms: int = 0) -> People | Refusal:
    request = Request(what, by, role, at_ms)
    events = book.decide(people, request)
    if isinstance(events, Refusal):
        return events
    return book.after(people, book.entries(people, request, events))


def done(people: People, what: Any, **how: Any) -> People:
    after = asked(people, what, **how)
    assert isinstance(after, People), after
    return after


def refused(people: People, what: Any, **how: Any) -> str:
    after = asked(people, what, **how)
    assert isinstance(after, Refusal)
    return after.reason


@pytest.fixture
def people() -> People:
    first = done(People(), m.MakeAccount("Mia", (MANAGER,), "verifier of Mia"))
    return done(first, m.MakeAccount("Dan", ("dealer", "stickperson"), "verifier of Dan", "pin"))


def failed(people: People, times: int, *, at_ms: int = 0) -> People:
    for _ in range(times):
        people = done(people, m.Try("Dan", right=False), by="Dan", role="", at_ms=at_ms)
    return people


@pytest.mark.parametrize(
    ("failures", "wait"),
    [
        (0, 0),
        (TRIES - 1, 0),
        (TRIES, FIRST_WAIT_MS),
        (TRIES + 1, 2 * FIRST_WAIT_MS),
        (TRIES + 2, 4 * FIRST_WAIT_MS),
        (TRIES + 10, FIRST_WAIT_MS << 10),
        (TRIES + 11, LONGEST_WAIT_MS),
        (10**6, LONGEST_WAIT_MS),
    ],
)
def test_the_wait_doubles_up_to_a_day(failures: int, wait: int) -> None:
    assert wait_ms(failures) == wait


def test_an_account_is_locked_at_the_try_that_is_one_too_many(people: People) -> None:
    almost = failed(people, TRIES - 1)
    assert almost.by_name["dan"].locked_until_ms == 0
    assert done(almost, m.Try("Dan", right=True), by="Dan", role="").by_name["dan"].failures == 0
    locked = failed(almost, 1)
    assert locked.by_name["dan"].locked_until_ms == FIRST_WAIT_MS


def test_a_right_password_opens_a_locked_account_only_when_the_time_is_over(people: People) -> None:
    locked = failed(people, TRIES)
    try_it = m.Try("Dan", right=True)
    (refused_it,) = book.decide(locked, Request(try_it, "Dan", "", FIRST_WAIT_MS - 1))  # type: ignore[misc]
    assert isinstance(refused_it, m.SignInRefused)
    (let_in,) = book.decide(locked, Request(try_it, "Dan", "", FIRST_WAIT_MS))  # type: ignore[misc]
    assert isinstance(let_in, m.SignedIn)
    freed = done(locked, m.Unlock("Dan"), by="Sam", role="shift manager")
    assert (freed.by_name["dan"].failures, freed.by_name["dan"].locked_until_ms) == (0, 0)


def test_tries_at_a_locked_account_do_not_lengthen_the_lock(people: People) -> None:
    locked = failed(people, TRIES)
    assert failed(locked, 3, at_ms=1).by_name["dan"].locked_until_ms == FIRST_WAIT_MS
    again = failed(locked, 1, at_ms=FIRST_WAIT_MS)
    assert again.by_name["dan"].locked_until_ms == FIRST_WAIT_MS + 2 * FIRST_WAIT_MS


def test_a_name_that_nobody_has_is_not_written_down(people: People) -> None:
    request = m.Asked(m.Try("my secret word", right=False), "somebody", "", 0)
    events = book.decide(people, request)
    assert not isinstance(events, Refusal)
    assert [type(each) for each in events] == [m.SignInFailed]
    assert b"secret word" not in book.encode(book.entries(people, request, events)[0])


def test_no_line_holds_a_verifier(people: People) -> None:
    request = m.Asked(m.SetCredential("Dan", "the verifier", "pin"), "Dan", "", 0)
    events = book.decide(people, request)
    assert not isinstance(events, Refusal)
    assert b"verifier" not in b"".join(map(book.encode, book.entries(people, request, events)))


def test_replaying_the_lines_gives_the_same_people(people: People) -> None:
    state, lines = People(), []
    for what in (
        m.MakeAccount("Ann O'Hara", ("inspector",), "v"),
        m.Try("ann o'hara", right=False),
        m.Disable("Ann O'Hara", "left"),
        m.Enable("Ann O'Hara"),
        m.GiveRoles("Ann O'Hara", ("cashier", "inspector")),
    ):
        request = m.Asked(what, CONSOLE, CONSOLE, 7)
        events = book.decide(state, request)
        assert not isinstance(events, Refusal)
        made = book.entries(state, request, events)
        lines += [book.encode(each) for each in made]
        state = book.after(state, made)
    assert book.after(People(), [book.decode(line) for line in lines]) == state
    with pytest.raises(BadJournal):
        book.after(People(), [book.decode(line) for line in lines[1:]])


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        (m.MakeAccount("dan", ("dealer",), "v"), "called 'dan' already"),
        (m.MakeAccount("", ("dealer",), "v"), "a name is"),
        (m.MakeAccount("x" * 41, ("dealer",), "v"), "a name is"),
        (m.MakeAccount("Eve, with Dan", ("dealer",), "v"), "a name is"),
        (m.MakeAccount("Casino Manager", ("dealer",), "v"), "the name of a role"),
        (m.MakeAccount("TERMINAL 4", ("player",), "v"), "the name of a device"),
        (m.MakeAccount("Eve", (), "v"), "roles are one or more"),
        (m.MakeAccount("Eve", ("king",), "v"), "roles are one or more"),
        (m.MakeAccount("Eve", ("dealer", "cashier"), "v", "pin"), "a PIN is not enough for the cashier"),
        (m.GiveRoles("Dan", ("game supervisor",)), "a PIN is not enough for the game supervisor"),
        (m.Disable("Mia"), "the last casino manager"),
        (m.GiveRoles("Mia", ("cashier",)), "the last casino manager"),
        (m.Disable("Eve"), "nobody here is called"),
    ],
)
def test_what_cannot_be_is_refused(people: People, what: Any, reason: str) -> None:
    assert reason in refused(people, what)


def test_a_name_of_forty_letters_is_one(people: People) -> None:
    assert "x" * 40 in done(people, m.MakeAccount("x" * 40, ("dealer",), "v")).by_name


@pytest.mark.parametrize("role", ["dealer", "shift manager", "inspector", "player", ""])
def test_only_the_casino_manager_makes_and_closes_accounts(people: People, role: str) -> None:
    for what in (
        m.MakeAccount("Eve", ("dealer",), "v"),
        m.Disable("Dan"),
        m.Enable("Dan"),
        m.GiveRoles("Dan", ("dealer",)),
        m.SetCredential("Dan", "v", "pin", must_change=True),
    ):
        assert asked(people, what, by="Eve", role=role) == Refusal(refused(people, what, by="Eve", role=role), "")
    assert isinstance(asked(people, m.Unlock("Dan"), by="Eve", role=role), People) == (role == "shift manager")


def test_a_password_is_changed_by_its_owner_or_given_for_one_use(people: People) -> None:
    own = done(people, m.SetCredential("Dan", "new", "pin"), by="DAN", role="")
    assert own.by_name["dan"].epoch == people.by_name["dan"].epoch + 1
    assert "by its owner" in refused(people, m.SetCredential("Dan", "new", "pin"), by="Mia", role=MANAGER)
    assert "by its owner" in refused(people, m.SetCredential("Dan", "new", "pin"), by="Eve", role="dealer")
    given = done(people, m.SetCredential("Dan", "new", "pin", must_change=True), by="Mia", role=MANAGER)
    assert given.by_name["dan"].must_change


@pytest.mark.parametrize(
    ("secret", "kind", "taken"),
    [
        ("12345", "pin", False),
        ("802753", "pin", True),
        ("123456", "pin", False),
        ("987654", "pin", False),
        ("777777", "pin", False),
        ("80275x", "pin", False),
        ("٨٠٢٧٥٣", "pin", False),
        ("elevenchars", "password", False),
        ("twelve chars", "password", True),
        ("aaaaaaaaaaaaaaaa", "password", False),
        ("x" * 190 + "abcdefghij", "password", True),
        ("x" * 190 + "abcdefghijk", "password", False),
        ("Dan Dannison", "password", False),
    ],
)
def test_which_passwords_are_taken(secret: str, kind: str, *, taken: bool) -> None:
    assert (weak(secret, kind=kind, name="dan dannison") == "") == taken


def test_passwords_for_one_use_are_good_passwords_and_never_the_same() -> None:
    assert len({one_time("password") for _ in range(50)}) == 50
    assert weak(one_time("password"), kind="password") == ""
    assert len(one_time("pin")) == 10


@pytest.mark.parametrize("name", ["\u3164", "D\u0430n", "Dan\uffa0", "\u0391nn", "a\u0301\u0301\u0301\u0301\u0301"])
def test_nobody_has_a_name_that_cannot_be_told_from_another(people: People, name: str) -> None:
    assert "letters of one alphabet" in refused(people, m.MakeAccount(name, ("dealer",), "mark"))


@pytest.mark.parametrize(
    "name", ["\u0410\u043d\u043d\u0430", "Hin\u0113 M\u0101ui", "\u5f20 Wei", "Nguy\u1ec5n", "\u0e19\u0e49\u0e33"]
)
def test_a_name_is_of_any_alphabet(name: str) -> None:
    assert readable(name, 40)
