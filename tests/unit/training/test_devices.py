"""What differs where a GPU computes, as far as a CPU can show it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from torch import nn

from nlpviz.networks.architectures import architectures
from nlpviz.training import accelerator_for
from nlpviz.training.batches import Labelled, bucketed
from nlpviz.training.devices import sent, set_precision
from nlpviz.training.log import ask
from nlpviz.training.measures import ASKED, ASKED_OF_A_GPU, asked_at_once, measure
from nlpviz.training.recipes import recipes


@pytest.fixture
def _precision_as_before() -> Iterator[None]:
    """Put back what other tests compute with."""
    before = torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32
    yield
    torch.set_float32_matmul_precision(before[0])
    torch.backends.cudnn.allow_tf32 = before[1]


@pytest.mark.usefixtures("_precision_as_before")
@pytest.mark.parametrize(("precision", "coarse"), [("high", True), ("highest", False), ("medium", True)])
def test_cudnn_s_layers_are_as_exact_as_products(precision: str, coarse: bool) -> None:
    torch.backends.cudnn.allow_tf32 = not coarse
    set_precision(precision)
    assert torch.get_float32_matmul_precision() == precision
    assert torch.backends.cudnn.allow_tf32 is coarse


def test_what_is_sent_to_a_cpu_is_not_copied() -> None:
    tensor = torch.arange(6)
    assert sent(tensor, torch.device("cpu")).data_ptr() == tensor.data_ptr()


def test_a_gpu_is_asked_about_more_texts_at_once() -> None:
    assert asked_at_once(torch.device("cpu")) == ASKED
    assert asked_at_once(torch.device("cuda", 0)) == ASKED_OF_A_GPU > ASKED


def labelled(count: int) -> Labelled:
    """Return texts of random words and lengths."""
    rng = np.random.default_rng(0)
    rows = [rng.integers(2, 30, rng.integers(1, 50)) for _ in range(count)]
    return Labelled(rows, rng.integers(0, 2, count).astype(np.int8))


def network() -> nn.Module:
    """Return a recurrent classifier with random weights."""
    torch.manual_seed(0)
    architecture = architectures()["recurrent-network"]
    return architecture.build(architecture.config(30, units=8, dimensions=8)).eval()


def test_answers_do_not_depend_on_how_many_texts_are_asked_about_at_once() -> None:
    texts, device, model = labelled(600), accelerator_for("cpu"), network()
    lengths = np.array([len(row) for row in texts.ids])
    (few, lost), (many, lost_at_once) = (
        ask(model, texts, bucketed(lengths, size, None), device) for size in (ASKED, ASKED_OF_A_GPU)
    )
    assert abs(few.levels.astype(int) - many.levels).max() <= 1, "a rounding at the edge of a level"
    np.testing.assert_allclose(lost, lost_at_once, atol=1e-5)
    assert lost.mean() == pytest.approx(measure(model, texts, device).loss, abs=1e-6)


def test_no_recipe_is_asked_more_often_than_once_an_epoch_on_a_gpu() -> None:
    """Asking about 50,000 texts takes longer than an epoch of training does there."""
    on_gpu = [recipe.settings.on_gpu for recipe in recipes().values() if hasattr(recipe.settings, "on_gpu")]
    assert any(on_gpu)
    assert not any("moments" in str(changes) for changes in on_gpu)
