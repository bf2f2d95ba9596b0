"""The model card of a run with an output after every step."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.data.bits import bit_tasks
from nlpviz.runs import Run
from nlpviz.runs.files import write_text


def write_transducer_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of the run, from its manifest."""
    task, test, fit = bit_tasks()[run.corpus["name"]], run.metrics["test"], run.recipe["fit"]
    shortest, longest = task.trained[0], task.trained[-1]
    error, exact = f"{test['error_twice']:.2%}", f"{test['exact_twice']:.1%}"
    within = f"{test['documents']:,} sequences of {shortest} to {longest} {task.unit}, as in training"
    begun = " (epoch 0 is before training, with random weights)" if 0 in run.epochs else ""
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## Model

Source: {source}. {run.parameter_count:,} parameters.

The task is “{task.title}” ({corpus.citation}). {task.says.format(length="several")}

## Results

| Test sequences of random bits | Bit error rate | Sequences without errors |
| --- | --- | --- |
| {within} | {test["error"]:.2%} | {test["exact"]:.1%} |
| sequences of {task.twice} {task.unit}, twice the maximum length in training | {error} | {exact} |

Random guessing gets half of the bits wrong. The error rates for other lengths, up to {task.tested[-1]} {task.unit}, are
in `lengths.csv`. Epoch {run.best_epoch} has the lowest loss on validation sequences of the lengths seen in training.
Longer sequences had no influence on the choice of this epoch. The test sequences were generated with a separate seed
and evaluated once, with the stored weights.

## Training

- {fit["epochs"]} epochs of {fit["steps"]:,} steps, {fit["batch_size"]} sequences of equal length per step,
  generated during training.
- Checkpoint epochs: {", ".join(map(str, run.epochs))}{begun}.
- Trained on `{run.device}` in {run.seconds:,.0f} s, {run.seconds_per_epoch:,.0f} s per epoch, seed {run.seed},
  {run.created}, with {", ".join(f"{name} {number}" for name, number in run.versions.items())}.
- Reproduce: `python -m nlpviz train {run.name}`. Evaluate again: `python -m nlpviz evaluate {run.name}`.
- Task: {corpus.url}. {corpus.licence}

## Limitations

The model serves only to demonstrate what a network can learn to store and retrieve.
""",
    )
