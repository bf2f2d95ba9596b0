"""Other names of views, under which the palette finds them."""

from __future__ import annotations

from nlpviz.ui import search_terms, views


def test_every_other_name_is_of_a_view_that_is_there() -> None:
    there = {(place.page, place.query.get("view", "")) for places in views.places().values() for place in places}
    assert set(search_terms._NAMES) <= there


def test_no_name_is_given_twice_to_a_view() -> None:
    for names in search_terms._NAMES.values():
        split = names.split("|")
        assert len(set(split)) == len(split)
        assert all(split)
