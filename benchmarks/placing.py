"""How long does it take to place a typed review on a t-SNE map of 2,000 documents?

Ours places one point by exact distances and gradient steps of its own; the peer is openTSNE's ``transform`` of the
same embedding onto the same map with the same perplexity, its neighbour index built beforehand. Both are asked how near
they come to the positions of documents that were left out of the map.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from openTSNE import TSNEEmbedding
from openTSNE.affinity import PerplexityBasedNN

from benchmarks import RUN, SEED, Benchmark, Row
from benchmarks.clock import alternate, in_ms
from nlpviz.analysis.projections import Embeddings, FittedMap, projectors
from nlpviz.analysis.projections.texts import embed_text, fitted_map, place_text
from nlpviz.data.examples import examples
from nlpviz.runs import open_run
from nlpviz.runs.documents import projections_of

ROUNDS, LEFT_OUT = 21, 50
BAR = 50.0  # milliseconds


def measure() -> Iterator[Row]:
    """Yield the time of one placing beside openTSNE's."""
    run = open_run(RUN)
    wanted = ("tsne", 2, run.best_epoch, False)
    chart = next(one for one in projections_of(run) if (one.projector, one.dimensions, one.epoch, one.alone) == wanted)
    whole, transform = fitted_map(run, chart), projectors()["tsne"].transform
    if transform is None:
        raise TypeError("t-SNE cannot place new points")
    held_out = np.zeros(len(whole.embeddings), dtype=bool)
    held_out[np.random.default_rng(SEED).choice(len(held_out), LEFT_OUT, replace=False)] = True
    known = FittedMap(
        whole.embeddings[~held_out], whole.coordinates[~held_out], whole.reference[~held_out], 0, whole.perplexity
    )
    near = PerplexityBasedNN(known.embeddings, perplexity=whole.perplexity, method="exact", n_jobs=1)
    theirs = TSNEEmbedding(known.coordinates.astype(float), near, negative_gradient_method="bh", n_jobs=1)
    points, own_places = whole.embeddings[held_out], whole.coordinates[held_out]

    def missed(placed: Embeddings) -> float:
        return float(np.median(np.linalg.norm(np.asarray(placed) - own_places, axis=1)) / chart.spread)

    by_peer = theirs.transform(points, perplexity=whole.perplexity)
    print(f"median error {missed(transform(known, points)):.3f} spreads, openTSNE {missed(by_peer):.3f}")
    trained, text = run.load(), examples()[0].text
    taken, typed, peer = alternate(
        ROUNDS,
        lambda: transform(known, points[:1]),
        lambda: place_text(run, chart, embed_text(trained, text)),
        lambda: theirs.transform(points[:1], perplexity=whole.perplexity),
    )
    what = f"placing a review on a map of {len(known.embeddings):,}"
    yield Row(what, "ms", in_ms(taken), "openTSNE's `transform`", in_ms(peer), BAR)
    yield Row(f"{what}, from text to position", "ms", in_ms(typed), "openTSNE's `transform`", in_ms(peer), BAR)


BENCHMARK = Benchmark("placing", "How long does it take to place a typed review on a map?", measure, "documents")
