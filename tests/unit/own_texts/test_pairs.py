"""Pairs of one's own: where they are, in which languages, which can be used, and splits that do not leak."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpviz.data.own_texts import OwnTextsError, Source
from nlpviz.data.own_texts.pairs import LONGEST, TWO_FILES, GatheredPairs, find_pairs, gather_pairs
from nlpviz.data.own_texts.readers.translation import SPLITS, split
from nlpviz.data.own_texts.recipe import TextsRecipe
from nlpviz.data.own_texts.splitting import held_out_pairs, linked_pairs, normalised

Write = Callable[..., str]
TABLE = "id\ten\tfr\n1\tA dog.\tUn chien.\n2\tA cat.\tUn chat.\n3\tTwo cats.\tDeux chats.\n"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write lines into a file, and return where it is."""

    def written(name: str, *lines: str) -> str:
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return str(path)

    return written


def gathered(texts: str, translations: str = "", **named: str) -> GatheredPairs:
    return gather_pairs(find_pairs(Source(texts, **named), translations).source)


# ------------------------------------------------------------------------------------------------------ where they are


def test_two_files_are_read_line_by_line(write: Write) -> None:
    texts, translations = write("a.en", "A dog.", "A  cat."), write("a.fr", "Un chien.", "Un chat. ")
    found = find_pairs(Source(texts), translations)
    assert found.format == TWO_FILES
    assert found.source.languages == ("en", "fr")
    assert "Languages (from the file names): English to French." in found.guesses
    pairs = gather_pairs(found.source)
    assert (pairs.sources, pairs.targets) == (["A dog.", "A cat."], ["Un chien.", "Un chat."])


