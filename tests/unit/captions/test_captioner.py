"""The network that captions: attention as the paper has it, rows that do not mix, gradients that reach everything."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from nlpviz.networks.architectures import captioners
from nlpviz.networks.architectures.captioner import Captioner, CaptionerConfig
from nlpviz.text.vocabulary import PAD
from nlpviz.training.captioner_fit import CaptionBatch, CaptionerFit, CaptionScores, noised, objective, told_by

EOS = 2


@pytest.fixture(params=["soft", "hard"])
def network(request: pytest.FixtureRequest) -> Captioner:
    return made(request.param)


def made(attention: str, side: int = 16) -> Captioner:
    torch.manual_seed(0)
    config = CaptionerConfig(9, side=side, channels=6, dimensions=5, units=7, attention=attention, dropout=0)
    return Captioner(config).eval()


def images(count: int = 3) -> Tensor:
    return torch.randint(0, 256, (count, 3, 16, 16), dtype=torch.uint8, generator=torch.manual_seed(1))


def batch() -> CaptionBatch:
    return CaptionBatch(images(), torch.tensor([[3, 4, 5, EOS], [6, EOS, PAD, PAD], [7, 8, EOS, PAD]]))


def test_the_registry_builds_it() -> None:
    one = captioners()["captioner"]
    assert isinstance(one.build(one.config(vocabulary_size=9)), Captioner)
    with pytest.raises(ValueError, match="attention must be soft or hard, not 'firm'"):
        CaptionerConfig(9, attention="firm")
    with pytest.raises(ValueError, match="multiple of 8"):
        CaptionerConfig(9, side=20)


def test_the_terms_add_up_to_the_parameters(network: Captioner) -> None:
    terms = network.parameter_terms()
    assert sum(count for _, _, count in terms) == sum(weight.numel() for weight in network.parameters())
    for name, formula, count in terms:
        assert eval(formula.replace("×", "*")) == count, name  # noqa: S307 - the network’s own


def test_attention_is_what_the_formula_says(network: Captioner) -> None:
    """Equations 4 to 6 with β of section 4.2.1, in numpy."""
    state = network.start(images(1))
    done = network.step(torch.tensor([EOS]), state)
    weight = {name: value.detach().numpy() for name, value in network.named_parameters()}
    annotations, hidden = state.annotations[0].numpy(force=True), state.hidden[0].numpy(force=True)
    sought = weight["of_state.weight"] @ hidden + weight["of_state.bias"]
    sought += weight["of_word.weight"] @ weight["embedding.weight"][EOS]
    scores = np.tanh(annotations @ weight["of_place.weight"].T + sought) @ weight["score.weight"][0]
    alpha = np.exp(scores) / np.exp(scores).sum()
    np.testing.assert_allclose(done.weights[0].detach(), alpha, rtol=1e-5)
    place = int(alpha.argmax())
    context = alpha @ annotations if network.config.attention == "soft" else annotations[place]
    beta = 1 / (1 + np.exp(-(weight["gate.weight"][0] @ hidden + weight["gate.bias"][0])))
    read = torch.from_numpy(np.concatenate([weight["embedding.weight"][EOS], beta * context]).astype(np.float32))
    expected, _ = network.lstm(read[None], (state.hidden, state.cell))
    np.testing.assert_allclose(done.state.hidden.detach(), expected.detach(), rtol=1e-4, atol=1e-6)
    assert (done.place is None) == (network.config.attention == "soft")
    assert done.place is None or int(done.place) == place


def test_annotations_are_told_row_by_row_from_the_top() -> None:
    """A change in the lower left corner changes the annotation of that corner, and none at the top."""
    network, image = made("soft", side=32), torch.randint(0, 256, (1, 3, 32, 32), dtype=torch.uint8)
    changed = image.clone()
    changed[:, :, 31:, :1] = 255 - changed[:, :, 31:, :1]  # a place sees fifteen pixels round its eighth
    moved = (network.annotate(image) - network.annotate(changed)).abs().sum(dim=2)[0] > 0  # (16,) of 4 × 4 places
    assert not moved.view(4, 4)[:2].any()
    assert not moved.view(4, 4)[:, 2:].any()
    assert moved.view(4, 4)[3, 0]


def test_a_batch_equals_its_rows(network: Captioner) -> None:
    whole = told_by(network, batch()).likelihoods
    for row in range(3):
        length = int((batch().ids[row] != PAD).sum())
        alone = told_by(network, CaptionBatch(images()[row : row + 1], batch().ids[row : row + 1, :length])).likelihoods
        torch.testing.assert_close(alone[0], whole[row])


def test_it_is_kept_and_loaded(network: Captioner, tmp_path: Path) -> None:
    weights = {name: weight.contiguous() for name, weight in network.state_dict().items()}
    save_file(weights, tmp_path / "weights.safetensors")
    again = Captioner(network.config)
    again.load_state_dict(load_file(tmp_path / "weights.safetensors"))
    torch.testing.assert_close(told_by(again.eval(), batch()), told_by(network, batch()), rtol=0, atol=0)


def test_gradients_reach_every_parameter(network: Captioner) -> None:
    torch.manual_seed(2)
    loss = objective(told_by(network.train(), batch()), -3.0, CaptionerFit())
    torch.autograd.backward(loss)
    for name, weight in network.named_parameters():
        assert weight.grad is not None, name
        assert float(weight.grad.abs().sum()) > 0, name


def test_hard_attention_draws_a_place_in_training_and_takes_the_likeliest_else() -> None:
    """With a draw in two the mean, its expectation is the context of soft attention (section 4.3)."""
    network = made("hard")
    state = network.start(images(1).expand(20_000, 3, 16, 16))
    scores = torch.tensor([0.6, 0.2, 0.15, 0.05]).expand(20_000, 4)
    looked, place = network.train()._context(state.annotations, scores)
    assert place is not None
    np.testing.assert_allclose(np.bincount(place, minlength=4) / 20_000, scores[0], atol=0.015)
    soft = (scores[0, :, None] * state.annotations[0]).sum(dim=0)
    torch.testing.assert_close(looked.mean(dim=0), soft, atol=0.01, rtol=0.01)
    assert torch.equal(looked, soft.expand_as(looked)) is False
    _, place = network.eval()._context(state.annotations, scores)
    assert place is not None
    assert place.unique().tolist() == [0]


def test_the_score_function_of_a_case_by_hand() -> None:
    """Two places with α = ¾ and ¼, the first was drawn: ∂ log α₁ is (¼, −¼), and ∂H is −α (log α + H)."""
    scores = torch.tensor([np.log(3.0), 0.0], dtype=torch.float64, requires_grad=True)
    alpha = scores.softmax(0)
    entropy = -(alpha * alpha.log()).sum()
    told = CaptionScores(torch.tensor([-2.0], dtype=torch.float64), alpha.log()[:1], entropy)
    fit = CaptionerFit(reward=0.5, entropy=0.1)
    (found,) = torch.autograd.grad(objective(told, -3.0, fit), scores, retain_graph=True)
    h = 0.5623351446188083  # −¾ ln ¾ − ¼ ln ¼
    of_entropy = np.array([-0.75 * (np.log(0.75) + h), -0.25 * (np.log(0.25) + h)])
    np.testing.assert_allclose(found, -0.5 * np.array([0.25, -0.25]) - 0.1 * of_entropy)
    (worse,) = torch.autograd.grad(objective(told._replace(likelihoods=torch.tensor([-4.0])), -3.0, fit), scores)
    np.testing.assert_allclose(worse, 0.5 * np.array([0.25, -0.25]) - 0.1 * of_entropy, rtol=1e-6)


@pytest.mark.parametrize("baseline", [0.0, -1.7, 5.0])
def test_the_score_function_is_unbiased_whatever_the_baseline(baseline: float) -> None:
    """Over all places, each as often as it is drawn, it is the gradient of the expected log-probability."""
    scores = torch.tensor([0.3, -1.0, 0.8], dtype=torch.float64, requires_grad=True)
    reached = torch.tensor([-0.2, -3.0, -1.1], dtype=torch.float64)
    alpha = scores.softmax(0)
    (expected,) = torch.autograd.grad(-(alpha * reached).sum(), scores, retain_graph=True)
    found = torch.zeros_like(expected)
    for place, often in enumerate(alpha.tolist()):
        told = CaptionScores(reached[place : place + 1], alpha.log()[place : place + 1], torch.zeros(()))
        loss = objective(told, baseline, CaptionerFit(reward=1.0, entropy=0.0))
        found += often * torch.autograd.grad(loss, scores, retain_graph=True)[0]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_soft_attention_has_the_plain_loss() -> None:
    told = told_by(made("soft"), batch())
    assert float(objective(told, 7.0, CaptionerFit()).detach()) == pytest.approx(
        -float(told.likelihoods.detach().mean())
    )


def test_each_annotation_knows_its_place() -> None:
    """On an image of one colour, away from its edges, two annotations differ by what the map makes of x and y alone."""
    network = made("soft", side=64)
    notes = network.annotate(torch.full((1, 3, 64, 64), 200, dtype=torch.uint8))[0].view(8, 8, -1)
    to_the_right, down = notes[3, 4] - notes[3, 3], notes[4, 3] - notes[3, 3]
    across, below = network.place.weight[:, 1], network.place.weight[:, 0]
    torch.testing.assert_close(to_the_right, across * 2 / 7)
    torch.testing.assert_close(down, below * 2 / 7)


def test_other_words_of_a_kind_are_heard_and_none_else_is() -> None:
    """Of ids 3 to 6 one stands for another; what is to be said stays, and so do all other words."""
    torch.manual_seed(0)
    ids = torch.tensor([[3, 7, 4, EOS], [8, 5, EOS, PAD]]).repeat(200, 1)
    plain, group = CaptionBatch(images(len(ids)), ids), torch.tensor([3, 4, 5, 6])
    assert torch.equal(noised(plain, [group], 0.0).heard, ids)
    heard = noised(plain, [group], 0.8).heard
    assert heard is not None
    alike = torch.isin(ids, group)
    assert torch.equal(heard[~alike], ids[~alike])
    assert torch.isin(heard[alike], group).all()
    assert float((heard[alike] != ids[alike]).float().mean()) == pytest.approx(0.8 * 3 / 4, abs=0.07)
    assert torch.equal(plain.ids, ids)


def test_what_is_heard_changes_what_follows_and_not_what_is_to_be_said(network: Captioner) -> None:
    plain = batch()
    told = told_by(network, plain).likelihoods.detach()
    torch.testing.assert_close(told_by(network, plain._replace(heard=plain.ids)).likelihoods.detach(), told)
    other = plain.ids.clone()
    other[0, 0] = 6
    heard = told_by(network, plain._replace(heard=other)).likelihoods.detach()
    torch.testing.assert_close(heard[1:], told[1:])
    assert heard[0].item() != pytest.approx(told[0].item())
