"""What tests of every folder share."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from filelock import FileLock
from hypothesis import settings

# One thread: on two busy cores it is an order of magnitude faster than two, and sums come out the same every
# time. Set before anything imports torch, so that tests without torch do not wait for it, and processes that
# tests start inherit it.
os.environ["OMP_NUM_THREADS"] = "1"

# No deadline, for a busy machine is not a bug; in CI the same examples every time.
settings.register_profile("nlpviz", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("nlpviz")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add how wide the suite runs; see CONTRIBUTING, "The tests"."""
    parser.addoption(
        "--width",
        choices=("test", "ci", "all"),
        default="test",
        help="test: neither `ci` nor `slow`; ci: `ci`, and a third of `slow`, drawn by the commit; all: everything",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for ``page_file`` with app.py and every page on the disk; for ``page_view``, with each view.

    A view is a page's file and the file of one of its views, None for a page that is a single view; a test that asks
    for ``page_script`` gets every file of both sorts.
    """
    root = metafunc.config.rootpath
    places = views_of_pages(root)
    files = list(dict.fromkeys(file for file, _ in places))
    scripts = [*files, *(view for _, view in places if view is not None)]
    if "page_file" in metafunc.fixturenames:
        metafunc.parametrize("page_file", files, ids=[file.stem for file in files])
    if "page_script" in metafunc.fixturenames:
        metafunc.parametrize("page_script", scripts, ids=[str(file.relative_to(root)) for file in scripts])
    if "page_view" in metafunc.fixturenames:
        names = [file.stem if view is None else f"{file.stem}-{view.stem}" for file, view in places]
        metafunc.parametrize("page_view", places, ids=names)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is wider than asked for; what takes minutes runs first, so that it does not end last alone."""
    left_out = [item for item in items if not _in_width(config, item)]
    config.hook.pytest_deselected(items=left_out)
    without = set(left_out)
    items[:] = [item for item in items if item not in without]
    items.sort(key=lambda item: item.path.name != "test_rehearsal.py")


def _in_width(config: pytest.Config, item: pytest.Item) -> bool:
    """Return whether ``item`` is run at the width that was asked for."""
    if item.get_closest_marker("slow"):
        return drawn(config, item.nodeid)
    return config.getoption("width") != "test" or not item.get_closest_marker("ci")


def drawn(config: pytest.Config, name: str) -> bool:
    """Return whether what is slow is run for ``name``.

    That is always at full width, never in `make test`, and in CI for a third of the names, drawn by the commit's hash:
    the chance that ten commits leave a name out is 1.7%.
    """
    width = config.getoption("width")
    if width != "ci":
        return bool(width == "all")
    number = hashlib.sha256(f"{_commit(config.rootpath)} {name}".encode()).digest()
    return int.from_bytes(number[:8]) % 3 == 0


@cache
def _commit(root: Path) -> str:
    """Return the hash of the commit that stands in ``root``; empty where there is no history."""
    answer = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=False)
    return answer.stdout.strip()


def views_of_pages(root: Path) -> list[tuple[Path, Path | None]]:
    """Return every page's file with that of each of its views; with None where the page is a single view."""
    files = [root / "app.py", *sorted((root / "pages").glob("[0-9]*_*.py"))]
    views = {file: sorted(file.with_suffix("").glob("[0-9]*_*.py")) for file in files}
    return [(file, view) for file in files for view in views[file] or [None]]


@pytest.fixture
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether a test does what is slow, too: of a page that is open already it needs no visit of its own."""
    return drawn(request.config, request.node.nodeid)


@pytest.fixture(scope="session")
def in_ci(pytestconfig: pytest.Config) -> bool:
    """Whether more is run than `make test` does."""
    return bool(pytestconfig.getoption("width") != "test")


@pytest.fixture(scope="session")
def toy_classifiers(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the folder of the toy run of an architecture, without maps and surveys; nobody writes into it."""

    def folder(architecture: str) -> Path:
        name = f"toy-{architecture}"
        return made_once(tmp_path_factory, f"classifiers/{name}", lambda into: _classifier(into, name)) / name

    return folder


@pytest.fixture(scope="session")
def toy_surveyed(
    tmp_path_factory: pytest.TempPathFactory, toy_classifiers: Callable[[str], Path]
) -> Callable[[str], Path]:
    """Return the folder of the toy run of an architecture with its survey, but no maps; nobody writes into it."""

    def folder(architecture: str) -> Path:
        name = f"toy-{architecture}"
        return made_once(tmp_path_factory, f"surveyed/{name}", lambda into: _survey(into / name, architecture)) / name

    def _survey(run: Path, architecture: str) -> None:
        from nlpviz.kinds.classifier_survey import survey
        from nlpviz.runs import Run
        from tests import toy

        shutil.copytree(toy_classifiers(architecture), run)
        with toy.discovered(run.with_name(f"{run.name}.modules")):
            survey(Run.open(run), lambda _: None)

    return folder


def _classifier(folder: Path, name: str) -> None:
    from tests import toy

    with toy.discovered(folder.with_name(f"{folder.name}.modules")):
        toy.make_runs(folder, [name], maps=False)


@pytest.fixture(scope="session")
def toy_trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs with the toy CNN and the toy baseline, made by their recipes; nobody writes into it."""

    def make(folder: Path) -> None:
        from tests import toy

        with toy.discovered(folder.with_name(f"{folder.name}.modules")):
            toy.make_runs(folder, ["toy-cnn", "toy-ngrams"])

    return made_once(tmp_path_factory, "trained", make)


@pytest.fixture(scope="session")
def three_trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a CNN and a baseline of three classes, made by their recipes; nobody writes into it."""

    def make(folder: Path) -> None:
        from tests import three, toy

        with three.discovered(folder.with_name(f"{folder.name}.modules")):
            toy.make_runs(folder, ["three-ngrams", "three-cnn"])

    return made_once(tmp_path_factory, "three", make)


