"""Assessment: the game in a forecast table, and how far it can be trusted."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from scorewright.errors import InvalidInputError
from scorewright.forecasts.model import Model
from scorewright.forecasts.scores import Difference, Interval, Score
from scorewright.forecasts.table import Forecasts
from scorewright.game import Game
from scorewright.optimum import Uncertainty, least_bound, solve
from scorewright.validation import Array, read_only
from scorewright.values import Value

AGREED = 0.95
"""A verdict is sure when this share of the resamples, and every variant, agrees with it."""


@dataclass(frozen=True)
class Outlook:
    """What a game allows: the least bound for each effort, the best effort and its profit."""

    least_bounds: tuple[float, ...]
    effort: int
    profit: float


def weighed(game: Game) -> Outlook:
    """Solve a game, and find the least bound at which each effort could be induced."""
    solution = solve(game)
    bounds = tuple(
        least_bound(game, k).value if reason is None else reason.least_bound
        for k, reason in enumerate(solution.reasons)
    )
    return Outlook(bounds, solution.effort, solution.profit)


@dataclass(frozen=True)
class Variant:
    """The same table, calibrated and binned in another way: the least bound of each tier then."""

    calibration: str | None
    beliefs: int
    exogenous: bool
    least_bounds: tuple[float, ...]


@dataclass(frozen=True)
class Verdict:
    """Whether a tier can be induced, and how sure that is.

    Attributes
    ----------
    tier : str
    cost, worth : float
        What it costs the agent, and what its information is worth to the principal before paying.
    bound : float
        The game's.
    least_bound : Interval
        The least bound at which it can be induced, with its resampling interval; infinite where none would do.
    share : float
        Of the resamples in which the game's bound is enough.
    possible : float
        Of the resamples in which some bound would be.
    by_way : tuple of float
        The least bound when the game is made in other ways, one per entry of `Assessment.variants`.
    """

    tier: str
    cost: float
    worth: float
    bound: float
    least_bound: Interval
    share: float
    possible: float
    by_way: tuple[float, ...]

    @property
    def inducible(self) -> bool:
        """Whether it can be induced in the game as it was made."""
        return self.least_bound.value <= self.bound

    @property
    def sure(self) -> bool:
        """Whether resamples and variants agree with that."""
        share = self.share if self.inducible else 1 - self.share
        return share >= AGREED and all((least <= self.bound) == self.inducible for least in self.by_way)

    @property
    def ways(self) -> int:
        """In how many of the other ways to make the game its bound is enough."""
        return sum(least <= self.bound for least in self.by_way)

    @property
    def answer(self) -> str:
        """The verdict in a few words."""
        if not self.sure:
            return "unsure"
        if self.inducible:
            return "yes"
        ways = {math.isfinite(least) for least in (self.least_bound.value, *self.by_way)}
        agreed = len(ways) == 1 and not 1 - AGREED < self.possible < AGREED
        return "no" if agreed else "not at this bound; at a larger one: unsure"

    @property
    def words(self) -> str:
        """The verdict as a phrase, with what it rests on."""
        seen = "" if math.isnan(self.share) else f"{self.share:.0%} of resamples and "
        ways = f"{self.ways} of {len(self.by_way)} ways of calibrating and binning"
        if self.sure and self.inducible:
            return f"can be induced: so in {seen}{ways}"
        larger = "" if math.isnan(self.share) else f"{self.possible:.0%} of resamples and "
        some = sum(math.isfinite(least) for least in self.by_way)
        verdict = "can't be induced: it can" if self.sure else "unsure: it can be induced"
        return f"{verdict} in {seen}{ways}, and with whatever bound in {larger}{some}"


def bound_words(least: float) -> str:
    """A least bound as people say it."""
    return "none" if math.isinf(least) else f"{least:,.4g}" if least < 1e4 else f"{least:,.0f}"


@dataclass(frozen=True, eq=False, repr=False)
class Assessment(Value):
    """A game made from a forecast table, with a report on it.

    Attributes
    ----------
    game : Game
        What `forecasts.game` gives.
    table : Forecasts
    model : Model
        How the information was made: recalibrated forecasts, support, whether effort moves the state.
    scores : tuple of Score
        Each tier's, before and after recalibration.
    differences : tuple of Difference
        Each tier against the best of those that cost less.
    verdicts : tuple of Verdict
        Which tiers can be induced, from which bound on, and how sure that is.
    effort : int
        The best effort of the game.
    profit : Interval
        The optimal profit, and how it moves under resampling.
    efforts : (K,) array
        Share of the resamples in which each effort is the best.
    resamples : (R, K, M) array
        The information of every resample, on the game's own beliefs.
    warnings : tuple of str
        What will mislead.
    """

    game: Game
    table: Forecasts
    model: Model
    scores: tuple[Score, ...]
    differences: tuple[Difference, ...]
    verdicts: tuple[Verdict, ...]
    variants: tuple[Variant, ...]
    profit: Interval
    effort: int
    efforts: Array
    resamples: Array
    warnings: tuple[str, ...]

    @property
    def error(self) -> Array:
        """Standard error of the game's information, (K, M)."""
        drawn = len(self.resamples) > 0
        return read_only(self.resamples.std(axis=0) if drawn else np.full(self.game.information.shape, np.nan))

    @cached_property
    def recalibrated(self) -> Forecasts:
        """The table with its forecasts recalibrated on items left out, for `agents.Replay` to play in its place."""
        table = self.table
        after = self.model.calibrated.forecasts
        return Forecasts(after, table.outcome, table.clusters, table.items, table.tiers, table.states)

    @property
    def uncertainty(self) -> Uncertainty:
        """What `solve(game, uncertainty=...)` takes: `plausible` at 0.9."""
        return self.plausible()

    def plausible(self, probability: float = 0.9) -> Uncertainty:
        """The confidence set of the game's information: the share of the resamples that are nearest to it."""
        if not len(self.resamples):
            raise InvalidInputError("this assessment has no resamples to be uncertain by: assess with resamples=200")
        return Uncertainty(self.resamples).central(self.game.information, probability)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-able entries; None stands for what is not finite."""
        entries = {
            "game": self.game.to_dict(),
            "items": len(self.table.items),
            "clusters": int(self.table.clusters.max()) + 1,
            "tiers": list(self.table.tiers),
            "states": list(self.table.states),
            "exogenous": self.model.exogenous,
            "calibration": self.model.calibrated.method,
            "folds": self.model.calibrated.folds,
            "scores": [dataclasses.asdict(score) for score in self.scores],
            "differences": [dataclasses.asdict(d) | {"words": d.words} for d in self.differences],
            "verdicts": [
                dataclasses.asdict(v)
                | {"inducible": v.inducible, "sure": v.sure, "ways": v.ways, "answer": v.answer, "words": v.words}
                for v in self.verdicts
            ],
            "variants": [dataclasses.asdict(variant) for variant in self.variants],
            "effort": self.game.name(self.effort),
            "profit": dataclasses.asdict(self.profit),
            "efforts": dict(zip(self.table.tiers, self.efforts.tolist(), strict=True)),
            "resamples": len(self.resamples),
            "information_error": self.error.tolist(),
            "warnings": list(self.warnings),
        }
        result: dict[str, Any] = _finite(entries)
        return result

    def __str__(self) -> str:
        game, calibrated = self.game, self.model.calibrated
        how = "taken as they are" if calibrated.method is None else f"recalibrated ({calibrated.method})"
        width = max(5, *(len(tier) for tier in self.table.tiers))
        lines = [
            f"{len(self.table.items)} items, {len(self.table.tiers)} tiers, {len(self.table.states)} states; {how}; "
            f"{len(game.beliefs)} beliefs, bound {game.bound:g}, {len(self.resamples)} resamples",
            "",
            f"{'tier':{width}}  {'Brier':>6}  {'after':>6} (95% interval)     {'log':>6}  {'after':>6}",
        ]
        lines += [
            f"{s.tier:{width}}  {s.brier.value:6.4f}  {s.brier_after.value:6.4f} ({s.brier_after.low:.4f} to "
            f"{s.brier_after.high:.4f})  {s.log.value:6.4f}  {s.log_after.value:6.4f}"
            for s in self.scores
        ]
        lines += ["", *(f"{d.words}: gains {d.gain} in Brier score" for d in self.differences), ""]
        lines += [
            f"{v.tier:{width}}  cost {v.cost:g}, worth {v.worth:.6g}, least bound {interval_words(v.least_bound)}; "
            f"{v.words}"
            for v in self.verdicts
        ]
        shares = ", ".join(
            f"{tier} {share:.0%}" for tier, share in zip(self.table.tiers, self.efforts, strict=True) if share > 0
        )
        best = f"Best: {game.name(self.effort)}, profit {self.profit}; best in resamples: {shares or 'none drawn'}"
        lines += ["", best]
        lines += [f"Warning: {warning}" for warning in self.warnings]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return (
            f"Assessment(items={len(self.table.items)}, tiers={len(self.table.tiers)}, game={self.game!r}, "
            f"warnings={len(self.warnings)})"
        )


def interval_words(found: Interval) -> str:
    """A least bound with its interval."""
    value, low, high = map(bound_words, (found.value, found.low, found.high))
    return value if math.isnan(found.low) else f"{value} ({low} to {high})"


def _finite(value: Any) -> Any:
    """The same with None in place of numbers that JSON does not have, and plain lists."""
    if isinstance(value, dict):
        return {str(key): _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
