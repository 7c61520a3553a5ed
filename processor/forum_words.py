"""What went wrong with a forum, in words for the director: the adapters' own details are for developers."""

from __future__ import annotations

from processor.ports import ForumError

_SAID = {
    "forum/no-connection": "No hay conexión con el foro",
    "forum/timeout": "El foro no respondió a tiempo",
    "forum/cut": "La respuesta del foro llegó cortada",
    "forum/broken-answer": "La conexión con el foro se rompió a media respuesta",
    "forum/status": "El foro responde con un error ({detail})",
    "forum/too-big": "La página del foro es demasiado grande para leerla con seguridad",
    "forum/too-long": "El tema tiene demasiadas páginas para leerlo entero",
    "forum/no-date": "El foro no dice qué hora es, y sin su reloj no sé qué llegó a tiempo",
    "forum/foreign-address": "El foro me manda a otra dirección: pon la buena en «url» ({detail})",
    "forum/login": "El foro me devolvió la página de identificación",
    "forum/login-refused": "El foro no acepta la cuenta o la contraseña (dice: {detail})",
    "forum/login-limit": "El foro no deja identificarse más veces por ahora",
    "forum/other-account": "El foro me tomó por otra cuenta",
    "forum/forbidden": "El foro no deja ver esa página a la cuenta de Turnero",
    "forum/missing": "El foro dice que ese tema no existe",
    "forum/other-topic": "El foro me dio otro tema que el que pedí",
    "forum/other-page": "El foro me dio otra página que la que pedí",
    "forum/gap": "A la página le faltan mensajes",
    "forum/shifted": "Los mensajes del tema cambiaron de sitio mientras los leía",
    "forum/unknown-zone": "No sé en qué zona horaria ve las horas la cuenta de Turnero",
    "forum/wrong-zone": "La zona de [forum] y la de las preferencias de la cuenta no coinciden ({detail})",
    "turnero/not-visible": "He publicado un texto y no lo veo en el tema",
    "turnero/twin": "Un texto está dos veces en el foro",
}


def explain_error(error: ForumError) -> str:
    """What happened, as a sentence without its full stop."""
    said = _SAID.get(error.code, "El foro no se deja leer ({code}: {detail})")
    return said.format(code=error.code, detail=error.detail)
