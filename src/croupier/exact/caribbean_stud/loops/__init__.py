"""The inner loops of Caribbean stud, compiled, and what each takes; `counting` has the theory and the arrays they fill.

They allocate nothing and raise nothing, so that their machine code needs nobody and is kept (`croupier.kept.code`); the
modules beside this one are imported only to compile them.
"""

from typing import Final

from croupier.kept.code import Loops

LOOPS: Final = Loops(
    "croupier.exact.caribbean_stud.loops",
    made_of=("exact/caribbean_stud/loops", "exact/caribbean_stud/counting.py"),
    takes={
        "listing.patterns_of": "uint8/2 int64/1 int64/1 int64/1",
        "listing.all_hands": "int64/1 int64/1 int16/1 uint8/2 int16/1",
        "listing.in_order": "int16/1 int64/1 int64/1",
        "listing.weights_of": "uint8/2 int64/1 int64/1 int64/1 uint8/1 int64/1",
        "listing.against": "int64/1 int64 int64/1 int64/1 int16/1 int64 int64/1 uint8/1",
        "sweeping.sweep": "uint8/2 int16/1 int64/1 uint8/1 int64/1 int64/1 int64/2 int64/1 int64/1 int64/1 int64/2"
        " int64/1 int64/1 int64/1",
    },
)
