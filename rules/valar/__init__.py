"""`valar`: houses of a chronicle send tokens on missions, and missions have consequences (original: 004)."""

from rules.valar.ruleset import RULESET

__all__ = ["RULESET"]
