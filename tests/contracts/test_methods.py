"""What every attribution method promises, on every classifier that is found; two of them against Captum."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from functools import cached_property

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn.modules import module as torch_module

from nlpviz.analysis.attribution import Method, explain, methods, methods_for
from nlpviz.analysis.attribution.class_score import class_score
from nlpviz.analysis.attribution.integrated_gradients import MOST, STEPS, TOLERANCE, integrate
from nlpviz.analysis.inspection.attention import attend
from nlpviz.networks.architectures import (
    Architecture,
    Jumping,
    ScaledClassifier,
    architectures,
    class_scores,
    untrained_instance,
)
from nlpviz.results.explanation import Explanation
from nlpviz.runs import Run, RunError, TrainedModel
from nlpviz.text.vocabulary import Seen
from tests import toy
from tests.promises import Promises

TEXTS = toy.read("test").texts[:20]
FEW = TEXTS[:6]
"""Enough for what holds of each text, three of each label; what is counted is counted over all."""
THREE = FEW[:3]


pytestmark = pytest.mark.usefixtures("few_samples")


@pytest.fixture
def cnn(toy_runs: Callable[[Architecture], Run]) -> TrainedModel:
    """The convolutional network: it does not saturate, so that a slope says what matters (a full gate has none)."""
    return toy_runs(architectures()["cnn"]).load()


@pytest.fixture
def sensitive(toy_runs: Callable[[Architecture], Run], method: Method, cnn: TrainedModel) -> TrainedModel:
    """The convolutional network, or the first one that has what the method needs."""
    if method.applies(cnn.module):
        return cnn
    fifty = {"vocabulary_size": 50}
    able = next(one for one in toy.classifiers().values() if method.applies(untrained_instance(one.name, fifty)))
    return toy_runs(able).load()


class Pair:
    """A network and a method, and their explanations: each computed once for all promises that compare with it."""

    def __init__(self, trained: TrainedModel, method: Method) -> None:
        self.trained, self.method = trained, method
        self.weights = {name: tensor.clone() for name, tensor in trained.module.state_dict().items()}
        self.drawn = torch.random.get_rng_state()

    @cached_property
    def known(self) -> list[Explanation]:
        """Of a few texts, of the predicted classes."""
        return [self.explain(text) for text in FEW]

    def explain(self, text: str, target: int | None = None, module: nn.Module | None = None) -> Explanation:
        """Return the explanation of a text, perhaps of another network."""
        trained = self.trained if module is None else replace(self.trained, module=module)
        return explain(trained, text, self.method.name, target)


def source(explanation: Explanation) -> np.ndarray:
    """Return what the scores come from: their matrix, or they themselves."""
    return explanation.scores if explanation.matrix is None else explanation.matrix


def same(first: Explanation, second: Explanation) -> bool:
    """Whether two explanations say the same, to the last bit."""
    return np.array_equal(first.scores, second.scores) and np.array_equal(first.matrix, second.matrix)


def scorer(trained: TrainedModel, text: str, target: int) -> tuple[Callable[[Tensor], Tensor], Tensor]:
    """Return what maps embedded words (B, T, D) to the score of ``target``, and those of ``text``."""
    ids = torch.from_numpy(trained.encode(text).row).unsqueeze(0)

    def score(embedded: Tensor) -> Tensor:
        mask = trained.module.mask(ids).expand(len(embedded), -1)
        return class_scores(trained.module.classify(embedded, mask))[:, target]

    return score, trained.module.embed(ids).detach()


# ------------------------------------------------------------------------------- a method, on a network that it suits

of_a_method = Promises()


def test_a_method_finds_what_was_planted(sensitive: TrainedModel, method: Method, subtests: pytest.Subtests) -> None:
    of_a_method.ask(subtests, pair=Pair(sensitive, method))


@of_a_method
def says_what_it_is(pair: Pair) -> None:
    method = pair.method
    assert method.name == method.name.lower().replace(" ", "-")
    assert method.title
    assert method.formula
    assert any(sign.isdigit() for sign in method.source), "author and year"
    assert method.reading.endswith(".")


@of_a_method
def finds_the_planted_word(pair: Pair) -> None:
    hits = 0
    for result in (*pair.known, *map(pair.explain, TEXTS[len(FEW) :])):
        (strongest,) = result.strongest(1)
        hits += result.encoded.read[strongest].word in toy.PLANTED
    assert hits >= 0.9 * len(TEXTS)


@of_a_method
def says_for_and_against_where_it_is_signed(pair: Pair) -> None:
    for target, planted in enumerate(toy.PLANTED):
        for text in FEW:
            result = pair.explain(text, target)
            scores = {token.word: score for token, score in zip(result.encoded.read, result.scores, strict=True)}
            other = toy.PLANTED[1 - target]
            if not pair.method.signed:
                assert (result.scores >= 0).all()
            elif planted in scores:
                assert scores[planted] > 0
            else:
                assert scores[other] < 0


@pytest.mark.parametrize("name", ["integrated-gradients", "lime", "attention"])
def test_eight_threads_give_the_answers_of_one(name: str, toy_runs: Callable[[Architecture], Run]) -> None:
    """By gradients, by reading other texts, and by what the network says of itself."""
    method = methods()[name]
    first = next(one for one in toy.classifiers().values() if method.applies(toy_runs(one).load().module))
    eight_threads_give_the_answers_of_one(Pair(toy_runs(first).load(), method))


def eight_threads_give_the_answers_of_one(pair: Pair) -> None:
    """One model, shared by all visitors: a streamlit server runs a thread for each."""
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(pair.explain, [*FEW] * 4))
    assert all(same(pair.known[position % len(FEW)], result) for position, result in enumerate(together))


# ------------------------------------------------------------------------------------- a method on each of the networks

of_a_pair = Promises()


def test_a_method_keeps_its_promises_on_a_network(
    trained: TrainedModel, method: Method, thorough: bool, subtests: pytest.Subtests
) -> None:
    pair = Pair(trained, method)
    of_a_pair.ask(subtests, pair=pair)
    if thorough:
        with subtests.test("eight threads give the answers of one"):
            eight_threads_give_the_answers_of_one(pair)
    with subtests.test("leaves all as it was"):
        leaves_all_as_it_was(pair)


@of_a_pair
def says_what_it_explains(pair: Pair) -> None:
    trained, method = pair.trained, pair.method
    for text, result in zip(FEW, pair.known, strict=True):
        score, embedded = scorer(trained, text, 1)
        answer = float(score(embedded))  # the log-odds of the positive class
        assert (result.run, result.epoch, result.method) == (trained.run.name, trained.epoch, method.name)
        assert result.signed is method.signed
        assert result.class_names == toy.CLASSES
        assert result.target == result.predicted == int(answer > 0)
        assert result.class_score == pytest.approx(abs(answer), rel=1e-4)
        assert result.probabilities.tolist() == pytest.approx(
            [1 / (1 + np.exp(x)) for x in (answer, -answer)], abs=1e-5
        )
        assert len(result.scores) == len(source(result)) == len(result.encoded.ids)
        assert result.scores.dtype == np.float32


@of_a_pair
def gives_the_same_answer_again(pair: Pair) -> None:
    """Also where the class is named that it would take, and whatever the caller's gradient mode."""
    for text, first in zip(THREE, pair.known, strict=False):
        assert same(pair.explain(text, first.target), first), "asked again"
    with torch.no_grad():
        assert same(pair.explain(FEW[0]), pair.known[0]), "without gradients"


