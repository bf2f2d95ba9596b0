"""A test image of the user's on a page, with the captions of people and of networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from nlpviz.figures.captions.scene import image_figure
from nlpviz.figures.captions.words import words_figure
from nlpviz.runs import Run
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.captions import answers, cache, choice
from nlpviz.ui.frame import details, escape_markdown, takeaway

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TEST = "test"


class OwnImage(NamedTuple):
    """A test image of a run: its number from 1, its name, its pixels, and what people wrote of it."""

    number: int
    name: str
    pixels: NDArray[np.uint8]
    people: tuple[str, ...]


def pick(run: Run) -> OwnImage:
    """Return the test image that the visitor chose; the page ends where the images are not there any more."""
    told = cache.told(run.corpus["name"], _TEST)
    explained = "A test image that was not used in training."
    number = widgets.number("image_number", "Image", 1, (1, len(told)), 1, explained)
    return OwnImage(number, told.names[number - 1], told.images[number - 1], told.texts(number - 1))


def show(run: Run, image: OwnImage) -> None:
    """Show the image, and what people wrote of it."""
    about = f"test image {image.number} of {run.title}"
    plotly_view.show(image_figure(image.pixels, about, image.people), key="own_image")
    st.markdown(escape_markdown(f"{image.name}, human captions: “{'” “'.join(image.people)}”"))


def show_other(run: Run | None, epoch: int, image: OwnImage) -> None:
    """Show what another network says of the image, at the chosen epoch where it keeps that, else at its best one."""
    if run is not None:
        epoch = epoch if epoch in run.epochs else run.best_epoch
        st.header(run.title, anchor=False)
        st.caption(f"Epoch {epoch}")
        show_caption(run, epoch, image)


def show_epochs(run: Run, epoch: int, image: OwnImage) -> None:
    """Show what every network on the same images says of this one at every kept epoch."""
    runs = [run, *choice.others_of(run, choice.IMAGES)]
    answers.show_epochs(runs, (run.name, epoch), image.pixels, None)


def take_away(run: Run) -> None:
    """Say what the captions of all test images have in common with people's."""
    test = run.metrics["test"]
    takeaway(
        "{title}: BLEU {bleu:.1f} on {images:,.0f} test images.",
        title=run.title, bleu=test["bleu"], images=test["documents"],
    )  # fmt: skip


def show_measured(run: Run) -> None:
    """Show what the captions of all test images reach."""
    test = run.metrics["test"]
    rows = {
        "Test images": f"{test['documents']:,.0f}",
        "Human captions": f"{test['references']:,.0f}",
        "BLEU": f"{test['bleu']:.1f}",
        "Perplexity per word": f"{test['perplexity']:.1f}",
    }
    with details():
        st.table({"Measure": list(rows), "Value": list(rows.values())}, hide_index=True)
        st.caption("The correctness of these captions is not measured.")


def show_caption(run: Run, epoch: int, image: OwnImage) -> None:
    """Show the caption that a network writes, and where it looks for each word."""
    caption = cache.caption(run, epoch, image.pixels)
    answers.show(caption, words_figure(caption, image.pixels), [answers.written(caption, "")])
