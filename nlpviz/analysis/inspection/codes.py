"""An autoencoder of documents applied to texts: codes, reconstructions, interpolation between two, and its units."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray

from nlpviz.networks.architectures.variational_autoencoder import VariationalAutoencoder
from nlpviz.networks.autoencoders import Autoencoder, reconstruction
from nlpviz.results.codes import CodeWalk, Nearest, TextCode, UnitClasses, UnitTopic, WordShare
from nlpviz.runs import TrainedModel
from nlpviz.runs.documents import documents_of, embeddings_of
from nlpviz.stats.rank_correlation import ranks_of
from nlpviz.text.bags import FIRST, bags_of

STEPS = 9
"""Codes of a walk, its ends among them."""
SHOWN, FOLLOWED = 12, 14
"""Words: that are listed of a code, and whose probabilities are followed on a walk."""
REDRAWS, LEVEL = 300, 0.95
_SAMPLES = 50
_ACTIVE = 0.01  # variance over documents: Burda, Grosse and Salakhutdinov 2016


class Encoded(NamedTuple):
    """A text as a bag: its words' counts (W,), tokens that were read, and tokens that were cut off."""

    bag: NDArray[np.uint16]
    tokens: int
    cut: int


def encode(model: TrainedModel, text: str) -> Encoded:
    """Return ``text`` as the run's network reads it: its first tokens; tokens outside the bag are counted, too."""
    encoded = model.vocabulary.encode(text, model.run.max_length)
    (bag,) = bags_of([encoded.ids], len(model.vocabulary))
    return Encoded(bag, len(encoded.ids), len(encoded.tokens) - len(encoded.ids))


@torch.inference_mode()
def text_code(model: TrainedModel, text: str) -> TextCode:
    """Return the code of a text and the words that an autoencoder reconstructs from it.

    Args:
        model: an autoencoder of documents, loaded by ``Run.load``.
        text: any text; a text without known words is an empty bag of words.

    Returns:
        The code, shape (Z,); for a variational autoencoder, also the standard deviation and the KL divergence (nats) of
        each unit; the reconstruction loss (nats); and the most probable words under the code.

    Example:
        >>> from nlpviz.analysis.inspection.codes import text_code
        >>> from nlpviz.runs import open_run
        >>> code = text_code(open_run("newsgroups-vae-32").load(), "The goalie stopped every shot in the playoff game.")
        >>> code.mean.shape, code.returned[0].word
        ((32,), 'game')
        >>> code.perplexity < code.frequency_perplexity
        True
    """
    module, read = cast("Autoencoder", model.module), encode(model, text)
    bag = torch.from_numpy(read.bag.astype(np.float32))[None]
    mean = module.encode(bag)
    log_probabilities = module.decode(mean)[0]
    deviation = divergence = None
    cost = reconstruction(bag, log_probabilities[None])
    if isinstance(module, VariationalAutoencoder):
        posterior = module.posterior(bag)
        deviation = (0.5 * posterior.log_variance).exp()[0].numpy()
        divergence = posterior.divergence()[0].numpy()
        noise = torch.randn(_SAMPLES, *mean.shape, generator=torch.Generator().manual_seed(0))
        cost = reconstruction(bag, module.decode(posterior.sample(noise))[:, 0]).mean()
    rates = model.vocabulary.counts[FIRST:] + 1.0
    there = np.argsort(-read.bag.astype(np.int64), kind="stable")[: int((read.bag > 0).sum())]
    words = _Words(model, _at_rest(module), read.bag)
    return TextCode(
        run=model.run.name,
        epoch=model.epoch,
        words=int(read.bag.sum()),
        tokens=read.tokens,
        cut=read.cut,
        mean=mean[0].numpy(),
        deviation=deviation,
        divergence=divergence,
        reconstruction=float(cost),
        by_frequency=float(-(read.bag * np.log(rates / rates.sum())).sum()),
        returned=words.shares(log_probabilities.numpy(), _largest(log_probabilities.numpy(), SHOWN)),
        read=words.shares(log_probabilities.numpy(), there[:SHOWN]),
    )


