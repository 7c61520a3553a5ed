"""What the stand-in of phpBB says, in two languages: an adapter may understand neither."""

from __future__ import annotations

_ENGLISH = {
    "page-of": "Page <strong>{page}</strong> of <strong>{pages}</strong>",
    "posts": "{count} posts",
    "next": "Next",
    "previous": "Previous",
    "by": "by",
    "edited": "Last edited by {name} on {date}, edited {count} times in total.",
    "bumped": "Bumped by {name} on {date}.",
    "reason": "Reason:",
    "deleted": "This post was deleted.",
    "unapproved": "This post has to be approved.",
    "no-topic": "The requested topic does not exist.",
    "no-post": "The requested post does not exist.",
    "no-letter": "The message does not exist.",
    "no-user": "The requested users to be added do not exist.",
    "forbidden": "You are not authorised to read this forum.",
    "locked": "This topic is locked, you cannot edit posts or make replies.",
    "not-yours": "You can only edit your own posts.",
    "flood": "You cannot make another post so soon after your last.",
    "invalid": "The submitted form was invalid. Try submitting again.",
    "empty": "Your message contains too few characters.",
    "long": "Your message contains too many characters.",
    "queued": (
        "This message has been submitted successfully, but it will need to be approved by a "
        "moderator before it is publicly viewable."
    ),
    "letter-sent": "This message has been sent successfully.",
    "password": "You have specified an incorrect password.",
    "tries": "You exceeded the maximum allowed number of login attempts (password).",
    "letters": "{count} messages",
    "no-letters": "There are no messages.",
    "held": "{count} messages could not be moved.",
    "disabled": "Sorry but this board is currently unavailable.",
    "failed": "General Error",
}
_SPANISH = {
    "page-of": "Página <strong>{page}</strong> de <strong>{pages}</strong>",
    "posts": "{count} mensajes",
    "next": "Siguiente",
    "previous": "Anterior",
    "by": "por",
    "edited": "Última edición por {name} el {date}, editado {count} veces en total.",
    "bumped": "{name} reactivó este tema el {date}.",
    "reason": "Razón:",
    "deleted": "Este mensaje fue borrado.",
    "unapproved": "Este mensaje está pendiente de aprobación.",
    "no-topic": "El tema solicitado no existe.",
    "no-post": "El mensaje solicitado no existe.",
    "no-letter": "El mensaje privado no existe.",
    "no-user": "Los usuarios que quieres añadir no existen.",
    "forbidden": "No tienes permiso para leer este foro.",
    "locked": "Este tema está cerrado: no puedes editar mensajes ni responder.",
    "not-yours": "Sólo puedes editar tus propios mensajes.",
    "flood": "No puedes publicar otro mensaje tan pronto después del último.",
    "invalid": "El formulario enviado no era válido. Inténtalo otra vez.",
    "empty": "Tu mensaje tiene muy pocos caracteres.",
    "long": "Tu mensaje tiene demasiados caracteres.",
    "queued": "El mensaje se ha enviado, pero un moderador tiene que aprobarlo antes de que se vea.",
    "letter-sent": "El mensaje se ha enviado.",
    "password": "La contraseña (password) no es correcta.",
    "tries": "Has superado el número de intentos permitidos (password).",
    "letters": "{count} mensajes",
    "no-letters": "No hay mensajes.",
    "held": "{count} mensajes no han podido moverse.",
    "disabled": "El foro está en obras.",
    "failed": "Error general",
}


def say(language: str, key: str, **values: object) -> str:
    """A phrase in one of the languages."""
    return (_ENGLISH if language == "en" else _SPANISH)[key].format(**values)
