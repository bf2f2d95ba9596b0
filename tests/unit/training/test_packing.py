"""What travels of the corpora: each split once, in few bytes, and what every recipe makes of it where it arrives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from nlpviz.text.numbered import NumberedTexts
from nlpviz.training import Options, Recipe, packing
from nlpviz.training.arrays import numbered_as_arrays, numbered_of
from nlpviz.training.classifier import classifier_recipe
from nlpviz.training.codes import CodesSettings, codes_recipe
from nlpviz.training.compressed import decompress, write_compressed
from nlpviz.training.packing import open_pack, pack, packed_arrays, packed_source
from nlpviz.training.paragraphs import ParagraphSettings, paragraph_recipe
from tests import toy, translators

CPU = Options(device="cpu")


@pytest.fixture
def several(tmp_path: Path) -> Iterator[list[Recipe]]:
    """Recipes that read the same texts: with more words, with sentences, as bags, as paragraphs; and a translator."""
    with toy.discovered(tmp_path / "texts"), translators.discovered(tmp_path / "pairs"):
        small = replace(toy.settings("cnn"), vocabulary_size=20)
        yield [
            toy.recipe("cnn"),
            classifier_recipe("toy-small", "Small", small),
            toy.recipe("han"),
            codes_recipe("toy-codes", "Autoencoders", CodesSettings("toy", toy.CLASSES, "autoencoder", {}, words=30)),
            paragraph_recipe("toy-pv", "Paragraphs", ParagraphSettings("toy", toy.CLASSES, "pv-dm", {})),
            translators.recipe("none"),
        ]


@pytest.mark.parametrize("share", [1.0, 0.2])
def test_a_fit_elsewhere_reads_what_a_fit_reads_where_the_corpus_is(
    several: list[Recipe], tmp_path: Path, share: float
) -> None:
    there = tmp_path / "there"
    pack(several, there, CPU, share)
    for recipe in several:
        assert recipe.stages is not None
        with packing.rehearsal(share):
            here = recipe.stages.from_corpus(tmp_path, CPU)
            arrived = packed_arrays(there, recipe, CPU)
        assert arrived.keys() == here.keys()
        for name, array in here.items():
            np.testing.assert_array_equal(arrived[name], array)


def test_a_split_travels_once_whatever_recipes_read_it(several: list[Recipe], tmp_path: Path) -> None:
    (one,) = pack(several[:1], tmp_path / "one", CPU)
    (more,) = pack([several[0], several[1], *several[3:5]], tmp_path / "more", CPU)
    names = [recipe.name for recipe in (several[0], several[1], *several[3:5])]
    assert more.stat().st_size - one.stat().st_size < 50 * len(names), "names in pack.json"
    reads = open_pack(tmp_path / "more").reads
    assert reads == {name: ["toy-train", "toy-test"][: 2 if name in names[:2] else 1] for name in names}


def test_a_corpus_is_read_once_for_all_recipes(several: list[Recipe], tmp_path: Path) -> None:
    said: list[str] = []
    pack(several, tmp_path / "there", Options(say=said.append))
    assert len([line for line in said if line.startswith("Tokenizing")]) == 2
    assert len(said) == len(set(said)) == 8


def test_a_source_is_decompressed_once(several: list[Recipe], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(several[:1], tmp_path, CPU)
    packed_arrays(tmp_path, several[0], CPU)
    monkeypatch.setattr(packing, "decompress", None)
    assert numbered_of(packed_source(tmp_path, "toy-train"), "texts").lengths.sum() > 240


@pytest.mark.parametrize("words", [5, 65_535, 65_536, 70_000])
def test_rare_words_keep_their_numbers(words: int, tmp_path: Path) -> None:
    rows = [[f"w{number}" for number in range(words)], ["w1", "w4"], []]
    texts = NumberedTexts.of(rows)
    write_compressed(tmp_path / "texts.xz", numbered_as_arrays("texts", texts))
    decompress(tmp_path / "texts.xz", tmp_path / "texts")
    arrays = load_file(tmp_path / "texts")
    back = numbered_of(arrays, "texts")
    assert arrays["texts.ids"].dtype == (np.uint8 if words == 5 else np.uint16)
    assert list(back.words) == list(texts.words)
    np.testing.assert_array_equal(back.ids, texts.ids)
    assert back.lengths.tolist() == [words, 2, 0]


def test_numbers_of_common_words_take_few_bytes(tmp_path: Path) -> None:
    ranks = np.arange(1, 10_001)
    drawn = np.random.default_rng(0).choice(10_000, 200_000, p=1 / ranks / (1 / ranks).sum())
    counts = np.bincount(drawn)[np.bincount(drawn) > 0] / len(drawn)
    write_compressed(tmp_path / "ids", {"ids": drawn})
    entropy = -(counts * np.log2(counts)).sum() * len(drawn) / 8
    assert (tmp_path / "ids").stat().st_size < 1.1 * entropy
