"""Snippets of translators: alignments, searches, BLEU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from nlpviz.figures.snippets import written

Drawn = Literal["matrix", "cells", "lines"]
"""A matrix with bars at its sides, its cells alone, or lines."""


def alignment(
    source: tuple[str, int], text: str, width: int, penalty: float, drawn: Drawn, chosen: tuple[str, int] | None
) -> str:
    """Return code for the weight of each source word for each word of the best translation of ``text``.

    Args:
        source: the run and the epoch.
        text: that is translated.
        width: of the beam.
        penalty: the length penalty.
        drawn: as what the weights are drawn.
        chosen: side and position of the word whose lines alone are drawn; None for all.
    """
    run, epoch = source
    side, position = chosen or ("", 0)
    module = "lines" if drawn == "lines" else "matrix"
    more = {"matrix": "", "cells": ", bare=True", "lines": ", Chosen($side, $position)" if chosen else ""}[drawn]
    names = "Aligned, Chosen" if "Chosen" in more else "Aligned"
    return written(
        f"""
        import numpy as np
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.translation.alignments import {names}
        from nlpviz.figures.translation.{module} import alignment_{module}
        from nlpviz.analysis.inspection.translation import TranslationOptions, translate
        from nlpviz.runs import open_run
        from nlpviz.runs.translators import load_translator

        result = translate(load_translator(open_run($run), $epoch), $text, TranslationOptions($width, $penalty))
        weights = result.hypotheses[0].alignment
        rows, columns = np.indices(weights.shape).reshape(2, -1)
        table = pd.DataFrame({{"target position": rows + 1, "source position": columns + 1, "weight": weights.ravel()}})
        print(table)
        print("The figure:", save_figure(alignment_{module}(Aligned(result){more})))
        """,
        run=run,
        epoch=epoch,
        text=text,
        width=width,
        penalty=penalty,
        side=side,
        position=position,
    )


def bleu(runs: Sequence[str], about: str) -> str:
    """Return code for the BLEU of translators on their test sentences; ``about`` says which these are."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.translation.bleu import bleu_by_run
        from nlpviz.run_kinds.drawn.translators import run_bleu
        from nlpviz.runs import open_run

        found = [run_bleu(open_run(run)) for run in $runs]
        table = pd.DataFrame([(one.epoch, one.bleu) for one in found], columns=["epoch", "test BLEU"])
        print(table)
        print("The figure:", save_figure(bleu_by_run(found, "", $about)))
        """,
        runs=list(runs),
        about=about,
    )


def bleu_by_epoch(runs: Sequence[str], about: str) -> str:
    """Return code for the BLEU of greedy translations of the validation sentences after each epoch."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.translation.bleu import bleu_by_epoch
        from nlpviz.run_kinds.drawn.translators import run_bleu
        from nlpviz.runs import open_run

        found = [run_bleu(open_run(run)) for run in $runs]
        rows = [(one.epoch, one.validation_bleu, one.validation_loss) for run in found for one in run.history]
        table = pd.DataFrame(rows, columns=["epoch", "validation BLEU", "validation loss, nats"])
        print(table)
        print("The figure:", save_figure(bleu_by_epoch(found, $about)))
        """,
        runs=list(runs),
        about=about,
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
        until: how many steps of the search are printed.
        pruned: how many of the words that a step did not keep are drawn.
    """
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.analysis.inspection.translation import TranslationOptions, translate
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.translation.beam_tree import beam_tree
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
        table["status"] = [str(node.status) for node in nodes]
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


