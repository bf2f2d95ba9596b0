"""What attention does to a run's predictions, over a sample of its test documents, at every kept epoch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nlpviz.attention_effect import AttentionEffect
from nlpviz.explanation import Explanation
from nlpviz.reading.attention_effect import attention_effect
from nlpviz.runs import Run, TrainedModel
from nlpviz.runs.attention_effects import write_attention

SAMPLE, LEFT_OUT = 300, 40
"""Documents that are asked, and those of them whose words are left out one by one, which takes most of the time."""
_OTHERS = 3  # at the epochs that were not chosen one document of so many is asked

Saliency = Callable[[TrainedModel, str], Explanation]


def survey_attention(
    run: Run, texts: Sequence[tuple[str, str]], saliency: Saliency, say: Callable[[str], None] = lambda _: None
) -> Run:
    """Ask what attention does to the predictions of ``texts`` at every kept epoch; write it into the run's folder.

    A part of them has every word left out once, and at the epochs that were not chosen a part is asked at all.

    Args:
        run: whose network has attention.
        texts: ids and texts of test documents.
        saliency: explains the predicted class of a text by gradient saliency.
        say: is told one line at a time what is being done.

    Raises:
        RunError: if the network has no attention.
    """
    effects: dict[int, dict[str, AttentionEffect]] = {}
    every = max(1, len(texts) // LEFT_OUT)
    for epoch in run.epochs:
        some = texts if epoch == run.best_epoch else texts[::_OTHERS]
        say(f"Replacing the attention of epoch {epoch} in {len(some):,} test documents")
        trained = run.load(epoch)
        effects[epoch] = {
            name: attention_effect(trained, saliency(trained, text), leave_one_out=place % every == 0)
            for place, (name, text) in enumerate(some)
        }
    return write_attention(run, effects)
