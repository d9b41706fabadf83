"""Compiled functions that load in a thousandth of a second, without the compiler.

Theory of operation.  To import numba takes longer than most answers.  So the machine code of some functions is kept on
disk (`files`) as a block that needs nobody (`building`): it is read, copied into memory that then may be run and no
longer be written, and called by its address.  It is made of the sources that are named, the versions of the compiler
and the kind of processor; where any of them is another, or the file is damaged, the block is built anew, and only then
the compiler is imported.

The code trusts what it is given, so that each call is looked at here: whether every array has the kind of number, the
dimensions and the layout that the function was compiled for.  A function fills arrays that its caller made, and gives
nothing back.

Where there can be no block (another machine or system, no place to keep it, a processor that nobody can name, code that
needs somebody) the same functions are numba's, kept in numba's own way.  That is the slow path this agrees with.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from croupier.kept.files import can_keep, is_kept, kept

COMPILERS: Final = ("numba", "llvmlite")
ALIGNED: Final = 64
"""The code of a block, and each part of it, begins at a multiple of so many bytes."""
RUN_ONLY: Final = 5
"""Memory that can be read and run."""
TELLING: Final = ("vendor_id", "cpu family", "model", "model name", "flags")
"""The lines about a processor that say what code it runs."""


class NotAlone(Exception):
    """No block: the code would need something of somebody else, or the compiler does not make it."""


class Loops:
    """Some functions of a package, `module.function`, by what each takes; they are imported only to compile.

    `int64` is a whole number, `float64/2` an array of such numbers of two dimensions that lies in one piece.  `made_of`
    are the sources of the functions, as `kept` has them.
    """

    def __init__(self, package: str, *, made_of: Sequence[str], takes: Mapping[str, str]) -> None:
        self.package, self.takes = package, takes
        self.made_of = (*made_of, "kept/building.py")

    @cached_property
    def functions(self) -> Mapping[str, Callable[..., None]]:
        """The functions, from the block if there can be one."""
        also = _surroundings(self.takes)
        if also is not None and can_keep():
            try:
                block = kept(self._name(also), made_of=self.made_of, make=self._built, also=also)
                return dict(_loaded(block, self.takes))
            except (NotAlone, OSError) as error:
                self.why_not = error
        return {name: source(self.package, name) for name in self.takes}

    why_not: Exception | None = None
    """What stood against the block, if it was tried."""

    def compiling(self) -> bool:
        """Whether the next call will first compile, which takes some seconds."""
        if "functions" in self.__dict__:
            return False
        also = _surroundings(self.takes)
        return also is None or not is_kept(self._name(also), made_of=self.made_of, also=also)

    def _name(self, also: str) -> str:
        return f"code-{self.package}-{zlib.crc32(also.encode()):08x}"

    def _built(self) -> bytes:
        from croupier.kept.building import built

        return built(self.package, self.takes)


def source(package: str, name: str) -> Any:
    """The function as numba has it."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(f"{package}.{module}"), function)


def _surroundings(takes: Mapping[str, str]) -> str | None:
    """What code depends on beside its source, in words; None where there can be no block."""
    if sys.platform != "linux" or os.uname().machine != "x86_64" or os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return None
    specs = [find_spec(name) for name in COMPILERS]
    try:
        versions = [Path(str(spec and spec.origin)).with_name("_version.py").read_text() for spec in specs]
        processor = Path("/proc/cpuinfo").read_text().partition("\n\n")[0].splitlines()
    except OSError:
        return None
    told = [line for line in processor if line.partition("\t")[0] in TELLING]
    return "\n".join((*versions, *told, *(f"{name} {taken}" for name, taken in takes.items()), "")) if told else None


# ---------------------------------------------------------------- loading


def _loaded(block: bytes, takes: Mapping[str, str]) -> Any:
    """Each function of a block with its name."""
    import ctypes
    from mmap import mmap

    end = block.index(b"\n\n") + 2
    head, begin = block[: end - 1].decode(), -(-end // ALIGNED) * ALIGNED
    places = {name: int(place) for name, place in (line.split() for line in head.splitlines())}
    memory = mmap(-1, len(block))
    memory.write(block)
    # What is made from the memory holds it for as long as the process lives: a function may be anywhere.
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    system = ctypes.CDLL(None, use_errno=True)
    if system.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(len(block)), RUN_ONLY):
        raise OSError(ctypes.get_errno(), "memory that can be run is not to be had")
    _HELD.append(memory)
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
    for name, taken in takes.items():
        yield name, _Called(name, kind(start + begin + places[name]), _kinds(taken))


_HELD: Final[list[object]] = []


def _kinds(taken: str) -> tuple[tuple[np.dtype[Any], int] | None, ...]:
    """Of each argument the kind of number and the dimensions; None for a whole number."""
    words = (word.partition("/") for word in taken.split())
    return tuple((np.dtype(number), int(dimensions)) if dimensions else None for number, _, dimensions in words)


class _Called:
    """A function at an address."""

    __slots__ = ("kinds", "name", "run")

    def __init__(self, name: str, run: Callable[[Any], int], kinds: tuple[tuple[np.dtype[Any], int] | None, ...]):
        self.name, self.run, self.kinds = name, run, kinds

    def __call__(self, *arguments: Any) -> None:
        words: list[int] = []
        for at, (given, kind) in enumerate(zip(arguments, self.kinds, strict=True)):
            if kind is None:
                words.append(int(given))
                continue
            if given.dtype != kind[0] or given.ndim != kind[1] or not given.flags.c_contiguous:
                raise TypeError(f"{self.name}: argument {at} is {given.dtype}/{given.ndim}, not {kind} in one piece")
            place = given.__array_interface__["data"][0]
            words += (0, 0, given.size, given.itemsize, place, *given.shape, *given.strides)
        block = np.array(words, dtype=np.int64)
        status = self.run(block.__array_interface__["data"][0])
        if status:
            raise RuntimeError(f"{self.name}: ended with {status}")
