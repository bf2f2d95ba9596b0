"""The frame: names and sections of the menu, and Markdown that shows a text as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.discovery import places
from nlpviz.ui.frame import escape_markdown, menu, page_files, page_name, sections


@pytest.mark.parametrize(
    ("file", "name"), [("app.py", "Overview"), ("35_Toy_tasks.py", "Toy tasks"), ("20_N-grams.py", "N-grams")]
)
def test_pages_are_named_after_their_files(file: str, name: str) -> None:
    assert page_name(Path(file)) == name


def test_sections_are_those_that_the_pages_name_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    named = {
        "90_Training.py": "Training",
        "60_Word_vectors.py": "Words",
        "05_Early.py": "Inside a classifier",
        "10_Documents.py": "",
        "95_Cost.py": "Training",
        "_draft.py": "Words",
    }
    for name, section in named.items():
        (tmp_path / name).write_text(f"SECTION = {section!r}\n" if section else '"""No section."""\n')
    result = {title: [file.name for file in files] for title, files in sections(tmp_path).items()}
    assert result == {
        "Inside a classifier": ["05_Early.py", "10_Documents.py"],
        "Words": ["60_Word_vectors.py"],
        "Training": ["90_Training.py", "95_Cost.py"],
    }


def test_a_page_that_changes_its_section_is_read_anew(tmp_path: Path) -> None:
    page = tmp_path / "10_Documents.py"
    for section in ("Words", "Training"):
        page.write_text(f"SECTION = {section!r}\n")
        assert list(sections(tmp_path)) == [section]


def test_every_page_names_its_section() -> None:
    folder = Path(__file__).parents[3] / "pages"
    assert all("\nSECTION = " in file.read_text(encoding="utf-8") for file in folder.glob("*.py"))


def test_the_menu_has_few_entries_in_few_sections() -> None:
    found = sections(Path(__file__).parents[3] / "pages")
    assert [file.stem for file in found.pop("")] == ["05_Tours"]  # beside the Overview: it leads through all sections
    assert 1 < len(found) <= 6
    assert all(1 < len(files) <= 3 for files in found.values()), {title: len(files) for title, files in found.items()}


def test_the_menu_leads_to_every_page_and_marks_the_one_shown() -> None:
    links = re.findall(r'<a href="\./([^"]*)"( aria-current=page)?>([^<]*)</a>', menu("Toy tasks"))
    names = [page_name(file) for file in page_files()]
    assert [name for _, _, name in links] == names
    assert [address for address, _, _ in links] == ["", *(name.replace(" ", "_") for name in names[1:])]
    assert [name for _, mark, name in links if mark] == ["Toy tasks"]


def test_the_menu_shows_names_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "10_A_&_<b>.py").write_text("SECTION = '<i>'\n")
    monkeypatch.setattr(places, "APP", tmp_path)
    assert '<p>&lt;i&gt;</p><a href="./A_%26_%3Cb%3E">A &amp; &lt;b&gt;</a>' in menu("Overview")


def test_no_sign_of_markdown_keeps_its_meaning() -> None:
    assert escape_markdown("*a* `b` [c](d) $e$ :red[f] <g>\n# h") == (
        r"\*a\* \`b\` \[c\]\(d\) \$e\$ \:red\[f\] \<g\> \# h"
    )


@pytest.mark.parametrize("text", ["http://a.b", "www.a.b", "a@b.c", ":streamlit:", "<-", "->", "--", ">=", "~="])
def test_what_streamlit_rewrites_after_parsing_is_parted(text: str) -> None:
    assert "\u2060" in escape_markdown(text)


@pytest.mark.parametrize("text", ["don't", "7/10", "so-so", ":-)", "a: b", "x = 1"])
def test_other_texts_get_no_invisible_sign(text: str) -> None:
    assert escape_markdown(text).replace("\\", "") == text


def page() -> None:
    """Stand in for a page, with its docstring."""
    from nlpviz.ui import frame

    frame.begin_page("Saliency")
    frame.ask("Which *words* moved this?\n\nOne sentence\nin two lines.\n")
    frame.answer("**{label}**, {share:.0%}: *{word}* {{literally}}", label="pos", share=0.931, word="a_b*{c}")
    frame.explain_error("There is no *epoch* 12.")
    with frame.how_to_read():
        frame.st.write("inside")


@pytest.mark.parametrize(
    ("word", "shown"), [("bad", "*bad*, **bad**"), (",", r"“\,”, **\,**"), ("...", r"“\.\.\.”, **\.\.\.**")]
)
def test_punctuation_is_quoted_where_words_are_in_italics(word: str, shown: str) -> None:
    def page(word: str) -> None:
        from nlpviz.ui import frame

        frame.answer("*{word}*, **{word}**", word=word)

    app = AppTest.from_function(page, kwargs={"word": word}).run()
    assert app.markdown[0].value.replace("\u2060", "") == shown


def repetitive_page() -> None:
    """Stand in for a page that has the same to say of two models."""
    from nlpviz.ui import frame

    frame.begin_page("Saliency")
    frame.ask("The same twice?")
    frame.answer("No words were read.")
    frame.answer("No words were read.")


def test_page_may_say_the_same_twice() -> None:
    app = AppTest.from_function(repetitive_page).run()
    assert not app.exception
    assert [block.value for block in app.main.markdown] == ["No words were read."] * 2


def test_page_shows_its_question_and_escapes_what_it_is_given() -> None:
    app = AppTest.from_function(page).run()
    assert not app.exception
    assert app.title[0].value == r"Which \*words\* moved this\?"
    assert [block.value for block in app.main.markdown] == [
        r"One sentence in two lines\.",
        r"**pos**, 93%: *a\_b\*\{c\}* {literally}",
        "inside",
    ]
    assert app.error[0].value == r"There is no \*epoch\* 12\."
    assert app.expander[0].label == "How to read this"
    assert "Your texts" in app.sidebar.get("html")[0].value
