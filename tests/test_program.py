"""Linear programs: the bound that does not take the solver's word."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from scorewright.errors import SolverError
from scorewright.program import WAYS, Growing, Program, Rows


def random_program(seed: int) -> Program:
    """A small program with a finite box; about half are feasible."""
    rng = np.random.default_rng(seed)
    rows, width = int(rng.integers(0, 7)), int(rng.integers(1, 6))
    matrix = np.round(rng.normal(size=(rows, width)), 1)
    return Program(
        rng.normal(size=width), Rows.dense(matrix, rng.normal(size=rows)), -rng.random(width), rng.random(width)
    )


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_same_answer_as_scipy_and_a_closed_certificate(seed):
    """Value, feasibility, bound and violation."""
    program = random_program(seed)
    matrix = np.reshape(program.rows.entries, (-1, len(program.cost)))
    plain = linprog(
        program.cost,
        A_ub=-matrix if len(matrix) else None,
        b_ub=-program.rows.least if len(matrix) else None,
        bounds=np.column_stack([program.lower, program.upper]),
    )
    vertex = program.solve()
    assert (vertex is None) == (plain.status == 2)
    if vertex is not None:
        assert program.cost @ vertex.point == pytest.approx(plain.fun, abs=1e-9)
        assert program.bound(vertex.multipliers) == pytest.approx(plain.fun, abs=1e-9)
        assert program.violation(vertex.point) < 1e-12
    else:
        with pytest.raises(SolverError, match="infeasible"):
            program.optimum()


@given(seed=st.integers(0, 10_000), guess=st.lists(st.floats(0, 5), min_size=7, max_size=7))
def test_any_multipliers_give_a_lower_bound(seed, guess):
    """Weak duality, at random feasible points."""
    program = random_program(seed)
    rng = np.random.default_rng(seed + 1)
    bound = program.bound(np.array(guess[: len(program.rows.least)]))
    for point in program.lower + (program.upper - program.lower) * rng.random((50, len(program.cost))):
        if program.violation(point) == 0:
            assert program.cost @ point >= bound - 1e-9


def test_rows_multiply_and_stack():
    """A x, A' y and rows below rows, as matrices would."""
    one, two = np.array([[1.0, 2.0, 0.0], [0.0, -1.0, 4.0]]), np.array([[3.0, 0.0, 1.0]])
    rows = Rows.dense(one, np.zeros(2)).over(two, np.ones(1))
    whole = np.vstack([one, two])
    point, price = np.array([1.0, -2.0, 0.5]), np.array([2.0, 1.0, 3.0])
    assert rows.times(point) == pytest.approx(whole @ point)
    assert rows.transposed(price, 3) == pytest.approx(whole.T @ price)
    assert rows.least.tolist() == [0, 0, 1]


@pytest.mark.parametrize("seed", range(20))
def test_growing_programs_end_where_whole_ones_do(seed):
    """Rows and columns that join between solves give the value of the program that had them from the start."""
    program = random_program(seed)
    matrix = np.reshape(program.rows.entries, (-1, len(program.cost)))
    half, narrow = len(matrix) // 2, max(1, len(program.cost) // 2)
    lower, upper = np.zeros(len(program.cost)), program.upper
    first = Rows.dense(matrix[:half, :narrow], program.rows.least[:half])
    start = Program(program.cost[:narrow], first, lower[:narrow], upper[:narrow])
    growing = Growing(start, WAYS[0])
    growing.solve()
    every = np.broadcast_to(np.arange(half), (len(program.cost) - narrow, half))
    entries = Rows.sparse(every, matrix[:half, narrow:].T, np.zeros(len(program.cost) - narrow))
    growing.add_columns(program.cost[narrow:], program.upper[narrow:], entries)
    growing.solve()
    growing.add_rows(Rows.dense(matrix[half:], program.rows.least[half:]))
    grown, whole = growing.solve(), Program(program.cost, program.rows, lower, upper).solve()
    assert (grown is None) == (whole is None)
    if whole is not None:
        assert program.cost @ grown.point == pytest.approx(program.cost @ whole.point, abs=1e-9)
