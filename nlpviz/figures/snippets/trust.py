"""Snippets of how far to trust the explanations of one text."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import Sources, written


def methods_compared(source: tuple[str, int], text: str) -> str:
    """Return code for how faithful each method is on ``text``, between the worst and the best order of its words."""
    run, epoch = source
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.analysis.attribution import explain, methods
        from nlpviz.analysis.attribution.baselines import baselines, like, titles
        from nlpviz.analysis.attribution.compare_methods import step_by_step
        from nlpviz.analysis.attribution.ranking import ordered
        from nlpviz.figures.attribution.faithfulness import faithfulness_dots
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        run, text = open_run($run), $text
        trained, without_network = run.load($epoch), baselines(run.corpus["name"])
        steps = step_by_step(
            trained,
            ordered(run),
            lambda method: explain(trained, text, method),
            baselines_of=lambda one: [like(one, baseline) for baseline in without_network],
        )
        *_, (_, found) = steps  # earlier results cover only the quick methods
        order = np.argsort(-found.comprehensiveness, kind="stable")
        random = [f"random order {number}" for number in range(1, 1 + len(found.random_removed))]
        table = pd.DataFrame({"order": [*(found.methods[at] for at in order), "best order", "worst order", *random]})
        for measure, name in enumerate(["comprehensiveness", "sufficiency"]):
            ends, by_chance = [found.best[measure], found.worst[measure]], getattr(found, f"random_{name}")
            values = np.concatenate([getattr(found, name)[order], ends, by_chance])
            table[f"{name}, normalised"] = found.normalised(values, measure)
        print(table)
        named = titles()
        print("The figure:", save_figure(faithfulness_dots(found, named, muted=named.keys() - methods().keys())))
        """,
        run=run,
        epoch=epoch,
        text=text,
    )


def agreement(source: tuple[str, int], text: str, methods: Sequence[str], measure: str) -> str:
    """Return code for the rank correlation of each two methods on ``text``, or the strongest words that they share.

    Args:
        source: the run and the epoch.
        text: that is explained.
        methods: their names.
        measure: ``"correlation"`` or ``"overlap"``.
    """
    run, epoch = source
    of = "overlap" if measure == "overlap" else "correlation"
    return written(
        f"""
        import pandas as pd

        from nlpviz.analysis.attribution import explain
        from nlpviz.analysis.attribution.baselines import baselines, like, titles
        from nlpviz.figures.attribution.agreement import agreement_matrix
        from nlpviz.figures.page import save_figure
        from nlpviz.results.agreement import agreement
        from nlpviz.runs import open_run

        run, text = open_run($run), $text
        trained = run.load($epoch)
        explained = [explain(trained, text, method) for method in $methods]
        without_network = [one for one in baselines(run.corpus["name"]) if one.name != "earlier"]
        agreed = agreement(explained + [like(explained[0], one) for one in without_network])
        table = pd.DataFrame(agreed.{of}, columns=agreed.methods)
        print(table)
        print("The figure:", save_figure(agreement_matrix(agreed, "{of}", titles(), f"{{run.name}}, epoch {{$epoch}}")))
        """,
        run=run,
        epoch=epoch,
        text=text,
        methods=list(methods),
    )


