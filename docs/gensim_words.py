"""Gensim's word vectors beside ours: ``python docs/gensim_words.py [RUN…]`` writes ``docs/gensim_words.csv``.

Gensim trains on the same words of the same corpus, as many epochs, with as many dimensions; window, negative words and
subsampling are those it began with here, word2vec's customary ones, and its rates are its own. Both answer Google's
analogy questions by 3CosAdd. It takes some minutes a run; runs that are not named keep their row.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from nlpviz.runs import Run

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

TABLE = ROOT / "docs" / "gensim_words.csv"
COLUMNS = ("run", "epochs", "gensim", "gensim, every second", "gensim, the others")
RUNS = ("enwiki-cbow", "enwiki-skipgram")
SETTINGS = {"window": 5, "negative": 5, "ns_exponent": 0.75, "sample": 1e-4, "min_count": 1, "workers": 1, "seed": 1}
SENTENCE = 10_000  # words: the most that gensim takes at once


def gensims_accuracies(run: Run) -> tuple[float, ...]:
    """Return gensim's accuracy at as many epochs as ``run`` has: on all questions, every second, the others."""
    import numpy as np
    from gensim.models import Word2Vec

    from nlpviz.data import corpus_named
    from nlpviz.data.analogies import find_questions
    from nlpviz.results.vectors import WordVectors
    from nlpviz.text.vocabulary import SPECIALS
    from nlpviz.training.words import encode, halves
    from nlpviz.word_vectors.questions import read_questions, score

    size, dimensions = run.config["vocabulary_size"], run.config["dimensions"]
    with tempfile.TemporaryDirectory() as folder:
        vocabulary, text = encode(corpus_named(run.corpus["name"]), run.recipe["splits"], size, Path(folder) / "ids")
        ids = np.array(text.ids[text.ids >= 0])
    words = vocabulary.words[len(SPECIALS) :]
    model = Word2Vec(sg=int(run.architecture == "skip-gram"), vector_size=dimensions, **SETTINGS)
    model.build_vocab_from_freq(dict(zip(words, text.counts.tolist(), strict=True)))
    model.train(_Sentences(words, ids), total_words=len(ids), epochs=run.best_epoch)
    vectors = WordVectors.of("gensim", words, np.stack([model.wv[word] for word in words]))
    questions = read_questions(find_questions())
    return tuple(score(vectors, asked).total.accuracy for asked in (questions, *halves(questions)))


class _Sentences:
    """A text, to be read once an epoch in stretches of ``SENTENCE`` words."""

    def __init__(self, words: tuple[str, ...], ids: NDArray[np.int32]) -> None:
        self._words, self._ids = words, ids

    def __iter__(self) -> Iterator[list[str]]:
        for start in range(0, len(self._ids), SENTENCE):
            yield [self._words[number] for number in self._ids[start : start + SENTENCE]]


def read_table() -> dict[str, dict[str, str]]:
    """Return the table's rows, by run."""
    if not TABLE.exists():
        return {}
    with TABLE.open(encoding="utf-8", newline="") as stream:
        return {row["run"]: row for row in csv.DictReader(stream)}


if __name__ == "__main__":
    from nlpviz.runs import open_run

    table = read_table()
    for name in sys.argv[1:] or RUNS:
        run = open_run(name)
        accuracies = [f"{accuracy:.4f}" for accuracy in gensims_accuracies(run)]
        table[name] = dict(zip(COLUMNS, (name, str(run.best_epoch), *accuracies), strict=True))
        with TABLE.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(table[each] for each in sorted(table))