class _Words(NamedTuple):
    """What words are listed with."""

    model: TrainedModel
    at_rest: NDArray[np.float32]
    bag: NDArray[np.uint16]

    def shares(self, log_probabilities: NDArray[np.float32], places: NDArray[np.integer]) -> tuple[WordShare, ...]:
        """Return the words at some ``places`` with their probabilities."""
        return tuple(
            WordShare(
                self.model.vocabulary.words[place + FIRST],
                float(np.exp(log_probabilities[place])),
                float(log_probabilities[place] - self.at_rest[place]),
                int(self.bag[place]),
            )
            for place in places.tolist()
        )


def _at_rest(module: Autoencoder) -> NDArray[np.float32]:
    """Return log p of each word (W,) under the code of zeros."""
    return np.asarray(module.decode(torch.zeros(1, module.config.latent))[0].numpy())


def _largest(values: NDArray[np.floating], count: int) -> NDArray[np.intp]:
    """Return the places of the largest ``values``, the largest first."""
    return np.argsort(-values, kind="stable")[:count]


@torch.inference_mode()
def walk(model: TrainedModel, first: str, second: str, ends: tuple[str, str], steps: int = STEPS) -> CodeWalk:
    """Return the words decoded from codes on the straight line between the codes of two texts.

    Args:
        model: an autoencoder of documents, loaded by ``Run.load``, whose run stores the codes of test documents.
        first: the text at the start.
        second: the text at the end.
        ends: names of the two texts, for figures.
        steps: the number of codes, including both ends.

    Returns:
        The S codes, shape (S, Z), and for each code, the most probable words and the nearest test document.

    Example:
        >>> from nlpviz.analysis.inspection.codes import walk
        >>> from nlpviz.runs import open_run
        >>> model = open_run("newsgroups-vae-32").load()
        >>> hockey = "The goalie stopped every shot in the playoff game."
        >>> space = "NASA launched a satellite into orbit around the moon."
        >>> path = walk(model, hockey, space, ("hockey", "space"), steps=3)
        >>> path.codes.shape
        (3, 32)
        >>> path.likeliest[0][0].word, path.likeliest[-1][0].word
        ('game', 'space')
    """
    module = cast("Autoencoder", model.module)
    bags = np.stack([encode(model, text).bag for text in (first, second)]).astype(np.float32)
    start, end = module.encode(torch.from_numpy(bags))
    shares = torch.linspace(0, 1, steps)
    codes = start + shares[:, None] * (end - start)
    log_probabilities = module.decode(codes).numpy()
    words = _Words(model, _at_rest(module), np.zeros(log_probabilities.shape[1], dtype=np.uint16))
    followed = _followed(log_probabilities)
    nearest, between = _nearest(model, codes.numpy())
    return CodeWalk(
        run=model.run.name,
        epoch=model.epoch,
        ends=ends,
        shares=shares.numpy(),
        codes=codes.numpy(),
        words=tuple(model.vocabulary.words[place + FIRST] for place in followed.tolist()),
        probabilities=np.exp(log_probabilities[:, followed]),
        likeliest=tuple(words.shares(each, _largest(each, SHOWN)) for each in log_probabilities),
        nearest=nearest,
        between=between,
    )


