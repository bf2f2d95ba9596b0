"""The user's sentence pairs: sentences with their translations, from two columns of a file or the lines of two.

Which columns, and in which languages they are, is guessed from names, said, and can be named instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from nlpviz.data.own_texts import Opened, OwnTextsError, Source, find_column, open_running
from nlpviz.data.own_texts.formats import beginning
from nlpviz.data.own_texts.lines import Line, encoding_said, read_lines
from nlpviz.data.own_texts.rows import LISTED
from nlpviz.data.own_texts.unpacking import PACKED, inner_name, unpacked
from nlpviz.results.own_texts import BadLine
from nlpviz.text.languages import UNNAMED, code_of, pair_title
from nlpviz.text.parallel import split as words_of

LONGEST = 1_000
"""Characters of a sentence: what is longer is a bad row."""
TWO_FILES = "two files with one sentence per line"

_TABLES = (".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson", ".parquet")
_SUFFIXES = (".txt", ".text", *PACKED)  # which say nothing of the language: train.en.txt
_RATHER = ("id", "no")  # columns that number rows, and are not in Indonesian or Norwegian
_LANGUAGE = re.compile(r"[^\W_](?:[^\W_]|-){0,31}")


@dataclass(frozen=True)
class PairSource:
    """Where pairs are: two columns of one file, or the lines of two.

    Attributes:
        texts: the file of the sentences, and their column where it has columns.
        translations: the column of the translations, or the path of the second file.
        languages: of the sentences and of their translations.
        two_files: which of both it is.
    """

    texts: Source
    translations: str
    languages: tuple[str, str]
    two_files: bool

    @property
    def files(self) -> tuple[str, ...]:
        """The names of what is read."""
        paths = (self.texts.path, self.translations) if self.two_files else (self.texts.path,)
        return tuple(Path(path).name for path in paths)


class FoundPairs(NamedTuple):
    """Pairs that were found.

    Attributes:
        source: where they are.
        guesses: sentences that say what was guessed.
        format: the title of the format.
    """

    source: PairSource
    guesses: tuple[str, ...]
    format: str


@dataclass
class GatheredPairs:
    """The pairs that can be used, N of them.

    Attributes:
        numbers: of their rows.
        sources: sentences, each white space in them one blank.
        targets: their translations, likewise.
        rows: read, bad and empty ones too.
        empty: rows with neither.
        bad: the first bad rows.
        bad_count: how many there are.
    """

    numbers: list[int] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    rows: int = 0
    empty: int = 0
    bad: list[BadLine] = field(default_factory=list)
    bad_count: int = 0

    def __len__(self) -> int:
        """Return N."""
        return len(self.numbers)

    def refuse(self, file: str, number: int, why: str) -> None:
        """Count a bad row, and list it while the list is short."""
        self.bad_count += 1
        if len(self.bad) < LISTED:
            self.bad.append(BadLine(file, number, why))


def find_pairs(texts: Source, translations: str = "", languages: Sequence[str] = ()) -> FoundPairs:
    """Return where pairs are, with what was left open guessed; of two files only the beginning is read.

    Args:
        texts: the file of the sentences; its column may be named.
        translations: the column of the translations, or a second file; empty where columns are called after languages.
        languages: of both; empty to go by the names of columns or files.

    Raises:
        OwnTextsError: if there is no such file or column, or the languages are not two.
    """
    asked = named_languages(languages)
    if _is_second_file(texts, translations):
        found = FoundPairs(
            PairSource(texts, translations, UNNAMED, two_files=True), _encodings(texts, translations), ""
        )
        found = found._replace(format=TWO_FILES)
        names, by = [_of_file(path) for path in (texts.path, translations)], "file names"
    else:
        found = _in_columns(texts, translations, asked)
        names, by = [found.source.texts.text, found.source.translations], "column names"
    if asked:
        return found._replace(source=replace(found.source, languages=asked))
    first, second = (code_of(name) for name in names)
    if first and second and first != second:
        said = f"Languages (from the {by}): {pair_title(first, second)}."
        return found._replace(source=replace(found.source, languages=(first, second)), guesses=(*found.guesses, said))
    said = (
        f"The {by} do not identify the languages, so the languages are called source and target. "
        "Name them with --languages, such as en-fr."
    )
    return found._replace(guesses=(*found.guesses, said))


def named_languages(languages: Sequence[str]) -> tuple[str, str] | tuple[()]:
    """Return the two languages that a person named, known ones by their codes; none where nobody did.

    Raises:
        OwnTextsError: if they are not two, are the same, or one is no name.
    """
    if not languages:
        return ()
    said = "-".join(languages)
    if len(languages) != 2:
        raise OwnTextsError(
            f"{said!r} are not two languages. Name the language of the texts and of the translations, such as en-fr."
        )
    first, second = (code_of(name) or name.strip() for name in languages)
    for name in (first, second):
        if not _LANGUAGE.fullmatch(name):
            raise OwnTextsError(f"{name[:40]!r} is not a valid language name. Use letters, such as en or English.")
    if first == second:
        raise OwnTextsError(
            f"Both languages are called {first!r}. Use two different names, such as complex and simple."
        )
    return first, second


def languages_in(said: str) -> tuple[str, ...]:
    """Return the languages that a person named in one go, parted by a comma or else by a hyphen: ``"en-fr"``."""
    return tuple(said.split("," if "," in said else "-")) if said.strip() else ()


def gather_pairs(source: PairSource) -> GatheredPairs:
    """Return the pairs that can be used; one with a side that is empty, too long or cannot be read is a bad row.

    Raises:
        OwnTextsError: if a file is damaged, two files have not as many lines, or no pair is left.
    """
    result = GatheredPairs()
    if source.two_files:
        _gather_lines(source, result)
    else:
        _gather_rows(source, result)
    if not len(result):
        first = f" {result.bad[0]}" if result.bad else ""
        raise OwnTextsError(f"{' and '.join(source.files)} contain no usable pairs.{first}")
    return result


# --------------------------------------------------------------------------------------------------- what is a pair


def _gather_rows(source: PairSource, result: GatheredPairs) -> None:
    """Gather the rows of a file with a column for each side."""
    opened = open_running(source.texts)
    column = find_column(opened.columns, source.translations)
    (file,) = source.files
    for row in opened.rows():
        _take(result, row.number, (row.text, row.fields[column]), ((file, opened.source.text), (file, column)))
    result.rows += opened.bad_count
    for bad in opened.bad:
        result.refuse(file, *bad)
    result.bad_count += opened.bad_count - len(opened.bad)


def _gather_lines(source: PairSource, result: GatheredPairs) -> None:
    """Gather the lines of two files that translate each other line by line."""
    files = source.files
    sides = [replace(source.texts, path=path) for path in (source.texts.path, source.translations)]
    counts = [0, 0]
    for lines in zip_longest(*(_lines(side) for side in sides)):
        counts = [count + (line is not None) for count, line in zip(counts, lines, strict=True)]
        if None in lines:
            continue
        if why := [(file, line.why) for file, line in zip(files, lines, strict=True) if line.why]:
            result.rows += 1
            result.refuse(why[0][0], lines[0].number, why[0][1])
        else:
            _take(result, lines[0].number, [line.text for line in lines], [(file, "") for file in files])
    if counts[0] != counts[1]:
        raise OwnTextsError(
            f"{files[0]} has {counts[0]:,} lines and {files[1]} {counts[1]:,}. Each line must be the "
            "translation of the corresponding line in the other file."
        )


def _take(result: GatheredPairs, number: int, sides: Sequence[str], places: Sequence[tuple[str, str]]) -> None:
    """Take a pair, or refuse it.

    Args:
        result: takes it.
        number: of its row.
        sides: both as they stand.
        places: of each side the file's name, and the column's where there are columns.
    """
    result.rows += 1
    texts = [" ".join(side.split()) for side in sides]
    if not any(texts):
        result.empty += 1
        return
    for text, (file, column) in zip(texts, places, strict=True):
        if why := _unusable(text, column):
            result.refuse(file, number, why)
            return
    result.numbers.append(number)
    result.sources.append(texts[0])
    result.targets.append(texts[1])


def _unusable(text: str, column: str) -> str:
    """Return why a side of a pair cannot be used, as half a sentence; ``""`` where it can."""
    if not text:
        return f"has no value in the column {column!r}" if column else "is empty, but its counterpart is not"
    where = f" in the column {column!r}" if column else ""
    if len(text) > LONGEST:
        return f"has more than {LONGEST:,} characters{where}, too many for a sentence"
    if not (any(map(str.isalnum, text)) or words_of(text, "")):
        return f"has no readable characters{where}"
    return ""


def _lines(side: Source) -> Iterator[Line]:
    """Yield the lines of a file."""
    start = beginning(side)
    with unpacked(start.path) as stream:
        yield from read_lines(stream, start.encoding)


# ------------------------------------------------------------------------------------------------- where pairs are


def _is_second_file(texts: Source, translations: str) -> bool:
    """Return whether translations are in a second file, rather than in a column of the first one.

    Raises:
        OwnTextsError: if they can be in neither.
    """
    start = beginning(texts)
    named_table = start.name.lower().endswith(_TABLES) or start.path.is_dir()
    if texts.text or texts.delimiter or named_table:
        return False
    if translations and Path(translations).expanduser().is_file():
        for path in (texts.path, translations):
            if not beginning(replace(texts, path=path)).is_text:
                raise OwnTextsError(f"{path} is not a text file with one sentence per line.")
        return True
    return False


def _encodings(texts: Source, translations: str) -> tuple[str, ...]:
    """Return sentences that say how two files are read."""
    lines = ("Each line is one sentence.",)
    if texts.encoding:
        return lines
    starts = [beginning(replace(texts, path=path)) for path in (texts.path, translations)]
    said = [encoding_said(start.head, start.encoding) for start in starts]
    if said[0] == said[1]:
        return (said[0], *lines)
    return (*(f"{start.path.name}: {one}" for start, one in zip(starts, said, strict=True)), *lines)


def _in_columns(texts: Source, translations: str, asked: tuple[str, str] | tuple[()]) -> FoundPairs:
    """Return pairs in two columns of a file: named, called after languages, or the only two."""
    opened = open_running(texts)
    if opened.table.running is not None:
        if not translations:
            raise OwnTextsError(f"{texts.path} has no columns. Name the translation file with --translations.")
        raise OwnTextsError(f"There is no file {translations}, and {texts.path} has no columns.")
    known = [find_column(opened.columns, name) for name in (texts.text, translations)]
    for at in (0, 1):
        known[at] = known[at] or _column(opened, at, known[1 - at], asked)
    if known[0] == known[1]:
        raise OwnTextsError(f"Sentences and translations are both in the column {known[0]!r}. Choose another column.")
    guessed = (
        () if texts.text and translations else (f"Sentence column: {known[0]!r}; translation column: {known[1]!r}.",)
    )
    about = [said for said in opened.guesses if not said.startswith("Text column")]
    source = PairSource(replace(opened.source, text=known[0]), known[1], UNNAMED, two_files=False)
    return FoundPairs(source, (*about, *guessed), opened.format)


def _column(opened: Opened, side: int, other: str, asked: tuple[str, str] | tuple[()]) -> str:
    """Return the column of one side by the names that columns have, and by that of the other side.

    Raises:
        OwnTextsError: if the names do not tell.
    """
    left = [name for name in opened.columns if name != other]
    called = [name for name in left if code_of(name) and name.casefold() not in _RATHER]
    if asked and (same := [name for name in left if (code_of(name) or name.strip()) == asked[side]]):
        return same[0]
    if len(left) == 1 or (len(left) == 2 and not (other or side)):
        return left[0]
    if len(called) == (1 if other else 2):
        return called[0]
    option, what = (("--text", "sentences"), ("--translations", "translations"))[side]
    listed = ", ".join(map(repr, opened.columns[:8])) + (", …" if len(opened.columns) > 8 else "")
    raise OwnTextsError(f"Which column contains the {what}? Choose it with {option}; columns found: {listed}.")


def _of_file(path: str) -> str:
    """Return what a file's name says of its language: the last part of ``"train.en.txt"`` or ``"corpus_fr.gz"``."""
    name = inner_name(Path(path).expanduser())
    while name.lower().endswith(_SUFFIXES):
        name = name.rpartition(".")[0]
    dotted = name.rpartition(".")[2]
    return dotted if code_of(dotted) else re.split(r"[._ -]", name)[-1]
