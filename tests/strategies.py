"""Hypothesis strategies for beliefs, rules and games."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

import scorewright as sw


@st.composite
def distributions(draw: st.DrawFn, states: int) -> np.ndarray:
    """Return a distribution, zeros and near-certainties among them."""
    weights = draw(st.lists(st.integers(0, 20), min_size=states, max_size=states).filter(any))
    return np.array(weights) / sum(weights)


@st.composite
def supports(draw: st.DrawFn, most: int = 6) -> np.ndarray:
    """Return up to `most` beliefs over two to four states; some may coincide."""
    states = draw(st.integers(2, 4))
    return np.array(draw(st.lists(distributions(states), min_size=1, max_size=most)))


@st.composite
def rules(draw: st.DrawFn) -> sw.Rule:
    """Return any table of payments from 0 to 10."""
    beliefs = draw(supports())
    cells = beliefs.size
    payments = draw(st.lists(st.floats(0, 10), min_size=cells, max_size=cells))
    return sw.Rule(np.array(payments).reshape(beliefs.shape), beliefs)


@st.composite
def proper_rules(draw: st.DrawFn) -> sw.Rule:
    """Return a proper rule: any table, revealed."""
    return sw.rules.reveal(draw(rules()))


def games() -> st.SearchStrategy[sw.Game]:
    """Return small random games from the families."""
    return st.builds(
        lambda seed, efforts, states, observations, support: sw.families.random(
            rng=seed, efforts=efforts, states=states, observations=observations, support=support
        ),
        st.integers(0, 10_000),
        st.integers(1, 4),
        st.integers(2, 4),
        st.integers(2, 4),
        st.sampled_from(["disjoint", "shared", "nested"]),
    )
