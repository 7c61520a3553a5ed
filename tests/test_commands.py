"""The commands of a director, over a game of `conquista` on a forum in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from html import escape
from itertools import chain, count
from pathlib import Path

import pytest
from sqlalchemy import update
from typer.testing import CliRunner, Result

from jobs import host
from jobs.catalogues import load_catalogue
from jobs.cli import app
from jobs.commands.paper import say_span
from jobs.commands.seats import SeenAccount, list_accounts
from jobs.folders import check_folder, load_game, load_setup
from jobs.pipeline import PIPELINE
from jobs.settings import SettingsError
from parsers.files.game import parse_game
from processor.ports import Forum, LoginFailed
from processor.service.bundle import FolderFault, Service
from processor.service.looking import look_at
from processor.store import games
from processor.store.rests import Rest, store_rest
from processor.store.rows import SendState
from processor.store.tables import outbox
from rules.play.game import FormerPlayer, Game
from rules.play.posts import Post
from tests.support.databases import new_database
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.memory_forum import TOPIC, Fault, Kept, MemoryForum
from tests.support.small_night import make_service
from tests.support.zones import other_rules

GAME = """\
id = "veth"
title = "Cruzada de Veth"
ruleset = "conquista"
zone = "Europe/Madrid"
[forum]
software = "spirit"
url = "http://127.0.0.1:9/"
topic = 7
account = "turnero"
[director]
login = "gm"
[schedule]
first = 2026-12-06
at = "22:00"
days = ["domingo"]
[seats]
Imperio = { account = 2, login = "alice" }
Tau = { account = 3, login = "bob" }
Caos = {}
"""

SETUP = """\
[planets]
VE = { name = "Veth" }
[cells]
VE-1 = { owner = "Imperio" }
VE-2 = { adjacent = ["VE-1"] }
VE-3 = { owner = "Tau", adjacent = ["VE-2"] }
VE-4 = { owner = "Caos", adjacent = ["VE-3"] }
[factions]
Imperio = { supplies = 6, base = "VE-1" }
Tau = { supplies = 6, base = "VE-3", block = 2 }
Caos = { base = "VE-4", block = 3 }
[armies]
E1 = { owner = "Imperio", cell = "VE-1", troops = 3 }
"""

CLOSING = "domingo 6 de diciembre de 2026, 22:00 (Madrid), 21:00 UTC"

RIGHT = "[órdenes turno 1]\nmover E1 a VE-2\n[/órdenes]"
WRONG = "[órdenes turno 1]\nproducir\nmoveer E1 a VE-2\n[/órdenes]"


class LineForum(MemoryForum):
    """A forum that keeps line ends, as Spirit does."""

    def _shown(self, post: Kept) -> Post:
        html = "".join(f"<p>{escape(part).replace(chr(10), '<br>')}</p>" for part in post.text.split("\n\n"))
        return replace(super()._shown(post), html=html)


@dataclass
class Stage:
    """A director's machine: a folder, a forum, a clock."""

    folder: Path
    clock: HandClock
    forum: LineForum
    service: Service

    def run(self, *arguments: str, text: str | None = None) -> Result:
        """Type a command; `DIR` stands for the game's folder."""
        typed = [str(self.folder) if one == "DIR" else one for one in arguments]
        return CliRunner().invoke(app, typed, input=text)

    def lines(self, *arguments: str, text: str | None = None) -> list[str]:
        """What a command prints."""
        return self.run(*arguments, text=text).output.splitlines()


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """A folder that is right and not yet registered."""
    folder = tmp_path / "veth"
    folder.mkdir()
    (folder / "game.toml").write_text(GAME, encoding="utf-8")
    (folder / "setup.toml").write_text(SETUP, encoding="utf-8")
    clock = HandClock()
    forum = LineForum(clock, accounts={"turnero": "1", "alice": "2", "bob": "3", "gm": "9"})
    forum.write("9", "Aquí se juega.")
    database = new_database()
    numbers = chain((7, 7), count(8))  # the game's secret and its first seed; no later turn has the same
    made = make_service(database, clock, forum, random_bytes=lambda size: bytes([next(numbers)]) * size)
    service = replace(made, pipeline=PIPELINE)

    @contextmanager
    def open_service() -> Iterator[Service]:
        yield service

    def open_forum(_game: Game) -> Forum:
        return forum

    monkeypatch.setattr(host, "open_service", open_service)
    monkeypatch.setattr(host, "open_forum", open_forum)
    monkeypatch.setattr(host, "has_database", lambda: True)
    monkeypatch.setattr(host, "now", clock.now)
    monkeypatch.setattr(host, "start_logging", lambda level=0: None)
    return Stage(folder, clock, forum, service)


@pytest.fixture
def opened(stage: Stage) -> Stage:
    """A registered game whose first turn is open."""
    assert 0 == stage.run("register", "DIR").exit_code
    assert 0 == stage.run("tick").exit_code
    return stage


