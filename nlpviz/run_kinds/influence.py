"""Because of which training documents a classifier predicts what it does: sketches made, and one text answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from nlpviz.data import CorpusMissing
from nlpviz.run_kinds import Say
from nlpviz.runs import Run, RunError, TrainedModel
from nlpviz.runs.influence import INFLUENCE, sketches_of, write_sketches

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nlpviz.analysis.attribution.influence import LabelledRows, Opened
    from nlpviz.results.influence import Influence, Sketches
    from nlpviz.training.batches import Labelled

CANDIDATES = 100
"""LabelledRows of each sign that the sketches name and that are then compared exactly."""
Report = Callable[[float], object]
Load = Callable[[int], TrainedModel]
"""Returns a run's model with the weights of an epoch."""


def sketch(run: Run, say: Say) -> Run:
    """Write sketches of the gradients of all documents that a run was trained on; return the run as it is now.

    Raises:
        RunError: if its word vectors were not trained.
        DataError: if its corpus is not on this machine.
    """
    return write_sketches(run, sketched(run, say))


def sketched(run: Run, say: Say) -> Sketches:
    """Return such sketches."""
    import numpy as np

    from nlpviz.analysis.attribution import gradient_sketch
    from nlpviz.analysis.attribution.influence import LabelledRows, checkpoints, hashed_documents
    from nlpviz.results.influence import Sketches
    from nlpviz.training.trained_on import trained_on

    at = checkpoints(run)
    trained, ids = trained_on(run)
    documents = LabelledRows(trained.ids, trained.labels)
    said = [0.0]

    def report(share: float) -> None:
        if share >= said[0] + 0.1:
            said[0] = share
            say(f"{share:.0%} of the gradients of {len(ids):,} documents at epochs {', '.join(map(str, at.epochs))}")

    sums, selves = hashed_documents(opened(run.load), at, documents, report)
    axes = gradient_sketch.principal_axes(sums)
    values, scales = gradient_sketch.in_eight_bits(sums @ axes)
    return Sketches(run.name, *at, ids, trained.labels.astype(np.int16), values, scales, selves, axes)


def on_themselves(run: Run, documents: Labelled) -> NDArray[np.float32] | None:
    """Return the influence (N,) of documents on their own loss; None where the word vectors were not trained."""
    from nlpviz.analysis.attribution.influence import LabelledRows, checkpoints, trains_words
    from nlpviz.analysis.attribution.influence import on_themselves as measured

    if not trains_words(run):
        return None
    return measured(opened(run.load), checkpoints(run), LabelledRows(documents.ids, documents.labels))


RANKED_BESIDES: Mapping[str, Callable[[Run, Labelled], NDArray[np.floating] | None]] = {"self": on_themselves}
"""By what a test with planted flips ranks documents besides the log of the training."""


def estimated(run: Run, row: tuple[NDArray[np.integer], int], load: Load) -> NDArray[np.float32]:
    """Return the estimated influence (N,) of each document that a run was trained on, by its sketches.

    Args:
        run: with sketches.
        row: what the network reads of a text, and the class whose loss is explained.
        load: gives the run's model of an epoch.

    Raises:
        RunError: if the run has no sketches.
    """
    from nlpviz.analysis.attribution.influence import Checkpoints, hashed_text

    stored = sketches_of(run)
    return stored.estimates(hashed_text(opened(load), Checkpoints(stored.epochs, stored.weights), row))


def influence(
    run: Run,
    text: str,
    target: int | None = None,
    load: Load | None = None,
    report: Report = lambda _: None,
    meanwhile: Callable[[Influence], object] = lambda _: None,
) -> Influence:
    """Return because of which training documents a run gives a class of a text the probability it does.

    The sketches name candidates of both signs; where the corpus is on this machine, these are compared exactly.

    Args:
        run: with sketches.
        text: anything; one without a word that is read has no gradient, and no document acts on it.
        target: a class's index; None takes the predicted class.
        load: gives the run's model of an epoch; by default read anew.
        report: progress callback, called with the completed fraction.
        meanwhile: is given the estimates, before anything is compared exactly, which takes seconds.

    Raises:
        RunError: if it has no sketches.
    """
    import numpy as np

    from nlpviz.analysis.attribution.influence import Checkpoints, checkpoints, through_words
    from nlpviz.analysis.inspection.prediction import probabilities
    from nlpviz.results.influence import Influence

    if INFLUENCE not in run.files:
        checkpoints(run)  # where sketches could not be made, that is the reason
    stored, load = sketches_of(run), load or run.load
    at = Checkpoints(stored.epochs, stored.weights)
    last = load(at.epochs[-1])
    encoded, shares = last.encode(text), probabilities(last, text)
    wanted = int(shares.argmax()) if target is None else target
    row = (encoded.row, wanted)
    estimates = estimated(run, row, load)
    order = np.argsort(-estimates, kind="stable")
    chosen = np.unique(np.concatenate([order[:CANDIDATES], order[::-1][:CANDIDATES]]))
    estimate = Influence(
        run=run.name,
        epochs=stored.epochs,
        encoded=encoded,
        class_names=run.class_names,
        target=wanted,
        probability=float(shares[wanted]),
        documents=len(stored.ids),
        ids=tuple(stored.ids[one] for one in chosen),
        labels=stored.labels[chosen],
        estimates=estimates[chosen],
        words=tuple(run.vocabulary.words[one] for one in np.unique(encoded.ids)),
        through=None,
    )
    meanwhile(estimate)
    if not (others := _read_again(run, stored, chosen)):
        return estimate
    words, through = through_words(opened(load), at, row, others, report)
    return replace(estimate, words=tuple(run.vocabulary.words[one] for one in words), through=through)


def _read_again(run: Run, stored: Sketches, chosen: NDArray[np.intp]) -> LabelledRows | None:
    """Return the chosen documents as the run reads them; None where the corpus is not on this machine.

    Raises:
        RunError: if the corpus lacks one of them.
    """
    from nlpviz.analysis.attribution.influence import LabelledRows
    from nlpviz.networks.architectures import architectures
    from nlpviz.training.texts import encoded, labelled_texts

    try:
        texts = labelled_texts(run.corpus["name"], "train")
    except CorpusMissing:
        return None
    places, names = _places(tuple(texts.ids)), [stored.ids[one] for one in chosen]
    if lost := next((name for name in names if name not in places), None):
        raise RunError(
            f"The run {run.name!r} was trained on the document {lost}, which is missing from its corpus "
            f"{run.corpus['name']!r}."
        )
    found = [texts.texts[places[name]] for name in names]
    rows = encoded(run.vocabulary, found, sentences=architectures()[run.architecture].reads_sentences)
    return LabelledRows([row[: run.max_length] for row in rows], stored.labels[chosen])


@lru_cache(maxsize=4)
def _places(ids: tuple[str, ...]) -> dict[str, int]:
    return {one: place for place, one in enumerate(ids)}


def opened(load: Load) -> Opened:
    """Return what gives the network of an epoch.

    Raises:
        RunError: if it is not a classifier.
    """
    from nlpviz.networks.architectures import Classifier

    def network(epoch: int) -> Classifier:
        trained = load(epoch)
        if not isinstance(trained.module, Classifier):
            raise RunError(f"The run {trained.run.name!r} is not a classifier.")
        return trained.module

    return network
