"""Snippets of translators: alignments, searches, BLEU."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import Sources, written


def alignment(source: tuple[str, int], text: str, width: int, penalty: float) -> str:
    """Return code for the weight of each source word for each word of the best translation of ``text``."""
    run, epoch = source
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.reading.translation import TranslationOptions, translate
        from nlpviz.runs import open_run
        from nlpviz.runs.translators import load_translator

        result = translate(load_translator(open_run($run), $epoch), $text, TranslationOptions($width, $penalty))
        weights = result.hypotheses[0].alignment
        rows, columns = np.indices(weights.shape).reshape(2, -1)
        table = pd.DataFrame({"target place": rows + 1, "source place": columns + 1, "weight": weights.ravel()})
        print(table)
        """,
        run=run,
        epoch=epoch,
        text=text,
        width=width,
        penalty=penalty,
    )


def bleu(sources: Sources) -> str:
    """Return code for the BLEU of translators on their test sentences."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.translators import read_bleu

        rows = []
        for run, epoch in $sources:
            whole = next(row for row in read_bleu(open_run(run)) if row.epoch == epoch)
            rows.append((epoch, whole.bleu))
        table = pd.DataFrame(rows, columns=["epoch", "test BLEU"])
        print(table)
        """,
        sources=list(sources),
    )


def bleu_by_epoch(runs: Sequence[str]) -> str:
    """Return code for the BLEU of greedy translations of the validation sentences after each epoch."""
    return written(
        """
        import pandas as pd

        from nlpviz.kinds import history
        from nlpviz.runs import open_run

        rows = [
            (one.epoch, one.validation_bleu, one.validation_loss) for run in $runs for one in history(open_run(run))
        ]
        table = pd.DataFrame(rows, columns=["epoch", "validation BLEU", "validation loss, nats"])
        print(table)
        """,
        runs=list(runs),
    )


def beam(
    source: tuple[str, int],
    text: str,
    width: int,
    penalty: float,
    prefix: str | Sequence[int],
    until: int,
    pruned: int,
) -> str:
    """Return code for the candidates that a beam search for a translation of ``text`` scored, and their tree.

    Args:
        source: the run and the epoch.
        text: that is translated.
        width: of the beam.
        penalty: the length penalty.
        prefix: what the translation begins with, as typed or as ids.
        until: how many steps of the search are told.
        pruned: how many of the words that a step did not keep are drawn.
    """
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.translation.beam_tree import beam_tree
        from nlpviz.reading.translation import TranslationOptions, translate
        from nlpviz.runs import open_run
        from nlpviz.runs.translators import load_translator

        options = TranslationOptions($width, $penalty, prefix=$prefix, tree=True)
        result = translate(load_translator(open_run($run), $epoch), $text, options)
        tree = result.tree
        nodes = [node for node in tree.nodes if node.step < $until]
        table = pd.DataFrame({"step": [node.step + 1 for node in nodes]}, index=[node.word for node in nodes])
        table["log-probability of the last word"] = [node.log_probability for node in nodes]
        table["log-probability"] = [node.total for node in nodes]
        table["score"] = [node.score for node in nodes]
        table["fate"] = [str(node.status) for node in nodes]
        print(table)
        print("The figure:", save_figure(beam_tree(result, $until, $pruned)))
        """,
        run=run,
        epoch=epoch,
        text=text,
        width=width,
        penalty=penalty,
        prefix=prefix if isinstance(prefix, str) else tuple(prefix),
        until=until,
        pruned=pruned,
    )


def phrases(source: tuple[str, int], phrases: Sequence[str]) -> str:
    """Return code for where phrases lie in the plane of what an encoder holds of them."""
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.reading.phrases import phrase_plane, phrase_states
        from nlpviz.runs import open_run
        from nlpviz.runs.translators import load_translator

        phrases = $phrases
        plane = phrase_plane(phrase_states(load_translator(open_run($run), $epoch), phrases))
        table = pd.DataFrame(plane.coordinates, index=phrases, columns=["first component", "second"])
        print(table)
        """,
        run=run,
        epoch=epoch,
        phrases=list(phrases),
    )


def one_word(source: tuple[str, int], text: str, width: int, penalty: float, row: int, part: str) -> str:
    """Return code for one word of the best translation of ``text``.

    Args:
        source: the run and the epoch.
        text: that is translated.
        width: of the beam.
        penalty: the length penalty.
        row: the word's position.
        part: ``"weights"``, of each source word for it, or ``"choices"``: the words most probable in its place.
    """
    run, epoch = source
    parts = {
        "weights": """
        table = pd.DataFrame({"source": result.source_words})
        table["weight"] = result.hypotheses[0].alignment[$row]
        """,
        "choices": """
        choices = result.alternatives[$row]
        table = pd.DataFrame({"word": [one.word for one in choices]})
        table["probability"] = [np.exp(one.log_probability) for one in choices]
        """,
    }
    return written(
        f"""
        {"import numpy as np" if part == "choices" else ""}
        import pandas as pd

        from nlpviz.reading.translation import TranslationOptions, translate
        from nlpviz.runs import open_run
        from nlpviz.runs.translators import load_translator

        result = translate(load_translator(open_run($run), $epoch), $text, TranslationOptions($width, $penalty))
        {parts[part].strip()}
        print(table)
        """,
        run=run,
        epoch=epoch,
        text=text,
        width=width,
        penalty=penalty,
        row=row,
    )


def bleu_by_length(sources: Sources) -> str:
    """Return code for the BLEU of translators by the length of the source of a test sentence."""
    return written(
        """
        import pandas as pd

        from nlpviz.runs import open_run
        from nlpviz.runs.translators import read_bleu

        rows = []
        for run, epoch in $sources:
            whole, *parts = (row for row in read_bleu(open_run(run)) if row.epoch == epoch)
            rows += [(min(row.longest, whole.longest), row.sentences, row.bleu) for row in parts]
        table = pd.DataFrame(rows, columns=["longest", "sentences", "BLEU"])
        print(table)
        """,
        sources=list(sources),
    )


def setting(pairs: Sequence[tuple[str, str]]) -> str:
    """Return code for by how much the second run of each pair differs in BLEU from the first, with intervals."""
    return written(
        """
        import pandas as pd

        from nlpviz.results.bleu import paired_bootstrap
        from nlpviz.runs import open_run
        from nlpviz.runs.translators import read_sentences

        rows = []
        for before, after in $pairs:
            found = paired_bootstrap(read_sentences(open_run(after)), read_sentences(open_run(before)))
            rows.append((found.difference, found.interval.low, found.interval.high, found.p))
        columns = ["difference, BLEU", "from, BLEU", "to, BLEU", "p, paired bootstrap"]
        table = pd.DataFrame(rows, index=[f"{before} to {after}" for before, after in $pairs], columns=columns)
        print(table)
        """,
        pairs=list(pairs),
    )


def setting_by_length(before: str, after: str) -> str:
    """Return code for the same of one pair, by the length of the reference."""
    return written(
        """
        import pandas as pd

        from nlpviz.results.bleu import differences_by_length
        from nlpviz.runs import open_run
        from nlpviz.runs.translators import read_sentences

        before, after = (read_sentences(open_run(run)) for run in ($before, $after))
        rows = [
            (one.shortest, one.longest, one.difference.difference, one.difference.p)
            for one in differences_by_length(after, before)
        ]
        table = pd.DataFrame(rows, columns=["shortest", "longest", "difference, BLEU", "p, paired bootstrap"])
        print(table)
        """,
        before=before,
        after=after,
    )
