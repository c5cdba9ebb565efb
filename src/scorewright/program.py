"""Linear programs: HiGHS, and a bound that does not take its word.

A `Program` is ``minimise cost . x  subject to  A x >= least,  lower <= x <= upper`` with a finite box. For any
multipliers ``y >= 0`` of the rows, weak duality gives a lower bound on its value that needs nothing from the solver:

    bound(y) = y . least + sum_j min(d_j lower_j, d_j upper_j),    d = cost - A' y.

`Program.solve` returns the point and the multipliers; whoever needs to trust them evaluates `Program.bound` and
`Program.violation`. A `Growing` program takes more rows and columns between solves, each of which starts where the last
one ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scorewright import tolerance
from scorewright.errors import SolverError
from scorewright.validation import Array

if TYPE_CHECKING:
    import highspy


@dataclass(frozen=True)
class Rows:
    """Sparse rows ``A`` (compressed by row) with a lower limit each: ``A x >= least``."""

    starts: NDArray[np.int32]
    columns: NDArray[np.int32]
    entries: Array
    least: Array

    @staticmethod
    def dense(matrix: Array, least: Array) -> Rows:
        """Rows given as a full matrix."""
        count, width = matrix.shape
        return Rows(
            np.arange(count + 1, dtype=np.int32) * np.int32(width),
            np.tile(np.arange(width, dtype=np.int32), count),
            np.ascontiguousarray(matrix).ravel(),
            np.asarray(least, dtype=np.float64),
        )

    @staticmethod
    def sparse(columns: NDArray[np.intp], entries: Array, least: Array) -> Rows:
        """Rows given by the columns and entries (rows, width) of what may be nonzero in them."""
        there = entries != 0
        starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
        return Rows(starts.astype(np.int32), columns[there].astype(np.int32), entries[there], least)

    def over(self, matrix: Array, least: Array) -> Rows:
        """These rows with full rows below them."""
        more = Rows.dense(matrix, least)
        return Rows(
            np.concatenate([self.starts, more.starts[1:] + self.starts[-1]]),
            np.concatenate([self.columns, more.columns]),
            np.concatenate([self.entries, more.entries]),
            np.concatenate([self.least, more.least]),
        )

    def times(self, point: Array) -> Array:
        """``A x``, of shape (rows,)."""
        if len(self.least) == 0:
            return np.zeros(0)
        return np.add.reduceat(self.entries * point[self.columns], self.starts[:-1])

    def transposed(self, multipliers: Array, width: int) -> Array:
        """``A' y``, of shape (width,)."""
        weights = np.repeat(multipliers, np.diff(self.starts))
        result: Array = np.bincount(self.columns, weights * self.entries, minlength=width).astype(np.float64)
        return result


@dataclass(frozen=True)
class Vertex:
    """A solver's answer: a point in the box, and one multiplier >= 0 per row."""

    point: Array
    multipliers: Array


@dataclass(frozen=True)
class Program:
    """``minimise cost . x  subject to  rows, lower <= x <= upper``, the box finite."""

    cost: Array
    rows: Rows
    lower: Array
    upper: Array

    def reduced(self, multipliers: Array) -> Array:
        """Reduced costs ``d = cost - A' y``: what one unit more of each variable costs at these prices."""
        return self.cost - self.rows.transposed(multipliers, len(self.cost))

    def bound(self, multipliers: Array) -> float:
        """Lower bound on the value of the program, valid for every ``multipliers >= 0``."""
        reduced = self.reduced(multipliers)
        return float(multipliers @ self.rows.least + np.minimum(reduced * self.lower, reduced * self.upper).sum())

    def violation(self, point: Array) -> float:
        """Largest amount by which `point` oversteps a row or the box."""
        rows = self.rows.least - self.rows.times(point)
        box = np.maximum(self.lower - point, point - self.upper)
        return float(max(0.0, rows.max(initial=0.0), box.max(initial=0.0)))

    def solve(self) -> Vertex | None:
        """Return an optimal vertex whose certificate closes, or None when HiGHS finds no feasible point.

        Raises
        ------
        SolverError
            HiGHS gave up, or primal and dual never agreed, whichever way it was asked.
        """
        for way in WAYS:
            try:
                vertex = Growing(self, way).solve()
            except SolverError as problem:
                refused = problem
                continue
            if vertex is None or self._closes(vertex):
                return vertex
            refused = self._complaint("Optimal, but primal and dual values do not agree")
        raise refused

    def optimum(self) -> Vertex:
        """Return `solve`'s vertex for a program that is known to be feasible."""
        vertex = self.solve()
        if vertex is None:
            raise SolverError("HiGHS calls a program infeasible that has a feasible point; please report this game")
        return vertex

    def _closes(self, vertex: Vertex) -> bool:
        value = float(self.cost @ vertex.point)
        gap = abs(value - self.bound(vertex.multipliers))
        return gap <= tolerance.CERTIFIED * max(1.0, abs(value)) and self.violation(vertex.point) <= tolerance.TIE

    def _complaint(self, said: str) -> SolverError:
        size = f"{len(self.cost)} variables, {len(self.rows.least)} rows"
        return SolverError(f"HiGHS gave up on a linear program of {size}: it said {said!r}; please report this game")

    def _model(self, magnified: float) -> highspy.HighsLp:
        import highspy

        rows = self.rows
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = len(self.cost), len(rows.least)
        model.col_cost_, model.col_lower_, model.col_upper_ = self.cost, self.lower * magnified, self.upper * magnified
        model.row_lower_, model.row_upper_ = rows.least * magnified, np.full(len(rows.least), highspy.kHighsInf)
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_, model.a_matrix_.index_ = rows.starts, rows.columns
        model.a_matrix_.value_ = rows.entries
        return model


