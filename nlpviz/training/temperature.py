"""The temperature of a classifier, fitted to its validation texts: by how much it is overconfident.

Guo, Pleiss, Sun and Weinberger (2017), *On Calibration of Modern Neural Networks*, section 4.2. It is a number of the
manifest, among the metrics of the validation split; no page divides by it unless it says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nlpviz.networks.architectures import architectures
from nlpviz.runs import Run
from nlpviz.stats.calibration import temperature
from nlpviz.training.held_out import parted
from nlpviz.training.predictions import probabilities
from nlpviz.training.texts import encoded, labelled_texts


def with_temperature(run: Run, say: Callable[[str], None] = lambda _: None) -> Run:
    """Return a run with the temperature of its best epoch in its manifest, which is written.

    Raises:
        DataError: if the corpus is not on this machine.
    """
    texts = labelled_texts(run.corpus["name"], "train")
    _, positions = parted(texts, len(run.class_names), run.recipe["validation"])
    say(f"Fitting the temperature on {len(positions):,} validation texts")
    sentences = architectures()[run.architecture].reads_sentences
    rows = encoded(run.vocabulary, [texts.texts[position] for position in positions.tolist()], sentences=sentences)
    found = temperature(probabilities(run.load(), rows), texts.labels[positions])
    known = {**run.metrics["validation"], "temperature": round(found, 4)}
    return replace(run, metrics={**run.metrics, "validation": known}).save()
