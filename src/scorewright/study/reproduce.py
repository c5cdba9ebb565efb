"""Reproduce the paper: run the experiments behind every claim, and write what was found as a page and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorewright import document
from scorewright.document import Path_
from scorewright.errors import CannotInduceError, SolverError
from scorewright.plot.canvas import canvas
from scorewright.plot.canvas import save as save_figure
from scorewright.study.claims import CLAIMS, EXPERIMENTS, Claim, Finding
from scorewright.study.claims.claim import FAILS, HOLDS
from scorewright.study.engines import Engine
from scorewright.study.report import escape, fill
from scorewright.study.results import Results
from scorewright.study.running import Progress, run


@dataclass(frozen=True, eq=False)
class Answer:
    """A claim, and what was found."""

    claim: Claim
    finding: Finding


def cost() -> float:
    """Core minutes of the full reproduction, as measured."""
    return sum(experiment.minutes for experiment in EXPERIMENTS)


def reproduce(
    folder: Path_,
    *,
    quick: bool = False,
    engine: Engine | None = None,
    progress: Callable[[str, Progress], None] | None = None,
) -> list[Answer]:
    """Run every experiment (what was done before is not done again) and write the report.

    Parameters
    ----------
    folder : path
        Gets a folder of results per experiment, claims.html, claims.md and the figures.
    quick : bool
        Smaller sizes: minutes instead of hours.
    engine : Engine
    progress : callable, optional
        Called with the name of the experiment and its `Progress`.
    """
    canvas()  # says now that pictures can't be drawn, not after the work
    results = {}
    for experiment in EXPERIMENTS:
        plan = experiment.quick() if quick else experiment.full()
        name = experiment.name
        tell = None if progress is None else (lambda state, name=name: progress(name, state))
        found = results[name] = run(plan, Path(folder) / name, engine=engine, progress=tell)
        _check(found)
    answers = [Answer(claim, claim.judge(results[claim.experiment])) for claim in CLAIMS]
    write(Path(folder), answers, quick=quick)
    return answers


def _check(results: Results) -> None:
    """Refuse to judge by what is left when measurements failed; a draw that can't have the margin asked for is none."""
    failures = results.failures()
    failures = failures[~failures["error"].str.startswith(CannotInduceError.__name__)]
    if len(failures):
        first = failures.iloc[0]
        raise SolverError(
            f"{len(failures)} measurements failed, the first ({first['label']}) with {first['error']}; tracebacks "
            f"are in "
            f"{results.failures_folder}"
        )


def write(folder: Path, answers: Sequence[Answer], *, quick: bool) -> None:
    """Write claims.html (everything inside) and claims.md with its figures in images/claims."""
    figures = folder / "images" / "claims"
    figures.mkdir(parents=True, exist_ok=True)
    for answer in answers:
        save_figure(answer.finding.figure, figures / f"{answer.claim.slug}.svg")
    document.write_whole(folder / "claims.md", _markdown(answers, quick).encode())
    document.write_whole(folder / "claims.html", _page(answers, figures, quick).encode())


def _head(quick: bool) -> str:
    import scorewright

    command = "scorewright reproduce --quick" if quick else "scorewright reproduce"
    return (
        f"Written by `{command}`, scorewright {scorewright.__version__}; seeds are fixed, so that it gives the "
        f"same again."
    )


_VERDICTS = (
    "*Holds*: as claimed, at these sizes. *Does not hold at these sizes*: the measured value contradicts the "
    "claim there. "
    "*Vacuous at these sizes*: the claim's premise is never met, or its bound exceeds anything that could happen, "
    "so that "
    "nothing was tested."
)


def _markdown(answers: Sequence[Answer], quick: bool) -> str:
    text = [
        "# The paper's claims, measured\n",
        _head(quick),
        "\n" + _VERDICTS + "\n",
        "| claim | where | verdict |\n|---|---|---|",
    ]
    text += [
        f"| [{a.claim.name}](#{a.claim.slug.lower()}) | {line.where} | {line.verdict} |"
        for a in answers
        for line in a.finding.lines
    ]
    for answer in answers:
        claim, finding = answer.claim, answer.finding
        text.append(f"\n## {claim.name}\n\n*Claim.* {claim.says}\n\n*Measured.* {claim.how}\n")
        text.append("| where | measured | verdict |\n|---|---|---|")
        text += [f"| {line.where} | {line.measured} | {line.verdict} |" for line in finding.lines]
        text.append(f"\n![{finding.caption}](images/claims/{claim.slug}.svg)\n\n{finding.caption}")
    return "\n".join(text) + "\n"


def _page(answers: Sequence[Answer], figures: Path, quick: bool) -> str:
    rows, sections = [], []
    for answer in answers:
        claim, finding = answer.claim, answer.finding
        rows += [
            _row(f'<a href="#{claim.slug}">{escape(claim.name)}</a>', line, measured=False) for line in finding.lines
        ]
        picture = (figures / f"{claim.slug}.svg").read_text("utf-8")
        sections.append(
            f'<h2 id="{claim.slug}">{escape(claim.name)}</h2><p>{escape(claim.says)}</p>'
            f'<p class="note">{escape(claim.how)}</p><div class="scroll"><table><thead><tr><th class="words">where</th>'
            f'<th class="words">measured</th><th class="words">verdict</th></tr></thead><tbody>'
            + "".join(_row(None, line, measured=True) for line in finding.lines)
            + f'</tbody></table></div><figure class="figure">{picture[picture.index("<svg") :]}'
            f"<figcaption>{escape(finding.caption)}</figcaption></figure>"
        )
    verdicts = escape(_VERDICTS).replace("*", "")
    return fill(
        "claims.html",
        title="The paper's claims, measured",
        head=escape(_head(quick)).replace("`", ""),
        verdicts=verdicts,
        rows="\n".join(rows),
        sections="\n".join(sections),
    )


def _row(claim: str | None, line: Any, *, measured: bool) -> str:
    style = "holds" if line.verdict == HOLDS else "fails" if line.verdict == FAILS else "vacuous"
    cells = ([] if claim is None else [claim]) + [escape(line.where)] + ([escape(line.measured)] if measured else [])
    shown = "".join(f'<td class="words">{cell}</td>' for cell in cells)
    return f'<tr>{shown}<td class="words verdict {style}">{escape(line.verdict)}</td></tr>'
