"""How the run of a topic model is made: scikit-learn's latent Dirichlet allocation, settings selected on validation.

Blei, Ng and Jordan (2003), *Latent Dirichlet Allocation*; fitted online as in Hoffman, Blei and Bach (2010), *Online
Learning for Latent Dirichlet Allocation*. It is the yardstick of the autoencoders of documents: the same words, the
same documents, the same split, the same definition of perplexity.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from time import perf_counter

import numpy as np
import torch
from numpy.typing import NDArray

from nlpviz.data import corpus_named
from nlpviz.runs import Run, open_run
from nlpviz.runs.codes import TOPICS_KIND, Topics, read_topics, write_topics
from nlpviz.runs.run import VOCABULARY
from nlpviz.text.bags import FIRST
from nlpviz.training import Options, Recipe, sources_of
from nlpviz.training.arrays import vocabulary_of
from nlpviz.training.bags import encode_bags, read_split, training_bags
from nlpviz.training.codes_card import write_topics_card
from nlpviz.training.manifest import begun
from nlpviz.training.provenance import describe
from nlpviz.training.sources import reads_texts, texts_from
from nlpviz.training.topic_bound import bound, completion


@dataclass(frozen=True)
class TopicSettings:
    """All settings of a run of topics.

    Attributes:
        corpus: its name; it has the splits train and test.
        class_names: in the order of the labels, which it never sees.
        words: of the vocabulary.
        max_length: tokens read of a document.
        validation: documents held out, to choose the number of topics and the prior on.
        topics: numbers of topics that are tried.
        priors: sums over the topics of the Dirichlet prior's parameters that are tried; 1 is scikit-learn's default,
            and it takes none above the number of topics, so that these are left out.
        passes: over the training documents.
        batch_size: documents a step.
        offset: of the learning rate, τ0: a step's weight is (τ0 + step)^-0.7.
        seed: of the initial topics and the order.
    """

    corpus: str
    class_names: tuple[str, ...]
    words: int = 2_000
    max_length: int = 400
    validation: int = 1_200
    topics: tuple[int, ...] = (3, 5, 10)
    priors: tuple[float, ...] = (3.0, 5.0, 10.0)
    passes: int = 10
    batch_size: int = 256
    offset: float = 10.0
    seed: int = 0


def topics_recipe(name: str, title: str, settings: TopicSettings) -> Recipe:
    """Return the recipe that makes the run ``name`` as ``settings`` say."""
    return Recipe(
        name=name,
        title=title,
        corpus=settings.corpus,
        make=partial(_make, title=title, settings=settings),
        evaluate=evaluate,
        worth=2,
        settings=settings,
    )


def evaluate(run_name: str, _: Options, _epoch: int | None = None) -> dict[str, float]:
    """Return the measures of the stored topics on the test split. They have no epochs."""
    run = open_run(run_name)
    return measure_topics(read_topics(run), read_split(run).bags)


def measure_topics(topics: Topics, bags: NDArray[np.uint16]) -> dict[str, float]:
    """Return the bound and its terms, and the perplexity of completed documents."""
    return bound(topics, bags).facts | {"completion": completion(topics, bags)}


def fit_topics(bags: NDArray[np.uint16], topics: int, prior: float, settings: TopicSettings) -> Topics:
    """Return topics fitted to ``bags`` (N, W).

    Args:
        bags: of the training documents.
        topics: how many.
        prior: the sum over them of the Dirichlet prior's parameters.
        settings: passes, batches, seed.
    """
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import LatentDirichletAllocation

    fitted = LatentDirichletAllocation(
        topics,
        doc_topic_prior=prior / topics,
        topic_word_prior=1 / topics,
        learning_method="online",
        learning_offset=settings.offset,
        batch_size=settings.batch_size,
        max_iter=settings.passes,
        evaluate_every=0,
        random_state=settings.seed,
    ).fit(csr_matrix(bags.astype(np.float64)))
    return Topics(fitted.components_ / fitted.components_.sum(axis=1, keepdims=True), prior / topics)


def _make(folder: Path, options: Options, *, title: str, settings: TopicSettings) -> None:
    """Fit with every setting, choose by the validation documents, measure the test split once, and write the run."""
    started = perf_counter()
    sources = sources_of(reads_texts(settings.corpus, "train"), folder, options)
    arrays = encode_bags(texts_from(sources, settings.corpus, "train"), settings.words, settings.max_length)
    vocabulary = vocabulary_of(arrays, "vocabulary")
    bags = training_bags(arrays, vocabulary, len(settings.class_names), settings.validation)
    found: list[tuple[float, Topics]] = []
    tried = []
    for count, prior in product(settings.topics, settings.priors):
        if prior > count:
            continue
        since = perf_counter()
        topics = fit_topics(bags.train, count, prior, settings)
        reached = bound(topics, bags.validation).facts["perplexity"]
        seconds = round(perf_counter() - since, 1)
        options.say(f"{count} topics, prior sum {prior:g}: validation perplexity {reached:.1f}; {seconds} s")
        found.append((reached, topics))
        tried.append({"topics": count, "prior": prior, "perplexity": reached, "seconds": seconds})
    chosen = min(found, key=lambda each: each[0])[1]
    vocabulary.save(folder / VOCABULARY)
    write_topics(folder, chosen)
    corpus, size = corpus_named(settings.corpus), len(vocabulary) - FIRST
    count = len(chosen.words)
    run = replace(
        begun(folder, title, TOPICS_KIND, settings),
        architecture="lda",
        recipe={**asdict(settings), "tried": tried},
        config={"vocabulary_size": len(vocabulary), "topics": count, "prior": chosen.prior},
        parameters=(("word weights of topics", f"{count:,} × {size:,}", count * size),),
        corpus={"name": corpus.name, "sha256": corpus.sha256[0], "train": len(bags.train)},
        device=describe(torch.device("cpu")),
        seconds=round(perf_counter() - started, 1),
    ).save()
    _finish(run, bags.validation, options)


def _finish(run: Run, validation: NDArray[np.uint16], options: Options) -> None:
    """Measure validation and test documents with the topics as they are stored, and write card and manifest."""
    test, topics = read_split(run), read_topics(run)
    options.say(f"Evaluating on {len(test.bags):,} test documents")
    metrics = {"validation": measure_topics(topics, validation), "test": measure_topics(topics, test.bags)}
    about = {**run.corpus, "validation": len(validation), "test": len(test.bags), "empty": test.empty}
    run = replace(run, metrics=metrics, corpus=about)
    write_topics_card(run, corpus_named(run.corpus["name"]))
    run.save()
