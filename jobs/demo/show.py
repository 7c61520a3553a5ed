"""The show of one night: a forum is booted, a play is played on it, and a judge looks at the forum."""

from __future__ import annotations

import logging
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from jobs.demo.judge import Case, Reader, write_case
from jobs.demo.night import Night
from jobs.demo.pages import Wanted, save_pages
from jobs.demo.play import Play
from jobs.demo.players import BOT, DIRECTOR, Person, password_of
from jobs.demo.stage import set_stage
from jobs.demo.telling import Teller, shown
from jobs.logs import RedactingFormatter

CASE = "caso.json"
PAGES = "paginas"
LOG = "turnero.log"
_ENDING = (signal.SIGINT, signal.SIGTERM)
_ORDER = re.compile(r"\d+\. |[✘⚠] |Llegaron tarde|No cuento")


def run_night(play: Play, folder: Path, forum: Path, teller: Teller, *, keep: bool) -> int:
    """Play a night below `folder` against a Spirit installed below `forum`; the judge's exit code.

    Raises ForumBootError, BrowserError, NightFailed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ended_by_signal(teller), _logged(folder / LOG), set_stage(play, folder, forum, teller.step) as stage:
        night = Night(play, stage, teller)
        night.await_opening()
        play.order(night)
        _save(night, folder, "1-primeros-recibos", "con los primeros recibos")
        play.reconsider(night)
        night.await_deadline()
        play.come_late(night)
        play.rule(night)
        night.await_report()
        saved = _save(night, folder, "2-final", "con el turno publicado")
        code = _judge(night, folder)
        _sum_up(night, saved[0], code)
        if keep:
            _leave(night)
        else:
            teller.step("El foro se apaga ahora; con --keep seguiría en marcha.")
    return code


@contextmanager
def ended_by_signal(teller: Teller) -> Iterator[None]:
    """Let SIGTERM end us like Ctrl-C does, so that the forum doesn't stay behind.

    What a signal raises is lost where it comes while Python tidies up an object; the next step looks for it.
    """
    told: list[int] = []

    def end(number: int, _frame: object = None) -> NoReturn:
        told.append(number)
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)

    def heed() -> None:
        if told:
            end(told[0])

    heeded = [one for one in _ENDING if signal.getsignal(one) is not signal.SIG_IGN]
    before = {number: signal.signal(number, end) for number in heeded}
    teller.heed = heed
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _logged(path: Path) -> Iterator[None]:
    """Let the log go into a file: the terminal tells a story."""
    handler = logging.FileHandler(path, mode="w", encoding="utf-8")
    handler.setFormatter(RedactingFormatter())
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
        handler.close()


def _save(night: Night, folder: Path, when: str, told_when: str) -> tuple[Path, ...]:
    """Save the topic and all conversations. when: names the folder; told_when: says it to a reader."""
    stage = night.stage
    wanted = [Wanted(stage.people[DIRECTOR], f"topic/{stage.topic}/", "tema.html", "El tema de la partida")]
    for name, told in (*((one.name, one.seat) for one in night.play.people), (DIRECTOR, "la directora")):
        for number, (_, path) in enumerate(night.conversations(name), 1):
            file = f"privado-{name}.html" if number == 1 else f"privado-{name}-{number}.html"
            wanted.append(Wanted(stage.people[name], path, file, f"Los privados de {name} ({told})"))
    return save_pages(folder / PAGES / when, wanted, f"{night.play.title}, {told_when}", _reports(night))


def _reports(night: Night) -> list[tuple[Path, str]]:
    """The reports that lie in the game's folder as pages once the turn is published."""
    told = [("report", "El informe"), ("report-director", "Todo, para la directora")]
    told += [(f"report-{one.seat.lower()}", f"El informe de {one.seat}") for one in night.play.people]
    found = [(night.stage.reports / f"{name}.html", words) for name, words in told]
    return [(path, words) for path, words in found if path.is_file()]


def _judge(night: Night, folder: Path) -> int:
    """Let a process of its own look at the forum; its exit code is ours."""
    stage, teller = night.stage, night.teller
    slugs = {one.name: one.seat.lower() for one in night.play.people} | {DIRECTOR: "director"}
    letters = night.play.letters
    readers = [Reader(one, password_of(one), slug, letters.get(one, ())) for one, slug in slugs.items()]
    case = folder / CASE
    reports = str(stage.reports.resolve())
    write_case(case, Case(stage.server.url, stage.topic, stage.bot, stage.game, 1, tuple(readers), reports))
    teller.step("El juez, que es otro programa, mira el foro por su cuenta:")
    done = subprocess.run(
        [sys.executable, "-m", "jobs.demo.judge", str(case)], capture_output=True, text=True, check=False
    )
    for line in (done.stdout + done.stderr).splitlines():
        teller.console.print(f"       {line}", style=None if line.startswith("✔") else "bold red")
    return done.returncode


def _sum_up(night: Night, pages: Path, code: int) -> None:
    teller = night.teller
    teller.blank()
    rows = ((f"{one.seat}\n({one.name})", one.habit, _understood(night, one)) for one in night.play.people)
    teller.table(("Quién", "Qué hace", "Qué entendió turnero"), rows)
    teller.quote("El informe, en el tema", night.report().partition("\nDados")[0], "magenta")
    teller.blank()
    teller.step("Todo en orden." if code == 0 else "El juez no está conforme: mira arriba las líneas con ✘.")
    for name, place in _places(night, pages):
        teller.console.print(f"       {name + ':':<21}{place}", soft_wrap=True)


def _places(night: Night, pages: Path) -> Iterator[tuple[str, str]]:
    """Where to look further."""
    reports = night.stage.reports
    yield "Tema", night.stage.topic_url
    yield "Páginas guardadas", str(pages)
    yield "Informe, como página", f"{reports}/report.html"
    if any(reports.glob("*.png")):
        yield "Mapas y gráfico", f"{reports}/*.png"
    yield "Prueba de los dados", f"{reports}/proof.json"
    yield "Comprobar los dados", f"turnero verify {reports}/proof.json"


def _understood(night: Night, who: Person) -> str:
    """The lines of orders and warnings in a player's receipt."""
    lines = shown(night.receipt(who)).splitlines()
    return "\n".join(line for line in lines if _ORDER.match(line))


def _leave(night: Night) -> None:
    """Leave the forum running, and say how to get in and how to end it."""
    teller, keeper = night.teller, night.stage.server.leave_running()
    teller.step(f"El foro sigue en {night.stage.topic_url}. Para pararlo: kill {keeper}")
    names = ", ".join((DIRECTOR, BOT, *(one.name for one in night.play.people)))
    teller.step(f"Entra como {names}; la contraseña de cada cual es «{password_of('NOMBRE')}»")
