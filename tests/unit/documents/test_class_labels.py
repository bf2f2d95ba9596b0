"""The names of many classes on a map: at their medians, never touching, on a phone and on a screen, at every epoch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nlpviz.figures import theme
from nlpviz.figures.documents.class_labels import class_labels
from nlpviz.figures.documents.maps import MapStyle, document_map
from nlpviz.figures.points import class_colors
from nlpviz.results.documents import RunDocuments
from nlpviz.results.projection import Projection

CLASSES, OF_EACH = 20, 30
NAMES = tuple(f"group.of.topics.{'abcdefghijklmnopqrst'[number] * (3 + number % 9)}" for number in range(CLASSES))
LABELS = np.repeat(np.arange(CLASSES), OF_EACH).astype(np.int8)
LETTER, LINE = 7.2, 18.0  # pixels, at most, of a bold letter, and of a line


def clouds(dimensions: int, seed: int = 0) -> NDArray[np.float32]:
    """Return a cloud of points for each class, some of them over each other."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-10, 10, size=(CLASSES, dimensions))
    return (centres[LABELS] + rng.normal(size=(len(LABELS), dimensions))).astype(np.float32)


def documents() -> RunDocuments:
    """Return documents of twenty classes, each predicted with certainty."""
    answers = np.eye(CLASSES, dtype=np.float32)[LABELS]
    return RunDocuments(
        run="net",
        title="Net",
        best_epoch=2,
        class_names=NAMES,
        ids=tuple(f"test/{number}" for number in range(len(LABELS))),
        labels=LABELS,
        ratings=np.zeros(len(LABELS), dtype=np.int8),
        lengths=np.full(len(LABELS), 9),
        probabilities=dict.fromkeys(range(3), answers),
    )


def chart(positions: NDArray[np.float32], epoch: int = 2) -> Projection:
    return Projection("net", "tsne", epoch, positions, 1.0, 0.5, 15, 0, "Epochs share their axes.")


def limits(positions: NDArray[np.float32]) -> list[list[float]]:
    return [[float(ends[0]), float(ends[1])] for ends in zip(positions.min(axis=0), positions.max(axis=0), strict=True)]


def boxes(labels: list[dict[str, Any]], ranges: list[list[float]], width: float, height: float) -> NDArray[np.float64]:
    """Return left, right, low and high of labels in pixels, (N, 4), where one unit is as long each way."""
    scale = min(np.array([width, height]) / np.ptp(ranges, axis=1))
    result = []
    for label in labels:
        x, y = ((label[axis] - ends[0]) * scale for axis, ends in zip("xy", ranges, strict=True))
        wide = LETTER * len(label["text"].removeprefix("<b>").removesuffix("</b>"))
        left = x + label["xshift"] - {"left": 0.0, "center": 0.5, "right": 1.0}[label["xanchor"]] * wide
        if label["showarrow"]:
            left, y = left + label["ax"], y - label["ay"]
        low = y + label["yshift"] - {"bottom": 0.0, "middle": 0.5, "top": 1.0}[label["yanchor"]] * LINE
        result.append((left, left + wide, low, low + LINE))
    return np.array(result)


def drawn(labels: list[dict[str, Any]], width: float) -> list[dict[str, Any]]:
    """Return the labels that a figure of a width in pixels shows."""
    hidden = "where narrow" if width >= 560 else "where wide"
    return [label for label in labels if label.get("name") != hidden]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("width", "several"), [(340, False), (480, False), (700, False), (1200, False), (320, True)])
def test_names_never_touch_and_stay_inside(width: float, several: bool, seed: int) -> None:
    positions = clouds(2, seed)
    ranges = limits(positions)
    labels = class_labels(documents(), chart(positions), ranges, 420, several=several)
    panel = width / (2 if several else 1)
    shown = boxes(drawn(labels, width), ranges, panel, 420)
    assert len(shown) >= 4
    for number, (left, right, low, high) in enumerate(shown):
        assert left >= -0.5
        assert right <= panel + 0.5
        for other in shown[:number]:
            assert left >= other[1] or other[0] >= right or low >= other[3] - 1e-6 or other[2] >= high - 1e-6


def test_a_name_stands_at_the_median_of_its_class() -> None:
    positions = clouds(2)
    labels = class_labels(documents(), chart(positions), limits(positions), 420, several=False)
    assert sum(label["yanchor"] == "middle" and label["xanchor"] == "center" for label in labels) > CLASSES / 2
    for label in labels:
        number = next(one for one, name in enumerate(NAMES) if label["text"] == f"<b>{name.rpartition('.')[2]}</b>")
        own = positions[number == LABELS]
        assert [label["x"], label["y"]] == pytest.approx(np.median(own, axis=0).tolist(), abs=1e-5)


def test_a_wide_figure_has_room_for_more_names_than_a_narrow_one() -> None:
    positions = clouds(2)
    labels = class_labels(documents(), chart(positions), limits(positions), 470, several=True)
    assert len(drawn(labels, 1200)) > len(drawn(labels, 340)) > 4
    assert all(label["visible"] is False for label in labels if label.get("name") == "where narrow"), (
        "a page that was taken away draws them as they come"
    )


