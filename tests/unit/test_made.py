"""What is made once is made again when it must be, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest
from filelock import FileLock

from tests import made


class Session:
    """A run of pytest, as far as folders that are made once are concerned."""

    def __init__(self, folder: Path) -> None:
        """Keep temporary files in ``folder``."""
        self.folder = folder
        self.made = 0

    def getbasetemp(self) -> Path:
        """Return the folder for temporary files."""
        return self.folder

    def ask(self, *, fail: bool = False) -> Path:
        """Return the folder ``toys``, made of a file; ``fail`` half-way."""

        def make(folder: Path) -> None:
            self.made += 1
            (folder / "half").write_text("half", encoding="utf-8")
            if fail:
                raise KeyboardInterrupt
            (folder / "whole").write_text(str(folder), encoding="utf-8")

        return made.made_once(self, "toys", make)  # type: ignore[arg-type]


@pytest.fixture
def sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Session, Session]:
    """Two runs of pytest that follow one another, of the same code."""
    monkeypatch.setenv(made._PLACE, str(tmp_path / "kept"))
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    return Session(tmp_path / "first"), Session(tmp_path / "second")


def test_it_is_made_for_all_that_ask_and_kept_for_the_next_run_where_it_was_made(
    sessions: tuple[Session, Session],
) -> None:
    first, second = sessions
    folder = first.ask()
    assert (folder / "whole").read_text(encoding="utf-8") == str(folder)
    assert [first.ask(), second.ask(), second.ask()] == [folder] * 3
    assert (first.made, second.made) == (1, 0)
    assert made.written_into(first) == made.written_into(second) == []  # type: ignore[arg-type]


def test_where_pytest_keeps_no_cache_it_is_made_for_the_session(
    sessions: tuple[Session, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(made._PLACE)
    for session in sessions:
        session.folder = session.folder / "base"  # what pytest keeps of a session is beside it as well
        assert session.ask() == session.ask()
        assert session.made == 1
        assert made.written_into(session) == []  # type: ignore[arg-type]
    assert sessions[0].ask() != sessions[1].ask()


def test_what_was_interrupted_is_made_again_from_nothing(sessions: tuple[Session, Session]) -> None:
    first, second = sessions
    with pytest.raises(KeyboardInterrupt):
        first.ask(fail=True)
    assert {file.name for file in second.ask().iterdir()} == {"half", "whole"}
    assert second.made == 1


def test_who_writes_into_it_is_told_at_the_end_and_the_next_run_makes_it_again(
    sessions: tuple[Session, Session],
) -> None:
    first, second = sessions
    folder = first.ask()
    (folder / "more").write_text("more", encoding="utf-8")
    assert first.ask() == folder
    assert first.made == 1
    (name,) = made.written_into(first)  # type: ignore[arg-type]
    assert name.endswith("/toys")
    assert {file.name for file in second.ask().iterdir()} == {"half", "whole"}
    assert made.written_into(second) == []  # type: ignore[arg-type]


def test_two_versions_of_the_code_are_kept_and_those_that_a_session_uses(tmp_path: Path) -> None:
    for age, name in enumerate(("newest", "before", "used", "ended", "old")):
        (tmp_path / name).mkdir()
        made.os.utime(tmp_path / name, (1000 - age, 1000 - age))
    (tmp_path / "ended.1.lock").touch()
    with FileLock(tmp_path / "used.2.lock"):
        made._forget(tmp_path)
    assert {one.name for one in tmp_path.iterdir() if one.is_dir()} == {"newest", "before", "used"}
    assert not (tmp_path / "ended.1.lock").exists()


def test_the_key_changes_with_a_file_its_name_and_what_is_installed(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("1", encoding="utf-8")
    other.write_text("1", encoding="utf-8")
    keys = {made._digest([one]), made._digest([other]), made._digest([one, other]), made._digest([one], "torch 2")}
    one.write_text("2", encoding="utf-8")
    assert len(keys | {made._digest([one])}) == 5


def test_what_draws_is_no_source_and_what_trains_is(pytestconfig: pytest.Config) -> None:
    sources = {str(file.relative_to(pytestconfig.rootpath)) for file in made._sources(pytestconfig.rootpath)}
    assert {
        "tests/toy.py",
        "tests/toy_kinds/language_model_kind.py",
        "nlpviz/training/fit.py",
        "nlpviz/runs/__init__.py",
    } <= sources
    assert not [name for name in sources if name.startswith(("nlpviz/ui/", "nlpviz/figures/"))]
