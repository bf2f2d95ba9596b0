"""The training loop of a translator: teacher forcing, label smoothing, a softmax over some words, weights averaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from tqdm import tqdm

from nlpviz.networks.architectures import Translator, padded
from nlpviz.results.history import TranslatorEpoch
from nlpviz.text.vocabulary import PAD
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.batches import bucketed
from nlpviz.training.devices import sent, set_precision
from nlpviz.training.estimated_softmax import candidates, estimated
from nlpviz.training.loop import Learner, Training, fit_epochs
from nlpviz.training.schedule import rate_at


@dataclass(frozen=True)
class TranslatorFit:
    """How a translator is fitted.

    Attributes:
        epochs: passes over the training sentences.
        batch_size: sentences a step.
        learning_rate: of Adam (Kingma and Ba 2015), at its highest.
        warmup: steps over which the rate grows to that.
        final_rate: the share of it that is left at the last step; it falls evenly.
        label_smoothing: share of each target that is spread over all words (Szegedy et al. 2016).
        averaging: decay of the moving average of the weights, which is what is measured and kept.
        clip: the norm that a step's gradient is scaled down to.
        common: the commonest words, which every step counts as they are.
        sampled: other words that stand for the rest in a step; 0 counts all.
        seed: of initial weights, order, dropout, and the words that are drawn.
        precision: of matrix products in single precision, as torch names it: ``"high"`` lets a GPU use TensorFloat-32.
    """

    epochs: int = 15
    batch_size: int = 64
    learning_rate: float = 2e-3
    warmup: int = 200
    final_rate: float = 0.05
    label_smoothing: float = 0.1
    averaging: float = 0.999
    clip: float = 5.0
    common: int = 300
    sampled: int = 500
    seed: int = 0
    precision: str = "highest"


class SentencePairs(NamedTuple):
    """Sentences of both languages as ids, the target ones without boundary; each has a word at least."""

    sources: Sequence[NDArray[np.int64]]
    targets: Sequence[NDArray[np.int64]]

    def first(self, count: int) -> SentencePairs:
        """Return the first ``count`` pairs."""
        return SentencePairs(self.sources[:count], self.targets[:count])


class Batch(NamedTuple):
    """Some pairs, padded.

    Attributes:
        source: (B, S).
        before: the target word before each place, (B, T).
        places: which of the B T places are no padding, (N,).
        targets: the words that stand there, (N,): what is drawn by them waits for no GPU.
    """

    source: Tensor
    before: Tensor
    places: Tensor
    targets: NDArray[np.int64]


def fit_translator(
    model: nn.Module,
    pairs: tuple[SentencePairs, SentencePairs],
    eos: int,
    settings: TranslatorFit,
    folder: Path,
    bleu: Callable[[nn.Module], float],
) -> list[TranslatorEpoch]:
    """Train ``model`` in ``folder`` (:func:`nlpviz.training.loop.fit_epochs`), and return the epochs' records.

    Args:
        model: a :class:`nlpviz.networks.architectures.Translator`, on its device.
        pairs: to train on, and to validate on.
        eos: the id that begins and ends a target sentence.
        settings: of the loop.
        folder: of the run.
        bleu: returns the BLEU of a model on the validation sentences.
    """
    set_precision(settings.precision)
    train, validation = pairs
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.learning_rate, betas=(0.9, 0.98), fused=True)
    learner = Learner(model, optimizer, WeightAverage(model, settings.averaging))
    training = Training(
        record=TranslatorEpoch,
        settings=settings,
        examples=[sum(map(len, side)) for side in train],
        train_epoch=partial(_train_epoch, learner, (train, eos), settings),
        validate=lambda kept: {
            "train_loss": mean_loss(kept, train.first(len(validation.sources)), eos),
            "validation_loss": mean_loss(kept, validation, eos),
            "validation_bleu": bleu(kept),
        },
        score=score,
        progress=_line,
    )
    return fit_epochs(training, learner, folder)


@torch.inference_mode()
def mean_loss(model: nn.Module, pairs: SentencePairs, eos: int) -> float:
    """Return the mean cross-entropy of a target word, in nats, over the whole softmax and without smoothing."""
    total, words = torch.zeros((), dtype=torch.float64, device=_device(model)), 0
    for batch in _batches(pairs, eos, 128, None, _device(model)):
        logits = cast("Translator", model).predict(_states(model, batch))
        targets = sent(torch.from_numpy(batch.targets), logits.device)
        total += nn.functional.cross_entropy(logits, targets, reduction="sum")
        words += len(targets)
    return total.item() / max(words, 1)


@torch.inference_mode()
def word_losses(model: nn.Module, pairs: SentencePairs, eos: int) -> NDArray[np.float32]:
    """Return the cross-entropy of each target word (N,), in nats."""
    losses = []
    for batch in _batches(pairs, eos, 128, None, _device(model.eval())):
        logits = cast("Translator", model).predict(_states(model, batch))
        targets = sent(torch.from_numpy(batch.targets), logits.device)
        losses.append(nn.functional.cross_entropy(logits, targets, reduction="none"))
    return np.asarray(torch.cat(losses).cpu().numpy())


def _train_epoch(
    learner: Learner, read: tuple[SentencePairs, int], settings: TranslatorFit, _: int, rng: np.random.Generator
) -> dict[str, float]:
    """Make one pass over the training sentences, which the id of the boundary ends; return the mean gradient norm."""
    (train, eos), model, average = read, cast("Translator", learner.model), learner.average
    norms = []
    steps = len(of_one_length(train, settings.batch_size, None)) * settings.epochs
    for batch in _batches(train, eos, settings.batch_size, rng, _device(learner.model)):
        rate = rate_at(average.steps + 1, steps, settings.learning_rate, settings.warmup, settings.final_rate)
        loss = _smoothed_loss(model, _states(learner.model, batch), batch.targets, settings, rng)
        norms.append(learner.step(loss, settings.clip, rate))
    return {"gradient_norm": float(torch.stack(norms).mean())}


def _states(model: nn.Module, batch: Batch) -> Tensor:
    """Return the decoder's states (N, D) at the N places that are no padding."""
    translator = cast("Translator", model)
    decoded, _ = translator.decode(batch.before, translator.start(batch.source))
    return decoded.states.flatten(0, 1)[batch.places]


