"""How soon does a run of word vectors answer from a cold shell, and how much memory does it take?

``python -m nlpviz neighbours`` starts Python, checks the run's files against their hashes, reads the vectors and
answers. The peer is Python with gensim that loads the same vectors, exported as word2vec's binary file, and asks
``most_similar``. Memory is what a process has grown by, from before the vectors are read until they have answered,
words and counts included, as Linux tells it; the bar is one and a half times the single-precision vectors themselves.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import ROOT, Benchmark, Row
from benchmarks.clock import alternate
from benchmarks.peers.many_words import word_run
from nlpviz.runs import open_run
from nlpviz.runs.vectors import read_vectors
from nlpviz.word_vectors.formats import write_binary

ROUNDS = 7
BAR = 1.0  # seconds
TIMES = 1.5  # the vectors
WORD = "paris"

_GROWTH = r"""
import pathlib, re
def resident():
    return int(re.search(r"VmRSS:\s*(\d+)", pathlib.Path("/proc/self/status").read_text())[1]) * 1024 / 1e6
{imports}
before = resident()
{asks}
print(resident() - before)
"""
_OWN = (
    "import safetensors.numpy; import nlpviz.word_vectors.neighbours as verbs; from nlpviz.runs import open_run; "
    "from nlpviz.runs.vectors import read_vectors",
    "vectors = read_vectors(open_run({run!r})); verbs.neighbours(vectors, {word!r})",
)
_GENSIM = (
    "from gensim.models import KeyedVectors",
    "vectors = KeyedVectors.load_word2vec_format({file!r}, binary=True); vectors.most_similar({word!r})",
)


def measure() -> Iterator[Row]:
    """Yield the time of the first answer, then the memory that the vectors take."""
    run = word_run()
    vectors = read_vectors(open_run(run))
    with TemporaryDirectory() as folder:
        file = str(Path(folder) / "vectors.bin")
        write_binary(Path(file), vectors)
        own, peer = ([part.format(run=run, file=file, word=WORD) for part in asked] for asked in (_OWN, _GENSIM))
        first, gensims = alternate(
            ROUNDS,
            lambda: _python("-m", "nlpviz", "neighbours", run, WORD, "--json"),
            lambda: _python("-c", "; ".join(peer)),
        )
        what = f"{len(vectors):,} × {vectors.dimensions}"
        yield Row(f"first neighbours from a cold shell, {what}", "s", first, "gensim, word2vec file", gensims, BAR)
        grown, by_gensim = (
            tuple(float(_python("-c", _GROWTH.format(imports=imports, asks=asks))) for _ in range(ROUNDS))
            for imports, asks in (own, peer)
        )
        bar = TIMES * vectors.directions.nbytes / 1e6
        yield Row(f"memory of word vectors, {what}", "MB", grown, "gensim, word2vec file", by_gensim, bar)


def _python(*arguments: str) -> str:
    """Return what Python prints."""
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


BENCHMARK = Benchmark(
    "word-loading", "How fast do word vectors load, and how much memory do they take?", measure, "words"
)
