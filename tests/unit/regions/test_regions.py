"""The regions of a text against a convolution written out window by window; and that they add up."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

from nlpviz.analysis.inspection.regions import predictive_regions
from nlpviz.networks.architectures.cnn import CNN, CNNConfig
from nlpviz.results.regions import PredictiveRegions, apart
from nlpviz.runs import Run, RunError, TrainedModel, open_run
from nlpviz.text.vocabulary import PAD, Vocabulary

WORDS = ["not", "bad", "quite", "good", ",", "the", "film", "is", "a", "mess"]
TEXTS = ["the film is not bad , quite good", "a mess", "good", "the zzz film zzz zzz is zzz good", ", , , ,"]
CONFIGS = [{}, {"pooled": 2}, {"pooled": 3, "classes": 3}, {"region_sizes": (3,)}, {"region_sizes": (1, 5)}]


def trained(run: Run, **changes: object) -> TrainedModel:
    """Return a small random network in the place of the run's; its weights are drawn wide, so that errors are seen."""
    torch.manual_seed(3)
    words = Vocabulary(WORDS, range(len(WORDS), 0, -1))
    config: dict[str, object] = {
        "vocabulary_size": len(words),
        "dimensions": 6,
        "region_sizes": (1, 2, 3),
        "filters": 7,
    }
    network = CNN(CNNConfig(**config | changes)).eval().requires_grad_(False)
    for parameter in network.parameters():
        nn.init.normal_(parameter)
    network.embedding.weight[PAD] = 0
    names = ("negative", "neutral", "positive") if network.config.classes == 3 else run.class_names
    return TrainedModel(replace(run, class_names=names), 1, network, words)


@pytest.fixture
def run(trained: object) -> Run:  # noqa: ARG001 - the fixture of conftest.py: the toy runs
    """The toy run, for its name and its limits."""
    return open_run("toy-cnn")


def by_hand(
    model: TrainedModel, text: str, target: int
) -> tuple[dict[tuple[int, int], float], dict[tuple[int, int], float]]:
    """Return each region's contribution and norm, by size and place, one filter and one window at a time."""
    network, ids = model.module, model.vocabulary.encode(text, model.run.max_length).ids
    assert isinstance(network, CNN)
    words = network.embedding.weight[torch.from_numpy(ids)]
    weights = network.output.weight
    if len(weights) == 1:
        weights = torch.cat([-weights, weights])
    contributions: dict[tuple[int, int], float] = {}
    squares: dict[tuple[int, int], float] = {}
    entry = 0
    for convolution, size in zip(network.convolutions, network.config.region_sizes, strict=True):
        room = torch.cat([words, torch.zeros(max(size - len(words), 0), words.shape[1])])
        for weight, bias in zip(convolution.weight, convolution.bias, strict=True):
            answers = []
            for start in range(len(room) - size + 1):
                answer = max(
                    float(sum(weight[:, position] @ room[start + position] for position in range(size)) + bias), 0.0
                )
                answers.append((answer, start))
                squares[size, start] = squares.get((size, start), 0.0) + answer**2
                contributions.setdefault((size, start), 0.0)
            for answer, start in sorted(answers, key=lambda item: -item[0])[: network.pooled]:
                contributions[size, start] += answer * float(weights[target, entry])
                entry += 1
            entry += network.pooled - min(network.pooled, len(answers))
    return contributions, {position: square**0.5 for position, square in squares.items()}


@pytest.mark.parametrize("changes", CONFIGS, ids=str)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("target", [0, 1])
def test_contributions_and_norms_by_hand(run: Run, changes: dict[str, object], text: str, target: int) -> None:
    model = trained(run, **changes)
    result = predictive_regions(model, text, target)
    contributions, norms = by_hand(model, text, target)
    if len(set(text.split())) == len(text.split()):  # equal windows tie: which of them wins means nothing
        assert {(region.size, region.start): region.contribution for region in result.regions} == pytest.approx(
            contributions, abs=1e-4
        )
    assert {(region.size, region.start): region.norm for region in result.regions} == pytest.approx(norms, abs=1e-4)
    assert sum(contributions.values()) + result.bias == pytest.approx(result.class_score, abs=1e-4)
    assert result.residual == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("changes", CONFIGS, ids=str)
