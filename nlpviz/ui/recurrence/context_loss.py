"""What the page says and shows of how much words further back are worth to a language model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.recurrence.context_loss import context_lines
from nlpviz.results.context_loss import ContextLoss
from nlpviz.runs import Checkpoint, Run
from nlpviz.ui import cache, plotly_view, progress
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer

_FEW = 8  # words, beyond which the sentence looks


def show(checkpoints: Sequence[Checkpoint], text: str) -> None:
    """Show the mean loss of the text's words by how many words before each were read."""
    st.header("How much does more context help?", anchor=False)
    calls = [_context_loss(run, epoch, text) for run, epoch in checkpoints]
    chosen = panels.reference([call() for call in calls])
    if not np.isfinite(chosen.means).all():
        st.markdown("This text contains no vocabulary words, so there is no loss to compare.")
        return
    tell(chosen)
    plotly_view.show(Call(context_lines, calls), key="context_loss")


def tell(found: ContextLoss) -> None:
    """Say what the loss is with few words of context, and with all."""
    place = max(place for place, count in enumerate(found.kept) if count <= _FEW or not place)
    few, whole = float(found.means[place]), float(found.means[-1])
    sentence = "Epoch {epoch}: the mean loss is **{whole:.2f} nats per word** with the full context"
    pieces: dict[str, object] = {"epoch": found.epoch, "whole": whole}
    if place < len(found.kept) - 1:
        sentence += ", {few:.2f} with only the last {count} words"
        pieces |= {"count": found.kept[place], "few": few}
        helped = found.helped(place)
        if helped is not None:
            sentence += (
                ". A longer context helps most at “{word}” (word {at}), where the loss falls from {before:.2f} to "
                "{after:.2f} nats"
            )
            pieces |= {
                "word": found.text.read[helped].name, "at": helped + 1,
                "before": float(found.nats[place, helped]), "after": float(found.nats[-1, helped]),
            }  # fmt: skip
    answer(sentence + ".", **pieces)
    st.caption(
        "For each context length, the network rereads the text and sees only that many words before each "
        "predicted word (Khandelwal et al. 2018). One text is a small sample."
    )


def _context_loss(run: Run, epoch: int, text: str) -> Call[ContextLoss]:
    """Return the losses, computed at once."""
    from nlpviz.analysis.inspection.context_loss import lose_context

    model = cache.loaded(run, epoch)
    key, doing = ("context loss", run.name, run.fingerprint, epoch, text), "Reading the text with shorter contexts"
    found = progress.computed(key, doing, lambda report: lose_context(model(), text, report))
    return Call(lose_context, model, text).giving(found)
