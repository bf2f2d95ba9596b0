"""The model card of a tree network's run."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.results.trees import BINARY, FINE, GROUPS
from nlpviz.runs import Run
from nlpviz.runs.files import write_text
from nlpviz.significance import wilson
from nlpviz.training.provenance import made_from, of_texts, plain


def write_tree_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of a tree network's run, from what its manifest says."""
    rows = "\n".join(_row(run, group, name) for group, name in GROUPS.items())
    validation, begins = run.metrics["validation"], run.recipe["fit"]["starts_from"]
    vectors = f"the vectors of `{begins}`" if begins else "random vectors"
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## What it is

{source}. Trained on {plain(corpus.title)}: it gives every node of a sentence's tree one of five classes,
{", ".join(run.class_names)}. {run.parameter_count:,} trained parameters; its words begin with {vectors}.

## What it reaches

| {run.corpus["test"]:,} test trees | five classes | 95% interval | two classes | 95% interval |
| --- | --- | --- | --- | --- |
{rows}

Of two classes neutral nodes are left out; the answer is the side whose two classes are together likelier. Inner nodes
are those below the root. More than two thirds of all nodes are neutral, so that an accuracy over all of them would say
little. Epochs kept: {", ".join(map(str, run.epochs))}{" (0 is before training)" if 0 in run.epochs else ""}; epoch
{run.best_epoch} is the best by the mean of both accuracies at the roots of {run.corpus["validation"]:,} validation
trees ({validation["roots_fine"]:.2%} and {validation["roots_binary"]:.2%}). The test split was measured once, with the
weights as they are stored here, large tables in eight bits a number. {corpus.splits}

## How it was trained

- Trained on {run.device} in {run.seconds:,.0f} s, {run.seconds_per_epoch:,.0f} s an epoch, seed {run.seed},
  {run.created}, with {", ".join(f"{name} {number}" for name, number in run.versions.items())}.
{made_from(run, corpus)}
- {of_texts(run)}: only weights, words with their counts, and numbers.

## What it must not be used for

This is a small model for teaching. It was trained on {corpus.written} and nothing else: what it predicts for other
texts is not known. Do not use it to make decisions about people.
""",
    )


def _row(run: Run, group: str, name: str) -> str:
    cells = [f"| {name} |"]
    for measure in (FINE, BINARY):
        share, nodes = (run.metrics["test"][f"{group}_{measure}{end}"] for end in ("", "_nodes"))
        low, high = wilson(share, nodes)
        cells.append(f" {share:.2%} | {low:.2%} to {high:.2%} of {nodes:,.0f} |")
    return "".join(cells)
