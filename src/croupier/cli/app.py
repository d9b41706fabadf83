"""The command line: a command is found, run, and what goes wrong is told.

Theory of operation.  A command reads its words, asks the rooms below for an answer in the public form (plain data),
and tells it: as JSON, or as tables for people.  What goes wrong is told in one place, `run`: one line on stderr that
names the input and the rule, and no traceback; with `--json` the same as an object on stdout.  Loading the
commands is most of what a quick one does, and can be interrupted too: nothing heavy is imported at the top.

Exit codes: 0 done; 1 a proof or a verification failed, or a fault of croupier itself; 2 bad input, or a wager or fact
of a case that the rules refuse; 3 what the law refuses elsewhere; 74 the store failed; 130 interrupted.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
from collections.abc import Sequence
from typing import Final

from croupier.cli import BAD_INPUT, FAULT, INTERRUPTED, REFUSED_BY_LAW
from croupier.errors import MissingExtra, NotPermitted, missing

COMPLETES: Final = "_CROUPIER_COMPLETE"
"""What a shell sets in the environment when it asks for completion."""

CANNOT_TELL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What only writing comes to; where no file is named, the answer itself could not be told."""

HEARS_A_CASE = ("adjudicate", "settle", "due", "shoe", "score")


def main() -> None:
    """A command of a person or a program: its words, and its exit code."""
    # Starting makes many objects that all stay: looking for lost ones among them every 700 takes a tenth of the time.
    gc.set_threshold(50_000, 20, 20)
    if heard := signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _gone)
    import croupier.cli.commands  # noqa: F401 - what takes time is loaded before there is anything to put away

    try:
        if heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run(sys.argv[1:] or ["--help"])
    except KeyboardInterrupt:
        code = INTERRUPTED  # once more, while the first was being told
    if heard:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's own end would show a traceback
    sys.exit(code)


def _gone(*_: object) -> None:
    """Interrupted while loading: an exception could be swallowed there, or come out as another."""
    os._exit(_complain("interrupted", code=INTERRUPTED))


def run(arguments: Sequence[str]) -> int:
    """Run a command and answer with its exit code; nothing that a user can do raises."""
    import json

    import typer

    from croupier.cli.commands import program

    _listen_to_nobody()
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    try:
        if os.environ.get(COMPLETES):
            # A shell asks how what is typed may go on; the program with all its commands answers, and ends.
            program().main(prog_name="croupier")
        command = program(arguments[0] if arguments else "")
        with command.make_context("croupier", list(arguments)) as context:
            command.invoke(context)
        sys.stdout.flush()
        return 0
    except typer.Exit as done:
        return int(done.exit_code)
    except (KeyboardInterrupt, typer.Abort):  # the second, while somebody was asked something
        return _complain("interrupted", code=INTERRUPTED)
    except BrokenPipeError:
        _give_up_telling()  # whoever closed it knows
        return 0
    except Exception as error:
        reason, rule, code = _explained(error, arguments[0] if arguments else "")
        if isinstance(error, OSError) and _untold(error):
            _give_up_telling()
        if "--json" in arguments:
            print(json.dumps({"error": {"reason": reason, "rule": rule or None}}))
        return _complain(f"{reason} ({rule})" if rule else reason, code=code)


def _listen_to_nobody() -> None:
    """Whoever closed stdout or stderr before wants to hear nothing of it, and gets the exit code."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open as long as the command
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open as long as the command


def _give_up_telling() -> None:
    """Python flushes stdout once more at the end, and there is nobody left to read it, or no room."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _untold(error: OSError) -> bool:
    return error.filename is None and error.errno in CANNOT_TELL


def _explained(error: Exception, command: str) -> tuple[str, str, int]:
    """The reason, the rule if one refused, and the exit code."""
    # A refusal is known by what it carries; importing the rooms that raise it could fail in its turn.
    refusal = getattr(error, "refusal", error)
    if hasattr(refusal, "rule"):
        by_law = isinstance(error, NotPermitted) and bool(error.rule) and command not in HEARS_A_CASE
        # What it is about stands apart from the reason; a line that is read alone has both.
        reason = getattr(refusal, "whole", None) or getattr(refusal, "reason", error)
        return str(reason), str(refusal.rule), REFUSED_BY_LAW if by_law else BAD_INPUT
    if isinstance(error, MissingExtra):
        return str(error), "", FAULT
    if isinstance(error, OSError):
        where = error.filename if error.filename is not None else "stdout" if _untold(error) else "input"
        return f"{where or repr(where)}: {error.strerror or error}", "", BAD_INPUT
    if isinstance(error, ValueError):
        return str(error), "", int(getattr(error, "exit_code", BAD_INPUT))
    if isinstance(error, ModuleNotFoundError):
        return str(missing(error.name)), "", FAULT
    if hasattr(error, "format_message"):
        return f"{error.format_message().rstrip('.')}; try --help", "", BAD_INPUT
    return f"a fault of croupier itself: {type(error).__name__}: {error}", "", FAULT


def _complain(message: str, *, code: int = BAD_INPUT) -> int:
    line = "".join(c if c.isprintable() else " " for c in message)
    try:
        print(f"croupier: {' '.join(line.split())}", file=sys.stderr, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # the exit code says it, where nobody hears
    return code


if __name__ == "__main__":
    main()
