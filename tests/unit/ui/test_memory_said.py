"""What the page says of memory and clipping is what the numbers are, and no more."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.figures.recurrence.memory_clipping import RunNorms
from nlpviz.ui.recurrence import memory as memory_page
from nlpviz.ui.recurrence.clipping import _said
from tests.pages.conftest import shown


def test_norms_beside_a_threshold() -> None:
    said = _said(RunNorms("a", "A *b*", [1, 2, 3], [0.5, 1.5, 2.0], 1.0))
    assert said.startswith("**A \\*b\\***: the mean gradient norm per epoch ranges from 0.50 to 2.00.")
    assert said.endswith("clipped at **1**; the mean norm exceeds this threshold in 2 of 3 epochs.")
    assert _said(RunNorms("a", "A", [1], [0.5], 0.0)).endswith(", without clipping.")


@pytest.mark.parametrize(
    ("gradient", "expected"),
    [([1.0, 2.0, 3.0, 4.0], "rank words almost identically"), ([1.0, 2.0, 4.0, 3.0], "in a roughly similar order"),
     ([4.0, 3.0, 2.0, 1.0], "rank words differently")],
)  # fmt: skip
def test_gradient_and_measurement_are_compared_in_words(gradient: list[float], expected: str) -> None:
    def script(gradient: list[float]) -> None:
        import numpy as np

        from nlpviz.results.memory import TextMemory
        from nlpviz.results.replaced_words import ReplacedWords, parting
        from nlpviz.text.vocabulary import EncodedText, tokenize
        from nlpviz.ui.recurrence import memory as memory_page

        text = EncodedText("a b c d", tuple(tokenize("a b c d")), np.full(4, 2), 9)
        score = np.tile(np.log10(np.array(gradient, dtype=np.float32)), (4, 1))
        changes = np.array([[0.1], [-0.2], [0.3], [0.4]], dtype=np.float32)
        names = ("negative", "positive")
        one = TextMemory("net", 3, text, names, np.array([0.4, 0.6], dtype=np.float32), 1, score)
        replaced = ReplacedWords("net", 3, text, names, 1, 0.0, ("w",), changes, 0)
        memory_page._tell_parting(replaced, parting(one, replaced))

    said = shown(AppTest.from_function(script, kwargs={"gradient": gradient}).run())
    assert expected in said
    assert ("The rankings differ most" in said) is (gradient != sorted(gradient))


def test_what_halves_at_each_word_falls_below_a_hundredth_when_the_page_says_so() -> None:
    assert 0.5**memory_page._HALVED < 0.01 < 0.5 ** (memory_page._HALVED - 1)
    assert np.log10(0.01) == -2
