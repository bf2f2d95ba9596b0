"""What Saliency says of a residual that holds a network's jumps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nlpviz.results.explanation import Explanation
from nlpviz.text.vocabulary import Vocabulary
from nlpviz.ui.attribution.trust import _completeness


def explained() -> Explanation:
    """Return an explanation of two words by a method that sums."""
    encoded = Vocabulary.count([["not", "bad"]], 10).encode("not bad", 10)
    return Explanation(
        run="toy",
        epoch=1,
        method="integrated-gradients",
        encoded=encoded,
        scores=np.array([1.0, 2.0], dtype=np.float32),
        matrix=None,
        signed=True,
        target=1,
        class_names=("negative", "positive"),
        probabilities=np.array([0.1, 0.9], dtype=np.float32),
        class_score=2.2,
        residual=0.5,
        steps=50,
    )


def test_the_residual_of_a_network_that_jumps_says_what_jumps() -> None:
    plain = _completeness(explained(), "Integrated gradients")
    assert "jumps" not in plain
    jumping = _completeness(replace(explained(), jumps="its update gates open and close"), "Integrated gradients")
    assert jumping == (
        f"{plain} This network’s output jumps where its update gates open and close; "
        "the words’ scores do not include these jumps."
    )
