"""Snippets of attention: weights, and what becomes of a prediction with other ones."""

from __future__ import annotations

from collections.abc import Mapping

from nlpviz.figures.snippets import Literal, Sources, written


def attention(sources: Sources, text: str, of: str = "words", view: str = "words") -> str:
    """Return code for the weights of the words of ``text``, or of its sentences.

    Args:
        sources: runs with an epoch each.
        text: that is read.
        of: ``"words"`` or ``"sentences"``.
        view: what the bars of words show, one of :data:`nlpviz.figures.attention.attended.VIEWS`.
    """
    columns = {
        "words": ("token", "[token.word for token in attended.text.read]", "attended.words"),
        "sentences": (
            "tokens",
            "[one.last - one.first for one in attended.sentences]",
            "[one.weight for one in attended.sentences]",
        ),
    }
    heading, said, weights = columns[of]
    bars = "sentence_bars(shown)" if of == "sentences" else "word_bars([AttendedText(one, $view) for one in shown])"
    attended = "" if of == "sentences" else "from nlpviz.figures.attention.attended import AttendedText\n        "
    return written(
        f"""
        import pandas as pd

        {attended}from nlpviz.figures.attention.bars import {bars.partition("(")[0]}
        from nlpviz.analysis.inspection.attention import attend
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        text = $text
        columns, shown = {{}}, []
        for run, epoch in $sources:
            attended = attend(open_run(run).load(epoch), text)
            shown.append(attended)
            columns["{heading}"] = pd.Series({said})
            columns[f"weight, {{run}}, epoch {{epoch}}"] = pd.Series({weights})
        table = pd.DataFrame(columns)
        print(table)
        print("The figure:", save_figure({bars}))
        """,
        sources=list(sources),
        text=text,
        view=view,
    )


def head(sources: Sources, text: str, choice: Mapping[str, Literal], figure: str) -> str:
    """Return code for what each of some words of ``text`` attends to, in one head or on average.

    Args:
        sources: runs with an epoch each.
        text: that is read.
        choice: the fields of :class:`nlpviz.figures.attention.heads.HeadChoice`.
        figure: ``"lines"`` or ``"matrix"``.
    """
    chosen = ", ".join(f"{name}=${name}" for name in choice)
    return written(
        f"""
        import numpy as np
        import pandas as pd

        from nlpviz.figures.attention.heads import HeadChoice, matrices, words_shown
        from nlpviz.figures.attention.{figure} import head_{figure}
        from nlpviz.analysis.inspection.attention import attend
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        text, sources = $text, $sources
        choice = HeadChoice({chosen})
        attended = [attend(open_run(run).load(epoch), text) for run, epoch in sources]
        words = words_shown(attended, choice)
        table = pd.DataFrame({{"query": np.repeat(words, len(words)), "key": words * len(words)}})
        for (run, epoch), weights in zip(sources, matrices(attended, choice)):
            table[f"weight, {{run}}, epoch {{epoch}}"] = weights.ravel()
        print(table)
        print("The figure:", save_figure(head_{figure}(attended, choice)))
        """,
        sources=list(sources),
        text=text,
        **choice,
    )