@pytest.fixture(scope="session")
def three_recurrent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recurrent network of three classes, its states surveyed; nobody writes into it."""

    def make(folder: Path) -> None:
        from nlpviz.runs import Run
        from tests import three, toy

        with three.discovered(folder.with_name(f"{folder.name}.modules")):
            toy.make_runs(folder, ["three-recurrent"], maps=False)
        three.survey_states(Run.open(folder / "three-recurrent"))

    return made_once(tmp_path_factory, "three-recurrent", make)


@pytest.fixture(scope="session")
def toy_attentive(tmp_path_factory: pytest.TempPathFactory, toy_classifiers: Callable[[str], Path]) -> Path:
    """A folder with surveyed toy runs of every kind of attention, and one without; nobody writes into it."""

    def make(folder: Path) -> None:
        from tests import toy

        for architecture in (*toy.ATTENTIVE, "cnn"):
            shutil.copytree(toy_classifiers(architecture), folder / f"toy-{architecture}")
        with toy.discovered(folder.with_name(f"{folder.name}.modules")):
            toy.survey_attention(folder)

    return made_once(tmp_path_factory, "attentive", make)


@pytest.fixture(scope="session")
def toy_translator(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the folder of a toy translator of a kind; nobody writes into it."""

    def folder(kind: str) -> Path:
        def make(folder: Path) -> None:
            from tests import translators

            with translators.discovered(folder.with_name(f"{folder.name}.modules")):
                translators.make_runs(folder, [kind])

        name = f"toy-en-fr-{kind}"
        return made_once(tmp_path_factory, f"translators/{name}", make) / name

    return folder


@pytest.fixture(scope="session")
def toy_translators(tmp_path_factory: pytest.TempPathFactory, toy_translator: Callable[[str], Path]) -> Path:
    """A folder with the toy translators but the Transformer; nobody writes into it."""

    def make(folder: Path) -> None:
        from tests import translators

        for kind in translators.KINDS:
            made = toy_translator(kind)
            shutil.copytree(made, folder / made.name)

    return made_once(tmp_path_factory, "translating", make)


@pytest.fixture(scope="session")
def own_pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``runs`` of pairs of one's own, and the files that they were made of; nobody writes into it."""
    from tests.own_pairs import make_runs

    folder = tmp_path_factory.mktemp("own-pairs")  # not made once for all processes: a recipe knows where its files are
    make_runs(folder)
    return folder


@pytest.fixture(scope="session")
def toy_paragraphs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a toy run of each model of paragraph vectors; nobody writes into it."""

    def make(folder: Path) -> None:
        from tests import paragraphs

        with paragraphs.discovered(folder.with_name(f"{folder.name}.modules")):
            paragraphs.make(folder)

    return made_once(tmp_path_factory, "paragraphs", make)


@pytest.fixture(scope="session")
def toy_captioners(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with networks that caption scenes, by soft and by hard attention; nobody writes into it."""

    def make(folder: Path) -> None:
        from tests.captions import make_runs

        make_runs(folder)

    return made_once(tmp_path_factory, "captioners", make)


@pytest.fixture(scope="session")
def own_images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``runs`` on images of one's own, and the files that they were made of; nobody writes into it."""
    from tests.captions import make_own_runs

    folder = tmp_path_factory.mktemp("own-images")  # not made once: a recipe knows where its files are
    make_own_runs(folder)
    return folder


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that ``make`` fills when the first test of all processes asks for it.

    What is made stands under its name only when it is whole: a process that failed half-way leaves it to the next.
    """
    folder = _shared(factory) / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            unfinished = Path(mkdtemp(dir=folder.parent, prefix=f"{folder.name}."))
            make(unfinished / folder.name)
            (unfinished / folder.name).rename(folder)
            folder.with_name(f"{folder.name}.files").write_text(_files(folder), encoding="utf-8")
    return folder


@pytest.fixture(scope="session", autouse=True)
def _nobody_writes_into_what_is_shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fail at the end if a file has changed in what was made once."""
    yield
    for files in _shared(tmp_path_factory).rglob("*.files"):
        assert files.read_text(encoding="utf-8") == _files(files.with_suffix("")), f"a test wrote into {files.stem}"


def _shared(factory: pytest.TempPathFactory) -> Path:
    base = factory.getbasetemp()
    # each process has a folder of its own in that of the session
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared"


def _files(folder: Path) -> str:
    """Return name, size and time of every file."""
    result = [(path.relative_to(folder), path.stat()) for path in sorted(folder.rglob("*")) if path.is_file()]
    return "\n".join(f"{name} {about.st_size} {about.st_mtime_ns}" for name, about in result)


@pytest.fixture(scope="session")
def imdb_archive() -> Path:
    """The IMDB reviews' archive; without it, a test skips on a person's machine and fails in CI."""
    return _archive("imdb")


@pytest.fixture(scope="session")
def newsgroups_archive() -> Path:
    """The archive of 20 Newsgroups; without it, a test skips on a person's machine and fails in CI."""
    return _archive("newsgroups")


def _archive(corpus: str) -> Path:
    from nlpviz.data import corpora
    from nlpviz.data.files import CorpusMissing, locate

    try:
        return locate(corpora()[corpus])
    except CorpusMissing as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
