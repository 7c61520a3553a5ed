"""The mutants of a file: where each small mistake is planted, and how a list names it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import NamedTuple

from tools.mutants.changes import changes_of

SHOWN = 88
"""Characters of code, at most, that name a mutant: so much of what is around the changed place is shown."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Key(NamedTuple):
    """How a list names a mutant, whatever lines are added above it.

    file: from the repository's folder. function: the outermost function with its class, "" at module level.
    nth: from 1, among those of a function that are written alike.
    """

    file: str
    function: str
    before: str
    after: str
    nth: int = 1


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small mistake. lines: first and last line of the changed place.

    inside: in a function's body, so that only its code has to be replaced; else the module is loaded anew.
    number: which of the file's changes it is, from 0.
    """

    key: Key
    lines: tuple[int, int]
    inside: bool
    number: int


class _Change(NamedTuple):
    """A node to replace: `chain` leads from the module to its parent."""

    chain: tuple[ast.AST, ...]
    field: str
    place: int | None
    old: ast.AST
    new: ast.AST


def mutants_of(source: str, file: str) -> tuple[Mutant, ...]:
    """All mutants of a file's text, in the order of the code."""
    found: list[Mutant] = []
    seen: Counter[Key] = Counter()
    for number, change in enumerate(_changes(ast.parse(source))):
        function, inside = _function_of(change)
        key = Key(file, function, *_shown(change))
        seen[key] += 1
        lines = _lines_of(change)
        found.append(Mutant(key._replace(nth=seen[key]), lines, inside, number))
    return tuple(found)


def compile_mutant(source: str, mutant: Mutant, filename: str) -> CodeType:
    """The whole module with the one mistake in it."""
    tree = ast.parse(source)
    for number, change in enumerate(_changes(tree)):
        if number == mutant.number:
            _put(change, change.new)
            return compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)
    raise LookupError(f"{filename} has no mutant {mutant.number}")


def code_of(module: CodeType, function: str) -> CodeType:
    """A function's code within its module's. Raises LookupError where there is none."""
    for one in module.co_consts:
        if isinstance(one, CodeType):
            if one.co_qualname == function:
                return one
            if function.startswith(f"{one.co_qualname}."):
                return code_of(one, function)
    raise LookupError(function)


def _changes(tree: ast.Module) -> Iterator[_Change]:
    yield from _within(tree, ())


def _within(node: ast.AST, chain: tuple[ast.AST, ...]) -> Iterator[_Change]:
    chain = (*chain, node)
    for field, index, child in _children(node):
        for new in changes_of(child):
            if isinstance(new, ast.Return) and not _may_be_none((*chain, child)):
                continue
            yield _Change(chain, field, index, child, ast.copy_location(new, child))
        yield from _within(child, chain)


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    """Nodes below that are code: no docstrings, no types, no decorators, no imports."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params", "ctx", "op", "ops"):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(child, ast.AST) and not _is_no_code(child):
                yield field, index, child


def _may_be_none(chain: tuple[ast.AST, ...]) -> bool:
    """Whether the function that returns here may return None; if it may not, the type checker says so."""
    function = next((one for one in reversed(chain) if isinstance(one, _FUNCTIONS)), None)
    returns = function.returns if function is not None else None
    return returns is None or any(word in ast.unparse(returns) for word in ("None", "Any", "object"))


def _is_no_code(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return docstring or isinstance(node, (ast.Import, ast.ImportFrom))


def _function_of(change: _Change) -> tuple[str, bool]:
    """Name of the outermost function with its class, and whether other code of it is the whole change."""
    names: list[str] = []
    for place, node in enumerate(change.chain):
        if isinstance(node, (ast.ClassDef, *_FUNCTIONS)):
            names.append(node.name)
        if isinstance(node, _FUNCTIONS):
            below = change.chain[place + 1] if place + 1 < len(change.chain) else change.old
            return ".".join(names), below in node.body and not _returns_function(node)
    return ".".join(names), False


def _returns_function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it makes another and gives it away: what was made at import keeps its code."""
    inner = {one.name for one in node.body if isinstance(one, _FUNCTIONS)}
    given = (one.value for one in ast.walk(node) if isinstance(one, ast.Return))
    return any(isinstance(one, ast.Name) and one.id in inner for one in given)


def _lines_of(change: _Change) -> tuple[int, int]:
    """Lines of the statement that is changed, without those of statements below it."""
    for node in (change.old, *reversed(change.chain)):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            return node.lineno, last or node.lineno
    raise LookupError(ast.dump(change.old))


def _shown(change: _Change) -> tuple[str, str]:
    """The changed place with as much around it as is readable, before and after."""
    top, before = change.old, ast.unparse(change.old)
    for node in reversed(change.chain):
        if not isinstance(
            node, (ast.expr, ast.keyword, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
        ):
            break
        text = ast.unparse(node)
        if len(text) > SHOWN:
            break
        top, before = node, text
    if top is change.old:
        return _head(change.old, before), _head(
            change.new, ast.unparse(ast.fix_missing_locations(change.new))
        )
    with _planted(change):
        return _head(top, before), ast.unparse(top)


def _head(node: ast.AST, text: str) -> str:
    """A statement with others below it is named by its first line."""
    return text.splitlines()[0] if isinstance(node, (ast.If, ast.While)) else text.strip()


@contextmanager
def _planted(change: _Change) -> Iterator[None]:
    _put(change, ast.fix_missing_locations(change.new))
    try:
        yield
    finally:
        _put(change, change.old)


def _put(change: _Change, node: ast.AST) -> None:
    parent = change.chain[-1]
    if change.place is None:
        setattr(parent, change.field, node)
    else:
        getattr(parent, change.field)[change.place] = node
