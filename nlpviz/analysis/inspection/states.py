"""A network's states and gates after each word of a text, and its prediction if the text ended there."""

from __future__ import annotations

import numpy as np

from nlpviz.results.states import TextStates
from nlpviz.runs import Run, RunError, TrainedModel


def read_states(trained: TrainedModel, text: str) -> TextStates:
    """Return the hidden states and gate activations of a recurrent network after each word of a text.

    Args:
        trained: a recurrent or causal convolutional classifier, loaded by ``Run.load``.
        text: any text; a text without tokens has no states.

    Returns:
        The hidden states of T tokens, L layers and H units, shape (T, L, H), the gates and other parts of the cell, in
        the same shape, and the class probabilities after each token, shape (T, K).

    Raises:
        RunError: if the network does not read word by word.

    Example:
        >>> from nlpviz.analysis.inspection.states import read_states
        >>> from nlpviz.runs import open_run
        >>> states = read_states(open_run("imdb-lstm").load(), "Not a good film.")
        >>> states.states.shape
        (5, 1, 116)
        >>> list(states.parts)
        ['forget gate', 'input gate', 'output gate', 'candidate', 'cell state']
    """
    import torch

    from nlpviz.networks.architectures import WordByWord, class_probabilities

    run, module = trained.run, trained.module
    if not isinstance(module, WordByWord):
        raise RunError(
            f"The run {run.name!r} does not have a state for each word, because its network does not read word by word."
        )
    encoded = trained.encode(text)
    ids = torch.from_numpy(encoded.row).unsqueeze(0)  # (1, T)
    with torch.inference_mode():
        embedded, mask = module.embed(ids), module.mask(ids)
        unrolled = module.unroll(embedded, mask)
        after = class_probabilities(module.classify_prefixes(embedded, mask, unrolled.states[:, :, -1])[0])
        # the last of the beginnings of a text is the text
        probabilities = after[-1] if len(after) else class_probabilities(module.classify(embedded, mask))[0]
        parts = {name: values[0].float().numpy().copy() for name, values in unrolled.parts.items()}
        return TextStates(
            run=run.name,
            epoch=trained.epoch,
            text=encoded,
            class_names=run.class_names,
            probabilities=probabilities.float().numpy().copy(),
            after=after.float().numpy().copy(),
            states=np.array(unrolled.states[0].float().numpy()),
            parts=parts,
            about=module.parts,
            formula=module.formula,
        )


def states_by_epoch(run: Run, text: str) -> list[TextStates]:
    """Return what the network of each kept epoch of a run holds after each word of a text."""
    return [read_states(run.load(epoch), text) for epoch in run.epochs]
