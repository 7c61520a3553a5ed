"""The orders of `conquista`, as declarations: parsing, suggestions, help and guide come from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.conquista.state import Building, by_number
from rules.engine.arguments import AnyOf, Choice, Count, NewId, Pick, Unseen, sub
from rules.engine.messages import Code, Message, msg
from rules.engine.names import NameIndex
from rules.engine.orders import order
from rules.engine.tokens import tokenize
from rules.engine.wording import english

if TYPE_CHECKING:
    from rules.conquista.plan import ConquistaPlan


def _cells(plan: ConquistaPlan) -> dict[str, tuple[str, ...]]:
    return {key: plan.cell_names(key) for key in plan.state.cells}


def _armies(plan: ConquistaPlan) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys((*plan.now.armies, *plan.presumed), ())


def _names(plan: ConquistaPlan, faction: str) -> tuple[str, ...]:
    shown = plan.state.factions[faction].shown
    return (shown, faction) if shown else (faction,)


def _others(plan: ConquistaPlan) -> dict[str, tuple[str, ...]]:
    return {key: _names(plan, key) for key in plan.state.factions if key != plan.seat}


def _not_your_army(plan: ConquistaPlan, word: str) -> Message:
    """A foreign army that one can't see is answered like one that doesn't exist."""
    armies = plan.now.armies
    own = tuple(
        msg(
            "conquista/army-there",
            army=Code(key),
            cell=Code(armies[key].here.cell),
            troops=armies[key].troops,
        )
        for key in sorted(armies, key=by_number)
        if armies[key].likely
    )
    return msg("conquista/not-your-army", army=Code(word), own=own)


def _no_such_cell(plan: ConquistaPlan, word: str) -> Message:
    return msg("conquista/no-such-cell", cell=Code(word))


def _no_such_faction(plan: ConquistaPlan, word: str) -> Message:
    """One's own faction is a name that is known, but nobody to aim at."""
    own = NameIndex({plan.seat: _names(plan, plan.seat)}, ids=False, nouns=())
    playing = {cell.owner for cell in plan.state.cells.values()}
    shown = tuple(names[0] for key, names in sorted(_others(plan).items()) if key in playing)
    known = bool(own.find(tokenize(word), 0).ids)
    return msg("conquista/no-such-faction", word=Code(word), own=int(known), factions=shown)


CELL = Pick(_cells, "conquista/a-cell", nouns=("casilla",), en=("cell",), otherwise=_no_such_cell, fixed=True)
ARMY = Pick(_armies, "conquista/an-army", nouns=("ejército",), en=("army",), otherwise=_not_your_army)
FACTION = Pick(_others, "conquista/a-faction", ids=False, otherwise=_no_such_faction, fixed=True)
TROOPS = Count(1, 10_000, "conquista/some-troops")
NAME = NewId("conquista/an-army-name")
PART = sub(
    "conquista/a-part",
    "{troops} [tropas/tropa] a {cell} [como {name}]",
    "{troops} [tropas/tropa] quedan/queda/quedarse",
    en=(
        "{troops} [troops/troop] to/into {cell} [as {name}]",
        "{troops} [troops/troop] stay/stays/remain/remains",
    ),
    troops=TROOPS,
    cell=CELL,
    name=NAME,
)
DICE = Count(1, 99, "conquista/some-dice")
POINTS = Count(1, 99, "conquista/some-points")
MARK = AnyOf(
    {
        "cell": CELL,
        "army": Unseen("e[1-9][0-9]{0,5}", "conquista/a-foreign-army", nouns=("ejército",), en=("army",)),
    },
    "conquista/a-mark",
)
GIFT = sub(
    "conquista/a-gift",
    "{supplies} suministros/suministro",
    "{cell}",
    en=("{supplies} supplies/supply", "{cell}"),
    supplies=Count(1, 100_000, "conquista/some-supplies"),
    cell=CELL,
)
BUILDING = Choice(
    {
        Building.OUTPOST: ("puesto avanzado", "puesto"),
        Building.SHIELD: ("generador", "generador de escudos"),
    },
    "conquista/a-building",
    en={Building.OUTPOST: ("outpost",), Building.SHIELD: ("shield generator", "generator")},
)

