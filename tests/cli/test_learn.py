"""`scorewright learn`: sessions with people and with programs, interrupted and resumed."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import scorewright as sw
from scorewright.cli import run
from scorewright.cli.app import app
from scorewright.cli.learn import LEARNERS

SRC = Path(sw.__file__).resolve().parents[1]


@pytest.fixture
def file(tmp_path):
    """Return the three-effort game's setting as a file, and its game as another."""
    game = sw.families.make("three_efforts")
    game.setting.save(tmp_path / "desk.json")
    game.save(tmp_path / "game.json")
    return tmp_path / "desk.json"


@pytest.fixture
def state(file):
    """Return where the learner is kept unless the user says otherwise."""
    return file.with_name("desk.learner.json")


def talk(file, text, *words):
    """Answer with these lines; return what was printed."""
    done = CliRunner().invoke(app, ["learn", str(file), *words], input=text)
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    return done.stdout


def speak(file, answers, *words):
    """Answer with these objects; return the objects printed."""
    lines = talk(file, "".join(json.dumps(one) + "\n" for one in answers), "--json", *words)
    return [json.loads(line) for line in lines.splitlines()]


def reference(answers, **options):
    """Return a learner told the same by the library, and its next offer."""
    setting = sw.families.make("three_efforts").setting
    learner = sw.learn.Haggler(setting, **({"rng": 0} | options))
    for effort, report in answers:
        learner.tell(learner.ask(), effort, report)
    return learner, learner.ask()


def kept(state):
    """Return the learner in the file."""
    return sw.learn.Haggler.restore(sw.families.make("three_efforts").setting, json.loads(state.read_text()))


# -- people ----------------------------------------------------------------------------------------------------------


def test_a_session(file, state):
    """Offers with payments and reasons; answers by number, label, list and percent; a goodbye; all of it kept."""
    out = talk(file, "guess\n0\n2\n0.85 0.15\nSKIM\n0.3,0.7\n1\n70% 30%\nquit\n")
    told = [("guess", 0), (2, [0.85, 0.15]), ("skim", [0.3, 0.7]), (1, [0.7, 0.3])]
    learner, _ = reference(told)
    assert kept(state).state() == learner.state()
    asked = reference([])[0]
    for number, answer in enumerate(told, start=1):
        offer = asked.ask()
        assert f"Round {number}: {offer.why}" in out
        asked.tell(offer, *answer)
    assert out.count("pays if down") == out.count("pays if up") == 5
    assert out.count("Kept.") == 4
    assert "counts as report 3 (up 15.0%): best decision “sell”" in out
    assert "Stopped with 4 rounds answered" in out
    assert f"scorewright learn {file}" in out
    assert {path.name for path in file.parent.iterdir()} == {"desk.json", "game.json", state.name}


def test_payments_shown_are_those_of_the_offer(file):
    """Every line of the table has the amounts of its row."""
    _, offer = reference([("guess", 0)])
    shown = talk(file, "guess\n0\n").split("Round 2")[1]
    for row, payments in enumerate(offer.rule.payments):
        line = next(line for line in shown.splitlines() if line.split()[:1] == [str(row)])
        assert [float(word) for word in line.split()[-3:-1]] == pytest.approx(payments, abs=1e-4)


@pytest.mark.parametrize("end", ["", "\n", "quit\n", "QUIT\n", "  \n"], ids=repr)
@pytest.mark.parametrize("before", ["", "guess\n"], ids=["effort", "report"])
def test_every_way_to_stop(before, end, file, state):
    """No more input, an empty line, quit: at either question, politely; the open offer is kept."""
    out = talk(file, before + end)
    assert "Stopped with 0 rounds answered" in out
    assert json.loads(state.read_text())["open"]["number"] == 1