# check


def test_check_tells_what_a_right_folder_holds(stage: Stage) -> None:
    """Files, seats, and the next deadline in full."""
    result = stage.run("check", "DIR")

    assert (0, [
        "✔ game.toml: «Cruzada de Veth», 3 puestos, 1 vacante",
        "✔ setup.toml: Conquista, desde el turno 1",
        f"✔ El próximo cierre según el calendario: {CLOSING}",
    ]) == (result.exit_code, result.output.splitlines())  # fmt: skip


def test_check_names_the_mistakes_of_all_files_at_once(stage: Stage) -> None:
    """A broken game file doesn't hide what is wrong in the setup or in an override."""
    (stage.folder / "game.toml").write_text(GAME.replace('zone = "', 'zona = "'), encoding="utf-8")
    (stage.folder / "setup.toml").write_text(SETUP.replace("troops", "tropas"), encoding="utf-8")
    (stage.folder / "overrides").mkdir()
    (stage.folder / "overrides" / "turn-001.toml").write_text(
        '[[override]]\ncancel = "Tau#1"\n', encoding="utf-8"
    )
    result = stage.run("check", "DIR")

    assert 1 == result.exit_code
    assert [
        "✘ game.toml, línea 4, «zona»",
        "✘ setup.toml, línea 13, «armies.E1.tropas»",
        "✘ overrides/turn-001.toml, línea 1, «override#1.reason»",
    ] == [line.split(":")[0] for line in result.output.splitlines()]


def test_check_asks_the_forum_where_told_to(stage: Stage) -> None:
    """Login, the topic to its end, the clocks, private messages."""
    assert [
        "✔ Entro en http://127.0.0.1:9/ como «turnero» (cuenta 1)",
        "✔ Leo entero el tema 7 «Partida»: 1 mensaje",
        (
            "✔ Entiendo sus páginas: mensajes del 1 al 1 sin huecos, 1 autor con su cuenta, horas al minuto, "
            "0 editados"
        ),
        "✔ El reloj del foro y el de esta máquina van a la par (se llevan 0 s)",
        "✔ Leo los mensajes privados: 0 conversaciones",
        "✔ Lo que no puedo saber sin publicar es si la cuenta tiene permiso para escribir en el tema.",
    ] == stage.lines("check", "DIR", "--forum")[3:]


def test_check_refuses_secrets_where_they_cant_be_sent(stage: Stage) -> None:
    """Without asking the forum: what registering would say, word by word."""
    game = GAME.replace('software = "spirit"', 'software = "flarum"')
    (stage.folder / "game.toml").write_text(game, encoding="utf-8")
    result = stage.run("check", "DIR")
    said = (
        "Las órdenes de la partida son secretas (secret = true), y con este foro "
        '(software = "flarum") no hay mensajes privados: pon secret = false o elige otro foro'
    )
    assert (1, f"✘ {said}") == (result.exit_code, result.output.splitlines()[-1])
    stage.forum.capabilities = replace(stage.forum.capabilities, private=False)
    refused = stage.run("register", "DIR")
    assert (1, True) == (refused.exit_code, said in " ".join(refused.output.split()))
    open_game = game.replace('account = "turnero"', 'account = "turnero"\nsecret = false')
    (stage.folder / "game.toml").write_text(open_game, encoding="utf-8")
    shown = stage.lines("check", "DIR", "--forum")
    assert any("Este foro no tiene mensajes privados: las órdenes van en el tema" in line for line in shown)
    assert 0 == stage.run("register", "DIR").exit_code


def test_check_posts_a_line_where_told_to(stage: Stage) -> None:
    """In the topic, or in another one that is named; it ends as a line that says what it was."""
    told = [stage.lines("check", "DIR", *options)[-2:] for options in (("--post",), ("--test-topic", "12"))]
    posts = stage.forum.by_bot()
    assert [(TOPIC, "102"), ("12", "103")] == [(post.topic, str(post.id)) for post in posts]
    assert ["Aquí Turnero probó si podía publicar. No cuenta para nada."] * 2 == [post.text for post in posts]
    expected = [
        "✔ He publicado la línea de prueba: http://foro.example/comment/102/find/",
        (
            "✔ La he editado: queda en una línea que dice que era una prueba "
            "(http://foro.example/comment/102/find/)"
        ),
    ]
    assert [expected, [line.replace("102", "103") for line in expected]] == told


def test_check_writes_to_the_director_where_told_to(stage: Stage) -> None:
    """In private, and nothing in the topic."""
    assert (
        "✔ He escrito a «gm» un mensaje privado de prueba: mira si le ha llegado"
        == (stage.lines("check", "DIR", "--private")[-1])
    )
    assert [] == stage.forum.by_bot(TOPIC)


