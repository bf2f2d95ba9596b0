"""What captions reach, worked by hand: truth, where the network looked, and what is shared with people's captions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import torch
from sacrebleu import corpus_bleu

from benchmarks.peers.plain_captions import captions_one_by_one
from nlpviz.data.captioned import CaptionedImages
from nlpviz.data.scene_objects import Shape
from nlpviz.data.scene_pictures import render
from nlpviz.data.scenes import held_out
from nlpviz.language.decoding.bleu import bleu_of_several
from nlpviz.language.decoding.captions import LONGEST, cells_of, describe, judge, measure_captions
from nlpviz.networks.architectures.captioner import Captioner, CaptionerConfig
from nlpviz.results.captions import Caption
from nlpviz.runs.captioners import TrainedCaptioner
from nlpviz.text.vocabulary import EOS, PAD, UNKNOWN, Vocabulary
from nlpviz.training.captioner_fit import batch_of, loss_of, score

RED, BLUE = Shape("red", "square", "small", 12, 12), Shape("blue", "circle", "large", 44, 44)
SCENE = (RED, BLUE)


def caption(text: str, looked: Sequence[tuple[int, int]] = (), share: float = 0.7) -> Caption:
    """Return a caption whose words look at places of the grid with so much of their weight, the rest elsewhere."""
    words = tuple(text.split())
    weights = np.full((len(words), 8, 8), (1 - share) / 63, dtype=np.float32)
    for number, (row, column) in enumerate(looked or [(0, 0)] * len(words)):
        weights[number, row, column] = share
    return Caption("toy", 1, words, np.full(len(words), 0.5, np.float32), weights, None)


def test_cells_of_an_object() -> None:
    """Pixels 6 to 18 of the red square are in cells 0, 1 and 2; the blue circle's, 34 to 54, in 4, 5 and 6."""
    cells = cells_of(RED, 8)
    assert sorted(zip(*(axis.tolist() for axis in np.nonzero(cells)), strict=True)) == [
        (row, column) for row in range(3) for column in range(3)
    ]
    assert cells_of(BLUE, 8)[4:7, 4:7].all()
    assert cells_of(BLUE, 8).sum() == 9
    assert cells_of(Shape("red", "square", "small", 57, 57), 8)[6:, 6:].all()


def test_looks_are_counted_for_words_that_name_an_object_of_a_true_caption() -> None:
    told = caption("a red square above a blue circle", [(0, 0), (1, 1), (7, 7), (0, 0), (0, 0), (5, 5), (0, 0)])
    found = measure_captions([told], [SCENE])
    assert (found.documents, found.true, found.grammatical, found.pairs) == (1, 1.0, 1.0, 1.0)
    assert (found.looks, found.on_object) == (4, 0.5)  # "red" and "blue" look at theirs
    assert found.chance == pytest.approx(9 / 64)
    on, off = 0.7 + 8 * 0.3 / 63, 9 * 0.3 / 63
    assert found.mass == pytest.approx((on + off) / 2, rel=1e-5)


def test_a_caption_is_true_or_not() -> None:
    texts = ["a red square", "a small red square", "a large red square", "a blue circle below", "a blue circle"]
    found = measure_captions([caption(text) for text in texts], [SCENE] * 5)
    assert (found.true, found.grammatical, found.pairs) == (0.6, 0.8, 0.0)
    assert found.looks == 2 + 3 + 2
    nothing = measure_captions([caption("red")], [SCENE])
    assert (nothing.true, nothing.looks, nothing.on_object, nothing.chance) == (0, 0, 0, 0)
    assert measure_captions([], []).documents == 0


def test_several_references_and_their_number() -> None:
    texts = ["a red square above", "the dog runs in the park today"]
    references = [["A red square.", "A red square above it"], ["the dog runs in the park"]]
    padded = [["A red square.", "the dog runs in the park"], ["A red square above it", ""]]
    assert bleu_of_several(texts, references) == pytest.approx(corpus_bleu(texts, padded, lowercase=True).score)
    assert bleu_of_several(["the dog runs in the park"], [["nothing", "the dog runs in the park"]]) == pytest.approx(
        100
    )


def test_captions_are_judged_by_what_is_known() -> None:
    captions = ((["a", "red", "square", ",", "above", "."], ["a", "blue", "thing", "here"]),)
    told = CaptionedImages(render(SCENE)[None], tuple(tuple(map(tuple, one)) for one in captions))
    assert told.texts(0) == ("a red square, above.", "a blue thing here")
    found = judge([caption("a red square , above .")], told)
    assert found == {"documents": 1, "references": 2, "bleu": pytest.approx(100), "length": 6}
    known = CaptionedImages(told.images, told.captions, (SCENE,))
    assert judge([caption("a red square")], known)["true"] == 1


