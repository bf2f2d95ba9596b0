"""Show me the code, where a view is not only opened and typed into: see test_anything.py."""

from __future__ import annotations

import pytest

from tests.conftest import views_of_pages
from tests.pages.code_states import FIELDS, STATES
from tests.pages.conftest import Page, figure
from tests.pages.test_anything import view_name


def test_it_is_tried_in_views_that_there_are(pytestconfig: pytest.Config) -> None:
    assert {*STATES, *FIELDS} <= {view_name(*one) for one in views_of_pages(pytestconfig.rootpath)}


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("Explore", {"view": "map", "beside": "imdb-cnn-seed-1"}),
    ],
)
def test_where_no_few_lines_give_the_numbers_there_is_none(page: Page, name: str, address: dict[str, str]) -> None:
    assert "code" not in figure(page(name, **address)), "the view's own figure, the first"
