"""Texts on their way to the forum, before the outbox gives them markers and revisions."""

from __future__ import annotations

from dataclasses import dataclass

TOPIC = "topic"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One thing to publish.

    kind: names it in the marker (`report`, `receipts`, `open`, `report-imperio`): letters, digits, `-`.
    to: `topic` for the game's topic, else a seat's id or `director` for a private message.
    title: subject of a private conversation (one per seat and game), "" in the topic.
    parts: texts in the forum's dialect, in order, none longer than the forum allows less the marker.
    editable: kept as one post that is edited as it changes (receipts); its marker carries no hash.
    """

    kind: str
    to: str
    parts: tuple[str, ...]
    title: str = ""
    editable: bool = False


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A file for the game's folder `reports/turn-NNN/`. content: text as it is written, UTF-8."""

    name: str
    content: str
