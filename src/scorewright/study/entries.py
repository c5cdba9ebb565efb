"""What a study is made of: games, learners and agents, each a few words of a file, and what those words stand for."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np

from scorewright import agents, families, forecasts, learn, oracles
from scorewright.agents import Agent
from scorewright.errors import CannotInduceError, DocumentError, ForecastWarning, InvalidInputError
from scorewright.game import Game, load
from scorewright.learn import Learner
from scorewright.optimum import classics
from scorewright.study.task import digest
from scorewright.validation import labels, member, whole


@dataclass(frozen=True)
class GameEntry:
    """A game, or a family that draws one per repeat (or one for all repeats, where the entry has a `seed`).

    Attributes
    ----------
    label : str
    family : str or None
    controls : dict
        Of the family.
    seed : int or None
    fixed : dict or None
        The game itself, as a document, where there is no family.
    tags : tuple of str
        To pick games by in the report.
    about : str
        A sentence on the game, and its source.
    """

    label: str
    family: str | None = None
    controls: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    fixed: Mapping[str, Any] | None = None
    tags: tuple[str, ...] = ()
    about: str = ""

    @classmethod
    def read(cls, said: Any, folder: Path) -> Self:
        """Read an entry: a Game, the name of a family, or words with `family`, `file` or a forecast `table` in them."""
        if isinstance(said, Game):
            said = {"game": said}
        words = _words(said, "family", "a game")
        sources = [word for word in ("family", "file", "game", "table") if word in words]
        if len(sources) != 1:
            raise InvalidInputError(
                f"a game needs one of family, file and game, or a forecast table; this entry has {sources or 'none'}"
            )
        source = words.pop(sources[0])
        label, tags, about = words.pop("label", None), words.pop("tags", ()), words.pop("about", "")
        shared: dict[str, Any] = {"tags": labels(tags, "tags", None, "tags") if tags else (), "about": str(about)}
        if sources[0] == "family":
            seed = None if (seed := words.pop("seed", None)) is None else whole(seed, "seed")
            with suppress(CannotInduceError):  # another draw may do
                families.make(member(source, "family", families.names()), rng=0, **words)
            return cls(_label(label, source, words), source, words, seed, **shared)
        if sources[0] == "table":
            label, source, words = label or Path(str(source)).stem, _from_table(source, words, folder), {}
        if words:
            raise InvalidInputError(f"a game from a file takes no {next(iter(words))!r}")
        if sources[0] == "file":
            path = folder / str(source)
            label, source = label or path.stem, load(path)
        if not isinstance(source, Game):
            raise DocumentError(f"the game {label or ''!r} is a {type(source).__name__.lower()}, not a game")
        return cls(_label(label, "game", {}), fixed=source.to_dict(), **shared)

    def identity(self) -> dict[str, Any]:
        """Return what determines the game."""
        return {"family": self.family, "controls": self.controls, "seed": self.seed, "game": self.fixed}

    def make(self, seeds: np.random.SeedSequence) -> Game:
        """Return the game of one repeat."""
        if self.family is None:
            return Game.from_dict(dict(self.fixed or {}))
        return families.make(self.family, rng=seeds if self.seed is None else self.seed, **self.controls)


@dataclass(frozen=True)
class LearnerEntry:
    """A learner by name, or by Python path, with its options.

    Options are the constructor's, as a file can say them: `oracle` is "best-margin" (where a learner needs one),
    "none", "random-sampling", "linear-search", or a table with `procedure` and its options; `radius` is a number or a
    table, `mixing` and `stop` are tables; `rule` names a classic rule at its best scale; ``horizon = true`` tells the
    number of rounds. The game itself is given to learners that ask for it.
    """

    label: str
    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, said: Any, folder: Path) -> Self:
        """Read an entry: a name, or a table with `name` in it."""
        words = _words(said, "name", "a learner")
        name, label = str(words.pop("name", "")), words.pop("label", None)
        look_in(folder)
        takes = learn.needs(name)
        for option in words:
            if option not in takes:
                raise InvalidInputError(f"learner {name!r} has no option {option!r}; it takes {', '.join(takes)}")
        return cls(_label(label, name, words), name, words)

    def identity(self) -> dict[str, Any]:
        """Return what determines the learner."""
        return {"name": self.name, "options": self.options}

    def make(self, game: Game, rounds: int, rng: Any) -> Learner:
        """Return a fresh learner for a simulated game."""
        takes = learn.needs(self.name)
        options = {word: _READERS.get(word, _as_said)(said, game, rounds) for word, said in self.options.items()}
        if "oracle" in takes and "oracle" not in options:
            options["oracle"] = oracles.best_margin(game)
        if "game" in takes:
            options["game"] = game
        if "rule" in takes and "rule" not in options:
            options["rule"] = _rule("quadratic", game, rounds)
        if "rng" in takes:
            options["rng"] = rng
        return learn.make(self.name, game.setting, **options)


@dataclass(frozen=True)
class AgentEntry:
    """An agent by name, with its options."""

    label: str
    name: str = "rational"
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, said: Any) -> Self:
        """Read an entry: a name, or a table with `name` in it."""
        words = _words(said, "name", "an agent")
        name, label = str(words.pop("name", "")), words.pop("label", None)
        agents.make(name, **words)
        return cls(_label(label, name, words), name, words)

    def identity(self) -> dict[str, Any]:
        """Return what determines the agent."""
        return {"name": self.name, "options": self.options}

    def make(self) -> Agent:
        """Return the agent."""
        return agents.make(self.name, **self.options)


def _from_table(table: Any, words: Mapping[str, Any], folder: Path) -> Game:
    """The game of a forecast table, by name or path; `words` are what `forecasts.game` takes, costs as a file too."""
    options = dict(words)
    if isinstance(options.get("utility"), str):
        options["utility"] = forecasts.spoken(options["utility"])
    if isinstance(options.get("costs"), str):
        options["costs"] = folder / options["costs"]
    takes = inspect.signature(forecasts.game).parameters
    for word in options:
        if word not in takes:
            raise InvalidInputError(f"a game from a table has no option {word!r}; it takes {', '.join(takes)}")
    missing = [word for word in ("costs", "utility") if word not in options]
    if missing:
        raise InvalidInputError(f"a game from a table needs {missing[0]}")
    source = str(table) if table in forecasts.EXAMPLES else folder / str(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ForecastWarning)  # `forecasts.assess` is where they are read
        return forecasts.game(source, **options)


def said(entry: GameEntry | LearnerEntry | AgentEntry) -> dict[str, Any]:
    """Return an entry as JSON-able words."""
    return {name: value for name, value in asdict(entry).items() if value not in (None, "", (), {})}


def look_in(folder: Path | str) -> None:
    """Let Python paths name modules in a folder: the study's, or the one that it was started in."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _words(said: Any, name: str, what: str) -> dict[str, Any]:
    if isinstance(said, str):
        return {name: said}
    if not isinstance(said, Mapping):
        raise InvalidInputError(f"{what} must be a name or a table of words, not a {type(said).__name__}")
    try:
        digest({word: value for word, value in said.items() if not isinstance(value, Game)})
    except (TypeError, ValueError):
        raise InvalidInputError(f"{what} must be told in words, numbers, lists and tables: {said!r:.100}") from None
    return dict(said)


