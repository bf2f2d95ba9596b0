"""A text's fifths: shares and correlations by hand, and what the page says of baselines."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from nlpviz.analysis.attribution import explain
from nlpviz.analysis.attribution.baselines import baselines, like
from nlpviz.figures.attribution.position_bins import fifth_bars
from nlpviz.results.agreement import agreement
from nlpviz.results.position_bins import fifths
from nlpviz.runs import open_run
from nlpviz.ui.attribution.baselines import said

TEXT = (
    "This film is a great surprise. It begins slowly, with a dull scene in a bar, but the acting is wonderful and the "
    "ending, which I will not tell, is the best I have seen in years."
)


@pytest.mark.parametrize("method", ["gradient-input", "saliency"])
def test_fifths_are_those_of_the_scores(method: str) -> None:
    own = explain(open_run("imdb-cnn").load(), TEXT, method)
    ratios = like(own, baselines("imdb")[0])
    found = fifths(own, ratios)
    tokens = len(own.scores)
    assert found.starts.tolist() == [at * tokens // 5 for at in range(6)]
    strength = (lambda scores: scores) if own.signed else np.abs
    for at, (low, high) in enumerate(zip(found.starts[:-1], found.starts[1:], strict=True)):
        assert found.share[at] == pytest.approx(np.abs(own.scores[low:high]).sum() / np.abs(own.scores).sum(), rel=1e-5)
        expected = spearmanr(strength(own.scores[low:high]), strength(ratios.scores[low:high])).statistic
        assert found.correlation[at] == pytest.approx(expected)
    assert found.within == pytest.approx(found.correlation.mean())
    view = fifth_bars(found, {method: "Own <i>", "log-count-ratio": "Ratio"})
    assert view.table["Own <i>"] == pytest.approx(found.share)
    assert view.figure.data[0].name == "Own &lt;i&gt;"


def test_short_texts_have_no_fifths_and_no_order_no_correlation() -> None:
    trained = open_run("imdb-cnn").load()
    own = explain(trained, "a dull film", "saliency")
    later = like(own, baselines("imdb")[1])
    assert fifths(own, later) is None
    same = explain(trained, "zzqx " * 25, "saliency")
    found = fifths(like(same, baselines("imdb")[0]), like(same, baselines("imdb")[1]))
    assert found.share.tolist() == [0.2] * 5
    assert found.within is None
    with pytest.raises(ValueError, match="the same tokens"):
        fifths(own, same)


def test_correlations_are_said_beside_chance() -> None:
    own = explain(open_run("imdb-cnn").load(), TEXT, "gradient-input")
    titles = {"gradient-input": "Own", "log-count-ratio": "Ratio", "later": "Later", "earlier": "Earlier"}
    agreed = agreement([own, *(like(own, baseline) for baseline in baselines("imdb"))])
    words = said(agreed, titles)
    assert f"Ratio **+{agreed.correlation[0, 1]:.2f}**" in words
    assert abs(agreed.correlation[0, 1]) > agreed.unrelated > abs(agreed.correlation[0, 2])
    assert words.endswith(f"Ratio exceeds chance: 95% of unrelated rankings stay within ±{agreed.unrelated:.2f}.")
    assert "Earlier" not in words
    flat = explain(open_run("imdb-cnn").load(), "zzqx zzqx zzqx zzqx zzqx", "saliency")
    level = agreement([flat, *(like(flat, baseline) for baseline in baselines("imdb"))])
    assert "saliency" not in said(level, titles | {"saliency": "Saliency"})
