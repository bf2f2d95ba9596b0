"""What the tours say is true of the committed runs: every answer is computed anew, and so is what a sentence claims."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from nlpviz.analysis.attribution import explain
from nlpviz.analysis.inspection.attention import attend
from nlpviz.analysis.inspection.memory import read_memory
from nlpviz.analysis.inspection.prediction import probabilities
from nlpviz.analysis.inspection.states import read_states
from nlpviz.analysis.projections.checkpoints import neighbours_in_common
from nlpviz.data.examples import examples
from nlpviz.results.attention_effect import Intervention
from nlpviz.results.gates import running
from nlpviz.results.projection import Projection, displacement
from nlpviz.results.survey import RankedNgram
from nlpviz.runs import Checkpoint, RunError, open_run
from nlpviz.runs.attention_effects import attention_survey
from nlpviz.runs.documents import projections_of
from nlpviz.runs.dynamics import dynamics_of
from nlpviz.runs.surveys import top_ngrams
from nlpviz.runs.units import unit_survey
from nlpviz.runs.vectors import read_vectors
from nlpviz.ui.tour_stories import tours
from nlpviz.word_vectors.analogies import solve
from nlpviz.word_vectors.expressions import parse
from nlpviz.word_vectors.neighbours import neighbours

TOURS = {tour.slug: tour for tour in tours()[0]}
CNN, ATTENTION, WORDS, LSTM, MAP = (
    "what-a-cnn-learnt", "is-attention-an-explanation", "how-words-became-vectors", "what-an-lstm-remembers",
    "can-a-map-be-believed",
)  # fmt: skip
DAYS = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}


@cache
def positive(run: str, epoch: int, text: str) -> float:
    return float(probabilities(open_run(run).load(epoch), of(text))[1])


def of(text: str) -> str:
    return next(one.text for one in examples() if one.id == text)


def strongest(epoch: int, count: int) -> list[RankedNgram]:
    """Return the n-grams with the largest totals either way, as the page orders them at first."""
    there = [one for one in top_ngrams(open_run("imdb-cnn"), epoch) if one.support >= 30]
    ranked = sorted(there, key=lambda one: one.total)
    return [*ranked[:count], *ranked[-count:]]


def uniform_flips(run: str) -> float:
    survey = attention_survey(open_run(run), open_run(run).best_epoch)
    return survey.share_flipped(Intervention("uniform"))


@cache
def gain(run: str, epoch: int) -> float:
    """Return the gain of the state from the first word of the text to the last one."""
    last = read_memory(open_run(run).load(epoch), of("slow-start")).last
    assert last is not None
    return float(10 ** last[0])


def course(epoch: int) -> NDArray[np.float32]:
    """Return the probability of positive after each word that the LSTM reads."""
    return running(read_states(open_run("imdb-lstm").load(epoch), of("slow-start")), 1)


def changes(epoch: int) -> int:
    """Return how often the predicted class changes as the LSTM reads."""
    return int(np.count_nonzero(np.diff(course(epoch) > 0.5)))


def nearest_word(word: str, epoch: int, count: int = 1) -> list[str]:
    found = neighbours(read_vectors(open_run("enwiki-skipgram"), epoch), word, count)
    return [one.word for one in found.neighbours]


def analogy(expression: str, epoch: int, *, exclude: bool = True) -> list[str]:
    vectors = read_vectors(open_run("enwiki-skipgram"), epoch)
    return [one.word for one in solve(vectors, parse(vectors, expression), exclude=exclude, count=2).neighbours]


def stored(run: str, epoch: int, projector: str, *, alone: bool = False) -> Projection:
    (found,) = [
        one
        for one in projections_of(open_run(run))
        if (one.projector, one.epoch, one.alone, one.dimensions) == (projector, epoch, alone, 2)
    ]
    return found


def band_of_not() -> tuple[float, float, float]:
    """Return the factor of *not*, and the band of random words."""
    effects = dynamics_of(open_run("imdb-lstm"), 14).modifiers
    assert effects is not None
    band = effects.band()
    return float(effects.factors()[effects.modifiers.index("not")]), band.low, band.high


def first_epoch_with_opinions() -> str:
    early = {one.ngram for one in strongest(1, 10)}
    assert not {one.ngram for one in strongest(0, 10)} & {"excellent", "awful"}
    return "one" if {"excellent", "awful"} <= early else "later"


def before_training() -> str:
    epoch_0, best = strongest(0, 10), strongest(7, 10)
    weak = max(abs(one.contribution) for one in epoch_0) < min(abs(one.contribution) for one in best)
    common = np.median([one.support for one in epoch_0]) > np.median([one.support for one in best])
    return "common words, with hardly any contribution" if weak and common else "something else"


def most(share: float) -> str:
    return "fewer than one in ten" if share < 0.1 else "more"


def ablated() -> str:
    survey = unit_survey(open_run("imdb-lstm"), 14)
    search = survey.searches["sentiment"]
    held = survey.ablation(search.units[search.best])
    assert held is not None
    assert search.followers > 10
    low, high = held.change.interval
    return "no significant change" if low < 0 < high else "a difference"


ANSWERS: dict[tuple[str, int], Callable[[], str]] = {
    (CNN, 2): before_training,
    (CNN, 3): first_epoch_with_opinions,
    (CNN, 5): lambda: "positive" if positive("imdb-cnn", 7, "not-nearly-enough") > 0.9 else "another",
    (ATTENTION, 2): lambda: most(uniform_flips("imdb-han")),
    (ATTENTION, 3): lambda: (
        "several times as many" if uniform_flips("imdb-transformer") > 3 * uniform_flips("imdb-han") else "another"
    ),
    (ATTENTION, 6): lambda: "positive" if positive("imdb-han", 11, "not-nearly-enough") > 0.8 else "another",
    (WORDS, 2): lambda: nearest_word("good", 10)[0],
    (WORDS, 4): lambda: (
        "after the first epoch"
        if [analogy("paris - france + germany", epoch)[0] == "berlin" for epoch in (0, 1, 10)] == [False, True, True]
        else "another"
    ),
    (WORDS, 5): lambda: "another word" if analogy("king - man + woman", 10)[0] != "queen" else "queen",
    (LSTM, 1): lambda: "twice" if changes(14) == 2 else "another",
    (LSTM, 2): lambda: "more" if gain("imdb-lstm", 14) > 3 * gain("imdb-lstm", 0) else "another",
    (LSTM, 3): lambda: "larger" if gain("imdb-lstm", 14) > 3 * gain("imdb-elman", 9) else "another",
    (LSTM, 5): ablated,
    (LSTM, 6): lambda: (
        "no more than a random word does" if band_of_not()[1] < band_of_not()[0] < band_of_not()[2] else "another"
    ),
    (MAP, 2): lambda: "closer to 1" if stored("imdb-cnn", 0, "tsne").trustworthiness > 0.75 else "another",
    (MAP, 3): lambda: "about a third" if 0.25 < seeds_share() < 0.4 else "another",
    (MAP, 5): lambda: (
        "more"
        if np.subtract(*(stored("newsgroups-cnn", 9, name).trustworthiness for name in ("tsne", "pca"))) > 0.03
        else "another"
    ),
}


def seeds_share() -> float:
    one, other = (open_run(name) for name in ("imdb-cnn", "imdb-cnn-seed-1"))
    return neighbours_in_common(Checkpoint(one, one.best_epoch), Checkpoint(other, other.best_epoch))


CLAIMS: dict[str, Callable[[], bool]] = {
    "the CNN has no opinion of the bad review before training": lambda: (
        abs(positive("imdb-cnn", 0, "not-nearly-enough") - 0.5) < 0.05
    ),
    "n-grams that never occurred in training are kept": lambda: any(
        one.seen == 0 for one in top_ngrams(open_run("imdb-cnn"), 7)
    ),
    "HAN: dreadful has most weight, and the prediction is negative": lambda: (
        heaviest("great-actress", 11)[0] == "dreadful" and positive("imdb-han", 11, "great-actress") < 0.5
    ),
    "HAN: most weight on not, then not again": lambda: heaviest("not-nearly-enough", 11)[:2] == ["not", "not"],
    "HAN: weights almost even before training": lambda: weights("great-actress", 0).max() < 0.06,
    "gradient × input: magnificent for, dreadful against": lambda: signs() == (1, -1),
    "skip-gram: days find each other within one epoch": lambda: set(nearest_word("monday", 1, 6)) <= DAYS,
    "skip-gram: queen comes second, king first with the input words": lambda: (
        analogy("king - man + woman", 10)[1] == "queen"
        and analogy("king - man + woman", 10, exclude=False)[0] == "king"
    ),
    "the LSTM stays near a half before training": lambda: bool((np.abs(course(0) - 0.5) < 0.08).all()),
    "maps: labels mixed almost as by chance before training": lambda: stored("imdb-cnn", 0, "tsne").purity < 0.6,
    "maps: the same accuracy within a point": lambda: (
        abs(np.subtract(*(open_run(f"imdb-cnn{end}").metrics["test"]["accuracy"] for end in ("", "-seed-1")))) < 0.01
    ),
    "maps: points move farther where each epoch is fitted alone": lambda: (
        displacement(stored("imdb-cnn", 0, "tsne", alone=True), stored("imdb-cnn", 7, "tsne", alone=True))
        > displacement(stored("imdb-cnn", 0, "tsne"), stored("imdb-cnn", 7, "tsne"))
    ),
}


def weights(text: str, epoch: int) -> NDArray[np.float32]:
    return attend(open_run("imdb-han").load(epoch), of(text)).words


def heaviest(text: str, epoch: int) -> list[str]:
    found = attend(open_run("imdb-han").load(epoch), of(text))
    return [found.text.read[place].word for place in np.argsort(-found.words)[:3]]


def signs() -> tuple[int, int]:
    found = explain(open_run("imdb-han").load(11), of("great-actress"), "gradient-input", 1)
    score = {token.word: value for token, value in zip(found.encoded.read, found.scores, strict=True)}
    return int(np.sign(score["magnificent"])), int(np.sign(score["dreadful"]))


def test_every_question_has_its_answer_computed() -> None:
    steps = [(slug, number, step) for slug, tour in TOURS.items() for number, step in enumerate(tour.steps, 1)]
    assert {(slug, number) for slug, number, step in steps if step.question} == set(ANSWERS)
    assert len(TOURS) == 5
    assert all(5 <= len(tour.steps) <= 8 for tour in TOURS.values())


@contextmanager
def surveyed() -> Iterator[None]:
    """Skip what needs a survey of a run that is younger than its surveys."""
    try:
        yield
    except RunError as error:
        if "python -m nlpviz survey" not in str(error):
            raise
        pytest.skip(str(error))


@pytest.mark.parametrize(("slug", "number"), ANSWERS, ids=[f"{slug}-{number}" for slug, number in ANSWERS])
def test_an_answer_is_true_of_the_runs(slug: str, number: int) -> None:
    question = TOURS[slug].steps[number - 1].question
    assert question is not None
    with surveyed():
        assert ANSWERS[slug, number]() == question.options[question.answer]


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_is_true_of_the_runs(claim: str) -> None:
    with surveyed():
        assert CLAIMS[claim]()


def test_sentences_leave_numbers_to_the_page() -> None:
    """A number in a story would go stale with the next training; the page shows the one of today."""
    for tour in TOURS.values():
        for step in tour.steps:
            told = [step.says, step.question.reveals if step.question else ""]
            assert not [one for one in told if re.search(r"\d", one)], (tour.slug, told)
