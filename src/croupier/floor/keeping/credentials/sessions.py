"""Sessions: a cookie that says who signed in, good for a short time, and only for getting tickets.

Theory of operation.  The cookie is signed and holds the name, the epoch of the account, when the session began, and
some chance.  Nothing is kept on the server: another password, disabling or signing out raise the epoch of the account,
and with it every session and ticket of that person ends, in all processes.  A session ends when nobody used it for
`IDLE_SECONDS`; each use makes it last again, up to `LONGEST_SECONDS` from its beginning.

Pages of other sites can make a browser send the cookie, but cannot read it: so whatever changes anything wants the
`token` of the session in a header too, which the house tells only to its own pages.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Final

from itsdangerous import BadData, Signer, URLSafeSerializer
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from croupier.floor.addresses import MOST_ADDRESSES, neighbourhood
from croupier.floor.keeping.accounts import Accounts
from croupier.house.people.decide import Person
from croupier.journal.names import plain as name_of

IDLE_SECONDS: Final = 30 * 60
LONGEST_SECONDS: Final = 12 * 60 * 60
TRIES_AT_ADDRESS: Final = 60
TRIES_MS: Final = 5 * 60 * 1000
COOKIE: Final = "croupier_session"
TOKEN: Final = "x-croupier-token"
"""The header that shows the token of a session."""
DEVICE: Final = "croupier_device"
"""The cookie of a device on which somebody has signed in: it lets nobody in, but its tries are counted apart."""
DEVICE_SECONDS: Final = 180 * 24 * 60 * 60
NO_ACCOUNTS: Final = "a demonstration has no accounts: its lobby lets anybody in"


@dataclass(frozen=True, slots=True)
class Session:
    """Who signed in, and when; `chance` makes two sessions of one person different."""

    name: str
    epoch: int
    began_ms: int
    chance: str


@dataclass(slots=True)
class Sessions:
    """What signs sessions and reads them; without accounts there are none."""

    secret: bytes = field(repr=False)
    accounts: Accounts | None
    now_ms: Callable[[], int]
    idle_seconds: int = IDLE_SECONDS
    longest_seconds: int = LONGEST_SECONDS
    signer: URLSafeSerializer = field(init=False, repr=False)
    devices: URLSafeSerializer = field(init=False, repr=False)
    tokens: Signer = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.signer = URLSafeSerializer(self.secret, salt="croupier session 2")
        self.devices = URLSafeSerializer(self.secret, salt="croupier device")
        self.tokens = Signer(self.secret, salt="croupier token")

    def begin(self, person: Person) -> Session:
        return Session(person.name, person.epoch, self.now_ms(), secrets.token_hex(16))

    def token(self, session: Session) -> str:
        """What a page must show besides the cookie, to change anything."""
        return self.tokens.get_signature(session.chance).decode()

    def of(self, asked: HTTPConnection) -> tuple[Session, Person] | None:
        """The session that a request shows, and whose it is; none if it has ended."""
        if self.accounts is None or COOKIE not in asked.cookies:
            return None
        try:
            *known, used_ms = self.signer.loads(asked.cookies[COOKIE])
            session, idle = Session(*known), self.now_ms() - used_ms > self.idle_seconds * 1000
        except (BadData, TypeError, ValueError):
            return None
        person = self.accounts.people.find(session.name)
        over = session.began_ms + self.longest_seconds * 1000 < self.now_ms()
        if over or idle or person is None or person.disabled or person.epoch != session.epoch:
            return None
        return session, person

    def owner(self, asked: HTTPConnection) -> str:
        """Who signed in last on the device that this is; nobody if it is not known."""
        try:
            return name_of(str(self.devices.loads(asked.cookies.get(DEVICE, ""))[0]))
        except (BadData, TypeError, LookupError):
            return ""

    def knows(self, asked: HTTPConnection, name: str) -> bool:
        """Whether this is a device on which a person of this name has signed in before."""
        owner = self.owner(asked)
        return bool(owner) and owner == name_of(name)

    def refused(self, asked: HTTPConnection, *, changing: bool) -> str:
        """Why a request is not let in by its session; nothing if it is."""
        if self.accounts is None:
            return NO_ACCOUNTS
        found = self.of(asked)
        if found is None:
            return "nobody is signed in here: sign in first"
        if changing and not compare_digest(asked.headers.get(TOKEN, "").encode(), self.token(found[0]).encode()):
            return "the token of the session is missing or wrong"
        return ""

    def keep(self, response: Response, session: Session, request: Request) -> Response:
        """The answer with the cookie, which is good for another while."""
        text = self.signer.dumps([session.name, session.epoch, session.began_ms, session.chance, self.now_ms()])
        secure = request.url.scheme == "https"
        response.set_cookie(
            COOKIE, text, max_age=self.idle_seconds, httponly=True, samesite="strict", secure=secure, path="/"
        )
        known = self.devices.dumps([session.name, session.chance])
        response.set_cookie(
            DEVICE, known, max_age=DEVICE_SECONDS, httponly=True, samesite="strict", secure=secure, path="/api/"
        )
        return response


def forget(response: Response) -> Response:
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return response


@dataclass(slots=True)
class Patience:
    """How many tries one address has left: each is a verification and a line, so nobody has very many."""

    now_ms: Callable[[], int]
    most: int = TRIES_AT_ADDRESS
    within_ms: int = TRIES_MS
    tries: dict[str, deque[int]] = field(default_factory=dict)

    def is_over(self, address: str) -> bool:
        """Whether this try is one too many; it is counted if it is not."""
        now, here = self.now_ms(), neighbourhood(address)
        times = self.tries.pop(here, deque())
        while times and times[0] <= now - self.within_ms:
            times.popleft()
        is_over = len(times) >= self.most
        if not is_over:
            times.append(now)
        self._forget(now)
        self.tries[here] = times
        return is_over

    def is_spent(self, address: str) -> bool:
        """Whether there is no try left; nothing is counted."""
        times = self.tries.get(neighbourhood(address), ())
        return sum(each > self.now_ms() - self.within_ms for each in times) >= self.most

    def _forget(self, now: int) -> None:
        """Those who tried longest ago come first: they go when their time is over, or when there are too many."""
        while self.tries:
            oldest = next(iter(self.tries))
            if self.tries[oldest][-1] > now - self.within_ms and len(self.tries) < MOST_ADDRESSES:
                return
            del self.tries[oldest]
