"""The people of the demo's game, and what they write, as people write it."""

from __future__ import annotations

from dataclasses import dataclass

PASSWORD = "clave-de-{name}-para-una-noche"  # noqa: S105 - of a forum that lives for one night on loopback
BOT = "turnero"
DIRECTOR = "elena"
TOPIC = "Bruma sobre Nácar"


@dataclass(frozen=True, slots=True)
class Person:
    """A player. seat: the faction. habit: what is worth watching about how this one orders."""

    name: str
    seat: str
    habit: str


MARTA = Person("marta", "Alianza", "ordena por privado, a la primera")
QUIQUE = Person("quique", "Corsarios", "se equivoca al teclear, lee el recibo y corrige")
INES = Person("ines", "Hermandad", "ordena a la vista de todos y luego edita")
BRUNO = Person("bruno", "Sindicato", "cita órdenes ajenas, ordena por privado y cambia de idea tarde")
PLAYERS = (MARTA, QUIQUE, INES, BRUNO)


def password_of(name: str) -> str:
    """The forum password of an account of the demo."""
    return PASSWORD.format(name=name)


WELCOME = """\
¡Hola! Abro **Bruma sobre Nácar**: tres mundos, veinticuatro casillas y cuatro facciones.

- **Alianza del Faro**: marta
- **Corsarios**: quique
- **Hermandad**: ines
- **Sindicato**: bruno

Las órdenes son secretas: se las mandáis por mensaje privado a turnero, que cierra el turno a su hora \
y publica aquí lo que pase. Si algo no lo entiende, os lo dirá. ¡A disfrutar!
"""

MARTA_ORDERS = """\
¡Buenas noches! 🌙 Dejo esto y me voy a dormir, que mañana madrugo.

**Mis órdenes:**

[órdenes turno 1]
1. producir
2. construir puesto avanzado en NA-4
3. mover E1: 2 a NA-6, 3 a NA-7
[/órdenes]

¡Suerte a todos! (menos a Bruno)
"""

QUIQUE_ORDERS = """\
Al abordaje!!

[ordenes turno 1]
- producir
- fortifica TI-4 con 2
- invdir TI-7 con E11
[/ordenes]
"""

QUIQUE_AGAIN = """\
Uy, se me fue el dedo con las prisas 🙈 Van otra vez, enteras:

[ordenes turno 1]
- producir
- fortifica TI-4 con 2
- invadir TI-7 con E11
[/ordenes]
"""

INES_ORDERS = """\
Yo voy de frente, que se entere todo el mundo 😈

[ordenes turno 1]
a) **produce**
b) mueve E22 a ES-3
c) invade ES-7 con E21
[/ordenes]
"""

INES_EDITED = """\
Yo voy de frente, que se entere todo el mundo 😈

(Edito: E22 iba a ES-6, que ES-3 ya es mía.)

[ordenes turno 1]
a) **produce**
b) mueve E22 a ES-6
c) invade ES-7 con E21
[/ordenes]
"""

BRUNO_QUOTING = (
    "Gracias por avisar, compañera 😂 Te espero con café. Lo mío va por privado, como está mandado."
)

BRUNO_ORDERS = """\
```órdenes
turno 1
producir
espiar a los Corsarios
mover E31 a NA-7
```
"""

BRUNO_LATE = """\
¡Esperad, esperad! Que lo he pensado mejor:

[órdenes turno 1]
producir
fortificar TI-7 con 2
esperar
[/órdenes]
"""
