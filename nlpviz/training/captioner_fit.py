"""How a network learns to caption images: steps on images drawn from a source, epochs compared on validation images.

Xu et al. (2015), *Show, Attend and Tell*, section 4: soft attention is learnt by gradients like the rest, hard
attention by the score function (section 4.1, equations 11 and 12).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm

from nlpviz.data.captioned import CaptionedImages, ImageSource
from nlpviz.language.decoding.captions import describe, measure_captions
from nlpviz.networks.architectures.captioner import Captioner
from nlpviz.results.history import CaptionEpoch
from nlpviz.runs.captioners import TrainedCaptioner
from nlpviz.text.vocabulary import EOS, PAD, Vocabulary
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.loop import Learner, Training, fit_epochs

_ROWS = 100
"""Captions whose loss is computed at once."""


@dataclass(frozen=True)
class CaptionerFit:
    """How a captioner is fitted.

    Attributes:
        epochs: of so many steps each.
        steps: of an epoch.
        batch_size: images a step.
        learning_rate: of Adam (Kingma and Ba 2015) at first: it falls linearly to a fiftieth.
        averaging: decay of the moving average of the weights, which is what is measured and kept.
        clip: the norm that a step's gradient is scaled down to.
        reward: λ_r of hard attention: how much the score function counts (Xu et al. 2015, section 4.1).
        entropy: λ_e of hard attention: how much evenness is rewarded.
        noise: share of the words with others like them (:meth:`nlpviz.data.captioned.ImageSource.alike`) in whose place
            the LSTM hears one of these, by chance (Xie et al. 2017); attention hears the word itself. From "purple"
            alone the LSTM could learn that no square follows, whatever is seen; attention has to find what is purple.
        starts_from: the run whose weights it begins with; empty for random ones. It then sees images of all kinds at
            once.
        seed: of weights and of the images that are drawn.
    """

    epochs: int = 40
    steps: int = 500
    batch_size: int = 48
    learning_rate: float = 2e-3
    averaging: float = 0.999
    clip: float = 5.0
    reward: float = 0.3
    entropy: float = 0.005
    noise: float = 0.0
    starts_from: str = ""
    seed: int = 0


class CaptionBatch(NamedTuple):
    """Some images (B, 3, S, S) and a caption of each as ids (B, T), with its end, padded.

    ``heard`` (B, T) are the previous words that the LSTM reads, where they differ from the caption.
    """

    images: Tensor
    ids: Tensor
    heard: Tensor | None = None


class Images(NamedTuple):
    """The training images, and the validation images on which epochs are compared."""

    train: ImageSource
    validation: CaptionedImages


def fit_captioner(
    model: Captioner, vocabulary: Vocabulary, images: Images, fit: CaptionerFit, folder: Path
) -> list[CaptionEpoch]:
    """Train ``model`` in ``folder`` (:func:`nlpviz.training.loop.fit_epochs`), and return the epochs' records."""
    optimizer = torch.optim.Adam(model.parameters(), lr=fit.learning_rate)
    learner = Learner(model, optimizer, WeightAverage(model, fit.averaging))
    training = Training(
        record=CaptionEpoch,
        settings=fit,
        examples=(),
        train_epoch=partial(_train_epoch, learner, (vocabulary, images.train), fit),
        validate=partial(_validate, vocabulary, images.validation),
        score=score,
        progress=_line,
        before={"train_loss": nan, "gradient_norm": nan},
    )
    return fit_epochs(training, learner, folder)


def _train_epoch(
    learner: Learner,
    read: tuple[Vocabulary, ImageSource],
    fit: CaptionerFit,
    epoch: int,
    rng: np.random.Generator,
) -> dict[str, float]:
    """Take an epoch's steps; return the mean loss of a word and the mean gradient norm."""
    (vocabulary, source), model = read, cast("Captioner", learner.model)
    groups = [torch.from_numpy(vocabulary.ids(words)) for words in source.alike()]
    losses, norms, baseline = [], [], nan
    for step in tqdm(range(fit.steps), unit="step", leave=False, disable=None):
        done = ((epoch - 1) * fit.steps + step) / (fit.epochs * fit.steps)
        some = source.some(rng, fit.batch_size, 1.0 if fit.starts_from else done)
        batch = noised(batch_of(some, vocabulary, next(model.parameters()).device), groups, fit.noise)
        told = told_by(model, batch)
        likelihood = float(told.likelihoods.detach().mean())
        baseline = likelihood if np.isnan(baseline) else 0.9 * baseline + 0.1 * likelihood
        rate = fit.learning_rate * max(1 - done, 0.02)
        norms.append(float(learner.step(objective(told, baseline, fit), fit.clip, rate)))
        losses.append(-likelihood * len(batch.ids) / int((batch.ids != PAD).sum()))
    return {"train_loss": float(np.mean(losses)), "gradient_norm": float(np.mean(norms))}


def noised(batch: CaptionBatch, groups: Sequence[Tensor], share: float) -> CaptionBatch:
    """Return the batch with other words heard than said, as :class:`CaptionerFit` has it; ``groups`` are ids alike."""
    heard = batch.ids.clone()
    for group in groups:
        chosen = torch.isin(heard, group.to(heard.device)) & (torch.rand(heard.shape, device=heard.device) < share)
        heard[chosen] = group.to(heard.device)[torch.randint(len(group), (int(chosen.sum()),), device=heard.device)]
    return batch._replace(heard=heard)


