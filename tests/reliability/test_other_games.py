"""Games that share a forum, an account of ours and players (design.md 2: whose orders a block is)."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobs.tick import tick
from tests.support.memory_forum import BOT, MemoryForum
from tests.support.small_night import start_night


def whisper_below(forum: MemoryForum, marker: str, block: str) -> None:
    """Bob sends a block in a conversation that our account has written in."""
    topic = forum.whisper("3", "Hola").topic
    forum.write(BOT, f"Aquí van tus órdenes.\n\n{marker}", topic)
    forum.write("3", block, topic)


@pytest.mark.parametrize(
    ("marker", "counted"), [("ptd1:otra:1.1:open-sur:1/1", 1), ("ptd1:pequena:1.1:open-sur:1/1", 2)]
)
def test_orders_in_another_games_conversation_are_not_this_games(
    marker: str, counted: int, tmp_path: Path
) -> None:
    """Who plays two games has a conversation for each, and no block counts in both."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.forum.whisper("3", "[órdenes]\ntirar dado\n[/órdenes]")
    whisper_below(night.forum, marker, "[órdenes]\ntirar dado\ntirar secreto\n[/órdenes]")
    night.clock.sleep(1200)
    tick(night.service)
    (receipt,) = (post.text for post in night.forum.by_bot() if "receipt-sur" in post.text)
    assert counted == receipt.count("tirar")
