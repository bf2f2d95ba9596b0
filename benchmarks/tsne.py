"""What does a t-SNE map cost: warm against cold, and openTSNE against scikit-learn?

The points are document embeddings of ``imdb-cnn``: its 2,000, and 10,000 that are those and copies of them with
noise. Both libraries start from the same principal components with the same perplexity, on one thread. openTSNE's
run is the one that draws the maps; scikit-learn's is its Barnes-Hut method with its own number of steps and the same
learning rate. The trustworthiness of the maps is printed, for a faster map that is worse is no gain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE

from benchmarks import RUN, SEED, Benchmark, Row
from benchmarks.clock import alternate
from nlpviz.analysis.projections import NEIGHBOURS, Embeddings, Fitting, projectors
from nlpviz.analysis.projections.quality import trustworthiness
from nlpviz.runs import open_run
from nlpviz.runs.documents import embeddings_of

SIZES = {2_000: (2, 3), 10_000: (2,)}  # points -> dimensions
ROUNDS = {2_000: 3, 10_000: 1}
PERPLEXITY = 30.0


def measure() -> Iterator[Row]:
    """Yield cold against warm, then openTSNE against scikit-learn, for each size and number of dimensions."""
    run = open_run(RUN)
    before, points = embeddings_of(run, run.epochs[-2]), embeddings_of(run, run.epochs[-1])
    for count, sizes in SIZES.items():
        earlier, later = (many(embeddings, count) for embeddings in (before, points))
        for dimensions in sizes:
            what = f"t-SNE, {count:,} points, {dimensions}-D"
            yield warm_and_cold(what, earlier, later, dimensions)
            ours, theirs = Kept(partial(own, later, dimensions)), Kept(partial(peer, later, dimensions))
            taken, by_peer = alternate(ROUNDS[count], ours, theirs)
            trusts = [trustworthiness(later, made.positions, NEIGHBOURS) for made in (ours, theirs)]
            print(f"{what}: trustworthiness {trusts[0]:.4f}, by scikit-learn {trusts[1]:.4f}")
            yield Row(f"{what}, openTSNE", "s", taken, "scikit-learn", by_peer)


def warm_and_cold(what: str, before: Embeddings, points: Embeddings, dimensions: int) -> Row:
    """Return the time of a map that starts from the one of the epoch before, beside that of the epoch before."""
    pairs = [starts(before, points, dimensions) for _ in range(ROUNDS[len(points)])]
    cold, warm = zip(*pairs, strict=True)
    return Row(f"{what}, warm start", "s", warm, "cold start", cold)


def starts(before: Embeddings, points: Embeddings, dimensions: int) -> tuple[float, float]:
    """Return the seconds of the first map, which starts cold, and of the second, which starts from it."""
    reports: list[tuple[str, float]] = []
    began = perf_counter()
    projectors()["tsne"].project(
        [before, points],
        Fitting(0, dimensions, SEED, PERPLEXITY, lambda _, doing: reports.append((doing, perf_counter()))),
    )
    between = max(when for doing, when in reports if doing.startswith("map 1"))
    return between - began, perf_counter() - between


class Kept:
    """A call whose last result is kept."""

    def __init__(self, call: Callable[[], Embeddings]) -> None:
        """Wrap ``call``."""
        self._call = call

    def __call__(self) -> None:
        """Make the call and keep what it returns."""
        self.positions = self._call()


def many(embeddings: Embeddings, count: int) -> Embeddings:
    """Return ``count`` points: the embeddings, and copies of them with a tenth of their spread as noise."""
    rng = np.random.default_rng(SEED)
    copies = rng.integers(len(embeddings), size=count - len(embeddings))
    noise = rng.normal(scale=0.1 * float(embeddings.std()), size=(len(copies), embeddings.shape[1]))
    return np.concatenate([embeddings, embeddings[copies] + noise]).astype(np.float32)


def own(points: Embeddings, dimensions: int) -> Embeddings:
    """Return the map of the points as the project draws it."""
    return projectors()["tsne"].project([points], Fitting(0, dimensions, SEED, PERPLEXITY))[-1]


def peer(points: Embeddings, dimensions: int) -> Embeddings:
    """Return scikit-learn's map of the same points."""
    start = PCA(dimensions, random_state=SEED).fit_transform(points)
    start *= 1e-4 / start[:, 0].std()
    rate = len(points) / 48  # a quarter of openTSNE's, which leaves out a factor of four
    made: Embeddings = TSNE(
        dimensions, perplexity=PERPLEXITY, learning_rate=rate, init=start, random_state=SEED
    ).fit_transform(points)
    return made


BENCHMARK = Benchmark("tsne", "How long does a t-SNE map take, with a warm and a cold start?", measure, "documents")
