"""JSON documents: what is kept on disk, with a schema name and a version, checked on the way in.

Each kind of document has a JSON Schema in ``scorewright/schemas`` (published in the docs). Numbers are written so that
they read back as the very same floats. A file is refused before it is read when it is larger than any document can be.
"""

from __future__ import annotations

import functools
import importlib.resources
import json
import os
import stat
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from scorewright.errors import DocumentError, FileError, InvalidInputError

LARGEST_FILE = 256 * 2**20
"""Bytes: a game of 5,000 beliefs takes about 2 MB."""

VERSIONS = {"game": 1, "setting": 1, "rule": 1, "learner": 1, "session": 1}
"""The version that this release writes, per kind. It reads that one and, through upcasts, all before it."""

Path_ = str | os.PathLike[str]


def stamp(kind: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return `content` under its schema name and version; entries that are None are left out."""
    head = {"schema": f"scorewright/{kind}", "version": VERSIONS[kind]}
    return head | {key: value for key, value in content.items() if value is not None}


def check(document: Any, kind: str | None = None) -> tuple[str, dict[str, Any]]:
    """Check a document against its schema; return its kind and its content without the stamp.

    Parameters
    ----------
    document
        The parsed JSON.
    kind
        The kind that it must be, or None for any.
    """
    if not isinstance(document, Mapping):
        raise DocumentError(f"a document must be a JSON object, not {_json_type(document)}")
    name = document.get("schema")
    kinds = [f"scorewright/{known}" for known in ([kind] if kind else VERSIONS)]
    if name not in kinds:
        found = "it has no 'schema' entry" if name is None else f"its 'schema' is {name!r:.60}"
        raise DocumentError(f"this is not a scorewright document: {found}; expected {' or '.join(map(repr, kinds))}")
    kind = str(name).removeprefix("scorewright/")
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DocumentError(f"'version' of this {kind} must be a whole number from 1, not {version!r:.40}")
    if version > VERSIONS[kind]:
        number = version if version < 10**6 else "far too high"
        raise DocumentError(
            f"this {kind} has version {number}, written by a newer scorewright; "
            f"this one reads up to version {VERSIONS[kind]}: upgrade it"
        )
    try:
        _validator(kind)(document)
    except Exception as problem:
        if type(problem).__name__ != "JsonSchemaValueException":
            raise
        text = str(problem).removeprefix("data.")
        raise DocumentError(f"not a {kind}: {text if len(text) < 200 else text[:200] + ' …'}") from None
    return kind, {key: value for key, value in document.items() if key not in ("schema", "version")}


def schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of one kind of document."""
    text = importlib.resources.files("scorewright").joinpath(f"schemas/{kind}.schema.json").read_text("utf-8")
    result: dict[str, Any] = json.loads(text)
    return result


@functools.cache
def _validator(kind: str) -> Callable[[Any], Any]:
    import fastjsonschema  # late: compiling validators is for those who load files

    validate: Callable[[Any], Any] = fastjsonschema.compile(schema(kind))
    return validate


def read(path: Path_) -> Any:
    """Parse one JSON file, or say in a sentence why it can't be."""
    where = _path(path)
    try:
        about = where.stat()
        if stat.S_ISDIR(about.st_mode):
            raise FileError(f"{where} is a folder, not a file")
        if not stat.S_ISREG(about.st_mode):
            raise FileError(f"{where} is not a regular file")
        if about.st_size > LARGEST_FILE:
            raise FileError(
                f"{where} is {about.st_size / 2**20:,.0f} MB; no document is larger than {LARGEST_FILE // 2**20} MB"
            )
        text = where.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise DocumentError(f"{where} is not a text file (UTF-8)") from None
    except FileError:
        raise
    except (OSError, ValueError) as problem:
        raise FileError(f"can't read {where}: {_why(problem)}") from None
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_repeats)
    except json.JSONDecodeError as problem:
        broken = "is empty" if not text.strip() else f"is not JSON: {problem.msg} at line {problem.lineno}"
        raise DocumentError(f"{where} {broken}") from None
    except RecursionError:
        raise DocumentError(f"{where} is nested too deeply") from None
    except DocumentError as problem:
        raise DocumentError(f"{where}: {problem}") from None
    except ValueError:
        raise DocumentError(f"{where} holds a number with too many digits") from None


def write(path: Path_, document: Mapping[str, Any]) -> None:
    """Write `document` to `path` whole or not at all."""
    text = json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False) + "\n"
    try:
        content = text.encode()
    except UnicodeEncodeError as problem:
        raise FileError(f"can't write {path}: {_why(problem)}") from None
    write_whole(path, content)


def write_whole(path: Path_, content: bytes) -> None:
    """Write `content` to `path` whole or not at all."""
    where = _path(path)
    try:
        where = where.resolve()  # through a link, to the file that it stands for
        if where.exists() and not where.is_file():
            raise FileError(f"can't write {where}: it is not a regular file")
        descriptor, name = tempfile.mkstemp(dir=where.parent, prefix=f".{where.name}.")
        draft = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            draft.chmod(0o666 & ~_umask())
            draft.replace(where)
        except BaseException:
            draft.unlink()
            raise
    except FileError:
        raise
    except (OSError, ValueError) as problem:
        raise FileError(f"can't write {where}: {_why(problem)}") from None


def _path(path: Path_) -> Path:
    try:
        return Path(path)
    except TypeError:
        raise InvalidInputError(f"a path must be a file name, not a value of type {type(path).__name__}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _why(problem: Exception) -> str:
    return (getattr(problem, "strerror", None) or str(problem)).lower()


def _no_constant(name: str) -> NoReturn:
    raise DocumentError(f"it holds {name}; every number must be finite")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise DocumentError(f"it has two entries named {twice!r}")
    return result


def _json_type(value: Any) -> str:
    return {list: "a list", str: "a string", type(None): "null", bool: "true or false"}.get(type(value), "a number")
