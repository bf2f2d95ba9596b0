"""The model card of a tree network's run."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.results.trees import BINARY, FINE, GROUPS
from nlpviz.runs import Run
from nlpviz.stats.significance import wilson
from nlpviz.training.provenance import checkpoints, made_from, of_texts, only_for_teaching, plain, save_card, trained_on


def write_tree_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of a tree network's run, from its manifest."""
    rows = "\n".join(_row(run, group, name) for group, name in GROUPS.items())
    validation, begins = run.metrics["validation"], run.recipe["fit"]["starts_from"]
    vectors = f"`{begins}`" if begins else "random values"
    trees = f"{run.corpus['test']:,} test trees"
    save_card(
        run,
        model=f"""\
Source: {source}. Training data: {plain(corpus.title)}. The model assigns one of five classes to every node of a
sentence’s tree: {", ".join(run.class_names)}. {run.parameter_count:,} trained parameters;
word vectors initialised from {vectors}.""",
        results=f"""\
| {trees} | Accuracy, five classes | 95% confidence interval | Accuracy, two classes | 95% confidence interval |
| --- | --- | --- | --- | --- |
{rows}

With two classes, neutral nodes are excluded, and the prediction is negative or positive, whichever has the larger total
probability. Inner nodes are all phrases below the root. More than two thirds of all nodes are neutral, so accuracy over
all nodes would be uninformative.

Checkpoint epochs: {checkpoints(run)};
epoch {run.best_epoch} has the highest mean of the two root accuracies on {run.corpus["validation"]:,} validation trees
({validation["roots_fine"]:.2%} and {validation["roots_binary"]:.2%}).
The test split was evaluated once, with the stored weights (large tables quantised to eight bits per number).
{corpus.splits}""",
        training=f"""\
{trained_on(run)}
{made_from(run, corpus)}
- {of_texts(run)}, only weights, words, word counts, labels and numbers.""",
        limitations=only_for_teaching(corpus),
    )


def _row(run: Run, group: str, name: str) -> str:
    cells = [f"| {name} |"]
    for measure in (FINE, BINARY):
        share, nodes = (run.metrics["test"][f"{group}_{measure}{end}"] for end in ("", "_nodes"))
        low, high = wilson(share, nodes)
        cells.append(f" {share:.2%} | {low:.2%} to {high:.2%} ({nodes:,.0f} nodes) |")
    return "".join(cells)
