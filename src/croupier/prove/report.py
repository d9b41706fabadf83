"""A run of proofs as one page that stands alone: what was tried, what held, and what the controls did."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from croupier.prove import PROOFS, Verdict

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1c1a}"
    "section{border-top:1px solid #ccc;padding:.5rem 0}h2{font-size:1.1rem;margin:.5rem 0}"
    ".held{color:#1b5e20}.not{color:#a40000}code{font-size:.9rem}ul{margin:.3rem 0;padding-left:1.2rem}"
)


def page(verdicts: Sequence[Verdict]) -> str:
    """The whole page; it names its source once, and each proof with how to run it again."""
    held = sum(each.proved for each in verdicts)
    source = escape(str(verdicts[0].answer["source"])) if verdicts else ""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>croupier: proofs</title><style>{STYLE}</style>'
        f"<h1>Proofs</h1><p>{held} of {len(verdicts)} held, with every control caught. Source: {source}.</p>"
        + "".join(map(_section, verdicts))
        + "</html>\n"
    )


def _section(verdict: Verdict) -> str:
    answer = verdict.answer
    kind, word = ("held", "held") if verdict.proved else ("not", "did not hold")
    lines = "".join(f"<li>{escape(line)}</li>" for line in verdict.lines)
    return (
        f'<section><h2>{escape(answer["proof"])}: <span class="{kind}">{word}</span></h2>'
        f"<p>{escape(PROOFS[answer['proof']].says)}</p><ul>{lines}</ul>"
        f"<p>{answer['seconds']} s; again: <code>{escape(answer['again'])}</code></p></section>"
    )
