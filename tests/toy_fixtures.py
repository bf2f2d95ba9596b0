"""Toy runs that tests of every folder share: each is made when it is asked for first (``tests/made.py``)."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.made import made_once


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
        from nlpviz.runs import Run
        from tests import toy

        shutil.copytree(toy_classifiers(architecture), run)
        with toy.discovered(run.with_name(f"{run.name}.modules")):
            toy.survey_soon(Run.open(run))

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

    def make(folder: Path) -> None:
        from tests.own_pairs import make_runs

        make_runs(folder)

    return made_once(tmp_path_factory, "own-pairs", make)


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

    def make(folder: Path) -> None:
        from tests.captions import make_own_runs

        make_own_runs(folder)

    return made_once(tmp_path_factory, "own-images", make)