def test_check_leaves_nothing_in_a_forum_where_something_is_wrong(stage: Stage) -> None:
    """First things first: no test line as long as the clocks differ."""
    stage.forum.drift = timedelta(minutes=30)
    result = stage.run("check", "DIR", "--post", "--private")
    assert (1, []) == (result.exit_code, stage.forum.by_bot())
    assert "Mientras algo de eso no vaya bien no escribo nada de prueba." == result.output.splitlines()[-1]


def test_check_fails_where_the_forum_refuses_the_account(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so in Spanish and looks no further."""

    def refuse() -> str:
        raise LoginFailed("forum/login-refused", "no session", words="Please enter a correct username")

    monkeypatch.setattr(stage.forum, "open", refuse)
    result = stage.run("check", "DIR", "--forum")

    assert 1 == result.exit_code
    assert ["✘ El foro no acepta la cuenta o la contraseña (dice «Please enter a correct username»)."] == (
        result.output.splitlines()[3:]
    )


def test_check_finds_clocks_that_differ(stage: Stage) -> None:
    """Cut-off is by the forum's clock, so a difference matters before the night."""
    stage.forum.drift = timedelta(minutes=30)
    result = stage.run("check", "DIR", "--forum")

    assert 1 == result.exit_code
    assert "✘ El reloj del foro y el de esta máquina no coinciden (19:30 y 19:00 UTC)" in result.output


@pytest.mark.parametrize("arguments", [("check", "nada"), ("register", "."), ("status", "nada"), ("check",)])
def test_what_is_no_game_is_a_usage_error(stage: Stage, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """A folder that isn't there or holds no game ends with 2."""
    typed = [str(tmp_path) if one == "." else one for one in arguments]

    assert 2 == stage.run(*typed).exit_code


# folders


def test_a_folder_that_cannot_be_used_says_why(stage: Stage) -> None:
    """The service is told every mistake in one text."""
    (stage.folder / "setup.toml").unlink()
    with pytest.raises(FolderFault, match=r"setup\.toml: no está en"):
        load_game(stage.folder)


def test_the_starting_state_comes_from_the_setup(stage: Stage) -> None:
    """As the rule set's own state."""
    assert 3 == load_setup(stage.folder, load_game(stage.folder)).armies["E1"].troops


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"id = '\xe1'", ("game.toml", 1, "file/encoding")),
        (b"#" * 300_000, ("game.toml", None, "file/too-big")),
        (b"id = ", ("game.toml", 1, "file/syntax")),
    ],
)
def test_files_are_read_with_care(
    stage: Stage, content: bytes, expected: tuple[str, int | None, str]
) -> None:
    """What is no UTF-8, too large or no TOML is one mistake of that file."""
    (stage.folder / "game.toml").write_bytes(content)

    assert [expected] == [(one.file, one.line, one.code) for one in check_folder(stage.folder).problems]


# register, status, tick


def test_register_makes_a_game_known_once(stage: Stage) -> None:
    """The second time nothing changes, and it says so."""
    first, second = stage.lines("register", "DIR"), stage.lines("register", "DIR")

    assert "✔ «Cruzada de Veth» (veth) registrada." == first[0]
    assert [
        "✔ «Cruzada de Veth» (veth) ya estaba registrada.",
        f"El turno 1 se cierra el {CLOSING}.",
    ] == second


def test_a_broken_game_is_not_registered(stage: Stage) -> None:
    """Its mistakes are told, and no other command knows it."""
    (stage.folder / "setup.toml").write_text(SETUP.replace("troops = 3", "troops = 0"), encoding="utf-8")

    assert 1 == stage.run("register", "DIR").exit_code
    assert ["No hay ninguna partida registrada: `turnero register CARPETA`."] == stage.lines("status")
    assert 2 == stage.run("tick", "DIR").exit_code


def test_status_says_who_has_ordered_and_what_is_missing(opened: Stage) -> None:
    """Seats with their orders and where they stand, vacant ones, and the time that is left."""
    opened.forum.whisper("2", WRONG)
    opened.clock.sleep(900)
    opened.run("tick")
    result = opened.run("status", "DIR")

    assert 0 == result.exit_code
    assert [
        "Cruzada de Veth (veth, conquista)",
        f"Turno 1: abierto · cierre: {CLOSING} · dentro de 1 hora y 45 minutos",
        "  Imperio  1 orden · ✘ 1 línea no vale · en privado, 20:00",
        "  Tau      sin órdenes",
        "  Caos     vacante · sin órdenes",
        "Faltan las órdenes de Tau.",
    ] == result.output.splitlines()  # fmt: skip


