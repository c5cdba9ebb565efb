"""Kill -9 under load, briefly; benchmarks/durability.py does it three hundred times."""

from __future__ import annotations

from torture import torture


def test_killed_under_load(address, tmp_path):
    """No acknowledged round lost, none doubled, every payment as issued, the state that of the log."""
    seen = torture(address, tmp_path, kills=4, seed=1)
    assert seen.kills == 4
    assert seen.cut > 0
    assert seen.rounds > 0
    assert seen.acknowledged["settle"] > 0
