"""The report on a forecast table: one page that holds everything, pictures included, opened with no network."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from scorewright import document, tolerance
from scorewright.document import Path_
from scorewright.forecasts import Assessment, Interval
from scorewright.forecasts.assessment import bound_words, interval_words
from scorewright.optimum import RobustSolution, solve
from scorewright.plot import bounds, reliability
from scorewright.plot.canvas import drawn
from scorewright.rules import Rule
from scorewright.study.report import escape, fill
from scorewright.validation import expect

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_BOUNDS = (
    "The least bound at which each tier can be induced: the dot is the estimate, the band 95% of the resamples, the "
    "ticks other ways of calibrating and binning. What lies at the right edge no bound can induce."
)


def assessment_report(assessment: Assessment, path: Path_, *, title: str = "A game from forecasts") -> None:
    """Write the page for an assessment: calibration, scores, verdicts, the optimum and the robust rule."""
    known = expect(assessment, Assessment, "assessment")
    parts = [_warnings(known), _calibration(known), _differences(known), _verdicts(known), _optimum(known)]
    page = fill("forecasts.html", title=title, head=escape(_head(known)), sections="\n".join(parts))
    document.write_whole(path, page.encode())


def _head(known: Assessment) -> str:
    table, calibrated = known.table, known.model.calibrated
    clusters = int(table.clusters.max()) + 1
    grouped = f" in {clusters:,} clusters" if clusters < len(table.items) else ""
    how = (
        "taken at their word"
        if calibrated.method is None
        else (f"recalibrated ({calibrated.method}, items left out in {calibrated.folds} parts)")
    )
    return (
        f"{len(table.items):,} items{grouped}, {len(table.tiers)} tiers, {len(table.states)} states "
        f"({', '.join(table.states)}); forecasts {how}; {len(known.game.beliefs)} beliefs; payments up to "
        f"{known.game.bound:,.6g}; {len(known.resamples)} resamples. Intervals are 95%."
    )


def _warnings(known: Assessment) -> str:
    if not known.warnings:
        return ""
    items = "".join(f"<li>{escape(warning)}</li>" for warning in known.warnings)
    return f'<h2 id="warnings">What will mislead</h2><ul class="fails">{items}</ul>'


def _calibration(known: Assessment) -> str:
    rows = [
        (s.tier, f"{s.items:,}", *(_range(x, ".4f") for x in (s.brier, s.brier_after, s.log, s.log_after)),
         f"{s.miscalibration:.3f}", f"{s.miscalibration_after:.3f}")
        for s in known.scores
    ]  # fmt: skip
    head = ("tier", "items", "Brier", "recalibrated", "log", "recalibrated", "off by", "recalibrated")
    return (
        f'<h2 id="calibration">Do the forecasts mean what they say?</h2>'
        f"{_table(head, rows, words=1)}"
        f"{_figure(reliability(known), 'How often things came true against how likely they were said to be.')}"
    )


def _differences(known: Assessment) -> str:
    rows = [(escape(d.words), _range(d.gain, ".4f"), f"{d.better:.0%}") for d in known.differences]
    head = ("each tier against the best cheaper one", "Brier score lower by", "lower in so many resamples")
    return f'<h2 id="differences">Which tiers differ?</h2>{_table(head, rows, words=1, safe=True)}' if rows else ""


def _verdicts(known: Assessment) -> str:
    rows = [
        (v.tier, f"{v.cost:,.6g}", f"{v.worth:,.6g}", interval_words(v.least_bound),
         "–" if math.isnan(v.share) else f"{v.share:.0%}", f"{v.ways} of {len(v.by_way)}",
         v.answer)
        for v in known.verdicts
    ]  # fmt: skip
    head = ("tier", "its cost", "worth", "least bound", "induced in resamples", "in other ways", "can it be induced?")
    ways = [
        (variant.calibration or "none", str(variant.beliefs), "yes" if variant.exogenous else "no",
         *(bound_words(least) for least in variant.least_bounds))
        for variant in known.variants
    ]  # fmt: skip
    other = ("calibration", "beliefs", "one base rate", *known.table.tiers)
    picture = ""
    if any(0 < v.least_bound.value < math.inf for v in known.verdicts):
        picture = _figure(bounds(known), _BOUNDS)
    return (
        f'<h2 id="verdicts">Which tiers can be induced?</h2>{_table(head, rows, words=1)}{picture}'
        f"<details><summary>The least bounds when the table is calibrated and binned in other ways</summary>"
        f"{_table(other, ways, words=1)}</details>"
    )


def _optimum(known: Assessment) -> str:
    game, plain = known.game, solve(known.game)
    shares = ", ".join(
        f"{tier} in {share:.0%}" for tier, share in zip(known.table.tiers, known.efforts, strict=True) if share > 0
    )
    moved = (
        f" Under resampling that moves between {known.profit.low:,.6g} and {known.profit.high:,.6g}, and the best "
        f"effort is {escape(shares)}."
    )
    text = (
        f'<h2 id="optimum">What to pay</h2><p>If the estimate is the truth: buy <b>{escape(game.name(plain.effort))}'
        f"</b> for {plain.payment:,.6g} on average, which leaves {plain.profit:,.6g}.{moved if shares else ''}</p>"
        f"{_payments(known, plain.rule, plain.effort)}"
    )
    if not len(known.resamples):
        return text
    robust: RobustSolution = solve(game, uncertainty=known)
    doubts = "".join(
        f"<li>{escape(game.name(k))}: {escape(str(reason))}</li>"
        for k, reason in enumerate(robust.reasons)
        if reason is not None
    )
    return text + (
        f'<h2 id="robust">What to pay to be on the safe side</h2><p>In all of the {len(robust.uncertainty)} resamples '
        f"nearest to the estimate (90%): buy <b>{escape(game.name(robust.effort))}</b>. That leaves at least "
        f"{robust.profit:,.6g} in the worst of them, and {robust.estimated:,.6g} if the estimate is the truth: the "
        f"price of robustness is {robust.price:,.6g}.</p>{_payments(known, robust.rule, robust.effort)}"
        + (f"<p>Not to be induced in all of them:</p><ul>{doubts}</ul>" if doubts else "")
    )


def _payments(known: Assessment, rule: Rule, effort: int) -> str:
    game = known.game
    order = np.argsort(game.beliefs[:, -1], kind="stable")
    paid = np.where(np.abs(rule.payments) > tolerance.TIE * tolerance.scale(game.bound), rule.payments, 0.0)
    rows = [
        (*(f"{p:.1%}" for p in game.beliefs[i]), *(f"{pay:,.6g}" for pay in paid[i]),
         f"{game.information[effort, i]:.1%}")
        for i in order
    ]  # fmt: skip
    states = known.table.states
    head = (*(f"report: {s}" for s in states), *(f"pays if {s}" for s in states), "how often")
    return _table(head, rows, words=0)


def _range(found: Interval, digits: str) -> str:
    low, value, high = (format(x, digits) for x in (found.low, found.value, found.high))
    return value if math.isnan(found.low) else f'{value}<span class="range">{low} to {high}</span>'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, words: int, safe: bool = False) -> str:
    """A table whose first `words` columns are text, which is escaped unless it is `safe` already."""

    def cells(row: Sequence[str], tag: str) -> str:
        shown = (escape(cell) if n < words and not safe else cell for n, cell in enumerate(row))
        return "".join(
            f'<{tag} class="words">{cell}</{tag}>' if n < words else f"<{tag}>{cell}</{tag}>"
            for n, cell in enumerate(shown)
        )

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return (
        f'<div class="scroll"><table><thead><tr>{cells([escape(h) for h in head], "th")}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _figure(figure: Figure, caption: str) -> str:
    with io.BytesIO() as file:
        drawn(figure, file, "svg")
        picture = file.getvalue().decode()
    return (
        f'<figure class="figure">{picture[picture.index("<svg") :]}<figcaption>{escape(caption)}</figcaption></figure>'
    )