def test_status_waits_for_nobody_who_is_away(opened: Stage) -> None:
    """Who has announced to be away is said to be, and isn't among those whose orders are missing."""
    assert "Faltan las órdenes de Imperio y Tau." == opened.lines("status", "DIR")[-1]
    opened.run("seats", "DIR", "absence", "Tau", "2026-12-01", "2026-12-14")
    away = opened.lines("status", "DIR")

    assert "  Tau      avisó de que no estaría · sin órdenes" in away
    assert "Faltan las órdenes de Imperio." == away[-1]


def test_status_says_that_the_rules_of_the_zone_have_changed(opened: Stage, tmp_path: Path) -> None:
    """What the players read, what it is now, and the line that brings it back; the letter says it too."""
    assert "⚠" not in opened.run("status", "DIR").output
    with other_rules(tmp_path / "zones", "Europe/Madrid", timedelta(hours=2)):
        told = opened.lines("status", "DIR")
        opened.clock.sleep(960)
        opened.run("tick")
    warning = (
        "El cierre se anunció para las 22:00 (Europe/Madrid), y con las reglas horarias que ahora tiene esta "
        "máquina esa hora son las 23:00. Vale la hora UTC que se anunció, las 21:00. Para que vuelva a ser a "
        "las 22:00, pon deadline = 2026-12-06T22:00:00 en el archivo de correcciones."
    )
    assert f"  ⚠ {warning}" == told[2]
    letter = opened.forum.by_bot()[-1].text
    for words in (
        "ya no es la que leyeron los jugadores",
        "`deadline = 2026-12-06T22:00:00`",
        "turn-001.toml",
    ):
        assert words in letter


def test_output_is_plain_where_it_is_piped(opened: Stage) -> None:
    """No colours, and a long line stays one line."""
    output = opened.run("status").output

    assert "\x1b" not in output
    assert any(len(line) > 100 for line in output.splitlines())


def test_a_night_by_tick_alone(opened: Stage) -> None:
    """Receipts, report and the next turn; status, show and the folder tell it afterwards."""
    opened.forum.whisper("2", RIGHT)
    opened.forum.whisper("3", "[órdenes]\nproducir\n[/órdenes]")
    opened.clock.set(DEADLINE + timedelta(minutes=2))
    result = opened.run("tick", "DIR")

    assert 0 == result.exit_code
    assert result.output.endswith(" pasos.\n")
    assert "Turno 2: abierto" in opened.lines("status", "DIR")[1]
    told = opened.lines("show", "DIR", "--turn", "1")
    assert f"Turno 1: publicado · cierre: {CLOSING}" == told[1]
    assert "    1. Mover `E1` a `VE-2`" in told
    assert any(line.startswith("  conquista/cell-occupied [Imperio#1]: ") for line in told)
    assert "  proof.json" in told
    assert (opened.folder / "reports" / "turn-001" / "proof.json").is_file()


def test_show_tells_the_corrections_of_the_turn(opened: Stage) -> None:
    """The entries of the override file in its own words, each with its reason."""
    (opened.folder / "overrides").mkdir()
    (opened.folder / "overrides" / "turn-001.toml").write_text(
        '[[override]]\ncancel = "Imperio#1"\nreason = "Avisó tarde"\n'
        '[[override]]\ndeadline = 2026-12-07T22:00:00\nreason = "Puente"\n',
        encoding="utf-8",
    )
    told = opened.lines("show", "DIR", "--turn", "1")

    assert "Correcciones (overrides/turn-001.toml)" in told
    assert "  cancel = Imperio#1 — Avisó tarde" in told
    assert "  deadline = 2026-12-07T22:00:00 — Puente" in told


def test_show_knows_only_turns_that_are_there(opened: Stage) -> None:
    """Another number is a usage error."""
    result = opened.run("show", "DIR", "--turn", "9")

    assert 2 == result.exit_code
    assert "no tiene turno 9" in result.output


def test_a_held_turn_ends_with_one_until_it_is_retried(opened: Stage) -> None:
    """Nearly nobody has ordered: tick and status say why and what to do; retry goes on."""
    opened.clock.set(DEADLINE + timedelta(minutes=2))
    ticked, status = opened.run("tick"), opened.run("status", "DIR")

    assert (1, 1) == (ticked.exit_code, status.exit_code)
    assert any(line.startswith("✘ veth: el turno 1 está detenido. ") for line in ticked.output.splitlines())
    assert f"Para seguir: `turnero retry {opened.folder}`" in status.output.splitlines()
    assert 0 == opened.run("retry", "DIR").exit_code
    assert 0 == opened.run("tick").exit_code
    assert "Turno 2: abierto" in opened.lines("status", "DIR")[1]


def test_a_parked_game_is_named_with_its_mistake(opened: Stage) -> None:
    """A file that was broken later concerns its own game; its director reads line and key."""
    (opened.folder / "game.toml").write_text(GAME.replace('"22:00"', '"02:10"'), encoding="utf-8")
    opened.clock.sleep(900)
    ticked, status = opened.run("tick"), opened.run("status", "DIR")

    assert (1, 1) == (ticked.exit_code, status.exit_code)
    assert "✘ veth: apartada. game.toml, línea 14, «schedule.at»" in ticked.output
    assert "game.toml, línea 14, «schedule.at»" in status.output


