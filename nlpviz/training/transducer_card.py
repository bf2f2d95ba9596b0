"""The model card of a run that answers sequences step by step."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.data.bits import bit_tasks
from nlpviz.runs import Run
from nlpviz.runs.files import write_text


def write_transducer_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of the run, from what its manifest says."""
    task, test, fit = bit_tasks()[run.corpus["name"]], run.metrics["test"], run.recipe["fit"]
    shortest, longest = task.trained[0], task.trained[-1]
    within = f"{test['documents']:,}, {shortest} to {longest} {task.unit}, as in training"
    begun = " (0 is before training, with random weights)" if 0 in run.epochs else ""
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## What it is

{source}. {task.title} ({corpus.citation}): {task.says.format(length="some")} {run.parameter_count:,} parameters.

## What it reaches

| test sequences of random bits | bits wrong | sequences without a wrong bit |
| --- | --- | --- |
| {within} | {test["error"]:.2%} | {test["exact"]:.1%} |
| of {task.twice} {task.unit}, twice the longest trained | {test["error_twice"]:.2%} | {test["exact_twice"]:.1%} |

Half of the bits are wrong by chance. Errors of other lengths, up to {task.tested[-1]} {task.unit}, are in
`lengths.csv`. Epoch {run.best_epoch} is the best by the loss on validation sequences of trained lengths; no longer
sequence chose it. The test sequences were drawn with a seed of their own and answered once, with the weights as they
are stored here.

## How it was trained

- {fit["epochs"]} epochs of {fit["steps"]:,} steps, {fit["batch_size"]} sequences of one length a step, drawn as needed.
- Epochs kept: {", ".join(map(str, run.epochs))}{begun}.
- Trained on {run.device} in {run.seconds:,.0f} s, {run.seconds_per_epoch:,.0f} s an epoch, seed {run.seed},
  {run.created}, with {", ".join(f"{name} {number}" for name, number in run.versions.items())}.
- Made by `python -m nlpviz train {run.name}`; measured again by `python -m nlpviz evaluate {run.name}`.
- Task: {corpus.url}. {corpus.licence}

## What it must not be used for

It shows what a network can learn to keep and to find again. It does nothing else.
""",
    )
