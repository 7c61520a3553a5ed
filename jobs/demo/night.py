"""One night of the demo: players write as people do; Turnero reads, answers, closes and publishes."""

from __future__ import annotations

import logging
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn
from zoneinfo import ZoneInfo

from jobs.demo.browser import Comment
from jobs.demo.judge import Case, Reader, write_case
from jobs.demo.pages import Wanted, save_pages
from jobs.demo.players import (
    BOT,
    BRUNO,
    BRUNO_LATE,
    BRUNO_ORDERS,
    BRUNO_QUOTING,
    DIRECTOR,
    INES,
    INES_EDITED,
    INES_ORDERS,
    MARTA,
    MARTA_ORDERS,
    PLAYERS,
    QUIQUE,
    QUIQUE_AGAIN,
    QUIQUE_ORDERS,
    Person,
    password_of,
)
from jobs.demo.stage import Stage, set_stage
from jobs.demo.telling import Teller, shown
from jobs.logs import RedactingFormatter
from jobs.tick import tick
from processor.store import games, turns
from processor.store.rows import TurnRow
from rules.play.turns import GameStatus, TurnRef, TurnStatus

CASE = "caso.json"
PAGES = "paginas"
LOG = "turnero.log"
LONGEST = 120.0
"""Seconds after which something that should have happened in the forum is given up."""
_BREATH = 0.5
_ORDER = re.compile(r"\d+\. |[✘⚠] |Llegaron tarde|No cuento")

_TOO_SLOW = "esta máquina va tan lenta que el turno se ha cerrado antes de tiempo: prueba otra vez"


class NightFailed(Exception):
    """The night did not come to its end; the text says what was waited for, and what the turn says."""


