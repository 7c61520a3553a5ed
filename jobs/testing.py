"""What the author of a rule set tests it with: one call that finds what is missing or doesn't fit.

    from jobs.testing import find_faults

    def test_nothing_is_wrong_with_it() -> None:
        assert [] == find_faults("tesoro", *sorted(GOLDENS.glob("*.toml")))

It looks at what is declared, at the texts in both languages and at the examples, and plays scenarios.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import StringIO
from pathlib import Path

from rich.console import Console

from jobs.catalogues import LANGUAGES, CatalogueError, load_catalogue, read_texts
from jobs.commands.rehearsal_text import print_differences
from jobs.commands.rehearse import catalogue_of
from jobs.starting.examples import find_example, read_example
from parsers.files.errors import FileErrors
from parsers.files.scenario import load_scenario
from parsers.files.setup import parse_setup
from parsers.orders.understanding import understand
from processor.pipeline.rehearsal import rehearse
from rules.engine.catalogue import MissingText
from rules.engine.registry import RulesetError, load_ruleset
from rules.engine.ruleset import Ruleset
from rules.engine.templates import TemplateError, parameters, parse_template


def find_faults(ruleset_id: str, *scenarios: Path) -> list[str]:
    """What is wrong with an installed rule set, one entry each; if nothing is, scenarios are rehearsed.

    It is told in English, differences from what a scenario expects as `turnero rehearse` tells them.
    """
    try:
        ruleset = load_ruleset(ruleset_id)
        found = [*_text_faults(ruleset), *_example_faults(ruleset)]
        return found or [*_scenario_faults(scenarios)]
    except (RulesetError, CatalogueError) as fault:
        return [str(fault)]


def _text_faults(ruleset: Ruleset) -> Iterator[str]:
    """Ids without a text, texts that can't be read, and languages that don't say the same."""
    texts = {language: read_texts(language, ruleset.package) for language in LANGUAGES}
    wanted = dict(_named(ruleset))
    for language in LANGUAGES:
        load_catalogue(language, ruleset.package)  # ids that are another package's
        for key in sorted(wanted.keys() - texts[language].keys()):
            yield f"locale/{language}.po: no text for {key!r}, which {wanted[key]} names"
    said = {language: dict(_parsed(language, texts[language])) for language in LANGUAGES}
    for language in LANGUAGES:
        yield from (one for _, (_, one) in sorted(said[language].items()) if one)
    yield from _differing(*({key: names for key, (names, _) in said[one].items()} for one in LANGUAGES))


def _named(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Message ids of the rule set that its code names, and those of its options, each with where."""
    for path in files(ruleset.package).iterdir():
        yield from _literals(path, f"{ruleset.id}/")
    for option in fields(ruleset.options):
        yield f"{ruleset.id}/option-{option.name}", "`turnero new`"


def _literals(path: Traversable, start: str) -> Iterator[tuple[str, str]]:
    """Texts of a module, or of those in a folder, that begin as an id does; unfinished ones are left out."""
    if path.is_dir():
        for inner in path.iterdir():
            yield from _literals(inner, start)
    elif path.name.endswith(".py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            said = node.value if isinstance(node, ast.Constant) else None
            if isinstance(said, str) and said.startswith(start) and not said.endswith(("/", "-")):
                yield said, path.name


def _parsed(language: str, texts: Mapping[str, str]) -> Iterator[tuple[str, tuple[frozenset[str], str]]]:
    """Each id with the parameters of its text, and with what is wrong with it."""
    for key, text in texts.items():
        try:
            yield key, (parameters(parse_template(text)), "")
        except (TemplateError, ValueError) as fault:
            yield key, (frozenset(), f"locale/{language}.po: {key}: {fault}")


def _differing(one: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]) -> Iterator[str]:
    for key in sorted(one.keys() ^ other.keys()):
        yield f"locale: {key!r} has a text in one language only"
    for key in sorted(one.keys() & other.keys()):
        if one[key] != other[key]:
            differing = ", ".join(sorted(one[key] ^ other[key]))
            yield f"locale: {key!r} says {differing} in one language only"


def _example_faults(ruleset: Ruleset) -> Iterator[str]:
    """The example game of each language, and the orders' examples, which its first seat can give."""
    for language in LANGUAGES:
        folder = find_example(ruleset, language)
        if folder is None:
            yield f"example/{language}/setup.toml is missing: `turnero new` has nothing to begin with"
            continue
        try:
            state = parse_setup(read_example(folder)["setup.toml"], ruleset, ruleset.options()).state
        except FileErrors as wrong:
            yield f"example/{language}: {wrong.say(load_catalogue(language, ruleset.package))}"
            continue
        yield from _order_faults(ruleset.speaking(language), language, state)


def _order_faults(ruleset: Ruleset, language: str, state: object) -> Iterator[str]:
    seat = next(iter(ruleset.seats(state)))
    for kind in ruleset.kinds.values():
        view = ruleset.look(state, seat, ruleset.options(), kind=kind.name, track="", number=1)
        for form in kind.orders:
            if not (form.summary and form.example):
                yield f"order {form.name!r} ({language}): the guide needs its summary and an example"
            elif understand(form.example, kind.grammar, kind.plan(view)).order is None:
                yield f"order {form.name!r} ({language}): {form.example!r} isn't understood for {seat}"


def _scenario_faults(scenarios: tuple[Path, ...]) -> Iterator[str]:
    for path in scenarios:
        try:
            played = rehearse(
                load_scenario(path.read_text(encoding="utf-8"), path.name), load_ruleset, catalogue_of
            )
        except FileErrors as wrong:
            yield wrong.say(load_catalogue(LANGUAGES[0]))
            continue
        except MissingText as missing:
            yield f"{path.name}: no text for {missing.args[0]!r}"
            continue
        if not played.passed:
            said = StringIO()
            print_differences(Console(file=said, width=100, highlight=False), played)
            yield f"{path.name}: {said.getvalue().strip()}"
