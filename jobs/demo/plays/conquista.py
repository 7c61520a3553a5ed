"""A night of `conquista`: a mistyped order, an edited post, a quotation, and somebody who comes too late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobs.demo.play import Play
from jobs.demo.players import Person

if TYPE_CHECKING:
    from jobs.demo.night import Night

TOPIC = "Bruma sobre Nácar"

MARTA = Person("marta", "Alianza", "ordena por privado, a la primera")
QUIQUE = Person("quique", "Corsarios", "se equivoca al teclear, lee el recibo y corrige")
INES = Person("ines", "Hermandad", "ordena a la vista de todos y luego edita")
BRUNO = Person("bruno", "Sindicato", "cita órdenes ajenas, ordena por privado y cambia de idea tarde")
PLAYERS = (MARTA, QUIQUE, INES, BRUNO)

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


def order(night: Night) -> None:
    """Three order in private, one of them mistyped; one in public, and is quoted."""
    night.tell("marta ordena por privado, quique también (y teclea mal), ines lo hace a la vista de todos,")
    night.tell("bruno la cita en el tema y manda lo suyo por privado, en un bloque de código")
    night.whisper(MARTA, MARTA_ORDERS)
    night.whisper(QUIQUE, QUIQUE_ORDERS)
    public = night.post(INES, INES_ORDERS)
    night.post(BRUNO, f"{night.quotation(BRUNO, public)}{BRUNO_QUOTING}")
    night.whisper(BRUNO, BRUNO_ORDERS)
    night.await_receipts()


def reconsider(night: Night) -> None:
    """Who mistyped sends the block again, who ordered in public edits it."""
    before = night.receipts(QUIQUE, INES)
    night.show_exchange(QUIQUE, QUIQUE_ORDERS, "yellow")
    night.tell("quique lee su recibo y manda el bloque otra vez; ines edita su mensaje antes del cierre")
    night.whisper(QUIQUE, QUIQUE_AGAIN)
    night.edit(INES, INES_EDITED)
    night.await_new_receipts(before)
    night.show_exchange(QUIQUE, QUIQUE_AGAIN, "green")


def come_late(night: Night) -> None:
    """Somebody thinks better of it."""
    night.tell("bruno cambia de idea, pero ya es tarde")
    night.post(BRUNO, BRUNO_LATE)


PLAY = Play("conquista", TOPIC, WELCOME, PLAYERS, order, reconsider, come_late)
