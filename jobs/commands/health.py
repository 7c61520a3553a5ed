"""`turnero status --health`: one line for a monitoring probe."""

from __future__ import annotations

from datetime import UTC, datetime

from processor.store.health import Health


def describe_health(health: Health, now: datetime) -> str:
    """`ok` or `bad`, and `name=number` pairs whose names and order stay. age: seconds; `-`: never."""
    last = health.last_tick
    pairs = {
        "games": health.games,
        "open": health.open,
        "asking": health.asking,
        "held": health.held,
        "parked": health.parked,
        "late": health.late,
        "canary": health.canary,
        "paused": int(health.paused),
        "last_tick": "-" if last is None else f"{last.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "age": "-" if last is None else int((now - last).total_seconds()),
    }
    told = " ".join(f"{name}={value}" for name, value in pairs.items())
    return f"{'ok' if health.is_well(now) else 'bad'} {told}"