def test_retry_ends_the_rest_of_the_forum(opened: Stage) -> None:
    """A forum that was left alone because it didn't answer is tried again when its director says so."""
    with opened.service.database.write() as connection:
        url, now = "http://127.0.0.1:9/", opened.clock.now()
        store_rest(connection, Rest(url, 6, now, now + timedelta(minutes=15)))
    said = f"✔ El foro {url} no respondía y se dejaba descansar: el próximo `turnero tick`, o `turnero serve`"
    assert [f"{said} enseguida, vuelve a probarlo."] == [" ".join(opened.run("retry", "DIR").output.split())]
    assert 0 == opened.run("tick").exit_code
    assert "Esta partida no está detenida" in opened.run("retry", "DIR").output


def test_retry_again_publishes_what_a_moderator_has_rejected(opened: Stage) -> None:
    """`status` says what waits and how to say that it was thrown away; what is there after all isn't sent
    twice.
    """
    first = update(outbox).where(outbox.c.kind == "open", outbox.c.part == 1)
    with opened.service.database.write() as connection:
        connection.execute(first.values(state=SendState.QUEUED, reason="cuenta nueva"))
    status = opened.lines("status", "DIR")
    said = " ".join(opened.run("retry", "DIR", "--again").output.split())
    count = len(opened.forum.by_bot())
    ticked = opened.run("tick").exit_code
    assert any("espera a que un moderador del foro lo apruebe: cuenta nueva" in line for line in status)
    assert any(f"`turnero retry {opened.folder} --again` lo publica otra vez." in line for line in status)
    assert said.startswith("✔ Publico otra vez 1 texto, si no está ya en el foro:")
    assert (0, count) == (ticked, len(opened.forum.by_bot()))
    assert not [line for line in opened.lines("status", "DIR") if "moderador" in line]


def test_retry_of_a_game_that_goes_well_changes_nothing(opened: Stage) -> None:
    """It says that there is nothing to do."""
    assert ["Esta partida no está detenida: no hay nada que reintentar."] == opened.lines("retry", "DIR")


# reminders


def test_who_has_no_orders_is_reminded_in_private(stage: Stage) -> None:
    """How long there is, until when, and what happens without orders; who has ordered isn't bothered."""
    game = GAME.replace("[seats]", '[policies]\nreminder = "1h"\n[seats]')
    (stage.folder / "game.toml").write_text(game, encoding="utf-8")
    stage.run("register", "DIR")
    stage.run("tick")
    stage.forum.whisper("2", RIGHT)
    stage.clock.set(DEADLINE - timedelta(hours=1))
    stage.run("tick")
    reminders = [post for post in stage.forum.by_bot() if ":reminder-" in post.text]

    (reminder,) = reminders
    assert (
        "Queda 1 hora para el cierre del turno 1 (domingo 6 de diciembre, 22:00 (Madrid)) y aún no tengo"
        " órdenes tuyas. Si no llegan, este turno no harás nada."
    ) == reminder.text.split("\n")[0]
    assert frozenset({"1", "3"}) == stage.forum.conversations[reminder.topic][1]


# extend, pause, resume


def override_text(stage: Stage) -> str:
    """The first turn's override file."""
    return (stage.folder / "overrides" / "turn-001.toml").read_text(encoding="utf-8")


def public_text(stage: Stage) -> str:
    """What Turnero has said in the topic."""
    return "\n".join(post.text for post in stage.forum.by_bot(TOPIC))


def test_extend_gives_the_turn_more_time(opened: Stage) -> None:
    """The command writes what the director would write, tells the new deadline, and so does the topic."""
    assert [
        "✔ El turno 1 se cierra el lunes 7 de diciembre de 2026, 22:00 (Madrid), 21:00 UTC.",
        "Lo cuento en el tema con el próximo `turnero tick`, o `turnero serve` enseguida.",
    ] == opened.lines("extend", "DIR", "24h", "--reason", 'El foro «cayó»\ndos "horas"')
    assert '[[override]]\nextend = "24h"\nreason = "El foro «cayó»\\ndos \\"horas\\""\n' == override_text(
        opened
    )
    assert 0 == opened.run("tick").exit_code
    assert "lunes 7 de diciembre de 2026, 22:00 (Madrid), 21:00 UTC" in opened.lines("status", "DIR")[1]
    assert "Ahora tienes hasta el lunes 7 de diciembre de 2026, 22:00 (Madrid)" in public_text(opened)