def test_going_on(file, state):
    """Two sessions are one: the second says so, shows the open offer again and ends where a single one would."""
    first = talk(file, "guess\n0\n2\n3\nskim\n")
    second = talk(file, "skim\n1\n")
    assert "Going on" not in first
    assert f"Going on from {state}: 2 rounds answered so far." in second
    assert first.split("Round 3")[1].split("effort:")[0] == second.split("Round 3")[1].split("effort:")[0]
    assert kept(state).state() == reference([("guess", 0), (2, 3), ("skim", 1)])[0].state()


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ("gues", "did you mean 'guess'"),
        ("3", "effort is 3"),
        ("-1", "effort is -1"),
        ("1.0", "unknown effort"),
        ("9" * 5000, "unknown effort"),
        ("guess\n5", "report is 5"),
        ("guess\n-1", "report is -1"),
        ("guess\n0.5 0.6", "sums to 1.1"),
        ("guess\n0.5", "2 probabilities, one per state, not 1"),
        ("guess\n0.2 0.3 0.5", "2 probabilities, one per state, not 3"),
        ("guess\n-0.5 1.5", "negative"),
        ("guess\nnan nan", "finite"),
        ("guess\nup", "'up' is neither"),
    ],
)
def test_impossible_answers(wrong, word, file, state):
    """One line says why, the same question comes again, nothing is lost."""
    right = "0\n" if "\n" in wrong else "guess\n0\n"
    out = talk(file, f"{wrong}\n{right}", "--rounds", "1")
    refusals = [line for line in out.splitlines() if "Not possible: " in line]
    assert len(refusals) == 1
    assert word in refusals[0]
    assert out.count("pays if down") == 1
    assert kept(state).state()["learned"] == _told_once().state()["learned"]


def _told_once():
    learner, _ = reference([])
    learner.tell(learner.ask(), "guess", 0)
    return learner


def test_second_thoughts_and_help(file, state):
    """`back` corrects the effort; `?` and `help` explain at both questions and change nothing."""
    out = talk(file, "?\nstudy\nhelp\nback\nguess\n0\n", "--rounds", "1")
    assert out.count("0 guess, 1 skim, 2 study") == 2
    assert kept(state).state() == _told_once().state()


def test_rounds(file):
    """`--rounds` counts the answers of this session and leaves the rest unread."""
    out = talk(file, "guess\n0\n" * 5, "--rounds", "2")
    assert out.count("Kept.") == 2
    assert "Stopped with 2 rounds answered" in out
    assert "Stopped with 3 rounds answered" in talk(file, "guess\n0\n" * 5, "--rounds", "1")


def test_a_game_is_as_good_and_its_secrets_stay_unused(file):
    """A game file gives the session that its setting gives."""
    text = "guess\n0\n2\n3\n"
    assert talk(file, text).split("Stopped")[0] == talk(file.with_name("game.json"), text).split("Stopped")[0]


def test_efforts_without_names(tmp_path):
    """A new effort is counted only once it is confirmed; a known one at once."""
    game = sw.families.make("three_efforts")
    terms = sw.Terms(game.beliefs, game.bound, states=game.states)
    file = tmp_path / "open.json"
    sw.Setting(terms, game.utility).save(file)
    out = talk(file, "lazy\nyes\n0\nlasy\nno\nlazy\n0\n", "--rounds", "2")
    assert out.count("is new here") == 2
    assert "met so far: 0 lazy" in out
    assert json.loads((tmp_path / "open.learner.json").read_text())["discovered"] == {"lazy": 0}
    assert "buys lazy" in talk(file, "", "--status")


def test_a_label_is_a_label(tmp_path):
    """An effort called quit can be made."""
    terms = sw.Terms([[0.5, 0.5], [1, 0], [0, 1]], 1, efforts=("quit", "help", "2", "stay"))
    file = tmp_path / "odd.json"
    sw.Setting(terms, [[1, 0], [0, 1]]).save(file)
    assert "Stopped with 3 rounds answered" in talk(file, "quit\n0\nhelp\n0\n2\n1\n")
    counts = sw.learn.Haggler.restore(
        sw.load(file), json.loads((tmp_path / "odd.learner.json").read_text())
    ).estimates().counts  # fmt: skip
    assert list(counts) == [1, 1, 1, 0]


def test_control_c(file, state, monkeypatch, capsys):
    """Control-C at a question stops as politely as quit does."""
    lines = iter(["guess", "0", "skim"])

    def typed(prompt):
        """Type three lines, then interrupt."""
        print(prompt)
        try:
            return next(lines)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("builtins.input", typed)
    assert run(["learn", str(file)]) == 0
    said = capsys.readouterr()
    assert "Stopped with 1 round answered" in said.out
    assert said.err == ""
    assert kept(state).state() == reference([("guess", 0)])[0].state()


# -- programs --------------------------------------------------------------------------------------------------------


