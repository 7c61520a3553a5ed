"""The game's pure functions, bound for the service."""

from __future__ import annotations

from jobs.folders import load_game, load_setup
from processor.pipeline import texts
from processor.pipeline.correcting_posts import choose_posts
from processor.pipeline.filing import report_files
from processor.pipeline.locking import commitments, freeze
from processor.pipeline.reading import read_turn, wants_raw
from processor.pipeline.resolving import resolve_turn
from processor.pipeline.schedule import next_deadline
from processor.service.bundle import Pipeline
from rules.play.archive import dump_value, load_value

PIPELINE = Pipeline(
    load_game=load_game,
    load_setup=load_setup,
    commitments=commitments,
    wants_raw=wants_raw,
    read_turn=read_turn,
    freeze=freeze,
    resolve_turn=resolve_turn,
    opening=texts.opening,
    receipts=texts.receipts,
    reports=texts.reports,
    letters=texts.letters,
    report_files=report_files,
    dump_reading=dump_value,
    load_reading=load_value,
    next_deadline=next_deadline,
    choose_posts=choose_posts,
)
"""What games are really played with; tests of the service bind smaller ones."""
