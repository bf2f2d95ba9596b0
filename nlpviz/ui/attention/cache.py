"""The pages' only way to attention: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from nlpviz.results.attention import TextAttention
from nlpviz.results.attention_effect import AttentionEffect, AttentionSurvey
from nlpviz.runs import Run
from nlpviz.runs.attention_effects import attention_survey
from nlpviz.ui import cache, limits, progress
from nlpviz.ui.calls import Call


@cache.shared(limits.entries(12))  # with the heads of 1,000 words: 32 MB each
def attention(run: Run, epoch: int, text: str) -> Call[TextAttention]:
    """Return what the network of one epoch attended to in ``text``."""
    from nlpviz.analysis.inspection.attention import attend

    return Call(attend, cache.loaded(run, epoch), text)


def effect(run: Run, epoch: int, text: str, *, leave_one_out: bool) -> Call[AttentionEffect]:
    """Return what other attention weights make of the prediction of ``text``, computed at once.

    Args:
        run: whose network.
        epoch: of its weights.
        text: as it was typed.
        leave_one_out: whether each word is left out once; meanwhile the page says how far that is.
    """
    from nlpviz.analysis.inspection.attention_effect import attention_effect

    model, explained = cache.loaded(run, epoch), cache.explanation(run, epoch, text, "saliency")
    found = progress.computed(
        ("effect", run.name, run.fingerprint, epoch, text, leave_one_out),
        "Leaving out every word once" if leave_one_out else "Replacing the attention",
        lambda report: attention_effect(model(), explained(), leave_one_out=leave_one_out, report=report),
    )
    return Call(attention_effect, model, explained, leave_one_out=leave_one_out).giving(found)


@cache.shared(64)
def survey(run: Run, epoch: int) -> Call[AttentionSurvey]:
    """Return what other attention weights make of the predictions of test documents.

    Raises:
        RunError: if nobody asked, or the run is damaged.
    """
    return Call(attention_survey, run, epoch)
