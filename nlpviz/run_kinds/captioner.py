"""Networks that caption images: how many captions of synthetic scenes are true, where the network looked."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.results.history import CaptionEpoch
from nlpviz.run_kinds import (
    EPOCH,
    Answer,
    Column,
    Criterion,
    Curve,
    Evaluation,
    Headline,
    Kind,
    Measure,
    Request,
    chosen_epoch,
    parameters,
)
from nlpviz.run_kinds.recipes import options_of
from nlpviz.runs import Run
from nlpviz.runs.captioners import KIND as NAME
from nlpviz.runs.run import HISTORY, VOCABULARY
from nlpviz.runs.weights import all_weights

NOISE = 0.02
"""About two standard errors of 300 validation captions, nearly all of them true."""
LOSS = Measure(
    "loss", "loss (nats per word)", (Curve("train_loss", "train"), Curve("validation_loss", "validation")), ".3f"
)
TRUE = Headline(
    "Correct captions",
    "test",
    "true",
    ".1%",
    on="test scenes",
    unit="correct captions: ",
    drawn="true",
    counted="documents",
)


def _evaluate(run: Run, request: Request) -> Evaluation:
    """Return how many captions of an epoch are true, on scenes like those of training and on unseen pairs."""
    from nlpviz.data.scenes import TESTED
    from nlpviz.training.captioner import held_out, loaded, measure

    epoch = request.options.get("epoch")
    trained = loaded(run, epoch, options_of(request))
    facts, lines = {}, []
    for split, said in TESTED.items():
        request.say(f"Captioning {said}")
        found = measure(trained, held_out(run, split))
        facts[split] = found
        lines.append(
            f"{run.name}, epoch {trained.epoch}, {found['documents']:,} {said}: {found['true']:.1%} of the "
            f"captions correct ({found['pairs']:.0%} of these describe two objects); "
            f"attention on the object for {found['on_object']:.1%} of {found['looks']:,} object words "
            f"(chance {found['chance']:.1%}); perplexity {found['perplexity']:.2f} per word"
        )
    return Evaluation({"run": run.name, "epoch": trained.epoch, **facts}, lines)


def files(run: Run) -> frozenset[str]:
    """Return the files of a run: its words, and the weights of the kept epochs."""
    return frozenset({VOCABULARY, HISTORY, *all_weights(run.epochs, run.files)})


def _learnt(run: Run, history: Sequence[CaptionEpoch]) -> tuple[Answer, ...]:
    chosen = next(record for record in history if record.epoch == run.best_epoch)
    test, unseen = run.metrics["test"], run.metrics["unseen"]
    sentence = (
        "Best epoch (validation): {epoch}, with {validation:.1%} of the validation captions correct. Of "
        "{scenes:,.0f} test captions, **{test:.1%}** are correct; on unseen colour–shape pairs, {unseen:.1%}."
    )
    pieces = {
        "epoch": run.best_epoch,
        "validation": chosen.validation_true,
        "test": test["true"],
        "scenes": test["documents"],
        "unseen": unseen["true"],
    }
    return (Answer(sentence, pieces),)


def _reading(_: Run) -> str:
    return """
**Loss** is the mean cross-entropy per word in nats, given the image and the preceding words. The loss cannot reach
zero, because many captions describe a scene correctly but only one of them is the target. **Correct** is the share of
greedy captions that follow the grammar and describe the scene correctly. The horizontal line shows this share for the
test scenes.
"""


def _unseen(run: Run) -> str:
    return f"{run.metrics['unseen']['true']:.1%}"


def _looks(run: Run) -> str:
    test = run.metrics["test"]
    return f"{test['on_object']:.1%} (chance {test['chance']:.1%})"


KIND = Kind(
    name=NAME,
    says="is a captioner of scenes",
    table="Captions",
    headline=TRUE,
    criterion=Criterion("validation", "true", NOISE),
    evaluate=_evaluate,
    columns=(
        Column(TRUE.name, TRUE.written),
        Column("Correct, unseen pairs", _unseen),
        Column("Attention on the word’s object", _looks),
        Column("Best epoch (validation)", chosen_epoch),
        Column("Parameters", parameters),
    ),
    record=CaptionEpoch,
    measures=(
        LOSS,
        Measure("true", "correct captions", (Curve("validation_true", "validation"),), ".1%"),
    ),
    files=files,
    learnt=_learnt,
    reading=_reading,
    options=(EPOCH,),
    commands=("caption",),
    pages=("Captions",),
    order=70,
)