@of_a_pair
def explains_the_class_it_names(pair: Pair) -> None:
    """The log-odds of two classes are each other's negative: a signed score flips, an unsigned one stays."""
    logits = pair.trained.module(torch.tensor([[2, 3]]))
    assert logits.shape == (1, 1), "one sigmoid neuron for two classes"
    for text, predicted in zip(THREE, pair.known, strict=False):
        other = pair.explain(text, 1 - predicted.target)
        assert other.target == 1 - predicted.target
        assert predicted.class_score == pytest.approx(-other.class_score)
        assert np.abs(predicted.scores).max() > 0
        expected = -other.scores if pair.method.signed else other.scores
        np.testing.assert_allclose(predicted.scores, expected, rtol=1e-4, atol=1e-7)
        np.testing.assert_array_equal(predicted.probabilities, other.probabilities)


@of_a_pair
def changes_when_the_weights_are_shuffled(pair: Pair) -> None:
    """Adebayo et al. 2018, Sanity Checks for Saliency Maps: an answer that does not change is none of the model's."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        untrained, shuffled = pair.trained.run.load(0).module, deepcopy(pair.trained.module)
        for weight in shuffled.parameters():
            weight.data = weight.data.flatten()[torch.randperm(weight.numel())].reshape(weight.shape)
    for text, before in zip(THREE, pair.known, strict=False):
        after = pair.explain(text, module=shuffled)
        assert np.linalg.norm(source(before) - source(after)) > 0.1 * np.linalg.norm(source(before))
        assert not same(pair.explain(text, module=untrained), before), "before training it says something else"


@of_a_pair
def answers_any_text(pair: Pair) -> None:
    size = pair.trained.module.embed(torch.tensor([[2]])).shape[2]
    for text, tokens in {"": 0, "  \n": 0, "splendid": 1, "zzz": 1, "zzz qqq ?": 3, "a " * 99: 20}.items():
        result = pair.explain(text)
        assert result.scores.shape == (tokens,), repr(text)
        assert result.matrix is None or result.matrix.shape == (tokens, size), repr(text)
        assert np.isfinite(result.scores).all(), repr(text)
        assert np.isfinite(result.probabilities).all(), repr(text)
        assert result.strongest(3) == sorted(result.strongest(3), key=lambda position: -abs(result.scores[position]))
        if tokens == 20:
            assert result.encoded.seen.count(Seen.CUT) == 79
        if tokens == 3:
            assert set(result.encoded.seen) == {Seen.UNKNOWN}


def leaves_all_as_it_was(pair: Pair) -> None:
    """Weights, gradients and hooks, after all that was asked; and what torch draws next."""
    module = pair.trained.module
    assert all(torch.equal(tensor, pair.weights[name]) for name, tensor in module.state_dict().items()), "weights"
    assert all(weight.grad is None and not weight.requires_grad for weight in module.parameters()), "gradients"
    assert not any(part.training for part in module.modules()), "evaluation mode"
    hooks = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    assert not any(getattr(part, name) for part in module.modules() for name in hooks), "hooks"
    assert not any(getattr(torch_module, f"_global{name}") for name in hooks), "global hooks"
    assert torch.is_grad_enabled(), "gradient mode"
    assert torch.equal(torch.random.get_rng_state(), pair.drawn), "torch's own generator"


# ------------------------------------------------------------------------------------------------- one of the networks

of_a_network = Promises()


def test_a_network_is_explained_as_others_would(trained: TrainedModel, subtests: pytest.Subtests) -> None:
    of_a_network.ask(subtests, trained=trained)


@of_a_network
def what_a_network_lacks_is_said(trained: TrainedModel) -> None:
    for method in methods().values():
        able = method.applies(trained.module)
        assert (method.name in methods_for(trained.run)) is able
        if not able:
            with pytest.raises(RunError, match=rf"^{method.title} needs {method.needs}, so it cannot explain .*\.$"):
                explain(trained, TEXTS[0], method.name)


def test_attention_is_what_the_network_pools_by(toy_runs: Callable[[Architecture], Run]) -> None:
    for architecture in toy.classifiers().values():
        run = toy_runs(architecture)
        if "attention" in methods_for(run):
            trained = run.load()
            for target in (0, 1):
                result = explain(trained, TEXTS[0], "attention", target)
                assert result.matrix is None
                assert result.scores.sum() == pytest.approx(1, abs=1e-5)
                np.testing.assert_allclose(result.scores, attend(trained, TEXTS[0]).words, atol=1e-6)


@of_a_network
def wrong_names_are_refused_with_the_right_ones(trained: TrainedModel) -> None:
    with pytest.raises(RunError, match=r"no method 'magic'; available: .*gradient-input, .*saliency, .*\.$"):
        explain(trained, "a", "magic")
    for target in (-1, 2):
        with pytest.raises(RunError, match=rf"has no class {target}. Its classes are negative, positive\.$"):
            explain(trained, "a", "saliency", target)
    with pytest.raises(RunError, match="is not a classifier, so Saliency, L2 norm cannot"):
        explain(replace(trained, module=nn.Linear(1, 1)), "a", "saliency")


# --------------------------------------------------------------------------------------- against other computations


@of_a_network
def gradient_is_the_difference_quotient(trained: TrainedModel) -> None:
    """In double precision, along a random direction at every word; at a tie of equal words there is no derivative."""
    double = replace(trained, module=deepcopy(trained.module).double())
    torch.manual_seed(0)
    texts = [text for text in TEXTS if len(set(text.split())) == len(text.split())]
    assert len(texts) >= 8
    for number, text in enumerate(texts[:8]):
        target = number % 2
        score, embedded = scorer(double, text, target)
        direction = torch.randn_like(embedded)
        step = 1e-6
        with torch.no_grad():
            quotient = (score(embedded + step * direction) - score(embedded - step * direction)) / (2 * step)
        matrix = torch.from_numpy(explain(double, text, "saliency", target).matrix.copy()).double()
        assert (matrix * direction[0]).sum().item() == pytest.approx(quotient.item(), rel=1e-4)


@of_a_network
def captum_agrees(trained: TrainedModel) -> None:
    """Of either class in turn: that one's scores are the other's negative is tried above."""
    from captum.attr import InputXGradient, IntegratedGradients, Saliency

    for number, text in enumerate([*FEW[:2], "splendid", "zzz"]):
        target = number % 2
        score, embedded = scorer(trained, text, target)
        embedded = embedded.requires_grad_()
        gradient = Saliency(score).attribute(embedded, abs=False)[0]
        products = InputXGradient(score).attribute(embedded)[0].detach()
        own = class_score(trained.module, torch.from_numpy(trained.encode(text).row), target)
        words, captum = embedded.detach(), IntegratedGradients(score)
        integrated = sum(
            captum.attribute(words * part.end, baselines=words * part.start, n_steps=STEPS)[0].float()
            for part in integrate(own, own.embedded)
        )
        expected = {
            "saliency": (gradient, gradient.norm(dim=1)),
            "saliency-l1": (gradient, gradient.abs().sum(dim=1)),
            "saliency-max": (gradient, gradient.abs().amax(dim=1)),
            "gradient-input": (products, products.sum(dim=1)),
            "integrated-gradients": (integrated, integrated.sum(dim=1)),
        }
        for method, (matrix, scores) in expected.items():
            ours = explain(trained, text, method, target)
            np.testing.assert_allclose(ours.matrix, matrix.numpy(), rtol=1e-4, atol=1e-6)
            np.testing.assert_allclose(ours.scores, scores.numpy(), rtol=1e-4, atol=1e-5)


class OnlyClassifier(nn.Module):
    """A classifier without what it may show beyond ``embed`` and ``classify``."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner
        if isinstance(inner, Jumping):
            self.jumps = inner.jumps

    def embed(self, ids: Tensor) -> Tensor:
        return self.inner.embed(ids)

    def mask(self, ids: Tensor) -> Tensor:
        return self.inner.mask(ids)

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:
        return self.inner.classify(embedded, mask)


