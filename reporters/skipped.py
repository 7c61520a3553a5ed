"""What looked like orders and doesn't count, each with its place and its reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reporters.blocks import Piece, line
from reporters.cleaning import excerpt
from reporters.setting import Setting
from rules.engine.messages import Code, Message, Param, Quoted, msg
from rules.play.reading import SkippedText

LATE = frozenset(("late", "doubtful"))
EDITED = "edited-late"
WHOLE_POSTS = frozenset(("no-seat", "early", "removed", "unapproved", "no-block", "ignored"))


def say_skipped(setting: Setting, skipped: Sequence[SkippedText]) -> Iterable[Piece]:
    """A paragraph about quotes, signatures and the like, and one about whole posts that don't count."""
    places = tuple(dict.fromkeys(_reason(setting, one) for one in skipped if one.why not in WHOLE_POSTS))
    if places:
        yield line(setting.say("skipped/list", places=places))
    posts = tuple(dict.fromkeys(_reason(setting, one) for one in skipped if one.why in WHOLE_POSTS))
    if posts:
        yield line(setting.say("skipped/posts", posts=posts))


def say_late(setting: Setting, late: Sequence[SkippedText]) -> Iterable[Piece]:
    """A paragraph about what came behind the deadline, and one about what was only changed then."""
    came = tuple(dict.fromkeys(_lateness(setting, one) for one in late if one.why in LATE))
    if came:
        yield line(setting.say("skipped/late-list", posts=came))
    changed = tuple(dict.fromkeys(_lateness(setting, one) for one in late if one.why == EDITED))
    if changed:
        yield line(setting.say("skipped/edited-list", posts=changed))
    yield from say_skipped(setting, [one for one in late if one.why not in LATE and one.why != EDITED])


def _reason(setting: Setting, one: SkippedText) -> Message:
    known = f"skipped/{one.why}"
    which = known if known in setting.catalogue else "skipped/other"
    words: dict[str, Param] = {"excerpt": Code(excerpt(one.excerpt)) if one.excerpt else None}
    if one.why == "ignored":
        words = {"excerpt": Quoted(one.excerpt)}  # the director's reason, which is prose
    author = Quoted(excerpt(one.author)) if one.author else None
    return msg(which, post=_place(setting, one), author=author, **words)


def _lateness(setting: Setting, one: SkippedText) -> Message:
    seat = setting.name(one.seat) if one.seat is not None else None
    return msg(f"skipped/{one.why}", seat=seat, post=_place(setting, one), time=setting.time(one.post.at))


def _place(setting: Setting, one: SkippedText) -> Message:
    """Where it stands, in words that are right for its author and for the director, who reads of it too."""
    return msg("skipped/private", url=one.post.url) if one.post.private else setting.short(one.post)
