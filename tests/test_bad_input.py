"""Bad input, in Python and at the terminal: one clear sentence that names what is wrong, and never a traceback."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scorewright as sw
from scorewright.cli import run
from scorewright.errors import ScorewrightError

THREE = sw.families.three_efforts()
RULE = sw.solve(THREE).rule
OTHER = sw.rules.quadratic([[0.5, 0.5]], 1)
FINES = sw.solve(sw.families.hard_instance(width=0.1)).rule
DOCUMENT = THREE.to_dict()
TEXT = json.dumps(DOCUMENT)
GAME: dict[str, Any] = {key: value for key, value in DOCUMENT.items() if key not in ("schema", "version")}

BAD_GAMES: dict[str, tuple[dict[str, Any], str]] = {  # what is changed in a good game, the argument to name
    "beliefs: one row, not a table": ({"beliefs": [0.5, 0.5]}, "beliefs"),
    "beliefs: three dimensions": ({"beliefs": [GAME["beliefs"]]}, "beliefs"),
    "beliefs: ragged": ({"beliefs": [[0.5, 0.5], [1.0], [0.3, 0.7], [0.85, 0.15], [0.15, 0.85]]}, "beliefs"),
    "beliefs: none at all": ({"beliefs": []}, "beliefs"),
    "beliefs: no states": ({"beliefs": [[]] * 5}, "beliefs"),
    "beliefs: None": ({"beliefs": None}, "beliefs"),
    "beliefs: a string": ({"beliefs": "half and half"}, "beliefs"),
    "beliefs: strings": ({"beliefs": [["a", "b"]] * 5}, "beliefs"),
    "beliefs: negative": ({"beliefs": [[1.5, -0.5]] * 5}, "beliefs"),
    "beliefs: a NaN": ({"beliefs": [[math.nan, 0.5]] * 5}, "beliefs"),
    "beliefs: do not sum to one": ({"beliefs": [[0.5, 0.4]] * 5}, "beliefs"),
    "beliefs: off by more than rounding": ({"beliefs": [[0.5, 0.5 + 1e-8]] * 5}, "beliefs"),
    "beliefs: one too few": ({"beliefs": [[0.5, 0.5]] * 4}, "information"),
    "beliefs: more states than utility": ({"beliefs": [[0.5, 0.25, 0.25]] * 5, "states": None}, "utility"),
    "information: one row, not a table": ({"information": [1, 0, 0, 0, 0]}, "information"),
    "information: ragged": ({"information": [[1], [0, 1], [0, 0, 1]]}, "information"),
    "information: no efforts": ({"information": []}, "information"),
    "information: negative": ({"information": [[2, -1, 0, 0, 0]] * 3}, "information"),
    "information: does not sum to one": ({"information": [[0.2] * 5, [0.2] * 5, [0.3] * 5]}, "information"),
    "information: a column too many": ({"information": [[1, 0, 0, 0, 0, 0]] * 3}, "information"),
    "information: an effort without a cost": ({"information": [[1, 0, 0, 0, 0]] * 4}, "information"),
    "information: a boolean among numbers": ({"information": [[True, 0.0, 0, 0, 0]] * 3}, "information"),
    "costs: one number": ({"costs": 0.1}, "costs"),
    "costs: a table": ({"costs": [[0, 0.05, 0.15]]}, "costs"),
    "costs: empty": ({"costs": []}, "costs"),
    "costs: negative": ({"costs": [0, -0.05, 0.15]}, "costs"),
    "costs: infinite": ({"costs": [0, math.inf, 0.15]}, "costs"),
    "costs: None inside": ({"costs": [0, None, 0.15]}, "costs"),
    "costs: a number in quotes": ({"costs": [0, "0.05", 0.15]}, "costs"),
    "costs: booleans": ({"costs": [False, True, True]}, "costs"),
    "costs: a boolean among numbers": ({"costs": [0, True, 1.5]}, "costs"),
    "costs: complex": ({"costs": np.array([0, 1j, 2])}, "costs"),
    "costs: too large for a float": ({"costs": [0, 10**400, 1]}, "costs"),
    "costs: too large, in long doubles": ({"costs": np.array(["0", "1", "1e4000"], dtype=np.longdouble)}, "costs"),
    "costs: masked": ({"costs": np.ma.array([0, 0.05, 0.15], mask=[False, True, False])}, "costs"),
    "costs: dates": ({"costs": np.array(["2024-01-01"] * 3, dtype="datetime64[D]")}, "costs"),
    "costs: a set": ({"costs": {0, 0.05, 0.15}}, "costs"),
    "costs: one too many": ({"costs": [0, 0.05, 0.15, 0.2]}, "costs"),
    "costs: a very long value": ({"costs": np.array([0, "x" * 5000, 1], dtype=object)}, "costs"),
    "utility: one row, not a table": ({"utility": [1, 0]}, "utility"),
    "utility: no decisions": ({"utility": []}, "utility"),
    "utility: ragged": ({"utility": [[1], [0, 1]]}, "utility"),
    "utility: a NaN": ({"utility": [[1, math.nan], [0, 1]]}, "utility"),
    "utility: a state too few": ({"utility": [[1], [0]]}, "utility"),
    "bound: negative": ({"bound": -1}, "bound"),
    "bound: NaN": ({"bound": math.nan}, "bound"),
    "bound: infinite": ({"bound": math.inf}, "bound"),
    "bound: None": ({"bound": None}, "bound"),
    "bound: a string": ({"bound": "1"}, "bound"),
    "bound: a boolean": ({"bound": True}, "bound"),
    "bound: complex": ({"bound": 1j}, "bound"),
    "bound: a list": ({"bound": [1]}, "bound"),
    "bound: a column": ({"bound": np.array([[1], [2]])}, "bound"),
    "bound: too large for a float": ({"bound": 10**400}, "bound"),
    "penalty: negative": ({"penalty": -0.1}, "penalty"),
    "penalty: NaN": ({"penalty": math.nan}, "penalty"),
    "penalty: a string": ({"penalty": "none"}, "penalty"),
    "efforts: a label too few": ({"efforts": ["guess", "skim"]}, "efforts"),
    "efforts: a label twice": ({"efforts": ["guess", "skim", "skim"]}, "efforts"),
    "efforts: an empty label": ({"efforts": ["guess", "", "study"]}, "efforts"),
    "efforts: a blank label": ({"efforts": ["guess", " \t", "study"]}, "efforts"),
    "efforts: numbers": ({"efforts": [1, 2, 3]}, "efforts"),
    "efforts: a plain string": ({"efforts": "abc"}, "efforts"),
    "efforts: empty": ({"efforts": []}, "efforts"),
    "efforts: a number": ({"efforts": 3}, "efforts"),
    "states: a label too many": ({"states": ["down", "flat", "up"]}, "states"),
    "states: a set, which has no order": ({"states": {"down", "up"}}, "states"),
    "states: not text (a lone surrogate)": ({"states": ["down", "\ud800"]}, "states"),
    "states: bytes": ({"states": b"du"}, "states"),
    "decisions: a label too few": ({"decisions": ["sell"]}, "decisions"),
    "decisions: a label twice": ({"decisions": ["sell", "sell"]}, "decisions"),
}


def make(name: str, **controls: Any) -> Callable[[], sw.Game]:
    """A family with controls, to be called later."""
    return lambda: sw.families.make(name, **controls)


def sample(bound: float = 1.0, **options: Any) -> Callable[[], sw.Rule]:
    """A sampled rule, to be called later."""
    return lambda: sw.rules.sample(THREE.beliefs, bound, **options)


BAD_CALLS: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    # labels and families
    "effort: unknown label": (lambda: THREE.effort("sleep"), LookupError, "effort"),
    "effort: label where there are none": (lambda: sw.families.hard_instance().effort("a"), LookupError, "effort"),
    "effort: out of range": (lambda: THREE.effort(3), ValueError, "effort"),
    "effort: negative": (lambda: THREE.effort(-1), ValueError, "effort"),
    "effort: a float": (lambda: THREE.effort(1.0), ValueError, "effort"),
    "effort: a boolean": (lambda: THREE.effort(True), ValueError, "effort"),
    "effort: None": (lambda: THREE.effort(None), ValueError, "effort"),
    "name: out of range": (lambda: THREE.name(99), ValueError, "effort"),
    "name: negative": (lambda: THREE.name(-1), ValueError, "effort"),
    "state: unknown label": (lambda: THREE.setting.terms.state("sideways"), LookupError, "state"),
    "make: unknown family": (make("no_such_game"), LookupError, "family"),
    "make: not a name": (lambda: sw.families.make(5), LookupError, "family"),
    "make: unknown control": (make("analyst", colour="red"), ValueError, "colour"),
    "make: control of another family": (make("hard_instance", trials=3), ValueError, "trials"),
    "random: no efforts": (make("random", efforts=0), ValueError, "efforts"),
    "random: one state": (make("random", states=1), ValueError, "states"),
    "random: half an observation": (make("random", observations=2.5), ValueError, "observations"),
    "random: quality goes down": (make("random", quality=(0.9, 0.1)), ValueError, "quality"),
    "random: one quality": (make("random", quality=0.5), ValueError, "quality"),
    "random: three qualities": (make("random", quality=(0.1, 0.2, 0.3)), ValueError, "quality"),
    "random: no spread": (make("random", spread=0), ValueError, "spread"),
    "random: margin out of reach": (make("random", rng=0, margin=100), ValueError, "margin"),
    "random: unknown support": (make("random", support="mixed"), LookupError, "support"),
    "random: support that is no name": (make("random", support=5), LookupError, "support"),
    "random: negative dominated": (make("random", dominated=-1), ValueError, "dominated"),
    "random: skew of one": (make("random", skew=1), ValueError, "skew"),
    "random: no decisions": (make("random", decisions=0), ValueError, "decisions"),
    "random: bound of zero": (make("random", bound=0), ValueError, "bound"),
    "random: stake is NaN": (make("random", stake=math.nan), ValueError, "stake"),
    "random: stake is a string": (make("random", stake="high"), ValueError, "stake"),
    "random_contract: stake is None": (make("random_contract", stake=None), ValueError, "stake"),
    "hard_instance: e1 out of range": (make("hard_instance", e1=0.5), ValueError, "e1"),
    "hard_instance: negative width": (make("hard_instance", width=-1), ValueError, "width"),
    "binary_effort: prior of zero": (make("binary_effort", prior=0), ValueError, "prior"),
    "binary_effort: posteriors on one side": (make("binary_effort", posteriors=(0.6, 0.7)), ValueError, "posteriors"),
    "binary_effort: posterior above one": (make("binary_effort", posteriors=(0.3, 1.7)), ValueError, "posteriors"),
    "binary_effort: a chance too many": (make("binary_effort", chances=[0.2, 0.3, 0.5]), ValueError, "chances"),
    "binary_effort: negative cost": (make("binary_effort", cost=-1), ValueError, "cost"),
    "two_action_contract: no trials": (make("two_action_contract", trials=0), ValueError, "trials"),
    "two_action_contract: too many trials": (make("two_action_contract", trials=5000), ValueError, "trials"),
    "with_margin: not a game": (lambda: sw.families.with_margin("game", 0.1), ValueError, "game"),
    # other ways to say a game
    "from_signals: sums to less": (
        lambda: sw.Game.from_signals([[[0.5, 0.1]]], costs=[0], utility=[[1, 0]], bound=1), ValueError, "joint"),
    "from_signals: a table": (
        lambda: sw.Game.from_signals([[0.5, 0.5]], costs=[0], utility=[[1, 0]], bound=1), ValueError, "joint"),
    "from_contract: rewards too few": (
        lambda: sw.Game.from_contract([[0.5, 0.5]], rewards=[1], costs=[0], bound=1), ValueError, "rewards"),
    "from_contract: ragged rewards": (
        lambda: sw.Game.from_contract([[0.5, 0.5]], rewards=[[1], [2, 3]], costs=[0], bound=1), ValueError, "rewards"),
    "Setting: not terms": (lambda: sw.Setting("terms", [[1, 0]]), ValueError, "terms"),
    # rules
    "Rule: shapes differ": (lambda: sw.Rule([[1, 0]], [[0.5, 0.5], [1, 0]]), ValueError, "payments"),
    "Rule: an infinite payment": (lambda: sw.Rule([[math.inf, 0]], [[0.5, 0.5]]), ValueError, "payments"),
    "pay: report out of range": (lambda: RULE.pay(5, 0), ValueError, "report"),
    "pay: report is a label": (lambda: RULE.pay("up", 0), ValueError, "report"),
    "pay: report does not sum to one": (lambda: RULE.pay([0.5, 0.6], 0), ValueError, "report"),
    "pay: report over other states": (lambda: RULE.pay([0.2, 0.3, 0.5], 0), ValueError, "report"),
    "pay: report is a table": (lambda: RULE.pay([[0.5, 0.5]], 0), ValueError, "report"),
    "pay: report is ragged": (lambda: RULE.pay([[0.5], [0.5, 0.5]], 0), ValueError, "report"),
    "pay: report is NaN": (lambda: RULE.pay([math.nan, 0.5], 0), ValueError, "report"),
    "pay: state out of range": (lambda: RULE.pay(0, 2), ValueError, "state"),
    "pay: state is a label": (lambda: RULE.pay(0, "up"), ValueError, "state"),
    "pay: state is a boolean": (lambda: RULE.pay(0, True), ValueError, "state"),
    "mix: weight above one": (lambda: RULE.mix(RULE, 1.5), ValueError, "weight"),
    "mix: weight is NaN": (lambda: RULE.mix(RULE, math.nan), ValueError, "weight"),
    "mix: other beliefs": (lambda: RULE.mix(OTHER, 0.5), ValueError, "rule"),
    "mix: not a rule": (lambda: RULE.mix("rule", 0.5), ValueError, "rule"),
    "scaled: negative": (lambda: RULE.scaled(-1), ValueError, "factor"),
    "scaled: overflows": (lambda: RULE.scaled(1e308).scaled(1e10), ValueError, "factor"),
    "rounded: unit of zero": (lambda: RULE.rounded(0), ValueError, "unit"),
    "rounded: unit too small for floats": (lambda: RULE.rounded(1e-320), ValueError, "unit"),
    "rounded: unit too small, with fines": (lambda: FINES.rounded(1e-20), ValueError, "unit"),
    "rounding: not a rule": (lambda: sw.rules.rounding("rule"), ValueError, "rule"),
    "over: other states": (lambda: RULE.over([[0.2, 0.3, 0.5]]), ValueError, "beliefs"),
    "within: bound is NaN": (lambda: RULE.within(math.nan), ValueError, "bound"),
    "excess: bound is a string": (lambda: RULE.excess("1"), ValueError, "bound"),
    "respond: a rule over other beliefs": (lambda: THREE.respond(OTHER), ValueError, "rule"),
    "profit: not a rule": (lambda: THREE.profit([[1, 0]]), ValueError, "rule"),
    "quadratic: negative bound": (lambda: sw.rules.quadratic([[1, 0]], -1), ValueError, "bound"),
    "logarithmic: floor of zero": (lambda: sw.rules.logarithmic([[1, 0]], 1, floor=0), ValueError, "floor"),
    "v_shaped: prior over other states": (lambda: sw.rules.v_shaped([[1, 0]], [1], 1), ValueError, "prior"),
    "linear: utility over other states": (lambda: sw.rules.linear([[1, 0]], [[1]], 1), ValueError, "utility"),
    "linear: overflows": (lambda: sw.rules.linear([[1, 0]], [[1e308, -1e308]], 1), ValueError, "utility"),
    "reveal: not a best response": (lambda: sw.rules.reveal(RULE, [1, 2, 1, 2, 1]), ValueError, "policy"),
    "reveal: a report too few": (lambda: sw.rules.reveal(RULE, [0, 1]), ValueError, "policy"),
    "reveal: an unknown report": (lambda: sw.rules.reveal(RULE, [9] * 5), ValueError, "report"),
    "reveal: policy is a number": (lambda: sw.rules.reveal(RULE, 5), ValueError, "policy"),
    "reveal: beliefs over other states": (
        lambda: sw.rules.reveal(RULE, beliefs=[[0.2, 0.3, 0.5]]), ValueError, "beliefs"),
    "reveal: not a rule": (lambda: sw.rules.reveal("rule"), ValueError, "rule"),
    # sampling
    "sample: strength out of reach": (sample(strength=100), ValueError, "strength"),
    "sample: negative strength": (sample(strength=-1), ValueError, "strength"),
    "sample: bound of zero": (sample(bound=0), ValueError, "bound"),
    "sample: least above the bound": (sample(least=2), ValueError, "bound"),
    "sample: no steps": (lambda: sw.rules.Sampler(THREE.beliefs, 1, steps=0), ValueError, "steps"),
    "rng: a string": (sample(rng="dice"), ValueError, "rng"),
    "rng: negative": (sample(rng=-1), ValueError, "rng"),
    "rng: a float": (make("random", rng=1.5), ValueError, "rng"),
    "rng: an object": (make("random_contract", rng=object()), ValueError, "rng"),
    # the known game
    "solve: not a game": (lambda: sw.solve(None), ValueError, "game"),
    "solve: negative margin": (lambda: sw.solve(THREE, margin=-0.1), ValueError, "margin"),
    "solve: margin is NaN": (lambda: sw.solve(THREE, margin=math.nan), ValueError, "margin"),
    "solve: margin out of reach": (lambda: sw.solve(THREE, margin=1), ValueError, "margin"),
    "solve: negative strength": (lambda: sw.solve(THREE, strength=-1), ValueError, "strength"),
    "solve: strength out of reach": (lambda: sw.solve(THREE, strength=100), ValueError, "strength"),
    "margin: unknown effort": (lambda: sw.margin(THREE, "sleep"), LookupError, "effort"),
    "margin: not a game": (lambda: sw.margin("game", 0), ValueError, "game"),
    "least_bound: effort out of range": (lambda: sw.least_bound(THREE, 3), ValueError, "effort"),
    "least_bound: not a game": (lambda: sw.least_bound(None, 0), ValueError, "game"),
    "payable: unit is NaN": (lambda: sw.optimum.payable(THREE, math.nan), ValueError, "unit"),
    "payable: unit too large for floats": (lambda: sw.optimum.payable(THREE, 1e308), ValueError, "unit"),
    "best_scale: not a rule": (lambda: sw.optimum.best_scale(THREE, "rule"), ValueError, "rule"),
    "best_scale: pays less than nothing": (
        lambda: sw.optimum.best_scale(THREE, sw.Rule(-RULE.payments, RULE.beliefs)), ValueError, "rule"),
    "classics: not a game": (lambda: sw.optimum.classics("game"), ValueError, "game"),
    "best_contract: not a game": (lambda: sw.optimum.best_contract(None), ValueError, "game"),
    "contract_of: no point masses": (lambda: sw.optimum.contract_of(RULE), ValueError, "rule"),
    "contract_of: not a rule": (lambda: sw.optimum.contract_of(None), ValueError, "rule"),
    "rule_of: a table": (lambda: sw.optimum.rule_of([[1]]), ValueError, "contract"),
    # pictures and files
    "plot.rule: not a rule": (lambda: sw.plot.rule("rule"), ValueError, "rule"),
    "plot.rule: a label too few": (lambda: sw.plot.rule(RULE, states=["up"]), ValueError, "states"),
    "plot.rule: weights too few": (lambda: sw.plot.rule(RULE, weights=np.ones(2)), ValueError, "weights"),
    "plot.regions: not a game": (lambda: sw.plot.regions("game"), ValueError, "game"),
    "plot.regions: a rule over other beliefs": (lambda: sw.plot.regions(THREE, OTHER, RULE), ValueError, "rule"),
    "plot.comparison: other keys": (lambda: sw.plot.comparison({"a": 1}, {"b": 1}), ValueError, "payments"),
    "plot.save: unknown format": (lambda: sw.plot.save(sw.plot.rule(RULE), "rule.gif"), ValueError, "rule.gif"),
    "load: not a path": (lambda: sw.load(5), ValueError, "path"),
    "load: a name with a NUL": (lambda: sw.load("a\0b"), OSError, "read"),
    "save: a name with a NUL": (lambda: THREE.save("a\0b"), OSError, "write"),
    "save: no such folder": (lambda: THREE.save("/no/such/folder/game.json"), OSError, "game.json"),
    "from_dict: not an object": (lambda: sw.Game.from_dict(None), ValueError, "object"),
    "from_dict: a rule": (lambda: sw.Game.from_dict(RULE.to_dict()), ValueError, "schema"),
    "from_dict: huge version": (lambda: sw.Game.from_dict(DOCUMENT | {"version": 10**5000}), ValueError, "version"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    """Bad input must not hang: a test that takes five seconds has failed."""

    def give_up(*_: object) -> None:
        pytest.fail("still busy after five seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(5)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def check_message(problem: BaseException, word: str) -> None:
    """One line, not too long, that holds the word."""
    message = str(problem)
    assert "\n" not in message
    assert 10 < len(message) < 400
    assert re.search(rf"\b{re.escape(word)}\b", message, re.IGNORECASE), message


def check_refused(code: int, captured: pytest.CaptureResult[str]) -> None:
    """Exit code 2, nothing on standard output, one line on standard error."""
    assert code == 2
    assert captured.out == ""
    assert captured.err.startswith("scorewright: ")
    assert captured.err.count("\n") == 1
    assert captured.err.endswith("\n")
    assert "Traceback" not in captured.err


# -- in Python ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", BAD_GAMES)
def test_bad_game(kind: str) -> None:
    """A bad game is a ValueError of ours that names the argument."""
    changed, word = BAD_GAMES[kind]
    with pytest.raises(ScorewrightError) as caught:
        sw.Game(**(GAME | changed))
    assert isinstance(caught.value, ValueError)
    check_message(caught.value, word)


@pytest.mark.parametrize("kind", BAD_CALLS)
def test_bad_call(kind: str) -> None:
    """Any other bad call is an error of ours, and the fitting built-in, that names the argument."""
    call, builtin, word = BAD_CALLS[kind]
    with pytest.raises(ScorewrightError) as caught:
        call()
    assert isinstance(caught.value, builtin)
    check_message(caught.value, word)


@pytest.mark.parametrize(
    ("changed", "profit"),
    [
        ({"bound": 1e8}, 0.525),
        ({"bound": 1e13}, 0.525),
        ({"bound": 1e300}, 0.525),
        ({"bound": 5e-324}, 0.5),
        ({"costs": [0, 1e300, 1.7e308]}, 0.5),
        ({"costs": [0, 1e308, 1.7e308], "bound": 0.1}, 0.5),
        ({"penalty": 1.7e308, "beliefs": [[0.5, 0.5], [1, 0], [0, 1], [1, 0], [0, 1]]}, 0.95),
    ],
    ids=str,
)
def test_numbers_out_of_proportion(changed: dict[str, Any], profit: float) -> None:
    """Finite numbers that floats can't compute with are refused or solved right, without a warning."""
    with contextlib.suppress(ScorewrightError):
        assert sw.solve(sw.Game(**(GAME | changed))).profit == pytest.approx(profit, abs=1e-6)