def _smoothed_loss(
    model: Translator, states: Tensor, targets: NDArray[np.int64], settings: TranslatorFit, rng: np.random.Generator
) -> Tensor:
    """Return the mean cross-entropy with smoothed labels, its denominator estimated from some words."""
    size = int(model.config.target_size)
    chosen = candidates(targets, range(PAD + 1, size), settings.common, settings.sampled, rng)
    came = sent(torch.from_numpy(targets), states.device)
    logits = estimated(lambda ids: model.predict(states, ids), came, chosen)
    smoothing = settings.label_smoothing
    return (logits.denominator - (1 - smoothing) * logits.right - smoothing * logits.evenly).mean()


def of_one_length(pairs: SentencePairs, size: int, rng: np.random.Generator | None) -> list[NDArray[np.int64]]:
    """Return the positions of each batch's pairs, every pair once: at most ``size``, with sources of one length.

    A source without padding is read a third faster (see :class:`nlpviz.networks.architectures.seq2seq.Seq2Seq`); few
    batches are short.
    """
    sources, targets = (np.array([len(ids) for ids in side], dtype=np.int64) for side in pairs)
    batches = []
    for length in np.unique(sources):
        positions = np.flatnonzero(sources == length)
        batches += [positions[batch] for batch in bucketed(targets[positions], size, rng)]
    return batches if rng is None else [batches[position] for position in rng.permutation(len(batches))]


def _batches(
    pairs: SentencePairs, eos: int, size: int, rng: np.random.Generator | None, device: torch.device
) -> Iterator[Batch]:
    """Yield the pairs in batches whose sources have one length, and whose targets have like ones."""
    for batch in tqdm(
        of_one_length(pairs, size, rng), unit="batch", leave=False, disable=None if rng is not None else True
    ):
        source = padded([pairs.sources[position] for position in batch])
        before = padded([np.append(eos, pairs.targets[position]) for position in batch])
        after = padded([np.append(pairs.targets[position], eos) for position in batch]).flatten()
        places = torch.nonzero(after != PAD)[:, 0]
        yield Batch(sent(source, device), sent(before, device), sent(places, device), after[places].numpy())


def _device(model: nn.Module) -> torch.device:
    return next(model.parameters()).device


def score(record: TranslatorEpoch) -> float:
    """Return what an epoch is chosen by: the validation BLEU."""
    return record.validation_bleu


def _line(record: TranslatorEpoch) -> str:
    """Return the progress line after an epoch."""
    return (
        f"epoch {record.epoch}: train {record.train_loss:.3f} nats per word, validation {record.validation_loss:.3f}, "
        f"BLEU {record.validation_bleu:.1f} (greedy); {record.seconds:.1f} s"
    )
