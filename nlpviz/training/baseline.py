"""A linear baseline: n-grams weighted by their naive-Bayes log-count ratio, with logistic regression.

Wang and Manning (2012), *Baselines and Bigrams: Simple, Good Sentiment and Topic Classification* (91.22 % on these
reviews with a linear SVM over one- and two-word features). A network that does not beat it should be seen not to.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.data import corpus_named
from nlpviz.results.ngram_counts import NgramCounts
from nlpviz.results.ngram_weights import NgramWeights
from nlpviz.runs import Run
from nlpviz.runs.counts import NGRAMS, write_counts
from nlpviz.runs.files import write_text
from nlpviz.runs.ngram_weights import write_weights
from nlpviz.runs.predictions import RATINGS_MASKED
from nlpviz.text.vocabulary import tokenize
from nlpviz.training import Options, Recipe
from nlpviz.training.predictions import Rated, write
from nlpviz.training.provenance import describe, today, versions, write_card
from nlpviz.training.texts import LabelledTexts, labelled_texts, words_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

_SOURCE = "Wang and Manning 2012, with logistic regression"


@dataclass(frozen=True)
class BaselineSettings:
    """What makes a baseline what it is.

    Attributes:
        corpus: its name.
        class_names: in the order of the labels; two.
        longest: words in an n-gram, at most.
        smoothing: added to each n-gram's count in each class.
        inverse_penalty: C of the logistic regression; 0.3, 1 and 3 lay within 0.12 points on 2,500 held-out texts.
        shown: how many of the strongest n-grams of each class the run keeps.
        seed: of the solver.
    """

    corpus: str
    class_names: tuple[str, str]
    longest: int = 3
    smoothing: float = 1.0
    inverse_penalty: float = 1.0
    shown: int = 500
    seed: int = 0


class Fitted(NamedTuple):
    """What a fit leaves: how texts become counts, each n-gram's log-count ratio, and the regression on top."""

    counter: CountVectorizer
    ratio: NDArray[np.float64]
    regression: LogisticRegression

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability of the second class of each text, (N,)."""
        if not texts:  # of which scikit-learn predicts nothing
            return np.zeros(0)
        answers = self.regression.predict_proba(weigh(self.counter.transform(texts), self.ratio))
        return np.asarray(answers[:, 1])


def baseline_recipe(name: str, title: str, settings: BaselineSettings) -> Recipe:
    """Return the recipe that makes the run ``name`` as ``settings`` say."""
    return Recipe(
        name=name,
        title=title,
        corpus=settings.corpus,
        make=partial(_make, title=title, settings=settings),
        evaluate=partial(_evaluate, settings=settings),
        settings=settings,
        worth=3,  # a minute, and surveys of all runs on its corpus count n-grams with it
    )


def log_count_ratio(present: csr_matrix, labels: NDArray[np.integer], smoothing: float) -> NDArray[np.float64]:
    """Return each n-gram's log-count ratio r = log((p / |p|) / (q / |q|)), Wang and Manning's section 2.1.

    Args:
        present: whether each text (rows) has each n-gram (columns).
        labels: 1 or 0 for each text.
        smoothing: alpha, added to the counts p of the texts labelled 1 and q of those labelled 0.
    """
    p = smoothing + np.asarray(present[labels == 1].sum(axis=0)).ravel()
    q = smoothing + np.asarray(present[labels == 0].sum(axis=0)).ravel()
    return np.asarray(np.log((p / p.sum()) / (q / q.sum())))


def weigh(present: csr_matrix, ratio: NDArray[np.float64]) -> csr_matrix:
    """Return the features: each text's n-grams, each with its log-count ratio."""
    from scipy.sparse import diags_array

    return (present @ diags_array(ratio)).tocsr()


def fit(texts: Sequence[str], labels: NDArray[np.integer], settings: BaselineSettings) -> Fitted:
    """Return the baseline fitted to ``texts`` and their labels, 1 or 0; about a minute for 25,000 reviews."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    counter = CountVectorizer(
        analyzer=partial(ngrams, longest=settings.longest), binary=True, min_df=2, dtype=np.float64
    )
    present = counter.fit_transform(texts)
    ratio = log_count_ratio(present, labels, settings.smoothing)
    regression = LogisticRegression(C=settings.inverse_penalty, solver="liblinear", random_state=settings.seed)
    return Fitted(counter, ratio, regression.fit(weigh(present, ratio), labels))


def kept_weights(fitted: Fitted, settings: BaselineSettings) -> NgramWeights:
    """Return the weights of a fit as a run keeps them: what each n-gram adds to the log-odds of the second class."""
    weights = fitted.ratio * fitted.regression.coef_
    names = fitted.counter.get_feature_names_out().tolist()
    return NgramWeights.of(names, weights, fitted.regression.intercept_, settings.longest)


def ngrams(text: str, longest: int) -> list[str]:
    """Return all n-grams of ``text`` of one to ``longest`` words, in the vocabulary's spelling."""
    words = [token.word for token in tokenize(text)]
    return [
        " ".join(words[start : start + size])
        for size in range(1, longest + 1)
        for start in range(len(words) - size + 1)
    ]


