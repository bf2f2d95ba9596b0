"""All methods on one text, step by step: a result is passed on whenever another method is completed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from nlpviz.analysis.attribution import explain, methods
from nlpviz.analysis.attribution.baselines import baselines, like
from nlpviz.analysis.attribution.faithfulness import GroupReader, Say, measure, search
from nlpviz.analysis.attribution.ranking import ordered
from nlpviz.results.explanation import Explanation
from nlpviz.results.faithfulness import Faithfulness
from nlpviz.runs import TrainedModel

_SEARCH = 0.3  # of the time, about
_LAST = ("lime", "shapley")  # which read the text most often


def step_by_step(
    trained: TrainedModel,
    names: Sequence[str],
    explained_by: Callable[[str], Explanation],
    say: Say = lambda _: None,
    baselines_of: Callable[[Explanation], Sequence[Explanation]] = lambda _: (),
) -> Iterator[tuple[tuple[Explanation, ...], Faithfulness]]:
    """Yield explanations by the quick methods and how faithful they are, then with one more method each; at last all.

    Baselines come with the last one, after the methods.

    The sets of groups that the first step reads are all that any order needs, where groups are few.

    Args:
        trained: the model that is explained.
        names: of the methods, a quick one among them.
        explained_by: what a method says of the text's predicted class.
        say: progress callback, called with the completed fraction.
        baselines_of: what asks no network, of the text and the class of an explanation.
    """
    known = {name: explained_by(name) for name in names if methods()[name].surveyed}
    first = next(iter(known.values()))
    reader = GroupReader(trained, first.encoded, first.target)
    bounds = search(trained, first, lambda share: say(_SEARCH * share), reader)
    rest = sorted((name for name in names if name not in known), key=lambda name: name in _LAST)
    for done, name in enumerate(rest):
        yield (some := tuple(known.values())), measure(trained, some, bounds, reader)
        say(_SEARCH + (1 - _SEARCH) * done / len(rest))
        known[name] = explained_by(name)
    every = (*(known[name] for name in names), *baselines_of(first))
    yield every, measure(trained, every, bounds, reader)


def compare_methods(trained: TrainedModel, text: str) -> tuple[tuple[Explanation, ...], Faithfulness]:
    """Return what all methods make of a text, the best first, then the baselines, and how faithful each is."""
    without_network = baselines(trained.run.corpus["name"])
    *_, whole = step_by_step(
        trained,
        ordered(trained.run),
        lambda method: explain(trained, text, method),
        baselines_of=lambda first: [like(first, baseline) for baseline in without_network],
    )
    return whole