@of_a_network
def scaled_copies_give_what_one_convolution_gives(trained: TrainedModel) -> None:
    """Integrated gradients asks for the protocol where there is one, and classifies scaled copies where not."""
    copies = replace(trained, module=OnlyClassifier(trained.module))
    assert not isinstance(copies.module, ScaledClassifier)
    for number, text in enumerate([FEW[0], "splendid", "zzz", ""]):
        ours, theirs = (explain(model, text, "integrated-gradients", number % 2) for model in (trained, copies))
        np.testing.assert_allclose(ours.matrix, theirs.matrix, rtol=1e-4, atol=1e-6)
        assert ours.residual == pytest.approx(theirs.residual, abs=1e-5)


@of_a_network
def a_text_is_classified_once(trained: TrainedModel) -> None:
    """The gradient is taken through the answer that was given; what a method asks beyond it is its own."""
    calls = []

    class Counting(OnlyClassifier):
        def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:
            calls.append(len(embedded))
            return super().classify(embedded, mask)

    counting = replace(trained, module=Counting(trained.module))
    for method, expected in {
        "saliency": [1],
        "gradient-input": [1, 1],
        "integrated-gradients": [1, 1, *[10] * 5],
    }.items():
        calls.clear()
        steps = explain(counting, TEXTS[0], method).steps or STEPS
        halved = [1, *[10] * 10] * (steps // STEPS - 1)
        assert calls == [*expected, *halved]


@of_a_network
def integrated_gradients_are_complete(trained: TrainedModel) -> None:
    """Sundararajan et al. 2017, proposition 1: the steps leave next to nothing out; of a network that jumps, jumps."""
    jumping = isinstance(trained.module, Jumping)
    for text in [*THREE, "splendid"]:
        result = explain(trained, text, "integrated-gradients", 1)
        score, embedded = scorer(trained, text, 1)
        gained = float(score(embedded) - score(torch.zeros_like(embedded)))
        assert result.scores.sum() + result.residual == pytest.approx(gained, abs=1e-4)
        assert bool(result.jumps) is jumping
        if jumping:
            assert result.steps == STEPS
        else:
            assert abs(result.residual) <= max(TOLERANCE * abs(gained), 0.001)
            assert result.steps in range(STEPS, MOST, STEPS)
    assert explain(trained, "", "integrated-gradients").residual == 0
    assert explain(trained, "splendid", "gradient-input").steps is None


@of_a_network
def norms_of_one_gradient_are_in_order(trained: TrainedModel) -> None:
    for text in FEW:
        least, middle, most = (explain(trained, text, f"saliency{kind}").scores for kind in ("-max", "", "-l1"))
        assert (least <= middle * (1 + 1e-6)).all()
        assert (middle <= most * (1 + 1e-6)).all()
        assert (least < most).any()


@of_a_network
def residual_is_what_the_additions_leave_unexplained(trained: TrainedModel) -> None:
    for text in FEW:
        result = explain(trained, text, "gradient-input", 1)
        score, embedded = scorer(trained, text, 1)
        gained = float(score(embedded) - score(torch.zeros_like(embedded)))
        assert result.scores.sum() + result.residual == pytest.approx(gained, abs=1e-4)
        assert explain(trained, text, "saliency", 1).residual is None


def test_residual_is_nothing_for_a_network_without_biases(cnn: TrainedModel) -> None:
    """Such a network is linear along the line from zero: the products add up to all of its score."""
    for name, weight in cnn.module.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(weight)
    result = explain(cnn, TEXTS[0], "gradient-input")
    assert result.scores.sum() == pytest.approx(result.class_score, rel=1e-4)
    assert result.residual == pytest.approx(0, abs=1e-4)
