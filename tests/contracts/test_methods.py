"""What every attribution method promises, on every classifier that is found; two of them against Captum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn.modules import module as torch_module

from nlpviz.attribution import Method, explain, lime, methods, methods_for, shapley, smoothgrad
from nlpviz.attribution.class_score import class_score
from nlpviz.attribution.integrated_gradients import MOST, STEPS, TOLERANCE, integrate
from nlpviz.models import Architecture, Jumping, ScaledClassifier, architectures, class_scores, untrained_instance
from nlpviz.reading.attention import attend
from nlpviz.results.explanation import Explanation
from nlpviz.runs import Run, RunError, TrainedModel
from nlpviz.text.vocabulary import Seen
from tests import toy

TEXTS = toy.read("test").texts[:20]
FEW = TEXTS[:6]
"""Enough for what holds of each text, three of each label; what is counted is counted over all."""


_KNOWN: dict[tuple[str, str], list[Explanation]] = {}


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is sampled, as much as texts of ten words need for the promises to hold."""
    monkeypatch.setattr(lime, "SAMPLES", 200)
    monkeypatch.setattr(shapley, "ORDERS", 8)
    monkeypatch.setattr(smoothgrad, "SAMPLES", 20)


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


def results(
    trained: TrainedModel, method: Method, target: int | None = None, texts: Sequence[str] = FEW
) -> list[Explanation]:
    """Return the explanations of some texts."""
    return [explain(trained, text, method.name, target) for text in texts]


def known(trained: TrainedModel, method: Method) -> list[Explanation]:
    """Return the same explanations, of the predicted classes, computed once for all tests that compare with them."""
    key = (trained.run.name, method.name)
    if key not in _KNOWN:
        _KNOWN[key] = results(trained, method)
    return _KNOWN[key]


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


def test_method_says_what_it_is(method: Method) -> None:
    assert method.name == method.name.lower().replace(" ", "-")
    assert method.title
    assert method.formula
    assert any(sign.isdigit() for sign in method.source), "author and year"
    assert method.reading.endswith(".")


def test_finds_the_planted_word(sensitive: TrainedModel, method: Method) -> None:
    hits = 0
    for result in results(sensitive, method, texts=TEXTS):
        (strongest,) = result.strongest(1)
        hits += result.encoded.read[strongest].word in toy.PLANTED
    assert hits >= 0.9 * len(TEXTS)


def test_signed_method_says_for_and_against(sensitive: TrainedModel, method: Method) -> None:
    for target, planted in enumerate(toy.PLANTED):
        for result in results(sensitive, method, target):
            scores = {token.word: score for token, score in zip(result.encoded.read, result.scores, strict=True)}
            other = toy.PLANTED[1 - target]
            if not method.signed:
                assert (result.scores >= 0).all()
            elif planted in scores:
                assert scores[planted] > 0
            else:
                assert scores[other] < 0


def test_says_what_it_explains(trained: TrainedModel, method: Method) -> None:
    for text, result in zip(FEW, known(trained, method), strict=True):
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


def test_explains_the_class_it_names(trained: TrainedModel, method: Method) -> None:
    """The log-odds of two classes are each other's negative: a signed score flips, an unsigned one stays."""
    logits = trained.module(torch.tensor([[2, 3]]))
    assert logits.shape == (1, 1), "one sigmoid neuron for two classes"
    both = (results(trained, method, target, FEW[:3]) for target in (0, 1))
    for negative, positive in zip(*both, strict=True):
        assert (negative.target, positive.target) == (0, 1)
        assert positive.class_score == pytest.approx(-negative.class_score)
        assert np.abs(positive.scores).max() > 0
        np.testing.assert_allclose(
            positive.scores, -negative.scores if method.signed else negative.scores, rtol=1e-4, atol=1e-7
        )
        np.testing.assert_array_equal(positive.probabilities, negative.probabilities)


def test_gives_the_same_answer_again(trained: TrainedModel, method: Method) -> None:
    assert all(map(same, known(trained, method), results(trained, method)))


def test_changes_when_the_weights_are_shuffled(trained: TrainedModel, method: Method) -> None:
    """Adebayo et al. 2018, Sanity Checks for Saliency Maps: an answer that does not change is none of the model's."""
    torch.manual_seed(0)
    shuffled = deepcopy(trained.module)
    for weight in shuffled.parameters():
        weight.data = weight.data.flatten()[torch.randperm(weight.numel())].reshape(weight.shape)
    before, after = known(trained, method), results(replace(trained, module=shuffled), method)
    for first, second in zip(before, after, strict=True):
        assert np.linalg.norm(source(first) - source(second)) > 0.1 * np.linalg.norm(source(first))
    untrained = results(replace(trained, module=trained.run.load(0).module), method)
    assert not any(map(same, untrained, before)), "before training it says something else"


def test_leaves_weights_gradients_and_hooks_alone(trained: TrainedModel, method: Method) -> None:
    module = trained.module
    before = {name: tensor.clone() for name, tensor in module.state_dict().items()}
    results(trained, method, texts=FEW[:2])
    assert all(torch.equal(tensor, before[name]) for name, tensor in module.state_dict().items())
    assert all(weight.grad is None and not weight.requires_grad for weight in module.parameters())
    assert not any(part.training for part in module.modules())
    hooks = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    assert not any(getattr(part, name) for part in module.modules() for name in hooks)
    assert not any(getattr(torch_module, f"_global{name}") for name in hooks)
    assert torch.is_grad_enabled()


