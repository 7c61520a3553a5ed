"""Which small mistakes can be planted in a piece of code, as replacements of one node of its tree."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.Continue: ast.Break,
    ast.Break: ast.Continue,
}
"""Operators and statements, and what each is mistaken for; a boundary more than an opposite."""

CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
"""Functions of the language, and what each is mistaken for."""

TELLING = frozenset(("msg", "event", "error", "warning", "note", "order", "sub", "Step", "Kind", "Ruleset"))
"""Calls whose keywords are parameters of texts and declarations: other tests check that all are there."""


def changes_of(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node, each a mistake that the tests should notice."""
    maker = _MAKERS.get(type(node))
    if maker is not None:
        yield from maker(node)


def _other(operator: ast.AST) -> ast.AST | None:
    swapped = SWAPPED.get(type(operator))
    return swapped() if swapped is not None else None


def _compare(node: ast.Compare) -> Iterator[ast.AST]:
    for place, operator in enumerate(node.ops):
        other = _other(operator)
        if isinstance(other, ast.cmpop):
            ops = [*node.ops[:place], other, *node.ops[place + 1 :]]
            yield ast.Compare(node.left, ops, node.comparators)


def _bool_op(node: ast.BoolOp) -> Iterator[ast.AST]:
    other = _other(node.op)
    if isinstance(other, ast.boolop):
        yield ast.BoolOp(other, node.values)
    for place in range(len(node.values)):
        rest = [*node.values[:place], *node.values[place + 1 :]]
        yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _bin_op(node: ast.BinOp) -> Iterator[ast.AST]:
    other = _other(node.op)
    if isinstance(other, ast.operator):
        yield ast.BinOp(node.left, other, node.right)


def _unary_op(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node.value, str):
        yield ast.Constant("XX")


def _if_exp(node: ast.IfExp) -> Iterator[ast.AST]:
    yield node.body
    yield node.orelse


def _test(node: ast.If | ast.While) -> Iterator[ast.AST]:
    """A condition without an operator of its own is turned round."""
    if not isinstance(node.test, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
        turned = ast.UnaryOp(ast.Not(), node.test)
        yield type(node)(turned, node.body, node.orelse)


def _comprehension(node: ast.comprehension) -> Iterator[ast.AST]:
    for place in range(len(node.ifs)):
        ifs = [*node.ifs[:place], *node.ifs[place + 1 :]]
        yield ast.comprehension(node.target, node.iter, ifs, node.is_async)


def _call(node: ast.Call) -> Iterator[ast.AST]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in CALLED:
        keywords = [] if name == "sorted" else node.keywords
        yield ast.Call(ast.Name(CALLED[name], ast.Load()), node.args, keywords)
    if name not in TELLING:
        for place, keyword in enumerate(node.keywords):
            if keyword.arg is not None:
                keywords = [*node.keywords[:place], *node.keywords[place + 1 :]]
                yield ast.Call(node.func, node.args, keywords)


def _gone(node: ast.AST) -> Iterator[ast.AST]:
    yield ast.Pass()


def _expression(node: ast.Expr) -> Iterator[ast.AST]:
    if not isinstance(node.value, ast.Constant):
        yield ast.Pass()


def _assign(node: ast.Assign) -> Iterator[ast.AST]:
    """What is kept in an object or a table is forgotten; a name left unset would only be a crash."""
    if any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets):
        yield ast.Pass()


def _aug_assign(node: ast.AugAssign) -> Iterator[ast.AST]:
    other = _other(node.op)
    if isinstance(other, ast.operator):
        yield ast.AugAssign(node.target, other, node.value)
    yield ast.Pass()


def _return(node: ast.Return) -> Iterator[ast.AST]:
    if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        yield ast.Return(ast.Constant(None))


def _loop_control(node: ast.AST) -> Iterator[ast.AST]:
    other = _other(node)
    if other is not None:
        yield other


_MAKERS: dict[type[ast.AST], Callable[..., Iterator[ast.AST]]] = {
    ast.Compare: _compare,
    ast.BoolOp: _bool_op,
    ast.BinOp: _bin_op,
    ast.UnaryOp: _unary_op,
    ast.Constant: _constant,
    ast.IfExp: _if_exp,
    ast.If: _test,
    ast.While: _test,
    ast.comprehension: _comprehension,
    ast.Call: _call,
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AugAssign: _aug_assign,
    ast.Return: _return,
    ast.Delete: _gone,
    ast.Raise: _gone,
    ast.Continue: _loop_control,
    ast.Break: _loop_control,
}