class CaptionScores(NamedTuple):
    """What a batch of captions is to a network.

    Attributes:
        likelihoods: (B,), log-probability of each caption.
        chosen: (B,), log-probability of the places that hard attention drew for it; zero of soft attention.
        entropy: mean over captions of the entropy of the weights, over their words.
    """

    likelihoods: Tensor
    chosen: Tensor
    entropy: Tensor


def objective(told: CaptionScores, baseline: float, fit: CaptionerFit) -> Tensor:
    """Return the objective of a step: −log p of the captions, and for hard attention the score-function term.

    The score function (Xu et al. 2015, equation 12): the log-probability of the places that were drawn counts by how
    much likelier than usual they made the caption; and evenness is rewarded. Soft attention draws none, and both are
    zero.

    Args:
        told: what the captions are to the network.
        baseline: the usual log-probability of a caption: their moving average.
        fit: λ_r and λ_e.
    """
    advantage = told.likelihoods.detach() - baseline  # (B,)
    return -told.likelihoods.mean() - fit.reward * (advantage * told.chosen).mean() - fit.entropy * told.entropy


def told_by(model: Captioner, batch: CaptionBatch) -> CaptionScores:
    """Return the network's output for the captions of a batch, each word given those before it."""
    state, words = model.start(batch.images), torch.full_like(batch.ids[:, 0], _eos(batch))
    told = words
    likelihoods, chosen = (torch.zeros(len(words), device=words.device) for _ in range(2))
    entropy = likelihoods.new_zeros(())
    heard = batch.ids if batch.heard is None else batch.heard
    for target, hears in zip(batch.ids.unbind(dim=1), heard.unbind(dim=1), strict=True):
        done = model.step(words, state, told)
        state, real = done.state, (target != PAD).float()
        likelihoods = likelihoods - functional.cross_entropy(done.logits, target, reduction="none") * real
        if done.place is not None:
            logs = (done.weights + 1e-9).log()
            chosen = chosen + logs.gather(1, done.place.unsqueeze(1)).squeeze(1) * real
            entropy = entropy - ((done.weights * logs).sum(dim=1) * real).mean()
        words, told = target, hears
    return CaptionScores(likelihoods, chosen, entropy)


def _eos(batch: CaptionBatch) -> int:
    """Return the id that ends every caption."""
    last = (batch.ids[0] != PAD).sum() - 1
    return int(batch.ids[0, last])


def batch_of(some: CaptionedImages, vocabulary: Vocabulary, device: torch.device) -> CaptionBatch:
    """Return images with the first caption of each as a network takes them."""
    rows = [vocabulary.ids([*captions[0], EOS]) for captions in some.captions]
    ids = np.full((len(rows), max(map(len, rows))), PAD, dtype=np.int64)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
    return CaptionBatch(torch.from_numpy(some.images).to(device), torch.from_numpy(ids).to(device))


@torch.inference_mode()
def loss_of(model: Captioner, vocabulary: Vocabulary, some: CaptionedImages) -> tuple[float, int]:
    """Return the mean loss of a word in nats, over all captions of all images, and the number of words, ends too."""
    device = next(model.parameters()).device
    total, words = 0.0, 0
    for part in some.parts(_ROWS):
        batch = batch_of(part, vocabulary, device)
        total -= float(told_by(model, batch).likelihoods.sum())
        words += int((batch.ids != PAD).sum())
    return total / words, words


@torch.inference_mode()
def losses_of(model: Captioner, vocabulary: Vocabulary, some: CaptionedImages) -> NDArray[np.float32]:
    """Return the loss of a word, in nats, in the first caption of each image (N,)."""
    batch = batch_of(some, vocabulary, next(model.parameters()).device)
    losses = -told_by(model.eval(), batch).likelihoods / (batch.ids != PAD).sum(dim=1)
    return np.asarray(losses.cpu().numpy())


def _validate(vocabulary: Vocabulary, validation: CaptionedImages, kept: nn.Module) -> dict[str, float]:
    """Return the mean loss of a word, and the share of the captions that are true; NaN where nobody knows the truth."""
    model = cast("Captioner", kept)
    loss, _ = loss_of(model, vocabulary, validation)
    if not validation.scenes:
        return {"validation_loss": loss, "validation_true": nan}
    captions = describe(TrainedCaptioner("", 0, model, vocabulary), validation.images)
    return {"validation_loss": loss, "validation_true": measure_captions(captions, validation.scenes).true}


def score(record: CaptionEpoch) -> tuple[float, float]:
    """Return what an epoch is chosen by: the share of correct captions, if the truth is known; of equals, the loss."""
    return float(np.nan_to_num(record.validation_true)), -record.validation_loss


def _line(record: CaptionEpoch) -> str:
    """Return the progress line after an epoch."""
    known = "" if np.isnan(record.validation_true) else f", {record.validation_true:.1%} of captions correct"
    return (
        f"epoch {record.epoch}: train {record.train_loss:.3f} nats per word, validation "
        f"{record.validation_loss:.3f}{known}; {record.seconds:.1f} s"
    )
