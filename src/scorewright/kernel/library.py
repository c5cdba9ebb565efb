"""The compiled library: found, or built, and loaded when first needed."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import shutil
import sys
import tempfile
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_uint64, c_void_p
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from scorewright.errors import KernelError
from scorewright.kernel import build
from scorewright.validation import Array

Phase = Literal["oracle", "optimise", "search", "explore", "probe", "exploit"]
PHASES: tuple[Phase, ...] = get_args(Phase)
"""The kernel's phases, by number."""

TALLIES = (
    "efforts", "rounds", "queued", "rules", "spans", "bytes",
    "programs", "nonzero", "infeasible", "handed", "pivots", "columns", "searching",
)  # fmt: skip
"""What `sw_tally` counts, in order."""

Doubles = POINTER(c_double)
Longs = POINTER(c_int64)
Ints = POINTER(c_int32)

RadiiCall = ctypes.CFUNCTYPE(None, Doubles, c_int, c_int, c_int64, Doubles)
MixingCall = ctypes.CFUNCTYPE(c_double, c_int, c_int64)
WidthCall = ctypes.CFUNCTYPE(c_double, c_double, c_double)
HandCall = ctypes.CFUNCTYPE(c_int, c_int, c_int, c_double, Doubles, Doubles, Doubles, Doubles)


class Strategies(ctypes.Structure):
    """Radius, mixing and stop; see kernel.h."""

    _fields_: ClassVar = [
        *((name, c_double) for name in ("radius", "exponent", "factor", "stop")),
        ("radii", RadiiCall),
        ("mixing", MixingCall),
        ("width", WidthCall),
    ]


class Proposal(ctypes.Structure):
    """What the kernel proposes; see kernel.h."""

    _fields_: ClassVar = [
        ("phase", c_int),
        ("target", c_int),
        ("rule", c_int32),
        *((name, Doubles) for name in ("payments", "expected", "index")),
        *((name, c_double) for name in ("low", "high", "weight")),
    ]


class BoardStructure(ctypes.Structure):
    """The game as the loop needs it; see loop.c."""

    _fields_: ClassVar = [
        *((name, c_int) for name in ("K", "M", "W")),
        *((name, Doubles) for name in ("information", "costs", "worth", "reports", "states", "utility")),
        *((name, c_double) for name in ("slack", "optimum")),
        *((name, Doubles) for name in ("surplus", "profit")),
    ]


class LedgerStructure(ctypes.Structure):
    """The books of a run; see loop.c."""

    _fields_: ClassVar = [
        *((name, c_double) for name in ("regret", "realised", "paid", "earned")),
        ("phases", c_int64 * len(PHASES)),
        *((name, c_int64) for name in ("aimed", "obeyed", "rounds")),
        ("keep", Longs),
        *((name, c_int64) for name in ("kept", "wanted")),
        *((name, Longs) for name in ("effort", "target", "phase", "report", "state")),
        *((name, Doubles) for name in ("payment", "utility", "regrets", "realiseds")),
    ]


