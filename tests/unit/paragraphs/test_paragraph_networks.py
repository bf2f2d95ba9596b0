"""The gradients that are written out are those that autograd finds; inference is fixed by its seed."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from nlpviz.networks.architectures import architectures
from nlpviz.networks.architectures.pv_dbow import Dbow, DbowConfig
from nlpviz.networks.architectures.pv_dm import Dm, DmConfig
from nlpviz.networks.paragraph_networks import ParagraphNetwork, SparseRows, drawn

WORDS = torch.tensor([[5, 3, 3, 7], [4, 9, 2, 0], [8, 5, 0, 0], [6, 2, 3, 4]])
NOISE = torch.tensor([[3, 11, 5], [2, 7, 7]])  # of the first two rows, and of the others
NETWORKS = ("pv-dbow", "pv-dm")


def network(name: str, dimensions: int = 6) -> ParagraphNetwork:
    """Return a network in double precision whose vectors are long enough to matter."""
    torch.manual_seed(3)
    model = {"pv-dbow": Dbow(DbowConfig(12, dimensions)), "pv-dm": Dm(DmConfig(12, dimensions, window=1))}[
        name
    ].double()
    for parameter in model.parameters():
        parameter.data.normal_()
    return model


def loss(model: ParagraphNetwork, documents: Tensor) -> Tensor:
    """Return the loss, word by word as the papers write it."""
    total = torch.zeros((), dtype=torch.float64)
    for row, words in enumerate(WORDS.tolist()):
        known = [word for word in words if word]
        for place, word in enumerate(known):
            vectors = [documents[row]]
            if isinstance(model, Dm):
                vectors += [model.input[known[at]] for at in (place - 1, place + 1) if 0 <= at < len(known)]
            mean = torch.stack(vectors).mean(dim=0)
            total = total - functional.logsigmoid(mean @ model.output[word])
            for noise in NOISE[row // 2].tolist():
                share = model.config.negative / NOISE.shape[1]
                total = total - share * functional.logsigmoid(-mean @ model.output[noise])
    return total


def dense(rows: tuple[SparseRows, ...], like: Tensor) -> Tensor:
    """Return the gradient of a whole table."""
    result = torch.zeros_like(like)
    for one in rows:
        result.index_add_(0, one.rows, one.gradients)
    return result


@pytest.mark.parametrize("name", NETWORKS)
def test_one_step_has_the_gradients_of_autograd(name: str) -> None:
    model = network(name)
    documents = torch.randn(4, 6, dtype=torch.float64, requires_grad=True)
    tables = {key: value for key, value in model.named_parameters() if key in ("output", "input")}
    expected = torch.autograd.grad(loss(model, documents), [documents, *tables.values()])
    with torch.no_grad():
        made = model.step(documents, model.look_up(WORDS, (WORDS > 0).double()), NOISE)
        torch.testing.assert_close(made.loss(), loss(model, documents))
        torch.testing.assert_close(made.documents, expected[0])
        found = made.tables()
        assert found.keys() == tables.keys()
        for (key, table), gradient in zip(tables.items(), expected[1:], strict=True):
            torch.testing.assert_close(dense(found[key], table)[2:], gradient[2:])


@pytest.mark.parametrize("name", NETWORKS)
def test_no_direction_bends_more_than_the_bound_says(name: str) -> None:
    model, documents = network(name), torch.randn(4, 6, dtype=torch.float64)
    bound = model.step(documents, model.look_up(WORDS, (WORDS > 0).double()), NOISE).curvatures().detach()
    hessian = torch.autograd.functional.hessian(lambda vectors: loss(model, vectors), documents)
    for row in range(4):
        steepest = torch.linalg.eigvalsh(hessian[row, :, row])[-1]
        assert 0 < steepest <= bound[row] * (1 + 1e-9)


def test_noise_is_drawn_by_its_share() -> None:
    share = torch.tensor([0.0, 0.0, 1.0, 3.0])
    found = np.bincount(drawn(share, torch.linspace(0, 1, 1001)).numpy(), minlength=4) / 1001
    np.testing.assert_allclose(found, [0, 0, 0.25, 0.75], atol=0.002)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_text_has_one_vector_by_one_seed_whatever_stands_beside_it(name: str) -> None:
    model = network(name).float().eval()
    ids = torch.tensor([[2, 3, 4, 0], [5, 6, 7, 8]])
    with torch.inference_mode():
        first, again, alone = model.infer(ids, 4), model.infer(ids, 4), model.infer(ids[:1, :3], 4)
        other = model.infer(ids, 5)
    assert torch.equal(first, again)
    torch.testing.assert_close(first[:1], alone)
    assert not torch.allclose(first, other)


@pytest.mark.parametrize("name", NETWORKS)
def test_unknown_words_move_nothing_in_a_bag(name: str) -> None:
    model = network(name).float().eval()
    with torch.inference_mode():
        none, unknown, empty = (model.infer(ids) for ids in (torch.zeros(1, 1).long(), torch.ones(1, 3).long(),
                                                             torch.zeros(1, 0).long()))  # fmt: skip
        assert torch.equal(none, unknown)
        assert torch.equal(none, empty)
        if name == "pv-dbow":
            known = model.infer(torch.tensor([[2, 3, 4]]))
            torch.testing.assert_close(model.infer(torch.tensor([[2, 1, 3, 4, 1]])), known)
            assert torch.allclose(model.infer(torch.tensor([[4, 2, 3]])), known, atol=1e-6), "no order is read"


def test_descent_makes_the_text_likelier() -> None:
    model = network("pv-dbow").float().eval()
    ids = torch.tensor([[2, 3, 4, 5]])
    noise = torch.arange(2, 12).unsqueeze(0)
    with torch.inference_mode():
        passage = model.look_up(ids, torch.full((1, 4), 0.25))
        begun, ended = (model.step(vectors, passage, noise).loss() for vectors in (torch.zeros(1, 6), model.infer(ids)))
    assert ended < begun


def test_models_say_what_they_are() -> None:
    assert [architectures()[name].source for name in NETWORKS] == ["Le and Mikolov 2014"] * 2
