"""What does a variational autoencoder of documents cost and reach, beside latent Dirichlet allocation?

Both read the bags of the 9,780 training posts of 20 Newsgroups: ``newsgroups-vae-32`` and ``newsgroups-lda``, whose
number of topics was chosen among several by validation. A pass over them is timed, then the codes of the test posts,
for LDA the shares of the topics as scikit-learn fits them. The perplexity bounds are measured again, by one definition.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np
import torch

from benchmarks import Benchmark, Row
from benchmarks.clock import alternate
from nlpviz.networks.architectures import architectures
from nlpviz.networks.autoencoders import Autoencoder
from nlpviz.runs import Run, open_run
from nlpviz.runs.codes import read_topics
from nlpviz.training.arrays import vocabulary_of
from nlpviz.training.averaging import WeightAverage
from nlpviz.training.bags import encode_bags, read_split, training_bags
from nlpviz.training.codes_fit import CodesFit, train_epoch
from nlpviz.training.codes_measures import codes_of, costs
from nlpviz.training.loop import Learner
from nlpviz.training.topic_bound import bound

OURS, TOPICS = "newsgroups-vae-32", "newsgroups-lda"
ROUNDS = 3
PEER = "scikit-learn's LatentDirichletAllocation"


def measure() -> Iterator[Row]:
    """Yield the seconds of a pass and of the test posts' codes, and both perplexity bounds."""
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import LatentDirichletAllocation

    torch.set_num_threads(1)
    run, topics = open_run(OURS), open_run(TOPICS)
    arrays = encode_bags(run.corpus["name"], run.recipe["words"], run.max_length)
    vocabulary = vocabulary_of(arrays, "vocabulary")
    train = training_bags(arrays, vocabulary, len(run.class_names), run.recipe["validation"]).train
    test = read_split(run).bags
    sparse, sparse_test = csr_matrix(train.astype(np.float64)), csr_matrix(test.astype(np.float64))
    peer = LatentDirichletAllocation(
        topics.config["topics"], doc_topic_prior=topics.config["prior"], learning_method="online",
        batch_size=topics.recipe["batch_size"], max_iter=1, evaluate_every=0, random_state=0,
    )  # fmt: skip
    network = _untrained(run)
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3, fused=True)
    learner = Learner(network, optimizer, WeightAverage(network, 0.0))
    settings, rng = CodesFit(epochs=1), np.random.default_rng(0)
    ours, theirs = alternate(ROUNDS, lambda: train_epoch(learner, train, settings, 1, rng), lambda: peer.fit(sparse))
    posts = f"{len(train):,} posts"
    yield Row(f"one pass over {posts}, {run.config['latent']} units", "s", ours, f"{PEER}, one pass", theirs)
    network.eval()
    ours, theirs = alternate(ROUNDS, lambda: codes_of(network, test), lambda: peer.transform(sparse_test))
    yield Row(f"codes of {len(test):,} posts", "s", ours, f"{PEER}, topic proportions", theirs)
    found = costs(cast("Autoencoder", run.load().module), test).facts["perplexity"]
    other = bound(read_topics(topics), test).facts["perplexity"]
    what = f"perplexity bound of {len(test):,} test posts"
    yield Row(what, "per word", (found,), f"{PEER}, {topics.config['topics']} topics", (other,), bar=other)


def _untrained(run: Run) -> Autoencoder:
    """Return a run's network before training."""
    torch.manual_seed(0)
    architecture = architectures()[run.architecture]
    return cast("Autoencoder", architecture.build(architecture.config(**run.config)))


BENCHMARK = Benchmark("codes", "How do document codes compare with LDA, in time and perplexity?", measure, "documents")
