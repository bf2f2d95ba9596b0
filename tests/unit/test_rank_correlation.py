"""Ranks and their correlations are those of scipy, which takes a second to import."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, rankdata

from nlpviz.stats.rank_correlation import concordance, ranks_of

PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=30)


@given(PAIRS)
def test_concordance_is_kendalls_tau(pairs: list[tuple[int, int]]) -> None:
    first, second = np.array(pairs, dtype=np.float32).reshape(-1, 2).T
    found = concordance(first, second)
    if len(set(first)) < 2 or len(set(second)) < 2:
        assert found is None
    else:
        assert found == pytest.approx(kendalltau(first, second).statistic, abs=1e-6)


@given(st.lists(st.integers(0, 5)))
def test_equal_numbers_share_their_mean_rank(values: list[int]) -> None:
    assert ranks_of(np.array(values, dtype=float)).tolist() == rankdata(values).tolist()
