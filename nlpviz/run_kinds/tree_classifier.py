"""Networks that classify every node of a sentence's tree: accuracy on the test trees, by kind of node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nlpviz.results.trees import BINARY, FINE, GROUPS, TreeEpoch
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
    Say,
    chosen_epoch,
    parameters,
)
from nlpviz.run_kinds.contract import Contract
from nlpviz.run_kinds.recipes import measured_again
from nlpviz.runs import Run
from nlpviz.runs.run import HISTORY, VOCABULARY
from nlpviz.runs.tree_cases import CASES
from nlpviz.runs.trees import ACCURACIES
from nlpviz.runs.trees import KIND as NAME
from nlpviz.runs.weights import all_weights
from nlpviz.stats.significance import wilson

if TYPE_CHECKING:
    from torch import Tensor

NOISE = 0.015
"""What 1,101 validation roots tell apart at best: the standard error of an accuracy of one half among them."""
ROOTS_FINE = Headline("Roots, five classes", "test", "roots_fine", ".2%", on="test roots", counted="roots_fine_nodes")
ROOTS_BINARY = Headline("Roots, two classes", "test", "roots_binary", ".2%", counted="roots_binary_nodes")
INNER_FINE = Headline("Inner nodes, five classes", "test", "inner_fine", ".2%")
CHARGED_FINE = Headline("Non-neutral nodes, five classes", "test", "non_neutral_fine", ".2%")
CHARGED_BINARY = Headline("Non-neutral nodes, two classes", "test", "non_neutral_binary", ".2%")


def _evaluate(run: Run, request: Request) -> Evaluation:
    """Return the accuracies of an epoch on the test trees, measured again."""
    epoch = request.epoch_of(run)
    measured = measured_again(run, epoch, request)
    lines = [f"{run.name}, epoch {epoch}: {measured['loss']:.3f} nats per node"]
    for group, name in GROUPS.items():
        for measure, classes in ((FINE, "five"), (BINARY, "two")):
            share, nodes = measured[f"{group}_{measure}"], measured[f"{group}_{measure}_nodes"]
            low, high = wilson(share, nodes)
            lines.append(f"  {name}, {classes} classes: {share:.2%} of {nodes:,.0f} ({low:.2%} to {high:.2%})")
    return Evaluation({"run": run.name, "epoch": epoch, **measured}, lines)


def _files(run: Run) -> frozenset[str]:
    """Return the files of a run: words, weights, and what was measured on the test trees."""
    return frozenset({VOCABULARY, HISTORY, ACCURACIES, CASES, *all_weights(run.epochs, run.files)})


def _survey(run: Run, say: Say) -> Run:
    """Compose the test trees again."""
    from nlpviz.training.trees import survey

    return survey(run, say)


def _learnt(run: Run, history: Sequence[TreeEpoch]) -> tuple[Answer, ...]:
    chosen = next(record for record in history if record.epoch == run.best_epoch)
    test = run.metrics["test"]
    low, high = wilson(test["roots_fine"], test["roots_fine_nodes"])
    sentence = (
        "Best epoch (validation): {epoch}, with {validation:.1%} of the validation roots correct in five classes and "
        "{validation_binary:.1%} in two. The test accuracy, measured once on {roots:,.0f} roots, is "
        "**{test:.1%}** (95% interval {low:.1%} to {high:.1%}) and **{binary:.1%}**, respectively."
    )
    pieces = {
        "epoch": chosen.epoch,
        "validation": chosen.validation_fine,
        "validation_binary": chosen.validation_binary,
        "test": test["roots_fine"],
        "low": low,
        "high": high,
        "binary": test["roots_binary"],
        "roots": test["roots_fine_nodes"],
    }
    return (Answer(sentence, pieces),)


def _reading(run: Run) -> str:
    return f"""
**Loss** is the mean cross-entropy per node label in nats, over all nodes of the trees, most of which are neutral.
**Accuracy** is measured at the roots, once with five classes and once with two classes (without neutral sentences).
The epoch was chosen on {run.corpus["validation"]:,} validation trees, by the mean of the two accuracies.
"""


def _contract() -> Contract:
    from nlpviz.networks.architectures import TreeComposer

    return Contract(TreeComposer, _of_rows)


def _of_rows(module: Any, ids: Tensor) -> Any:  # noqa: ANN401
    """Return the logits of the roots of right-branching trees over ids (B, T), with what training adds to the loss."""
    from nlpviz.networks.architectures import Penalised
    from nlpviz.networks.tree_networks import right_branching_forest

    trees = right_branching_forest(ids)
    states = module.states(trees)
    logits, added = module.classify(states)[trees.roots], module.penalty(trees, states)
    if added is None or not module.training:
        return logits
    return Penalised(logits, added.sum().expand(len(logits)))


KIND = Kind(
    name=NAME,
    says="is a tree network",
    table="Tree networks",
    headline=ROOTS_FINE,
    criterion=Criterion("validation", "roots", NOISE),
    evaluate=_evaluate,
    columns=(
        Column(ROOTS_FINE.name, ROOTS_FINE.written),
        Column("95% interval", ROOTS_FINE.between),
        *(Column(one.name, one.written) for one in (ROOTS_BINARY, INNER_FINE, CHARGED_FINE, CHARGED_BINARY)),
        Column("Best epoch (validation)", chosen_epoch),
        Column("Parameters", parameters),
    ),
    record=TreeEpoch,
    measures=(
        Measure("loss", "loss (nats)", (Curve("train_loss", "train"), Curve("validation_loss", "validation")), ".3f"),
        Measure(
            "accuracy at roots",
            "roots correct",
            (
                Curve("train_fine", "train, five classes"),
                Curve("validation_fine", "validation, five classes"),
                Curve("validation_binary", "validation, two classes"),
            ),
            ".0%",
        ),
    ),
    files=_files,
    learnt=_learnt,
    reading=_reading,
    options=(EPOCH,),
    survey=_survey,
    commands=("survey", "tree"),
    pages=("Trees",),
    contract=_contract,
    order=25,
)