def deletion(sources: Sources, text: str, method: str, target: str) -> str:
    """Return code for the deletion curves of ``text``, by one method, for the class named ``target``."""
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution import explain, methods
        from nlpviz.analysis.attribution.deletion import deletion_curve
        from nlpviz.figures.attribution.deletion import deletion_curves
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        text, parts, curves = $text, [], []
        for run, epoch in $sources:
            trained = open_run(run).load(epoch)
            target = trained.run.class_names.index($target)
            curve = deletion_curve(trained, explain(trained, text, $method, target))
            curves.append(curve)
            part = pd.DataFrame({"run": run, "epoch": epoch, "tokens removed": curve.taken})
            part["probability"] = curve.probability
            part["random order, mean"] = curve.random.mean(axis=0)
            part["random order, lowest"] = curve.random.min(axis=0)
            part["random order, highest"] = curve.random.max(axis=0)
            parts.append(part)
        table = pd.concat(parts, ignore_index=True)
        print(table)
        print("The figure:", save_figure(deletion_curves(curves, methods()[$method].title)))
        """,
        sources=list(sources),
        text=text,
        method=method,
        target=target,
    )


def randomisation(source: tuple[str, int], text: str, method: str, target: int) -> str:
    """Return code for what is left of an explanation of ``text`` as layers are drawn anew, the top one first."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution import explain, methods
        from nlpviz.analysis.attribution.randomisation import randomisation, randomised, scores_at
        from nlpviz.figures.attribution.randomisation import cascade
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        trained = open_run($run).load($epoch)
        explanation = explain(trained, $text, $method, target=$target)
        stages = randomised(trained)
        others = [scores_at(stage, explanation) for stage in stages]
        found = randomisation(explanation, [stage.layer for stage in stages], others)
        table = pd.DataFrame({"randomised, down to": ["none", *found.layers]})
        table["rank correlation"] = [1.0, *found.scores]
        table["without signs"] = [1.0, *found.magnitudes]
        print(table)
        print("The figure:", save_figure(cascade(found, methods()[$method].title)))
        """,
        run=run,
        epoch=epoch,
        text=text,
        method=method,
        target=target,
    )


def stability(source: tuple[str, int], text: str, methods: Sequence[str], *, untrained: bool) -> str:
    """Return code for how stable explanations of ``text`` are: as its words move a little, and by other networks.

    Args:
        source: the run and the epoch.
        text: that is explained.
        methods: their names.
        untrained: whether the network before training is one of the others.
    """
    run, epoch = source
    others = ", run.load(0)" if untrained else ""
    return written(
        f"""
        import pandas as pd

        from nlpviz.analysis.attribution import explain
        from nlpviz.analysis.attribution.baselines import titles
        from nlpviz.analysis.attribution.stability import stability
        from nlpviz.figures.attribution.stability import stability_matrix
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        run, text = open_run($run), $text
        trained = run.load($epoch)
        explained = [explain(trained, text, method) for method in $methods]
        found = stability(trained, explained{others})
        table = pd.DataFrame({{"method": found.methods, "sensitivity": found.sensitivity}})
        table[list(found.networks)] = found.correlation
        print(table)
        print("The figure:", save_figure(stability_matrix(found, titles())))
        """,
        run=run,
        epoch=epoch,
        text=text,
        methods=list(methods),
    )


def fifths(source: tuple[str, int], text: str, method: str, target: int) -> str:
    """Return code for where in ``text`` a method's magnitudes lie, fifth by fifth, beside the log-count ratio's."""
    run, epoch = source
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.analysis.attribution import explain
        from nlpviz.analysis.attribution.baselines import baselines, like, titles
        from nlpviz.figures.attribution.position_bins import fifth_bars
        from nlpviz.figures.page import save_figure
        from nlpviz.results.position_bins import fifths
        from nlpviz.runs import open_run

        run = open_run($run)
        explanation = explain(run.load($epoch), $text, $method, target=$target)
        without_network = {one.name: one for one in baselines(run.corpus["name"])}
        found = fifths(explanation, like(explanation, without_network["log-count-ratio"]))
        table = pd.DataFrame({"fifth": ["first", "second", "third", "fourth", "last"]})
        table["tokens"] = np.diff(found.starts)
        table["share of the total magnitude"] = found.share
        table["share, log-count ratio"] = found.other_share
        table["rank correlation within"] = found.correlation
        print(table)
        print("The figure:", save_figure(fifth_bars(found, titles())))
        """,
        run=run,
        epoch=epoch,
        text=text,
        method=method,
        target=target,
    )