def test_a_command_leaves_the_rest_of_the_file_alone(opened: Stage) -> None:
    """Comments, entries and a missing line end stay as they were; the new entry stands behind them."""
    (opened.folder / "overrides").mkdir()
    before = '# de Ana\n[[override]]\nextend = "1h" # una\nreason = "Se lo debía"'
    (opened.folder / "overrides" / "turn-001.toml").write_text(before, encoding="utf-8")

    assert 0 == opened.run("extend", "DIR", "2d").exit_code
    added = '\n\n[[override]]\nextend = "2d"\nreason = "Lo decide quien dirige"\n'
    assert before + added == override_text(opened)
    opened.run("tick")
    assert "martes 8 de diciembre de 2026, 23:00 (Madrid)" in opened.lines("status", "DIR")[1]


def test_a_pause_lasts_until_it_is_ended(opened: Stage) -> None:
    """The turn stays open over its deadline; then it goes on by as much as it stood still."""
    opened.forum.whisper("2", RIGHT)
    assert "✔ El turno 1 queda en pausa" in opened.run("pause", "DIR").output
    opened.run("tick")
    opened.clock.set(DEADLINE + timedelta(hours=5))
    opened.run("tick")
    assert "en pausa" in opened.lines("status", "DIR")[1]
    assert (
        "✔ El turno 1 se cierra el lunes 7 de diciembre de 2026, 05:00 (Madrid)"
        in opened.run("resume", "DIR").output
    )
    opened.run("tick")
    assert "El turno 1 queda en pausa" in public_text(opened)
    assert "El turno 1 sigue" in public_text(opened)


def test_all_games_are_paused_by_one_switch(opened: Stage) -> None:
    """Nothing is read, closed or published; then each turn has the time left that it had, and is told so."""
    assert 0 == opened.run("pause", "--all").exit_code
    assert ["Todas las partidas estaban ya en pausa."] == opened.lines("pause", "--all")
    requests = opened.forum.requests
    opened.clock.set(DEADLINE + timedelta(hours=3))
    ticked = opened.run("tick")
    assert (0, requests) == (ticked.exit_code, opened.forum.requests)
    assert "⚠ Todas las partidas están en pausa desde el 2026-12-06 19:" in ticked.output
    assert "⚠ Todas las partidas están en pausa" in opened.lines("status", "DIR")[0]
    assert "1 turno cierra más tarde" in opened.run("resume", "--all").output
    assert ["Las partidas no estaban en pausa."] == opened.lines("resume", "--all")
    opened.run("tick")
    assert "lunes 7 de diciembre de 2026, 03:00 (Madrid)" in opened.lines("status", "DIR")[1]
    assert "Ahora tienes hasta el lunes 7 de diciembre de 2026, 03:00 (Madrid)" in public_text(opened)


@pytest.mark.parametrize("arguments", [("pause",), ("resume",), ("pause", "DIR", "--all")])
def test_a_pause_is_of_one_game_or_of_all(arguments: tuple[str, ...], opened: Stage) -> None:
    """Anything else is a mistake, and nothing is paused."""
    result = opened.run(*arguments)

    assert 2 == result.exit_code
    assert "o --all para todas" in result.output
    assert opened.run("tick").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("extend", "DIR", "mañana"), "turn-001.toml, línea 2"),
        (("extend", "DIR", "9000d"), "dentro de más de un año"),
        (("resume", "DIR"), "el turno no está en pausa"),
    ],
)
def test_a_command_that_makes_no_sense_writes_nothing(
    arguments: tuple[str, ...], said: str, opened: Stage
) -> None:
    """It says what is wrong and leaves the folder as it was."""
    result = opened.run(*arguments)

    assert (1, True) == (result.exit_code, said in result.output)
    assert not (opened.folder / "overrides").exists()


