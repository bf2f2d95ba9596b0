"""Networks that translate: BLEU on the test sentences, with the run's own beam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nlpviz.results.history import TranslatorEpoch
from nlpviz.run_kinds import (
    EPOCH,
    TEXTS,
    Answer,
    Column,
    Criterion,
    Curve,
    Evaluation,
    Headline,
    Kind,
    Measure,
    Option,
    Request,
    Say,
    UsageError,
    chosen_epoch,
    parameters,
)
from nlpviz.run_kinds.own_files import paired_lines
from nlpviz.run_kinds.recipes import options_of
from nlpviz.runs import Run
from nlpviz.runs.run import HISTORY, VOCABULARY
from nlpviz.runs.translators import BLEU, BLEU_SENTENCES, MERGES, TARGET_VOCABULARY
from nlpviz.runs.translators import KIND as NAME
from nlpviz.runs.weights import all_weights

NOISE = 0.5
"""Half a point: what 1,014 validation sentences tell apart at best; no recipe was trained with two seeds."""
ON_TEST = Headline("BLEU", "translation", "bleu", ".1f", unit="BLEU ", drawn="BLEU")


def _evaluate(run: Run, request: Request) -> Evaluation:
    """Return the BLEU of an epoch: on the corpus's test split, or on the user's sentences and references."""
    from nlpviz.language.decoding.bleu import SIGNATURE

    epoch = request.epoch_of(run)
    measured = _measured(run, epoch, request)
    facts = {"run": run.name, "epoch": epoch, "beam": run.recipe["width"], "penalty": run.recipe["penalty"]}
    noun = "sentence" if measured["sentences"] == 1 else "sentences"
    line = (
        f"{run.name}, epoch {epoch}: BLEU {measured['bleu']:.2f} ({measured['bleu_with_case']:.2f} case-sensitive), "
        f"{measured['sentences']:,} {noun}, {measured['sentences_per_second']:.0f} per second, beam width "
        f"{run.recipe['width']}, length penalty {run.recipe['penalty']:g}; BLEU of the untranslated "
        f"{noun}: {measured['bleu_untranslated']:.2f}"
    )
    return Evaluation({**facts, **measured, "signature": SIGNATURE}, [line, SIGNATURE])


def _measured(run: Run, epoch: int, request: Request) -> Mapping[str, Any]:
    texts, references = request.options.get("texts"), request.options.get("references")
    if (texts is None) != (references is None):
        raise UsageError("Use --texts and --references together, because BLEU compares translations with references.")
    own = None if texts is None or references is None else _own(texts, references)
    from nlpviz.training.translator import evaluate, loaded
    from nlpviz.training.translator_bleu import measure

    options = options_of(request)
    return evaluate(run.name, options, epoch) if own is None else measure(loaded(run, epoch, options), *own).facts


def _own(texts: Path, references: Path) -> tuple[Sequence[str], Sequence[str]]:
    """Return the user's sentences and their references."""
    lines, others = paired_lines(texts, references, "reference")
    for path, of_path in ((texts, lines), (references, others)):
        for number, line in enumerate(of_path, start=1):
            if not line.strip():
                raise UsageError(
                    f"Line {number:,} of {path} is blank. BLEU needs a sentence and its reference on every line."
                )
    return lines, others


def _files(run: Run) -> frozenset[str]:
    """Return the files of a run: two vocabularies, the weights of the kept epochs, what was measured."""
    words = {VOCABULARY, TARGET_VOCABULARY, *([MERGES] if run.recipe.get("subwords") else [])}
    return frozenset({*words, HISTORY, BLEU, BLEU_SENTENCES, *all_weights(run.epochs, run.files)})


def _survey(run: Run, say: Say) -> Run:
    """Translate the test sentences again, for the BLEU of each."""
    from nlpviz.training.translator import survey

    return survey(run, say)


def _learnt(run: Run, history: Sequence[TranslatorEpoch]) -> tuple[Answer, ...]:
    chosen = next(record for record in history if record.epoch == run.best_epoch)
    test = run.metrics["translation"]
    sentence = (
        "Best epoch (validation): {epoch}, with a BLEU score of {validation:.1f} on the validation sentences "
        "(greedy search). The test score, measured once on {sentences:,.0f} sentences with beam "
        "width {width}, is **{test:.1f}**."
    )
    pieces = {
        "epoch": run.best_epoch,
        "validation": chosen.validation_bleu,
        "test": test["bleu"],
        "sentences": test["sentences"],
        "width": run.recipe["width"],
    }
    answers = (Answer(sentence, pieces),)
    if "bleu_untranslated" not in test:
        return answers
    return (*answers, Answer("The untranslated sentences score {score:.1f}.", {"score": test["bleu_untranslated"]}))


def _reading(run: Run) -> str:
    return f"""
**Loss** is the mean cross-entropy per target word in nats, given the preceding words of the reference. **BLEU**
(Papineni et al. 2002) is measured on greedy translations of the {run.corpus["validation"]:,} validation sentences and
determines the best epoch. The horizontal line shows the BLEU of beam search on the test set, so it may differ from the
curve.
"""


def _scores(measure: str) -> Column:
    """Return a column of what was measured on the test sentences."""
    titles = {"bleu": "BLEU", "bleu_with_case": "Case-sensitive BLEU", "bleu_greedy": "greedy"}
    return Column(titles[measure], lambda run: f"{run.metrics['translation'][measure]:.1f}")


KIND = Kind(
    name=NAME,
    says="is a translator",
    table="Translators",
    headline=ON_TEST,
    criterion=Criterion("validation", "bleu", NOISE),
    evaluate=_evaluate,
    columns=(
        *map(_scores, ("bleu", "bleu_with_case", "bleu_greedy")),
        Column("Best epoch (validation)", chosen_epoch),
        Column("Parameters", parameters),
    ),
    record=TranslatorEpoch,
    measures=(
        Measure("loss", "loss (nats)", (Curve("train_loss", "train"), Curve("validation_loss", "validation")), ".3f"),
        Measure("BLEU", "BLEU", (Curve("validation_bleu", "validation"),), ".1f"),
    ),
    files=_files,
    learnt=_learnt,
    reading=_reading,
    options=(
        EPOCH,
        TEXTS,
        Option("--references", Path, "for a translator: file of reference translations, one per line"),
    ),
    commands=("translate",),
    survey=_survey,
    refusals={"attend": "is a translator. Use `translate --attention`"},
    pages=("Translate",),
    group=lambda run: (run.corpus["name"], run.recipe["source"], run.recipe["target"]),
    worth=lambda run: (len(run.epochs), ON_TEST.rank(run)),
    order=30,
)
