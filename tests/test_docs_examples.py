"""What the documents for directors and players show works as shown."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from jobs.starting.examples import find_example, read_example
from parsers.files.game import GameFile, parse_game
from parsers.files.override import Replace, load_overrides
from parsers.files.setup import SetupFile, join_files, parse_setup
from parsers.orders.understanding import understand
from rules.conquista.plan import ConquistaPlan
from rules.engine.registry import load_ruleset

DOCS = Path(__file__).resolve().parent.parent / "docs"
LANGUAGES = [("es", "dirigir.md", "jugar.md"), ("en", "directing.md", "playing.md")]

pytestmark = pytest.mark.docs


def blocks_of(language: str, page: str) -> list[str]:
    """The TOML examples of a page."""
    return re.findall(r"```toml\n(.*?)```", (DOCS / language / page).read_text(encoding="utf-8"), re.DOTALL)


def files_of(language: str, page: str) -> tuple[GameFile, SetupFile]:
    """The example game of a page for directors."""
    game, setup, *_ = blocks_of(language, page)
    read = parse_game(game)
    return read, parse_setup(setup, read.ruleset, read.game.options)


@pytest.mark.parametrize(("language", "directing", "_playing"), LANGUAGES)
def test_the_example_game_can_be_played(language: str, directing: str, _playing: str) -> None:
    """Its two files are right and agree, in the page's own language."""
    game = join_files(*files_of(language, directing))

    assert (language, ["Sigma", "Tau", "Kappa"]) == (game.language, [seat.id for seat in game.seats])


@pytest.mark.parametrize(("language", "directing", "_playing"), LANGUAGES)
def test_the_example_of_a_draw_is_right(language: str, directing: str, _playing: str) -> None:
    """The map with a cell that is still to be drawn is one that can be played."""
    read, _ = files_of(language, directing)
    drawn = parse_setup(blocks_of(language, directing)[2], read.ruleset, read.game.options)

    assert ["CM-2"] == [key for key, cell in drawn.state.cells.items() if cell.unexplored]


@pytest.mark.parametrize(("language", "directing", "_playing"), LANGUAGES)
def test_the_example_corrections_are_right(language: str, directing: str, _playing: str) -> None:
    """Each kind that the page shows is one that override files know."""
    overrides = load_overrides(blocks_of(language, directing)[3], "overrides/turn-003.toml")

    kinds = ["Replace", "Cancel", "Add", "IgnorePost", "AcceptPost", "SetValue", "SetDie"]
    assert kinds == [type(one).__name__ for one in overrides]


@pytest.mark.parametrize(("language", "directing", "playing"), LANGUAGES)
def test_every_order_on_the_page_is_understood(language: str, directing: str, playing: str) -> None:
    """No line of a block or of the table of orders is refused by the language, whatever the map allows."""
    game, setup = files_of(language, directing)
    kind = game.ruleset.main_kind
    view = game.ruleset.look(setup.state, "Sigma", game.game.options, kind=kind.name, track="", number=1)
    text = (DOCS / language / playing).read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    lines = [one for row in rows for one in re.findall(r"`([^`]+)`", row)]
    block = re.findall(
        r"```\n\[(?:órdenes turno|orders turn) 1\]\n(.*?)\n\[/(?:órdenes|orders)\]", text, re.DOTALL
    )
    lines += block[0].splitlines()
    refused = {
        line: found.code
        for line in lines
        if (found := understand(line, kind.grammar, ConquistaPlan(view)).diagnostic) is not None
        and found.code.startswith("parse/")
    }

    assert 16 == len(lines)
    assert {} == refused


@pytest.mark.parametrize(("language", "directing", "_playing"), LANGUAGES)
def test_the_first_correction_can_be_made_in_a_new_game(language: str, directing: str, _playing: str) -> None:
    """What the page has somebody write at midnight is a correction, of an order on the map of `new`."""
    text = (DOCS / language / directing).read_text(encoding="utf-8")
    (shown,) = re.findall(r"(?m)^ {8}\[\[override\]\]\n(?: {8}.*\n)+", text)
    (override,) = load_overrides(dedent(shown), "overrides/turn-001.toml")
    ruleset = load_ruleset("conquista").speaking(language)
    folder = find_example(ruleset, language)
    assert isinstance(override, Replace)
    assert folder is not None
    state = parse_setup(read_example(folder)["setup.toml"], ruleset, ruleset.options()).state
    kind = ruleset.main_kind
    view = ruleset.look(state, "Sigma", ruleset.options(), kind=kind.name, track="", number=1)
    plan = ConquistaPlan(view)
    order = understand(override.text, kind.grammar, plan).order

    assert order is not None
    assert () == plan.accept(order).findings


@pytest.mark.parametrize(("language", "directing", "_playing"), LANGUAGES)
def test_the_entries_for_valar_are_those_of_its_example(language: str, directing: str, _playing: str) -> None:
    """An order of the director's and an answer, as a new game has them, switched off."""
    (shown,) = [one for one in blocks_of(language, directing) if 'add = "director"' in one]
    example = find_example(load_ruleset("valar"), language)
    assert example is not None
    given = read_example(example)["overrides/turn-001.toml"]
    written = [line.partition("    #")[0].rstrip() for line in shown.splitlines() if line.strip()]

    assert ["Add", "Ruling"] == [type(one).__name__ for one in load_overrides(shown, "turn-001.toml")]
    assert [] == [line for line in written if f"#{line}" not in given.splitlines()]
