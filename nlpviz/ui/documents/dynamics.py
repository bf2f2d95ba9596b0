"""How documents were learnt: which run and which of its documents, one document's story, suspects, planted flips."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.data import DataError
from nlpviz.figures.documents import cartography as figures
from nlpviz.figures.numbers import brief, number
from nlpviz.results.cartography import NEVER, Cartography
from nlpviz.results.map_selection import MOST_LETTERS, corners_of
from nlpviz.results.planted import TOP
from nlpviz.results.training_log import Role, TrainingLog
from nlpviz.runs import Run
from nlpviz.runs.planted import planted_flips
from nlpviz.runs.training_log import TRAINING_LOG, missing, training_log
from nlpviz.ui import address, cache, classes, limits, plotly_view, texts, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, lead_to, messages, takeaway
from nlpviz.ui.run_filter import READ_CLOSELY

PARTS = {"trained": Role.TRAINED, "held-out": Role.HELD_OUT, "test": Role.TEST}
NAMED = {"trained": "training set", "held-out": "validation set", "test": "test set"}
PICKED = "document of the training"
"""The document whose course is shown, in the session; ``document`` in the address."""
LOOP = "loop of the map"
"""What was drawn round points of the map, in the session; ``loop`` in the address."""
_RANKINGS = {
    "confidence": "Mean confidence",
    "loss": "Loss at the end",
    "margin": "Area under the margin",
    "self": "Self-influence",
}
_FEW = 8  # classes that a colour tells apart


def pick_run() -> Run:
    """Return the run that the visitor chose, at first the best one with a log; the page ends where it has none."""
    runs = widgets.some_runs(READ_CLOSELY)
    logged = {name: run for name, run in runs.items() if TRAINING_LOG in run.files}
    first = widgets.best_of(logged or runs)
    names = [first.name, *(name for name in (*logged, *runs) if name != first.name)]
    return runs[widgets.pick("run", "Model", list(dict.fromkeys(names)), lambda name: runs[name].title)]


def require_log(run: Run) -> None:
    """Say what makes the log of a run that has none, and end the page."""
    if TRAINING_LOG not in run.files:
        st.info(missing(run))
        st.stop()


def pick_part(run: Run) -> str:
    """Return which documents are shown: a key of :data:`PARTS`."""
    document = classes.document(run).capitalize()
    return widgets.pick("part", f"{document}s", parts(run), NAMED.__getitem__)


def parts(run: Run) -> list[str]:
    """Return the keys of :data:`PARTS` of which a run's log has documents."""
    there = {int(part) for part in np.unique(training_log(run).parts)}
    return [name for name, part in PARTS.items() if part in there]


def pick_color(run: Run) -> str:
    """Return what the points are coloured by."""
    options = [name for name in figures.COLORINGS if name != "label" or len(run.class_names) <= _FEW]
    return widgets.pick("dynamics_color", "Colour", options, figures.COLORINGS.__getitem__)


@cache.shared(limits.entries(12))
def learnt(run: Run, part: str) -> Call[Cartography]:
    """Return how the documents of a part were learnt; it is shared and never changed."""
    return Call(Cartography.of, Call(TrainingLog.of, Call(training_log, run), PARTS[part]))


def pick_document(found: Cartography) -> int:
    """Return the position of the document whose course is shown: the clicked one, at first the most suspect."""
    ids = found.log.ids
    return ids.index(widgets.follow(PICKED, ids, ids[found.suspects[0]], parameter="document"))


def pick_loop() -> str:
    """Return the loop that was drawn on the map, as the address says it; empty for none."""
    address.read_text(LOOP, "loop", "", MOST_LETTERS)
    text = str(st.session_state[LOOP])
    if text and corners_of(text) is None:
        messages().warning("The loop in this link is invalid. A loop needs at least three corners: x,y x,y x,y.")
        text = ""
    address.write_text(LOOP, "loop", text, "", MOST_LETTERS)
    return text


def show_map(run: Run, part: str, color: str, position: int, loop: str) -> None:
    """Draw the map; a click on a point tells its story, and a loop lists what lies inside."""
    found, corners = learnt(run, part), Call(corners_of, loop) if loop else None
    drawn = Call(figures.training_map, found, color, found().log.ids[position], classes.document(run), corners)
    set_picked, set_loop = widgets.set_to(PICKED), widgets.set_to(LOOP)
    plotly_view.show_looped(drawn, key="training_map", on_click=set_picked, on_loop=set_loop)


def tell(run: Run, part: str) -> None:
    """Say over the map how many documents were learnt at once, and how many were never right."""
    found = learnt(run, part)()
    takeaway(
        "**{share:.0%}** of {count:,} {document}s are predicted correctly throughout training; {never:,} never are.",
        share=float((found.correctness == 1).mean()),
        count=len(found.confidence),
        document=classes.document(run),
        never=int((found.first_learnt == NEVER).sum()),
    )


