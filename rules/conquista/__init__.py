"""`conquista`: planets and cells, factions that produce, build, move and invade (original: 003)."""

from rules.conquista.ruleset import RULESET

__all__ = ["RULESET"]
