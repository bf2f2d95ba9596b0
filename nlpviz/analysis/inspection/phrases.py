"""One vector for each of several phrases, from a translator's encoder, and their plane.

Sutskever, Vinyals and Le (2014), *Sequence to Sequence Learning with Neural Networks*, section 3.8 and figure 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.phrases import PhrasePlane
from nlpviz.stats.principal_axes import principal_axes

if TYPE_CHECKING:
    from nlpviz.networks.architectures import Translator
    from nlpviz.runs.translators import TrainedTranslator


def phrase_states(trained: TrainedTranslator, phrases: Sequence[str]) -> NDArray[np.float32]:
    """Return the encoder's vector for each of ``phrases``, which have at least one word: (N, E).

    Of a recurrent one it is the last hidden state, of a Transformer the mean of the annotations.
    """
    import torch

    from nlpviz.networks.architectures import padded

    ids = [trained.languages.read(phrase, trained.run.max_length).ids for phrase in phrases]
    with torch.inference_mode():
        states = cast("Translator", trained.module).encode_source(padded(ids)).float().numpy().copy()
    result: NDArray[np.float32] = states
    result.setflags(write=False)
    return result


def phrase_plane(states: NDArray[np.float32]) -> PhrasePlane:
    """Return the plane of the first two principal components of ``states`` (N, E), of two at least, and the nearest."""
    axes = principal_axes(states, 2)
    between = cosines(states)
    near = between.copy()
    np.fill_diagonal(near, -np.inf)
    one, other = (int(index) for index in np.unravel_index(near.argmax(), near.shape))
    return PhrasePlane(
        coordinates=axes.project(states).astype(np.float32),
        share=axes.share,
        dimensions=states.shape[1],
        nearest=(one, other),
        cosine=float(near[one, other]),
        cosines=between,
    )


def cosines(states: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the pairwise cosines of ``states`` (N, E) after subtracting their mean, (N, N), as PCA does."""
    centred = states - states.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    directions = np.divide(centred, lengths, out=np.zeros_like(centred), where=lengths > 0)
    result: NDArray[np.float32] = directions @ directions.T
    return result
