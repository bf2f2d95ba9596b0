"""Every page and every view keeps to what a page may do; that it runs is tried in test_anything.py."""

from __future__ import annotations

import ast
from pathlib import Path

from nlpviz.ui.views import views_of
from tests.pages.conftest import Page

ROOT = Path(__file__).resolve().parents[2]
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def test_views_are_what_the_names_of_their_files_say() -> None:
    (page,) = (ROOT / "pages").glob("*_One_review.py")
    assert [(one.slug, one.title) for one in views_of(page)] == [
        ("saliency", "Saliency"),
        ("methods-compared", "Methods compared"),
        ("n-grams", "N-grams"),
        ("network", "Network"),
        ("attention", "Attention"),
        ("time-machine", "Time machine"),
        ("influence", "Influence"),
        ("edit", "Edit"),
    ]
    assert views_of(ROOT / "app.py") == []


def test_two_runs_may_say_the_same_of_an_analogy(page: Page) -> None:
    """Of one word the nearest word is that word, in every run."""
    app = page("Words", view="analogies", analogy="king", typed="in", run=["enwiki-glove", "enwiki-skipgram"])
    assert not app.exception


def test_page_only_puts_together(page_script: Path) -> None:
    """A page or a view is short, says what it is, defines nothing, and neither computes nor caches nor writes HTML."""
    source = page_script.read_text(encoding="utf-8")
    tree = ast.parse(source)
    assert ast.get_docstring(tree)
    assert len(source.splitlines()) <= 80
    assert not [node.name for node in ast.walk(tree) if isinstance(node, DEFINITIONS)]
    assert "torch" not in imported(tree)
    assert not attributes(tree) & {"cache_data", "cache_resource", "html"}


def test_no_markup_is_let_through() -> None:
    """Streamlit escapes what it shows unless it is asked not to; nothing here asks."""
    sources = [ROOT / "app.py", *(ROOT / "pages").rglob("*.py"), *(ROOT / "nlpviz").rglob("*.py")]
    asking = [
        source.name
        for source in sources
        if keywords(ast.parse(source.read_text(encoding="utf-8"))) & {"unsafe_allow_html", "unsafe_allow_javascript"}
    ]
    assert not asking


def imported(tree: ast.AST) -> set[str]:
    """Return the packages that a module imports."""
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names}


def attributes(tree: ast.AST) -> set[str]:
    """Return the names that stand after a dot."""
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def keywords(tree: ast.AST) -> set[str | None]:
    """Return the names of the arguments that calls name."""
    return {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword)}