def tell_forgotten(run: Run, part: str) -> None:
    """Say under the map how many documents were forgotten."""
    found = learnt(run, part)()
    answer(
        "Of {count:,} {document}s ({part}), **{forgotten:,}** are forgotten at least once over {moments} moments, up "
        "to epoch {last:g}.",
        count=len(found.confidence),
        document=classes.document(run),
        part=NAMED[part],
        forgotten=int((found.forgotten > 0).sum()),
        moments=len(found.moments),
        last=float(found.moments[-1]),
    )
    if np.allclose(found.moments, np.round(found.moments)):
        st.caption(
            "This log has only one entry per epoch, so it captures few forgetting events. "
            f"On a GPU, `python -m nlpviz train {run.name}` logs every quarter of an epoch."
        )


def show_story(run: Run, part: str, position: int) -> None:
    """Show one document's probability by moment, what is known of it, and its text where the corpus is available."""
    found, log = learnt(run, part)(), learnt(run, part)().log
    name, rank = log.ids[position], int(np.flatnonzero(found.suspects == position)[0]) + 1
    first = found.first_learnt[position]
    answer(
        "{name}, labelled {label}: mean confidence **{confidence:.2f}**, correct at {right} of {moments} "
        "moments, {forgotten}. It is the {rank} most suspect {document}.",
        name=texts.named(run, name),
        label=run.class_names[log.labels[position]],
        confidence=float(found.confidence[position]),
        right=round(float(found.correctness[position]) * len(found.moments)),
        moments=len(found.moments),
        forgotten=_times(int(found.forgotten[position])),
        rank=_ordinal(rank),
        document=classes.document(run),
    )
    st.caption(
        f"Variability {found.variability[position]:.2f}; "
        + ("never correct" if first == NEVER else f"first correct at epoch {first:g}")
        + f"; {int(log.tokens[position]):,} tokens; ranked among {len(log.ids):,} {classes.document(run)}s."
    )
    plotly_view.show(Call(figures.story, learnt(run, part), position), key="training_story")
    try:
        text = cache.document_text(run.corpus["name"], name)
    except DataError:
        st.caption(f"To read its text, download the corpus: `python -m nlpviz fetch {run.corpus['name']}`.")
        return
    with st.expander(
        f"The {classes.document(run)}", expanded=True
    ):  # a box that scrolls is out of the keyboard's reach
        st.markdown(texts.document_markdown(text))
    lead_to("One review", "Which words moved this prediction?", "saliency", text=name, run=run.name)


def show_planted(run: Run) -> None:
    """Show how many labels that were flipped on purpose such a ranking finds, in a training made for it."""
    flips = planted_flips(run)
    if flips is None:
        st.info(
            f"Not measured yet. Run `python -m nlpviz plant {run.name}`, which trains with 5% of the labels flipped."
        )
        return
    found, apart = flips.found("confidence"), flips.compared("confidence", "loss")
    plotly_view.show(Call(figures.planted_curve, Call(planted_flips, run).giving(flips)), key="planted_curve")
    answer(
        "The most suspect {top:.0%} of texts contain **{found:.0%}** of {flipped:,} deliberately flipped labels "
        "(chance: {top:.0%}), "
        + (
            "significantly {more} than with a ranking by loss."
            if apart.significant
            else "not significantly different from a ranking by loss."
        ),
        top=TOP,
        found=found.share,
        flipped=len(flips.ids),
        more="more" if apart.difference > 0 else "fewer",
    )
    with details():
        by = {name: flips.found(name) for name in flips.rankings}
        st.table(
            {
                "Ranking": [_RANKINGS[name] for name in by],
                f"Flips in the top {TOP:.0%}": [f"{one.share:.1%}" for one in by.values()],
                "95% CI": [f"{one.interval.low:.1%} to {one.interval.high:.1%}" for one in by.values()],
            },
            hide_index=True,
            border="horizontal",
        )
        st.caption(
            f"{flips.documents:,} training texts; mean confidence and loss differ by "
            f"{number(100 * apart.difference, '.1f')} percentage points (McNemar’s test, p = {brief(apart.p)}). "
            f"Repeat the experiment with "
            f"`python -m nlpviz plant {run.name} --share {flips.share:g} --seed {flips.seed} "
            f"--epochs {round(flips.moments[-1])} --moments {round(len(flips.moments) / flips.moments[-1])}`."
        )


def _times(count: int) -> str:
    """Return how often a document was forgotten."""
    return {0: "never forgotten", 1: "forgotten once", 2: "forgotten twice"}.get(count, f"forgotten {count} times")


def _ordinal(rank: int) -> str:
    """Return a rank as it stands before "most": 1 is "single", 22 "22nd"."""
    if rank == 1:
        return "single"
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank:,}{ending}"
