"""Snippets of networks that compose sentences along their trees."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import written


def sentence(source: tuple[str, int], tree: str) -> str:
    """Return code for the classes of every phrase of a tree in brackets."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.trees import load_trees
        from nlpviz.text.trees import parse

        run, tree = open_run($run), parse($tree)
        found = load_trees(run, $epoch).answer(tree)
        table = pd.DataFrame(found.probabilities, columns=[f"p({name})" for name in run.class_names])[::-1]
        print(table)
        """,
        run=run,
        epoch=epoch,
        tree=tree,
    )


def accuracy_by_length(runs: Sequence[str], group: str, measure: str) -> str:
    """Return code for how many nodes of the test trees are right, by how many words they have."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.trees import read_accuracies

        rows = [
            (run.title, row.right, row.nodes, row.right / row.nodes)
            for run in map(open_run, $runs)
            for row in read_accuracies(run)
            if (row.epoch, row.group, row.measure) == (run.best_epoch, $group, $measure)
        ]
        table = pd.DataFrame(rows, columns=["network", "right", "of", "accuracy"])
        print(table)
        """,
        runs=list(runs),
        group=group,
        measure=measure,
    )
