"""How a prediction changes when attention is uniform, shuffled, or removed from some words; what agrees with it.

Only the weights are replaced; everything that a network computes from them is recomputed.

* **Uniform**: every word has the same weight.
* **Shuffled**: each word has the weight of another one, by a random permutation (Jain and Wallace 2019).
* **Removed**: k words have the weight zero, and those of the others are divided by their sum, so that they come to one
  again (Serrano and Smith 2019, section 3). Where the others had none at all, they share it equally. These are the k
  heaviest words; k random ones; or random ones of equal mass, as many as weigh in sum what the k heaviest do.

The weights are those in the document vector. With sentences, a sentence's weight is the sum of its words', and a
word's within its sentence their quotient. Under self-attention the same is done to the columns of all matrices of all
layers and heads at once: a column holds what a word is given by every query, and the words of largest weight are those
that are given most on average. The words themselves stay in the text: a recurrent network has read them, and a
Transformer still pools over them.

**Leave-one-out** does take a word out of the text (Li, Monroe and Jurafsky 2016, *Understanding Neural Networks through
Representation Erasure*): T texts of T - 1 words are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from nlpviz.results.attention_effect import Agreement, AttentionEffect, Intervention
from nlpviz.results.explanation import Explanation
from nlpviz.runs import RunError, TrainedModel
from nlpviz.stats.rank_correlation import concordance

if TYPE_CHECKING:
    from torch import Tensor

    from nlpviz.networks.architectures import Classifier

REMOVED = (1, 2, 5, 10, 20, 50)
EQUAL_MASS = (5, 10)
"""Of so many heaviest words, random ones of equal mass lose their weight as well."""
SHUFFLES, DRAWS = 10, 5
_SEED = 0
_NUMBERS = 4_000_000  # replaced weights that are handed over at once: 16 MB
_READ = 6_400  # tokens that are read at once


def attention_effect(
    trained: TrainedModel,
    saliency: Explanation,
    *,
    leave_one_out: bool = True,
    report: Callable[[float], object] = lambda _: None,
) -> AttentionEffect:
    """Return how the prediction for a text changes when its attention weights are replaced.

    The weights are made uniform, shuffled (Jain and Wallace 2019), or set to zero for some words (Serrano and Smith
    2019). In addition, Kendall's tau compares the ranking of words by attention with their rankings by gradient
    saliency and leave-one-out.

    Args:
        trained: a classifier with attention, loaded by ``Run.load``.
        saliency: an explanation of the predicted class of this classifier, by the method ``"saliency"``.
        leave_one_out: whether to compute leave-one-out scores, which needs T forward passes for T tokens.
        report: progress callback, called with the completed fraction of leave-one-out.

    Returns:
        For each intervention, the class probabilities of its R draws, shape (R, K), and the rank correlations.

    Raises:
        RunError: if the network has no attention.
        ValueError: if ``saliency`` explains a class other than the predicted class.

    Example:
        >>> from nlpviz.analysis.attribution import explain
        >>> from nlpviz.analysis.inspection.attention_effect import attention_effect
        >>> from nlpviz.results.attention_effect import Intervention
        >>> from nlpviz.runs import open_run
        >>> model = open_run("imdb-han").load()
        >>> text = "The plot is dull. The actors are wonderful!"
        >>> effect = attention_effect(model, explain(model, text, "saliency"))
        >>> print(effect.probabilities.round(2), effect.answers[Intervention("uniform")].round(2))
        [0.83 0.17] [[0.88 0.12]]
    """
    if saliency.target != saliency.predicted:
        raise ValueError("the effect of attention is measured for the predicted class")
    weights, words = own_weights(trained, saliency.encoded.row)
    left_out = _left_out(trained, saliency, report) if leave_one_out else np.zeros(0, dtype=np.float32)
    return AttentionEffect(
        run=saliency.run,
        epoch=saliency.epoch,
        encoded=saliency.encoded,
        class_names=saliency.class_names,
        probabilities=saliency.probabilities,
        answers=_answers(trained, saliency.encoded.row, weights, words),
        weights=words,
        saliency=saliency.scores,
        leave_one_out=left_out,
        agreement=_agreement(words, saliency.scores, np.abs(left_out)),
        seed=_SEED,
    )


def own_weights(trained: TrainedModel, row: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the weights that can be replaced, (T,) or (L, H, T, T), and each word's total weight, (T,).

    Args:
        trained: the model.
        row: what it reads of a text, (T,).

    Raises:
        RunError: if the model has no attention.
    """
    import torch

    from nlpviz.networks.architectures import PoolingAttention, SelfAttention

    module, ids = trained.module, torch.from_numpy(row).unsqueeze(0)
    if not isinstance(module, PoolingAttention | SelfAttention):
        raise RunError(f"The run {trained.run.name!r} has no attention mechanism.")
    classifier = cast("Classifier", module)
    with torch.inference_mode():
        embedded, mask = classifier.embed(ids), classifier.mask(ids)
        result = module.attend(embedded, mask) if isinstance(module, PoolingAttention) else module.heads(embedded, mask)
    weights: NDArray[np.float32] = result[0].float().numpy()
    if not weights.size:  # the mean of no query is not a number
        return weights, np.zeros(0, dtype=np.float32)
    words: NDArray[np.float32] = weights.mean(axis=tuple(range(weights.ndim - 1)))
    return weights, words


