"""Runs of the kind ``"translator"``: two vocabularies, BLEU after every epoch, and BLEU by length of the kept ones.

``vocabulary.txt`` holds the words that are read, ``target-vocabulary.txt`` those that are written, ``merges.txt`` the
merges that make pieces of words where both vocabularies hold the same pieces, ``history.csv`` what each epoch reached,
``bleu.csv`` the BLEU of each kept epoch on the test sentences by the length of their source, ``bleu-sentences.parquet``
what BLEU adds up, a row for each test sentence at the best epoch.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nlpviz.results.bleu import ORDERS, BleuStatistics
from nlpviz.results.history import EpochBleu
from nlpviz.runs.files import write_table, write_text
from nlpviz.runs.run import Run, RunError
from nlpviz.text.parallel import LanguagePair
from nlpviz.text.subwords import Subwords
from nlpviz.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from torch import nn

KIND = "translator"
MERGES = "merges.txt"
TARGET_VOCABULARY, BLEU, BLEU_SENTENCES = "target-vocabulary.txt", "bleu.csv", "bleu-sentences.parquet"


@dataclass(frozen=True)
class TrainedTranslator:
    """One epoch's weights, loaded: in evaluation mode, frozen, safe to share between threads."""

    run: Run
    epoch: int
    module: nn.Module
    languages: LanguagePair


def languages_of(run: Run) -> LanguagePair:
    """Return the languages of a translator's run with their words.

    Raises:
        RunError: if the run is of another kind, or damaged.
    """
    if run.kind != KIND:
        raise RunError(f"The run {run.name!r} is a {run.kind}, not a translator.")
    try:
        target = Vocabulary.load(run.file(TARGET_VOCABULARY))
        by_pieces = bool(run.recipe.get("subwords"))
        subwords = Subwords.of_text(run.file(MERGES).read_text(encoding="utf-8")) if by_pieces else None
        return LanguagePair(run.recipe["source"], run.recipe["target"], run.vocabulary, target, subwords)
    except (KeyError, ValueError) as error:
        raise RunError(f"The vocabulary of the run {run.name!r} is damaged: {error}.") from None


def load_translator(run: Run, epoch: int | None = None) -> TrainedTranslator:
    """Return a translator with the weights of one epoch and its two vocabularies.

    Args:
        run: a translator's run.
        epoch: a stored epoch; None selects the best epoch.

    Raises:
        RunError: if the run is not a translator, does not store this epoch, or its weights do not fit the architecture.

    Example:
        >>> from nlpviz.runs import open_run
        >>> from nlpviz.runs.translators import load_translator
        >>> translator = load_translator(open_run("multi30k-en-fr-general"))
        >>> translator.languages.source_language, translator.languages.target_language
        ('en', 'fr')
    """
    languages = languages_of(run)
    epoch = run.check_epoch(run.best_epoch if epoch is None else epoch)
    from nlpviz.networks.architectures import translators

    return TrainedTranslator(run, epoch, run.module(epoch, translators()), languages)


def write_bleu(folder: Path, rows: Iterable[EpochBleu]) -> None:
    """Write the BLEU of each kept epoch: of all sentences first, then by the length of their sources."""
    write_text(folder / BLEU, _table(EpochBleu._fields, rows))


def read_bleu(run: Run) -> tuple[EpochBleu, ...]:
    """Return the BLEU of each kept epoch: of all sentences first, then by the length of their sources.

    Raises:
        RunError: if the file is missing or damaged.
    """
    try:
        with run.file(BLEU).open(encoding="utf-8", newline="") as stream:
            return tuple(
                EpochBleu(
                    int(row["epoch"]),
                    int(row["shortest"]),
                    int(row["longest"]),
                    int(row["sentences"]),
                    float(row["bleu"]),
                )
                for row in csv.DictReader(stream)
            )
    except (KeyError, TypeError, ValueError):
        raise RunError(f"{BLEU} of the run {run.name!r} has a missing column or an invalid number.") from None


def write_sentences(folder: Path, statistics: BleuStatistics) -> None:
    """Write what BLEU adds up over the test sentences at the best epoch, in their order."""
    import pyarrow as pa

    columns = {"length": pa.array(statistics.length), "reference": pa.array(statistics.reference)}
    for order in range(ORDERS):
        columns[f"correct.{order + 1}"] = pa.array(statistics.correct[:, order])
        columns[f"total.{order + 1}"] = pa.array(statistics.total[:, order])
    write_table(folder / BLEU_SENTENCES, columns)


def read_sentences(run: Run) -> BleuStatistics:
    """Return what BLEU adds up over the test sentences at the best epoch.

    Raises:
        RunError: if nobody measured it, or the file is damaged.
    """
    if BLEU_SENTENCES not in run.files:
        raise RunError(
            f"The run {run.name!r} has no sentence-level BLEU. Run `python -m nlpviz survey {run.name}` to measure it."
        )
    names = [f"{what}.{order + 1}" for what in ("correct", "total") for order in range(ORDERS)]
    table = run.table(BLEU_SENTENCES, ["length", "reference", *names])
    columns = {name: table[name].combine_chunks().to_numpy() for name in table.column_names}
    correct, total = (np.stack([columns[name] for name in some], axis=1) for some in (names[:ORDERS], names[ORDERS:]))
    return BleuStatistics(correct, total, columns["length"], columns["reference"])


def _table(names: Iterable[str], rows: Iterable[Iterable[int | float]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([round(value, 6) if isinstance(value, float) else value for value in row] for row in rows)
    return text.getvalue()
