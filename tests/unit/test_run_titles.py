"""Figures call runs by their titles where a page has told them, and by their names elsewhere."""

from __future__ import annotations

from nlpviz.figures.run_titles import in_words, known, title_of
from nlpviz.figures.view import provenance


def test_runs_are_called_by_their_titles_where_these_are_known() -> None:
    with known({"imdb-cnn": "CNN on IMDB", "imdb-cnn-static": "CNN with static vectors on IMDB"}):
        assert title_of("imdb-cnn") == "CNN on IMDB"
        assert (
            in_words("imdb-cnn, epoch 7; imdb-cnn-static.") == "CNN on IMDB, epoch 7; CNN with static vectors on IMDB."
        )
        assert in_words("imdb-cnn-2, my-imdb-cnn") == "imdb-cnn-2, my-imdb-cnn"
        assert provenance("imdb-cnn, epoch 7", "loss").startswith("CNN on IMDB, epoch 7 · loss · nlpviz ")
    assert title_of("imdb-cnn") == in_words("imdb-cnn") == "imdb-cnn"
