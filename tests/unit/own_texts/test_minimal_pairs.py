"""Minimal pairs of one's own: good rows are used, bad ones are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlpviz.data.own_texts import OwnTextsError, Source
from nlpviz.data.own_texts.minimal_pairs import (
    MOST_CAPABILITIES,
    MOST_PAIRS,
    read_minimal_pairs,
)
from nlpviz.data.own_texts.rows import UsableRows
from nlpviz.results.minimal_pairs import MinimalPair

HEAD = "first,second,expected,capability\n"


def read(folder: Path, text: str, name: str = "pairs.csv") -> UsableRows[MinimalPair]:
    (folder / name).write_text(text, encoding="utf-8")
    return read_minimal_pairs(Source(str(folder / name)))


def test_good_rows_are_used_and_bad_ones_named(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        HEAD + "Good.,Not good.,Positive / negative,mine\n"
        "Good.,,lower,mine\n"
        "Good.,Bad.,worse,mine\n"
        '"Good, but long.",Bad.,LOWER,\n'
        "Same.,Same.,same,mine\n"
        "one,two\n"
        "Good.,Bad.,lower,mine,more\n"
        f"Good.,{'bad ' * 600},lower,mine\n",
    )
    assert found.rows == (
        MinimalPair("mine", "mine", "Good.", "Not good.", "positive/negative"),
        MinimalPair("your pairs", "your pairs", "Good, but long.", "Bad.", "lower"),
    )
    assert [row.number for row in found.bad] == [3, 4, 6, 7, 8, 9]
    assert found.bad_count == 6
    assert found.said.startswith("pairs.csv: 2 of 8 rows used. Excluded: row 3 has no words in the column")
    assert "row 4 expects 'worse', which is not among positive/positive" in found.said
    assert "row 6 has the same text twice" in found.said
    assert found.said.endswith("; … 1 more.")


def test_other_forms_and_orders_of_columns_are_read(tmp_path: Path) -> None:
    line = '{"Expected": "same", "Second": "She is good.", "First": "He is good.", "id": 7}\n'
    (one,) = read(tmp_path, line, "pairs.jsonl").rows
    assert one == MinimalPair("your pairs", "your pairs", "He is good.", "She is good.", "same")
    assert read(tmp_path, line, "pairs.jsonl").said == "pairs.jsonl: 1 of 1 row used."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\nc,d\n", "no column 'first' and no column 'second' and no column 'expected'"),
        (HEAD + "good,bad,worse,x\n", "contains no usable pairs: row 2 expects 'worse'"),
        ("", "is empty"),
        ("first,second,good\nfine,bad,1\n", "no column 'expected'"),
    ],
)
def test_a_file_without_pairs_is_refused_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(OwnTextsError, match=said):
        read(tmp_path, text)


def test_what_is_read_is_bounded(tmp_path: Path) -> None:
    found = read(tmp_path, HEAD + "".join(f"good {n},bad,lower,x\n" for n in range(MOST_PAIRS + 1)))
    assert (len(found.rows), found.cut) == (MOST_PAIRS, MOST_PAIRS)
    assert found.said.endswith(f"Only the first {MOST_PAIRS:,} rows were read.")
    found = read(tmp_path, HEAD + "".join(f"good,bad,lower,c{n}\n" for n in range(MOST_CAPABILITIES + 2)))
    assert (len(found.rows), found.bad_count) == (MOST_CAPABILITIES, 2)
