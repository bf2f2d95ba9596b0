"""A server that others can reach gives each visitor less, unless its operator says otherwise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from nlpviz.ui import limits

ROOT = Path(__file__).parents[3]
ALONE: dict[str, Any] = {
    "server.address": "127.0.0.1",
    "server.allowedHosts": ["localhost", "127.0.0.1"],
    "server.corsAllowedOrigins": [],
    "server.enableCORS": True,
    "server.maxUploadSize": 20,
}


@pytest.fixture(autouse=True)
def options(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Streamlit's options: those of a server for its own machine, unless a test changes them."""
    for variable in (limits.PUBLIC, *limits.SETTINGS):
        monkeypatch.delenv(variable, raising=False)
    held = dict(ALONE)
    monkeypatch.setattr(st, "get_option", held.__getitem__)
    return held


def test_who_sits_at_the_machine_is_given_most() -> None:
    assert not limits.public()
    assert limits.training_allowed()
    assert limits.paths_allowed()
    assert limits.downloads_allowed()
    assert limits.most_characters() == 200_000
    assert limits.most_characters(10_000) == 10_000


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("server.address", None),
        ("server.address", "0.0.0.0"),
        ("server.address", "192.0.2.1"),
        ("server.allowedHosts", ["localhost", "nlpviz.example.org"]),  # behind a proxy on the same machine
        ("server.allowedHosts", ["*"]),
        ("server.allowedHosts", []),  # any
        ("server.corsAllowedOrigins", ["https://nlpviz.example.org"]),
        ("server.enableCORS", False),
    ],
)
def test_a_server_that_others_can_reach_is_public(option: str, value: object, options: dict[str, Any]) -> None:
    options[option] = value
    assert limits.public()
    assert not limits.training_allowed()
    assert not limits.paths_allowed()
    assert not limits.downloads_allowed()
    assert limits.most_characters() == 20_000
    for setting in limits.SETTINGS.values():
        assert setting.public <= setting.alone


def test_trusted_visitors_train_and_still_name_no_path(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    options["server.address"] = "0.0.0.0"
    monkeypatch.setenv(limits.PUBLIC, "0")
    assert limits.training_allowed()
    assert not limits.paths_allowed(), "the path would be one of the server's machine"


def test_a_public_server_may_be_one_that_only_a_proxy_reaches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.PUBLIC, "1")
    assert limits.public()
    assert not limits.paths_allowed()
    assert not limits.training_allowed()


def test_the_environment_says_each_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    values = dict(zip(limits.SETTINGS, (1, 2, 3, 4, 5, 6, 7, 8, 50), strict=True))
    for variable, value in values.items():
        monkeypatch.setenv(variable, str(value))
    monkeypatch.setenv(limits.PUBLIC, "1")
    assert limits.training_allowed()
    assert (limits.most_minutes(), limits.most_rows(), limits.most_characters()) == (2, 3, 4)
    assert (limits.most_tab_bytes(), limits.most_races()) == (5 << 20, 6)
    assert (limits.race_minutes(), limits.most_maps()) == (7, 8)
    assert [limits.entries(usual) for usual in (12, 3, 1)] == [6, 1, 1]
    assert limits.most_upload_bytes() == 20 << 20


@pytest.mark.parametrize("value", ["many", "-1", "1.5", "²", "1e3"])
def test_what_is_no_limit_is_refused_in_a_sentence(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_RACES", value)
    with pytest.raises(limits.SettingError, match=r"NLPVIZ_RACES is .* Set it to an integer"):
        limits.most_races()
    monkeypatch.setenv(limits.PUBLIC, value)
    with pytest.raises(limits.SettingError, match=r"NLPVIZ_PUBLIC is .* Set it to 1 or 0"):
        limits.public()


@pytest.mark.ci
def test_the_committed_settings_are_those_of_a_server_for_its_own_machine() -> None:
    """Every option of them that is read is there: another name of it would be an error, not a public server."""
    asked = "limits.public(), limits.paths_allowed(), limits.most_upload_bytes() >> 20"
    code = f"from nlpviz.ui import limits; print({asked})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False True 200"


def test_the_table_of_the_docs_is_whole() -> None:
    table = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    rows = {
        name: (alone, public, says)
        for name, alone, public, says in re.findall(r"^\| `(NLPVIZ_\w+)` \| (.*?) \| (.*?) \| (.*?) \|$", table, re.M)
    }
    told = {name: (f"{each.alone:,}", f"{each.public:,}", each.says) for name, each in limits.SETTINGS.items()}
    assert {name: rows[name] for name in told} == told
    assert set(rows) == {limits.PUBLIC, *told}
