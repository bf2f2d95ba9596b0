"""Every architecture, method and projector that is found, and a toy run of each classifier.

What an architecture has no part in is not collected: a test or a module marked ``architectures(meet=Protocol)``
is for the networks that meet it, and a test of a method for those that the method applies to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet
    from torch import nn

    from nlpviz.networks.architectures import Architecture
    from nlpviz.runs import Run, TrainedModel

TIMES = 2  # each network and each method is in so many pairs of `make test`


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for ``architecture``, ``classifier``, ``projector`` and so on with each one that it is for.

    Of the pairs of ``classifier`` and ``method`` those that cover both run always; the others are ``ci``.
    """
    names = metafunc.fixturenames
    protocols = tuple(mark.kwargs["meet"] for mark in metafunc.definition.iter_markers("architectures"))
    if "classifier" in names:
        from nlpviz.networks.architectures import Classifier

        able = meeting(Classifier, *protocols)
        if "method" in names:
            metafunc.parametrize(("classifier", "method"), _pairs(able))
        else:
            metafunc.parametrize("classifier", able, ids=[one.name for one in able])
    elif "method" in names:
        from nlpviz.analysis.attribution import methods

        metafunc.parametrize("method", list(methods().values()), ids=list(methods()))
    if "architecture" in names:
        able = meeting(*protocols)
        metafunc.parametrize("architecture", able, ids=[one.name for one in able])
    if "projector" in names:
        from nlpviz.analysis.projections import projectors

        metafunc.parametrize("projector", list(projectors().values()), ids=list(projectors()))


@cache
def meeting(*protocols: type) -> list[Architecture]:
    """Return the architectures whose networks meet all the protocols."""
    from nlpviz.networks.architectures import architectures

    return [one for one in architectures().values() if all(isinstance(_untrained(one), each) for each in protocols)]


def _pairs(able: Sequence[Architecture]) -> list[ParameterSet]:
    """Return each network with each method that applies to it."""
    from nlpviz.analysis.attribution import methods

    pairs = [(one, method) for one in able for method in methods().values() if method.applies(_untrained(one))]
    few = cover(pairs)
    return [
        pytest.param(*pair, id=f"{pair[0].name}-{pair[1].name}", marks=() if pair in few else pytest.mark.ci)
        for pair in pairs
    ]


def cover(pairs: Sequence[tuple[Hashable, Hashable]]) -> list[tuple[Hashable, Hashable]]:
    """Return few of the pairs, so that everything is in ``TIMES`` of them, or in all of its own where it has fewer.

    The next one is always that of what lacks most.
    """
    lacks = Counter({part: min(TIMES, count) for part, count in Counter(chain.from_iterable(pairs)).items()})
    result: list[tuple[Hashable, Hashable]] = []
    while any(lacks.values()):
        rest = [pair for pair in pairs if pair not in result]
        result.append(max(rest, key=lambda pair: sum(lacks[part] for part in pair)))
        for part in result[-1]:
            lacks[part] = max(lacks[part] - 1, 0)
    return result


def _untrained(architecture: Architecture) -> nn.Module | None:
    """Return a network of the default size over fifty words, which is shared."""
    from nlpviz.networks.architectures import untrained_instance

    return untrained_instance(architecture.name, {"vocabulary_size": 50})


@pytest.fixture(scope="session")
def toy_runs(toy_classifiers: Callable[[str], Path]) -> Callable[[Architecture], Run]:
    """Return the run of an architecture, of its default size, on the toy corpus; trained when first asked for."""
    from nlpviz.runs import Run

    return lambda architecture: Run.open(toy_classifiers(architecture.name))


@pytest.fixture
def run(classifier: Architecture, toy_runs: Callable[[Architecture], Run]) -> Run:
    """The toy run of ``classifier``."""
    return toy_runs(classifier)


@pytest.fixture
def trained(run: Run) -> TrainedModel:
    """The model of the toy run's best epoch."""
    return run.load()


@pytest.fixture
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is sampled, as much as texts of ten words need for the promises to hold."""
    from nlpviz.analysis.attribution import lime, shapley, smoothgrad

    monkeypatch.setattr(lime, "SAMPLES", 200)
    monkeypatch.setattr(shapley, "ORDERS", 8)
    monkeypatch.setattr(smoothgrad, "SAMPLES", 20)
