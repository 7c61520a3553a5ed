"""Foreign words in BBCode: nothing of them has an effect, and all of them read as they were written.

BBCode has no escape that all four forums know: entities work in MyBB and SMF and are shown as they stand in
phpBB and XenForo, `[noparse]`, `[nobbc]` and `[plain]` are each known to some only and can be closed from
within. What all four share is that a tag's name follows its bracket at once, and that smilies, mentions and
bare addresses are found by characters in a row. So a word joiner (U+2060: invisible, no width, no line break)
stands within the first characters of whatever could have an effect. It must be this one: XenForo's input
filter takes U+00AD, U+200B and U+FEFF away. No character is replaced or lost; whoever copies such words into
an order loses nothing either, since reading drops invisible characters.

Inside `[code]` no forum looks for any of these, so that there only the end of the code is broken up.
"""

from __future__ import annotations

import re

JOINER = "\u2060"

_TIME = r"(?<![\w:])(?P<time>\d{1,2}:\d\d)(?![\w:])"
# A file's name that people copy into a command: these endings are no domains.
_FILE = (
    r"(?<!(?i:www|ftp)\.)(?<!(?i:www)\d\.)(?<!(?i:www)\d\d\.)(?<!(?i:www)\d{3}\.)"
    r"(?:json|toml|txt|svg|html)(?![\w/])"
)
_ACTIVE = re.compile(
    _TIME + r"|\["  # tags, and SMF's marks of lists
    r"|@"  # mentions, addresses of mail
    r"|:(?!\s|\Z)"  # smilies, schemes of addresses; not the colon of a sentence or of a time of day
    r"|&(?=#?\w+;)"  # MyBB and SMF show an entity as its character
    r"|(?<=\w)(?P<dot>\.)(?=[^\W\d])(?!" + _FILE + r")"  # bare addresses: www.…, in SMF any known domain
    r"|\((?=\w{1,3}\))"  # MyBB's (c), (r), (tm), XenForo's (y), (n)
    r"|(?<!\S)/(?=[^\W\d])"  # /me and /slap
    r"|[8;=](?=['*^o-]?[()\[\]{}|\\/*<>DPOoXxpSs@$])"  # 8) ;) =)
    r"|(?<![^\W_])[BX](?=-?[()])|(?<!\w)[xX](?=[DP]\b)"  # B) xD
    r"|\?(?=\?\?)|\b[Oo](?=[0._-])|[\^-](?=[_-]?[\^-])|>(?=[:;])|<(?=3)"  # ??? O0 o_O ^_^ >:( <3
)
_CODE_END = re.compile(r"\[(?=\s*/?\s*(?:i?code|php|html)\b)", re.IGNORECASE)
_CODE_ENTITY = re.compile(r"&(?=#?\w+;)")


def escape_text(text: str) -> str:
    """Foreign words of one line, with a joiner in all that a forum would act on."""
    return _ACTIVE.sub(_join_active, text)


def escape_code(text: str) -> str:
    """Foreign lines to stand inside `[code]`: they can't end it; order blocks stay as they are."""
    return _CODE_ENTITY.sub(_join, _CODE_END.sub(_join, text))


def escape_json(text: str) -> str:
    """The same for JSON, which says the characters in its own way and so stays what it was, byte by byte
    once it is read; neither of them stands outside a string in front of a word.
    """
    return _CODE_ENTITY.sub(r"\\u0026", _CODE_END.sub(r"\\u005b", text))


def _join_active(found: re.Match[str]) -> str:
    """The joiner stands behind, but in front of a dot: `www.` alone begins an address."""
    if found["time"]:
        return found[0]
    return f"{JOINER}." if found["dot"] else found[0] + JOINER


def _join(found: re.Match[str]) -> str:
    return found[0] + JOINER
