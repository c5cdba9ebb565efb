"""Values, not handles: frozen dataclasses whose arrays compare, hash and pickle by content."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np


class Value:
    """Mixin for frozen dataclasses (declared with ``eq=False``) that hold arrays."""

    def _content(self) -> tuple[Any, ...]:
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        return tuple(getattr(self, field.name) for field in fields if field.init)

    def _set(self, **values: Any) -> None:
        """Fill the fields: what a constructor of a frozen class does once."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs
            for mine, theirs in zip(self._content(), other._content(), strict=True)
        )

    def __hash__(self) -> int:
        return hash(
            tuple(
                (item.shape, (item + 0.0).tobytes()) if isinstance(item, np.ndarray) else item
                for item in self._content()
            )
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # Rebuilt by its constructor, so that a copy from another process is checked and read-only too.
        return type(self), self._content()
