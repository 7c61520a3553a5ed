"""How players' text is compared and cut into words: the door to folding, tokens, look-alike letters."""

from __future__ import annotations

from rules.engine.folding import (
    Folded,
    ForeignDigits,
    fold,
    fold_char,
    fold_with_positions,
    foreign_digits,
    is_foreign_digit,
    same_letters,
)
from rules.engine.lookalikes import Lookalike, confusables, unmask
from rules.engine.tokens import Flaw, Token, TokenKind, tokenize

__all__ = [
    "Flaw",
    "Folded",
    "ForeignDigits",
    "Lookalike",
    "Token",
    "TokenKind",
    "confusables",
    "fold",
    "fold_char",
    "fold_with_positions",
    "foreign_digits",
    "is_foreign_digit",
    "same_letters",
    "tokenize",
    "unmask",
]
