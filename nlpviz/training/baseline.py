"""A linear baseline: n-grams weighted by their naive-Bayes log-count ratio, with logistic regression.

Wang and Manning (2012), *Baselines and Bigrams: Simple, Good Sentiment and Topic Classification* (91.22% on IMDB with
a linear SVM over one- and two-word features). Two classes take one regression; more take one a class against the rest,
each with log-count ratios of its own, as in their section 3. A network that does not beat it should be seen not to.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlpviz.data import Corpus, corpus_named
from nlpviz.data.columns import LabelledTexts
from nlpviz.results.ngram_counts import NgramCounts
from nlpviz.results.ngram_weights import NgramWeights
from nlpviz.results.predictions import Predicted
from nlpviz.runs import Run
from nlpviz.runs.counts import NGRAMS, write_counts
from nlpviz.runs.files import write_text
from nlpviz.runs.ngram_weights import write_weights
from nlpviz.runs.word_ratios import counted, write_ratios
from nlpviz.text.vocabulary import tokenize, words_of
from nlpviz.training import Options, Recipe
from nlpviz.training.manifest import begun
from nlpviz.training.predictions import Rated, write
from nlpviz.training.provenance import describe, write_card
from nlpviz.training.texts import labelled_texts

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

_SOURCE = "Wang and Manning 2012, with logistic regression"


@dataclass(frozen=True)
class BaselineSettings:
    """All settings of a baseline.

    Attributes:
        corpus: its name.
        class_names: in the order of the labels.
        longest: words in an n-gram, at most.
        smoothing: added to each n-gram's count in each class.
        inverse_penalty: C of the logistic regression; 0.3, 1 and 3 lay within 0.12 points on 2,500 held-out texts.
        shown: how many of the strongest n-grams of each class the run keeps.
        seed: of the solver.
    """

    corpus: str
    class_names: tuple[str, ...]
    longest: int = 3
    smoothing: float = 1.0
    inverse_penalty: float = 1.0
    shown: int = 500
    seed: int = 0


class Fitted(NamedTuple):
    """What a fit leaves: how texts become counts, and for each class that has a regression ratios and weights.

    Attributes:
        counter: gives the n-grams of a text.
        ratios: (R, F), each n-gram's log-count ratio; R is 1 for two classes, that of the second, and K for K of them.
        regressions: R, each over the n-grams as its ratios weigh them.
    """

    counter: CountVectorizer
    ratios: NDArray[np.float64]
    regressions: tuple[LogisticRegression, ...]

    @property
    def weights(self) -> NDArray[np.float64]:
        """What each n-gram adds to the log-odds of a class, (R, F)."""
        return np.asarray(self.ratios * np.concatenate([one.coef_ for one in self.regressions]))

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the probabilities of the classes for each text, (N, K); of more than two, scaled to one in sum."""
        if not texts:  # of which scikit-learn predicts nothing
            return np.zeros((0, max(len(self.regressions), 2)))
        present = self.counter.transform(texts)
        answers = [
            one.predict_proba(weigh(present, ratio)) for one, ratio in zip(self.regressions, self.ratios, strict=True)
        ]
        if len(answers) == 1:
            return np.asarray(answers[0])
        own = np.stack([answer[:, 1] for answer in answers], axis=1)
        return np.asarray(own / own.sum(axis=1, keepdims=True))


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
    """Return the baseline fitted to ``texts`` and their labels, from 0; about a minute for 25,000 reviews."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    counter = CountVectorizer(
        analyzer=partial(ngrams, longest=settings.longest), binary=True, min_df=2, dtype=np.float64
    )
    present = counter.fit_transform(texts)
    classes = len(settings.class_names)
    ratios, regressions = [], []
    for label in range(classes) if classes > 2 else (1,):
        own = (np.asarray(labels) == label).astype(int)
        ratio = log_count_ratio(present, own, settings.smoothing)
        regression = LogisticRegression(C=settings.inverse_penalty, solver="liblinear", random_state=settings.seed)
        ratios.append(ratio)
        regressions.append(regression.fit(weigh(present, ratio), own))
    return Fitted(counter, np.stack(ratios), tuple(regressions))


def kept_weights(fitted: Fitted, settings: BaselineSettings) -> NgramWeights:
    """Return the weights of a fit as a run stores them: each n-gram's contribution to the log-odds of a class."""
    names = fitted.counter.get_feature_names_out().tolist()
    biases = np.concatenate([one.intercept_ for one in fitted.regressions])
    return NgramWeights.of(names, fitted.weights, biases, settings.longest)


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
    options.say(f"Refitting {run_name} on {len(train.texts):,} texts")
    return _measure(fit(train.texts, train.labels, settings), labelled_texts(settings.corpus, "test"))


