"""Reading a person's own file: every format, what is guessed, and what is wrong with files."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nlpviz.data.own_texts import OwnTextsError, Source, open_source, parsing
from nlpviz.data.own_texts.lines import read_lines
from nlpviz.data.own_texts.unpacking import FLOOR

Write = Callable[[str, str | bytes], Path]

TABLE = "id,body,queue\n1,the printer is broken,it\n2,when is pay day,hr\n3,no toner again,it\n4,a day off please,hr\n"


def read(path: Path, **named: str) -> list[tuple[str, str]]:
    """Return text and label of every row."""
    return [(row.text, row.label) for row in open_source(Source(str(path), **named)).rows()]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file and return where it is."""

    def written(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


EXPECTED = [
    ("the printer is broken", "it"), ("when is pay day", "hr"), ("no toner again", "it"), ("a day off please", "hr"),
]  # fmt: skip


def as_json_lines() -> str:
    return "".join(json.dumps(row) + "\n" for row in csv.DictReader(io.StringIO(TABLE)))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("tickets.csv", TABLE),
        ("tickets.tsv", TABLE.replace(",", "\t")),
        ("tickets", TABLE.replace(",", "\t")),
        ("tickets.csv", TABLE.replace(",", ";")),
        ("tickets.csv", TABLE.replace("\n", "\r\n")),
        ("tickets.csv", "\ufeff" + TABLE),
        ("tickets.csv", TABLE.encode("utf-16")),
        ("tickets.csv", TABLE.encode("utf-16-le")),
        ("tickets.jsonl", as_json_lines()),
        ("tickets", as_json_lines()),
    ],
)
def test_formats_columns_and_encodings_are_found(write: Write, name: str, content: str | bytes) -> None:
    assert read(write(name, content)) == EXPECTED


def test_what_was_guessed_is_said(write: Write) -> None:
    opened = open_source(Source(str(write("tickets.csv", TABLE))))
    assert opened.guesses == (
        "Encoding: UTF-8.",
        "Column delimiter: comma.",
        "Text column: 'body'.",
        "Label column: 'queue'.",
    )
    assert opened.columns == ("id", "body", "queue")
    assert (opened.source.text, opened.source.label, opened.source.delimiter) == ("body", "queue", ",")
    named = open_source(Source(opened.source.path, "Body", "queue", delimiter=",", encoding="utf-8"))
    assert named.guesses == ()
    assert named.source.text == "body"


def test_packed_files_and_parquet_are_read(write: Write, tmp_path: Path) -> None:
    packed = write("tickets.csv.gz", gzip.compress(TABLE.encode(), mtime=0))
    assert read(packed) == EXPECTED
    with pa.CompressedOutputStream(str(tmp_path / "tickets.csv.zst"), "zstd") as stream:
        stream.write(TABLE.encode())
    assert read(tmp_path / "tickets.csv.zst") == EXPECTED
    with zipfile.ZipFile(tmp_path / "tickets.zip", "w") as archive:
        archive.writestr("tickets.csv", TABLE)
        archive.writestr("__MACOSX/._tickets.csv", "junk")
    assert read(tmp_path / "tickets.zip") == EXPECTED
    rows = list(csv.DictReader(io.StringIO(TABLE)))
    pq.write_table(pa.table({name: [row[name] for row in rows] for name in rows[0]}), tmp_path / "tickets.parquet")
    assert read(tmp_path / "tickets.parquet") == EXPECTED


def test_folders_are_classes_and_splits(write: Write, tmp_path: Path) -> None:
    for split, kind, number in [("train", "pos", 1), ("train", "neg", 1), ("test", "pos", 2), ("test", "neg", 2)]:
        write(f"films/{split}/{kind}/{number}.txt", f"{split} {kind}")
    rows = list(open_source(Source(str(tmp_path / "films"))).rows())
    assert [(row.text, row.label, row.fields["split"]) for row in rows] == [
        (f"{split} {kind}", kind, split) for split in ("train", "test") for kind in ("neg", "pos")
    ]
    assert read(tmp_path / "films" / "train") == [("train neg", "neg"), ("train pos", "pos")]
    with pytest.raises(OwnTextsError, match="has no subfolders"):
        open_source(Source(str(tmp_path / "films" / "train" / "pos")))


def test_plain_text_is_a_text_a_line(write: Write) -> None:
    opened = open_source(Source(str(write("corpus.txt", "one, two\n\nthree: four\n"))))
    assert [row.text for row in opened.rows()] == ["one, two", "", "three: four"]
    assert opened.source.label == ""


def test_a_first_line_that_names_nothing_is_a_row(write: Write) -> None:
    path = write("spam", "ham\tgo until jurong point\nspam\tfree entry in 2\nham\tok lar\nspam\twinner\n")
    assert read(path)[0] == ("go until jurong point", "ham")


@pytest.mark.parametrize("quoted", ['"two\nlines, and ""quotes"""', '"two\r\nlines, and ""quotes"""'])
def test_a_quoted_newline_is_fine(write: Write, quoted: str) -> None:
    path = write("tickets.csv", f"body,queue\n{quoted},it\nplain,hr\n")
    assert read(path) == [('two\nlines, and "quotes"', "it"), ("plain", "hr")]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ('"never closed,it', "has an unclosed quotation mark"),
        ('"closed" early,it', "has an unescaped quotation mark within a cell"),
        ("one,two,three", "has 3 cells instead of 2"),
        ("alone", "has 1 cell instead of 2"),
        (b"\x81\x8d,it", "contains bytes that are neither UTF-8 nor Windows-1252"),
        ("x" * 5000 + ",it", "is longer than 1,000 characters"),
    ],
)
def test_a_bad_row_spoils_no_good_one(
    write: Write, monkeypatch: pytest.MonkeyPatch, bad: str | bytes, why: str
) -> None:
    monkeypatch.setattr(read_lines, "__defaults__", (1000,))
    bad = bad if isinstance(bad, bytes) else bad.encode()
    path = write("tickets.csv", b"body,queue\nfirst,it\n" + bad + b"\nlast,hr\nvery last,hr\n")
    opened = open_source(Source(str(path)))
    assert [row.text for row in opened.rows()] == ["first", "last", "very last"]
    assert [(row.number, row.why) for row in opened.bad] == [(3, why)]
    assert opened.bad_count == 1


