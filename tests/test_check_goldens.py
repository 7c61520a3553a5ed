"""tools/check_goldens.py, with a stand-in for `turnero rehearse`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import check_goldens

STAND_IN = """
import json, subprocess, sys
for name in sys.argv[1:]:
    done = subprocess.run([sys.executable, name], capture_output=True, text=True)
    print(json.dumps({"code": done.returncode, "said": done.stdout + done.stderr}))
"""


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player that runs the Python written into each file it is given."""
    program = tmp_path / "player.py"
    program.write_text(STAND_IN)
    monkeypatch.setattr(check_goldens, "PLAYER", program)
    return program


def write_golden(folder: Path, code: str) -> str:
    """A scenario whose rehearsal does what the code says."""
    golden = folder / "golden.toml"
    golden.write_text(code)
    return str(golden)


@pytest.mark.usefixtures("player")
@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        ("print('{}')", 0, "1 of 1 pass"),
        ("raise SystemExit('supplies: 8, expected 9')", 1, "supplies: 8, expected 9"),
        ("print(set('abcdefgh'))", 1, "output differs between PYTHONHASHSEED 0 and 4242"),
    ],
)
def test_a_golden_must_pass_alike_under_each_hash_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str, status: int, said: str
) -> None:
    """A failed rehearsal fails the check, and so does output that depends on the order of a set."""
    assert status == check_goldens.main([write_golden(tmp_path, code)])
    assert said in "".join(capsys.readouterr())


def test_no_goldens_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A check that found nothing to check has not passed."""
    monkeypatch.setattr(check_goldens, "ROOT", tmp_path)
    assert check_goldens.main([]) == 1
    assert "no goldens found" in capsys.readouterr().err


def test_a_golden_is_played_by_the_command_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """A scenario that passes, and none where there is no such file, as `turnero rehearse` says."""
    golden = next(iter(sorted((check_goldens.ROOT / "tests" / "golden" / "conquista").glob("*.toml"))))
    assert check_goldens.main([str(golden)]) == 0
    assert check_goldens.main([str(golden.with_name("none.toml"))]) == 1
    assert "none.toml" in capsys.readouterr().err


def test_a_player_that_breaks_is_no_pass(player: Path, tmp_path: Path) -> None:
    """What ends before it has told of every scenario has not checked them."""
    player.write_text("raise SystemExit(3)")
    with pytest.raises(RuntimeError, match="ended with 3"):
        check_goldens.main([write_golden(tmp_path, "print('{}')")])
