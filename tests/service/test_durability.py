"""Kill -9 under load, briefly; benchmarks/durability.py does it three hundred times. And an end that is asked for."""

from __future__ import annotations

from scorewright.client import PrincipalClient
from service.conftest import GAME
from serving import Server
from torture import torture


def test_killed_under_load(address, tmp_path):
    """No acknowledged round lost, none doubled, every payment as issued, the state that of the log."""
    seen = torture(address, tmp_path, kills=4, seed=1)
    assert seen.kills == 4
    assert seen.cut > 0
    assert seen.rounds > 0
    assert seen.acknowledged["settle"] > 0


def test_told_to_end_while_somebody_watches(tmp_path):
    """An open event stream, which every page has, neither holds the service up nor is cut with an error."""
    log = tmp_path / "log"
    with (
        Server(str(tmp_path / "store.db"), 0, log) as server,
        PrincipalClient(server.url, server.facts["principal"], patience=1) as principal,
    ):
        events = principal.events(principal.create_session(GAME.setting).id)
        assert next(events).kind == "opened"
        server.stop()
    assert server.process.returncode == 0
    assert "Application shutdown complete" in log.read_text()
    assert '"error"' not in log.read_text()
