"""`assess` and `game`: from a forecast table to a game, and to what can be said about it."""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from scorewright.errors import ForecastWarning
from scorewright.forecasts.assessment import Assessment, Outlook, Variant, Verdict, weighed
from scorewright.forecasts.calibration import Calibrated, calibrate
from scorewright.forecasts.costs import costs_of
from scorewright.forecasts.decisions import utility_of
from scorewright.forecasts.doubts import doubts
from scorewright.forecasts.model import Model, Recipe, binned, made
from scorewright.forecasts.reading import read
from scorewright.forecasts.scores import Difference, differences, draws, interval, many, scores
from scorewright.forecasts.spoken import spoken
from scorewright.forecasts.table import Forecasts
from scorewright.game import Game
from scorewright.validation import Array, generator, read_only, whole

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class _Plan:
    """A table, read, with everything that makes it a game."""

    table: Forecasts
    model: Model
    game: Game
    recipe: Recipe
    differences: tuple[Difference, ...]
    weights: Array
    doubts: tuple[str, ...]


def game(
    table: Any,
    *,
    costs: Any,
    utility: Any,
    bound: float | None = None,
    penalty: float = 0.0,
    beliefs: int = 8,
    tolerance: float | None = None,
    calibration: str | None = "auto",
    folds: int = 5,
    exogenous: bool | None = None,
    clusters: Any = None,
    decisions: Sequence[str] | None = None,
    rng: Any = 0,
) -> Game:
    """Return the game in a forecast table: `assess` without its report, and without the price of that.

    Examples
    --------
    >>> import warnings
    >>> import scorewright as sw
    >>> table = sw.forecasts.example("heart_tests")
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", sw.errors.ForecastWarning)  # one tier adds nothing
    ...     sw.forecasts.game(table, costs=sw.forecasts.HEART_COSTS, utility=sw.forecasts.classify(1e5), bound=10_000)
    Game(efforts=5, beliefs=8, states=2, decisions=2, bound=10000)
    """
    recipe = Recipe(beliefs, tolerance, calibration, folds, exogenous)
    with threadpool_limits(1):  # at these sizes more threads only get in each other's way
        plan = _plan(table, costs, utility, bound, penalty, decisions, recipe, clusters, generator(rng))
    _warn(plan.doubts)
    return plan.game


def assess(
    table: Any,
    *,
    costs: Any,
    utility: Any,
    bound: float | None = None,
    penalty: float = 0.0,
    beliefs: int = 8,
    tolerance: float | None = None,
    calibration: str | None = "auto",
    folds: int = 5,
    exogenous: bool | None = None,
    clusters: Any = None,
    decisions: Sequence[str] | None = None,
    resamples: int = 200,
    rng: Any = 0,
    progress: Progress | None = None,
) -> Assessment:
    """Make a game of a forecast table, and say how far it can be trusted.

    Parameters
    ----------
    table : path, DataFrame, rows or Forecasts
        As `read` takes it.
    costs : sequence, mapping, callable or path
        What each tier costs the agent (see `costs`).
    utility : (A, W) array, recipe or str
        The principal's, or one of `classify`, `invest`, `newsvendor`; also in words, as `spoken` reads them.
    bound : float, optional
        The most that can be paid; by default her largest stake, ``max(utility) - min(utility)``.
    penalty, decisions
        As for `Game`.
    beliefs, tolerance, calibration, folds, exogenous
        How the information is made: see `Recipe`.
    clusters : str, mapping or sequence, optional
        Which items belong together: they are left out, and drawn, together.
    resamples : int
        How often items are drawn anew for the intervals; 0 for none.
    rng
        For folds and resamples; anything that `numpy.random.default_rng` takes.
    progress : callable, optional
        Called as ``progress(done, of)``.

    Raises
    ------
    InvalidInputError
        The table can't be made into a game; says why.

    Warns
    -----
    ForecastWarning
        It can, but something will mislead: a tier that adds nothing, bins made in-sample, or from next to no items.
    """
    recipe = Recipe(beliefs, tolerance, calibration, folds, exogenous)
    chance, count = generator(rng), whole(resamples, "resamples")
    with threadpool_limits(1):  # at these sizes more threads only get in each other's way
        plan = _plan(table, costs, utility, bound, penalty, decisions, recipe, clusters, chance)
        found = _assessed(plan, draws(plan.table, count, chance), chance, progress)
    _warn(plan.doubts)
    return found


