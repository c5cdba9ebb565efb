"""Pictures: they are drawn, they show what they should, and the same input gives the same bytes."""

from __future__ import annotations

import builtins

import numpy as np
import pytest

import scorewright as sw
from scorewright import plot
from scorewright.errors import InvalidInputError, MissingExtraError


@pytest.mark.parametrize("states", [2, 3, 5])
def test_a_rule_of_any_number_of_states(states, tmp_path):
    """Curve, triangle, heat map: labels are in the picture."""
    names = tuple(f"state-{w}" for w in range(states))
    game = sw.families.random(rng=1, states=states, observations=3)
    rule = sw.solve(game).by_effort[-1].rule
    figure = plot.rule(rule, states=names, weights=game.information[-1], title="what to pay")
    plot.save(figure, tmp_path / "rule.svg")
    drawn = (tmp_path / "rule.svg").read_text()
    assert "what to pay" in drawn
    assert names[1] in drawn


def test_a_notebook_shows_the_picture(three, tmp_path):
    """Not a line of text: the figure hands out the very picture that `save` writes."""
    figure = plot.rule(sw.solve(three).rule, title="what to pay")
    plot.save(figure, tmp_path / "rule.svg")
    assert figure._repr_svg_() == (tmp_path / "rule.svg").read_text()


def test_the_curve_is_the_expected_payment(three):
    """The line drawn is the upper envelope of the rows, and the marks sit on it."""
    rule = sw.solve(three).rule
    axes = plot.rule(rule).axes[0]
    curve = max(axes.lines, key=lambda line: len(line.get_xdata()))
    chance, height = curve.get_data()
    lines = np.outer(1 - chance, rule.payments[:, 0]) + np.outer(chance, rule.payments[:, 1])
    assert height == pytest.approx(lines.max(axis=1))
    marks = np.vstack([points.get_offsets() for points in axes.collections])
    assert sorted(marks[:, 1]) == pytest.approx(sorted(rule.expected))


def test_regions_show_every_effort_that_the_slice_meets(three):
    """The legend names the efforts, and the blank where payments exceed the bound."""
    labels = [text.get_text() for text in plot.regions(three, resolution=120).axes[0].get_legend().get_texts()]
    assert labels[-1] == "more than the bound"
    assert "skim" in labels
    assert "guess" in labels


@pytest.mark.parametrize("name", ["hard_instance", "binary_effort", "two_action_contract", "analyst"])
def test_regions_of_degenerate_games(name):
    """A region that is a point, a flat optimum, a contract: still a picture."""
    assert plot.regions(sw.families.make(name), resolution=60).axes


def test_a_zero_rule_and_a_lone_belief_can_be_drawn(tmp_path):
    """Nothing to see is drawn too."""
    for states in (2, 3, 4):
        flat = sw.Rule(np.zeros((1, states)), np.full((1, states), 1 / states))
        plot.save(plot.rule(flat), tmp_path / f"{states}.png")


def test_same_input_same_bytes(three, tmp_path):
    """No dates, no random identifiers."""
    for suffix in plot.FORMATS:
        files = [tmp_path / f"{name}.{suffix}" for name in "ab"]
        for file in files:
            plot.save(plot.rule(sw.solve(three).rule), file)
        assert files[0].read_bytes() == files[1].read_bytes()


def test_comparison_draws_a_bar_per_rule():
    """Profit and payment, one pair of bars each."""
    axes = plot.comparison({"a": 2.0, "b": 1.0}, {"a": 0.5, "b": 0.1}, unit="dollars").axes[0]
    assert [patch.get_width() for patch in axes.patches] == pytest.approx([2.0, 1.0, 0.5, 0.1])


def test_wrong_names_and_missing_matplotlib(three, monkeypatch):
    """One clear sentence each."""
    with pytest.raises(InvalidInputError, match="must end in"):
        plot.check_picture("x.gif")
    with pytest.raises(InvalidInputError, match="must be a Rule"):
        plot.rule(three)
    real = builtins.__import__

    def without(name, *rest, **more):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"scorewright\[plot\]"):
        plot.rule(sw.rules.quadratic(three.beliefs, 1))


def test_rates_show_exponents_and_onsets():
    """Two panels, a curve per run in each, the theorem's line, and a mark where the rate is expected."""
    game = sw.families.make("two_sources")
    learner = sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game), radius=sw.learn.Radius(0.1))
    run = sw.simulate(game, learner, 20_000, rng=0, record="thin")
    figure = sw.plot.rate({"two $ources": run}, onset={"two $ources": 1.9e4})
    left, right = figure.axes
    assert len(left.lines) == 1
    assert len(right.lines) == 3
    assert {tuple(line.get_ydata()) for line in right.lines} >= {(2 / 3, 2 / 3)}
    for bad in ({}, {"run": 1}):
        with pytest.raises(InvalidInputError, match="one Run per name"):
            sw.plot.rate(bad)


def test_learning_shows_losses_and_money(three, tmp_path):
    """A curve per run in both panels, and the money of the best rule; a run without every round is refused."""
    learners = {
        "$caled": sw.learn.ScaledQuadratic(three.setting),
        "knows all": sw.learn.Clairvoyant(three.setting, three),
    }
    runs = {name: sw.simulate(three, learner, 50, rng=0) for name, learner in learners.items()}
    figure = plot.learning(runs, unit="thalers", title="50%")
    left, right = figure.axes
    for line, kept, run in zip(left.lines, right.lines, runs.values(), strict=False):
        assert list(line.get_ydata()) == list(run.regret)
        assert kept.get_ydata()[-1] == pytest.approx(run.earned - run.paid)
    assert right.lines[-1].get_ydata()[-1] == pytest.approx(50 * sw.solve(three).profit)
    assert (len(left.lines), len(right.lines)) == (2, 3)
    plot.save(figure, tmp_path / "learning.png")
    for bad in ({}, {"run": 1}):
        with pytest.raises(InvalidInputError, match="one Run per name"):
            plot.learning(bad)
    thin = sw.simulate(three, sw.learn.ScaledQuadratic(three.setting), 500, rng=0, record="thin")
    with pytest.raises(InvalidInputError, match="every round of 'thin'"):
        plot.learning({"thin": thin})
