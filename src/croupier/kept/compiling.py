"""How loops are compiled by numba, and kept in its own way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from numba import njit

P = ParamSpec("P")
T = TypeVar("T")


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """The function in machine code, kept on disk, and free to run beside other threads."""
    return cast(Callable[P, T], njit(cache=True, nogil=True)(function))


def alone(function: Callable[P, T]) -> Callable[P, T]:
    """The same for one that allocates and raises nothing, so that its machine code needs nobody (`building`)."""
    how = {"_nrt": False, "error_model": "numpy"}
    return cast(Callable[P, T], cast(Any, njit)(cache=True, nogil=True, **how)(function))
