"""How well attribution methods agree with the words that people marked, compared with a word list, position and chance.

A method explains the label that people gave, whatever the network predicts, since that is what they gave their reasons
for. A signed method puts first what speaks for it; any other one the largest magnitudes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.attribution import explain
from nlpviz.analysis.attribution.baselines import baselines, like
from nlpviz.results.explanation import Explanation
from nlpviz.results.rationales import AgainstPeople, Marked, average_precision, marked_tokens
from nlpviz.runs import Run, RunError

if TYPE_CHECKING:
    from nlpviz.runs import TrainedModel


class _Text(NamedTuple):
    """What is found for one text."""

    number: int
    tokens: int
    marked: int
    right: bool
    precision: list[float]


def compare(
    trained: TrainedModel,
    texts: Sequence[Marked],
    methods: Sequence[str],
    source: str,
    report: Callable[[float], object] = lambda _: None,
) -> AgainstPeople:
    """Return each method's average precision on each text, and each baseline's.

    Args:
        trained: a classifier.
        texts: that people marked.
        methods: names of methods that apply to it.
        source: what the file is called.
        report: progress callback, called with the completed fraction.

    Raises:
        RunError: if no text can be compared, or a method does not apply.
    """
    run, beside = trained.run, baselines(trained.run.corpus["name"])
    found: list[_Text] = []
    left_out: list[tuple[int, str]] = []
    for done, one in enumerate(texts):
        report(done / len(texts))
        target = class_of(run, one.label)
        encoded = trained.encode(one.text)
        spans = marked_tokens(one.spans, [token.start for token in encoded.read], [token.end for token in encoded.read])
        if why := _incomparable(run, one.label, target, spans):
            left_out.append((one.number, why))
            continue
        explained = [explain(trained, one.text, name, target) for name in methods]
        orders = [*explained, *(like(explained[0], baseline) for baseline in beside)]
        precision = [average_precision(_strength(each), spans) for each in orders]
        right = explained[0].predicted == target
        found.append(_Text(one.number, len(spans), int(spans.sum()), right, precision))
    if not found:
        raise RunError(
            f"No text in {source} can be compared: {'; '.join(f'row {at} {why}' for at, why in left_out[:5])}."
        )
    return AgainstPeople(
        run=run.name,
        epoch=trained.epoch,
        source=source,
        orders=(*methods, *(baseline.name for baseline in beside)),
        methods=len(methods),
        numbers=tuple(one.number for one in found),
        tokens=np.array([one.tokens for one in found]),
        marked=np.array([one.marked for one in found]),
        right=np.array([one.right for one in found]),
        precision=np.array([one.precision for one in found]),
        left_out=tuple(left_out),
    )


def class_of(run: Run, label: str) -> int | None:
    """Return the class that a label names, in upper or lower case, or begins, as ``NEG`` does; None where none is."""
    names, wanted = [name.casefold() for name in run.class_names], label.strip().casefold()
    if wanted in names:
        return names.index(wanted)
    begun = [at for at, name in enumerate(names) if len(wanted) >= 3 and name.startswith(wanted)]
    return begun[0] if len(begun) == 1 else None


def _incomparable(run: Run, label: str, target: int | None, spans: NDArray[np.bool_]) -> str:
    """Return why a text cannot be compared, as half a sentence; ``""`` where it can."""
    if target is None:
        there = ", ".join(run.class_names[:5]) + (", …" if len(run.class_names) > 5 else "")
        return f"has the label {label[:40]!r}, but the classes are {there}"
    if not spans.any():
        return f"marks none of the first {len(spans):,} tokens, the only ones that the model reads"
    if spans.all():
        return "marks every token, so all orders are equivalent"
    return ""


def _strength(explanation: Explanation) -> NDArray[np.float32]:
    return explanation.scores if explanation.signed else np.abs(explanation.scores)
