"""`tesoro`: crews look for a chest that lies on one of some islands (rules in RULES.md)."""

from tesoro.ruleset import RULESET

__all__ = ["RULESET"]