def test_payments_too_large_to_add() -> None:
    """A rule whose payments overflow when they are compared is refused or answered, without a warning."""
    with contextlib.suppress(ScorewrightError):
        assert not sw.Rule([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]], [[0.5, 0.5], [0.9, 0.1]]).is_proper()


# -- at the terminal ---------------------------------------------------------------------------------------------------


def without(key: str) -> str:
    """The good document less one entry."""
    return json.dumps({name: value for name, value in DOCUMENT.items() if name != key})


def with_(**changed: Any) -> str:
    """The good document with other entries."""
    return json.dumps(DOCUMENT | changed)


def sparse(path: Path) -> None:
    """Make a file that claims to be a gigabyte."""
    path.touch()
    os.truncate(path, 2**30)


def unreadable(path: Path) -> None:
    """Make a file that only root can read."""
    path.write_text(TEXT)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("root reads everything")


BAD_FILES: dict[str, str | bytes | Callable[[Path], object]] = {
    "missing": lambda path: path,
    "folder": lambda path: path.mkdir(),
    "link to itself": lambda path: path.symlink_to(path),
    "link to nothing": lambda path: path.symlink_to(path.with_name("nothing")),
    "pipe": os.mkfifo,
    "unreadable": unreadable,
    "a gigabyte": sparse,
    "empty": "",
    "blank": " \n\t\n",
    "binary": bytes(range(256)),
    "zeros": bytes(1000),
    "latin-1": b'{"schema": "\xe9"}',
    "utf-16": TEXT.encode("utf-16"),
    "truncated": TEXT[: len(TEXT) // 2],
    "two documents": TEXT + TEXT,
    "trailing comma": TEXT[:-1] + ",}",
    "yaml": "schema: scorewright/game\nversion: 1\n",
    "a list": "[]",
    "a number": "1",
    "null": "null",
    "a string": '"game"',
    "true": "true",
    "an empty object": "{}",
    "no schema": without("schema"),
    "schema null": with_(schema=None),
    "schema of another kind": with_(schema="scorewright/sonnet"),
    "schema of another program": with_(schema="https://example.org/game.json"),
    "schema is a list": with_(schema=["scorewright/game"] * 1000),
    "no version": without("version"),
    "version 0": with_(version=0),
    "version in quotes": with_(version="1"),
    "version true": with_(version=True),
    "version 1.0": with_(version=1.0),
    "version of the future": with_(version=99),
    "version of the far future": with_(version=10**4000),
    "extra entry": with_(colour="red"),
    "extra entry with a very long name": with_(**{"x" * 5000: 1}),
    **{f"no {key}": without(key) for key in ("beliefs", "information", "costs", "utility", "bound")},
    "costs is a string": with_(costs="free"),
    "costs is null": with_(costs=None),
    "costs holds a boolean": with_(costs=[0, True, 1]),
    "costs holds a string": with_(costs=[0, "0.05", 1]),
    "beliefs is an object": with_(beliefs={"up": 0.5, "down": 0.5}),
    "beliefs nested too far": with_(beliefs=[[[0.5], [0.5]]] * 5),
    "bound is a list": with_(bound=[1]),
    "label is a number": with_(efforts=[1, 2, 3]),
    "label twice": with_(states=["up", "up"]),
    "label that is no text": with_(states=["up", "\ud800"]),
    "NaN": TEXT.replace("0.05", "NaN"),
    "Infinity": TEXT.replace("0.05", "Infinity"),
    "minus Infinity": TEXT.replace('"penalty": 0.0', '"penalty": -Infinity'),
    "1e999": TEXT.replace("0.05", "1e999"),
    "bound of 1e999": TEXT.replace('"bound": 1.0', '"bound": 1e999'),
    "5000 digits": TEXT.replace("0.05", "1" * 5000),
    "4000 digits": TEXT.replace("0.05", "1" * 4000),
    "a key twice": TEXT[:-1] + ', "bound": 2}',
    "100000 lists deep": "[" * 100_000,
    "100000 lists deep, closed": "[" * 100_000 + "]" * 100_000,
    "100000 objects deep": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "beliefs do not sum to one": with_(beliefs=[[0.5, 0.4]] * 5),
    "beliefs ragged": with_(beliefs=[[0.5, 0.5], [1.0], [0.3, 0.7], [0.85, 0.15], [0.15, 0.85]]),
    "information of another size": with_(information=[[1, 0]] * 3),
}


def write(path: Path, content: str | bytes | Callable[[Path], object]) -> None:
    """Put a bad file at `path`."""
    if isinstance(content, str):
        path.write_text(content, "utf-8")
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        content(path)


@pytest.mark.parametrize("kind", BAD_FILES)
def test_bad_file(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bad file: exit code 2 and one line that names it; in Python, an error of ours that names it."""
    path = tmp_path / "some-game.json"
    write(path, BAD_FILES[kind])
    check_refused(run(["solve", str(path)]), captured := capsys.readouterr())
    assert "some-game.json" in captured.err
    assert len(captured.err) < 500 + len(str(path))
    with pytest.raises(ScorewrightError, match=r"some-game\.json") as caught:
        sw.load(path)
    assert isinstance(caught.value, ValueError | OSError)


def in_json(changed: dict[str, Any]) -> str | None:
    """The changed document, or None where JSON has no way to say it."""
    try:
        return json.dumps(DOCUMENT | changed)
    except (TypeError, ValueError):
        return None


@pytest.mark.parametrize("kind", [kind for kind, (changed, _) in BAD_GAMES.items() if in_json(changed)])
def test_bad_game_in_a_file(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What can't be said in Python can't be said in a file."""
    path = tmp_path / "game.json"
    path.write_text(in_json(BAD_GAMES[kind][0]) or "", "utf-8")
    check_refused(run(["solve", str(path), "--json"]), capsys.readouterr())


@pytest.mark.parametrize(
    ("document", "kind"), [(RULE.to_dict(), "rule"), (THREE.setting.to_dict(), "setting")], ids=["rule", "setting"]
)
def test_good_file_of_the_wrong_kind(
    document: dict[str, Any], kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rule or a setting where a game is wanted is refused by what it is."""
    path = tmp_path / "file.json"
    path.write_text(json.dumps(document), "utf-8")
    check_refused(run(["solve", str(path)]), captured := capsys.readouterr())
    assert f"is a {kind}, not a game" in captured.err
    assert type(sw.load(path)).__name__.lower() == kind


BAD_OPTIONS: dict[str, str] = {  # what is added to a good command, the word to name
    "--margin -1": "margin",
    "--margin nan": "margin",
    "--margin much": "margin",
    "--margin 5": "margin",
    "--margin": "margin",
    "--strength inf": "strength",
    "--strength 100": "strength",
    "--unit 0": "unit",
    "--unit -0.01": "unit",
    "--unit nan": "unit",
    "--unit cent": "unit",
    "--unit 1e-320": "unit",
    "--unit 1e308": "unit",
    "--colour": "colour",
    "another.json": "another.json",
}


@pytest.mark.parametrize("options", BAD_OPTIONS)
def test_bad_option(options: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bad option: exit code 2 and one line that names it."""
    path = tmp_path / "game.json"
    THREE.save(path)
    check_refused(run(["solve", str(path), *options.split()]), captured := capsys.readouterr())
    assert BAD_OPTIONS[options] in captured.err


@pytest.mark.parametrize(
    "name",
    ["no\nsuch\nfile.json", "no\x1b[31msuch.json", "x" * 5000, "nul\0.json", ""],
    ids=["lines", "escape", "long", "nul", "empty"],
)
def test_awkward_file_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a file is called, the complaint is one line of plain text."""
    check_refused(run(["solve", name]), captured := capsys.readouterr())
    assert "\x1b" not in captured.err


@pytest.mark.parametrize(
    "content", ["{", TEXT.replace("down", "\\ud800"), None], ids=["broken", "surrogate", "missing"]
)
def test_bad_file_in_a_process_of_its_own(content: str | None, tmp_path: Path) -> None:
    """The same through the real command."""
    path = tmp_path / "game.json"
    if content is not None:
        path.write_text(content, "utf-8")
    command = Path(sys.executable).with_name("scorewright")
    done = subprocess.run([command, "solve", path], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("scorewright: ")
    assert done.stderr.count("\n") == 1
