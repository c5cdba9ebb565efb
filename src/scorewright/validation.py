"""User input, checked once, at the edge: it comes out as clean read-only arrays or as one clear sentence."""

from __future__ import annotations

import difflib
import math
import numbers
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from scorewright import tolerance
from scorewright.errors import InvalidInputError, UnknownNameError

Array: TypeAlias = NDArray[np.float64]
"""What comes out: read-only, finite, float."""

Numbers: TypeAlias = Any
"""What goes in: whatever numpy reads as numbers. (No narrower type lets a checker accept ``[[1, 0], [0, .5]]``.)"""


def read_only(array: Array) -> Array:
    """Return `array`, now closed for writing."""
    array.setflags(write=False)
    return array


def table(value: Any, name: str, axes: Sequence[str]) -> Array:
    """Read `value` as a finite, non-empty float array with one axis per entry of `axes` (their names, for errors)."""
    layout = f"{name} must be a table of numbers, {' x '.join(axes)}"
    if len(axes) == 1:
        layout = f"{name} must be a list of numbers, one per {axes[0]}"
    try:
        raw = np.asarray(value)
    except ValueError:
        raise InvalidInputError(f"{layout}; its rows have different lengths") from None
    except (OverflowError, RecursionError, TypeError):
        raise InvalidInputError(f"{layout}; it is {_short(value)}") from None
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise InvalidInputError(f"{layout}; some of it is masked")
    if _holds_truth_values(value):
        raise InvalidInputError(f"{layout}; it holds True or False")
    if raw.dtype.kind == "O":
        raw = _numbers_of_objects(raw, layout)
    if raw.dtype.kind not in "iuf":
        raise InvalidInputError(f"{layout}; it holds values of type {raw.dtype.name}")
    if raw.ndim != len(axes):
        raise InvalidInputError(f"{layout}; it has {raw.ndim} {_plural('dimension', raw.ndim)}")
    if raw.size == 0:
        empty = axes[raw.shape.index(0)]
        raise InvalidInputError(f"{layout}; it is empty (no {empty} at all)")
    with np.errstate(over="ignore"):
        array = np.array(raw, dtype=np.float64, order="C")
    bad = ~(np.abs(array) <= tolerance.LARGEST)
    if bad.any():
        at = tuple(int(i) for i in np.argwhere(bad)[0])
        limit = "a finite number" if not np.isfinite(array[at]) else f"at most {tolerance.LARGEST:g}"
        raise InvalidInputError(f"{name}[{_at(at)}] is {array[at]}; every entry must be {limit}")
    return read_only(array)


def _numbers_of_objects(raw: NDArray[Any], layout: str) -> NDArray[Any]:
    for item in raw.ravel():
        if isinstance(item, Sequence | np.ndarray) and not isinstance(item, str):
            raise InvalidInputError(f"{layout}; its rows have different lengths")
        if isinstance(item, bool) or not isinstance(item, numbers.Real):
            raise InvalidInputError(f"{layout}; it holds {_short(item)}")
    try:
        return raw.astype(np.float64)
    except (OverflowError, TypeError, ValueError):
        raise InvalidInputError(f"{layout}; it holds a number too large for a float") from None


def _holds_truth_values(value: Any) -> bool:
    """Whether a list holds True or False somewhere, which numpy would take for 1 and 0."""
    if isinstance(value, list | tuple):
        return any(_holds_truth_values(item) for item in value)
    return isinstance(value, bool | np.bool_)


def probabilities(value: Any, name: str, axes: Sequence[str], *, over: int = 1) -> Array:
    """Read `value` as nonnegative entries that sum to one over the last `over` axes."""
    array = table(value, name, axes)
    if (array < 0).any():
        at = tuple(int(i) for i in np.argwhere(array < 0)[0])
        raise InvalidInputError(f"{name}[{_at(at)}] is {array[at]:g}; a probability can't be negative")
    sums = np.atleast_1d(array.sum(axis=tuple(range(-over, 0))))
    off = np.abs(sums - 1) > tolerance.PROBABILITY
    if off.any():
        at = tuple(int(i) for i in np.argwhere(off)[0])
        row = f"{name}[{_at(at)}]" if array.ndim > over else name
        raise InvalidInputError(
            f"{row} sums to {sums[at]:.12g}; probabilities must sum to one within {tolerance.PROBABILITY:g}: "
            f"divide the row by its sum"
        )
    return array


def nonnegative(value: Any, name: str, axes: Sequence[str]) -> Array:
    """Read `value` as a table of finite numbers >= 0."""
    array = table(value, name, axes)
    if (array < 0).any():
        at = tuple(int(i) for i in np.argwhere(array < 0)[0])
        raise InvalidInputError(f"{name}[{_at(at)}] is {array[at]:g}; it can't be negative")
    return array


