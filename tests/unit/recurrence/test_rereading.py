"""Many texts of the words of one, read together: every cell says of each what it says of that text alone."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from nlpviz.networks.architectures.recurrent_network import RecurrentClassifier, RecurrentConfig
from nlpviz.networks.cells import cells
from nlpviz.networks.prefix_cache import COVERED, END, ROWS, STEPS

TOKENS = 3 * STEPS + 5


def network(**settings: object) -> RecurrentClassifier:
    torch.manual_seed(0)
    return RecurrentClassifier(RecurrentConfig(60, dimensions=5, units=6, **settings)).eval()  # type: ignore[arg-type]


def places() -> np.ndarray:
    """Return texts that lack words in all ways, some covered, one of them empty, more than are read at once."""
    draw = np.random.default_rng(0)
    rows = np.full((ROWS + 40, TOKENS), END)
    for number, row in enumerate(rows[1:]):
        words = (
            np.flatnonzero(draw.random(TOKENS) < draw.random())
            if number % 3
            else np.delete(np.arange(TOKENS), number % TOKENS)
        )
        row[: len(words)] = np.where(draw.random(len(words)) < 0.1, COVERED, words) if number % 2 else words
    return rows


@pytest.mark.parametrize(
    "settings",
    [
        *({"cell": cell} for cell in cells()),
        *({"reading": reading} for reading in ("mean", "max")),
        {"layers": 2, "bidirectional": True},
    ],
    ids=str,
)
def test_each_text_is_answered_as_by_itself(settings: dict[str, object]) -> None:
    model, rows = network(**settings), places()
    embedded = torch.randn(1, TOKENS, 5, generator=torch.Generator().manual_seed(1))
    answers = model.classify_reread(embedded, rows)
    for row, answer in zip(rows[::7], answers[::7], strict=True):
        own = row[row != END]
        words = embedded[:, own.clip(min=0)] * torch.from_numpy(own != COVERED).view(1, -1, 1)
        with torch.no_grad():
            alone = model.classify(words, torch.ones(1, len(own), dtype=torch.bool))
        torch.testing.assert_close(answer, alone[0], atol=1e-5, rtol=1e-4)


def test_words_are_covered_where_they_are_not_kept() -> None:
    model, embedded = network(), torch.randn(1, TOKENS, 5, generator=torch.Generator().manual_seed(1))
    kept = torch.rand(9, TOKENS, generator=torch.Generator().manual_seed(2)) < 0.5
    with torch.no_grad():
        expected = model.classify(embedded * kept.unsqueeze(-1), torch.ones(9, TOKENS, dtype=torch.bool))
    torch.testing.assert_close(model.classify_occluded(embedded, kept[:1], kept), expected, atol=1e-5, rtol=1e-4)
    assert model.classify_occluded(embedded, kept[:1], kept[:0]).shape == (0, 1)
    nothing = model.classify_reread(embedded[:, :0], np.empty((2, 0), dtype=np.int64))
    torch.testing.assert_close(nothing, model.output(torch.zeros(2, 6)))
