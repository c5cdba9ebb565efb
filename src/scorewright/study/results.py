"""Results: what a study found, one Parquet file per finished task, and a JSON file per failure.

    DIR/study.json       what was asked for
    DIR/cells/*.parquet  a file per finished task: its curve as rows, and in the file's metadata, under "scorewright",
                         its spec, its facts, what it took and the versions that made it. The folder is one dataset.
    DIR/failures/*.json  a task that raised: its spec, the error and the traceback

Files are written whole or not at all, so that whatever stops a study leaves nothing half done. How long a task took is
kept beside what it found, never among it: tables of the same study are equal wherever they were made.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorewright import document
from scorewright.document import Path_
from scorewright.errors import DocumentError, FileError, MissingExtraError
from scorewright.study.task import Done, Plan, Task, key

if TYPE_CHECKING:
    import pandas as pd

STUDY, CELL, FAILURE = "scorewright/study", "scorewright/cell", "scorewright/failure"
VERSION = 1

_INDEX = ("game", "learner", "agent", "rounds", "repeat")
"""Facts that stand beside every row of a curve."""


class Results:
    """What is in a folder of results.

    Parameters
    ----------
    folder : path
    """

    def __init__(self, folder: Path_) -> None:
        self.folder = Path(folder)
        self.cells_folder, self.failures_folder = self.folder / "cells", self.folder / "failures"

    # -- writing -----------------------------------------------------------------------------------------------------

    def begin(self, plan: Plan) -> None:
        """Make the folder for a plan, or check that it is this plan's."""
        _arrow()
        wanted = json.loads(json.dumps(plan.spec()))
        if (self.folder / "study.json").exists():
            found = self.spec
            changed = sorted(name for name in {**wanted, **found} if wanted.get(name) != found.get(name))
            if changed:
                raise DocumentError(
                    f"{self.folder} holds the results of another study: {', '.join(changed)} changed since. Go on with "
                    f"the study as it was, or name another folder"
                )
        try:
            self.cells_folder.mkdir(parents=True, exist_ok=True)
            self.failures_folder.mkdir(exist_ok=True)
            for draft in (*self.cells_folder.glob(".*"), *self.failures_folder.glob(".*")):
                draft.unlink()  # of a study that was killed
        except OSError as problem:
            raise FileError(f"can't make {self.folder}: {(problem.strerror or str(problem)).lower()}") from None
        if not (self.folder / "study.json").exists():
            document.write(self.folder / "study.json", {"schema": STUDY, "version": VERSION, "study": wanted})

    def keep(self, task: Task, done: Done) -> None:
        """Write what came of a task."""
        content = {"version": VERSION, "spec": task.spec(), "seconds": done.seconds, "versions": dict(done.versions)}
        name = key(task)
        if done.outcome is None:
            failure = {"schema": FAILURE, **content, "label": task.label, "error": done.error, "traceback": done.trace}
            document.write(self.failures_folder / f"{name}.json", failure)
            return
        pa, parquet = _arrow()
        facts = dict(done.outcome.facts)
        columns = {"cell": pa.array([name] * _length(done.outcome.curve)).dictionary_encode()}
        for fact in _INDEX:
            if fact in facts:
                columns[fact] = pa.array([facts[fact]] * _length(done.outcome.curve))
        columns |= {column: pa.array(values) for column, values in done.outcome.curve.items()}
        head = json.dumps({"schema": CELL, **content, "facts": facts}, allow_nan=False)
        table = pa.table(columns).replace_schema_metadata({"scorewright": head})
        buffer = io.BytesIO()
        parquet.write_table(table, buffer, compression="zstd")
        document.write_whole(self.cells_folder / f"{name}.parquet", buffer.getvalue())
        (self.failures_folder / f"{name}.json").unlink(missing_ok=True)

    # -- reading -----------------------------------------------------------------------------------------------------

    @property
    def spec(self) -> dict[str, Any]:
        """What was asked for."""
        if not self.folder.is_dir():
            raise FileError(f"there is no folder {self.folder}")
        if not (self.folder / "study.json").exists():
            raise DocumentError(f"{self.folder} is not a folder of results: it has no study.json")
        said = document.read(self.folder / "study.json")
        if not isinstance(said, Mapping) or said.get("schema") != STUDY or said.get("version") != VERSION:
            raise DocumentError(f"{self.folder / 'study.json'} is not what this version of scorewright writes")
        asked: dict[str, Any] = said["study"]
        return asked

    def finished(self) -> set[str]:
        """Keys of the tasks that are done; an empty file, as a power failure may leave it, is none."""
        files = (file for file in self.cells_folder.glob("*.parquet") if not file.name.startswith("."))
        return {file.stem for file in files if file.stat().st_size}

    def failed(self) -> set[str]:
        """Keys of the tasks that raised."""
        return {file.stem for file in self.failures_folder.glob("*.json") if not file.name.startswith(".")}

    def heads(self) -> list[dict[str, Any]]:
        """Return spec, facts, seconds and versions of every finished task, by key."""
        parquet = _arrow()[1]
        found = []
        for name in sorted(self.finished()):
            file = self.cells_folder / f"{name}.parquet"
            try:
                head = json.loads(parquet.read_schema(file).metadata[b"scorewright"])
            except (OSError, ValueError, KeyError, TypeError) as problem:
                raise DocumentError(f"{file} is damaged ({problem}): delete it and run the study again") from None
            found.append({"key": name, **head})
        return found

    def cells(self) -> pd.DataFrame:
        """Return a row per finished task: its facts, sorted; equal wherever the study was run."""
        return self._sorted([{"cell": head["key"], **head["facts"]} for head in self.heads()])

    def timing(self) -> pd.DataFrame:
        """Return a row per finished task: what it took."""
        rows = [
            {
                "cell": head["key"],
                **{fact: head["facts"][fact] for fact in _INDEX if fact in head["facts"]},
                "seconds": head["seconds"],
                "scorewright": head["versions"]["scorewright"],
            }
            for head in self.heads()
        ]
        return self._sorted(rows)

    def curves(self) -> pd.DataFrame:
        """Return the rows of all tasks, sorted; equal wherever the study was run."""
        pandas, parquet = _pandas(), _arrow()[1]
        files = [self.cells_folder / f"{name}.parquet" for name in sorted(self.finished())]
        frames = [parquet.read_table(file).to_pandas() for file in files]
        kept = [frame.astype({"cell": str}) for frame in frames if len(frame)]
        rows: pd.DataFrame = pandas.concat(kept, ignore_index=True) if kept else pandas.DataFrame()
        return rows

    def failures(self) -> pd.DataFrame:
        """Return a row per task that raised: its label, error and traceback."""
        rows = []
        for name in sorted(self.failed()):
            said = document.read(self.failures_folder / f"{name}.json")
            rows.append({"cell": name, **{word: said[word] for word in ("label", "error", "traceback")}})
        frame: pd.DataFrame = _pandas().DataFrame(rows, columns=["cell", "label", "error", "traceback"])
        return frame

    def _sorted(self, rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
        frame: pd.DataFrame = _pandas().DataFrame(rows)
        by = [name for name in _INDEX if name in frame]
        return frame.sort_values([*by, "cell"], kind="stable", ignore_index=True) if len(frame) else frame


def read(folder: Path_) -> Results:
    """Return the results in a folder."""
    results = Results(folder)
    _ = results.spec  # raises, in words, where there are none
    return results


def _length(curve: Mapping[str, Any]) -> int:
    return len(next(iter(curve.values()), ()))


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("results need pyarrow and pandas: pip install 'scorewright[frames]'") from None
    return pyarrow, pyarrow.parquet


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise MissingExtraError("frames need pandas: pip install 'scorewright[frames]'") from None
    return pandas
