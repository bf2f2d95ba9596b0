"""What moved each prediction of a part: the scores of its tokens, or its regions, as lists in columns.

A method differentiates one text at a time. Words and n-grams are parts of the text: they are left out with it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from nlpviz.analysis.bulk.questions import LoadedQuestion
from nlpviz.results.explanation import Explanation
from nlpviz.results.regions import PredictiveRegions

_WHOLE, _NUMBERS, _WORDS = pa.list_(pa.int32()), pa.list_(pa.float32()), pa.list_(pa.string())
_SAID = (
    *(("predicted", pa.string()), ("probability", pa.float32())),
    *(("target", pa.string()), ("class_score", pa.float64())),
)
_EXPLAINED = (*_SAID, ("residual", pa.float64()), ("starts", _WHOLE), ("ends", _WHOLE), ("scores", _NUMBERS))
_FOUND = (
    *(*_SAID, ("bias", pa.float64()), ("residual", pa.float64())),
    *(("sizes", _WHOLE), ("starts", _WHOLE), ("ends", _WHOLE), ("contributions", _NUMBERS), ("norms", _NUMBERS)),
)


def explanations(asked: LoadedQuestion, texts: Sequence[str]) -> pa.Table:
    """Return the score of each token that was read, with its span in the text.

    Raises:
        RunError: if the method cannot explain the network.
    """
    from nlpviz.analysis.attribution import explain

    question, rows = asked.question, []
    for text in texts:
        result = explain(asked.trained, text, question.method, question.target)
        tokens = result.encoded.read
        lists = {
            "starts": np.array([token.start for token in tokens], np.int32),
            "ends": np.array([token.end for token in tokens], np.int32),
            "scores": result.scores,
        }
        words = {"words": [token.word for token in tokens]} if question.keep_texts else {}
        rows.append(_said(result) | {"residual": result.residual} | lists | words)
    return pa.Table.from_pylist(rows, _schema(asked, _EXPLAINED, "words"))


def regions(asked: LoadedQuestion, texts: Sequence[str]) -> pa.Table:
    """Return the strongest regions of each size with their spans, and what each adds to the class score.

    Raises:
        RunError: if the network pools over no regions.
    """
    from nlpviz.analysis.inspection.regions import predictive_regions

    question, rows = asked.question, []
    for text in texts:
        result = predictive_regions(asked.trained, text, question.target)
        sizes = [branch.size for branch in result.branches]
        kept = [region for size in sizes for region in result.ranked(question.rank, size)[: question.count]]
        lists = {
            "sizes": [region.size for region in kept],
            "starts": [region.span[0] for region in kept],
            "ends": [region.span[1] for region in kept],
            "contributions": [region.contribution for region in kept],
            "norms": [region.norm for region in kept],
        }
        words = {"ngrams": [region.ngram for region in kept]} if question.keep_texts else {}
        rows.append(_said(result) | {"bias": result.bias, "residual": result.residual} | lists | words)
    return pa.Table.from_pylist(rows, _schema(asked, _FOUND, "ngrams"))


def _said(result: Explanation | PredictiveRegions) -> dict[str, object]:
    return {
        "predicted": result.class_names[result.predicted],
        "probability": float(result.probabilities[result.predicted]),
        "target": result.class_names[result.target],
        "class_score": result.class_score,
    }


def _schema(asked: LoadedQuestion, columns: Sequence[tuple[str, pa.DataType]], words: str) -> pa.Schema:
    return pa.schema([*columns, *([(words, _WORDS)] if asked.question.keep_texts else [])])