def test_programs(file, state):
    """One object per line, both ways; the offers are the library's."""
    said = speak(file, [{"effort": "guess", "report": 0}, {"effort": 2, "report": [0.85, 0.15], "round": 2}])
    learner, _ = reference([])
    for line, answer in zip(said[:3], [("guess", 0), (2, 3), None], strict=True):
        offer = learner.ask()
        assert line == {
            "round": offer.number,
            "payments": offer.rule.payments.tolist(),
            "target": offer.target,
            "phase": offer.phase,
            "why": offer.why,
        }
        if answer is not None:
            learner.tell(offer, *answer)
    assert said[3] == {"answered": 2, "state": str(state), "again": f"scorewright learn {file}"}
    assert kept(state).state() == learner.state()


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("effort guess", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[0, 0]", "one object per line"),
        ('{"effort": 0}', "one object per line"),
        ('{"effort": 0, "report": 0, "state": 1}', "one object per line"),
        ('{"effort": 0, "report": 0, "round": 7}', "round 1 is open"),
        ('{"effort": 3, "report": 0}', "effort is 3"),
        ('{"effort": true, "report": 0}', "effort must be a whole number"),
        ('{"effort": "gues", "report": 0}', "guess"),
        ('{"effort": 0, "report": 5}', "report is 5"),
        ('{"effort": 0, "report": null}', "report must be"),
        ('{"effort": 0, "report": [NaN, 1]}', "finite"),
        ('{"effort": 0, "report": [0.5, 0.6]}', "sums to 1.1"),
    ],
)
def test_programs_err_too(line, word, file, state):
    """An error is one line; the offer stays open and the right answer is taken."""
    lines = talk(file, f'{line}\n\n{{"effort": 0, "report": 0}}\n', "--json", "--rounds", "1").splitlines()
    offer, error, end = map(json.loads, lines)
    assert offer["round"] == 1
    assert list(error) == ["error"]
    assert word in error["error"]
    assert end["answered"] == 1
    assert kept(state).state() == _told_once().state()


