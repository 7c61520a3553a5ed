"""`turnero serve`: tick until told to stop."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Annotated

import typer

from jobs import host
from jobs.commands.files import make_console
from jobs.serve import INTERVAL, serve
from jobs.speech import say
from jobs.tick import tick
from processor.service.pulse import ClockWatch


def serve_command(
    interval: Annotated[
        float, typer.Option(min=1.0, help="Segundos entre una comprobación y la siguiente.")
    ] = INTERVAL,
) -> None:
    """Lleva todas las partidas registradas hasta que lo paras; acaba bien con SIGTERM o Ctrl-C."""
    with host.open_service() as service:
        host.start_logging(logging.INFO)
        make_console(stderr=True).print(say("cli/serving"))

        watch = ClockWatch(service.clock)

        def run(stop: Callable[[], bool]) -> object:
            return tick(service, stop=stop, watch=watch)

        serve(run, interval)
