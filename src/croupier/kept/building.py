"""Machine code that needs nobody: functions compiled by numba, linked into one block that may lie anywhere.

Theory of operation.  Each function is compiled for the arrays and whole numbers that it is said to take.  Numba's own
entry wants every array as seven words and more; here it gets one that reads them from a list of words, so that whoever
calls it needs nothing but an address.  All entries are put into one module, everything else in it is made internal, and
the machine code of the module is laid out as one block: code and constants, and every reference from one place to
another as a distance.  So nothing has to be done when the block is loaded, but to copy it.

That is possible only where nothing is asked of anybody: no memory is allocated, nothing is raised, no function of
numba, Python or C is called.  Filling and copying of memory, which the compiler puts in by itself, are written here.
Whatever else is left open, or cannot be told as a distance, is an error (`NotAlone`), and there is no block.  So it is
on other machines than the one kind whose code is understood here (`MACHINE`): there numba does it all, as ever.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, cast

from croupier.kept.code import ALIGNED, NotAlone, source
from croupier.once import dataclass

MACHINE: Final = 62
"""The number of x86-64 in the head of a file of machine code."""
ALLOCATED, WRITABLE, RELOCATIONS, SYMBOLS, NO_BYTES = 2, 1, 4, 2, 8
DISTANCES: Final = (2, 4)
"""The kinds of reference that are a distance of four bytes: to a place, to a function."""
WORDS: Final = {"ptr": "inttoptr i64 %{0} to ptr", "double": "bitcast i64 %{0} to double", "i64": "add i64 %{0}, 0"}

MEMORY: Final = """
define ptr @memset(ptr %to, i32 %byte, i64 %many) noinline {
  %small = trunc i32 %byte to i8
  call {ptr, i64} asm sideeffect "rep stosb", "={di},={cx},{al},0,1,~{memory}"(i8 %small, ptr %to, i64 %many)
  ret ptr %to
}
define ptr @memcpy(ptr %to, ptr %from, i64 %many) noinline {
  call {ptr, ptr, i64} asm sideeffect "rep movsb", "={di},={si},={cx},0,1,2,~{memory}"(ptr %to, ptr %from, i64 %many)
  ret ptr %to
}
"""


def built(package: str, takes: Mapping[str, str]) -> bytes:
    """The block for some functions of a package, each with what it takes (as `code.Loops` has it).

    It begins with a line for each, of its name and its distance from where the code begins; that is the next aligned
    place behind an empty line.
    """
    from numba.core.errors import NumbaError

    try:
        code = _compiled(package, takes)
    except (NumbaError, RuntimeError) as error:
        raise NotAlone(f"it does not compile: {error}") from error
    except (ImportError, AttributeError, LookupError, NameError) as error:
        # Another release of the compiler has other insides than those that are used here.
        raise NotAlone(f"the compiler is not as it is known here: {error}") from error
    return linked(code, tuple(takes))


def _compiled(package: str, takes: Mapping[str, str]) -> bytes:
    """The functions in one file of machine code."""
    import llvmlite.binding as llvm  # type: ignore[import-untyped]
    from numba import njit

    llvm.initialize_native_asmparser()
    whole, functions = llvm.parse_assembly(MEMORY), {name: source(package, name) for name in takes}
    for name, taken in takes.items():
        kinds = tuple(map(_kind, taken.split()))
        function = cast(Any, njit)(**ALONE)(functions[name].py_func)
        with _compiled_anew(package):
            function.compile(kinds)
        compiled = function.overloads[kinds]
        part = llvm.parse_assembly(compiled.library.get_llvm_str())
        inside = part.get_function(compiled.fndesc.llvm_func_name)
        entry = _entry(name, inside.name, [str(each.type) for each in inside.arguments])
        whole.link_in(part)
        whole.link_in(llvm.parse_assembly(entry))
    for each in (*whole.functions, *whole.global_variables):
        if not each.is_declaration:
            each.linkage = "external" if each.name in takes else "internal"
    target = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="pic",
        codemodel="small",
    )
    return bytes(target.emit_object(whole))


ALONE: Final = {"nogil": True, "_nrt": False, "error_model": "numpy", "boundscheck": False} | dict.fromkeys(
    ("no_cpython_wrapper", "no_cfunc_wrapper"), True
)
"""How a function is compiled that allocates nothing and raises nothing."""


@contextmanager
def _compiled_anew(package: str) -> Iterator[None]:
    """What numba has kept of functions that others call is left alone: it looks at the time of one source only."""
    modules = [module for name, module in sys.modules.items() if name.startswith(f"{package}.")]
    kept = [each._cache for module in modules for each in vars(module).values() if hasattr(each, "enable_caching")]
    for each in kept:
        each.disable()
    try:
        yield
    finally:
        for each in kept:
            each.enable()


def _kind(word: str) -> Any:
    """Numba's type for `int64` or `float64/2`: a number, or an array of two dimensions without gaps."""
    import numpy as np
    from numba import types
    from numba.np.numpy_support import from_dtype

    number, _, dimensions = word.partition("/")
    kind = from_dtype(np.dtype(number))
    return types.Array(kind, int(dimensions), "C") if dimensions else kind


