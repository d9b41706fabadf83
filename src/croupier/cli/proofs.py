"""The command `prove`."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli import FAULT, arguments
from croupier.cli.telling import PLAIN, Json, show, tell, with_progress
from croupier.errors import unknown

if TYPE_CHECKING:
    from croupier.prove import ProofScope, Verdict

app = typer.Typer(**PLAIN)
MOST_MINUTES = 7 * 24 * 60


@app.command()
def prove(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A proof; without a name they are listed.")] = "",
    game: Annotated[str, typer.Option(metavar="G", help="Only this game.")] = "",
    edition: Annotated[str, typer.Option(metavar="E", help="Only this edition.")] = "",
    sample: Annotated[str, typer.Option(metavar="N", help="Only so many, evenly chosen (0: all).")] = "0",
    short: Annotated[bool, typer.Option("--short", help="A short run; without a name, of all proofs.")] = False,
    long: Annotated[bool, typer.Option("--long", help="A long run, for a night; without a name, of all.")] = False,
    seed: Annotated[str, typer.Option(metavar="N", help="What is drawn is drawn from this number.")] = "1",
    html: Annotated[str, typer.Option(metavar="FILE", help="Write the report as a page.")] = "",
    books: Annotated[str, typer.Option(metavar="URL", help="A copy of a house's books, to look at.")] = "",
    part: Annotated[str, typer.Option(metavar="I/N", help="Of a whole run, only this of so many parts.")] = "1/1",
    progress: Annotated[str, typer.Option(metavar="FILE", help="Keep what was done, and go on from there.")] = "",
    minutes: Annotated[str, typer.Option(metavar="N", help="Begin no more work after so many (0: do it all).")] = "0",
    as_json: Json = False,
) -> None:
    """Run a proof that the rules, the tests or the system hold."""
    from croupier import prove as proofs
    from croupier.prove.progress import read_part
    from croupier.prove.report import page

    for room in ("croupier", "asyncio"):
        logging.getLogger(room).addHandler(logging.NullHandler())  # what a house logs is not what a proof finds
    if short and long:
        raise ValueError("--short and --long exclude each other")
    if name and name not in proofs.PROOFS:
        raise unknown("proof", name, proofs.PROOFS)
    if not name and not short and not long:
        listed = [{"name": each.name, "says": each.says} for each in proofs.PROOFS.values()]
        tell({"proofs": listed}, as_json, show.proofs)
        return
    scope = proofs.ProofScope(
        game,
        edition,
        arguments.whole("--sample", sample, range(10**9)),
        arguments.whole("--seed", seed, range(2**63)),
        "short" if short else "long" if long else "",
        books,
        read_part(part),
        progress,
        arguments.whole("--minutes", minutes, range(MOST_MINUTES + 1)),
    )
    arguments.writable(html)
    verdicts = []
    with _ends_when_asked():
        if progress:
            open(progress, "ab").close()  # it stays: other parts of the same run may have begun to write it
        for verdict in _alone(name, scope) if name else _all(scope):
            verdicts.append(verdict)
            if not as_json:
                _say(verdict, among_others=not name)
    if as_json:
        tell(verdicts[0].answer if name else {"proofs": [each.answer for each in verdicts]}, True, show.proofs)
    if html:
        with open(html, "w", encoding="utf-8") as file:
            file.write(page(verdicts))
    if not all(verdict.proved for verdict in verdicts):
        raise typer.Exit(FAULT)


@contextmanager
def _ends_when_asked() -> Iterator[None]:
    """Asked to end, a proof ends as if it were interrupted: it has processes and hosts of its own to put away."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _say(verdict: Verdict, *, among_others: bool) -> None:
    """What a proof found, as text."""
    indent, answer = "  " if among_others else "", verdict.answer
    heading = [f"{answer['proof']}:"] if among_others else []
    took = f"{answer['seconds']} s, {answer['processor_seconds']} s of the processors"
    last = f"{answer['source']}, {took}; again: {answer['again']}"
    print("\n".join([*heading, *[f"{indent}{line}" for line in (*verdict.lines, last)]]), flush=True)


def _alone(name: str, scope: ProofScope) -> Iterator[Verdict]:
    """One proof, in this process."""
    from croupier.prove import run
    from croupier.prove.bytecode import compiled_once

    with compiled_once():
        yield with_progress(partial(run, name, scope))


def _all(scope: ProofScope) -> Iterator[Verdict]:
    """All proofs at work together; what they found in the order of their list."""
    from croupier.prove import each_once
    from croupier.prove.bytecode import compiled_once
    from croupier.prove.together import together

    with compiled_once(), together(each_once(), scope) as these:
        for name in these.names:
            yield with_progress(partial(these.verdict, name))
