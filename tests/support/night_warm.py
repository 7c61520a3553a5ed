"""What the nights' processes need, loaded before they are forked: Python starts once, not for each."""

from __future__ import annotations

from bs4 import BeautifulSoup

import tests.support.night_process  # noqa: F401 - loading it is the point

# Selectors of every shape, since each shape's expressions are compiled when first met.
BeautifulSoup("<p id='a' class='b'>c</p>", "lxml").select(
    "p#a.b > c[d='e'], f:not(g):has(h) ~ i + j:nth-child(2)"
)
