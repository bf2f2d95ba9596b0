"""What several tests of trainings share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in the place of ``trained/``."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "trained"))
    return tmp_path / "trained"