def _entry(name: str, inside: str, kinds: list[str]) -> str:
    """A function that reads what another takes from a list of words; a result and an error get a place each."""
    lines = [f'declare i32 @"{inside}"({", ".join(kinds)})', f'define i32 @"{name}"(ptr %words) {{']
    lines += ["%result = alloca i64", "%error = alloca ptr"]
    for at, kind in enumerate(kinds[2:]):
        if kind not in WORDS:
            raise NotAlone(f"{name} takes {kind}")
        lines.append(f"%at{at} = getelementptr i64, ptr %words, i64 {at}")
        lines.append(f"%word{at} = load i64, ptr %at{at}")
        lines.append(f"%value{at} = {WORDS[kind].format(f'word{at}')}")
    values = "".join(f", {kind} %value{at}" for at, kind in enumerate(kinds[2:]))
    lines.append(f'%status = call i32 @"{inside}"(ptr %result, ptr %error{values})')
    return "\n".join([*lines, "ret i32 %status", "}"])


# ---------------------------------------------------------------- laying it out


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a file of machine code, as its head tells of it."""

    kind: int
    flags: int
    offset: int
    size: int
    link: int
    about: int


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A named place: in which section (0: in none), and where."""

    name: str
    section: int
    value: int


def linked(code: bytes, entries: tuple[str, ...]) -> bytes:
    """One block from a file of machine code in the format ELF."""
    if code[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", code, 18)[0] != MACHINE:
        raise NotAlone("the code of a machine that is not known here")
    sections = tuple(_sections(code))
    symbols = tuple(_symbols(code, sections))
    begins, block = {}, bytearray()
    for number, each in enumerate(sections):
        if each.flags & ALLOCATED and not each.flags & WRITABLE and each.kind != NO_BYTES:
            block += bytes(-len(block) % ALIGNED)
            begins[number] = len(block)
            block += code[each.offset : each.offset + each.size]
    for each in sections:
        if each.kind == RELOCATIONS and each.about in begins:
            for place, kind, symbol, further in _references(code, each, symbols):
                if kind not in DISTANCES or symbol.section not in begins:
                    raise NotAlone(f"a reference to {symbol.name or symbol.section} of kind {kind}")
                at = begins[each.about] + place
                struct.pack_into("<i", block, at, begins[symbol.section] + symbol.value + further - at)
    places = {each.name: begins[each.section] + each.value for each in symbols if each.section in begins}
    head = "".join(f"{name} {places[name]}\n" for name in entries).encode() + b"\n"
    return head + bytes(-len(head) % ALIGNED) + bytes(block)


def _sections(code: bytes) -> Iterator[Section]:
    (begin,) = struct.unpack_from("<Q", code, 40)
    size, many = struct.unpack_from("<HH", code, 58)
    for at in range(begin, begin + size * many, size):
        _, kind, flags, _, offset, length, link, about = struct.unpack_from("<IIQQQQII", code, at)
        yield Section(kind, flags, offset, length, link, about)


def _symbols(code: bytes, sections: tuple[Section, ...]) -> Iterator[NamedPlace]:
    for each in sections:
        if each.kind == SYMBOLS:
            names = sections[each.link].offset
            for at in range(each.offset, each.offset + each.size, 24):
                name, _, _, section, value = struct.unpack_from("<IBBHQ", code, at)
                begin = names + name
                yield NamedPlace(code[begin : code.index(b"\0", begin)].decode(), section, value)


def _references(
    code: bytes, section: Section, symbols: tuple[NamedPlace, ...]
) -> Iterator[tuple[int, int, NamedPlace, int]]:
    for at in range(section.offset, section.offset + section.size, 24):
        place, about, further = struct.unpack_from("<QQq", code, at)
        yield place, about & 0xFFFFFFFF, symbols[about >> 32], further
