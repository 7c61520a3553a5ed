"""Putting a mutant into code that is already imported."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from inspect import unwrap
from pathlib import Path
from types import CodeType, FunctionType, ModuleType


def swap_code(module: str, function: str, code: CodeType) -> None:
    """Give a function, named with its class, other code. Raises TypeError where it isn't one."""
    found: object = sys.modules[module]
    for name in function.split("."):
        found = vars(found).get(name)
    found = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
    found = unwrap(found) if callable(found) else found
    if isinstance(found, FunctionType):
        found.__code__ = code
    else:
        raise TypeError(f"{module}.{function}")


def forget_modules(package: str, folder: Path) -> None:
    """Forget a package and what lies in a folder, so that both are imported anew."""
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(f"{package}.") or _lies_in(module, folder):
            del sys.modules[name]


def _lies_in(module: ModuleType, folder: Path) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).is_relative_to(folder)


class MutatedModule(MetaPathFinder):
    """Finds one module, with the mutant's code in it."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        self.name = name
        self.path = path
        self.code = code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's spec, None for all others."""
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(
            fullname, self.path, loader=_Loader(fullname, str(self.path), self.code)
        )


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return self._code
