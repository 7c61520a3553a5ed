"""The plays of the demo, one module each."""

from __future__ import annotations

from collections.abc import Mapping

from jobs.demo.play import Play
from jobs.demo.plays import conquista, valar

PLAYS: Mapping[str, Play] = {one.ruleset: one for one in (conquista.PLAY, valar.PLAY)}
"""By rule set; the first is what `turnero demo` plays where nothing is said."""
