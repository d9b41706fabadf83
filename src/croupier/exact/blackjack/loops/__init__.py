"""The inner loops of blackjack, compiled, and what each takes.

Each function fills arrays that its caller made, with room to work in; it allocates nothing and raises nothing, so that
its machine code needs nobody and is kept (`croupier.kept.code`).  Whoever wants one asks `LOOPS` or `JOINED`; the
modules beside this one are imported only to compile them.  The slow path they agree with is `rational`.

    dealing    what the dealer comes to
    valuing    what hands are worth
    weighing   what a chart gains by a change
    joining    how likely hands are, and what split hands bring together
    vectors    eight doubles at a time
"""

from typing import Final

from croupier.kept.code import Loops

_MADE_OF: Final = ("exact/blackjack/loops", "exact/blackjack/terms.py")
LOOPS: Final = Loops(
    "croupier.exact.blackjack.loops",
    made_of=_MADE_OF,
    takes={
        "dealing.count_ways": "int64/1 int64/2 int64/2",
        "dealing.dealer_tables": "int64/1 int64/1 int64/1 int64/1 int64/1 float64/1 float64/1 int64/2 float64/3"
        " float64/1 float64/1 float64/1 float64/1 float64/1 float64/1 float64/1",
        "valuing.alone_values": "float64/2 float64/1 uint32/2 int64/1 float64/1 int64/1 float64/2 int64/1 float64/1"
        " int64 float64/3 int64 int64/1 uint8/1 float64/2 float64/1 float64/1 float64/1",
        "valuing.split_values": "int64/1 int64/3 int64/1 int64/1 int64/1 float64/2 float64/1 uint32/2 int64/2 int64/1"
        " float64/1 int64/2 float64/2 int64/2 float64/1 int64 float64/5 int64 int64/1 int64/1 uint8/2 float64/3"
        " float64/3 float64/2 float64/3 float64/1 float64/1 float64/1 float64/3 int64/1",
        "weighing.weigh": "float64/2 uint32/2 int64/1 int64/1 int64/1 uint8/1 float64/2 float64/1 int64 int64/1 int64"
        " float64/1 float64/1 float64/1",
        "weighing.weigh_split": "int64/1 int64/3 int64/1 float64/3 int64/1 float64/2 uint32/2 int64/2 int64/1 int64/1"
        " int64/2 uint8/2 float64/3 float64/3 float64/1 int64/1 int64 float64/1 float64/1 float64/1 float64/1",
    },
)
JOINED: Final = Loops(
    "croupier.exact.blackjack.loops",
    made_of=_MADE_OF,
    takes={
        "joining.dealer_table": "int64/1 int64/1 int64/1 float64/1 int64/1 float64/1 int64/2 float64/2"
        " float64/1 float64/1 float64/1 float64/1",
        "joining.count_orders": "int64/1 int64/2 int64/1 float64/1",
        "joining.number_unions": "int64/1 int64/1 int64/2 int64/2 int64 int64/2 int64/1 int32/2 int64/1",
        "joining.sequence_chances": "int64/2 float64/1 float64/1",
        "joining.last_hand": "int32/2 float64/1 float64/1 int64/1 int64/1 float64/2 bool/1 float64/1 int64 int64/3"
        " int64/3 float64/4 float64/1",
        "joining.hand_before": "int32/2 float64/1 float64/1 float64/1 int64/1 float64/2 bool/1 int64/1 int64/3 int64/3"
        " float64/4 float64/4 float64/4",
        "joining.needed": "int64/1 int64/2 int64/2 int64 bool/1",
        "joining.newton": "int64/1 int64/1 int64/1 int64/1 int64/1 int64/2 float64/1 int64/2 float64/1 float64/1",
    },
)
"""Apart, as a solved shoe does without them, and to compile them takes as long again."""
