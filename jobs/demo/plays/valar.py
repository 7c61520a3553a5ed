"""A night of `valar`: missions that are told as stories, and a question that only the director can answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jobs.demo.play import Play
from jobs.demo.players import DIRECTOR, Person

if TYPE_CHECKING:
    from jobs.demo.night import Night

TOPIC = "El invierno del vado"

MARINA = Person("marina", "Aldana", "narra en el tema y enlaza su relato en la misión")
LUIS = Person("luis", "Brezo", "narra en el mismo mensaje en que ordena; luego llega tarde")
NURIA = Person("nuria", "Cardo", "cita un relato ajeno, que no le cuenta, y teclea mal un token")
TEO = Person("teo", "Dorna", "ordena a la vista de todos, apoya a otra casa y luego edita")
PLAYERS = (MARINA, LUIS, NURIA, TEO)

WELCOME = """\
¡Hola! Abro **El invierno del vado**: cuatro casas, un valle y poco grano.

- **Aldana**: marina
- **Brezo**: luis
- **Cardo**: nuria
- **Dorna**: teo

Todo lo que queráis cambiar es una misión. Las órdenes van por privado a turnero, que os dirá cómo las \
entiende. Y contadlas: quien narre lo suyo en ochenta palabras o más tira con +1. ¡Abrigaos!
"""

MARINA_STORY = """\
La nieve llegó al vado antes que los carros. La Capitana dejó el caballo bajo los alisos y siguió a pie, \
con el Explorador diez pasos por delante, como dos sombras que no se conocen.

—Hay luz en el molino —dijo él, sin volverse.

—Siempre hay luz en el molino —contestó ella—. La cuestión es quién la paga.

Contaron las ventanas, los perros y los sacos. Los sacos eran demasiados para un año de hambre. La \
Capitana se sopló las manos, sonrió por primera vez en una semana y le hizo una seña: esa noche sabrían \
para quién muele el molinero, aunque tuvieran que dormir entre la harina.
"""

MARINA_ORDERS = """\
Lo he contado en el tema, que para eso está. Y ésta es la letra pequeña:

[órdenes turno 1]
misión "Espiar el molino": Capitana, Explorador
objetivo: saber para quién muele el molinero
receta: espionaje
contra: casa Brezo: "Cerrar el molino"
roleo: {link}
opción éxito menor: mejora y 3 menores
misión "Levantar el muro": Mesnada
receta: obra
[/órdenes]
"""

LUIS_ORDERS = """\
El Senescal no cree en fantasmas, pero sí en los pasos que se oyen de noche junto al agua. Mandó \
despertar a los Jinetes sin encender una sola antorcha y los puso en fila delante del puente, uno por \
uno, para mirarles la cara.

—El molino se cierra hoy —les dijo—. Quien entre, que salga con las manos vacías. Y quien pregunte por \
qué, que pregunte en voz alta, para que yo sepa de quién es la voz.

Nadie preguntó. Un caballo resopló en la niebla, muy cerca, y no era de los suyos.

[órdenes turno 1]
misión "Cerrar el molino": Senescal, Jinetes
receta: escaramuza
contra: casa Aldana: "Espiar el molino"
consecuencias: reloj marca, secretos
[/órdenes]
"""

LUIS_LATE = """\
¡Un momento, que también tengo al Confesor mano sobre mano!

[órdenes turno 1]
misión "Rezar por todos": Confesor
receta: rito
[/órdenes]
"""

NURIA_ORDERS = """\
Qué bonito, marina. A mí con este frío no me sale ni una línea 🥶 Lo mío es comprar barato:

[órdenes turno 1]
misión "Comprar grano": Mercadre
receta: comercio
conocida por: casa Dorna
[/órdenes]
"""

NURIA_AGAIN = """\
Mercader, Mercader. Los guantes no ayudan:

[órdenes turno 1]
misión "Comprar grano": Mercader
receta: comercio
conocida por: casa Dorna
[/órdenes]
"""

TEO_ORDERS = """\
Dorna no se esconde. ¡Que corra el vino y que corra la voz!