def _assessed(plan: _Plan, weights: Array, chance: np.random.Generator, progress: Progress | None) -> Assessment:
    """The report: the game made in other ways, and from items that count by each row of `weights` (R, N)."""
    known, model = plan.game, plan.model
    ways = _ways(plan.table, plan.recipe, model.exogenous)
    count, of = len(weights), len(weights) + len(ways)
    variants = []
    calibrated = {model.calibrated.method: model.calibrated}
    for done, way in enumerate(ways, start=1):
        if way.calibration not in calibrated:
            calibrated[way.calibration] = calibrate(plan.table, way.calibration, way.folds, chance)
        variants.append(_variant(plan, way, calibrated[way.calibration]))
        if progress is not None:
            progress(done, of)
    information = np.zeros((count, *known.information.shape))
    worlds = []
    for done, weight in enumerate(weights):
        information[done] = model.resampled(weight)
        worlds.append(weighed(dataclasses.replace(known, information=information[done])))
        if progress is not None:
            progress(len(ways) + done + 1, of)
    own = weighed(known)
    return Assessment(
        game=known,
        table=plan.table,
        model=model,
        scores=scores(plan.table, model.calibrated.forecasts, plan.weights),
        differences=plan.differences,
        verdicts=tuple(_verdict(known, k, own, worlds, variants) for k in range(len(known.costs))),
        variants=tuple(variants),
        profit=interval(own.profit, [world.profit for world in worlds]),
        effort=own.effort,
        efforts=read_only(np.bincount([world.effort for world in worlds], minlength=len(known.costs)) / max(1, count)),
        resamples=read_only(information),
        warnings=plan.doubts,
    )


def _plan(
    table: Any,
    costs: Any,
    utility: Any,
    bound: float | None,
    penalty: float,
    decisions: Sequence[str] | None,
    recipe: Recipe,
    clusters: Any,
    chance: np.random.Generator,
) -> _Plan:
    known = read(table, clusters=clusters)
    prices = costs_of(costs, known.tiers, Path(table).stem if isinstance(table, str | Path) else "")
    decision = spoken(utility) if isinstance(utility, str) else utility
    payoff, names = utility_of(decision, known.states, decisions)
    model = made(known, recipe, payoff, chance)
    most = float(np.ptp(payoff)) if bound is None else bound
    result = Game(
        model.menu.beliefs, model.information, prices, payoff, most, penalty, known.tiers, known.states, names
    )
    weights = draws(known, many(known), chance)
    compared = differences(known, model.calibrated.forecasts, prices, weights)
    return _Plan(known, model, result, recipe, compared, weights, doubts(model, compared))


def _warn(said: Sequence[str]) -> None:
    for doubt in said:
        warnings.warn(doubt, ForecastWarning, stacklevel=3)


def _verdict(known: Game, tier: int, own: Outlook, worlds: Sequence[Outlook], variants: Sequence[Variant]) -> Verdict:
    drawn = [world.least_bounds[tier] for world in worlds]
    return Verdict(
        known.name(tier),
        float(known.costs[tier]),
        float(known.worth[tier]),
        known.bound,
        interval(own.least_bounds[tier], drawn),
        float(np.mean(np.array(drawn) <= known.bound)) if drawn else math.nan,
        float(np.mean(np.isfinite(drawn))) if drawn else math.nan,
        tuple(variant.least_bounds[tier] for variant in variants),
    )


def _ways(table: Forecasts, recipe: Recipe, exogenous: bool) -> list[Recipe]:
    """Other ways to make the game: each calibration with half, as many and twice as many beliefs.

    Where tiers are forced to the base rate, also each calibration without that.
    """
    methods = (None, "beta", "isotonic") if len(table.states) == 2 else (None, "multinomial")
    counts = sorted({max(4, recipe.beliefs // 2), recipe.beliefs, 2 * recipe.beliefs})
    ways = [Recipe(m, None, method, recipe.folds, exogenous) for method in methods for m in counts]
    free = [Recipe(recipe.beliefs, None, method, recipe.folds, False) for method in methods] if exogenous else []
    return ways + free


def _variant(plan: _Plan, way: Recipe, calibrated: Calibrated) -> Variant:
    """What could be induced had the game been made that way."""
    other = binned(plan.table, calibrated, bool(way.exogenous), way, plan.game.utility)
    same = dataclasses.replace(plan.game, beliefs=other.menu.beliefs, information=other.information)
    return Variant(way.calibration, way.beliefs, bool(way.exogenous), weighed(same).least_bounds)
