"""OSRL-UCB against its audit, and the audit against tampered runs."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import scorewright as sw
from playing import play, random_game
from scorewright.learn import Mixing, OsrlUcb, Radius, Stop, audit


@pytest.mark.parametrize("number", range(24))
def test_random_runs_pass(number):
    """Every index, target, rule and search step, at radii that leave the programs trivial and at radii that do not."""
    game = random_game(number, most=12)
    radius = Radius((1, 0.03, 0.005)[number % 3])
    oracle = sw.oracles.best_margin(game)
    found = audit(
        game.setting, oracle, play(game, OsrlUcb(game.setting, oracle, radius=radius), 150, number), radius=radius
    )
    assert found.disagreement is None
    assert found.rounds == 150


def test_programs_with_searches_and_without_solutions_are_among_them():
    """The audit meets optimise and search rounds, programs with other optima than zero, and infeasible ones."""
    three = sw.families.make("three_efforts")
    total = np.zeros(5)
    for game, scale, seed in ((three, 1, 1), (three, 0.03, 1), (random_game(4, most=8), 0.005, 4)):
        oracle = sw.oracles.best_margin(game)
        history = play(game, OsrlUcb(game.setting, oracle, radius=Radius(scale)), 300, seed)
        found = audit(game.setting, oracle, history, radius=Radius(scale))
        assert found.passed, found.disagreement
        total += [found.optimised, found.searched, found.programs, found.nonzero, found.infeasible]
    assert (total > 0).all()


def test_other_strategies_pass_too():
    """Mixing and stopping varied one at a time; the wrong ones do not pass."""
    game = sw.families.make("three_efforts")
    oracle = sw.oracles.best_margin(game)
    for options in ({"mixing": Mixing(exponent=0.5, factor=1.0)}, {"stop": Stop(0.2)}):
        history = play(game, OsrlUcb(game.setting, oracle, **options), 300, 2)
        assert audit(game.setting, oracle, history, **options).passed
        assert not audit(game.setting, oracle, history).passed


@pytest.mark.parametrize("agent", [sw.agents.Noisy(0.3), sw.agents.Quantal(0.05), sw.agents.Drifting(0.01)], ids=repr)
def test_runs_with_erring_agents_pass(agent):
    """Answers that contradict each other, and oracle rules that are disobeyed, are handled as specified."""
    for seed in range(12):
        game, radius = random_game(seed, most=8), Radius((0.03, 0.005)[seed % 2])
        oracle = sw.oracles.best_margin(game)
        history = play(game, OsrlUcb(game.setting, oracle, radius=radius), 80, seed, agent)
        found = audit(game.setting, oracle, history, radius=radius)
        assert found.passed, found.disagreement


def test_the_audit_has_its_own_weights_and_widths():
    """A learner whose radius, mixing or stopping went wrong is caught."""

    class Wide(Radius):
        def __call__(self, *facts):
            return 1.001 * super().__call__(*facts)

    class Bold(Mixing):
        def __call__(self, efforts, time):
            return min(efforts * time**-0.1 / 5, 1.0)

    class Hasty(Stop):
        def __call__(self, rival, target):
            return 7 * max(rival, target)

    game = sw.families.make("three_efforts")
    oracle = sw.oracles.best_margin(game)
    for wrong in ({"radius": Wide(0.03)}, {"mixing": Bold()}, {"stop": Hasty()}):
        history = play(game, OsrlUcb(game.setting, oracle, **({"radius": Radius(0.03)} | wrong)), 200, 0)
        assert not audit(game.setting, oracle, history, radius=Radius(0.03)).passed
        assert audit(game.setting, oracle, history, **({"radius": Radius(0.03)} | wrong)).passed


def test_spot_audits_believe_what_they_do_not_check():
    """A sample of a long run's rounds; a flaw is found where it is looked for."""
    game = sw.families.make("three_efforts")
    oracle, radius = sw.oracles.best_margin(game), Radius(0.01)
    history = play(game, OsrlUcb(game.setting, oracle, radius=radius), 2000, 0)
    found = audit(game.setting, oracle, history, radius=radius, every=37)
    assert found.passed
    assert found.rounds == 2000
    assert found.optimised + found.searched < 60
    offer, effort, report = history[37 * 20]
    flawed = [*history[: 37 * 20], (dataclasses.replace(offer, rule=offer.rule.scaled(0.99)), effort, report)]
    assert not audit(game.setting, oracle, flawed, radius=radius, every=37).passed
    with pytest.raises(ValueError, match="every"):
        audit(game.setting, oracle, history, every=0)


def test_labels_and_mappings_are_read():
    """Oracles by label, answers by label, reports as distributions."""
    game = sw.families.make("three_efforts")
    oracle = dict(zip(game.efforts, sw.oracles.best_margin(game), strict=True))
    history = play(game, OsrlUcb(game.setting, oracle), 60, 0)
    said = [(offer, game.efforts[effort], game.beliefs[report]) for offer, effort, report in history]
    assert audit(game.setting, oracle, said).passed


def test_the_audit_sees_tampering():
    """A changed index, target, rule, phase, number or answer is found, in its round."""
    game = sw.families.make("three_efforts")
    oracle = sw.oracles.best_margin(game)
    history = play(game, OsrlUcb(game.setting, oracle, radius=Radius(0.03)), 300, 0)
    searching = next(i for i, (offer, _, _) in enumerate(history) if offer.phase == "search")
    optimising = next(i for i, (offer, _, _) in enumerate(history) if offer.phase == "optimise" and i > 60)

    def changed(at, **parts):
        copy = list(history)
        offer, effort, report = copy[at]
        copy[at] = dataclasses.replace(offer, **parts), effort, report
        return audit(game.setting, oracle, copy, radius=Radius(0.03))

    offer = history[optimising][0]
    cases = [
        (optimising, {"index": offer.index + 1e-5}),
        (optimising, {"target": (offer.target + 1) % 3}),
        (optimising, {"rule": offer.rule.scaled(0.999)}),
        (optimising, {"phase": "search"}),
        (optimising, {"number": 7}),
        (searching, {"rule": history[searching][0].rule.scaled(0.999)}),
        (searching, {"phase": "optimise"}),
        (0, {"rule": oracle[2]}),
    ]
    for at, parts in cases:
        found = changed(at, **parts)
        assert not found.passed
        assert found.rounds == at
        assert found.disagreement.startswith(f"round {at + 1}:")
    offer, effort, report = history[optimising]
    lied = [*history[:optimising], (offer, (effort + 1) % 3, report), *history[optimising + 1 :]]
    assert not audit(game.setting, oracle, lied, radius=Radius(0.03)).passed
