"""Order lines by a bare LALR parser (lark, contextual lexer): the verb and its arguments, and no names."""

from __future__ import annotations

from lark import Lark, Tree

GRAMMAR = r"""
start: "producir" -> produce | "esperar" -> pass_ | "espiar" ("a" | "al")? WORD -> spy
    | "construir" BUILDING "en" ID -> build | "fortificar" ID "con"? NUMBER ("puntos" | "punto")? -> fortify
    | "reclutar" NUMBER ("tropas" | "tropa")? "en" ID ("como" ID)? -> recruit
    | "mover" ID "a" ID ("," ID)* -> move | "mover" ID ":" part ("," part)* -> split
    | "unir" ID ("," ID)* "con" ID -> join | "invadir" ID "con" ID -> invade
    | "traspasar" NUMBER ("tropas" | "tropa")? "de" ID "a" ID -> transfer
    | "sabotear" ("a" | "al")? WORD "con" NUMBER ("dados" | "dado")? ("en" ID)? -> sabotage
    | "bombardear" ("a" | "al")? ID "con" NUMBER ("dados" | "dado")? "desde" ID -> bombard
    | "ceder" gift ("a" | "al") WORD ("a" "cambio" "de" gift)? -> cede
part: NUMBER ("tropas" | "tropa")? ("a" ID ("como" ID)? | "quedan" | "queda")
gift: NUMBER ("suministros" | "suministro") | ID
BUILDING.2: "puesto avanzado" | "puesto" | "generador de escudos" | "generador"
ID.2: /[a-z]+-?[0-9]+/
NUMBER: /[0-9]+/
WORD: /[a-z]+/
%ignore " "
"""
PARSER = Lark(GRAMMAR, parser="lalr")


def parse(line: str) -> Tree[str]:
    """One line's tree; one bad line costs one line."""
    return PARSER.parse(line)  # type: ignore[return-value]
