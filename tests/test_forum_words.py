"""Why something wasn't published, as the director reads it."""

from __future__ import annotations

import pytest

from jobs.catalogues import load_catalogue
from processor.forum_words import explain_error, explain_reason
from processor.ports import ForumError, IncompletePage, LoginFailed, Missing, NotATopic, Unreachable
from rules.engine.messages import Message, msg

ES = load_catalogue("es")
UNKNOWN = (
    "El foro dice que ese tema no existe, o que la cuenta de Turnero no puede verlo "
    "(«The specified thread does not exist»)"
)
DATE = (
    "Hay una fecha que no sé leer («30 November 2026»): "
    "en las opciones de la cuenta, elige un formato de fecha en números"
)
LOOKS = (
    "No entiendo una página del foro (page/drift: 2 of 3): "
    "¿está en obras, o ha cambiado de versión o de aspecto?"
)
UNSEEN = msg("sent/unseen", why=explain_error(Unreachable("forum/timeout", "no answer")))


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (msg("sent/closed"), "el tema está cerrado para la cuenta de Turnero"),
        (
            msg("sent/too-long", size=32_001, most=32_000),
            "el texto tiene 32.001 caracteres y el foro no admite más de 32.000",
        ),
        (
            msg("sent/company", count=2),
            "en la conversación hay 2 personas además de Turnero, y tiene que haber una",
        ),
        (
            msg("sent/several", count=0, title=None),
            "tendría que ver un mensaje nuevo mío, y no veo ninguno",
        ),
        (
            msg("sent/several", count=2, title="Órdenes"),
            "tendría que ver un mensaje nuevo mío titulado «Órdenes», y veo 2",
        ),
        (UNSEEN, "el foro lo ha aceptado, pero todavía no lo veo (El foro no respondió a tiempo)"),
        (
            msg("sent/other-recipient", to="ana", names=("Ana", "Anita")),
            "el foro dirige el mensaje a «ana», que no es Ana o Anita",
        ),
    ],
)
def test_our_reasons_are_said_in_the_game_s_language(reason: Message, expected: str) -> None:
    """They stand in the middle of a sentence, so they begin in lower case and have no stop."""
    said = explain_reason(reason)
    assert isinstance(said, Message)
    assert expected == ES.text(said)


def test_the_forum_s_own_words_are_quoted() -> None:
    """Whatever language it speaks, without its full stop; who says nothing is not quoted."""
    said = explain_reason("This topic is locked.")
    assert isinstance(said, Message)
    assert ("el foro dice «This topic is locked»", "") == (ES.text(said), explain_reason(""))


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            Missing("404"),
            "El foro dice que ese tema no existe, o que la cuenta de Turnero no puede verlo",
        ),
        (
            Missing("…", "The specified thread does not exist."),
            UNKNOWN,
        ),
        (
            LoginFailed("forum/login-refused", "no session", words="Wrong password."),
            "El foro no acepta la cuenta o la contraseña (dice «Wrong password»)",
        ),
        (
            LoginFailed("forum/login-refused", "the forum refuses name or password"),
            "El foro no acepta la cuenta o la contraseña",
        ),
        (
            LoginFailed("forum/key-other", "turnero"),
            "La clave no es la de la cuenta «turnero», que es la que dice game.toml: pide una para ella",
        ),
        (
            IncompletePage("page/unknown-date", "no date", words="30 November 2026"),
            DATE,
        ),
        (Unreachable("forum/status", "503"), "El foro responde con un error (503)"),
        (
            NotATopic("forum/closed-board", "…", words="Estamos por obras."),
            "El foro está cerrado para todos, y dice «Estamos por obras»",
        ),
        (IncompletePage("page/cut", "the JSON ends"), "La página del foro llegó cortada"),
        (
            IncompletePage("page/drift", "2 of 3"),
            LOOKS,
        ),
    ],
)
def test_what_went_wrong_is_said_with_the_forum_s_words_where_it_has_some(
    error: ForumError, expected: str
) -> None:
    """A page that nobody understands says what was seen, for whoever is to mend it."""
    assert expected == ES.text(explain_error(error))
