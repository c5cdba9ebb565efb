"""The terminal: one file per command, one place where errors become one clear line."""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

from scorewright.errors import ScorewrightError


def main() -> None:
    """Run the command line and exit: 0 done, 2 bad input, 130 interrupted."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line; return its exit code."""
    _make_output_forgiving()
    try:
        import typer

        from scorewright.cli.app import app
    except ImportError as problem:
        if problem.name and problem.name.startswith("scorewright"):
            raise
        return _complain("the command line needs typer and rich: pip install 'scorewright[cli]'")
    # Typer carries its own copy of click in some releases, so click's errors are found through Typer's.
    family = typer.BadParameter.__mro__
    usage_error: type[Exception] = next(kind for kind in family if kind.__name__ == "ClickException")
    interrupts = _noted_interrupts()
    try:
        code = app(arguments or ["--help"], standalone_mode=False, prog_name="scorewright")
        sys.stdout.flush()
    except ScorewrightError as problem:
        return _complain(str(problem))
    except typer.Exit as done:
        code = done.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", code=130)
    except SystemExit:  # Typer's own way out when the reader (head, less) has seen enough
        return 0
    except OSError as problem:
        return _complain(f"can't write the output: {(problem.strerror or str(problem)).lower()}")
    except MemoryError:
        return _complain("out of memory: this game has too many beliefs for this machine")
    except usage_error as problem:
        return _complain(f"{problem.format_message()} (see scorewright --help)")  # type: ignore[attr-defined]
    except Exception:
        if not interrupts:
            raise
        return _complain("interrupted", code=130)  # compiled code may turn an interrupt into an error of its own
    if code == 130:  # Typer's word for Ctrl-C
        return _complain("interrupted", code=130)
    return code if isinstance(code, int) else 0


def _noted_interrupts() -> list[int]:
    """A list that every Ctrl-C from now on is added to, whatever becomes of the exception that it raises."""
    noted: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        signal.default_int_handler(number, frame)

    here = threading.current_thread() is threading.main_thread()
    if here and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, note)
    return noted


def _make_output_forgiving() -> None:
    """Where the terminal lacks a character, show another; where there is no output at all, write to nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _complain(line: str, code: int = 2) -> int:
    shown = "".join(letter if letter.isprintable() else "?" for letter in " ".join(line.split()))
    sys.stderr.write(f"scorewright: {shown}\n")
    return code
