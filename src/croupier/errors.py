"""What can go wrong for whoever uses the package, under one name: `croupier.Error`.

`BadInput` is input that means nothing, `NotPermitted` a rule set that the law does not allow, `Refused` a wager, a fact
or a command to which a rule says no, `MissingExtra` a part of croupier that is not installed.  Each message is one line
that names the input and, where a rule refused it, the rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

LONGEST: Final = 400
"""A message is one line that can be read."""


class Error(Exception):
    """The base of all that croupier raises on purpose."""


class BadInput(Error, ValueError):
    """Input that means nothing; the message is one line that names it."""

    def __init__(self, message: str) -> None:
        super().__init__(message if len(message) <= LONGEST else f"{message[: LONGEST - 1]}…")


class NotPermitted(Error):
    """A rule set that the law does not permit; `rule` is the one that fixes or limits it, if any."""

    def __init__(self, reason: str, rule: str = "") -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.reason = reason
        self.rule = rule

    def __reduce__(self) -> tuple[type[NotPermitted], tuple[str, str]]:
        """As another process is told of it."""
        return NotPermitted, (self.reason, self.rule)


class SaysNo(Protocol):
    """A refusal, as a value."""

    @property
    def whole(self) -> str: ...

    @property
    def rule(self) -> str: ...


class Refused(Error, ValueError):
    """A rule said no; `refusal` has the reason and the rule."""

    def __init__(self, refusal: SaysNo) -> None:
        reason = refusal.whole if len(refusal.whole) <= LONGEST else f"{refusal.whole[: LONGEST - 1]}…"
        super().__init__(f"{reason} ({refusal.rule})" if refusal.rule else reason)
        self.refusal = refusal
        self.reason = refusal.whole
        self.rule = refusal.rule

    def __reduce__(self) -> tuple[type[Refused], tuple[SaysNo]]:
        """As another process is told of it."""
        return Refused, (self.refusal,)


EXTRAS: Final = {
    "numpy": "sim",
    "numba": "sim",
    "distributed": "cluster",
    "dask": "cluster",
    "psycopg": "postgres",
    "gymnasium": "gym",
    "httpx": "client",
}
"""Which extra brings a module; whatever else is missing belongs to `serve`."""

TOOLS: Final = frozenset({"hypothesis", "pytest", "schemathesis"})
"""What tests need, and the proofs that run them: no extra brings it."""


class MissingExtra(Error, ImportError):
    """A part of croupier that is not installed here."""


def missing(module: str | None) -> MissingExtra:
    """What to install for a module that is not there."""
    name = (module or "").partition(".")[0]
    if name in TOOLS:
        return MissingExtra(f"{name} is not installed here: this runs beside the source, after `make setup`")
    extra = EXTRAS.get(name, "serve")
    return MissingExtra(f"{module} is not installed here: this needs the extra `{extra}`, as in croupier[{extra}]")


def unknown(what: str, word: object, known: Iterable[str]) -> BadInput:
    """A word that nobody knows, with what is near to it, or with all there is where that is short."""
    from difflib import get_close_matches

    names = tuple(known)
    near = get_close_matches(word[:60], names, n=3, cutoff=0.5) if isinstance(word, str) else []
    hint = f"near to it are {', '.join(near)}" if near and len(names) > 12 else f"known are {', '.join(names)}"
    return BadInput(f"unknown {what} {word!r:.60}; {hint if names else 'there are none'}")


# ---------------------------------------------------------------- at the public door


class AtTheDoor:
    """Around what a function of the public package does: whatever its input leads to is told as `croupier.Error`."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, Error):
            return
        if isinstance(error, ModuleNotFoundError):
            raise missing(error.name) from error
        if isinstance(error, ValueError):
            raise BadInput(str(error)) from error


def expected(name: str, value: object, wanted: str) -> BadInput:
    """An argument of another kind than it must be."""
    return BadInput(f"{name} is {wanted}, not {_said(value)}")


def _said(value: object) -> str:
    text = repr(value)
    return f"{text if len(text) <= 40 else text[:39] + '…'} ({type(value).__name__})"


def text_of(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise expected(name, value, "a text")
    return value


def whole_of(name: str, value: object, most: int | None = None) -> int | None:
    """A whole number that is not negative, and perhaps not above the most, or None where none is given."""
    if value is not None and (type(value) is not int or value < 0 or (most is not None and value > most)):
        raise expected(name, value, "a whole number, 0 or more" if most is None else f"a whole number from 0 to {most}")
    return value
