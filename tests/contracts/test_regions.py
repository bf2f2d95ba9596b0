"""What every network that pools over regions promises: they add up, and the planted words are found."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import torch

from nlpviz.analysis.inspection.filters import summaries
from nlpviz.analysis.inspection.regions import predictive_regions
from nlpviz.analysis.inspection.split import read_split
from nlpviz.networks.architectures import RegionEncoder, class_scores
from nlpviz.runs import TrainedModel
from tests import toy
from tests.promises import Promises

TEXTS = toy.read("test").texts[:30]


promise = Promises()


@pytest.mark.architectures(meet=RegionEncoder)
def test_regions_keep_their_promises(trained: TrainedModel, subtests: pytest.Subtests) -> None:
    promise.ask(subtests, trained=trained)


@promise
def contributions_and_bias_are_the_class_score(trained: TrainedModel) -> None:
    for target, text in product((0, 1), TEXTS[:10]):
        result = predictive_regions(trained, text, target)
        ids = torch.from_numpy(result.encoded.ids).unsqueeze(0)
        with torch.no_grad():
            score = class_scores(trained.module(ids))[0, target].item()
        assert result.bias + sum(region.contribution for region in result.regions) == pytest.approx(score, abs=1e-4)


@promise
def the_planted_word_is_in_the_strongest_region(trained: TrainedModel) -> None:
    right = 0
    for text in TEXTS:
        planted = next(word for word in toy.PLANTED if word in text.split())
        right += planted in predictive_regions(trained, text).ranked("contribution")[0].words
    assert right >= 0.9 * len(TEXTS)


@promise
def a_split_is_its_texts(trained: TrainedModel) -> None:
    ids = [trained.vocabulary.ids(text.split())[: trained.run.max_length] for text in TEXTS]
    taken = read_split(trained, ids)
    for position in (0, 7, 29):
        result = predictive_regions(trained, TEXTS[position], 1)
        amounts = np.concatenate([branch.activations[position] * branch.weights[1] for branch in taken])
        expected = np.concatenate([branch.amounts for branch in result.branches])
        np.testing.assert_allclose(amounts, expected, atol=1e-5)


@promise
def filters_are_as_many_as_the_embedding_holds(trained: TrainedModel) -> None:
    ids = [trained.vocabulary.ids(text.split())[: trained.run.max_length] for text in TEXTS]
    module = trained.module
    assert isinstance(module, RegionEncoder)
    result = summaries(trained, read_split(trained, ids))
    assert len(result) * module.pooled == module.output.in_features
    for weights, size in zip(module.filter_weights(), module.region_sizes, strict=True):
        assert weights.shape[2] == size
        assert sum(one.size == size for one in result) == len(weights)