def every_head(source: tuple[str, int], text: str, layer: int | None, head: int | None) -> str:
    """Return code for what each head does in ``text`` on average.

    Args:
        source: the run and the epoch.
        text: that is read.
        layer: of the head that is marked, from 0; None for all.
        head: that is marked, from 0; None for all.
    """
    run, epoch = source
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.analysis.inspection.attention import attend
        from nlpviz.figures.attention.grid import head_grid
        from nlpviz.figures.attention.heads import HeadChoice
        from nlpviz.figures.page import save_figure
        from nlpviz.results.attention import head_measures
        from nlpviz.runs import open_run

        attended = attend(open_run($run).load($epoch), $text)
        measured = head_measures(attended.heads)
        layers, heads = np.indices(measured.on_itself.shape)
        table = pd.DataFrame({"layer": layers.ravel() + 1, "head": heads.ravel() + 1})
        table["on itself"] = measured.on_itself.ravel()
        table["on the previous word"] = measured.before.ravel()
        table["on the next word"] = measured.after.ravel()
        table["mean distance, words"] = measured.distance.ravel()
        table["entropy, nats"] = measured.entropy.ravel()
        print(table)
        print("The figure:", save_figure(head_grid(attended, HeadChoice(layer=$layer, head=$head))))
        """,
        run=run,
        epoch=epoch,
        text=text,
        layer=layer,
        head=head,
    )


def replaced(sources: Sources, text: str, target: str) -> str:
    """Return code for how probable the class named ``target`` is for ``text`` with replaced attention weights."""
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution import explain
        from nlpviz.analysis.inspection.attention_effect import attention_effect
        from nlpviz.figures.attention.effect import effect_dots
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        text, rows, effects = $text, [], []
        for run, epoch in $sources:
            trained = open_run(run).load(epoch)
            effect = attention_effect(trained, explain(trained, text, "saliency"), leave_one_out=False)
            effects.append(effect)
            target = effect.class_names.index($target)
            rows.append((run, epoch, "original weights", 0, effect.probabilities[target]))
            for one, answers in effect.answers.items():
                rows += [(run, epoch, one.kind, one.removed, draw) for draw in answers[:, target]]
        table = pd.DataFrame(rows, columns=["run", "epoch", "weights", "words removed", "probability"])
        print(table)
        print("The figure:", save_figure(effect_dots(effects)))
        """,
        sources=list(sources),
        text=text,
        target=target,
    )


def left_one_out(sources: Sources, text: str) -> str:
    """Return code for each word's weight beside its saliency and what the score loses without it."""
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.attribution import explain
        from nlpviz.analysis.inspection.attention_effect import attention_effect
        from nlpviz.figures.attention.effect import agreement_dots
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run

        text, parts, effects = $text, [], []
        for run, epoch in $sources:
            trained = open_run(run).load(epoch)
            effect = attention_effect(trained, explain(trained, text, "saliency"))
            effects.append(effect)
            part = pd.DataFrame({"token": [token.word for token in effect.encoded.read]})
            part["attention"] = effect.weights
            part["saliency"] = effect.saliency
            part["leave-one-out"] = effect.leave_one_out
            parts.append(part.assign(run=run, epoch=epoch))
        table = pd.concat(parts, ignore_index=True)
        print(table)
        print("The figure:", save_figure(agreement_dots(effects)))
        """,
        sources=list(sources),
        text=text,
    )


def survey(sources: Sources) -> str:
    """Return code for how far predictions of test documents move when attention weights are replaced."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.figures.attention.survey import change_shares
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.attention_effects import attention_survey

        rows, surveys = [], []
        for run, epoch in $sources:
            survey = attention_survey(open_run(run), epoch)
            surveys.append(survey)
            for one in survey.interventions:
                moved, flipped = survey.changes(one), survey.share_flipped(one)
                rows.append((run, epoch, *one, len(moved), moved.mean(), np.median(moved), flipped))
        measured = ["documents", "mean change", "median change", "share of changed predictions"]
        table = pd.DataFrame(rows, columns=["run", "epoch", "weights", "words removed", *measured])
        print(table)
        print("The figure:", save_figure(change_shares(surveys)))
        """,
        sources=list(sources),
    )


def rankings(sources: Sources) -> str:
    """Return code for how attention, saliency and leave-one-out agree about the words of test documents."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.attention.survey import agreement_boxes
        from nlpviz.figures.page import save_figure
        from nlpviz.runs import open_run
        from nlpviz.runs.attention_effects import attention_survey

        pairs = ["attention and saliency", "attention and leave-one-out", "saliency and leave-one-out"]
        parts, surveys = [], []
        for run, epoch in $sources:
            survey = attention_survey(open_run(run), epoch).with_all_rankings()
            surveys.append(survey)
            part = pd.DataFrame({"run": run, "epoch": epoch, "document": survey.ids})
            part[[f"tau, {pair}" for pair in pairs]] = survey.agreement
            parts.append(part)
        table = pd.concat(parts, ignore_index=True)
        print(table)
        print("The figure:", save_figure(agreement_boxes(surveys)))
        """,
        sources=list(sources),
    )
