"""Snippets of networks that compose sentences along their trees."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import Sources, written


def sentence(source: tuple[str, int], tree: str, node: int) -> str:
    """Return code for the classes of every phrase of a tree in brackets, and for the tree; ``node`` stands out."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.trees.sentence import sentence_tree
        from nlpviz.runs import open_run
        from nlpviz.runs.trees import load_trees
        from nlpviz.text.trees import parse

        run, tree = open_run($run), parse($tree)
        found = load_trees(run, $epoch).answer(tree)
        table = pd.DataFrame(found.probabilities, columns=[f"p({name})" for name in run.class_names])[::-1]
        print(table)
        print("The figure:", save_figure(sentence_tree(found, run.class_names, $node, tree.labels)))
        """,
        run=run,
        epoch=epoch,
        tree=tree,
        node=node,
    )


def accuracy_by_length(runs: Sequence[str], group: str, measure: str) -> str:
    """Return code for how many nodes of the test trees are right, by how many words they have."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.trees.lengths import OfLength, accuracy_by_length
        from nlpviz.runs import open_run
        from nlpviz.runs.trees import best_accuracies

        lines = {}
        for run in map(open_run, $runs):
            found = best_accuracies(run, $group, $measure)
            lines[run.title] = [OfLength(row.shortest, row.longest, row.accuracy) for row in found]
        rows = [(title, *one.counted, one.counted.share) for title, line in lines.items() for one in line]
        table = pd.DataFrame(rows, columns=["network", "right", "of", "accuracy"])
        print(table)
        print("The figure:", save_figure(accuracy_by_length(lines, $group, $measure)))
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

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.trees.changes import negation_changes
        from nlpviz.results.tree_cases import NEGATION, change
        from nlpviz.runs import open_run
        from nlpviz.runs.tree_cases import cases_of

        found = [cases_of(open_run(run), NEGATION) for run in $runs]
        changes = [(change(one, positive=True), change(one, positive=False)) for one in found]
        rows = []
        for network, both in zip(found, changes):
            for name, one in zip(["praise", "blame"], both):
                title = f"{network.title}, epoch {network.epoch}"
                rows.append((title, name, one.phrases, one.by_network, *one.interval, one.by_people))
        columns = ["network", "negated", "phrases", "mean change", "from", "to", "mean change of human labels"]
        table = pd.DataFrame(rows, columns=columns)
        print(table)
        print("The figure:", save_figure(negation_changes(found, changes)))
        """,
        runs=list(runs),
    )


def contrast(runs: Sequence[str]) -> str:
    """Return code for the share of "X but Y" of which each network has all three phrases right, the best first."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.trees.contrasts import ContrastsRight, contrasts_right
        from nlpviz.results.tree_cases import CONTRAST, all_right, counted, decided
        from nlpviz.runs import open_run
        from nlpviz.runs.tree_cases import cases_of

        runs = [open_run(run) for run in $runs]
        right = [counted(all_right(decided(cases_of(run, CONTRAST)))) for run in runs]
        table = pd.DataFrame({"network": [run.title for run in runs]})
        table["right"] = [one.right for one in right]
        table["share"] = [one.share for one in right]
        table = table.sort_values("share", ascending=False, kind="stable")
        print(table)
        rows = [ContrastsRight(run.title, one) for run, one in zip(runs, right)]
        print("The figure:", save_figure(contrasts_right(rows)))
        """,
        runs=list(runs),
    )


def phrase(sources: Sources, tree: str, node: int) -> str:
    """Return code for the classes of one phrase, a node of a tree in brackets, by network and epoch."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.trees.classes import node_classes
        from nlpviz.runs import open_run
        from nlpviz.runs.trees import load_trees
        from nlpviz.text.trees import parse

        results, columns = [], {}
        for name, epoch in $sources:
            run = open_run(name)
            found = load_trees(run, epoch).answer(parse($tree))
            results.append(found)
            columns[f"{name}, epoch {epoch}"] = pd.Series(found.probabilities[$node], index=run.class_names)
        table = pd.DataFrame(columns)
        print(table)
        print("The figure:", save_figure(node_classes(results, $node, run.class_names)))
        """,
        sources=list(sources),
        tree=tree,
        node=node,
    )
