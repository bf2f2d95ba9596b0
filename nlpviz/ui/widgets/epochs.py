"""Controls that choose the epochs of a run, and what is shown beside them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from nlpviz.runs import Checkpoint, Run
from nlpviz.ui import address
from nlpviz.ui.frame import escape_markdown, messages
from nlpviz.ui.widgets.controls import pick, pick_some
from nlpviz.ui.widgets.runs import ANY_CLASSIFIER, Wanted, pick_other

_OTHER_EPOCHS = "beside_epoch"  # in the session, and in the address
_PILLS_AT_MOST = 12  # epochs: more would fill a row of the bar


def epochs_of(run: Run) -> str:
    """Return the name under which the epochs of a run are remembered that the visitor chose on any view."""
    return f"epochs of {run.name}"


def pick_epoch(run: Run) -> int:
    """Return the one epoch that the visitor chose, at first the best one."""
    chosen = pick(
        "one_epoch", "Epoch", [str(epoch) for epoch in run.epochs], default=[str(run.best_epoch)], parameter="epoch",
        memory=epochs_of(run),
        draw=st.selectbox if len(run.epochs) > _PILLS_AT_MOST else partial(st.pills, required=True),
        help=f"Epoch 0 is before training; epoch {run.best_epoch} is the best on the validation set.",
    )  # fmt: skip
    return int(chosen)


def pick_epochs(run: Run, default: Sequence[int], most: int = 4, *, surveyed: bool = False) -> tuple[int, ...]:
    """Return the epochs to show side by side, in ascending order: at least one, at most ``most``."""
    options = [str(epoch) for epoch in (run.surveyed if surveyed else run.epochs)]
    first = sorted({str(epoch) for epoch in default}, key=int)
    return tuple(map(int, _pick_epochs(run, "Epochs", options, first, most)))


def _pick_epochs(
    run: Run, label: str, options: Sequence[str], first: Sequence[str], most: int, *, other: bool = False
) -> list[str]:
    """Return the chosen epochs in ascending order, at most ``most``; the best one where none is chosen."""

    def fitting(chosen: list[str]) -> list[str]:
        if len(chosen) > most:
            messages().info(
                f"{len(chosen)} epochs are selected, but only {most} fit side by side. The last {most} are shown."
            )
        return sorted(chosen, key=int)[-most:] or [str(run.best_epoch)]

    return pick_some(
        _OTHER_EPOCHS if other else "epochs", label, options, first, shown=fitting,
        parameter=_OTHER_EPOCHS if other else "epoch",
        memory=epochs_of(run) + " for comparison" * other,
        help=f"At most {most} epochs side by side. Epoch 0 is before training; epoch {run.best_epoch} is the "
        "best on the validation set.",
    )  # fmt: skip


def pick_checkpoints(
    run: Run, default: Sequence[int], most: int = 4, wanted: Wanted = ANY_CLASSIFIER, *, surveyed: bool = False
) -> tuple[Checkpoint, ...]:
    """Return what to show side by side: epochs of ``run``, and of another run on the same corpus if one is chosen.

    The other run shows at first the epochs that were chosen of the first, as far as it keeps them, and its own best
    epoch in place of the first run's. Where ``surveyed`` is asked for, epochs are offered whose documents were
    surveyed.
    """
    epochs = pick_epochs(run, default, most, surveyed=surveyed)
    shown = [Checkpoint(run, epoch) for epoch in epochs]
    other = pick_other(run, wanted)
    if other is None:
        address.leave_out(_OTHER_EPOCHS)
        return tuple(shown)
    kept = (other.surveyed if surveyed else other.epochs) or (other.best_epoch,)
    same = {other.best_epoch if epoch == run.best_epoch else epoch for epoch in epochs}
    first = [str(epoch) for epoch in sorted(same & set(kept)) or [other.best_epoch]]
    options = [str(epoch) for epoch in kept]
    chosen = _pick_epochs(other, f"Epochs of {escape_markdown(other.title)}", options, first, most, other=True)
    return (*shown, *(Checkpoint(other, int(epoch)) for epoch in chosen))


def only_epoch(run: Run) -> int:
    """Return the chosen epoch where it is the only one that is shown; a link to another epoch gets a message."""
    address.leave_out("one_epoch", parameter="epoch", options=[str(run.best_epoch)])
    return run.best_epoch