def test_a_quotation_mark_never_closed_takes_bounded_memory(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "MOST_LINES", 10)
    path = write("tickets.csv", 'body,queue\n"open,it\n' + "fine,hr\n" * 50)
    assert read(path) == [("fine", "hr")] * 50


def test_tabs_without_quoting_are_read_as_they_stand(write: Write) -> None:
    path = write("films.tsv", 'label\ttext\npos\t"Great" film\nneg\t"Bad film\npos\tsaid "no" and left"\n')
    assert read(path) == [('"Great" film', "pos"), ('"Bad film', "neg"), ('said "no" and left"', "pos")]


def test_lines_of_two_encodings_are_both_read(write: Write) -> None:
    path = write("tickets.csv", "body,queue\ncafé,it\n".encode() + "naïve,hr\n".encode("cp1252"))
    opened = open_source(Source(str(path)))
    assert [row.text for row in opened.rows()] == ["café", "naïve"]
    assert "1 of the first 3 lines are not UTF-8 and are read as Windows-1252." in opened.guesses[0]
    named = open_source(Source(str(path), encoding="utf-8"))
    assert [row.text for row in named.rows()] == ["café"]
    assert named.bad[0].why == "contains bytes that are not UTF-8"


def test_a_column_that_is_not_there_names_the_nearest(write: Write) -> None:
    path = write("tickets.csv", TABLE)
    with pytest.raises(OwnTextsError, match=r"There is no column 'queu'; the closest names are 'queue'"):
        open_source(Source(str(path), label="queu"))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", "", "is empty"),
        ("blank.csv", "\n \n", "is empty"),
        ("binary.csv", b"\x00\x01\x02\xff" * 100, "is not a text file"),
        ("list.json", '[{"text": "a"}]', "a single JSON list"),
        ("bad.jsonl", "no object\n", "has no JSON object"),
        ("twice.csv", "text,label,text\na,b,c\n", "two columns named 'text'"),
        ("cut.csv.gz", gzip.compress(TABLE.encode() * 100, mtime=0)[:60], "damaged"),
        ("bad.parquet", b"PAR1 and nothing", "is damaged"),
        ("cut.zip", b"PK\x03\x04junk", "damaged"),
    ],
)
def test_what_is_wrong_with_a_file_is_a_sentence(write: Write, name: str, content: str | bytes, said: str) -> None:
    with pytest.raises(OwnTextsError, match=said) as refused:
        list(open_source(Source(str(write(name, content)))).rows())
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["../../etc/passwd"], "a path outside its folder"),
        (["/etc/passwd"], "a path outside its folder"),
        (["..\\..\\secret.csv"], "a path outside its folder"),
        (["texts\\..\\..\\secret.csv"], "a path outside its folder"),
        (["a.csv", "b.csv"], r"contains 2 files \(a.csv, b.csv\)"),
        (["[Content_Types].xml", "xl/workbook.xml"], "office document"),
        ([], "contains no files"),
    ],
)
def test_a_zip_holds_one_file_within_its_folder(tmp_path: Path, names: list[str], said: str) -> None:
    with zipfile.ZipFile(tmp_path / "texts.zip", "w") as archive:
        for name in names:
            archive.writestr(name, TABLE)
    with pytest.raises(OwnTextsError, match=said):
        open_source(Source(str(tmp_path / "texts.zip")))


def test_a_bomb_is_refused_and_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert FLOOR < 2**30
    monkeypatch.setattr("nlpviz.data.own_texts.unpacking.FLOOR", 2**10)
    with gzip.open(tmp_path / "bomb.csv.gz", "w") as stream:
        stream.write(b"text,label\n" + b"a" * 2**21 + b",b\n")
    with pytest.raises(OwnTextsError, match="unpacks to more than 200 times its size"):
        list(open_source(Source(str(tmp_path / "bomb.csv.gz"))).rows())
    assert [path.name for path in tmp_path.iterdir()] == ["bomb.csv.gz"]


def test_the_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OwnTextsError, match="There is no file"):
        open_source(Source(str(tmp_path / "nothing.csv")))
    path = tmp_path / "a.csv"
    path.write_text(TABLE)
    with pytest.raises(OwnTextsError, match="There is no encoding 'klingon'"):
        open_source(Source(str(path), encoding="klingon"))


CELL = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('",;\n\t='), max_size=30)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(CELL, CELL), min_size=1, max_size=12), bad=st.sampled_from(["", 'x,"y', "one,two,three"])
)
def test_what_csv_wrote_is_read_again(tmp_path: Path, rows: list[tuple[str, str]], bad: str) -> None:
    path = tmp_path / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["text", "label"])
        writer.writerows(rows)
        stream.write(f"{bad}\n" if bad else "")
    opened = open_source(Source(str(path), "text", "label", delimiter=",", encoding="utf-8"))
    assert [(row.text, row.fields["label"]) for row in opened.rows()] == rows
    assert opened.bad_count == bool(bad)
