"""`turnero guide`: how orders are given in a rule set's games, for players to read."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from jobs.catalogues import load_catalogue
from jobs.commands.choosing import Language, find_ruleset
from jobs.speech import set_language
from parsers.orders.limits import MAX_BLOCK_CHARS, MAX_ORDERS
from parsers.orders.lines import MAX_LINE_CHARS
from reporters.guide import compose_guide, lay_out_guide
from reporters.guide_players import Limits
from reporters.markdown import MarkdownRenderer
from reporters.plain import PlainRenderer
from reporters.renderer import Renderer
from rules.engine.ruleset import Ruleset

LIMITS = Limits(MAX_ORDERS, MAX_BLOCK_CHARS, MAX_LINE_CHARS)
"""What reading allows."""


class Format(StrEnum):
    """How the guide is written."""

    MARKDOWN = "markdown"
    TEXT = "text"


def guide_command(
    ruleset: Annotated[str, typer.Argument(metavar="REGLAMENTO", help="El reglamento, p. ej. conquista.")],
    *,
    language: Annotated[Language, typer.Option(help="El idioma de la guía.")] = Language.SPANISH,
    form: Annotated[Format, typer.Option("--format", help="Markdown o texto sin marcas.")] = Format.MARKDOWN,
) -> None:
    """Escribe la guía de un reglamento para quienes juegan: cómo se dan las órdenes y todas las que hay."""
    set_language(language)
    typer.echo(write_guide(find_ruleset(ruleset), language, form))


def write_guide(ruleset: Ruleset, language: str, form: Format = Format.MARKDOWN) -> str:
    """The guide's text, without a line end behind it."""
    catalogue = load_catalogue(language, ruleset.package)
    chapters = lay_out_guide(compose_guide(ruleset.speaking(language), catalogue, LIMITS), catalogue)
    renderer: Renderer = MarkdownRenderer() if form is Format.MARKDOWN else PlainRenderer()
    return renderer.render([piece for chapter in chapters for piece in chapter.pieces])
