"""The rule set is sound, and its goldens come as they say."""

from __future__ import annotations

from pathlib import Path

from jobs.testing import find_faults

GOLDENS = sorted((Path(__file__).parent.parent / "golden").glob("*.toml"))


def test_nothing_is_wrong_with_it() -> None:
    """Declarations, texts in both languages, example games, and what the goldens expect."""
    assert [] == find_faults("tesoro", *GOLDENS)