def test_killed(file, state):
    """A session killed while it waits shows the same offer when it goes on, and every answer is there."""
    line = ["-c", "from scorewright.cli import main; main()", "learn", str(file), "--json"]
    path = os.pathsep.join(filter(None, [str(SRC), os.environ.get("PYTHONPATH")]))
    with subprocess.Popen(
        [sys.executable, *line],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert json.loads(child.stdout.readline())["round"] == 1
        for answer in ({"effort": 0, "report": 0}, {"effort": 2, "report": 3}):
            child.stdin.write(json.dumps(answer) + "\n")
            child.stdin.flush()
            last = child.stdout.readline()
        child.kill()
    assert json.loads(last)["round"] == 3
    again = speak(file, [])
    assert again[0] == json.loads(last)
    assert kept(state).state() == reference([(0, 0), (2, 3)])[0].state()


@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.replace"])
def test_a_write_that_fails_leaves_the_old_file(call, file, state, monkeypatch, capsys):
    """A full disk: exit code 2, the file as it was, no draft left behind."""
    talk(file, "guess\n0\n", "--rounds", "1")
    before, names = state.read_bytes(), sorted(file.parent.iterdir())

    def full(*_: object) -> None:
        """Refuse."""
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(call, full)
    assert run(["learn", str(file)]) == 2
    assert capsys.readouterr().err == f"scorewright: can't write {state}: no space left on device\n"
    assert state.read_bytes() == before
    assert sorted(file.parent.iterdir()) == names


def test_synced_before_it_replaces(file, monkeypatch):
    """The draft is on the disk before it takes the file's name."""
    happened = []
    sync, replace = os.fsync, Path.replace
    monkeypatch.setattr("os.fsync", lambda where: (happened.append("sync"), sync(where))[1])
    monkeypatch.setattr("pathlib.Path.replace", lambda *args: (happened.append("replace"), replace(*args))[1])
    talk(file, "")
    assert happened[:2] == ["sync", "replace"]


def test_two_sessions_at_once(file, state, monkeypatch, capsys):
    """The slower one does not overwrite what the faster one kept."""
    answers = iter(["guess", "0"])

    def typed(_):
        """Answer after another session has answered."""
        talk_elsewhere = state.read_text()
        state.unlink()
        state.write_text(talk_elsewhere + " ")
        return next(answers)

    monkeypatch.setattr("builtins.input", typed)
    assert run(["learn", str(file)]) == 2
    assert "changed by somebody else" in capsys.readouterr().err
    assert state.read_text().endswith(" ")


# -- files -----------------------------------------------------------------------------------------------------------


def refused(arguments, capsys, monkeypatch):
    """Return the one line with which a command line is refused."""
    monkeypatch.setattr("sys.stdin", io.StringIO("guess\n0\n"))
    assert run(["learn", *map(str, arguments)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("scorewright: ")
    assert said.err.count("\n") == 1
    return said.err


def test_state_of_another_setting(file, state, tmp_path, capsys, monkeypatch):
    """It is refused, named, left alone, and what to do is said."""
    talk(file, "guess\n0\n")
    other = tmp_path / "other.json"
    sw.families.analyst().save(other)
    before = state.read_bytes()
    line = refused([other, "--state", state], capsys, monkeypatch)
    assert str(state) in line
    assert "another setting" in line
    assert "--state" in line
    assert state.read_bytes() == before


def test_state_of_another_learner(file, state, capsys, monkeypatch):
    """It is refused, and says which learner to name."""
    talk(file, "guess\n0\n", "--learner", "scaled-quadratic")
    line = refused([file], capsys, monkeypatch)
    assert "--learner scaled-quadratic" in line
    again = talk(file, "guess\n0\n", "--learner", "scaled-quadratic")
    assert "Going on" in again
    assert f"scorewright learn {file} --learner scaled-quadratic" in again
    assert json.loads(state.read_text())["number"] == 3


@pytest.mark.parametrize(
    ("words", "same"),
    [(["--rng", "3"], False), (["--horizon", "60"], False), (["--rng", "7", "--horizon", "50"], True), ([], True)],
    ids=str,
)
def test_options_of_another_session(words, same, file, capsys, monkeypatch):
    """Going on with other options than those begun with is refused; with the same, or none named, it goes on."""
    talk(file, "guess\n0\n", "--rng", "7", "--horizon", "50")
    if same:
        assert "Going on" in talk(file, "", *words)
    else:
        assert f"{words[0]} out" in refused([file, *words], capsys, monkeypatch)


def test_seed_and_horizon_reach_the_learner(file, state):
    """The options are those of the library."""
    talk(file, "guess\n0\n", "--rng", "7", "--horizon", "50")
    assert kept(state).state() == reference([("guess", 0)], rng=7, horizon=50)[0].state()


def _without(state, *path):
    content = json.loads(state.read_text())
    inner = content
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return json.dumps(content)


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: "",
        lambda state: state.read_text()[:-100],
        lambda _: "[]",
        lambda _: json.dumps(sw.families.make("three_efforts").to_dict()),
        lambda state: _without(state, "learned"),
        lambda state: _without(state, "learned", "memory"),
        lambda state: _without(state, "learned", "worlds"),
        lambda state: _without(state, "learned", "votes", "rules"),
        lambda state: _without(state, "options", "seed"),
        lambda state: state.read_text().replace('"probes": [', '"probes": ["x", '),
        lambda state: state.read_text().replace('"version": 1', '"version": 99'),
    ],
)
@pytest.mark.parametrize("words", [[], ["--status"], ["--json"]], ids=str)
def test_damaged_state(damage, words, file, state, capsys, monkeypatch):
    """One line names the file and says what to do; the file is left alone."""
    talk(file, "guess\n0\n2\n3\n")
    state.write_text(damage(state))
    before = state.read_bytes()
    line = refused([file, *words], capsys, monkeypatch)
    assert str(state) in line
    assert "move it away to begin afresh" in line
    assert state.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (["--learner", "osrl-ucb"], "haggler or scaled-quadratic"),
        (["--learner", "hagler"], "did you mean 'haggler'"),
        (["--learner", "scaled-quadratic", "--horizon", "5"], "no option 'horizon'"),
        (["--rounds", "0"], "--rounds is 0"),
        (["--rng", "-1"], "--rng is -1"),
        (["--horizon", "0"], "horizon is 0"),
        (["--rng", "x"], "--rng"),
        (["--state", "missing/desk.json"], "can't write missing"),
        (["--state", "."], "folder"),
    ],
    ids=str,
)
def test_bad_options(words, word, file, state, tmp_path, capsys, monkeypatch):
    """One line, exit code 2, nothing written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("guess\n0\n"))
    assert run(["learn", str(file), *words]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("scorewright: ")
    assert said.err.count("\n") == 1
    assert word in said.err
    assert not state.exists()


def test_not_a_setting(tmp_path, capsys, monkeypatch):
    """A rule, or no file at all."""
    rule = tmp_path / "rule.json"
    sw.solve(sw.families.make("three_efforts")).rule.save(rule)
    assert "not a setting or a game" in refused([rule], capsys, monkeypatch)
    assert "can't read" in refused([tmp_path / "none.json"], capsys, monkeypatch)


def test_learners_that_need_no_more_than_a_setting():
    """The command offers every learner that can be made from a setting alone, and no other."""
    setting = sw.families.make("three_efforts").setting

    def alone(name):
        """Whether a setting is enough."""
        try:
            sw.learn.make(name, setting)
        except TypeError:
            return False
        return True

    assert tuple(name for name in sw.learn.names() if alone(name)) == LEARNERS


# -- status ----------------------------------------------------------------------------------------------------------


def test_status_before_anything(file, state):
    """Nothing answered, nothing written."""
    assert "Nothing has been answered yet" in talk(file, "", "--status")
    assert speak(file, [], "--status") == [
        {
            "learner": "haggler",
            "state": str(state),
            "answered": 0,
            "recommendation": None,
            "surely_within": None,
        }
    ]
    assert not state.exists()


def test_status(file, state):
    """Rounds, rule, interval, evidence and certainty are the library's; nothing is asked or changed."""
    game = sw.families.make("three_efforts")
    learner = sw.learn.Haggler(game.setting, rng=0)
    sw.simulate(game, learner, 500, rng=0)
    state.write_text(json.dumps(learner.state()))
    before, best = state.read_bytes(), learner.recommend(0.95)
    (said,) = speak(file, [], "--status")
    assert said["answered"] == 500
    assert said["recommendation"] == {
        "payments": best.rule.payments.tolist(),
        "effort": best.effort,
        "name": game.efforts[best.effort],
        "profit": best.profit,
        "low": best.low,
        "high": best.high,
        "probability": 0.95,
        "rounds": best.rounds,
        "evidence": best.evidence,
    }
    within = said["surely_within"]
    assert learner.sure(within, 0.95)
    assert not learner.sure(0.99 * within, 0.95)
    out = talk(file, "", "--status")
    for words in (
        "500 rounds answered",
        f"buys {game.efforts[best.effort]} and earns about {best.profit:.4f}",
        f"{best.low:.4f} to {best.high:.4f} with 95%",
        best.evidence,
        f"Sure? With 95% probability no rule earns more than {within:.4f} a round more",
    ):
        assert words in out
    assert "Round" not in out
    assert state.read_bytes() == before


