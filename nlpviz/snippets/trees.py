"""Snippets of networks that compose sentences along their trees."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import Sources, written


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


def negation(runs: Sequence[str]) -> str:
    """Return code for how far negating positive and negative phrases moves the expected class of each network."""
    return written(
        """
        import pandas as pd

        from nlpviz.results.tree_cases import NEGATION, change
        from nlpviz.runs import open_run
        from nlpviz.runs.tree_cases import cases_of

        rows = []
        for run in map(open_run, $runs):
            title = f"{run.title}, epoch {run.best_epoch}"
            for name in ["praise", "blame"]:
                one = change(cases_of(run, NEGATION), positive=name == "praise")
                rows.append((title, name, one.phrases, one.by_network, *one.interval, one.by_people))
        columns = ["network", "negated", "phrases", "mean change", "from", "to", "people's mean change"]
        table = pd.DataFrame(rows, columns=columns)
        print(table)
        """,
        runs=list(runs),
    )


def contrast(runs: Sequence[str]) -> str:
    """Return code for the share of "X but Y" of which each network has all three phrases right, the best first."""
    return written(
        """
        import pandas as pd

        from nlpviz.results.tree_cases import CONTRAST, all_right, decided
        from nlpviz.runs import open_run
        from nlpviz.runs.tree_cases import cases_of

        runs = [open_run(run) for run in $runs]
        right = [all_right(decided(cases_of(run, CONTRAST))) for run in runs]
        table = pd.DataFrame({"network": [run.title for run in runs]})
        table["right"] = [one.sum() for one in right]
        table["share"] = [one.mean() for one in right]
        table = table.sort_values("share", ascending=False, kind="stable")
        print(table)
        """,
        runs=list(runs),
    )


def phrase(sources: Sources, tree: str, node: int) -> str:
    """Return code for the classes of one phrase, a node of a tree in brackets, by network and epoch."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.trees import load_trees
        from nlpviz.text.trees import parse

        columns = {}
        for name, epoch in $sources:
            run = open_run(name)
            found = load_trees(run, epoch).answer(parse($tree))
            columns[f"{name}, epoch {epoch}"] = pd.Series(found.probabilities[$node], index=run.class_names)
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        tree=tree,
        node=node,
    )
