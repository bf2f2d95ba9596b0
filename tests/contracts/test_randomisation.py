"""The randomisation check, on every classifier that is found."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
import torch

from nlpviz.analysis.attribution import explain, methods_for
from nlpviz.analysis.attribution.randomisation import SEED, Stage, randomisation, randomised, scores_at
from nlpviz.networks.architectures import architectures
from nlpviz.runs import TrainedModel
from nlpviz.stats.rank_correlation import rank_correlation
from tests import toy
from tests.promises import Promises

TEXT = toy.read("test").texts[0]
promise = Promises()


@pytest.mark.usefixtures("few_samples")
def test_a_cascade_keeps_its_promises(trained: TrainedModel, subtests: pytest.Subtests) -> None:
    promise.ask(subtests, trained=trained, stages=randomised(trained))


def new(before: torch.nn.Module, after: torch.nn.Module) -> set[str]:
    """Return the parameters of ``after`` that are not those of ``before``."""
    old = dict(before.named_parameters())
    return {name for name, weight in after.named_parameters() if weight is not old[name]}


@promise
def layers_go_from_the_output_to_the_word_vectors(stages: tuple[Stage, ...]) -> None:
    names = [stage.layer for stage in stages]
    assert (names[0], names[-1]) == ("output layer", "word vectors")
    assert len(set(names)) == len(names) >= 2


@promise
def each_stage_draws_one_more_layer_and_the_last_has_nothing_left(
    trained: TrainedModel, stages: tuple[Stage, ...]
) -> None:
    drawn: set[str] = set()
    before = trained.module
    for stage in stages:
        here = new(before, stage.trained.module)
        assert here, stage.layer
        assert not here & drawn, "what is drawn stays"
        drawn |= here
        before = stage.trained.module
    assert {name.split(".")[0] for name in new(trained.module, stages[0].trained.module)} == {"output"}
    assert drawn == {name for name, _ in trained.module.named_parameters()}


@promise
def what_is_drawn_is_how_the_architecture_begins(trained: TrainedModel, stages: tuple[Stage, ...]) -> None:
    """Not how the run began, whose word vectors may be another run's."""
    architecture = architectures()[trained.run.architecture]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        expected = architecture.build(architecture.config(**trained.run.config)).state_dict()
    last = stages[-1].trained.module.state_dict()
    assert last.keys() == expected.keys()
    assert all(torch.equal(last[name], expected[name]) for name in last)


@promise
def the_model_that_is_shared_stays_as_it_is(trained: TrainedModel) -> None:
    module = trained.module
    before = {name: weight.clone() for name, weight in module.state_dict().items()}
    parts, state = dict(module.named_modules()), torch.random.get_rng_state()
    scores = explain(trained, TEXT, "saliency").scores
    for stage in randomised(trained):
        scores_at(stage, explain(trained, TEXT, "saliency"))
        assert not any(weight.requires_grad for weight in stage.trained.module.parameters())
        assert not any(part.training for part in stage.trained.module.modules())
    after = dict(module.named_modules())
    assert parts.keys() == after.keys()
    assert all(after[name] is part for name, part in parts.items())
    assert all(torch.equal(weight, before[name]) for name, weight in module.state_dict().items())
    assert torch.equal(torch.random.get_rng_state(), state)
    np.testing.assert_array_equal(explain(trained, TEXT, "saliency").scores, scores)


@promise
def the_draw_is_the_same_for_all_visitors(trained: TrainedModel, stages: tuple[Stage, ...]) -> None:
    with ThreadPoolExecutor(4) as pool:
        for other in pool.map(lambda _: randomised(trained), range(4)):
            mine, theirs = (one[-1].trained.module.state_dict() for one in (stages, other))
            assert all(torch.equal(mine[name], theirs[name]) for name in mine)


@promise
def correlations_are_those_of_the_explanations(trained: TrainedModel, stages: tuple[Stage, ...]) -> None:
    few = product(["", "splendid", "zzz qqq"], ["gradient-input", "saliency"])
    for text, method in (*product([TEXT], methods_for(trained.run)), *few):
        explained = explain(trained, text, method, 1)
        others = [scores_at(stage, explained) for stage in stages]
        again = explain(stages[-1].trained, text, method, 1)
        np.testing.assert_array_equal(others[-1], again.scores)
        result = randomisation(explained, [stage.layer for stage in stages], others)
        assert (result.run, result.epoch, result.method) == (trained.run.name, trained.epoch, method)
        assert (result.signed, result.target, result.seed) == (explained.signed, "positive", SEED)
        assert (result.tokens, result.words) == (len(text.split()), len(set(explained.encoded.ids.tolist())))
        for mine, own, unsigned in zip(others, result.scores, result.magnitudes, strict=True):
            for said, pair in ((own, (explained.scores, mine)), (unsigned, (abs(explained.scores), abs(mine)))):
                expected = rank_correlation(*pair)
                assert np.isnan(said) if expected is None else said == pytest.approx(expected)


@promise
def the_planted_word_is_found_no_more(trained: TrainedModel, stages: tuple[Stage, ...]) -> None:
    """What was learnt is gone with the parameters; only chance finds it among about nine words."""

    def found(model: TrainedModel) -> int:
        hits = 0
        for text in toy.read("test").texts[:20]:
            result = explain(model, text, "gradient-input")
            hits += result.encoded.read[result.strongest(1)[0]].word in toy.PLANTED
        return hits

    assert found(trained) >= 15
    assert found(stages[-1].trained) <= 10
