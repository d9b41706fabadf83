"""How loops are compiled by numba, and kept in its own way.

Theory of operation.  Numba keeps what it compiled beside the source, or else in a folder of its own under the home.  Of
itself it stops where there is neither, where a disk is full, and for ever where a file was damaged or left empty when
the power went.  Nothing may hang on what is only kept: so each of its files has a sum at its end (which numba, reading
a pickle, does not come to), one that is not whole is as if it were not there, what cannot be written is not kept, and
where there is no place a function is compiled each time.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, ParamSpec, TypeVar, cast

from numba import njit
from numba.core.caching import IndexDataCacheFile

P = ParamSpec("P")
T = TypeVar("T")

SUM_BYTES: Final = 4


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """The function in machine code, kept on disk, and free to run beside other threads."""
    return cast(Callable[P, T], _kept(njit(nogil=True)(function)))


def alone(function: Callable[P, T]) -> Callable[P, T]:
    """The same for one that allocates and raises nothing, so that its machine code needs nobody (`building`)."""
    how = {"_nrt": False, "error_model": "numpy"}
    return cast(Callable[P, T], _kept(cast(Any, njit)(nogil=True, **how)(function)))


def _kept(made: Any) -> Any:
    """The compiled function, to be kept if there is a place for it."""
    try:
        made.enable_caching()
    except RuntimeError:  # neither the package nor a home can be written to
        return made
    # These are numba's own affairs: a release that has them otherwise keeps its files in its own way again.
    with suppress(AttributeError):
        cache = made._cache
        stamp = cache._impl.locator.get_source_stamp()
        cache._cache_file = SoundFiles(cache._cache_path, cache._impl.filename_base, stamp)
    return made


NUMBAS_FILES: Any = IndexDataCacheFile


class SoundFiles(NUMBAS_FILES):  # type: ignore[misc]
    """The files in which numba keeps a function: an index, and one for each kind of arguments."""

    def save(self, key: object, data: object) -> None:
        with suppress(OSError):
            super().save(key, data)

    def _dump(self, obj: object) -> bytes:
        body: bytes = super()._dump(obj)
        return body + _sum(body)

    def _load_index(self) -> dict[object, str]:
        try:
            with open(self._index_path, "rb") as file:
                pickle.load(file)
                _check(file.read())
            found: dict[object, str] = super()._load_index()
        except Exception:  # whatever bytes that are no pickle come to
            return {}
        return found

    def _load_data(self, name: str) -> object:
        with open(self._data_path(name), "rb") as file:
            _check(file.read())
        return super()._load_data(name)


def _check(content: bytes) -> None:
    if _sum(content[:-SUM_BYTES]) != content[-SUM_BYTES:]:
        raise OSError("it is not whole")


def _sum(body: bytes) -> bytes:
    return zlib.crc32(body).to_bytes(SUM_BYTES, "big")