def _evaluate(
    run_name: str, options: Options, _epoch: int | None = None, *, settings: BaselineSettings
) -> dict[str, float]:
    """Fit again and measure on the test split: the weights that the run keeps are rounded. It has no epochs."""
    train = labelled_texts(settings.corpus, "train")
    options.say(f"Fitting {run_name} again on {len(train.texts):,} texts")
    return _measure(fit(train.texts, train.labels, settings), labelled_texts(settings.corpus, "test"))


def _make(folder: Path, options: Options, *, title: str, settings: BaselineSettings) -> None:
    """Fit, measure once on the test split, and write the run into ``folder``."""
    import torch

    started = perf_counter()
    train, test = labelled_texts(settings.corpus, "train"), labelled_texts(settings.corpus, "test")
    options.say(f"Counting n-grams of {len(train.texts):,} texts, fitting the regression")
    fitted = fit(train.texts, train.labels, settings)
    names, weights = fitted.counter.get_feature_names_out(), fitted.ratio * fitted.regression.coef_[0]
    write_text(folder / NGRAMS, _strongest(names, weights, settings.shown))
    write_counts(folder, NgramCounts.count(words_of(train.texts), settings.longest))
    write_weights(folder, kept_weights(fitted, settings))
    options.say(f"Measuring on {len(test.texts):,} test texts, once")
    metrics = {"test": _measure(fitted, test), RATINGS_MASKED: _predict(fitted, folder, test)}
    corpus = corpus_named(settings.corpus)
    run = Run(
        name=folder.name,
        title=title,
        kind="baseline",
        architecture="",
        config={},
        class_names=settings.class_names,
        max_length=0,
        epochs=(),
        best_epoch=0,
        parameters=(("weights of the n-grams", f"{len(weights):,}", len(weights)), ("bias", "1", 1)),
        metrics=metrics,
        corpus={
            "name": corpus.name,
            "sha256": corpus.sha256[0],
            "train": len(train.texts),
            "test": len(test.texts),
        },
        recipe=asdict(settings),
        device=describe(torch.device("cpu")),
        seconds=round(perf_counter() - started, 1),
        seconds_per_epoch=0.0,
        seed=settings.seed,
        created=today(),
        versions=versions(),
        files={},
        folder=folder,
    )
    write_card(run, corpus, _SOURCE)
    run.save()


def predict_again(run: Run, say: Callable[[str], None] = lambda _: None) -> Run:
    """Fit a baseline again; write its weights and what it predicts for all test documents, manifest and card."""
    known = {item.name for item in fields(BaselineSettings)}
    recipe = {name: value for name, value in run.recipe.items() if name in known}
    settings = BaselineSettings(**recipe | {"class_names": run.class_names})
    train, test = (labelled_texts(settings.corpus, split) for split in ("train", "test"))
    say(f"Fitting {run.name} again on {len(train.texts):,} texts, predicting {len(test.texts):,}")
    fitted = fit(train.texts, train.labels, settings)
    write_weights(run.folder, kept_weights(fitted, settings))
    metrics = _predict(fitted, run.folder, test)
    run = replace(run, metrics={**run.metrics, RATINGS_MASKED: metrics})
    write_card(run, corpus_named(settings.corpus), _SOURCE)
    return run.save()


def _predict(fitted: Fitted, folder: Path, test: LabelledTexts) -> dict[str, float]:
    """Write what is predicted for all test documents; return what masking their ratings makes of it."""
    rated = Rated.of(test.texts, 0)
    plain, hidden = (
        np.stack([1 - positive, positive], axis=1) for positive in map(fitted.probabilities, (test.texts, rated.masked))
    )
    return write(folder, test, {0: plain}, 0, hidden, rated)


def _measure(fitted: Fitted, texts: LabelledTexts) -> dict[str, float]:
    positive = fitted.probabilities(texts.texts)
    right = (positive > 0.5) == (texts.labels == 1)
    of_label = np.where(texts.labels == 1, positive, 1 - positive)
    loss = -np.log(np.clip(of_label, 1e-12, None)).mean()
    return {"accuracy": float(right.mean()), "loss": float(loss), "documents": len(texts.texts)}


def _strongest(names: NDArray[np.str_], weights: NDArray[np.float64], shown: int) -> str:
    """Return the most positive and the most negative n-grams with their weights, as CSV."""
    order = np.argsort(weights)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["ngram", "weight"])
    strongest = [*order[::-1][:shown], *order[:shown]]
    writer.writerows((names[position], round(float(weights[position]), 4)) for position in strongest)
    return text.getvalue()
