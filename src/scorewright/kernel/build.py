"""Building the kernel: one shared library from the C files in `source`, by any C compiler.

A wheel carries the library. From a checkout it is built when scorewright is installed, and again, into a cache, when
its sources have changed since. The compiler is the one named by ``CC``, or the system's, or else the one in the
`ziglang` wheel, which pip can install anywhere. This file must run on its own: the build of the package runs it.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "source"
FLAGS = ("-O3", "-std=c11", "-ffp-contract=off", "-fvisibility=hidden", "-shared")
"""No fused multiply-adds and no reordering: every compiler gives the same digits, on the same mathematical library."""


class CompilerError(OSError):
    """There is no compiler, or it failed."""


def file_name() -> str:
    """Return the name of the library, which changes with its sources."""
    digest = hashlib.sha256(" ".join(FLAGS).encode())
    for path in sorted(SOURCE.glob("*.[ch]")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    suffix = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    return f"scorewright-{digest.hexdigest()[:16]}.{suffix}"


def system_compiler() -> list[str] | None:
    """Return the command of the system's C compiler, if there is one."""
    named = os.environ.get("CC")
    if named:
        return shlex.split(named)
    found = next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)
    return None if found is None else [found]


def compiler() -> list[str] | None:
    """Return the command of any C compiler at hand."""
    return system_compiler() or ([sys.executable, "-m", "ziglang", "cc"] if find_spec("ziglang") else None)


def build(folder: Path) -> Path:
    """Build the library into `folder` and return its path.

    Raises
    ------
    CompilerError
        There is no compiler, or it failed; the message says what to do.
    OSError
        The folder can't be written.
    """
    command = compiler()
    if command is None:
        raise CompilerError("no C compiler found: install one (Debian: apt install gcc), or: pip install ziglang")
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / file_name()
    handle, draft = tempfile.mkstemp(dir=folder, suffix=target.suffix)
    os.close(handle)
    position = () if sys.platform == "win32" else ("-fPIC",)
    libraries = () if sys.platform == "win32" else ("-lm",)
    files = [str(path) for path in sorted(SOURCE.glob("*.c"))]
    try:
        said = subprocess.run(
            [*command, *FLAGS, *position, *files, *libraries, "-o", draft], capture_output=True, text=True, check=False
        )
        if said.returncode != 0:
            raise CompilerError(
                f"{' '.join(command)} could not build the kernel: {said.stderr.strip() or said.stdout.strip()}"
            )
        Path(draft).chmod(0o755)
        Path(draft).replace(target)  # whole or not at all, whoever else is building
    finally:
        Path(draft).unlink(missing_ok=True)
    return target