@dataclass(frozen=True)
class Way:
    """A way of asking HiGHS: right-hand sides magnified by so much, and options."""

    magnified: float
    options: dict[str, bool | int | float | str]


class Growing:
    """A program in HiGHS that takes more rows and columns; every solve starts from the last basis."""

    def __init__(self, program: Program, way: Way) -> None:
        import highspy  # late: a user who only reads rules never starts a solver

        self._program, self._magnified = program, way.magnified
        self._lower, self._upper, self._rows = program.lower, program.upper, len(program.rows.least)
        self._solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        for name, value in (_OPTIONS | way.options).items():
            self._solver.setOptionValue(name, value)
        self._solver.passModel(program._model(way.magnified))

    def add_rows(self, rows: Rows) -> None:
        """Add rows over the columns that are there."""
        import highspy

        count = len(rows.least)
        if count == 0:
            return
        free = np.full(count, highspy.kHighsInf)
        least = rows.least * self._magnified
        self._solver.addRows(count, least, free, len(rows.entries), rows.starts[:-1], rows.columns, rows.entries)
        self._rows += count

    def add_columns(self, cost: Array, upper: Array, entries: Rows) -> None:
        """Add columns from 0 to `upper`; the rows of `entries` are the columns' entries in the rows that are there."""
        if len(cost) == 0:
            return
        lower = np.zeros(len(cost))
        self._solver.addCols(
            len(cost), cost, lower, upper * self._magnified, len(entries.entries),
            entries.starts[:-1], entries.columns, entries.entries,
        )  # fmt: skip
        self._lower, self._upper = np.concatenate([self._lower, lower]), np.concatenate([self._upper, upper])

    def solve(self) -> Vertex | None:
        """Return what HiGHS takes for an optimal vertex, or None when it finds no feasible point.

        Raises
        ------
        SolverError
            HiGHS gave up.
        """
        import highspy

        self._solver.setOptionValue("simplex_iteration_limit", 10_000 + 100 * (len(self._lower) + self._rows))
        for _ in range(2):
            self._solver.run()
            status = self._solver.getModelStatus()
            if status == highspy.HighsModelStatus.kInfeasible:
                return None
            if status == highspy.HighsModelStatus.kOptimal:
                break
            self._solver.clearSolver()  # a basis that has lost its digits: once more, from the beginning
        else:
            raise self._program._complaint(self._solver.modelStatusToString(status))
        found = self._solver.getSolution()
        return Vertex(
            np.clip(np.array(found.col_value) / self._magnified, self._lower, self._upper),
            np.maximum(np.array(found.row_dual), 0.0),
        )


_OPTIONS: dict[str, bool | int | float | str] = {
    "output_flag": False,
    "threads": 1,
    "presolve": "off",  # measured: no slower at these shapes, and the vertex is the simplex method's own
    "small_matrix_value": 1e-12,  # by default HiGHS drops entries below 1e-9, and with them efforts that differ little
    "primal_feasibility_tolerance": tolerance.FEASIBLE,
    "dual_feasibility_tolerance": tolerance.FEASIBLE,
}

WAYS = (
    Way(1e3, {}),
    Way(1e3, {"presolve": "on"}),
    Way(1e3, {"simplex_strategy": 4}),
    Way(1.0, {}),
)
"""Ways of asking, tried in turn when HiGHS gives up or its answer does not close.

Magnifying the right-hand sides makes HiGHS's absolute tolerance, whose least value is 1e-10, a tighter relative one.
The interior-point method is not among them: on nearly parallel rows its crossover can run for ever.
"""
