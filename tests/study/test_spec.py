"""Studies: what a file can say, how it becomes cells, and where their seeds come from."""

from __future__ import annotations

import pickle

import pytest

import scorewright as sw
from scorewright.errors import ScorewrightError
from scorewright.study import Study
from scorewright.study.entries import LearnerEntry
from scorewright.study.task import key, seeds

TEXT = """
name = "small"
seed = 3
repeats = 2
rounds = [20, 50]
baseline = "bandit"

[[games]]
family = "three_efforts"

[[games]]
label = "drawn once"
family = "random"
seed = 5
efforts = 2

[[games]]
file = "mine.json"
tags = ["own"]
about = "A game of one's own."

[[learners]]
name = "osrl-ucb"
radius = 0.03
mixing = {exponent = 0.4}

[[learners]]
label = "bandit"
name = "oracle-bandit"

[[agents]]
name = "noisy"
error = 0.2
"""


@pytest.fixture
def file(tmp_path):
    """Return a study file with a game beside it."""
    sw.families.make("two_sources").save(tmp_path / "mine.json")
    path = tmp_path / "small.toml"
    path.write_text(TEXT)
    return path


def test_a_file_becomes_cells(file):
    """Every learner on every game, agent, horizon and repeat; repeat by repeat."""
    study = Study.load(file)
    cells = study.tasks()
    assert len(cells) == 2 * 2 * 3 * 2
    assert [cell.repeat for cell in cells] == [0] * 12 + [1] * 12
    assert [game.label for game in study.games] == ["three_efforts", "drawn once", "mine"]
    assert study.games[2].tags == ("own",)
    assert study.baseline == "bandit"
    assert study.learners[0].label == "osrl-ucb (radius 0.03, mixing 0.4)"
    assert len({key(cell) for cell in cells}) == len(cells)
    assert pickle.loads(pickle.dumps(cells[0])) == cells[0]


def test_a_cell_is_the_run_that_its_parts_describe(file):
    """Facts and curve are those of simulate with the same seeds."""
    cell = Study.load(file).tasks()[0]
    outcome = cell.perform()
    game = sw.families.make("three_efforts")
    learner = sw.learn.OsrlUcb(
        game.setting,
        sw.oracles.best_margin(game),
        radius=sw.learn.Radius(0.03),
        mixing=sw.learn.Mixing(exponent=0.4),
    )
    meeting = [cell.game.identity(), cell.agent.identity(), cell.rounds, cell.repeat]
    luck = seeds(3, "luck", *meeting)
    run = sw.simulate(game, learner, 20, rng=luck, agent=sw.agents.Noisy(0.2), record="thin")
    assert outcome.facts["regret"] == run.regret[-1]
    assert outcome.curve["payment"].tolist() == run.payment.tolist()
    assert outcome.facts["learner"] == cell.learner.label


def test_a_cell_does_not_depend_on_its_neighbours():
    """Adding games, learners, repeats or horizons changes no cell that was there."""
    small = Study(["three_efforts"], ["osrl-ucb"], rounds=30, repeats=1, seed=1)
    large = Study(
        [{"family": "random"}, "three_efforts"], ["oracle-bandit", "osrl-ucb"], rounds=[10, 30], repeats=3, seed=1
    )
    assert {key(cell) for cell in small.tasks()} < {key(cell) for cell in large.tasks()}
    twin = next(cell for cell in large.tasks() if key(cell) == key(small.tasks()[0]))
    assert twin.perform().facts == small.tasks()[0].perform().facts


def test_learners_meet_the_same_games_and_repeats_differ():
    """Pairs: the game of a repeat is the same for all learners, and another one in the next repeat."""
    study = Study([{"family": "random"}], ["fixed-rule", "clairvoyant"], rounds=5, repeats=2, seed=1)
    optima = [cell.perform().facts["optimum"] for cell in study.tasks()]
    assert optima[0] == optima[1] != optima[2] == optima[3]
    fixed = Study([{"family": "random", "seed": 4}], ["fixed-rule"], rounds=5, repeats=2)
    assert len({cell.perform().facts["optimum"] for cell in fixed.tasks()}) == 1


