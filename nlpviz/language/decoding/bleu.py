"""BLEU of a corpus by sacrebleu, as its signature says, and by the length of the source.

Papineni, Roukos, Ward and Zhu (2002); Post (2018), *A Call for Clarity in Reporting BLEU Scores*. Translations are put
together again and compared with the references as published; sacrebleu's own tokenizer ``13a`` parts both. Figures
published for Multi30k are of lower-cased text, so that case is left out (``case:lc``); with case is stated beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import NamedTuple

from nlpviz.results.bleu import ORDERS, BleuStatistics

LENGTHS = ((1, 8), (9, 11), (12, 14), (15, 18), (19, 200))
"""Tokens of a source, from and to: a twelfth to a third of Multi30k's test sentences each."""

SIGNATURE = f"nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:{version('sacrebleu')}"
"""Sacrebleu's own of what is computed here, a test sees to that; written out, for asking it takes half a second."""


class Bleu(NamedTuple):
    """How much translations have in common with their references.

    Attributes:
        score: 0 to 100, case left out.
        with_case: the same with case.
    """

    score: float
    with_case: float


class LengthBleu(NamedTuple):
    """BLEU of the sentences whose source has ``shortest`` to ``longest`` tokens."""

    shortest: int
    longest: int
    sentences: int
    bleu: float


def corpus_bleu(translations: Sequence[str], references: Sequence[str]) -> Bleu:
    """Return the BLEU of ``translations``, one reference each."""
    from sacrebleu.metrics.bleu import BLEU

    score, with_case = (
        BLEU(lowercase=lowercase).corpus_score(translations, [references]).score for lowercase in (True, False)
    )
    return Bleu(score, with_case)


def bleu_of_several(texts: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return the case-insensitive BLEU of ``texts``, each compared with all its references, of any number.

    Its signature is :data:`SIGNATURE` with ``nrefs:var`` where the texts have not all as many.
    """
    from sacrebleu.metrics.bleu import BLEU

    most = max(map(len, references))
    columns = [[some[place] if place < len(some) else "" for some in references] for place in range(most)]
    return float(BLEU(lowercase=True).corpus_score(texts, columns).score)


def sentence_statistics(translations: Sequence[str], references: Sequence[str]) -> BleuStatistics:
    """Return what BLEU adds up over ``translations``, one reference each, case left out."""
    import numpy as np
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(lowercase=True, effective_order=True)  # of one sentence; the counts do not depend on it
    scores = [
        metric.sentence_score(translation, [reference])
        for translation, reference in zip(translations, references, strict=True)
    ]
    correct, total = ([getattr(one, name) for one in scores] for name in ("counts", "totals"))
    length, reference = ([getattr(one, name) for one in scores] for name in ("sys_len", "ref_len"))
    shape = (len(scores), ORDERS)
    return BleuStatistics(
        np.array(correct, dtype=np.int32).reshape(shape),
        np.array(total, dtype=np.int32).reshape(shape),
        np.array(length, dtype=np.int32),
        np.array(reference, dtype=np.int32),
    )


def bleu_by_length(
    translations: Sequence[str], references: Sequence[str], lengths: Sequence[int]
) -> tuple[LengthBleu, ...]:
    """Return the BLEU of each group of :data:`LENGTHS`, groups without a sentence and longer sources left out."""
    groups = []
    for shortest, longest in LENGTHS:
        positions = [position for position, length in enumerate(lengths) if shortest <= length <= longest]
        if positions:
            result = corpus_bleu(
                [translations[position] for position in positions], [references[position] for position in positions]
            )
            groups.append(LengthBleu(shortest, longest, len(positions), result.score))
    return tuple(groups)