def test_classes_on_one_spot_have_the_name_of_the_densest() -> None:
    positions = np.zeros((len(LABELS), 2), dtype=np.float32)
    positions[:, 0] = np.tile(np.linspace(-1, 1, OF_EACH), CLASSES) * np.where(LABELS == 7, 0.1, 1)
    labels = class_labels(documents(), chart(positions), [[-1, 1], [-1, 1]], 400, several=False)
    assert f"<b>{NAMES[7].rpartition('.')[2]}</b>" == labels[0]["text"]
    assert len({label["text"] for label in drawn(labels, 400)}) < CLASSES
    wide = drawn(labels, 1200)
    assert {label["text"] for label in wide} == {f"<b>{name.rpartition('.')[2]}</b>" for name in NAMES}
    assert any(label["showarrow"] for label in wide), "a line leads to a name that has no room beside its class"


def test_a_map_in_space_has_its_names_in_its_scene() -> None:
    view = document_map([documents()], [chart(clouds(3))], "t-SNE", MapStyle())
    names = view.figure.layout.scene.annotations
    assert 5 <= len(names) <= CLASSES
    assert all(name.z is not None for name in names)
    (note,) = view.figure.layout.annotations
    assert note.text == "<b>Epoch 2 (best)</b>, trust 1.00 (good)"
    assert view.figure.layout.showlegend is False


@pytest.mark.parametrize("dimensions", [2, 3])
def test_names_go_with_the_epoch(dimensions: int) -> None:
    epochs = [chart(clouds(dimensions, seed), seed) for seed in range(3)]
    view = document_map([documents()], [epochs[2]], "t-SNE", MapStyle(play=True), epochs)
    assert view.playback is not None
    for frame, epoch in zip(view.playback.frames, epochs, strict=True):
        notes = frame.layout["annotations"]
        assert notes[0]["text"].startswith(f"<b>Epoch {epoch.epoch}")
        names = notes[1:] if dimensions == 2 else frame.layout["scene1"]["annotations"]
        medians = [np.median(epoch.coordinates[number == LABELS], axis=0) for number in range(CLASSES)]
        for name in names:
            at = [name[axis] for axis in "xyz"[:dimensions]]
            assert any(np.allclose(at, median, atol=1e-5) for median in medians)
    packed = view.playback.packed(view.figure.data)
    assert len(packed["frames"]) == 3
    shown = view.figure.layout.scene.annotations if dimensions == 3 else view.figure.layout.annotations[1:]
    last = view.playback.frames[-1].layout
    own = last["scene1"]["annotations"] if dimensions == 3 else last["annotations"][1:]
    assert [name.text for name in shown] == [name["text"] for name in own]


def test_a_panel_beside_another_keeps_its_names_while_the_other_plays() -> None:
    epochs = [chart(clouds(2, seed), seed) for seed in range(3)]
    view = document_map([documents()], [epochs[0], epochs[2]], "t-SNE", MapStyle(play=True), epochs)
    assert view.playback is not None
    first = [note.to_plotly_json() for note in view.figure.layout.annotations if note.xref == "x"]
    assert first
    for frame in view.playback.frames:
        still = [note for note in frame.layout["annotations"] if note.get("xref") == "x1"]
        assert [note["text"] for note in still] == [note["text"] for note in first]
        assert any(note.get("xref") == "x2" for note in frame.layout["annotations"])


@pytest.mark.parametrize("style", [MapStyle(target=3), MapStyle(color="correctness"), MapStyle(color="probability")])
def test_only_labels_are_named_on_the_map(style: MapStyle) -> None:
    view = document_map([documents()], [chart(clouds(2))], "t-SNE", style)
    assert len(view.figure.layout.annotations) == 1


def test_few_classes_are_named_with_their_colour_and_without_a_legend() -> None:
    few = replace(
        documents(),
        class_names=NAMES[:8],
        labels=(LABELS % 8).astype(np.int8),
        probabilities={2: np.eye(8, dtype=np.float32)[LABELS % 8]},
    )
    view = document_map([few], [chart(clouds(2))], "t-SNE", MapStyle())
    assert view.figure.layout.showlegend is False
    names = [note for note in view.figure.layout.annotations if note.bordercolor]
    assert {note.bordercolor for note in names} == set(theme.CATEGORIES)


def test_two_classes_are_named_after_their_documents() -> None:
    two = replace(
        documents(), class_names=("negative", "positive"), labels=(LABELS % 2).astype(np.int8), document="review",
        probabilities={2: np.eye(2, dtype=np.float32)[LABELS % 2]},
    )  # fmt: skip
    view = document_map([two], [chart(clouds(2))], "t-SNE", MapStyle())
    said = {note.text for note in view.figure.layout.annotations}
    assert {"<b>negative reviews</b>", "<b>positive reviews</b>"} <= said


def test_classes_of_one_family_share_a_hue_and_at_most_six_hues_are_drawn() -> None:
    families = ("comp.a", "comp.b", "rec.a", "rec.b", "sci.a", "sci.b", "talk.a", "talk.b", "misc.a", "alt.a")
    colors = class_colors(families)
    assert colors[0] == colors[1] != colors[2]
    assert colors[-2:] == [theme.MUTED] * 2, "a class without a family is grey"
    assert (
        len(set(class_colors([f"{one}{number}.x" for one in "abcdefghijk" for number in (0, 0)])) - {theme.MUTED}) <= 6
    )
