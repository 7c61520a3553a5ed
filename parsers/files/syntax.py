"""What TOML's parser says in English, said to a director: what is wrong there and what to write."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")

_CUT = ("el archivo se acaba antes de tiempo", "Cierra las comillas, los corchetes o las llaves que falten")
_SAID: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(said), wrong, right)
    for said, wrong, right in (
        (
            r"^Expected '=' after a key",
            "detrás de la clave no hay un signo «=»",
            'Escribe `clave = valor`; las claves con espacios, tildes o «/», entre comillas: `"Íñigo" = …`',
        ),
        (
            r"^Invalid initial character for a key part",
            "aquí tenía que empezar una clave",
            'Las claves con tildes u otros signos van entre comillas: `"Íñigo" = …`',
        ),
        (
            r"^Invalid value",
            "este valor no se entiende",
            'Los textos van entre comillas ("así"), los números sin ellas; sí y no son `true` y `false`',
        ),
        (
            r"^Expected newline or end of document after a statement",
            "detrás del valor sobra algo",
            "Pon cada clave en una línea suya",
        ),
        (
            r"^Cannot declare \((?P<what>.*)\) twice",
            "la tabla {what} ya se abrió antes",
            "Junta las dos en una, o usa `[[…]]` si es una lista",
        ),
        (r"^Cannot overwrite a value", "esta clave ya tiene un valor", "Deja sólo uno de los dos"),
        (
            r"^Duplicate inline table key (?P<what>.*)",
            "la clave {what} está dos veces entre las mismas llaves",
            "Deja sólo una de las dos",
        ),
        (
            r"^Cannot (?:mutate immutable|redefine) namespace",
            "esta tabla ya está escrita en otro sitio y no se puede ampliar aquí",
            "Escríbela entera en un solo sitio",
        ),
        (
            r"^Unclosed array",
            "la lista no se cierra",
            "Cierra la lista con «]» y separa sus valores con comas",
        ),
        (
            r"^Unclosed inline table",
            "la tabla entre llaves no se cierra en su línea",
            "Ciérrala con «}» y separa sus claves con comas; no puede ocupar varias líneas",
        ),
        (
            r"^Expected ']",
            "el encabezado de la tabla no se cierra",
            "Escribe `[tabla]` o `[[lista]]`, entero en su línea",
        ),
        (
            r"^(?:Unterminated string|Expected (?:\"'\"|'\"'|'\\?\"\\?\"\\?\"'|\"'''\"))",
            "el texto no se cierra",
            "Ciérralo con las mismas comillas con que se abre",
        ),
        (
            r"^Unescaped '\\' in a string",
            "dentro de comillas dobles, «\\» empieza un código y éste no existe",
            "Escribe «\\\\», o usa comillas simples: 'así'",
        ),
        (
            r"^(?:Invalid hex value|Escaped character is not a Unicode scalar value)",
            "detrás de «\\u» falta el número de un carácter",
            "Escribe el carácter mismo",
        ),
        (
            r"^Invalid date or datetime",
            "esa fecha no existe",
            "Escribe las fechas así: `2026-12-06T22:00:00`",
        ),
        (
            r"^(?:Illegal character|Found invalid character) (?P<what>.*)",
            "aquí no puede estar el carácter {what}",
            "Los textos de varias líneas van entre tres comillas; los demás caracteres de control se quitan",
        ),
        (
            r"^Invalid statement",
            "esta línea no es ni una clave ni una tabla",
            'Escribe `clave = valor` o `[tabla]`; las claves con tildes, entre comillas: `"Íñigo" = …`',
        ),
        (
            r"^Exceeds the limit .* for integer string conversion",
            "ese número es demasiado largo",
            "Escribe un número de pocas cifras",
        ),
    )
)


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """Where TOML's parser stopped. line: 1-based, None where it doesn't say; wrong, right: in Spanish."""

    line: int | None
    wrong: str
    right: str


def explain_syntax(said: str, lines: int) -> SyntaxFault:
    """Translate what `tomllib` said. lines: number of lines of the text, for faults at its end."""
    found = _PLACE.search(said)
    message = said[: found.start()] if found else said
    line = int(found[1]) if found and found[1] else lines if found else None
    for form, wrong, right in _SAID:
        matched = form.search(message)
        if matched:
            return SyntaxFault(line, wrong.format(**_readable(matched.groupdict())), right)
    if found and not found[1]:
        return SyntaxFault(line, *_CUT)
    return SyntaxFault(
        line,
        f"esto no es TOML ({message})",
        "Mira la línea y la anterior: suele faltar una comilla o un signo",
    )


def _readable(parts: dict[str, str]) -> dict[str, str]:
    """The parser names a dotted key as a Python tuple: `('a', 'b'` is `«a.b»`."""
    return {name: "«" + what.strip(", '").replace("', '", ".") + "»" for name, what in parts.items()}