def _make(folder: Path, options: Options, *, title: str, settings: BaselineSettings) -> None:
    """Fit, measure once on the test split, and write the run into ``folder``."""
    import torch

    started = perf_counter()
    train, test = labelled_texts(settings.corpus, "train"), labelled_texts(settings.corpus, "test")
    options.say(f"Counting n-grams in {len(train.texts):,} texts and fitting a logistic regression")
    fitted = fit(train.texts, train.labels, settings)
    write_text(folder / NGRAMS, _strongest(fitted, settings))
    words = list(words_of(train.texts))
    write_counts(folder, NgramCounts.count(words, settings.longest))
    write_ratios(folder, counted(words, np.asarray(train.labels), len(settings.class_names)))
    write_weights(folder, kept_weights(fitted, settings))
    options.say(f"Evaluating on {len(test.texts):,} test texts")
    corpus = corpus_named(settings.corpus)
    metrics = {"test": _measure(fitted, test)} | _predict(fitted, folder, test, corpus)
    run = replace(
        begun(folder, title, "baseline", settings),
        parameters=_parameters(fitted),
        metrics=metrics,
        corpus={
            "name": corpus.name,
            "sha256": corpus.sha256[0],
            "train": len(train.texts),
            "test": len(test.texts),
        },
        device=describe(torch.device("cpu")),
        seconds=round(perf_counter() - started, 1),
    )
    write_card(run, corpus, _SOURCE)
    run.save()


def predict_again(run: Run, say: Callable[[str], None] = lambda _: None) -> Run:
    """Fit a baseline again; write its weights, its predictions for all test documents, manifest and card."""
    known = {item.name for item in fields(BaselineSettings)}
    recipe = {name: value for name, value in run.recipe.items() if name in known}
    settings = BaselineSettings(**recipe | {"class_names": run.class_names})
    train, test = (labelled_texts(settings.corpus, split) for split in ("train", "test"))
    say(f"Refitting {run.name} on {len(train.texts):,} texts and classifying {len(test.texts):,}")
    corpus = corpus_named(settings.corpus)
    fitted = fit(train.texts, train.labels, settings)
    write_weights(run.folder, kept_weights(fitted, settings))
    write_ratios(run.folder, counted(list(words_of(train.texts)), np.asarray(train.labels), len(run.class_names)))
    metrics = _predict(fitted, run.folder, test, corpus)
    run = replace(run, metrics={**run.metrics, **metrics})
    write_card(run, corpus, _SOURCE)
    return run.save()


def _predict(fitted: Fitted, folder: Path, test: LabelledTexts, corpus: Corpus) -> dict[str, dict[str, float]]:
    """Write what is predicted for all test documents; return what masking their ratings makes of it, where any are."""
    rated = Rated.of(test.texts, 0) if corpus.states_ratings else None
    plain = fitted.probabilities(test.texts)
    return write(folder, test, {0: Predicted.of(plain)}, plain, rated, fitted.probabilities)


def _measure(fitted: Fitted, texts: LabelledTexts) -> dict[str, float]:
    answers = fitted.probabilities(texts.texts)
    right = answers.argmax(axis=1) == texts.labels
    of_label = answers[np.arange(len(answers)), texts.labels]
    loss = -np.log(np.clip(of_label, 1e-12, None)).mean()
    return {"accuracy": float(right.mean()), "loss": float(loss), "documents": len(texts.texts)}


def _parameters(fitted: Fitted) -> tuple[tuple[str, str, int], ...]:
    """Return the terms that the number of weights is the sum of."""
    classes, ngrams = fitted.ratios.shape
    if classes == 1:
        return (("n-gram weights", f"{ngrams:,}", ngrams), ("bias", "1", 1))
    return (("n-gram weights", f"{classes} × {ngrams:,}", classes * ngrams), ("biases", f"{classes}", classes))


def _strongest(fitted: Fitted, settings: BaselineSettings) -> str:
    """Return the n-grams with the largest and the smallest weights as CSV; of more than two classes, for each class."""
    names, several = fitted.counter.get_feature_names_out(), len(fitted.ratios) > 1
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["class", "ngram", "weight"] if several else ["ngram", "weight"])
    for name, weights in zip(settings.class_names[-len(fitted.ratios) :], fitted.weights, strict=True):
        order = np.argsort(weights)
        for position in (*order[::-1][: settings.shown], *order[: settings.shown]):
            writer.writerow([*[name][:several], names[position], round(float(weights[position]), 4)])
    return text.getvalue()
