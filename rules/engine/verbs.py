"""Spanish verb forms as players write them: infinitive, imperatives (tú, vos, usted) and first person.

Regular forms and the regular changes of spelling are derived; stem changes and true irregulars are
declared with the order (`verbs=("mueve", "mueva", "muevo")`).
"""

from __future__ import annotations

from functools import lru_cache

from rules.engine.text import fold

_BEFORE_E = (("c", "qu"), ("g", "gu"), ("z", "c"))
"""Last letters of an -ar stem that change in front of e (buscar: busque, pagar: pague, cruzar: cruce)."""

_BEFORE_A = (("qu", "c"), ("gu", "g"), ("g", "j"))
"""Last letters of an -er/-ir stem that change in front of a and o (seguir: siga, coger: coja)."""


@lru_cache(maxsize=1024)
def forms_of(verb: str) -> frozenset[str]:
    """Folded forms of an infinitive; a word that is no infinitive has itself as its only form."""
    word = fold(verb)
    if len(word) < 4 or word[-2:] not in ("ar", "er", "ir"):
        return frozenset((word,))
    stem, ending = word[:-2], word[-2:]
    return frozenset((word, *(_ar_forms(stem) if ending == "ar" else _er_forms(stem, ending))))


def _ar_forms(stem: str) -> tuple[str, ...]:
    return (stem + "a", _changed(stem, _BEFORE_E) + "e", stem + "o", stem + "ad", stem + "amos")


def _er_forms(stem: str, ending: str) -> tuple[str, ...]:
    if ending == "ir" and stem.endswith("u") and not stem.endswith(("gu", "qu")):
        return (stem + "ye", stem + "i", stem + "ya", stem + "yo", stem + "id")  # construir
    subjunctive = _changed(stem, _BEFORE_A)
    if stem.endswith("c") and len(stem) > 1:
        subjunctive = stem[:-1] + ("zc" if stem[-2] in "aeou" else "z")  # producir, but vencer
    plain = (stem + "e", subjunctive + "a", subjunctive + "o")
    return (*plain, stem + "i", stem + "id") if ending == "ir" else (*plain, stem + "ed")


def _changed(stem: str, table: tuple[tuple[str, str], ...]) -> str:
    for last, becomes in table:
        if stem.endswith(last):
            return stem[: -len(last)] + becomes
    return stem
