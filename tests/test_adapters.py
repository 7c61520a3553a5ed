"""The forum programs stand in a few lists that mustn't drift apart."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from importlib.resources import files

import pytest

from jobs.adapters import ADAPTERS
from jobs.commands.choosing import Software
from parsers.files.game import SOFTWARE
from parsers.markup.dialect import DIALECTS
from processor.forums.http import ForumHttp
from rules.play.game import CARRIED, ForumSettings
from tests.support.standin import STANDINS


def test_each_adapter_can_be_chosen_and_has_a_stand_in() -> None:
    """What `game.toml` may name is what `turnero new` offers, and the contract is held over each."""
    assert {*SOFTWARE} == {*ADAPTERS, *CARRIED} == {*Software}
    assert set(STANDINS) == set(ADAPTERS)
    assert set(ADAPTERS) <= set(DIALECTS)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("software", SOFTWARE)
def test_each_has_its_page_and_its_settings(software: str, language: str) -> None:
    """A director finds how to set it up, and a `game.toml` that explains itself."""
    for part in ("forum", "accounts"):
        text = (files("jobs.starting") / f"{part}.{software}.{language}.toml").read_text(encoding="utf-8")
        assert text.strip()


@pytest.mark.parametrize("software", ADAPTERS)
def test_what_an_administrator_has_changed_counts(software: str) -> None:
    """A forum may take less, or less often, than its program does by default."""
    adapter, http = ADAPTERS[software], ForumHttp("http://127.0.0.1:9/")
    usual = ForumSettings(software, "http://127.0.0.1:9/", "1", "turnero", "UTC")
    changed = replace(usual, max_chars=2_500, interval=timedelta(seconds=90))
    own, other = (adapter.open(one, "x", http).capabilities for one in (usual, changed))
    assert adapter.capabilities == own
    assert (2_500, 90.0) == (other.max_chars, other.min_interval)
    assert replace(own, max_chars=2_500, min_interval=90.0) == other