def test_a_closed_turn_is_not_extended(opened: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it is locked the deadline is over for good."""
    opened.forum.whisper("2", RIGHT)
    opened.forum.whisper("3", RIGHT.replace("mover E1 a VE-2", "producir"))
    opened.clock.set(DEADLINE + timedelta(minutes=2))
    opened.forum.post_faults.extend([Fault.REFUSE] * 9)
    opened.run("tick")
    result = opened.run("extend", "DIR", "24h")

    assert 2 == result.exit_code
    assert "El turno 1 ya está cerrado" in result.output


# read


def test_read_collects_at_once(opened: Stage) -> None:
    """Without waiting for the next look the posts are there, and the receipt goes out."""
    opened.forum.whisper("2", RIGHT)
    result = opened.run("read", "DIR")

    assert 0 == result.exit_code
    assert "  Imperio  1 orden ✔ · en privado, 20:00" in result.output.splitlines()
    assert [] != [post for post in opened.forum.by_bot(TOPIC) if ":receipts:" in post.text]


def test_read_fails_where_the_forum_does(opened: Stage) -> None:
    """What is wrong is said in Spanish; nothing is lost."""
    opened.forum.read_faults.append(Fault.LOGIN_PAGE)
    result = opened.run("read", "DIR")

    assert 1 == result.exit_code
    assert "⚠ El último intento no salió: El foro me devolvió la página de identificación." in result.output
    assert f"`turnero check {opened.folder} --forum` dice qué falla." in result.output


def test_a_text_is_understood_as_its_receipt_would_say(opened: Stage) -> None:
    """Line by line, with suggestions; refused lines end with 1; nothing is stored or published."""
    before = len(opened.forum.posts)
    wrong = opened.run("read", "DIR", "--text", "-", "--seat", "imperio", text=WRONG)
    right = opened.run("read", "DIR", "--text", "-", "--seat", "Imperio", text=RIGHT)

    assert (1, 0) == (wrong.exit_code, right.exit_code)
    assert "1. Producir" in wrong.output
    assert "¿Querías decir `mover E1 a VE-2`?" in wrong.output
    assert "1. Mover `E1` a `VE-2`" in right.output
    assert before == len(opened.forum.posts)
    assert "  Imperio  sin órdenes" in opened.lines("status", "DIR")


def test_a_text_can_be_tried_before_the_game_is_registered(stage: Stage) -> None:
    """Then it is for the first turn."""
    assert 0 == stage.run("read", "DIR", "--text", "-", "--seat", "Imperio", text=RIGHT).exit_code


@pytest.mark.parametrize(
    "text", ["producir", "[órdenes turno 7]\nproducir\n[/órdenes]", "[órdenes]\nproducir"]
)
def test_a_text_without_a_block_that_counts_fails(stage: Stage, text: str) -> None:
    """No block, another turn's, one that isn't closed."""
    assert 1 == stage.run("read", "DIR", "--text", "-", "--seat", "Imperio", text=text).exit_code


@pytest.mark.parametrize("seat", [(), ("--seat", "Eldar")])
def test_a_text_needs_a_seat_of_the_game(stage: Stage, seat: tuple[str, ...]) -> None:
    """The seats are listed."""
    result = stage.run("read", "DIR", "--text", "-", *seat, text=RIGHT)

    assert 2 == result.exit_code
    assert "Los puestos son Imperio, Tau y Caos." in result.output


# seats


def test_seats_lists_who_wrote_in_the_topic(stage: Stage) -> None:
    """With numbers to copy, and a line for a vacant seat that offers it to anybody but the director."""
    stage.forum.write("2", "¡Vamos!")
    stage.forum.write("5", "¿Hay sitio?")
    game = (stage.folder / "game.toml").read_text(encoding="utf-8")
    (stage.folder / "game.toml").write_text(game.replace('"gm"', '"jugador 9"'), encoding="utf-8")
    lines = stage.lines("seats", "DIR")

    assert ["cuenta  nombre", "9       jugador 9", "2       jugador 2", "5       jugador 5"] == [
        line[:17].rstrip() for line in lines[:4]
    ]
    assert "Imperio" == lines[2].split()[-1]
    assert "⚠ «Tau» es de la cuenta 3, que no ha escrito en el tema." in lines
    assert '  Caos = { account = 5, login = "jugador 5" }' in lines


def test_seats_writes_an_account_that_is_a_name_in_quotes(stage: Stage) -> None:
    """FlaskBB knows accounts by name: the line can be pasted as it is."""
    stage.forum.write("eva", "¿Hay sitio?")
    game = (stage.folder / "game.toml").read_text(encoding="utf-8")
    (stage.folder / "game.toml").write_text(game.replace('"gm"', '"jugador 9"'), encoding="utf-8")
    free = [line for line in stage.lines("seats", "DIR") if line.startswith("  Caos")]
    assert ['  Caos = { account = "eva", login = "jugador eva" }'] == free


def test_seats_notes_an_absence(stage: Stage) -> None:
    """It stands in the game's file behind everything else, and `check` finds nothing wrong with it."""
    result = stage.run("seats", "DIR", "absence", "Tau", "2026-12-01", "2026-12-14")

    assert 0 == result.exit_code
    assert "✔ Tau falta del martes 1 de diciembre al lunes 14 de diciembre" in result.output
    written = (stage.folder / "game.toml").read_text(encoding="utf-8")
    assert written.endswith('\n[[absences]]\nseat = "Tau"\nfrom = 2026-12-01\nuntil = 2026-12-14\n')
    assert written.startswith(GAME.rstrip())
    assert 0 == stage.run("check", "DIR").exit_code


def test_seats_gives_a_seat_to_somebody_else(stage: Stage) -> None:
    """From this minute on, by the game's clock; whoever has it last is who plays it."""
    replaced = stage.run("seats", "DIR", "replace", "Tau", "9", "gm")
    retired = stage.run("seats", "DIR", "retire", "Imperio")

    assert (0, 0) == (replaced.exit_code, retired.exit_code)
    assert "✔ Tau lo lleva desde ahora gm" in replaced.output
    assert "✔ Imperio queda vacante desde ahora" in retired.output
    game = parse_game((stage.folder / "game.toml").read_text(encoding="utf-8")).game
    tau, empire = game.seat("Tau"), game.seat("Imperio")
    assert ("9", "gm", None, None) == (tau.account, tau.login, empire.account, empire.login)
    assert (FormerPlayer("3", stage.clock.now()),) == tau.former
    assert 0 == stage.run("check", "DIR").exit_code


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("absence", "Tao", "2026-12-01", "2026-12-14"), "no hay un puesto Tao"),
        (("absence", "Tau", "2026-12-14", "2026-12-01"), "la ausencia acaba antes de empezar"),
        (("absence", "Tau", "mañana", "2026-12-01"), "«mañana» no es un día"),
        (("replace", "Tao", "9", "gm"), "no hay un puesto Tao"),
        (("replace", "Tau", "9"), "Se escribe así"),
        (("absences", "Tau"), "Se escribe así: turnero seats CARPETA absence"),
    ],
)
def test_an_absence_that_makes_no_sense_is_not_written(
    words: tuple[str, ...], said: str, stage: Stage
) -> None:
    """It says what is wrong and leaves the file as it was."""
    result = stage.run("seats", "DIR", *words)

    assert (2, True) == (result.exit_code, said in result.output)
    assert GAME == (stage.folder / "game.toml").read_text(encoding="utf-8")


