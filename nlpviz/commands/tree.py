"""``tree RUN --text …``: what a tree network makes of every phrase of a sentence."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_run, add_texts, print_answers, run_for, texts_of
from nlpviz.commands.as_json import as_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nlpviz.results.trees import NodeAnswers
    from nlpviz.runs import Run
    from nlpviz.text.trees import Tree


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    add_texts(parser)
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")
    parser.epilog = (
        'A text that begins with a bracket is read as a bracketed tree, such as "((not very) good)". Any other text is '
        "read as a right-branching tree, because nlpviz has no parser."
    )


def _run(options: argparse.Namespace) -> None:
    from nlpviz.text.treebank import treebank_words
    from nlpviz.text.trees import TreeError, read_tree

    run = run_for("tree", options.run)
    run.check_epoch(run.best_epoch if options.epoch is None else options.epoch)  # before torch is loaded
    try:
        read = [read_tree(text, treebank_words) for text in texts_of(options)]
    except TreeError as error:
        raise UsageError(str(error)) from None
    from nlpviz.runs.trees import load_trees

    answers = load_trees(run, options.epoch).answer_all([tree for tree, _ in read]) if read else []
    results = [(run, answer, bracketed) for answer, (_, bracketed) in zip(answers, read, strict=True)]
    print_answers(options, results, lambda found: _facts(*found), lambda found: _in_words(*found))


def _facts(run: Run, answers: NodeAnswers, bracketed: bool) -> dict[str, Any]:
    """Return the nodes as JSON holds them: leaves first, children before their parents."""
    from nlpviz.text.trees import written

    tree = answers.tree
    return {
        **as_json(answers, "run", "epoch"),
        "tree": written(tree),
        "bracketed": bracketed,
        "unknown": [word for word, known in zip(tree.words, answers.known, strict=True) if not known],
        "nodes": [
            {
                "phrase": tree.phrase(node),
                "children": tree.below(node),
                "class": run.class_names[int(answers.classes[node])],
                "sentiment": answers.sentiment[node],
                "probabilities": answers.probabilities[node],
            }
            for node in range(len(tree))
        ],
    }


def _in_words(run: Run, answers: NodeAnswers, bracketed: bool) -> Iterator[str]:
    """Return a line for each node from the root down, indented by its depth."""
    stack = [(answers.tree.root, 0)]
    while stack:
        node, depth = stack.pop()
        name = run.class_names[int(answers.classes[node])]
        shown = f"{name} {answers.probabilities[node].max():.0%} ({answers.sentiment[node]:+.2f})"
        known = "" if _known(answers, answers.tree, node) else "  (unknown word)"
        yield f"{'  ' * depth}{answers.tree.phrase(node)}: {shown}{known}"
        if (pair := answers.tree.below(node)) is not None:
            stack += [(pair[1], depth + 1), (pair[0], depth + 1)]
    if not bracketed and len(answers.tree.words) > 2:
        yield "(no brackets given: right-branching tree)"


def _known(answers: NodeAnswers, tree: Tree, node: int) -> bool:
    return node >= len(tree.words) or answers.known[node]


COMMAND = Command("tree", "show a tree network’s prediction for every phrase of a sentence", _add_arguments, _run)