def number(
    value: Any, name: str, *, least: float = -math.inf, most: float = math.inf, above: float = -math.inf
) -> float:
    """Read `value` as one finite number in ``[least, most]`` and strictly greater than `above`."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise InvalidInputError(f"{name} must be a number, not {_short(value)}")
    try:
        result = float(value)
    except OverflowError:
        raise InvalidInputError(f"{name} is too large for a float") from None
    if not math.isfinite(result):
        raise InvalidInputError(f"{name} is {result}; it must be a finite number")
    if abs(result) > tolerance.LARGEST:
        raise InvalidInputError(f"{name} is {result:g}; it must be at most {tolerance.LARGEST:g}")
    if result <= above:
        raise InvalidInputError(f"{name} is {result:g}; it must be greater than {above:g}")
    if result < least:
        limit = "can't be negative" if least == 0 else f"must be at least {least:g}"
        raise InvalidInputError(f"{name} is {result:g}; it {limit}")
    if result > most:
        raise InvalidInputError(f"{name} is {result:g}; it must be at most {most:g}")
    return result


def whole(value: Any, name: str, *, least: int = 0, most: int | None = None) -> int:
    """Read `value` as a whole number in ``least .. most``."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise InvalidInputError(f"{name} must be a whole number, not {_short(value)}")
    result = int(value)
    if result < least or (most is not None and result > most):
        span = f"at least {least}" if most is None else f"from {least} to {most}"
        raise InvalidInputError(f"{name} is {result}; it must be {span}")
    return result


def labels(value: Any, name: str, count: int | None, things: str) -> tuple[str, ...] | None:
    """Read `value` as `count` different non-empty strings, or as None when there are no labels."""
    if value is None:
        return None
    if isinstance(value, str | bytes | Set | Mapping) or not isinstance(value, Iterable):
        raise InvalidInputError(f"{name} must be a list of labels, not {_short(value)}")
    result = tuple(value)
    for label in result:
        if not isinstance(label, str) or not label.strip():
            raise InvalidInputError(f"{name} holds {_short(label)}; every label must be a non-empty string")
        if not label.isprintable():
            raise InvalidInputError(f"{name} holds {ascii(label)[:60]}; a label must be printable text on one line")
    twice = [label for label in result if result.count(label) > 1]
    if twice:
        raise InvalidInputError(f"{name} holds {twice[0]!r} twice; labels must differ")
    if count is not None and len(result) != count:
        raise InvalidInputError(f"{name} has {len(result)} {_plural('label', len(result))} for {count} {things}")
    if not result:
        raise InvalidInputError(f"{name} is empty; leave it out if the {things} have no labels")
    return tuple(str(label) for label in result)


def index(value: Any, name: str, known: Sequence[str] | None, count: int) -> int:
    """Read `value` as a position in ``0 .. count - 1``: a whole number or one of the `known` labels."""
    if isinstance(value, str):
        if known is None:
            raise UnknownNameError(f"{name} {value!r}: nothing is labelled here; give its number, 0 to {count - 1}")
        return known.index(member(value, name, known))
    return whole(value, name, least=0, most=count - 1)


def member(value: str, name: str, known: Sequence[str]) -> str:
    """Return `value` if it is one of the `known` names, else say which are, nearest first."""
    if not isinstance(value, str):
        raise UnknownNameError(f"{name} must be a name, not {_short(value)}: {', '.join(map(repr, known))}")
    if value in known:
        return value
    close = difflib.get_close_matches(value, known, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there is {', '.join(repr(k) for k in known)}"
    raise UnknownNameError(f"unknown {name} {value[:60]!r}: {hint}")


Kind = TypeVar("Kind")


def expect(value: Any, kind: type[Kind], name: str) -> Kind:
    """Return `value` if it is a `kind`, such as a Rule or a Game."""
    if isinstance(value, kind):
        return value
    raise InvalidInputError(f"{name} must be a {kind.__name__}, not {_short(value)}")


def generator(rng: Any) -> np.random.Generator:
    """Return `rng` as a generator: anything that `numpy.random.default_rng` takes."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as problem:
        raise InvalidInputError(f"rng must be what numpy.random.default_rng takes, not {_short(rng)}") from problem


def _at(at: tuple[int, ...]) -> str:
    return ", ".join(str(i) for i in at)


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def _short(value: Any) -> str:
    text = ascii(value) if isinstance(value, str | float | complex | None) else ""
    return text if 0 < len(text) <= 40 else f"a value of type {type(value).__name__}"
