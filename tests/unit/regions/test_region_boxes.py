"""Boxed text: what was typed, all of it; the strongest regions that do not overlap; and no markup but ours."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from nlpviz.figures.regions.bars import RankedRegions
from nlpviz.figures.regions.boxes import MOST, box_key_html, boxed, boxed_html
from nlpviz.figures.tokens import showable
from nlpviz.results.regions import Branch, PredictiveRegions
from nlpviz.text.vocabulary import EncodedText
from tests.unit.ui.test_token_html import Parsed, encoded, texts, without_breaks


def ranked(of: EncodedText, contributions: dict[int, list[float]], rank: str = "contribution") -> RankedRegions:
    """Return regions of a text: for each size, what each place contributes, by one filter a place."""
    branches = []
    for size, amounts in contributions.items():
        values = np.array(amounts, dtype=np.float32)
        positions = np.arange(len(values))
        branches.append(Branch(size, abs(values), positions, abs(values) + 1, values))
    result = PredictiveRegions(
        run="toy", epoch=1, encoded=of, target=1, class_names=("bad", "<good>"),
        probabilities=np.array([0.2, 0.8], np.float32), class_score=0.0, bias=0.0, branches=tuple(branches),
    )  # fmt: skip
    return RankedRegions(result, rank, tuple(result.ranked(rank)), {region.words: 2 for region in result.regions})


@given(text=texts, max_length=some.integers(0, 12), data=some.data(), rank=some.sampled_from(["contribution", "norm"]))
def test_text_is_kept_and_no_markup_is_made(text: str, max_length: int, data: some.DataObject, rank: str) -> None:
    of = encoded(text, max_length)
    read = len(of.ids)
    amounts = some.floats(-5, 5, width=32)
    contributions = {
        size: data.draw(some.lists(amounts, min_size=read - size + 1, max_size=read - size + 1))
        for size in (1, 2, 3)
        if read >= size
    }
    shown = ranked(of, contributions, rank)
    selected = data.draw(some.sampled_from(shown.result.regions)) if shown.result.regions else None
    parsed = Parsed(boxed_html(shown, 5.0, selected))
    assert without_breaks(parsed.text) == without_breaks(showable(text))
    assert parsed.depth == 0
    assert {tag for tag, _ in parsed.tags} <= {"div", "span"}
    assert {name for _, attributes in parsed.tags for name in attributes} <= {
        "class", "title", "style", "role", "aria-label", "dir", "data-note",
    }  # fmt: skip


@given(amounts=some.lists(some.floats(-5, 5, width=32), min_size=40, max_size=40))
def test_boxes_never_overlap_and_are_the_strongest(amounts: list[float]) -> None:
    of = encoded(" ".join(f"w{position}" for position in range(40)))
    shown = ranked(of, {1: amounts, 3: amounts[:38]})
    boxes = boxed(shown)
    assert len(boxes) <= MOST
    assert all(first.start + len(first.words) <= second.start for first, second in pairwise(boxes))
    assert all(region.contribution for region in boxes)
    if not boxes:
        assert not any(region.contribution for region in shown.regions)
        return
    assert shown.regions[0] in boxes
    weakest = min(abs(region.contribution) for region in boxes)
    free = set(range(40)) - {position for box in boxes for position in range(box.start, box.start + len(box.words))}
    if len(boxes) == MOST:
        left = [region for region in shown.regions if set(range(region.start, region.start + region.size)) <= free]
        assert all(abs(region.contribution) <= weakest for region in left)


def test_sign_is_told_by_class_and_strength_by_share() -> None:
    shown = ranked(encoded("Good, not bad"), {1: [2.0, 0.0, 0.0, -1.0]})
    parsed = Parsed(boxed_html(shown, 4.0))
    classes = [attributes["class"] for _, attributes in parsed.tags[1:]]
    assert classes[0] == "nlpviz-box nlpviz-box-for"
    assert classes[-1] == "nlpviz-box nlpviz-box-against"
    assert [attributes["style"] for _, attributes in parsed.tags if "nlpviz-box" in str(attributes["class"])][1:] == [
        "--nlpviz-share:27.5%", "--nlpviz-share:13.8%",
    ]  # fmt: skip
    assert parsed.titles()[0] == "good: contribution +2.00, norm 2.00, wins 1 filter, occurs 2 times in training"


def test_a_region_of_several_words_is_one_box_with_what_lies_between_them() -> None:
    shown = ranked(encoded("so  bad,\nreally"), {2: [0.1, -3.0, 0.2]})
    html = boxed_html(shown, 3.0)
    assert ">bad,</span>\nreally" in html


def test_the_chosen_region_is_boxed_although_a_stronger_one_overlaps_it() -> None:
    shown = ranked(encoded("a good film"), {1: [0.0, 3.0, 0.0], 2: [1.0, 0.0]})
    weak = next(region for region in shown.result.regions if region.size == 2)
    assert weak not in boxed(shown)
    assert weak in boxed(shown, weak)
    assert boxed_html(shown, 3.0, weak).count("nlpviz-box-selected") == 1
    assert "nlpviz-box-selected" not in boxed_html(shown, 3.0)


def test_unknown_and_cut_off_words_are_marked() -> None:
    of = encoded("a zzyzx film, cut here", max_length=3, unknown=frozenset({"zzyzx"}))
    html = boxed_html(ranked(of, {3: [1.0]}), 1.0)
    assert 'film</span><span class="nlpviz-cut"' in html, "the box ends where the model read no further"
    assert 'title="zzyzx: out of vocabulary, read as &lt;unk&gt;">zzyzx</span>' in html
    assert 'data-note="✂ truncated: the model did not read the rest">, cut here</span></div>' in html
    assert Parsed(html).text == "a zzyzx film, cut here"
    assert html.count("nlpviz-cut") == 1


def test_the_key_names_the_target_and_the_norm_has_no_sign() -> None:
    shown = ranked(encoded("good film"), {1: [1.0, -2.0]})
    key = box_key_html(shown, 2.0)
    assert "evidence against <b>&lt;good&gt;</b>" in key
    assert "full colour: 2.00 log-odds" in key
    assert "speaks" not in box_key_html(ranked(encoded("good"), {1: [1.0]}, "norm"), 1.0)
    assert "nlpviz-box-size" in boxed_html(ranked(encoded("good"), {1: [-1.0]}, "norm"), 1.0)