_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "sw_radii": (None, [c_double, Doubles, c_int, c_int, c_int64, Doubles]),
    "sw_mixing": (c_double, [c_double, c_double, c_int64]),
    "sw_paths": (None, [c_int, Doubles, Doubles, c_double]),
    "sw_respond": (c_int, [c_int, Doubles, Doubles, c_double]),
    "sw_paid": (None, [c_int, c_int, Doubles, Doubles, Doubles]),
    "sw_book": (None, [c_void_p, c_void_p, Doubles, Doubles, c_int, c_int, c_int, c_int, c_int]),
    "sw_settle": (c_int, [c_void_p, c_void_p, Doubles, Doubles, c_int, c_int, c_int, Doubles]),
    "sw_play": (c_int64, [c_void_p, c_void_p, c_void_p, Doubles, c_int64, c_int64, POINTER(c_int)]),
    "sw_new": (c_void_p, [c_int, c_int, c_int, c_double, Doubles, Doubles, Doubles, c_double, Ints]),
    "sw_free": (None, [c_void_p]),
    "sw_grow": (None, [c_void_p, c_int]),
    "sw_osrl": (None, [c_void_p, Strategies, HandCall]),
    "sw_leave": (None, [c_void_p]),
    "sw_oracle": (None, [c_void_p, Ints, c_int]),
    "sw_arms": (None, [c_void_p, c_int, Ints, Ints, c_double, c_int, c_int]),
    "sw_rule": (c_int32, [c_void_p, Doubles]),
    "sw_propose": (c_int, [c_void_p, c_int64]),
    "sw_absorb": (c_int, [c_void_p, c_int, c_int]),
    "sw_tell": (None, [c_void_p, c_int32, c_int, c_int]),
    "sw_offer": (POINTER(Proposal), [c_void_p]),
    "sw_tally": (None, [c_void_p, Longs]),
    "sw_recall": (c_int, [c_void_p, c_int64, Ints]),
    "sw_counts": (None, [c_void_p, Longs, Ints]),
    "sw_arm": (c_int, [c_void_p, Doubles, Doubles]),
    "sw_payments": (None, [c_void_p, c_int32, Doubles]),
    "sw_estimates": (None, [c_void_p, c_int64, POINTER(Strategies), *[Doubles] * 5]),
    "sw_recommend": (c_int, [c_void_p, Doubles, Doubles, Doubles]),
    "sw_save": (c_void_p, [c_void_p, Longs]),
    "sw_saved": (None, [c_void_p, Doubles, Longs]),
    "sw_worlds_new": (c_void_p, [c_int, c_int, c_int, c_double, c_double, Doubles, Doubles, Doubles, c_int, c_uint64]),
    "sw_worlds_free": (None, [c_void_p]),
    "sw_worlds_grow": (None, [c_void_p, c_int]),
    "sw_worlds_answer": (None, [c_void_p, Doubles, c_int]),
    "sw_worlds_unanswer": (None, [c_void_p]),
    "sw_worlds_refit": (
        c_int,
        [c_void_p, c_char_p, Doubles, Doubles, Doubles, Doubles, c_int, c_int, c_int, c_int],
    ),
    "sw_worlds_sift": (None, [c_void_p, c_int, c_char_p, c_char_p]),
    "sw_worlds_forget": (None, [c_void_p]),
    "sw_worlds_paid": (None, [c_void_p, Doubles, c_int, Doubles]),
    "sw_worlds_refit_noisy": (None, [c_void_p, Doubles, Doubles, Doubles, c_int]),
    "sw_worlds_cheapest": (c_int, [c_void_p, c_int, c_int, c_char_p, c_double, Doubles, Doubles]),
    "sw_worlds_read": (None, [c_void_p, Doubles, Doubles, Doubles, Longs]),
    "sw_worlds_place": (None, [c_void_p, c_char_p, Doubles, Doubles, c_int]),
    "sw_worlds_write": (None, [c_void_p, Doubles, Doubles, Doubles, Longs, c_int]),
    "sw_load": (c_int, [c_void_p, Doubles, Longs, Longs]),
}


@cache
def library() -> Any:
    """Return the loaded library: the one in the package, or in the cache, or a new one."""
    try:
        loaded = _found() or ctypes.CDLL(str(_built()))
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as problem:
        raise KernelError(f"the compiled kernel of scorewright can't be loaded: {problem}") from None
    return loaded


def cache_folder() -> Path:
    """Return where a library built on demand is kept: $SCOREWRIGHT_CACHE, or the user's cache."""
    named = os.environ.get("SCOREWRIGHT_CACHE")
    if named:
        return Path(named)
    home = {"win32": os.environ.get("LOCALAPPDATA"), "darwin": "~/Library/Caches"}.get(sys.platform)
    return Path(home or os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "scorewright"


def _found() -> Any:
    """The library, if it is there and whole."""
    name = build.file_name()
    for place in (Path(__file__).resolve().parent / name, cache_folder() / name):
        if place.is_file():
            with contextlib.suppress(OSError):
                return ctypes.CDLL(str(place))
    return None


def _built() -> Path:
    """A new library, in the cache or, where that can't be written, in a folder that goes when Python does."""
    try:
        return build.build(cache_folder())
    except build.CompilerError:
        raise
    except OSError:
        folder = tempfile.mkdtemp(prefix="scorewright-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return build.build(Path(folder))


def doubles(array: Array) -> Any:
    """Return a pointer to the numbers of an array, for the library; the array itself where it is contiguous."""
    return np.ascontiguousarray(array, dtype=np.float64).ctypes.data_as(Doubles)


def longs(array: NDArray[np.int64]) -> Any:
    """Return a pointer to an array of integers, for the library."""
    return array.ctypes.data_as(Longs)
