"""Numbers that players write in words: never read as numbers, only to suggest the digits."""

from __future__ import annotations

NUMBER_WORDS = {
    word: number
    for words in (
        "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince",
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
        "primero segundo tercero cuarto quinto sexto septimo octavo noveno decimo",
        "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv",
    )
    for number, word in enumerate(words.split(), 1)
}
"""Folded words, up to fifteen."""