def test_part_and_more():
    """A part has the very same cells; a learner by Python path can be added."""
    study = Study(["three_efforts", "analyst"], ["osrl-ucb", "oracle-bandit"], rounds=[10, 20], repeats=3)
    part = study.part(games=["analyst"], learners=["oracle-bandit"], repeats=1, rounds=[20])
    assert {key(cell) for cell in part.tasks()} < {key(cell) for cell in study.tasks()}
    assert part.baseline == "oracle-bandit"
    more = study.with_learners(["scorewright.learn:Clairvoyant"])
    assert [learner.label for learner in more.learners][-1] == "scorewright.learn:Clairvoyant"
    assert more.part(repeats=1, rounds=[10]).tasks()[-1].perform().facts["regret"] == pytest.approx(0, abs=1e-9)
    with pytest.raises(ScorewrightError, match="did you mean"):
        study.part(games=["analist"])
    with pytest.raises(ScorewrightError, match="label of their own"):
        study.with_learners(["osrl-ucb"])


@pytest.mark.parametrize(
    "oracle",
    ["best-margin", "random-sampling", "linear-search", {"procedure": "linear-search", "rounds": 9}],
    ids=str,
)
def test_oracles_in_words(oracle):
    """Every source of oracle rules can be named."""
    game = sw.families.make("three_efforts")
    learner = LearnerEntry.read({"name": "osrl-ucb", "oracle": oracle}, ".").make(game, 10, 0)
    assert learner.ask().phase == "oracle"


def test_horizons_rules_and_none():
    """Other options that a file says in words."""
    game = sw.families.make("three_efforts")
    assert (
        LearnerEntry.read({"name": "haggler", "oracle": "none", "horizon": True}, ".").make(game, 77, 0).horizon == 77
    )
    told = LearnerEntry.read({"name": "haggler", "horizon": 5}, ".").make(game, 77, 0)
    assert (told.horizon, len(told.oracle)) == (5, 3)
    fixed = LearnerEntry.read({"name": "fixed-rule", "rule": "spherical"}, ".").make(game, 1, 0)
    assert fixed.rule.is_proper()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("repeets = 2", "did you mean 'repeats'"),
        ("repeats = 0", "repeats"),
        ("rounds = [0]", "rounds"),
        ("rounds = []", "rounds"),
        ("rounds = 'many'", "rounds"),
        ("seed = -1", "seed"),
        ("baseline = 'nobody'", "baseline"),
        ("agents = ['angry']", "agents[0]"),
        ("agents = [{name = 'noisy', error = 2}]", "error"),
        ("agents = [{name = 'noisy', eror = 0.1}]", "eror"),
        ("games = []", "empty"),
        ("games = ['three_efforts', 'three_efforts']", "twice"),
        ("games = ['three_effort']", "three_efforts"),
        ("games = [{family = 'random', effort = 2}]", "effort"),
        ("games = [{label = 'nothing'}]", "one of family, file and game"),
        ("games = [{file = 'nowhere.json'}]", "nowhere.json"),
        ("games = [{file = 'x.json', efforts = 2}]", "takes no 'efforts'"),
        ("games = [3]", "games[0]"),
        ("learners = ['osrl']", "learners[0]"),
        ("learners = ['nowhere:Nobody']", "can't be imported"),
        ("learners = ['math:pi']", "must be a class"),
        ("learners = [{name = 'osrl-ucb', radios = 1}]", "radios"),
        ("learners = [{name = 'osrl-ucb', radius = 1979-05-27}]", "in words"),
        ("this is not toml", "not TOML"),
    ],
)
def test_bad_files_are_refused_in_words(line, words, tmp_path):
    """The file and what is wrong with it, before anything is run."""
    path = tmp_path / "bad.toml"
    kept = {"games": "games = ['three_efforts']", "learners": "learners = ['osrl-ucb']"}
    kept.pop(line.split(" ")[0], None)
    path.write_text("\n".join([*kept.values(), line]))
    with pytest.raises(ScorewrightError) as caught:
        Study.load(path)
    assert words in str(caught.value)
    assert "bad.toml" in str(caught.value)


def test_files_that_are_none(tmp_path):
    """Missing files, folders, bytes, and a study without games."""
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\xfa")
    (tmp_path / "empty.toml").write_text("")
    for name in ("none.toml", ".", "bytes.toml", "empty.toml"):
        with pytest.raises(ScorewrightError):
            Study.load(tmp_path / name)


def test_wrong_options_of_a_learner_fail_in_its_cell():
    """What only shows when the learner is made is the cell's failure."""
    study = Study(["three_efforts"], [{"name": "osrl-ucb", "radius": {"scael": 1}}], rounds=5, repeats=1)
    with pytest.raises(ScorewrightError, match="scael"):
        study.tasks()[0].perform()