def trained(attention: str = "soft", bias: dict[str, float] | None = None, side: int = 64) -> TrainedCaptioner:
    torch.manual_seed(0)
    vocabulary = Vocabulary.count([["red", "square", "red", EOS]], 10, 1)
    config = CaptionerConfig(len(vocabulary), side, channels=6, dimensions=5, units=7, attention=attention)
    network = Captioner(config).eval()
    with torch.no_grad():
        for word, value in (bias or {}).items():
            network.output.bias[int(vocabulary.ids([word])[0])] += value
        network.output.bias[[PAD, UNKNOWN]] += 50  # what the network may want most
    return TrainedCaptioner("toy", 1, network, vocabulary)


@pytest.mark.parametrize("attention", ["soft", "hard"])
def test_captions_in_a_batch_are_those_of_single_images(attention: str) -> None:
    images = np.stack([render(SCENE), render((RED,)), render((BLUE,))])
    network = trained(attention)
    whole = describe(network, images)
    for place, one in enumerate(whole):
        (alone,) = describe(network, images[place : place + 1])
        assert alone.words == one.words
        np.testing.assert_allclose(alone.weights, one.weights, atol=1e-6)
        np.testing.assert_allclose(one.weights.sum(axis=(1, 2)), 1, rtol=1e-5)
        if attention == "hard":
            assert one.places is not None
            np.testing.assert_array_equal(one.places, one.looked)


def test_hard_attention_looks_at_the_only_place_of_a_small_image() -> None:
    (told,) = describe(trained("hard", {"red": 60}, side=8), render(SCENE)[None, :, :8, :8])
    assert told.places is not None
    assert told.places.tolist() == [[0, 0]] * LONGEST


def test_captions_are_those_of_a_plain_loop() -> None:
    """The benchmark's peer: the equations, an image and a word at a time."""
    network = trained(bias={EOS: -60})
    images = held_out("test", 3).images
    expected = captions_one_by_one(network.module, torch.from_numpy(images), LONGEST, network.eos)
    assert [network.vocabulary.ids(one.words).tolist() for one in describe(network, images)] == expected


def test_a_caption_ends_or_is_cut_off_and_has_no_special_word() -> None:
    (endless,) = describe(trained(bias={"red": 60}), render(SCENE)[None])
    assert (endless.words, endless.ended) == (("red",) * LONGEST, False)
    (empty,) = describe(trained(bias={EOS: 60}), render(SCENE)[None])
    assert (empty.words, empty.ended, empty.text) == ((), True, "")
    assert empty.weights.shape == (0, 8, 8)


def test_the_loss_is_over_all_captions_of_all_images() -> None:
    network = trained()
    red, square = ("red",), ("red", "square")
    told = CaptionedImages(np.stack([render(SCENE), render((RED,))]), ((red, square), (square,)))
    loss, words = loss_of(network.module, network.vocabulary, told)
    assert words == 2 + 3 + 3
    singles = [
        loss_of(network.module, network.vocabulary, CaptionedImages(told.images[place : place + 1], ((one,),)))
        for place, one in ((0, red), (0, square), (1, square))
    ]
    assert loss == pytest.approx(sum(one * count for one, count in singles) / 8, rel=1e-5)
    ids = batch_of(told, network.vocabulary, torch.device("cpu")).ids
    assert ids.shape == (2, 3)
    assert int(ids[0, 2]) == PAD


def test_the_epoch_is_chosen_by_truth_and_without_it_by_loss() -> None:
    from nlpviz.results.history import CaptionEpoch

    def epoch(number: int, loss: float, true: float) -> CaptionEpoch:
        return CaptionEpoch(number, 1.0, loss, true, 1.0, 1.0)

    assert max([epoch(0, 3, 0.1), epoch(1, 2, 0.9), epoch(2, 1.5, 0.9), epoch(3, 1, 0.8)], key=score).epoch == 2
    unknown = float("nan")
    assert max([epoch(0, 3, unknown), epoch(1, 1, unknown), epoch(2, 2, unknown)], key=score).epoch == 1


def test_images_are_drawn_with_one_of_their_captions() -> None:
    pixels = np.arange(4, dtype=np.uint8).reshape(4, 1, 1, 1).repeat(3, axis=1)
    told = CaptionedImages(pixels, tuple(((f"{n}",), (f"{n}{n}",)) for n in range(4)), names=tuple("abcd"))
    drawn = told.some(np.random.default_rng(0), 4)
    assert sorted(drawn.images[:, 0, 0, 0].tolist()) == [0, 1, 2, 3]
    for image, (one,) in zip(drawn.images, drawn.captions, strict=True):
        assert one[0].strip(str(image[0, 0, 0])) == ""
    many = told.some(np.random.default_rng(0), 60)
    assert {words[0] for (words,) in many.captions} == {"0", "00", "1", "11", "2", "22", "3", "33"}
    assert told.first(2).names == ("a", "b")
    assert [len(part) for part in told.parts(3)] == [3, 3, 2]
    assert list(told.words()) == [(f"{n}" * times,) for n in range(4) for times in (1, 2)]
