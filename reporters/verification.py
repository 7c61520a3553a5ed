"""What `turnero verify` says about a proof, in Spanish or English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rules.engine.proofs import Problem, Proof

MOST_OF_A_KIND = 5
"""One wrong seed makes every die wrong: of each kind of problem only the first few are listed."""

_KINDS = {
    "es": {
        "null": "nada (null)",
        "boolean": "verdadero o falso",
        "whole": "un número entero",
        "fraction": "un número con decimales",
        "text": "un texto",
        "list": "una lista",
        "object": "un objeto {…}",
    },
    "en": {
        "null": "nothing (null)",
        "boolean": "true or false",
        "whole": "a whole number",
        "fraction": "a number with decimals",
        "text": "a text",
        "list": "a list",
        "object": "an object {…}",
    },
}

_SPANISH = {
    "proof/too-big": "el archivo pasa de {most} MB: no parece una prueba de dados.",
    "proof/not-utf8": "el archivo no está en UTF-8 (byte {byte}). Descárgalo otra vez sin cambiarlo.",
    "proof/not-json": "no es JSON válido: línea {line}, columna {column}. Descárgalo otra vez sin cambiarlo.",
    "proof/too-deep": "tiene demasiados niveles de paréntesis: no parece una prueba de dados.",
    "proof/duplicate-key": "esta clave aparece dos veces y no se sabe cuál vale.",
    "proof/not-a-number": "«{found}» no vale como número.",
    "proof/missing-key": "falta esta clave.",
    "proof/wrong-type": "aquí va {wanted} y hay {found}.",
    "proof/empty": "está vacío.",
    "proof/not-unicode": "tiene letras que no existen en Unicode.",
    "proof/not-nfc": "«{found}» no está en la forma NFC de Unicode: se ve igual, pero da otros dados.",
    "proof/not-digits": "van 64 cifras hexadecimales en minúscula y hay «{found}».",
    "proof/out-of-range": "{found} no vale: el mínimo es {least} y el máximo {most}.",
    "proof/entropy": 'van ["seed", ""], ["beacon", "quicknet:RONDA", "hex:…"] u ["orders", "", "hex:…"],'
    " con 64 cifras en minúscula detrás de «hex:».",
    "proof/commitment": "la semilla no corresponde al compromiso. Con este juego, este turno y esta"
    " semilla sale {computed}; la prueba dice {stated}. Compáralo con el que se publicó al abrir el turno.",
    "proof/key": "la clave de los dados no sale de esta semilla y esta entropía: sale {computed} y la"
    " prueba dice {stated}.",
    "proof/unbound": "falta la clave K: ningún dado depende de la entropía, y sin K no se puede comprobar.",
    "proof/twice": "`{label}`, dado {i}, ya está en {first}.",
    "proof/value-range": "`{label}`, dado {i}: {value} no puede salir en un dado de {n} caras.",
    "proof/roll": "`{label}`, dado {i}, de {n} caras: la prueba dice {value} y con esta semilla sale"
    " {computed}.",
    "proof/override-without-roll": "`{label}`, dado {i}, fue cambiado, pero no está entre las tiradas.",
    "proof/gap": "de `{label}` falta el dado {i}, y hay otros posteriores.",
    "proof/unchecked-key": "esta clave no es de una prueba: no la he comprobado.",
    "proof/secret": "el secreto de la partida no corresponde a su compromiso: sale {computed} y la prueba"
    " dice {stated}. Compáralo con el que se publicó al empezar la partida.",
    "proof/other-game": "«{found}» no es de esta partida y este turno.",
    "proof/group-seed": "la semilla de `{group}` no sale del secreto de la partida.",
    "proof/groups": "con estas semillas el compromiso de los dados secretos es {computed}, y no el que dice"
    " la prueba: falta un grupo o hay uno de más.",
    "proof/lock": "con estas órdenes y correcciones el cierre del turno da {computed}, y la prueba dice"
    " {stated}.",
}

_ENGLISH = {
    "proof/too-big": "the file has over {most} MB: it doesn't look like a proof of dice.",
    "proof/not-utf8": "the file isn't in UTF-8 (byte {byte}). Download it again without changing it.",
    "proof/not-json": "not valid JSON: line {line}, column {column}. Download it again without changing it.",
    "proof/too-deep": "brackets are nested too deep: it doesn't look like a proof of dice.",
    "proof/duplicate-key": "this key stands there twice, and nobody knows which one counts.",
    "proof/not-a-number": "“{found}” won't do as a number.",
    "proof/missing-key": "this key is missing.",
    "proof/wrong-type": "this must be {wanted} and is {found}.",
    "proof/empty": "it is empty.",
    "proof/not-unicode": "it has letters that don't exist in Unicode.",
    "proof/not-nfc": "“{found}” isn't in Unicode's NFC form: it looks the same but gives other dice.",
    "proof/not-digits": "this must be 64 lower-case hexadecimal digits and is “{found}”.",
    "proof/out-of-range": "{found} won't do: the least is {least}, the most {most}.",
    "proof/entropy": 'this must be ["seed", ""], ["beacon", "quicknet:ROUND", "hex:…"] or'
    ' ["orders", "", "hex:…"], with 64 lower-case digits after “hex:”.',
    "proof/commitment": "the seed doesn't belong to the commitment. This game, turn and seed give {computed};"
    " the proof says {stated}. Compare it with the one published when the turn opened.",
    "proof/key": "the key of the dice doesn't follow from this seed and entropy: they give {computed}, the"
    " proof says {stated}.",
    "proof/unbound": "the key K is missing: no die depends on the entropy, so it can't be checked without K.",
    "proof/twice": "`{label}`, die {i}, already stands at {first}.",
    "proof/value-range": "`{label}`, die {i}: {value} can't fall on a die of {n} sides.",
    "proof/roll": "`{label}`, die {i}, of {n} sides: the proof says {value}, this seed gives {computed}.",
    "proof/override-without-roll": "`{label}`, die {i}, was replaced but isn't among the rolls.",
    "proof/gap": "die {i} of `{label}` is missing, and later ones are there.",
    "proof/unchecked-key": "this key is none of a proof's: I haven't checked it.",
    "proof/secret": "the game's secret doesn't belong to its commitment: it gives {computed}, the proof says"
    " {stated}. Compare it with the one published when the game began.",
    "proof/other-game": "“{found}” isn't of this game and turn.",
    "proof/group-seed": "the seed of `{group}` doesn't follow from the game's secret.",
    "proof/groups": "these seeds give {computed} as the commitment to the secret dice, not what the proof"
    " says: a group is missing, or there is one too many.",
    "proof/lock": "these orders and corrections give {computed} as the turn's lock; the proof says {stated}.",
}

_VERDICT = {
    "es": {
        "checked": "✔ Turno {turn} de `{game}`: todos los dados de la prueba ({rolls}) salen de la semilla.",
        "none": "✔ Turno {turn} de `{game}`: la prueba no tiene dados; la semilla y la clave cuadran.",
        "published": "Compara el compromiso con el que se publicó al abrir el turno: {commitment}",
        "beacon": "Compara el valor de {source} con el de drand: {value}",
        "orders": "Modo de órdenes: quien publica el último puede probar variantes de su texto.",
        "replaced": "Dados cambiados por el director, con el valor verdadero al lado: {replaced}",
    },
    "en": {
        "checked": "✔ Turn {turn} of `{game}`: all dice of the proof ({rolls}) follow from the seed.",
        "none": "✔ Turn {turn} of `{game}`: the proof has no dice; seed and key fit.",
        "published": "Compare the commitment with the one published when the turn opened: {commitment}",
        "beacon": "Compare the value of {source} with drand's: {value}",
        "orders": "Mode orders: whoever posts last can try variants of their text.",
        "replaced": "Dice replaced by the director, with the true value beside: {replaced}",
    },
}

_TEXTS = {"es": _SPANISH, "en": _ENGLISH}
_WHOLE_FILE = {"es": "el archivo", "en": "the file"}
_MORE = {"es": "… y {count} más como esas.", "en": "… and {count} more like these."}


def render_problems(problems: Sequence[Problem], language: str = "es") -> list[str]:
    """A line for each problem, `✘ place: what is wrong`, of each kind the first few and a count of the rest.

    language: `es` or `en`. What comes from the file is shown without control characters and shortened.

    Raises:
        KeyError: another language.
    """
    return _render("✘", problems, language)


def render_doubts(doubts: Sequence[Problem], language: str = "es") -> list[str]:
    """A line for each of `verification.doubts_about`, as in `render_problems` but marked `⚠`."""
    return _render("⚠", doubts, language)


def render_verdict(proof: Proof, language: str = "es") -> list[str]:
    """The lines about a proof that holds: what was checked, and what the reader has to compare.

    language: `es` or `en`.
    """
    facts = {
        "turn": str(proof.turn),
        "game": shorten(proof.game),
        "rolls": str(len(proof.rolls)),
        "commitment": proof.commitment,
        "source": str(proof.entropy.parts[1]),
        "value": proof.entropy.texts()[-1].removeprefix("hex:"),
        "replaced": str(len(proof.overrides)),
    }
    said = ["checked" if proof.rolls else "none", "published"]
    said += [mode for mode in ("beacon", "orders") if proof.entropy.mode == mode]
    said += ["replaced"] if proof.overrides else []
    return [_VERDICT[language][key].format_map(facts) for key in said]


def _render(mark: str, problems: Sequence[Problem], language: str) -> list[str]:
    kinds = list(dict.fromkeys(problem.code for problem in problems))
    return [
        line
        for kind in kinds
        for line in _render_kind(mark, [one for one in problems if one.code == kind], language)
    ]


def _render_kind(mark: str, problems: Sequence[Problem], language: str) -> Iterable[str]:
    for problem in problems[:MOST_OF_A_KIND]:
        where = f"`{shorten(problem.where)}`" if problem.where else _WHOLE_FILE[language]
        yield f"{mark} {where}: {_TEXTS[language][problem.code].format_map(_words(problem, language))}"
    if len(problems) > MOST_OF_A_KIND:
        yield f"{mark} {_MORE[language].format(count=len(problems) - MOST_OF_A_KIND)}"


def _words(problem: Problem, language: str) -> Mapping[str, str]:
    words = {key: shorten(value) for key, value in problem.detail.items()}
    if problem.code == "proof/wrong-type":
        return {key: _KINDS[language][word] for key, word in words.items()}
    return words


def shorten(value: str | int) -> str:
    """A word of the file fit for a terminal: nothing invisible, at most 80 characters."""
    text = str(value)
    clean = "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in text[:80])
    return clean + "…" * (len(text) > 80)
