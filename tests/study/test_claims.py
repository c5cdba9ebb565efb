"""Claims: all of them are there, their experiments measure what they say, and verdicts follow from the numbers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import scorewright as sw
from browser import opened
from scorewright.study import claims, reproduce
from scorewright.study.claims import confidence, footnotes, impossibility, oracle_cost, rates, settling
from scorewright.study.claims.claim import FAILS, HOLDS, VACUOUS, Measurement
from scorewright.study.task import key

PAPER = Path(__file__).resolve().parents[3] / "shared" / "PAPER.md"
NAMES = ["coverage", "optimism", "compliance", "search depth", "rate", "states do not matter",
         "efforts and observations", "impossibility", "oracle cost", "PAC", "footnotes"]  # fmt: skip

SMALL = {
    "confidence": lambda: confidence._plan(1, 300),
    "rate": lambda: rates._rate(2000, 2),
    "dependence": lambda: rates._dependence(2, 100),
    "impossibility": lambda: impossibility._plan((5,), (200, 400), 1, 1),
    "oracle_cost": lambda: oracle_cost._plan(1, 60),
    "settling": lambda: settling._plan(300, 1),
    "footnotes": lambda: footnotes._plan(2, 200),
}


def test_no_claim_is_dropped():
    """The rows of the paper's table, in order, each with an experiment that exists."""
    assert [claim.name for claim in claims.CLAIMS] == NAMES
    known = {experiment.name for experiment in claims.EXPERIMENTS}
    assert {claim.experiment for claim in claims.CLAIMS} <= known == set(SMALL)
    if not PAPER.exists():
        pytest.skip("the paper's table is not beside this checkout")
    table = PAPER.read_text().split("| claim | what to show |")[1].split("\n\n")[0]
    assert re.findall(r"^\| ([^|]+?) \|", table, flags=re.MULTILINE) == NAMES


def test_plans_are_plans():
    """Quick and full plans have tasks, all different, and their specs are JSON."""
    for experiment in claims.EXPERIMENTS:
        for plan in (experiment.quick(), experiment.full()):
            tasks = plan.tasks()
            assert len({key(task) for task in tasks}) == len(tasks) > 5
            json.dumps(plan.spec())


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Return the answers of a very small reproduction, and its folder."""
    folder = tmp_path_factory.mktemp("claims")
    small = tuple(claims.Experiment(one.name, SMALL[one.name], one.full, one.minutes) for one in claims.EXPERIMENTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reproduce, "EXPERIMENTS", small)
        told: list[str] = []
        found = reproduce.reproduce(folder, quick=True, progress=lambda name, _: told.append(name))
    assert list(dict.fromkeys(told)) == list(SMALL)
    return found, folder


def test_every_claim_is_answered(answers):
    """Each has lines with a verdict, a figure, and its place in both reports."""
    found, folder = answers
    assert [answer.claim.name for answer in found] == NAMES
    markdown, page = (folder / "claims.md").read_text(), (folder / "claims.html").read_text()
    for answer in found:
        assert answer.finding.lines
        assert (folder / "images" / "claims" / f"{answer.claim.slug}.svg").exists()
        for line in answer.finding.lines:
            assert line.verdict in (HOLDS, FAILS, VACUOUS)
            assert f"| {line.where} | {line.measured} | {line.verdict} |" in markdown
        assert f'<h2 id="{answer.claim.slug}">' in page
    with opened(folder / "claims.html") as view:
        assert view.locator("#claims tbody tr").count() == sum(len(a.finding.lines) for a in found)
        assert view.locator("figure svg").count() == len(NAMES)


def test_coverage_and_compliance_are_judged_by_the_rows(answers):
    """The share that the report states is the share in the data."""
    found, folder = answers
    rows = sw.study.read(folder / "confidence").curves()
    cells = sw.study.read(folder / "confidence").cells()
    printed = cells[(cells["scale"] == 1.0) & (cells["games"] == confidence.RANDOM)]["cell"]
    share = rows[rows["cell"].isin(printed)]["good"].mean()
    assert f"{share:.2%}" in found[0].finding.lines[0].measured
    assert found[2].finding.lines[0].verdict == VACUOUS
    assert found[2].finding.lines[3].verdict == HOLDS


def test_measurements_repeat():
    """The same arguments give the same outcome; another number another one."""
    one, two, other = (
        Measurement("confidence", {"games": confidence.RANDOM, "scale": 0.3, "number": number, "rounds": 40}).perform()
        for number in (0, 0, 1)
    )
    assert one.facts == two.facts
    assert np.array_equal(one.curve["good"], two.curve["good"])
    assert other.facts != one.facts


def test_splitting_states_changes_nothing_but_their_number():
    """The same optimum, whatever the parts."""
    game = sw.families.make("three_efforts")
    split = rates.split_states(game, 3)
    assert split.beliefs.shape == (5, 6)
    assert sw.solve(split).profit == pytest.approx(sw.solve(game).profit)


def test_mixing_costs_what_the_rules_say():
    """Playing the optimal rule with the oracle rule mixed in loses what the sum of the weights says."""
    game = sw.families.make("three_efforts")
    cost, formula = rates.mixing_cost(game, 1000)
    best, oracle = sw.solve(game), sw.oracles.best_margin(game)[1]
    lost = sum(best.profit - game.profit(best.rule.mix(oracle, min(3 * t ** (-1 / 3), 1))) for t in range(1, 1001))
    assert cost == pytest.approx(lost)
    assert cost == pytest.approx(formula, rel=0.1)
    assert rates.onset(game, 1.0) == pytest.approx(1.2e17, rel=0.1)


def test_settled_is_the_last_time_that_it_was_not():
    """From then on, not just then."""
    rounds, behind = np.array([1, 2, 4, 8]), np.array([0.5, 0.0, 0.2, 0.05])
    assert settling.settled(rounds, behind, 0.1) == 8
    assert settling.settled(rounds, behind, 1.0) == 1
    assert settling.settled(rounds, behind, 0.01) == np.inf


def test_failed_measurements_are_not_judged(tmp_path, monkeypatch):
    """An error names the first, and no verdict is given on what is left."""
    monkeypatch.setattr(reproduce, "EXPERIMENTS", (claims.Experiment("footnotes", lambda: _Bad(), lambda: _Bad(), 1),))
    with pytest.raises(sw.errors.ScorewrightError, match="1 measurements failed"):
        reproduce.reproduce(tmp_path, quick=True)


class _Bad:
    def spec(self):
        return {"name": "bad"}

    def tasks(self):
        return (Measurement("footnotes", {"what": "unknown utility", "number": 1, "times": "many"}),)
