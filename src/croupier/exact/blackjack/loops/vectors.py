"""Eight doubles at a time, for the inner loops that walk trees and add up rows.

The compiler does such short loops one by one, or asks each time whether the arrays overlap, which costs more than the
work; here it is told that they do not.  Each function is one step of a loop: eight places of flat arrays from `at` on.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

from croupier.exact.blackjack.terms import EIGHT

_DOUBLES = ir.VectorType(ir.DoubleType(), EIGHT)


class _Step:
    """What a step is called with, arrays as vectors at their places."""

    def __init__(self, context: Any, builder: Any, signature: Any, values: Any) -> None:
        self.context, self.builder, self.kinds, self.values = context, builder, signature.args, values

    def place(self, array: int, at: int) -> Any:
        data = self.context.make_array(self.kinds[array])(self.context, self.builder, self.values[array]).data
        return self.builder.bitcast(self.builder.gep(data, [self.values[at]]), _DOUBLES.as_pointer())

    def load(self, array: int, at: int) -> Any:
        return self.builder.load(self.place(array, at), align=8)

    def store(self, value: Any, array: int, at: int) -> Any:
        self.builder.store(value, self.place(array, at), align=8)
        return self.context.get_dummy_value()

    def number(self, value: int) -> Any:
        """One number in all eight."""
        nothing, index = ir.Constant(_DOUBLES, ir.Undefined), ir.IntType(32)
        one = self.builder.insert_element(nothing, self.values[value], index(0))
        return self.builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(index, EIGHT), [0] * EIGHT))


def _grow(typing_context: Any, work: Any, at: Any, before: Any, left: Any, of: Any, off: Any) -> Any:  # noqa: ARG001
    """work[at] = work[before] * (left[of] - off)."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        step = _Step(context, builder, signature, values)
        still = builder.fsub(step.load(3, 4), step.number(5))
        return step.store(builder.fmul(step.load(0, 2), still), 0, 1)

    return types.void(work, types.int64, types.int64, left, types.int64, types.float64), generate


def _add(typing_context: Any, rows: Any, at: Any, other: Any, of: Any, factor: Any) -> Any:  # noqa: ARG001
    """rows[at] += other[of] * factor."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        step = _Step(context, builder, signature, values)
        more = builder.fmul(step.load(2, 3), step.number(4))
        return step.store(builder.fadd(step.load(0, 1), more), 0, 1)

    return types.void(rows, types.int64, other, types.int64, types.float64), generate


def _add_product(typing_context: Any, rows: Any, at: Any, work: Any, of: Any, order: Any, factor: Any) -> Any:  # noqa: ARG001
    """rows[at] += work[of] * factor * order[of]."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        step = _Step(context, builder, signature, values)
        more = builder.fmul(builder.fmul(step.load(2, 3), step.number(5)), step.load(4, 3))
        return step.store(builder.fadd(step.load(0, 1), more), 0, 1)

    return types.void(rows, types.int64, work, types.int64, order, types.float64), generate


def _product(typing_context: Any, found: Any, at: Any, one: Any, of: Any, other: Any, by: Any) -> Any:  # noqa: ARG001
    """found[at] = one[of] * other[by]."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        step = _Step(context, builder, signature, values)
        return step.store(builder.fmul(step.load(2, 3), step.load(4, 5)), 0, 1)

    return types.void(found, types.int64, one, types.int64, other, types.int64), generate


grow_eight: Any = intrinsic(_grow)
add_eight: Any = intrinsic(_add)
add_product_eight: Any = intrinsic(_add_product)
product_eight: Any = intrinsic(_product)
