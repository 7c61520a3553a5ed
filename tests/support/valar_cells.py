"""What each band offers in each position and with each effect, written out by hand from the original.

C major, c minor, m an improvement; the first option is the default. 004: «con 6 o menos …» and the table
below it; Posición: «reduciendo», «incrementando las consecuencias sufridas en 1 paso», «no afecta a la
posibilidad de éxito o fracaso»; Efecto: «una mejora adicional (siempre y cuando la misión tenga éxito)»,
«no pueden recibirse mejoras de ningún tipo». valar.md: «beyond the ends of the table the end's options
hold», «Options with an m are dropped where the mission failed».
"""

from __future__ import annotations

TABLE = {
    ("fracaso mayor", "controlada"): "c",
    ("fracaso mayor", "arriesgada"): "C · 3c",
    ("fracaso mayor", "desesperada"): "C · 3c",
    ("fracaso menor", "controlada"): "c",
    ("fracaso menor", "arriesgada"): "c",
    ("fracaso menor", "desesperada"): "C · 3c",
    ("éxito menor", "controlada"): "nothing · m + c",
    ("éxito menor", "arriesgada"): "c · m + C · m + 3c",
    ("éxito menor", "desesperada"): "c",
    ("éxito simple", "controlada"): "m · 2m + c",
    ("éxito simple", "arriesgada"): "nothing · m + c",
    ("éxito simple", "desesperada"): "c · m + C · m + 3c",
    ("éxito superior", "controlada"): "m · 2m + c",
    ("éxito superior", "arriesgada"): "m · 2m + c",
    ("éxito superior", "desesperada"): "nothing · m + c",
}
"""Effect simple; written out by hand from the original and valar.md."""

GREATER = {
    "c": "m + c",
    "nothing · m + c": "m · 2m + c",
    "c · m + C · m + 3c": "m + c · 2m + C · 2m + 3c",
    "m · 2m + c": "2m · 3m + c",
}
"""Effect mayor, of missions that succeed."""

SMALLER = {
    "c": "c",
    "nothing · m + c": "nothing · c",
    "c · m + C · m + 3c": "c · C · 3c",
    "m · 2m + c": "nothing · c",
}
"""Effect menor: no improvements of any kind."""


def offered(band: str, position: str, effect: str) -> tuple[str, ...]:
    """The options of a cell, the default first."""
    plain = TABLE[band, position]
    if band.startswith("éxito"):
        plain = {"mayor": GREATER, "simple": {}, "menor": SMALLER}[effect].get(plain, plain)
    return tuple(plain.split(" · "))