def phrases(source: tuple[str, int], phrases: Sequence[str], groups: Sequence[int], held: str) -> str:
    """Return code for where phrases lie in the plane of what an encoder holds of them.

    Args:
        source: the run and the epoch.
        phrases: that are read.
        groups: the number of each one's group, from 0.
        held: what of the encoder stands for a phrase.
    """
    run, epoch = source
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.analysis.inspection.phrases import phrase_plane, phrase_states
        from nlpviz.figures.page import save_figure
        from nlpviz.figures.translation.phrases import PhraseMap, phrase_map
        from nlpviz.runs import open_run
        from nlpviz.runs.translators import load_translator

        phrases, groups = $phrases, $groups
        plane = phrase_plane(phrase_states(load_translator(open_run($run), $epoch), phrases))
        table = pd.DataFrame(plane.coordinates, index=phrases, columns=["first component", "second"])
        print(table)
        drawn = PhraseMap($run, $epoch, $held, phrases, np.array(groups), plane.coordinates, plane.share)
        print("The figure:", save_figure(phrase_map(drawn)))
        """,
        run=run,
        epoch=epoch,
        phrases=tuple(phrases),
        groups=tuple(groups),
        held=held,
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
        print(table)
        print("The figure:", save_figure(word_weights(Aligned(result), $row)))
        """,
        "choices": """
        choices = result.alternatives[$row]
        table = pd.DataFrame({"word": [one.word for one in choices]})
        table["probability"] = [np.exp(one.log_probability) for one in choices]
        print(table)
        print("The figure:", save_figure(choice_bars(result, $row)))
        """,
    }
    imports = {
        "weights": """from nlpviz.figures.translation.alignments import Aligned
        from nlpviz.figures.translation.word import word_weights""",
        "choices": "from nlpviz.figures.translation.word import choice_bars",
    }
    return written(
        f"""
        {"import numpy as np" if part == "choices" else ""}
        import pandas as pd

        from nlpviz.figures.page import save_figure
        {imports[part]}
        from nlpviz.analysis.inspection.translation import TranslationOptions, translate
        from nlpviz.runs import open_run
        from nlpviz.runs.translators import load_translator

        result = translate(load_translator(open_run($run), $epoch), $text, TranslationOptions($width, $penalty))
        {parts[part].strip()}
        """,
        run=run,
        epoch=epoch,
        text=text,
        width=width,
        penalty=penalty,
        row=row,
    )


def bleu_by_length(runs: Sequence[str], about: str) -> str:
    """Return code for the BLEU of translators by the length of the source of a test sentence."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.translation.bleu import bleu_by_length
        from nlpviz.run_kinds.drawn.translators import run_bleu
        from nlpviz.runs import open_run

        found = [run_bleu(open_run(run)) for run in $runs]
        rows = [(row.longest, row.sentences, row.bleu) for one in found for row in one.by_length]
        table = pd.DataFrame(rows, columns=["longest", "sentences", "BLEU"])
        print(table)
        print("The figure:", save_figure(bleu_by_length(found, $about)))
        """,
        runs=list(runs),
        about=about,
    )


def setting(pairs: Sequence[tuple[str, str]], about: str) -> str:
    """Return code for by how much the second run of each pair differs in BLEU from the first, with intervals.

    Args:
        pairs: runs that differ in one setting.
        about: says which test sentences these are.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.translation.settings import setting_differences
        from nlpviz.run_kinds.drawn.translators import changed_setting
        from nlpviz.runs import open_run

        found = [changed_setting(open_run(before), open_run(after)) for before, after in $pairs]
        rows = [(one.whole.difference, *one.whole.interval, one.whole.p) for one in found]
        columns = ["difference, BLEU", "from, BLEU", "to, BLEU", "p-value (paired bootstrap)"]
        table = pd.DataFrame(rows, index=[one.title for one in found], columns=columns)
        print(table)
        print("The figure:", save_figure(setting_differences(found, "", $about)))
        """,
        pairs=list(pairs),
        about=about,
    )


def setting_by_length(before: str, after: str, about: str) -> str:
    """Return code for the same of one pair, by the length of the reference."""
    return written(
        """
        import pandas as pd

        from nlpviz.figures.page import save_figure
        from nlpviz.figures.translation.settings import setting_by_length
        from nlpviz.run_kinds.drawn.translators import changed_setting
        from nlpviz.runs import open_run

        found = changed_setting(open_run($before), open_run($after))
        rows = [
            (one.shortest, one.longest, one.difference.difference, one.difference.p) for one in found.by_length
        ]
        table = pd.DataFrame(rows, columns=["shortest", "longest", "difference, BLEU", "p-value (paired bootstrap)"])
        print(table)
        print("The figure:", save_figure(setting_by_length(found, $about)))
        """,
        before=before,
        after=after,
        about=about,
    )
