"""Networks that caption the user's images: what their captions have in common with people's."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.results.history import CaptionEpoch
from nlpviz.run_kinds import (
    EPOCH,
    Answer,
    Column,
    Criterion,
    Evaluation,
    Headline,
    Kind,
    Request,
    chosen_epoch,
    parameters,
)
from nlpviz.run_kinds.captioner import LOSS, files
from nlpviz.run_kinds.recipes import options_of
from nlpviz.runs import Run
from nlpviz.runs.captioners import OF_IMAGES as NAME

NOISE = 0.02
"""Nats a word that a run may lose before it counts as worse: a guess, since runs on other images differ."""
BLEU = Headline("BLEU", "test", "bleu", ".1f", on="test images", unit="BLEU ")


def _evaluate(run: Run, request: Request) -> Evaluation:
    """Return loss and BLEU of an epoch on the test images, where these still are where they were."""
    from nlpviz.training.captioner import evaluate

    epoch = request.epoch_of(run)
    request.say("Captioning the test images")
    found = evaluate(run.name, options_of(request), epoch)
    line = (
        f"{run.name}, epoch {epoch}: BLEU {found['bleu']:.2f} on {found['documents']:,} test images with "
        f"{found['references']:,} human captions; perplexity {found['perplexity']:.2f} per word, "
        f"{found['loss']:.4f} nats"
    )
    return Evaluation({"run": run.name, "epoch": epoch, "test": found}, [line])


def _learnt(run: Run, history: Sequence[CaptionEpoch]) -> tuple[Answer, ...]:
    chosen = next(record for record in history if record.epoch == run.best_epoch)
    test = run.metrics["test"]
    sentence = (
        "Best epoch (validation): {epoch}, with a loss of {validation:.3f} nats per word on the validation images. On "
        "{images:,.0f} test images the loss is **{test:.3f}**; BLEU against human captions is {bleu:.1f}."
    )
    pieces = {
        "epoch": run.best_epoch,
        "validation": chosen.validation_loss,
        "test": test["loss"],
        "images": test["documents"],
        "bleu": test["bleu"],
    }
    return (Answer(sentence, pieces),)


def _reading(_: Run) -> str:
    return """
**Loss** is the mean cross-entropy per word in nats, given the image and the preceding words of a human caption. The
epoch with the lowest validation loss is used, because the correctness of a caption cannot be checked automatically.
"""


def _perplexity(run: Run) -> str:
    return f"{run.metrics['test']['perplexity']:.1f}"


KIND = Kind(
    name=NAME,
    says="is a captioner of your own images",
    table="Captions of your images",
    headline=BLEU,
    criterion=Criterion("validation", "loss", NOISE, more_is_better=False),
    evaluate=_evaluate,
    columns=(
        Column(BLEU.name, BLEU.written),
        Column("Perplexity", _perplexity),
        Column("Best epoch (validation)", chosen_epoch),
        Column("Parameters", parameters),
    ),
    record=CaptionEpoch,
    measures=(LOSS,),
    files=files,
    learnt=_learnt,
    reading=_reading,
    options=(EPOCH,),
    commands=("caption",),
    pages=("Captions",),
    order=71,
)
