"""`turnero check` looks and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from jobs.cli import app


def test_a_folder_with_corrections_is_checked_without_a_database(tmp_path: Path) -> None:
    """On a machine that plays no games nothing is made, and the director is told what can't be seen here."""
    folder, data = tmp_path / "g", tmp_path / "data"
    run = CliRunner(env={"TURNERO_DATA": str(data), "TURNERO_DATABASE": ""})
    assert 0 == run.invoke(app, ["new", "conquista", str(folder)]).exit_code
    (folder / "overrides").mkdir(exist_ok=True)
    text = '[[override]]\ncancel = "Imperio#1"\nreason = "Lo pidió"\n'
    (folder / "overrides" / "turn-001.toml").write_text(text, encoding="utf-8")
    shown = run.invoke(app, ["check", str(folder)]).output
    assert ("⚠" in shown, (data / "turnero.db").exists()) == (True, False)
