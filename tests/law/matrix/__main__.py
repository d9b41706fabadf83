"""Try cases while writing them: `python -m tests.law.matrix FILE… [RULE…]`.

Every step is told with all that the product answered to it, whether the case asks for it or not; a step that does not
go as the case says is told, and the case goes on.  A file may lie anywhere; without one, standard input is read.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.law.matrix.answers import found
from tests.law.matrix.language import Case, Law, is_rule, read_cases
from tests.law.matrix.run import OPEN


def main(arguments: list[str]) -> int:
    rules = {word for word in arguments if is_rule(word)}
    files = [word for word in arguments if word not in rules]
    texts = [(name, Path(name).read_text(encoding="utf-8")) for name in files] or [("input", sys.stdin.read())]
    wrong = 0
    for name, text in texts:
        for case in read_cases(text, name):
            if not rules or rules & set(case.rules):
                wrong += sum(_run(case, law) for law in case.laws)
    print(f"{wrong} steps did not go as the cases say")
    return min(wrong, 1)


def _run(case: Case, law: Law) -> int:
    print(f"\n{', '.join(case.rules)}  {case.door}  {law}   [{case.place}]")
    world, wrong = OPEN[case.door](law), 0
    for step in case.steps:
        print(f"  {step.text}")
        try:
            answers = world.do(step)
        except (ValueError, KeyError, AssertionError) as error:
            print(f"      !! {error}")
            return wrong + 1
        for answer in answers:
            print(f"      {answer}")
        for seen in step.seen:
            met = found(seen, [*answers, *world.look(seen)])
            held = (met is None) == seen.absent
            wrong += not held
            print(f"    {'ok' if held else '!!'} {seen.text}" + ("" if met is None else f"   = {met}"))
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
