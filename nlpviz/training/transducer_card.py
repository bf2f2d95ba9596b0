"""The model card of a run with an output after every step."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.data.bits import bit_tasks
from nlpviz.runs import Run
from nlpviz.training.provenance import checkpoints, save_card, trained_on


def write_transducer_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of the run, from its manifest."""
    task, test, fit = bit_tasks()[run.corpus["name"]], run.metrics["test"], run.recipe["fit"]
    shortest, longest = task.trained[0], task.trained[-1]
    error, exact = f"{test['error_twice']:.2%}", f"{test['exact_twice']:.1%}"
    within = f"{test['documents']:,} sequences of {shortest} to {longest} {task.unit}, as in training"
    save_card(
        run,
        model=f"""\
Source: {source}. {run.parameter_count:,} parameters.

The task is “{task.title}” ({corpus.citation}). {task.says.format(length="several")}""",
        results=f"""\
| Test sequences of random bits | Bit error rate | Sequences without errors |
| --- | --- | --- |
| {within} | {test["error"]:.2%} | {test["exact"]:.1%} |
| sequences of {task.twice} {task.unit}, twice the maximum length in training | {error} | {exact} |

Random guessing gets half of the bits wrong. The error rates for other lengths, up to {task.tested[-1]} {task.unit}, are
in `lengths.csv`. Epoch {run.best_epoch} has the lowest loss on validation sequences of the lengths seen in training.
Longer sequences had no influence on the choice of this epoch. The test sequences were generated with a separate seed
and evaluated once, with the stored weights.""",
        training=f"""\
- {fit["epochs"]} epochs of {fit["steps"]:,} steps, {fit["batch_size"]} sequences of equal length per step,
  generated during training.
- Checkpoint epochs: {checkpoints(run, ", with random weights")}.
{trained_on(run)}
- Reproduce: `python -m nlpviz train {run.name}`. Evaluate again: `python -m nlpviz evaluate {run.name}`.
- Task: {corpus.url}. {corpus.licence}""",
        limitations="The model serves only to demonstrate what a network can learn to store and retrieve.",
    )
