"""What people call languages."""

from __future__ import annotations

import pytest

from nlpviz.text.languages import NAMES, code_of, pair_title, title, within


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("en", "en"),
        (" FR ", "fr"),
        ("German", "de"),
        ("māori", "mi"),
        ("pt-BR", "pt-BR"),
        ("zh_Hans", "zh-Hans"),
        ("text", ""),
        ("eng", ""),
        ("", ""),
        ("xx-YY", ""),
        ("en-fr", ""),
    ],
)
def test_a_language_is_known_by_code_and_name(name: str, code: str) -> None:
    assert code_of(name) == code


def test_every_code_has_two_letters_and_a_name_of_its_own() -> None:
    assert len(NAMES) == len(set(NAMES.values())) == 183
    assert all(len(code) == 2 and code.islower() and name[0].isupper() for code, name in NAMES.items())


def test_titles() -> None:
    assert title("pt-BR") == "Portuguese (pt-BR)"
    assert title("klingon") == "klingon"
    assert (within("de"), within("source"), within("klingon")) == ("German", "the source language", "klingon")
    assert pair_title("en", "de") == "English to German"
    assert pair_title("source", "target") == "Source to target"
