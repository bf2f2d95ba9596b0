"""Snippets of attention: of words, of sentences, of every head, and what other weights make of a prediction."""

from __future__ import annotations

from nlpviz.snippets import Sources, written


def words(sources: Sources, text: str) -> str:
    """Return code for the weights of the words of ``text``."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.attention import attend
        from nlpviz.runs import open_run

        text = $text
        columns = {}
        for run, epoch in $sources:
            attended = attend(open_run(run).load(epoch), text)
            columns["token"] = pd.Series([token.word for token in attended.text.read])
            columns[f"weight, {run}, epoch {epoch}"] = pd.Series(attended.words)
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        text=text,
    )


def sentences(sources: Sources, text: str) -> str:
    """Return code for the weights of the sentences of ``text``."""
    return written(
        """
        import pandas as pd

        from nlpviz.reading.attention import attend
        from nlpviz.runs import open_run

        columns = {}
        for run, epoch in $sources:
            parts = attend(open_run(run).load(epoch), $text).sentences
            columns["tokens"] = pd.Series([part.last - part.first for part in parts])
            columns[f"weight, {run}, epoch {epoch}"] = pd.Series([part.weight for part in parts])
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        text=text,
    )


def pairs(sources: Sources, text: str, layer: int | None, head: int | None, window: tuple[int, int]) -> str:
    """Return code for what each word of ``text`` attends to.

    Args:
        sources: the runs and epochs.
        text: that is read.
        layer: from 0; None for the mean of all.
        head: from 0; None for the mean of all.
        window: the first token that is shown, and the place after the last one.
    """
    of_layer = "mean(axis=0)" if layer is None else f"take({layer}, axis=0)"
    of_head = "mean(axis=0)" if head is None else f"take({head}, axis=0)"
    first, last = window
    return written(
        f"""
        import numpy as np
        import pandas as pd

        from nlpviz.reading.attention import attend
        from nlpviz.runs import open_run

        columns = {{}}
        for run, epoch in $sources:
            heads = attend(open_run(run).load(epoch), $text).heads  # (layers, heads, queries, keys)
            shown = heads.{of_layer}.{of_head}[$first:$last, $first:$last]
            query, key = np.indices(shown.shape) + $first + 1
            columns |= {{"query place": query.ravel(), "key place": key.ravel()}}
            columns[f"weight, {{run}}, epoch {{epoch}}"] = shown.ravel()
        table = pd.DataFrame(columns)
        print(table)
        """,
        sources=list(sources),
        text=text,
        first=first,
        last=last,
    )


def heads(source: tuple[str, int], text: str, layers: int, heads: int) -> str:
    """Return code for what every head does with ``text``: how far its weight lies, and how sure it is."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.reading.attention import attend
        from nlpviz.results.attention import head_measures
        from nlpviz.runs import open_run

        attended = attend(open_run($run).load($epoch), $text)
        measured = head_measures(attended.heads[:$layers, :$heads])
        table = pd.DataFrame({"on itself": measured.on_itself.ravel(), "on the word before": measured.before.ravel()})
        table["words away"] = measured.distance.ravel()
        table["entropy, nats"] = measured.entropy.ravel()
        print(table)
        """,
        run=run,
        epoch=epoch,
        text=text,
        layers=layers,
        heads=heads,
    )


def effect(sources: Sources, text: str, target: str) -> str:
    """Return code for the probability of the class called ``target`` with the network's own weights and with others."""
    return written(
        """
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.reading.attention_effect import attention_effect
        from nlpviz.runs import open_run

        rows = []
        for run, epoch in $sources:
            trained = open_run(run).load(epoch)
            effect = attention_effect(trained, explain(trained, $text, "saliency"), leave_one_out=False)
            target = effect.class_names.index($target)
            rows.append((run, epoch, "original weights", 0, effect.probabilities[target]))
            for other, answers in effect.answers.items():
                rows += [(run, epoch, other.kind, other.removed, value) for value in answers[:, target]]
        table = pd.DataFrame(rows, columns=["run", "epoch", "weights", "words removed", "probability"])
        print(table)
        """,
        sources=list(sources),
        text=text,
        target=target,
    )


def left_out(sources: Sources, text: str) -> str:
    """Return code for each word's weight, its saliency, and by how much the score falls without it."""
    return written(
        """
        import pandas as pd

        from nlpviz.attribution import explain
        from nlpviz.reading.attention_effect import attention_effect
        from nlpviz.runs import open_run

        found = []
        for run, epoch in $sources:
            trained = open_run(run).load(epoch)
            effect = attention_effect(trained, explain(trained, $text, "saliency"))
            words = pd.DataFrame({"token": [token.word for token in effect.encoded.read]})
            words["attention"] = effect.weights
            words["saliency"] = effect.saliency
            words["leave-one-out"] = effect.leave_one_out
            found.append(words)
        table = pd.concat(found)
        print(table)
        """,
        sources=list(sources),
        text=text,
    )


def survey(sources: Sources) -> str:
    """Return code for how far other weights move the predictions of test documents."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.attention_effects import attention_survey

        rows = []
        for run, epoch in $sources:
            survey = attention_survey(open_run(run), epoch)
            for other in survey.interventions:
                moved = survey.changes(other)
                rows.append((run, other.kind, other.removed, len(moved), moved.mean(), survey.share_flipped(other)))
        columns = ["run", "weights", "words removed", "documents", "mean change", "prediction changed, share"]
        table = pd.DataFrame(rows, columns=columns)
        print(table)
        """,
        sources=list(sources),
    )


def agreement(sources: Sources) -> str:
    """Return code for Kendall's tau between rankings of the words of test documents."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.attention_effects import attention_survey

        found = []
        for run, epoch in $sources:
            survey = attention_survey(open_run(run), epoch).with_all_rankings()
            taus = pd.DataFrame(
                survey.agreement,
                columns=["attention and saliency", "attention and leave-one-out", "saliency and leave-one-out"],
            )
            taus.insert(0, "document", survey.ids)
            found.append(taus)
        table = pd.concat(found)
        print(table)
        """,
        sources=list(sources),
    )
