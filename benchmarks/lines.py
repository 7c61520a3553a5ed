"""Order lines to orders: right ones, misspelt ones and ambiguous ones, beside a bare LALR parse of the right.

What is timed is the reading of a block's lines, names found included; whether the rules allow an order isn't.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from lark import Tree

from benchmarks.floors import orders as floor
from benchmarks.orders import write_blocks
from benchmarks.rounds import ROUNDS, Ratio, compare, cpu_time
from benchmarks.worlds import Size, make_options, make_state
from parsers.orders.lines import LogicalLine, block_of, logical_lines
from parsers.orders.reading import BlockReading, read_orders
from rules.conquista import RULESET
from rules.conquista.plan import ConquistaPlan
from rules.engine.orders import Args, Order
from rules.engine.plan import Verdict
from rules.engine.view import View

SIZE = Size(4, 400, 200)
Record = tuple[str, ...]
"""The order's name, and its arguments as written, folded."""


class OpenPlan(ConquistaPlan):
    """A plan that lets every order stand: reading alone is measured."""

    def accept(self, order: Order) -> Verdict:
        """The order as it is."""
        return Verdict(order)


@dataclass(frozen=True, slots=True)
class Lines:
    """Costs of lines. right: beside the floor, per line. misspelt, ambiguous: seconds of one line."""

    right: Ratio
    misspelt: float
    ambiguous: float


class Desk:
    """The lines of one faction, and who reads them."""

    def __init__(self, size: Size = SIZE) -> None:
        state = make_state(size)
        self._seat = next(iter(state.factions))
        self._view = View(RULESET.view(state, self._seat, None), self._seat, make_options(size), kind="turn")
        self._plan = OpenPlan(self._view)
        self.right = write_blocks(state, size)[self._seat]
        self.misspelt = tuple(_misspell(line) for line in self.right)
        self.ambiguous = tuple(
            "espiar liga" if at % 2 else f"esp {line}" for at, line in enumerate(self.right)
        )

    def prepare(self, lines: tuple[str, ...]) -> tuple[LogicalLine, ...]:
        """The lines as a block holds them."""
        return logical_lines(block_of("\n".join(lines)))

    def read(self, lines: tuple[LogicalLine, ...]) -> BlockReading:
        """The lines read."""
        return read_orders(lines, RULESET.main_kind, self._plan)


def _misspell(line: str) -> str:
    """The verb's last two letters changed places: `movre`."""
    verb, _, rest = line.partition(" ")
    return f"{verb[:-2]}{verb[-1]}{verb[-2]} {rest}".rstrip()


def tree_record(tree: Tree[str]) -> Record:
    """A parsed tree as name and arguments."""
    return (str(tree.data).rstrip("_"), *(str(token).lower() for token in tree.scan_values(lambda one: True)))


def order_record(order: Order) -> Record:
    """The same of an order."""
    return (order.name, *(text.lower() for text in _flat(order.args, order.name)))


def _flat(value: object, name: str) -> list[str]:
    if isinstance(value, Args):
        listed = [value.values[key] for key in value.values]
        return [text for one in listed for text in _flat(one, name)]
    if isinstance(value, tuple) and len(value) == 2 and value[0] in ("cell", "army"):
        return [str(value[1])]  # what is bombarded, with the kind of mark that it is
    if isinstance(value, tuple):
        return [text for one in value for text in _flat(one, name)]
    return [str(value)]


def check(desk: Desk) -> None:
    """Raises ValueError where floor and product understand a right line otherwise, or a wrong one at all."""
    for line in desk.right:
        read = desk.read(desk.prepare((line,))).lines[0]
        if read.order is None or order_record(read.order) != tree_record(floor.parse(line.lower())):
            raise ValueError(f"{line!r}: {read.order} and {floor.parse(line.lower())}")
    for line in (*desk.misspelt, *desk.ambiguous):
        if any(one.order is not None for one in desk.read(desk.prepare((line,))).lines):
            raise ValueError(f"{line!r} is understood")


def measure(size: Size = SIZE, rounds: int = ROUNDS) -> Lines:
    """The costs of a line of each sort."""
    desk = Desk(size)
    check(desk)
    count, right = len(desk.right), desk.prepare(desk.right)
    plain = [line.lower() for line in desk.right]
    ratio = compare(lambda: desk.read(right), lambda: [floor.parse(line) for line in plain], rounds)
    per_line = Ratio(ratio.seconds / count, ratio.floor / count, ratio.ratio)
    return Lines(per_line, *(_time(desk, lines, rounds) for lines in (desk.misspelt, desk.ambiguous)))


def _time(desk: Desk, lines: tuple[str, ...], rounds: int) -> float:
    prepared = desk.prepare(lines)
    return median(cpu_time(lambda: desk.read(prepared)) for _ in range(rounds)) / len(lines)
