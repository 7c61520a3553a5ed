"""Markdown as FlaskBB 3 reads it (mistune 3), which knows the backslash and no entities.

It looks for mentions before anything else, in code too and behind a backslash; only a character between the
`@` and the name keeps it from one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reporters.blocks import Piece
from reporters.markdown import MarkdownRenderer

_CODE_OR_ACTIVE = re.compile(
    r"(?P<code>(?P<ticks>`+)(?!`)[\s\S]*?(?<!`)(?P=ticks)(?!`))"
    r"|&#(?P<entity>\d+);"
    r"|(?P<active>\^|==|(?<=>)!)"  # superscript, marked text, spoilers
    r"|(?P<at>@)"  # in addresses only: everywhere else it stands as an entity
)
_MENTION = re.compile(r"@(?=[\w-])")
_APART = "\u2060"
"""Word joiner: nobody sees it."""


class FlaskbbRenderer(MarkdownRenderer):
    """Pieces to FlaskBB's Markdown."""

    def render(self, pieces: Sequence[Piece]) -> str:
        """See `MarkdownRenderer.render`; outside of code each entity is one of ours."""
        return _CODE_OR_ACTIVE.sub(_rewrite, super().render(pieces))


def _rewrite(found: re.Match[str]) -> str:
    if found["code"]:
        return _MENTION.sub(f"@{_APART}", found["code"])
    if found["entity"]:
        char = chr(int(found["entity"]))
        return {"@": f"@{_APART}", "&": "&"}.get(char, f"\\{char}")
    return "%40" if found["at"] else "".join(f"\\{char}" for char in found["active"])
