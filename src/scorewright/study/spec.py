"""Study: games, learners, agents, horizons, repeats and one seed, from a file or as an object."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Self

from scorewright.document import Path_
from scorewright.errors import DocumentError, FileError, InvalidInputError, ScorewrightError
from scorewright.study.cell import Cell
from scorewright.study.entries import AgentEntry, GameEntry, LearnerEntry, said
from scorewright.study.task import Task
from scorewright.validation import labels, member, whole

WORDS = ("name", "about", "version", "seed", "repeats", "rounds", "baseline", "games", "learners", "agents")
"""What a study file can say."""


@dataclass(frozen=True, init=False)
class Study:
    """Many runs: every learner on every game against every agent, for every horizon, `repeats` times.

    Parameters
    ----------
    games : sequence of Game, family names, or tables of words
        A table has `family` and its controls, or `file` or `game`; with `label`, `tags`, `about`; with `seed` a random
        family draws one game for all repeats instead of one for each.
    learners : sequence of names, Python paths, or tables with `name` and options
    agents : sequence of names or tables with `name` and options
    rounds : int or sequence of int
    repeats : int
    seed : int
    baseline : str, optional
        Label of the learner that others are compared with; the first by default.
    name, about, version : str
    folder : path
        Where `file` entries and Python paths are looked for.

    Examples
    --------
    >>> study = Study(games=["three_efforts"], learners=["osrl-ucb", "oracle-bandit"], rounds=[100, 1000], repeats=3)
    >>> len(study.tasks())
    12
    """

    name: str
    about: str
    version: str
    seed: int
    repeats: int
    rounds: tuple[int, ...]
    baseline: str
    games: tuple[GameEntry, ...]
    learners: tuple[LearnerEntry, ...]
    agents: tuple[AgentEntry, ...]
    folder: str

    def __init__(
        self,
        games: Sequence[Any],
        learners: Sequence[Any],
        *,
        agents: Sequence[Any] = ("rational",),
        rounds: int | Sequence[int] = 10_000,
        repeats: int = 10,
        seed: int = 0,
        baseline: str | None = None,
        name: str = "study",
        about: str = "",
        version: str = "",
        folder: Path_ = ".",
    ) -> None:
        where = Path(folder).resolve()
        horizons = [rounds] if isinstance(rounds, int) else _sequence(rounds, "rounds")
        made: dict[str, Any] = {
            "name": str(name),
            "about": str(about),
            "version": str(version),
            "seed": whole(seed, "seed"),
            "repeats": whole(repeats, "repeats", least=1),
            "rounds": tuple(sorted({whole(number, "rounds", least=1) for number in horizons})),
            "games": _read(games, "games", lambda entry: GameEntry.read(entry, where)),
            "learners": _read(learners, "learners", lambda entry: LearnerEntry.read(entry, where)),
            "agents": _read(agents, "agents", AgentEntry.read),
            "folder": str(where),
        }
        known = [learner.label for learner in made["learners"]]
        made["baseline"] = known[0] if baseline is None else member(baseline, "baseline", known)
        if not made["rounds"]:
            raise InvalidInputError("rounds is empty: give at least one number of rounds")
        for field, value in made.items():
            object.__setattr__(self, field, value)

    @classmethod
    def load(cls, path: Path_) -> Self:
        """Read a study from a TOML file."""
        try:
            words = tomllib.loads(Path(path).read_text("utf-8-sig"))
        except UnicodeDecodeError:
            raise DocumentError(f"{path} is not a text file (UTF-8)") from None
        except OSError as problem:
            raise FileError(f"can't read {path}: {(problem.strerror or str(problem)).lower()}") from None
        except tomllib.TOMLDecodeError as problem:
            raise DocumentError(f"{path} is not TOML: {problem}") from None
        try:
            for word in words:
                member(word, "word", WORDS)
            for needed in ("games", "learners"):
                if needed not in words:
                    raise InvalidInputError(f"there are no {needed}: add [[{needed}]] tables")
            return cls(**({"name": Path(path).stem} | words), folder=Path(path).resolve().parent)
        except ScorewrightError as problem:
            raise type(problem)(f"{path}: {problem}") from None

    def spec(self) -> dict[str, Any]:
        """Return what tells this study from any other."""
        plain = {"name": self.name, "about": self.about, "version": self.version, "baseline": self.baseline}
        sizes = {"seed": self.seed, "repeats": self.repeats, "rounds": list(self.rounds)}
        lists: dict[str, Sequence[Any]] = {"games": self.games, "learners": self.learners, "agents": self.agents}
        return plain | sizes | {name: [said(entry) for entry in entries] for name, entries in lists.items()}

    def tasks(self) -> tuple[Task, ...]:
        """Return the cells, repeat by repeat, so that what is done at any time is balanced."""
        return tuple(
            Cell(self.seed, game, learner, agent, rounds, repeat, self.folder)
            for repeat, rounds, agent, game, learner in product(
                range(self.repeats), self.rounds, self.agents, self.games, self.learners
            )
        )

    def part(
        self,
        *,
        games: Iterable[str] | None = None,
        learners: Iterable[str] | None = None,
        repeats: int | None = None,
        rounds: Iterable[int] | None = None,
    ) -> Study:
        """Return part of this study (labels of games and learners); its cells are the same, seeds included."""
        changes: dict[str, Any] = {}
        for field, chosen in (("games", games), ("learners", learners)):
            if chosen is not None:
                entries = {entry.label: entry for entry in getattr(self, field)}
                changes[field] = tuple(entries[member(label, field, tuple(entries))] for label in dict.fromkeys(chosen))
        if repeats is not None:
            changes["repeats"] = whole(repeats, "repeats", least=1)
        if rounds is not None:
            changes["rounds"] = tuple(sorted({whole(number, "rounds", least=1) for number in rounds}))
        return _rebuilt(self, changes)

    def with_learners(self, learners: Sequence[Any], folder: Path_ = ".") -> Study:
        """Return this study with more learners, names or Python paths, looked for in `folder`."""
        where = Path(folder).resolve()
        more = _read(learners, "learners", lambda entry: LearnerEntry.read(entry, where))
        _apart([*self.learners, *more], "learners")
        return _rebuilt(self, {"learners": (*self.learners, *more), "folder": str(where)})


def _rebuilt(study: Study, changes: Mapping[str, Any]) -> Study:
    made = object.__new__(Study)
    for field in Study.__dataclass_fields__:
        object.__setattr__(made, field, changes.get(field, getattr(study, field)))
    known = [learner.label for learner in made.learners]
    object.__setattr__(made, "baseline", study.baseline if study.baseline in known else known[0])
    return made


def _sequence(value: Any, name: str) -> list[Any]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidInputError(f"{name} must be a list, not a value of type {type(value).__name__}")
    return list(value)


def _read(entries: Any, name: str, read: Any) -> tuple[Any, ...]:
    made = []
    for number, entry in enumerate(_sequence(entries, name)):
        try:
            made.append(read(entry))
        except ScorewrightError as problem:
            raise type(problem)(f"{name}[{number}]: {problem}") from None
    if not made:
        raise InvalidInputError(f"{name} is empty: a study needs at least one")
    _apart(made, name)
    return tuple(made)


def _apart(entries: Sequence[Any], name: str) -> None:
    try:
        labels([entry.label for entry in entries], name, None, name)
    except InvalidInputError as problem:
        raise InvalidInputError(f"{problem}: give them a label of their own") from None
