"""Compiling, where Numba is there; running the same functions as plain Python, where it is not.

Every function of the kernel is decorated with :func:`njit` or a kin of it from here. With Numba it is compiled on its
first call, kept on disk, and runs without the interpreter's lock. Without Numba, or with
``NUMBA_DISABLE_JIT=1``, the same source runs as Python over NumPy scalars: right, and some thousand
times slower. :data:`COMPILED` says which, :func:`describe` says it in a sentence.
"""

from __future__ import annotations

import functools
import importlib
import platform
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

numba: Any
try:
    numba = importlib.import_module("numba")
except ImportError:
    numba = None

F = TypeVar("F")

COMPILED: bool = numba is not None and not numba.config.DISABLE_JIT
"""Whether the kernel's functions are compiled; if not they run as plain Python."""


def _target() -> tuple[str, str]:
    """The processor's name and features that code is compiled for (Numba's cache goes by both)."""
    if not COMPILED:
        return "", ""
    from llvmlite import binding

    name = numba.config.CPU_NAME or binding.get_host_cpu_name()
    features = numba.config.CPU_FEATURES
    if features is None:
        features = "" if numba.config.CPU_NAME else binding.get_host_cpu_features().flatten()
    return name, features


CPU_NAME, CPU_FEATURES = _target()

_SLOW_PDEP = ("znver1", "znver2")
"""Processors whose pdep is microcoded and slower than a few shifts and multiplications."""

BIT_INSTRUCTIONS: bool = (
    COMPILED
    and platform.machine().lower() in ("x86_64", "amd64")
    and "+bmi2" in CPU_FEATURES.split(",")
    and CPU_NAME not in _SLOW_PDEP
)
"""Whether bits are selected by the processor's own instruction (x86 BMI2) rather than by arithmetic.

To measure the portable path set ``NUMBA_CPU_FEATURES`` to features without ``+bmi2``; Numba's cache
tells the two apart.
"""


def describe() -> str:
    """One sentence on how the kernel runs here, for status lines and benchmarks."""
    if COMPILED:
        path = "the processor's bit instructions" if BIT_INSTRUCTIONS else "portable bit selection"
        return f"compiled by Numba {numba.__version__} with {path}"
    why = "Numba is not installed" if numba is None else "NUMBA_DISABLE_JIT is set"
    return f"not compiled ({why}): the kernel runs as plain Python, about a thousand times slower"


_KERNEL = Path(__file__).parent
_BUILT_IN = *_KERNEL.glob("*.py"), *(_KERNEL.parent / "agents").rglob("*.py")
"""Files whose functions are built into those of other files."""


@functools.cache
def _sources_stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    files = sorted({*_BUILT_IN, *folder.glob("*.py")})
    stats = [(file.name, file.stat()) for file in files]
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)


def _cache(dispatcher: Any) -> None:
    """Keep what is compiled on disk, where there is a place for it."""
    try:
        dispatcher.enable_caching()
    except RuntimeError:  # no folder that can be written, or a function typed into a shell
        return
    # Numba throws a cached function away when the file of that function changes. Ours have the code
    # of functions from other files built in, so all files of those folders count, and so do the
    # files beside a function of another package.
    folder = Path(dispatcher.py_func.__code__.co_filename).parent
    index = dispatcher._cache._cache_file  # noqa: SLF001
    index._source_stamp = (index._source_stamp, _sources_stamp(folder))  # noqa: SLF001


def njit(function: F) -> F:
    """Compile a function over ints and arrays, or (without Numba) make it run as it stands.

    Compiled functions are cached on disk until a source file of the kernel or the agents, or one
    beside their own, changes; release the interpreter's lock; and divide as NumPy does, without raising. Keep argument types
    stable: each new combination is compiled anew.
    """
    return _compiled(function)


def in_place(function: F) -> F:
    """:func:`njit` for functions that make no arrays but work on those that they are given.

    Without arrays of its own such a function counts no references, which inside a loop over rows
    costs more than a step of the game does. It may not call ``np.zeros`` and the like.
    """
    return _compiled(function, _nrt=False)


def inlined(function: F) -> F:
    """:func:`in_place` for small functions, put into the code of those that call them."""
    return _compiled(function, _nrt=False, forceinline=True)


def _compiled(function: F, **options: bool) -> F:
    if COMPILED:
        dispatcher = numba.njit(nogil=True, error_model="numpy", **options)(function)
        _cache(dispatcher)
        return cast(F, dispatcher)
    plain = cast(Any, function)

    @functools.wraps(plain)
    def wrapping(*arguments: Any) -> Any:
        # Unsigned arithmetic wraps round in compiled code; NumPy's scalars would warn of it.
        with np.errstate(over="ignore"):
            return plain(*arguments)

    return cast(F, wrapping)