def _label(label: Any, name: str, options: Mapping[str, Any]) -> str:
    words = [f"{option} {_short(value)}" for option, value in options.items()]
    made = str(label) if label is not None else f"{name} ({', '.join(words)})" if words else name
    labels([made], "label", 1, "label")
    return made


def _short(value: Any) -> str:
    return "+".join(f"{_short(part)}" for part in value.values()) if isinstance(value, Mapping) else str(value)


def _as_said(said: Any, game: Game, rounds: int) -> Any:
    del game, rounds
    return said


def _oracle(said: Any, game: Game, rounds: int) -> Any:
    del rounds
    words = _words(said, "procedure", "an oracle")
    procedure = words.pop("procedure", "")
    sources: dict[str, Callable[..., Any]] = {
        "best-margin": partial(oracles.best_margin, game),
        "none": lambda: None,
        "random-sampling": oracles.RandomSampling,
        "linear-search": oracles.LinearSearch,
    }
    try:
        return sources[member(procedure, "oracle", tuple(sources))](**words)
    except TypeError as problem:
        raise InvalidInputError(f"oracle {procedure!r}: {problem}") from None


def _strategy(kind: Any, said: Any, game: Game, rounds: int) -> Any:
    del game, rounds
    try:
        return kind(**said) if isinstance(said, Mapping) else kind(said)
    except TypeError as problem:
        raise InvalidInputError(f"{kind.__name__.lower()}: {problem}") from None


def _rule(said: Any, game: Game, rounds: int) -> Any:
    del rounds
    found = classics(game)
    return found[member(said, "rule", tuple(found))].rule


def _horizon(said: Any, game: Game, rounds: int) -> int | None:
    del game
    return rounds if said is True else None if said is False else whole(said, "horizon", least=1)


_READERS: dict[str, Any] = {
    "oracle": _oracle,
    "radius": partial(_strategy, learn.Radius),
    "mixing": partial(_strategy, learn.Mixing),
    "stop": partial(_strategy, learn.Stop),
    "rule": _rule,
    "horizon": _horizon,
}

__all__ = ["AgentEntry", "GameEntry", "LearnerEntry", "look_in", "said"]