def test_accounts_are_counted_without_ourselves(stage: Stage) -> None:
    """In the order of their first posts, with the newest name."""
    stage.forum.write("1", "Acuse")
    stage.forum.write("9", "Otra cosa")
    posts = stage.forum.read_topic(TOPIC).posts

    assert (SeenAccount("9", "jugador 9", 2, posts[-1].created_at),) == list_accounts(posts, "1")


# the host


def test_passwords_come_from_the_environment_or_a_private_file(stage: Stage, tmp_path: Path) -> None:
    """The game's own goes before the one for all; a file that others can read is refused."""
    game = load_game(stage.folder).game
    secret = tmp_path / "secret"
    secret.write_text("de archivo\n", encoding="utf-8")
    secret.chmod(0o600)

    both = {"TURNERO_FORUM_PASSWORD": "de todas", "TURNERO_VETH_PASSWORD": "suya"}
    assert "suya" == host.find_password(both, game)
    assert "de todas" == host.find_password({"TURNERO_FORUM_PASSWORD": "de todas"}, game)
    assert "de archivo" == host.find_password({"TURNERO_VETH_PASSWORD_FILE": str(secret)}, game)
    with pytest.raises(SettingsError) as missing:
        host.find_password({}, game)
    assert "TURNERO_VETH_PASSWORD_FILE" in missing.value.say(load_catalogue("es"))
    secret.chmod(0o644)
    with pytest.raises(SettingsError, match="secret-open"):
        host.find_password({"TURNERO_VETH_PASSWORD_FILE": str(secret)}, game)


def test_the_service_opens_on_a_fresh_machine(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is made where TURNERO_DATA says; a game without password ends with what to set."""
    monkeypatch.undo()
    for name in ("TURNERO_DATABASE", "TURNERO_FORUM_PASSWORD", "TURNERO_VETH_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TURNERO_DATA", str(tmp_path / "data"))

    assert ["No hay ninguna partida registrada: `turnero register CARPETA`."] == stage.lines("status")
    assert (tmp_path / "data" / "turnero.db").is_file()
    result = stage.run("register", "DIR")
    assert 1 == result.exit_code
    assert "ponla en la variable TURNERO_VETH_PASSWORD" in result.output


def test_serve_ticks_all_games(opened: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is due is done by the daemon too."""
    opened.forum.whisper("2", RIGHT)
    opened.clock.sleep(900)
    monkeypatch.setattr("jobs.commands.serve.serve", lambda run, interval: run(lambda: False))

    assert 0 == opened.run("serve").exit_code
    with opened.service.database.read() as connection:
        row = games.get_game(connection, "veth")
    assert 1 == len(look_at(opened.service, row).reading.seat("Imperio").orders)


# words


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (30, "menos de un minuto"),
        (60, "1 minuto"),
        (3660, "1 hora y 1 minuto"),
        (180_000, "2 días y 2 horas"),
    ],
)
def test_lengths_of_time_are_said_in_two_units(seconds: int, expected: str) -> None:
    """The two largest are enough."""
    assert expected == say_span(timedelta(seconds=seconds))


def test_a_tick_without_games_says_what_to_do(stage: Stage) -> None:
    """In one line, and it is no failure."""
    result = stage.run("tick")
    said = "No hay ninguna partida registrada: `turnero register CARPETA`."
    assert (0, said) == (result.exit_code, " ".join(result.output.split()))
