"""How the functions of this room are compiled, where their machine code is not kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from numba import njit

P = ParamSpec("P")
T = TypeVar("T")


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """The function in machine code that allocates nothing, kept on disk, and free to run beside other threads."""
    return cast(Callable[P, T], njit(cache=True, nogil=True, _nrt=False, error_model="numpy")(function))
