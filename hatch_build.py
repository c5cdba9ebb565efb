"""Builds the compiled kernel into the package when a wheel is made or scorewright is installed from a checkout."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

KERNEL = Path("src", "scorewright", "kernel")


class KernelHook(BuildHookInterface):  # type: ignore[type-arg]
    """One library per platform, for every Python: it is loaded by ctypes."""

    def dependencies(self) -> list[str]:
        """Where the system has no C compiler, one comes as a wheel."""
        return [] if self._build().system_compiler() else ["ziglang"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library, and say that the wheel is for this platform."""
        del version
        if self.target_name != "wheel":
            return
        folder = Path(self.root, KERNEL)
        for stale in folder.glob("scorewright-*.*"):
            stale.unlink()
        self._build().build(folder)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{next(iter(platform_tags()))}"

    def _build(self) -> ModuleType:
        path = Path(self.root, KERNEL, "build.py")
        spec = importlib.util.spec_from_file_location("scorewright_kernel_build", path)
        if spec is None or spec.loader is None:
            raise OSError(f"{path} is missing")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