@pytest.mark.parametrize("gap", [0.3, 0.0123, 0.0])
def test_status_says_how_sure(gap, file, monkeypatch):
    """The least gap for which Haggler is sure, to half a per cent."""
    talk(file, "guess\n0\n2\n3\n")
    asked = []

    def sure(_, wanted, probability):
        """Be sure from this gap on."""
        asked.append(probability)
        return wanted >= gap

    monkeypatch.setattr(sw.learn.Haggler, "sure", sure)
    (said,) = speak(file, [], "--status")
    assert gap <= said["surely_within"] <= max(1.005 * gap, 1e-5)
    assert f"95% probability no rule earns more than {said['surely_within']:.4f} a round more" in talk(
        file, "", "--status"
    )
    assert set(asked) == {0.95}


def test_status_of_an_agent_that_errs(file):
    """Of one that answers the same offer in different ways nothing is sure, and the status says why."""
    answers = [{"effort": number % 3, "report": number % 5} for number in range(60)]
    speak(file, answers)
    assert "Sure? Not yet, the agent errs" in talk(file, "", "--status")


def test_status_of_a_learner_that_is_never_sure(file):
    """Only Haggler says when to stop."""
    talk(file, "guess\n0\n", "--learner", "scaled-quadratic")
    out = talk(file, "", "--learner", "scaled-quadratic", "--status")
    assert "1 round answered" in out
    assert "scaled-quadratic never says" in out