def _followed(log_probabilities: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the words to follow: likely somewhere on the way and changing on it, those of the first end first."""
    probabilities = np.exp(log_probabilities)
    change = np.ptp(probabilities, axis=0)
    chosen = _largest(change, FOLLOWED)
    middle = (probabilities[:, chosen] * np.arange(len(probabilities))[:, None]).sum(axis=0)
    return chosen[np.argsort(middle / probabilities[:, chosen].sum(axis=0), kind="stable")]


def _nearest(model: TrainedModel, codes: NDArray[np.float32]) -> tuple[tuple[Nearest, ...], NDArray[np.float32]]:
    """Return the kept document nearest to each of ``codes`` (S, Z), and its distance in those that documents have."""
    run = model.run
    documents, kept = documents_of(run), embeddings_of(run, model.epoch)
    distances = _distances(codes, kept)  # (S, N)
    usual = _distances(kept, kept)
    np.fill_diagonal(usual, np.inf)
    places = distances.argmin(axis=1)
    found = tuple(
        Nearest(documents.ids[place], run.class_names[documents.labels[place]], float(distances[step, place]))
        for step, place in enumerate(places.tolist())
    )
    mean = max(float(usual.min(axis=1).mean()), 1e-9)
    return found, (distances.min(axis=1) / mean).astype(np.float32)


def _distances(one: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the Euclidean distances (S, N) of codes (S, Z) and (N, Z)."""
    a, b = one.astype(np.float64), others.astype(np.float64)
    squares = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T
    return np.asarray(np.sqrt(np.maximum(squares, 0)))


@torch.inference_mode()
def unit_topics(model: TrainedModel, divergences: NDArray[np.floating] | None = None) -> tuple[UnitTopic, ...]:
    """Return each unit's effect on the words, varied over its range on the test documents, all others at their means.

    Args:
        model: of a run that keeps codes of test documents at this epoch.
        divergences: (Z,), each unit's mean KL divergence; None where there is none.
    """
    module, codes = cast("Autoencoder", model.module), embeddings_of(model.run, model.epoch)
    mean, deviation = codes.mean(axis=0), codes.std(axis=0)
    moved = np.stack([mean + sign * np.diag(deviation) for sign in (1, -1)]).astype(np.float32)  # (2, Z, Z)
    base = module.decode(torch.from_numpy(mean.astype(np.float32))[None])
    changes = (module.decode(torch.from_numpy(moved)) - base).numpy()  # (2, Z, W)
    words = model.vocabulary.words[FIRST:]

    def listed(change: NDArray[np.float32]) -> tuple[tuple[str, float], ...]:
        return tuple((words[place], float(change[place])) for place in _largest(change, SHOWN))

    return tuple(
        UnitTopic(
            unit=unit,
            mean=float(mean[unit]),
            deviation=float(deviation[unit]),
            active=bool(deviation[unit] ** 2 > _ACTIVE),
            divergence=None if divergences is None else float(divergences[unit]),
            up=listed(changes[0, unit]),
            down=listed(changes[1, unit]),
        )
        for unit in range(codes.shape[1])
    )


def unit_classes(model: TrainedModel, seed: int = 0) -> UnitClasses:
    """Return how well each unit separates each class from the others, and the same with shuffled labels."""
    run = model.run
    documents, codes = documents_of(run), embeddings_of(run, model.epoch)
    ranks = np.apply_along_axis(ranks_of, 0, codes)
    rng = np.random.default_rng(seed)
    found = _auc(ranks, documents.labels, len(run.class_names))
    redrawn = [
        float(np.abs(_auc(ranks, rng.permutation(documents.labels), len(run.class_names)) - 0.5).max())
        for _ in range(REDRAWS)
    ]
    return UnitClasses(
        run=run.name,
        epoch=model.epoch,
        classes=run.class_names,
        auc=found,
        threshold=float(np.quantile(redrawn, LEVEL)),
        redraws=REDRAWS,
        documents=len(codes),
    )


def _auc(ranks: NDArray[np.float64], labels: NDArray[np.integer], classes: int) -> NDArray[np.float32]:
    """Return the area under the ROC curve (Z, K) of each unit for each class, from ranks (N, Z), ties averaged.

    Hanley and McNeil (1982): it is the Mann-Whitney statistic, (R - n (n + 1) / 2) / (n m), R the sum of the ranks of
    the n documents of the class, m the number of the others. A class without documents has 0.5.
    """
    member = labels[:, None] == np.arange(classes)
    own = member.sum(axis=0).astype(np.float64)
    others = len(labels) - own
    sums = ranks.T @ member
    pairs = np.maximum(own * others, 1)
    return np.where(own * others > 0, (sums - own * (own + 1) / 2) / pairs, 0.5).astype(np.float32)
