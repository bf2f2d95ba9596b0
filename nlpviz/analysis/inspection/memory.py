"""How far back a network remembers, word by word: norms of derivatives through time, and what its gates keep.

003, "Vanishing gradients"; 001, "LSTM and GRU"; 002, "Vanishing memory". Hochreiter (1991) and Bengio, Simard and
Frasconi (1994), *Learning Long-Term Dependencies with Gradient Descent is Difficult*; Madsen (2019), *Visualizing
memorization in RNNs*, takes the norm of the gradient by each word.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nlpviz.analysis.inspection.prediction import target_class
from nlpviz.analysis.inspection.through_time import ALL_ENDS, ENOUGH, Read, norms_through_time
from nlpviz.networks.architectures import Recurrent, WordByWord, class_probabilities, class_scores
from nlpviz.networks.sequences import SequenceClassifier
from nlpviz.results.memory import Gate, TextMemory
from nlpviz.runs import RunError, TrainedModel
from nlpviz.text.vocabulary import EncodedText

_KEPT = ("forget gate", "update gate")
"""What the gates are called by which a state is multiplied from one word to the next."""
PRODUCTS = 3.5e11
"""Multiplications that going back through a text, and replacing each of its words, may cost together: about fifteen
seconds. Of a text that takes more the beginning is read."""
_ROWS = 32  # gradients that are taken at once of a network without a state


def read_memory(
    trained: TrainedModel,
    text: str,
    report: Callable[[float], object] = lambda _: None,
    *,
    target: int | None = None,
) -> TextMemory:
    """Return how strongly the states and scores after each word depend on each earlier word.

    The dependence is the norm of a derivative: of the later score with respect to the vector of the earlier word, or of
    the later state with respect to the earlier state. If the entire text would take too long to process, only its
    beginning is read.

    Args:
        trained: a classifier that reads word by word in one direction, loaded by ``Run.load``.
        text: any text; a text without tokens has empty results.
        report: progress callback, called with the completed fraction.
        target: the index of the class whose score is differentiated; None selects the second class if there are two,
            and otherwise the predicted class.

    Returns:
        log10 of the norms for all pairs of a later word (row) and an earlier word (column), shape (T, T), with NaN
        above the diagonal. For cells with a forget or update gate, also log10 of the fraction of each word that the
        gates keep until the end of the text, shape (T,).

    Raises:
        RunError: if the network does not read word by word, or its states depend on later words.

    Example:
        >>> from nlpviz.analysis.inspection.memory import read_memory
        >>> from nlpviz.runs import open_run
        >>> memory = read_memory(open_run("imdb-lstm").load(), "Not a good film.")
        >>> memory.score.shape
        (5, 5)
        >>> print(memory.gate.name, memory.gate.kept.round(1))
        forget gate [-1.1 -0.8 -0.5 -0.2  0. ]
    """
    run, module = trained.run, remembering(trained)
    reading = cast("SequenceClassifier", module).config.reading
    encoded = affordable(trained, text)
    ids = torch.from_numpy(encoded.row).unsqueeze(0)
    with torch.no_grad():
        embedded, mask = module.embed(ids), module.mask(ids)
        probabilities = class_probabilities(module.classify(embedded, mask))[0].float().numpy().copy()
    target = target_class(run, probabilities, target)
    about: dict[str, Any] = {}
    if not len(encoded.ids):
        about["score"] = np.zeros((0, 0), dtype=np.float32)
    elif isinstance(module, Recurrent):
        found = norms_through_time(module, embedded[0], read_of(module, embedded, mask, target), report)
        about = {**found._asdict(), "state_size": module.state_size}
    else:
        about["score"] = _score_gradients(module, embedded, mask, target, report)
    return TextMemory(
        run=run.name,
        epoch=trained.epoch,
        text=encoded,
        class_names=run.class_names,
        probabilities=probabilities,
        target=target,
        gate=_gate(module, embedded, mask) if len(encoded.ids) else None,
        receptive_field=_receptive_field(module) if reading == "last" else None,
        reading=reading,
        **about,
    )


def _receptive_field(module: Any) -> int | None:  # noqa: ANN401
    """Return how many words a state can depend on; None of a network that goes on from its state."""
    field: int | None = getattr(module.encoder, "receptive_field", None)
    return field


def remembering(trained: TrainedModel) -> WordByWord:
    """Return a run's network if each of its states depends only on the words up to it.

    Raises:
        RunError: if it is not.
    """
    name, module = trained.run.name, trained.module
    if not isinstance(module, WordByWord):
        raise RunError(
            f"The run {name!r} does not have a state for each word, because its network does not read word by word."
        )
    if not module.causal:
        raise RunError(f"The run {name!r} reads texts in both directions, so it never has to remember a word.")
    return module


def affordable(trained: TrainedModel, text: str) -> EncodedText:
    """Return ``text`` as the model sees it, only its beginning if the whole text would take too long."""
    encoded, module = trained.encode(text), trained.module
    if not isinstance(module, Recurrent):
        return encoded
    squared, rows = module.state_size**2, min(module.state_size, ENOUGH if module.state_size > ALL_ENDS else math.inf)
    # words * squared * (rows + 5.5 * words) = PRODUCTS: the last state's rows, three others for each word, and the ends
    # of the text after each of eight words in each place
    most = int((math.sqrt(rows**2 + 22 * PRODUCTS / squared) - rows) / 11)
    if len(encoded.ids) <= most:
        return encoded
    return replace(encoded, ids=encoded.ids[:most], max_length=most)


def read_of(module: Any, embedded: Tensor, mask: Tensor, target: int) -> Read:  # noqa: ANN401
    """Return how the class score after each word of one text (1, T, D) is computed from the states."""
    words = embedded.shape[1]
    weights = class_scores(module.output.weight.detach().T)[:, target]  # (H, 1) to (H, 2): without the bias
    after = torch.ones(words, words, dtype=embedded.dtype).tril()
    if module.config.reading == "mean":
        shares = after / torch.arange(1, words + 1).unsqueeze(1)
    elif module.config.reading == "max":
        with torch.no_grad():
            states = module.encoder(embedded, mask.sum(dim=1))[0]  # (T, H)
        taken = states.cummax(dim=0).indices  # (T, H), where the maximum so far is
        own = taken.unsqueeze(1) == torch.arange(words).view(1, -1, 1)
        return Read(weights, own.to(embedded.dtype), once=False)
    else:
        shares = torch.eye(words, dtype=embedded.dtype)
    return Read(weights, shares.unsqueeze(2), once=module.config.reading == "last")


def _score_gradients(
    module: WordByWord, embedded: Tensor, mask: Tensor, target: int, report: Callable[[float], object]
) -> NDArray[np.float32]:
    """Return log10 of the norms of the gradients of all scores by all words, (T, T), of one text (1, T, D)."""
    words = embedded.shape[1]
    rows = []
    with torch.enable_grad():
        leaf = embedded.detach().requires_grad_()
        scores = class_scores(module.classify_prefixes(leaf, mask)[0])[:, target]
        for start in range(0, words, _ROWS):
            wanted = torch.eye(words, dtype=embedded.dtype)[start : start + _ROWS]
            (slopes,) = torch.autograd.grad(scores, leaf, wanted, retain_graph=True, is_grads_batched=True)
            rows.append(slopes[:, 0].norm(dim=2))
            report(min(start + _ROWS, words) / words)
    logs = torch.cat(rows).double().log10()
    logs[torch.ones_like(logs, dtype=torch.bool).triu(1)] = torch.nan
    return logs.numpy().astype(np.float32)


def _gate(module: WordByWord, embedded: Tensor, mask: Tensor) -> Gate | None:
    """Return the product of the gates by which the states are multiplied; of a word that is skipped it is 1."""
    unrolled = module.unroll(embedded, mask)
    part = next((part for part in module.parts if part.name in _KEPT), None)
    if part is None:
        return None
    kept = unrolled.parts[part.name][0].double()  # (T, L, H)
    if (update := unrolled.parts.get("update")) is not None:
        kept = torch.where(update[0] > 0, kept, 1.0)
    logs = kept.log10().flatten(1)  # (T, L * H)
    later = torch.cat([logs[1:], logs.new_zeros(1, logs.shape[1])])  # of the words after each
    product = later.flip(0).cumsum(0).flip(0)
    typical, longest = (one.numpy().astype(np.float32) for one in (product.mean(dim=1), product.amax(dim=1)))
    return Gate(part.name, part.symbol, typical, longest)
