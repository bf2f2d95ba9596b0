"""How long does it take to predict 100,000 reviews, in one process and on a Ray cluster of this machine?

Reviews are random words of the network's vocabulary, as frequent as in training, with the lengths of reviews, in a
Parquet file. Measured is all from opening it to the finished file of answers, but for starting Python: both readings of
the rows, and for Ray starting the cluster. Every process computes with one thread. The peer takes one text after the
other through the same network, 1,000 of them, scaled.
"""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch

from benchmarks import RUN, SEED, Benchmark, Row
from benchmarks.training_epoch import review_lengths
from nlpviz.analysis.bulk.cluster import Cluster
from nlpviz.analysis.bulk.jobs import Answerer, Told, answer_file, here
from nlpviz.analysis.bulk.questions import BulkQuestion
from nlpviz.data.own_texts import Source, open_source
from nlpviz.runs import TrainedModel, open_run

TEXTS, PLAIN = 100_000, 1_000
BLOCK = 10_000  # of texts that are drawn at once


def measure() -> Iterator[Row]:
    """Yield the seconds of one process beside those of a plain loop; of a cluster beside those of one process."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield from _measured(Path(folder))
    finally:
        torch.set_num_threads(threads)


def _measured(folder: Path) -> Iterator[Row]:
    trained, texts = open_run(RUN).load(), folder / "texts.parquet"
    write_reviews(trained, texts)
    first = pq.ParquetFile(texts).read_row_group(0)["body"].to_pylist()[:PLAIN]
    plain, alone = _one_by_one(trained, first) * TEXTS / PLAIN, _seconds(texts, folder, here)
    what = f"`predict {RUN}` of {TEXTS:,} texts"
    yield Row(f"{what}, one process", "s", (alone,), "one text at a time", (plain,))
    if importlib.util.find_spec("ray") is None:
        print("Ray is not installed: pip install -r requirements-ray.txt")
        return
    for workers in (1, 2):
        taken = _seconds(texts, folder, Cluster(workers=workers))
        yield Row(f"{what}, Ray with {workers} worker{'s' * (workers > 1)}", "s", (taken,), "one process", (alone,))


def write_reviews(trained: TrainedModel, path: Path) -> None:
    """Write texts of random words, a row group for each block of them."""
    words, counts = np.array(trained.vocabulary.words[2:]), trained.vocabulary.counts[2:]
    rng, lengths = np.random.default_rng(SEED), review_lengths(TEXTS)
    with pq.ParquetWriter(path, pa.schema([("body", pa.string())])) as writer:
        for first in range(0, TEXTS, BLOCK):
            some = lengths[first : first + BLOCK]
            drawn = np.split(rng.choice(words, some.sum(), p=counts / counts.sum()), np.cumsum(some)[:-1])
            writer.write_table(pa.table({"body": [" ".join(text) for text in drawn]}))


def _one_by_one(trained: TrainedModel, texts: list[str]) -> float:
    """Return the seconds of a loop over ``texts``."""
    started = perf_counter()
    with torch.inference_mode():
        for text in texts:
            trained.module(torch.from_numpy(trained.encode(text).row).unsqueeze(0))
    return perf_counter() - started


def _seconds(texts: Path, folder: Path, answerer: Answerer) -> float:
    """Return the seconds of a whole job."""
    run, out = open_run(RUN), folder / "answers.parquet"
    question = BulkQuestion("predict", run.name, run.fingerprint, run.best_epoch)
    started = perf_counter()
    opened = open_source(Source(str(texts), text="body"))
    counted = answer_file(question, opened.rows, out, Told(lambda *_: None, lambda _: None), answerer)
    seconds = perf_counter() - started
    if counted.rows != TEXTS or pq.read_metadata(out).num_rows != TEXTS:
        raise RuntimeError("texts were lost")
    out.unlink()
    print(f"  {TEXTS / seconds:,.0f} texts a second", flush=True)
    return seconds


BENCHMARK = Benchmark("bulk", "How long does it take to classify a file of 100,000 reviews?", measure, "documents")
