"""The effect of attention on a run's predictions, over a sample of its test documents, at every kept epoch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.inspection.attention_effect import attention_effect
from nlpviz.results.attention_effect import AttentionEffect
from nlpviz.results.explanation import Explanation
from nlpviz.runs import Run, TrainedModel
from nlpviz.runs.attention_effects import write_attention

SAMPLE, LEFT_OUT = 300, 42
"""Documents that are asked, and those of them whose words are left out one by one, which takes most of the time."""
_LEAST, _TRAINED_FOR_EACH = 60, 16  # asked documents at least; texts that were trained on for each more
_OTHERS = 3  # at the epochs that were not chosen one of so many of either is asked

Saliency = Callable[[TrainedModel, str], Explanation]


def survey_attention(
    run: Run, texts: Sequence[tuple[str, str]], saliency: Saliency, say: Callable[[str], None] = lambda _: None
) -> Run:
    """Measure the effect of attention on the predictions of ``texts`` at every kept epoch, and write it to the folder.

    Only for some texts each word is left out once, and at epochs other than the best only some texts are read.

    Args:
        run: whose network has attention.
        texts: ids and texts of test documents.
        saliency: explains the predicted class of a text by gradient saliency.
        say: called with a line of text about each step.

    Raises:
        RunError: if the network has no attention.
    """
    effects: dict[int, dict[str, AttentionEffect]] = {}
    for epoch in run.surveyed:
        part = 1 if epoch == run.best_epoch else _OTHERS
        some = texts[::part]
        left_out = set(spaced(len(some), LEFT_OUT // part).tolist())
        say(f"Replacing the attention of epoch {epoch} in {len(some):,} test documents")
        trained = run.load(epoch)
        effects[epoch] = {
            name: attention_effect(trained, saliency(trained, text), leave_one_out=position in left_out)
            for position, (name, text) in enumerate(some)
        }
    return write_attention(run, effects)


def asked_of(trained_on: int) -> int:
    """Return how many documents a network reads: fewer if it was trained on fewer texts.

    A survey takes as long as they are many. From 4,800 texts on it is :data:`SAMPLE`.
    """
    return min(max(trained_on // _TRAINED_FOR_EACH, _LEAST), SAMPLE)


def sample(labels: NDArray[np.integer], wanted: int = SAMPLE) -> NDArray[np.int64]:
    """Return the positions of ``wanted`` documents in all, as many of each label, all over ``labels`` (N,)."""
    values = np.unique(labels)
    members = [np.flatnonzero(labels == value) for value in values]
    each = max(wanted // len(values), 1)
    return np.sort(np.concatenate([own[spaced(len(own), each)] for own in members]))


def spaced(count: int, wanted: int) -> NDArray[np.int64]:
    """Return ``wanted`` places of ``count``, or all, evenly spaced."""
    return np.linspace(0, count - 1, min(wanted, count)).round().astype(np.int64)