PRODUCE = order(
    "produce",
    "producir",
    en=english("produce", example="produce"),
    summary="conquista/guide-produce",
    example="producir",
    cost="conquista/cost-nothing",
)
RECRUIT = order(
    "recruit",
    "reclutar {troops} [tropas/tropa] en {cell} [como {called}]",
    en=english("recruit {troops} [troops/troop] in/at {cell} [as {called}]", example="recruit 4 in CM-1"),
    troops=Count(0, 10_000, "conquista/some-troops"),
    cell=CELL,
    called=NAME,
    summary="conquista/guide-recruit",
    example="reclutar 4 en CM-1",
    cost="conquista/cost-recruit",
)
BUILD = order(
    "build",
    "construir {building} en {cell}",
    "construir {points} [puntos/punto] [de] fortificaciones/fortificación en {cell}",
    en=english(
        "build {building} in/at/on {cell}",
        "build {points} fortifications/fortification [points/point] in/at/on {cell}",
        example="build outpost in CM-33",
    ),
    building=BUILDING,
    cell=CELL,
    points=POINTS,
    summary="conquista/guide-build",
    example="construir puesto avanzado en CM-33",
    cost="conquista/cost-build",
)
FORTIFY = order(
    "fortify",
    "fortificar {cell} [con] {points} [puntos/punto]",
    en=english("fortify {cell} [with/by] {points} [points/point]", example="fortify CM-12 2"),
    cell=CELL,
    points=POINTS,
    verbs=("fortifique",),
    summary="conquista/guide-fortify",
    example="fortificar CM-12 2",
    cost="conquista/cost-fortify",
)
MOVE = order(
    "move",
    "mover {army} a {path,}",
    en=english("move {army} to/into {path,}", example="move E1 to CM-5, CM-6"),
    army=ARMY,
    path=CELL,
    verbs=("mueve", "mueva", "muevo"),
    summary="conquista/guide-move",
    example="mover E1 a CM-5, CM-6",
    cost="conquista/cost-nothing",
)
SPLIT = order(
    "split",
    "mover {army}: {parts,}",
    en=english(
        "move {army}: {parts,}", verbs=("split",), example="move E3: 2 to CM-5, 2 to CM-9, 3 to CM-12"
    ),
    army=ARMY,
    parts=PART,
    summary="conquista/guide-split",
    example="mover E3: 2 a CM-5, 2 a CM-9, 3 a CM-12",
    cost="conquista/cost-nothing",
)
JOIN = order(
    "join",
    "unir {armies,} con {army}",
    en=english("join {armies,} with/to {army}", verbs=("merge",), example="join E2 with E1"),
    armies=ARMY,
    army=ARMY,
    verbs=("une", "uní", "una", "uno"),
    summary="conquista/guide-join",
    example="unir E2 con E1",
    cost="conquista/cost-nothing",
)
TRANSFER = order(
    "transfer",
    "traspasar {troops} [tropas/tropa] de {giver} a {army}",
    en=english("transfer {troops} [troops/troop] from {giver} to {army}", example="transfer 3 from E2 to E1"),
    troops=TROOPS,
    giver=ARMY,
    army=ARMY,
    summary="conquista/guide-transfer",
    example="traspasar 3 de E2 a E1",
    cost="conquista/cost-nothing",
)
SPY = order(
    "spy",
    "espiar [a/al] {faction}",
    en=english("spy on {faction}", example="spy on Tau"),
    faction=FACTION,
    verbs=("espío", "espía", "espíe"),
    summary="conquista/guide-spy",
    example="espiar Tau",
    cost="conquista/cost-spy",
)
SABOTAGE = order(
    "sabotage",
    "sabotear [a/al] {faction} con {dice} [dados/dado] [en {cell}]",
    en=english(
        "sabotage {faction} with {dice} [dice/die] [in/at {cell}]", example="sabotage Kappa with 3 in EL-4"
    ),
    faction=FACTION,
    dice=DICE,
    cell=CELL,
    summary="conquista/guide-sabotage",
    example="sabotear Kappa con 3 en EL-4",
    cost="conquista/cost-sabotage",
)
INVADE = order(
    "invade",
    "invadir {cell} con {army}",
    en=english("invade {cell} with {army}", verbs=("attack",), example="invade CM-40 with E1"),
    cell=CELL,
    army=ARMY,
    verbs=("atacar",),
    summary="conquista/guide-invade",
    example="invadir CM-40 con E1",
    cost="conquista/cost-invade",
)
BOMBARD = order(
    "bombard",
    "bombardear [a/al] {mark} con {dice} [dados/dado] desde {army}",
    en=english("bombard {mark} with {dice} [dice/die] from {army}", example="bombard CM-40 with 2 from E1"),
    mark=MARK,
    dice=DICE,
    army=ARMY,
    summary="conquista/guide-bombard",
    example="bombardear CM-40 con 2 desde E1",
    cost="conquista/cost-bombard",
)
CEDE = order(
    "cede",
    "ceder {gift} a/al {faction} [a cambio de {price}]",
    en=english(
        "cede {gift} to {faction} [in exchange for {price}]",
        verbs=("give",),
        example="cede CM-20 to Tau in exchange for TA-3",
    ),
    gift=GIFT,
    faction=FACTION,
    price=GIFT,
    free=True,
    verbs=("dar", "doy"),
    summary="conquista/guide-cede",
    example="ceder CM-20 a Tau a cambio de TA-3",
    cost="conquista/cost-nothing",
)
PASS = order(
    "pass",
    "esperar",
    en=english("wait", verbs=("pass",), example="wait"),
    summary="conquista/guide-pass",
    example="esperar",
    cost="conquista/cost-nothing",
)

ORDERS = (
    PRODUCE,
    RECRUIT,
    BUILD,
    FORTIFY,
    MOVE,
    SPLIT,
    JOIN,
    TRANSFER,
    SPY,
    SABOTAGE,
    INVADE,
    BOMBARD,
    CEDE,
    PASS,
)
