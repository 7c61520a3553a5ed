"""The command `turnero`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated

import typer

from jobs.catalogues import CatalogueError
from jobs.commands.backup import backup_command
from jobs.commands.check import check_command
from jobs.commands.choosing import Language
from jobs.commands.demo import demo_command
from jobs.commands.files import USAGE, make_console
from jobs.commands.guide import guide_command
from jobs.commands.moving import extend_command, pause_command, resume_command
from jobs.commands.new import new_command
from jobs.commands.posted import posted_command
from jobs.commands.preview import preview_command
from jobs.commands.read import read_command
from jobs.commands.register import register_command
from jobs.commands.rehearse import rehearse_command
from jobs.commands.restore import restore_command
from jobs.commands.retry import retry_command
from jobs.commands.seats import seats_command
from jobs.commands.serve import serve_command
from jobs.commands.show import show_command
from jobs.commands.status import status_command
from jobs.commands.tick import tick_command
from jobs.commands.verify import verify_command
from jobs.commands.voiding import rollback_command, void_command
from jobs.logs import LogFormat, choose_format
from jobs.speech import language, say, speaking
from jobs.spoken import VARIABLE, SpokenCommand, SpokenGroup
from rules.engine.catalogue import MissingText

app = typer.Typer(
    name="turnero",
    cls=SpokenGroup,
    no_args_is_help=True,
    help="Partidas por foro: lee órdenes, resuelve turnos, publica informes.",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"turnero {version('turnero')}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="La versión instalada.")
    ] = False,
    spoken: Annotated[
        Language,
        typer.Option(
            "--language",
            envvar=VARIABLE,
            help="El idioma de lo que no es de ninguna partida; cada partida tiene el suyo.",
        ),
    ] = Language.SPANISH,
    log_format: Annotated[
        LogFormat,
        typer.Option(envvar="TURNERO_LOG_FORMAT", help="El registro: legible, o un objeto JSON por línea."),
    ] = LogFormat.TEXT,
) -> None:
    """Common options."""
    choose_format(log_format)
    context.with_resource(speaking(spoken))


COMMANDS: dict[str, Callable[..., None]] = {
    "demo": demo_command,
    "new": new_command,
    "guide": guide_command,
    "check": check_command,
    "seats": seats_command,
    "register": register_command,
    "status": status_command,
    "read": read_command,
    "tick": tick_command,
    "serve": serve_command,
    "retry": retry_command,
    "extend": extend_command,
    "pause": pause_command,
    "resume": resume_command,
    "backup": backup_command,
    "restore": restore_command,
    "void": void_command,
    "rollback": rollback_command,
    "preview": preview_command,
    "posted": posted_command,
    "show": show_command,
    "rehearse": rehearse_command,
    "verify": verify_command,
}

for _name, _command in COMMANDS.items():
    app.command(_name, cls=SpokenCommand)(_command)


def main() -> None:
    """Run the command line; the exit codes are those of design.md 5.

    A text that isn't there is told to whoever writes a rule set, not thrown at them.
    """
    try:
        app()
    except CatalogueError as wrong:
        said = say("cli/texts-broken", why=str(wrong))
    except MissingText as missing:
        text = str(missing.args[0])
        said = say("cli/text-missing", text=text, package=text.partition("/")[0], language=language())
    else:
        return
    make_console(stderr=True).print(f"✘ {said}")
    sys.exit(USAGE)