@pytest.mark.parametrize("text", [*TEXTS, "", " \n", "zzz"])
def test_regions_and_bias_are_the_class_score(run: Run, changes: dict[str, object], text: str) -> None:
    model = trained(run, **changes)
    ids = torch.from_numpy(model.vocabulary.encode(text, 20).ids).unsqueeze(0)
    logits = model.module(ids)[0]
    scores = torch.cat([-logits, logits]) if len(logits) == 1 else logits
    for target in range(len(model.run.class_names)):
        result = predictive_regions(model, text, target)
        total = result.bias + sum(region.contribution for region in result.regions)
        assert total == pytest.approx(float(scores[target]), abs=1e-4)
        assert result.class_score == pytest.approx(float(scores[target]), abs=1e-5)
    assert predictive_regions(model, text).target == int(scores.argmax())


def test_filters_of_the_regions_are_all_filters_once(run: Run) -> None:
    model = trained(run)
    result = predictive_regions(model, TEXTS[0], 1)
    entries = []
    for region in result.regions:
        won = result.filters_of(region)
        assert len(won) == region.won
        assert sum(amount for _, _, amount in won) == pytest.approx(region.contribution, abs=1e-5)
        assert [abs(amount) for _, _, amount in won] == sorted((abs(amount) for _, _, amount in won), reverse=True)
        entries += [entry for entry, _, _ in won]
    assert len(entries) == len(set(entries))
    document = model.module.encode(model.module.embed(torch.from_numpy(result.encoded.ids)[None]), torch.ones(1, 8) > 0)
    assert sorted(entries) == torch.nonzero(document[0] > 0).flatten().tolist()


def test_ranks(run: Run) -> None:
    result = predictive_regions(trained(run), TEXTS[0], 1)
    by_norm = result.ranked("norm", 2)
    assert {region.size for region in by_norm} == {2}
    assert len(by_norm) == 7
    assert all(first.norm >= second.norm for first, second in pairwise(by_norm))
    by_contribution = result.ranked("contribution")
    assert all(abs(first.contribution) >= abs(second.contribution) for first, second in pairwise(by_contribution))
    assert {region.id for region in by_contribution} == {region.id for region in result.regions if region.won}


def test_regions_know_their_words_and_where_they_stand(run: Run) -> None:
    text = "The  film, is NOT bad"
    result = predictive_regions(trained(run), text, 1)
    spans = {region.ngram: text[region.span[0] : region.span[1]] for region in result.regions}
    assert spans["the film ,"] == "The  film,"
    assert spans["not bad"] == "NOT bad"
    short = predictive_regions(trained(run), "bad!", 1)
    assert [region.ngram for region in short.regions] == ["bad", "!", "bad !", "bad !"]


def test_boxes_never_overlap(run: Run) -> None:
    ranked = predictive_regions(trained(run), TEXTS[3], 1).ranked("contribution")
    boxed = apart(ranked)
    assert ranked[0] in boxed
    assert all(first.start + len(first.words) <= second.start for first, second in pairwise(boxed))
    taken = {position for region in boxed for position in range(region.start, region.start + len(region.words))}
    for region in set(ranked) - set(boxed):
        assert taken & set(range(region.start, region.start + len(region.words))), "it would have had room"


def test_what_has_no_regions_is_refused(run: Run) -> None:
    model = trained(run)
    with pytest.raises(RunError, match="pool over n-grams"):
        predictive_regions(replace(model, module=nn.Linear(1, 1)), "good")
    with pytest.raises(RunError, match=r"no class 7\. Its classes are negative, positive"):
        predictive_regions(model, "good", 7)


def test_results_are_read_only(run: Run) -> None:
    result: PredictiveRegions = predictive_regions(trained(run), TEXTS[0], 1)
    for branch in result.branches:
        for array in (branch.norms, branch.starts, branch.activations, branch.amounts):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
    assert np.isfinite(result.class_score)
