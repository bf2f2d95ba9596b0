"""A classifier's prediction for a text: the probability of each class, and which class is explained."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from nlpviz.runs import Run, RunError, TrainedModel


def probabilities(trained: TrainedModel, text: str) -> NDArray[np.float32]:
    """Return the class probabilities of a text.

    Args:
        trained: a classifier, loaded by ``Run.load``.
        text: any text; tokens beyond the run's maximum length are ignored.

    Returns:
        The probabilities, shape (K,), read-only.

    Raises:
        RunError: if the network is not a classifier.

    Example:
        >>> from nlpviz.analysis.inspection.prediction import probabilities
        >>> from nlpviz.runs import open_run
        >>> print(probabilities(open_run("imdb-cnn").load(), "A waste of time.").round(2))
        [0.91 0.09]
    """
    import torch

    from nlpviz.networks.architectures import Classifier, class_probabilities, padded

    module = trained.module
    if not isinstance(module, Classifier):
        raise RunError(f"The run {trained.run.name!r} is not a classifier.")
    ids = padded([trained.encode(text).row])
    with torch.inference_mode():
        answers = class_probabilities(module.classify(module.embed(ids), module.mask(ids)))[0]
    result: NDArray[np.float32] = answers.float().numpy().copy()
    result.setflags(write=False)
    return result


def probabilities_of(trained: TrainedModel, texts: Iterable[str], target: int) -> list[float]:
    """Return the probability of a class for each of several texts."""
    return [float(probabilities(trained, text)[target]) for text in texts]


def target_class(run: Run, probabilities: NDArray[np.float32], asked: int | None = None) -> int:
    """Return the class to explain: the requested class, else the last of two, else the predicted class.

    Of two classes, one's score is the other's with its sign turned.
    """
    if asked is not None:
        return asked
    return 1 if len(run.class_names) == 2 else int(np.argmax(probabilities))