def replacements(
    weights: NDArray[np.float32], words: NDArray[np.float32]
) -> Iterator[tuple[Intervention, NDArray[np.float32]]]:
    """Yield every intervention with the replaced ``weights``, once for each draw; none for a text without words.

    Args:
        weights: (T,) or (L, H, T, T), one in sum over the last axis.
        words: (T,), what each word is given of them: those given most are removed first.
    """
    count, rng = len(words), np.random.default_rng(_SEED)
    of_mass = np.random.default_rng([_SEED, 1])  # its own: what else is drawn does not depend on it
    if not count:
        return
    yield Intervention("uniform"), np.full_like(weights, 1 / count)
    for _ in range(SHUFFLES):
        yield Intervention("shuffled"), weights[..., rng.permutation(count)]
    order = np.argsort(-words, kind="stable")
    for removed in (removed for removed in REMOVED if removed < count):
        yield Intervention("top", removed), _without(weights, order[:removed])
        for _ in range(DRAWS):
            yield Intervention("random", removed), _without(weights, rng.permutation(count)[:removed])
        for _ in range(DRAWS * (removed in EQUAL_MASS)):
            yield Intervention("mass", removed), _without(weights, equal_mass(words, order[:removed], of_mass))


def equal_mass(words: NDArray[np.float32], heaviest: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
    """Return random words whose total weight is as close as possible to that of the heaviest words; never all words.

    The heaviest may be among them: they often hold more than half of all weight, so that the others cannot outweigh
    them. Words are drawn one after the other, and one that would make the sum too large is passed over; in the end one
    more is taken if that is nearer.

    Args:
        words: (T,), the weight of each.
        heaviest: positions of those whose sum is wanted.
        rng: draws.
    """
    wanted, total = float(words[heaviest].sum(dtype=float)), 0.0
    taken, passed = [], []
    for position in rng.permutation(len(words)).tolist():
        if total + words[position] <= wanted:
            taken.append(position)
            total += float(words[position])
        else:
            passed.append(position)
    nearest = min(passed, key=lambda position: words[position], default=None)
    if nearest is not None and total + words[nearest] - wanted < wanted - total:
        taken.append(nearest)
    return np.array(taken[: len(words) - 1], dtype=np.intp)


def _without(weights: NDArray[np.float32], positions: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return ``weights`` with those at ``positions`` zero and the others divided by their sum."""
    staying = np.ones(weights.shape[-1], dtype=np.float32)
    staying[positions] = 0
    left = weights * staying
    total = left.sum(axis=-1, keepdims=True)
    shared = np.divide(left, total, out=np.zeros_like(left), where=total > 0)
    kept: NDArray[np.float32] = np.where(total > 0, shared, staying / staying.sum())
    return kept


def _answers(
    trained: TrainedModel, row: NDArray[np.int64], weights: NDArray[np.float32], words: NDArray[np.float32]
) -> dict[Intervention, NDArray[np.float32]]:
    """Return the probabilities (R, K) of the text ``row`` (T,) after each intervention, some of them at a time."""
    import torch

    from nlpviz.networks.architectures import class_probabilities

    classifier, ids = cast("Classifier", trained.module), torch.from_numpy(row).unsqueeze(0)
    many = max(1, min(_NUMBERS // max(weights.size, 1), _READ // max(len(row), 1)))
    replaced = replacements(weights, words)
    answers = defaultdict(list)
    with torch.inference_mode():
        embedded, mask = classifier.embed(ids), classifier.mask(ids)
        while some := list(islice(replaced, many)):
            others = torch.from_numpy(np.stack([other for _, other in some]))
            logits = trained.module.classify_attending(  # type: ignore[operator]
                embedded.expand(len(some), -1, -1), mask.expand(len(some), -1), others
            )
            for (intervention, _), answer in zip(some, class_probabilities(logits).float().numpy(), strict=True):
                answers[intervention].append(answer)
    return {intervention: np.stack(draws) for intervention, draws in answers.items()}


def _left_out(trained: TrainedModel, saliency: Explanation, report: Callable[[float], object]) -> NDArray[np.float32]:
    """Return what the explained score loses when each word alone is taken out of the text, (T,)."""
    import torch

    from nlpviz.networks.architectures import class_scores

    classifier, row = cast("Classifier", trained.module), saliency.encoded.row
    count = len(row)
    if not count:
        return np.zeros(0, dtype=np.float32)
    others = np.broadcast_to(row, (count, count))[~np.eye(count, dtype=bool)].reshape(count, count - 1)
    scores: list[Tensor] = []
    with torch.inference_mode():
        for ids in torch.split(torch.from_numpy(others), max(1, _READ // count)):
            logits = classifier.classify(classifier.embed(ids), classifier.mask(ids))
            scores.append(class_scores(logits)[:, saliency.target])
            report(sum(map(len, scores)) / count)
    lost: NDArray[np.float32] = np.float32(saliency.class_score) - torch.cat(scores).float().numpy()
    return lost


def _agreement(words: NDArray[np.float32], saliency: NDArray[np.float32], moved: NDArray[np.float32]) -> Agreement:
    """Return how the three rankings agree; ``moved`` is empty where nothing was left out."""
    return Agreement(_tau(words, saliency), _tau(words, moved), _tau(saliency, moved))


def _tau(first: NDArray[np.float32], second: NDArray[np.float32]) -> float | None:
    """Return Kendall's tau-b; None where a ranking is missing or has fewer than two different values."""
    return concordance(first, second) if len(second) else None