[órdenes turno 1]
- misión "Correr la voz": Heredera, Arqueros
receta: rumores
- apoyar "Comprar grano" de Cardo con Bardo
[/órdenes]
"""

TEO_EDITED = """\
Dorna no se esconde. ¡Que corra el vino y que corra la voz!

(Edito: los Arqueros se quedan en casa, que alguien tiene que guardarla.)

[órdenes turno 1]
- misión "Correr la voz": Heredera
receta: rumores
- apoyar "Comprar grano" de Cardo con Bardo
[/órdenes]
"""

CORRECTIONS = """\
[[override]]
add = "director"
order = 'factor +1 en "Espiar el molino" por "Noche sin luna"'
reason = "Nadie ve a nadie"

[[override]]
add = "director"
order = 'tirada de fortuna "¿Llega la caravana?" factores −1 para todos'
reason = "Los caminos están mal"

[[override]]
add = "director"
order = 'marcar reloj "El deshielo" 4'
reason = "Tres días de sol"
"""
"""The director's own orders; the clock is full then, and nobody has said what happens."""

LETTERS = {DIRECTOR: ("held",), LUIS.name: ("answers-brezo",)}
"""While a turn waits, who writes orders is told that only answers are read."""

ANSWERS = {"answer": "El hielo se parte y el vado queda abierto", "reason": "Ya no se puede cruzar a pie"}


def order(night: Night) -> None:
    """A story with a link to it, one in the orders' own message, one that is only quoted, one in public."""
    night.tell("marina narra en el tema y enlaza su relato; luis narra en el mismo mensaje en que ordena;")
    night.tell("nuria cita a marina, pero lo citado no es suyo, y teclea mal; teo ordena a la vista de todos")
    story = night.post(MARINA, MARINA_STORY)
    night.whisper(MARINA, MARINA_ORDERS.format(link=night.link(story)))
    night.whisper(LUIS, LUIS_ORDERS)
    night.whisper(NURIA, f"{night.quotation(NURIA, story)}{NURIA_ORDERS}")
    night.post(TEO, TEO_ORDERS)
    night.await_receipts()


def reconsider(night: Night) -> None:
    """A token is spelt right, a post edited; the director gives orders of her own and looks what may come."""
    before = night.receipts(NURIA, TEO)
    night.show_exchange(NURIA, NURIA_ORDERS, "yellow")
    night.tell("nuria lee su recibo y manda el bloque otra vez; teo edita su mensaje antes del cierre")
    night.whisper(NURIA, NURIA_AGAIN)
    night.edit(TEO, TEO_EDITED)
    night.await_new_receipts(before)
    night.show_exchange(NURIA, NURIA_AGAIN, "green")
    night.write_corrections(CORRECTIONS)
    night.teller.quote(f"{DIRECTOR} escribe en {night.corrections.name}", CORRECTIONS, "blue")
    night.teller.quote(
        f"y mira con `turnero preview` lo que puede salir (sólo lo ve {DIRECTOR})", night.foretell()
    )


def come_late(night: Night) -> None:
    """Somebody remembers a token."""
    night.tell("luis se acuerda de otra misión, pero ya es tarde")
    night.post(LUIS, LUIS_LATE)


def rule(night: Night) -> None:
    """The turn waits, so who came late is told; the director copies what her letter says, and fills it in."""
    with night.teller.waiting(
        "Turnero cierra y tira los dados; el deshielo está lleno, y nadie ha dicho qué pasa"
    ):
        letter = night.await_letter("held")
        night.await_told(LUIS, "answers")
    night.teller.quote(f"turnero le escribe a {DIRECTOR}", letter.shown, "yellow")
    night.write_corrections(letter.filled(**ANSWERS))
    night.teller.quote(f"{DIRECTOR} copia eso en su archivo y lo rellena", letter.filled(**ANSWERS), "blue")


PLAY = Play("valar", TOPIC, WELCOME, PLAYERS, order, reconsider, come_late, rule, LETTERS)
