"""`make bench`: every measure with its target and whether it is met.

The exit code tells only whether floor and product gave the same records: times belong to the machine.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import dice, growth, lines, pages
from benchmarks.rounds import Ratio
from benchmarks.worlds import Size

Row = tuple[str, str, str, str]


def main() -> None:
    """Measure and print. Raises ValueError where floor and product differ."""
    _print(("measure", "value", "target", ""))
    for row in _ratios():
        _print(row)
    for name in growth.DIMENSIONS:
        exponent = growth.find_exponent(name)
        _print((f"growth over {name}", f"{exponent:.2f}", "≤ 1.2", _met(exponent, 1.2)))
    for row in _figures(growth.play(growth.FULL)):
        _print(row)
    print(f"\nprofile of resolution and reports, {_say(growth.FULL)}\n")
    print(growth.profile(growth.FULL))


def _ratios() -> Iterator[Row]:
    yield _compared("page to posts / BeautifulSoup+lxml", pages.measure(), 2)
    read = lines.measure()
    yield _compared("right order line / LALR parse", read.right, 2)
    yield "misspelt order line", _micro(read.misspelt), "", ""
    yield "ambiguous order line", _micro(read.ambiguous), "", ""
    yield _compared("logged roll / plain ptd1", dice.measure(), 1.3)


def _compared(name: str, one: Ratio, target: float) -> Row:
    return name, f"{one.ratio:.2f}", f"≤ {target}", _met(one.ratio, target)


def _figures(turn: growth.Turn) -> Iterator[Row]:
    size = f"{_say(turn.size)} ({turn.accepted} stood)"
    yield f"resolution and reports, {size}", f"{turn.seconds:.1f} s", "", ""
    yield "  resolution alone", f"{turn.resolution:.1f} s", "", ""
    yield f"  {turn.texts} reports, {turn.characters:,} characters", f"{turn.reports:.1f} s", "", ""
    yield "reading the blocks", f"{turn.reading:.1f} s", "", ""


def _say(size: Size) -> str:
    return f"{size.factions} factions, {size.cells:,} cells, {size.orders:,} orders"


def _met(value: float, target: float) -> str:
    return "met" if value <= target else "MISSED"


def _micro(seconds: float) -> str:
    return f"{seconds * 1e6:.0f} µs"


def _print(row: Row) -> None:
    name, value, target, met = row
    print(f"{name:<78}{value:>10}  {target:<8}{met}", flush=True)


if __name__ == "__main__":
    main()