def test_columns_are_named_or_called_after_languages(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(TABLE, encoding="utf-8")
    for text, translations, languages in (("en", "fr", ()), ("", "fr", ()), ("", "", ()), ("", "", ("en", "fr"))):
        found = find_pairs(Source(str(path), text), translations, languages)
        assert (found.source.texts.text, found.source.translations) == ("en", "fr")
        assert found.source.languages == ("en", "fr")
        assert len(gather_pairs(found.source)) == 3
    backwards = find_pairs(Source(str(path)), "", ("French", "en")).source
    assert (backwards.texts.text, backwards.translations, backwards.languages) == ("fr", "en", ("fr", "en"))


def test_a_table_without_a_header_has_its_first_column_translated(write: Write) -> None:
    path = write("pairs.tsv", "One dog.\tUn chien.", "One dog.\tDeux chiens.", "One dog.\tUn chien.")
    found = find_pairs(Source(path))
    assert "Sentence column: '1'; translation column: '2'." in found.guesses
    assert found.source.languages == ("source", "target")
    assert gather_pairs(found.source).targets[1] == "Deux chiens."


@pytest.mark.parametrize(
    ("names", "languages"),
    [
        (("train.en", "train.de"), ("en", "de")),
        (("corpus.en-de.en.txt", "corpus.en-de.de.txt"), ("en", "de")),
        (("train_english.txt", "train_polish.txt"), ("en", "pl")),
        (("a.pt-BR", "a.pt-PT"), ("pt-BR", "pt-PT")),
        (("complex.txt", "simple.txt"), ("source", "target")),
        (("one.en", "two.en"), ("source", "target")),
        (("one.en", "two.txt"), ("source", "target")),
    ],
)
def test_languages_are_guessed_from_file_names(
    write: Write, names: tuple[str, str], languages: tuple[str, str]
) -> None:
    texts, translations = (write(name, "A dog.") for name in names)
    assert find_pairs(Source(texts), translations).source.languages == languages
    assert find_pairs(Source(texts), translations, ("Welsh", "dog-latin")).source.languages == ("cy", "dog-latin")


@pytest.mark.parametrize(
    ("languages", "said"),
    [
        (("en",), "are not two languages"),
        (("en", "fr", "de"), "are not two languages"),
        (("en", "English"), "Both languages are called 'en'"),
        (("en", "<b>"), "is not a valid language name"),
        (("en", ""), "is not a valid language name"),
    ],
)
def test_languages_that_are_none(write: Write, languages: tuple[str, ...], said: str) -> None:
    with pytest.raises(OwnTextsError, match=said):
        find_pairs(Source(write("a.en", "A dog.")), write("a.fr", "Un chien."), languages)


def test_what_is_nowhere_is_told(write: Write, tmp_path: Path) -> None:
    lines, table = write("a.en", "A dog."), tmp_path / "pairs.tsv"
    table.write_text(TABLE.replace("en\tfr", "one\ttwo"), encoding="utf-8")
    for path, text, translations, said in (
        (lines, "", "", "has no columns. Name the translation file"),
        (lines, "", "missing.fr", "There is no file missing.fr"),
        (str(table), "", "", "Which column contains the sentences"),
        (str(table), "", "two", "Which column contains the sentences"),
        (
            str(table),
            "one",
            "",
            "Which column contains the translations\\? Choose it with --translations; columns found: 'id', 'one'",
        ),
        (str(table), "one", "three", "There is no column 'three'"),
        (str(table), "one", "one", "both in the column 'one'"),
    ):
        with pytest.raises(OwnTextsError, match=said):
            find_pairs(Source(path, text), translations)


# ------------------------------------------------------------------------------------------------- what can be used


def test_files_of_different_length_are_refused(write: Write) -> None:
    texts, translations = write("a.en", *"abc"), write("a.fr", *"ab")
    with pytest.raises(OwnTextsError, match=r"a.en has 3 lines and a.fr 2. Each line must be the translation"):
        gathered(texts, translations)


def test_bad_rows_are_listed_and_spoil_no_other_pair(write: Write, tmp_path: Path) -> None:
    texts = write("a.en", "A dog.", "", "A cat.", "", "x" * (LONGEST + 1), "A bird.", "\u200b", "odd", "A cow.")
    translations = write("a.fr", "Un chien.", "Rien.", "  ", "", "x", "Un oiseau.", "Rien.", "BAD", "Une vache.")
    content = Path(translations).read_bytes().replace(b"BAD", b"\x81\x8d")
    Path(translations).write_bytes(content)
    pairs = gathered(texts, translations)
    assert list(zip(pairs.sources, pairs.targets, strict=True)) == [
        ("A dog.", "Un chien."),
        ("A bird.", "Un oiseau."),
        ("A cow.", "Une vache."),
    ]
    assert (pairs.numbers, pairs.rows, pairs.empty, pairs.bad_count) == ([1, 6, 9], 9, 1, 5)
    assert [str(bad) for bad in pairs.bad] == [
        "Row 2 of a.en is empty, but its counterpart is not.",
        "Row 3 of a.fr is empty, but its counterpart is not.",
        "Row 5 of a.en has more than 1,000 characters, too many for a sentence.",
        "Row 7 of a.en has no readable characters.",
        "Row 8 of a.fr contains bytes that are neither UTF-8 nor Windows-1252.",
    ]
    table = tmp_path / "pairs.tsv"
    table.write_text(TABLE + "4\t\tUn rien.\n5\tonly\n", encoding="utf-8")
    pairs = gathered(str(table), "fr")
    assert (len(pairs), pairs.rows, pairs.bad_count) == (3, 5, 2)
    assert {str(bad) for bad in pairs.bad} >= {"Row 5 of pairs.tsv has no value in the column 'en'."}


def test_no_pair_at_all_is_told(write: Write) -> None:
    with pytest.raises(OwnTextsError, match=r"contain no usable pairs. Row 1 of a.fr is empty"):
        gathered(write("a.en", "A dog.", ""), write("a.fr", "", "Un chat."))


# ------------------------------------------------------------------------------------------------------------- splits


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=60))
def test_equal_sides_link_pairs(numbers: list[tuple[int, int]]) -> None:
    pairs = [(f"Sentence {one}", f"Translation  {other}") for one, other in numbers]
    linked = linked_pairs(pairs)
    for side in (0, 1):
        of_text: dict[str, set[int]] = {}
        for pair, group in zip(pairs, linked.tolist(), strict=True):
            of_text.setdefault(pair[side], set()).add(group)
        assert all(len(groups) == 1 for groups in of_text.values())
    apart = {frozenset(np.flatnonzero(linked == group).tolist()) for group in set(linked.tolist())}
    for group in apart:  # none is larger than need be: each pair of a group has an equal side in it
        assert len(group) == 1 or all(
            any(pairs[at][0] == pairs[other][0] or pairs[at][1] == pairs[other][1] for other in group if other != at)
            for at in group
        )


def test_no_side_of_a_test_pair_is_trained_on() -> None:
    rng = np.random.default_rng(0)
    train = GatheredPairs(
        numbers=list(range(400)),
        sources=[f"Sentence {number}" for number in rng.integers(0, 300, 400)],
        targets=[f"translation {number}" for number in rng.integers(0, 1500, 400)],
    )
    recipe = TextsRecipe("", "", "", held_out=0.2, validation=0.1, languages=("en", "fr"))
    splits = split(recipe, train, None)
    sizes = [len(splits[name]) for name in SPLITS]
    assert sum(sizes) == 400
    assert 60 <= sizes[2] <= 120
    assert 20 <= sizes[1] <= 60
    for language in ("en", "fr"):
        sides = [{normalised(text) for text in splits[name].texts[language]} for name in SPLITS]
        assert not (sides[0] & sides[1] | sides[0] & sides[2] | sides[1] & sides[2])
    again = split(recipe, train, None)
    assert again == splits


def test_pairs_that_all_hang_together_are_refused() -> None:
    pairs = [("Yes.", f"Oui {number}") for number in range(50)]
    with pytest.raises(OwnTextsError, match="linked by shared sentences"):
        held_out_pairs(pairs, np.arange(50), 0.1, 0)