def test_needs_no_gradient_mode_of_the_caller(trained: TrainedModel, method: Method) -> None:
    with torch.no_grad():
        quiet = explain(trained, TEXTS[0], method.name)
    assert same(quiet, explain(trained, TEXTS[0], method.name))


def test_eight_threads_give_the_answers_of_one(trained: TrainedModel, method: Method) -> None:
    """One model, shared by all visitors: a streamlit server runs a thread for each."""
    alone = known(trained, method)
    with ThreadPoolExecutor(8) as pool:
        times = 4 if method.surveyed else 2  # what reads a text hundreds of times
        together = list(pool.map(lambda text: explain(trained, text, method.name), [*FEW] * times))
    assert all(same(alone[position % len(FEW)], result) for position, result in enumerate(together))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("  \n", 0), ("splendid", 1), ("zzz", 1), ("zzz qqq ?", 3), ("a " * 99, 20)],
    ids=ascii,
)
def test_any_text_gets_an_answer(trained: TrainedModel, method: Method, text: str, tokens: int) -> None:
    result = explain(trained, text, method.name)
    assert result.scores.shape == (tokens,)
    if result.matrix is not None:
        assert result.matrix.shape == (tokens, trained.module.embed(torch.tensor([[2]])).shape[2])
    assert np.isfinite(result.scores).all()
    assert np.isfinite(result.probabilities).all()
    assert result.strongest(3) == sorted(result.strongest(3), key=lambda position: -abs(result.scores[position]))
    if tokens == 20:
        assert result.encoded.seen.count(Seen.CUT) == 79
    if tokens == 3:
        assert set(result.encoded.seen) == {Seen.UNKNOWN}


def test_what_a_network_lacks_is_said(trained: TrainedModel) -> None:
    for method in methods().values():
        able = method.applies(trained.module)
        assert (method.name in methods_for(trained.run)) is able
        if not able:
            with pytest.raises(RunError, match=rf"^{method.title} cannot explain .*: it needs {method.needs}\.$"):
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


def test_wrong_names_are_refused_with_the_right_ones(trained: TrainedModel) -> None:
    with pytest.raises(RunError, match=r"no method 'magic'; the methods are .*gradient-input, .*saliency, .*\.$"):
        explain(trained, "a", "magic")
    for target in (-1, 2):
        with pytest.raises(RunError, match=rf"has no class {target}; it has negative, positive\.$"):
            explain(trained, "a", "saliency", target)
    with pytest.raises(RunError, match="is no classifier: Saliency, L2 norm cannot"):
        explain(replace(trained, module=nn.Linear(1, 1)), "a", "saliency")


# --------------------------------------------------------------------------------------- against other computations


@pytest.mark.parametrize("target", [0, 1])
def test_gradient_is_the_difference_quotient(trained: TrainedModel, target: int) -> None:
    """In double precision, along a random direction at every word; at a tie of equal words there is no derivative."""
    double = replace(trained, module=deepcopy(trained.module).double())
    torch.manual_seed(0)
    texts = [text for text in TEXTS if len(set(text.split())) == len(text.split())]
    assert len(texts) >= 8
    for text in texts:
        score, embedded = scorer(double, text, target)
        direction = torch.randn_like(embedded)
        step = 1e-6
        with torch.no_grad():
            quotient = (score(embedded + step * direction) - score(embedded - step * direction)) / (2 * step)
        matrix = torch.from_numpy(explain(double, text, "saliency", target).matrix.copy()).double()
        assert (matrix * direction[0]).sum().item() == pytest.approx(quotient.item(), rel=1e-4)


def test_captum_agrees(trained: TrainedModel) -> None:
    """Of either class in turn: that one's scores are the other's negative is tried above."""
    from captum.attr import InputXGradient, IntegratedGradients, Saliency

    for number, text in enumerate([*TEXTS[:8], "splendid", "zzz"]):
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


@pytest.mark.parametrize("text", [*TEXTS[:4], "splendid", "zzz", ""], ids=ascii)
def test_scaled_copies_give_what_one_convolution_gives(trained: TrainedModel, text: str) -> None:
    """Integrated gradients asks for the protocol where there is one, and classifies scaled copies where not."""
    copies = replace(trained, module=OnlyClassifier(trained.module))
    assert not isinstance(copies.module, ScaledClassifier)
    for target in (0, 1):
        ours, theirs = (explain(model, text, "integrated-gradients", target) for model in (trained, copies))
        np.testing.assert_allclose(ours.matrix, theirs.matrix, rtol=1e-4, atol=1e-6)
        assert ours.residual == pytest.approx(theirs.residual, abs=1e-5)


def test_a_text_is_classified_once(trained: TrainedModel) -> None:
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


def test_integrated_gradients_are_complete(trained: TrainedModel) -> None:
    """Sundararajan et al. 2017, proposition 1: the steps leave next to nothing out; of a network that jumps, jumps."""
    jumping = isinstance(trained.module, Jumping)
    for text in [*TEXTS, "splendid"]:
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


def test_norms_of_one_gradient_are_in_order(trained: TrainedModel) -> None:
    for text in TEXTS:
        least, middle, most = (explain(trained, text, f"saliency{kind}").scores for kind in ("-max", "", "-l1"))
        assert (least <= middle * (1 + 1e-6)).all()
        assert (middle <= most * (1 + 1e-6)).all()
        assert (least < most).any()


def test_residual_is_what_the_additions_leave_unexplained(trained: TrainedModel) -> None:
    for text in TEXTS[:8]:
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
