"""Posts that a person has copied into text files: the copy as it is now counts, by its own times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from processor.pipeline.context import PostVersion
from rules.play.game import Game


def settle_copies(game: Game, versions: Sequence[PostVersion]) -> Sequence[PostVersion]:
    """Of each copied post its newest copy, as if it had been seen when it was written or edited.

    A copy that was corrected is no edit by its player, and one that was taken away is none of a post. Pages
    that were saved are left as they are: what they show was in the forum.
    """
    if not game.forum.carried:
        return versions
    newest: dict[str, PostVersion] = {}
    for one in sorted(versions, key=lambda version: version.seen_at):
        newest[one.post.id] = one
    return [
        one if one.post.html is not None else _as_written(one)
        for one in versions
        if one.post.html is not None or (one is newest[one.post.id] and not one.missing)
    ]


def _as_written(one: PostVersion) -> PostVersion:
    at = one.post.edited_at or one.post.created_at
    return replace(one, seen_at=at, first_seen_at=at)