def run_night(ruleset: str, folder: Path, forum: Path, teller: Teller, *, keep: bool) -> int:
    """Play a night below `folder` against a Spirit installed below `forum`; the judge's exit code.

    Raises ForumBootError, BrowserError, NightFailed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _ended_by_signal(), _logged(folder / LOG), set_stage(ruleset, folder, forum, teller.step) as stage:
        _open(stage, teller)
        _first_orders(stage, teller)
        _save(stage, folder, "1-primeros-recibos", "con los primeros recibos")
        _second_thoughts(stage, teller)
        _too_late(stage, teller)
        _publish(stage, teller)
        saved = _save(stage, folder, "2-final", "con el turno publicado")
        code = _judge(stage, folder, teller)
        _sum_up(stage, teller, saved[0], code)
        if keep:
            _leave(stage, teller)
        else:
            teller.step("El foro se apaga ahora; con --keep seguiría en marcha.")
    return code


@contextmanager
def _ended_by_signal() -> Iterator[None]:
    """Let SIGTERM end us like Ctrl-C does, so that the forum doesn't stay behind."""

    def end(number: int, _frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


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


# The acts


def _open(stage: Stage, teller: Teller) -> None:
    zone = ZoneInfo(stage.zone)
    local, city = stage.deadline.astimezone(zone), stage.zone.rpartition("/")[2].replace("_", " ")
    teller.step(f"La partida está en {stage.topic_url} y cierra a las {local:%H:%M} ({city})")
    with teller.waiting("Turnero abre el turno 1: compromiso, cierre y plantillas"):
        _tick_until(stage, lambda: all(_told(stage, one, "open") for one in PLAYERS), "la apertura")


def _first_orders(stage: Stage, teller: Teller) -> None:
    teller.step("marta ordena por privado, quique también (y teclea mal), ines lo hace a la vista de todos,")
    teller.step("bruno la cita en el tema y manda lo suyo por privado, en un bloque de código")
    _reply(stage, MARTA, MARTA_ORDERS)
    _reply(stage, QUIQUE, QUIQUE_ORDERS)
    public = stage.people[INES.name].post(stage.topic, INES_ORDERS)
    bruno = stage.people[BRUNO.name]
    quoted = bruno.form_text(f"comment/{stage.topic}/publish/{public}/quote/")
    bruno.post(stage.topic, f"{quoted}{BRUNO_QUOTING}")
    _reply(stage, BRUNO, BRUNO_ORDERS)
    with teller.waiting("Turnero lee el foro y contesta con recibos"):
        _tick_until(stage, lambda: all(_told(stage, one, "receipt") for one in PLAYERS), "los recibos")


def _second_thoughts(stage: Stage, teller: Teller) -> None:
    if datetime.now(UTC) >= stage.closes:
        raise NightFailed(_TOO_SLOW)
    before = {one.name: _receipt(stage, one) for one in (QUIQUE, INES)}
    teller.quote("quique escribió", QUIQUE_ORDERS)
    teller.quote("turnero le contestó", shown(before[QUIQUE.name]), "yellow")
    teller.step("quique lee su recibo y manda el bloque otra vez; ines edita su mensaje antes del cierre")
    _reply(stage, QUIQUE, QUIQUE_AGAIN)
    ines = stage.people[INES.name]
    own = next(one for one in ines.comments(f"topic/{stage.topic}/") if one.author_name == INES.name)
    ines.edit(own.id, INES_EDITED)
    if datetime.now(UTC) >= stage.closes:
        raise NightFailed(
            "esta máquina va tan lenta que el turno se ha cerrado antes de tiempo: prueba otra vez"
        )
    with teller.waiting("Turnero vuelve a leer y corrige sus recibos"):
        _tick_until(
            stage,
            lambda: all(_receipt(stage, one) != before[one.name] for one in (QUIQUE, INES)),
            "los recibos corregidos",
        )
    teller.quote("quique escribió entonces", QUIQUE_AGAIN)
    teller.quote("y turnero", shown(_receipt(stage, QUIQUE)), "green")


def _too_late(stage: Stage, teller: Teller) -> None:
    left = (stage.closes - datetime.now(UTC)).total_seconds()
    teller.count_down(
        max(0.0, left) + 1.0, "Espero al cierre: el minuto entero cuenta, y manda el reloj del foro"
    )
    teller.step("bruno cambia de idea, pero ya es tarde")
    stage.people[BRUNO.name].post(stage.topic, BRUNO_LATE)


def _publish(stage: Stage, teller: Teller) -> None:
    with teller.waiting("Turnero cierra el turno, tira los dados y publica el informe"):
        _tick_until(stage, lambda: _turn(stage).status is TurnStatus.PUBLISHED, "el informe")


# What players do and see


def _conversations(stage: Stage, name: str) -> Iterator[tuple[str, str]]:
    """A person's private conversations with the bot: topic and path."""
    return iter(stage.people[name].conversations().items())


def _reply(stage: Stage, who: Person, text: str) -> None:
    topic, _ = next(_conversations(stage, who.name))
    stage.people[who.name].post(topic, text)


def _messages(stage: Stage, name: str) -> list[Comment]:
    """What the bot has written to somebody, in order."""
    browser = stage.people[name]
    posts = [one for _, path in _conversations(stage, name) for one in browser.comments(path)]
    return [one for one in posts if one.author == stage.bot]


def _told(stage: Stage, who: Person, kind: str) -> Comment | None:
    """The bot's newest private text of a kind for a player, None before there is one."""
    mark = f":{kind}-{who.seat.lower()}:"
    return next((one for one in reversed(_messages(stage, who.name)) if mark in one.html), None)


def _receipt(stage: Stage, who: Person) -> str:
    told = _told(stage, who, "receipt")
    return told.html if told else ""


# Turnero at work


def _turn(stage: Stage) -> TurnRow:
    with stage.service.database.read() as connection:
        found = turns.find_attempt(connection, TurnRef(stage.game, 1))
    if found is None:
        raise NightFailed("el turno 1 no está en la base de datos")
    return found


def _find_trouble(stage: Stage) -> str | None:
    """Why nothing will happen by itself, None while all is well."""
    turn = _turn(stage)
    if turn.status is TurnStatus.HELD:
        return f"el turno se ha quedado parado: {turn.reason}"
    with stage.service.database.read() as connection:
        row = games.get_game(connection, stage.game)
    return f"la partida está apartada: {row.note}" if row.status is GameStatus.PARKED else None


def _tick_until(stage: Stage, happened: Callable[[], bool], what: str) -> None:
    """Let Turnero work until something can be seen. Raises NightFailed for a held turn, or after a while."""
    ends = time.monotonic() + LONGEST
    while not happened():
        turn, trouble = _turn(stage), _find_trouble(stage)
        if trouble:
            raise NightFailed(f"esperando {what}: {trouble}")
        if time.monotonic() > ends:
            raise NightFailed(
                f"esperando {what}: en {LONGEST:.0f} s no ha pasado; el turno está «{turn.status}»"
            )
        tick(stage.service, only={stage.game}, budget=3.0, patience=1.5)
        time.sleep(_BREATH)


# The end


def _save(stage: Stage, folder: Path, when: str, told_when: str) -> tuple[Path, ...]:
    """Save the topic and all conversations. when: names the folder; told_when: says it to a reader."""
    wanted = [Wanted(stage.people[DIRECTOR], f"topic/{stage.topic}/", "tema.html", "El tema de la partida")]
    for name, told in (*((one.name, one.seat) for one in PLAYERS), (DIRECTOR, "la directora")):
        for number, (_, path) in enumerate(_conversations(stage, name), 1):
            file = f"privado-{name}.html" if number == 1 else f"privado-{name}-{number}.html"
            wanted.append(Wanted(stage.people[name], path, file, f"Los privados de {name} ({told})"))
    return save_pages(folder / PAGES / when, wanted, f"Bruma sobre Nácar, {told_when}", _reports(stage))


def _reports(stage: Stage) -> list[tuple[Path, str]]:
    """The reports with maps that lie in the game's folder once the turn is published."""
    told = [("report", "El informe, con mapas"), ("report-director", "Todo, para la directora, con mapas")]
    told += [(f"report-{one.seat.lower()}", f"El informe de {one.seat}, con sus mapas") for one in PLAYERS]
    found = [(stage.reports / f"{name}.html", words) for name, words in told]
    return [(path, words) for path, words in found if path.is_file()]


def _judge(stage: Stage, folder: Path, teller: Teller) -> int:
    """Let a process of its own look at the forum; its exit code is ours."""
    readers = [Reader(one.name, password_of(one.name), one.seat.lower()) for one in PLAYERS]
    readers.append(Reader(DIRECTOR, password_of(DIRECTOR), "director"))
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


def _sum_up(stage: Stage, teller: Teller, pages: Path, code: int) -> None:
    teller.blank()
    rows = ((f"{one.seat}\n({one.name})", one.habit, _understood(stage, one)) for one in PLAYERS)
    teller.table(("Quién", "Qué hace", "Qué entendió turnero"), rows)
    told = stage.people[DIRECTOR].comments(f"topic/{stage.topic}/")
    report = "\n\n".join(shown(one.html) for one in told if ":report:" in one.html)
    teller.quote("El informe, en el tema", report.partition("\nDados")[0], "magenta")
    teller.blank()
    teller.step("Todo en orden." if code == 0 else "El juez no está conforme: mira arriba las líneas con ✘.")
    places = (
        ("Tema", stage.topic_url),
        ("Páginas guardadas", str(pages)),
        ("Informe con mapas", f"{stage.reports}/report.html"),
        ("Mapas y gráfico", f"{stage.reports}/*.png"),
        ("Prueba de los dados", f"{stage.reports}/proof.json"),
        ("Comprobar los dados", f"turnero verify {stage.reports}/proof.json"),
    )
    for name, place in places:
        teller.console.print(f"       {name + ':':<21}{place}", soft_wrap=True)


def _understood(stage: Stage, who: Person) -> str:
    """The lines of orders and warnings in a player's receipt."""
    lines = shown(_receipt(stage, who)).splitlines()
    return "\n".join(line for line in lines if _ORDER.match(line))


def _leave(stage: Stage, teller: Teller) -> None:
    """Leave the forum running, and say how to get in and how to end it."""
    keeper = stage.server.leave_running()
    teller.step(f"El foro sigue en {stage.topic_url}. Para pararlo: kill {keeper}")
    names = ", ".join((DIRECTOR, BOT, *(one.name for one in PLAYERS)))
    teller.step(f"Entra como {names}; la contraseña de cada cual es «{password_of('NOMBRE')}»")
