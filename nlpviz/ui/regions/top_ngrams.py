"""The top n-grams on a page: which of its n-grams are asked for, and one of them in detail."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.data import DataError
from nlpviz.figures.numbers import number, unit_of_score
from nlpviz.figures.panels import reference
from nlpviz.figures.regions.bars import in_training
from nlpviz.figures.regions.top_ngrams import (
    ORDERS,
    NgramQuery,
    NgramRanking,
    found,
    longest_ngrams,
    ngram_by_epoch,
    ranking_bars,
    row_id,
    shown_each_way,
    strongest,
)
from nlpviz.results.survey import UNCOUNTED, RankedNgram
from nlpviz.runs import Checkpoint, Run, surveys
from nlpviz.text.vocabulary import SPECIALS, UNKNOWN
from nlpviz.ui import address, classes, compare, plotly_view, texts, widgets
from nlpviz.ui.cache import document_text as cached_text
from nlpviz.ui.cache import runs
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown, lead_to, more, takeaway
from nlpviz.ui.regions import cache
from nlpviz.ui.regions import ratings as ratings_in_texts
from nlpviz.ui.regions.choice import IN_TRAINING, pick_size

_SUPPORTS = ("30", "100", "10", "3")
_LENGTHS = ("long", "short")  # of the list in a picture
_LEFT_OUT = "more than half of their occurrences in the test texts are in a rating"


def pick_query(run: Run) -> NgramQuery:
    """Return what the visitor asks of the run's boards."""
    size = pick_size(run)
    words = st.text_input(
        "Contains", key="board_words", persist_state="session", max_chars=100, placeholder="a word, such as waste"
    )
    with more():
        orders = list(ORDERS)  # of many classes, what all texts hold adds up to more than what distinguishes one class
        by = widgets.pick("order", "Order", orders if len(run.class_names) == 2 else orders[::-1])
        times = widgets.pick("training", "In training", IN_TRAINING)
        support = _SUPPORTS[0]
        if times == "never":  # one document is enough: nothing is to say that it must be more
            address.leave_out("support", options=_SUPPORTS)
        else:
            support = widgets.pick("support", "Minimum support", _SUPPORTS, "{} documents".format)
        ratings = ratings_in_texts.pick_ratings(run)
        counts = {name: shown_each_way(single=size is not None, short=name == "short") for name in _LENGTHS}
        length = widgets.pick("list", "N-grams per side", _LENGTHS, lambda name: f"{counts[name]} of each size")
    return NgramQuery(
        size, int(support), by, times == "never", str(words or ""), ratings=ratings, short=length == "short"
    )


def rankings(checkpoints: Sequence[Checkpoint], query: NgramQuery, target: str) -> list[Call[NgramRanking]]:
    """Return what each checkpoint's ranking holds of what is asked for; a run without the class is left out.

    Raises:
        RunError: if a run was not surveyed.
    """
    asked = compare.with_class(checkpoints, target)
    return [
        Call(NgramQuery.rank, query, run.name, epoch, cache.top_ngrams(run, epoch, run.class_names.index(target)))
        for run, epoch in asked
    ]


def tell(shown: Sequence[NgramRanking], target: str) -> None:
    """Name the strongest n-gram of the first run's last epoch, and what it does to the score of ``target``."""
    chosen = reference(shown)
    rows = [row for _, rows in chosen.shown() for row in rows]
    if not rows:
        takeaway("None of the strongest n-grams match your filters.")
        return
    row = max(rows, key=lambda row: abs(chosen.value(row)))
    value = chosen.value(row)
    several, total = len({one.run for one in shown}) > 1, chosen.by == "total"
    begins = "{run}: " if several else "Epoch {epoch}: " if len(shown) > 1 else ""
    takeaway(
        begins + "“{ngram}” {moves} the {target} score most: {amount} " + ("in total." if total else "on average."),
        run=runs()[chosen.run].title,
        epoch=chosen.epoch,
        ngram=row.ngram,
        moves="raises" if value > 0 else "lowers",
        target=target,
        amount=number(value, ",.0f" if total and abs(value) >= 10 else ".2f"),
    )


def tell_ratings(shown: Sequence[NgramRanking]) -> None:
    """Say of each run what explicit ratings are worth to it."""
    for name in dict.fromkeys(ranking.run for ranking in shown):
        ratings_in_texts.tell_ratings(runs()[name])


def show(calls: Sequence[Call[NgramRanking]], target: str, selected: RankedNgram | None) -> None:
    """Show the rankings beside each other on one scale, up to three in a row; a click chooses an n-gram.

    Args:
        calls: one for each checkpoint.
        target: the class's name.
        selected: the n-gram that stands out.
    """
    shown = [call() for call in calls]
    scale, unit = strongest(shown), unit_of_score(len(runs()[shown[0].run].class_names))
    for position, (call, (title, cell)) in enumerate(zip(calls, compare.cells(shown, together=3), strict=True)):
        with cell:
            if len(shown) > 1:
                st.markdown(f"**{escape_markdown(title)}**")
            drawn = Call(ranking_bars, call, target, unit, scale, row_id(selected) if selected else None)
            plotly_view.show(drawn, key=f"board_{position}", on_click=widgets.set_to("ngram"))
            ratings_in_texts.tell_left_out(shown[position].left_out, _LEFT_OUT)


def show_strongest(run: Run, epoch: int, count: int = 7) -> None:
    """Show the ``count`` longest n-grams each way that move all predictions most, and name the strongest against.

    They are those of the last class, on the chosen epoch's scale.
    """
    if surveys.REGIONS not in run.files:
        st.caption("The top n-grams of this run have not been computed.")
        return
    both = [
        Call(longest_ngrams, run.name, one, cache.top_ngrams(run, one), support=int(_SUPPORTS[0]), count=count)
        for one in (run.best_epoch, epoch)
    ]
    scale = strongest([ranking() for ranking in both])
    against = min(both[1]().rows, key=lambda row: row.total, default=None)
    if against is not None and against.total < 0:
        answer(
            "In {support:,} test {document}s, “{ngram}” lowers the {target} score.",
            support=against.support,
            document=classes.document(run),
            ngram=against.ngram,
            target=run.class_names[-1],
        )
    drawn = Call(ranking_bars, both[1], run.class_names[-1], unit_of_score(len(run.class_names)), scale)
    plotly_view.show(drawn, key="strongest_ngrams", title="N-grams that move predictions most")


def pick_ngram(shown: Sequence[NgramRanking]) -> tuple[NgramRanking, RankedNgram] | None:
    """Return the n-gram that the visitor chose, with the ranking that it is on; None where there is none.

    An n-gram on several boards is that of the first run's last epoch. At first it is the strongest one there.
    """
    chosen = reference(shown)
    result: dict[str, tuple[NgramRanking, RankedNgram]] = {}
    for one in (chosen, *shown):
        rows = sorted((row for _, rows in one.shown() for row in rows), key=lambda row: -abs(one.value(row)))
        for row in rows:
            result.setdefault(row_id(row), (one, row))
    if not result:
        st.info("None of this epoch’s top n-grams match. Try a lower minimum support, another size or other words.")
        return None
    names = {key: f"{row.ngram}  {number(row.contribution)}" for key, (_, row) in result.items()}
    return result[widgets.pick("ngram", "N-gram", list(result), names.__getitem__)]


def show_ngram(shown: NgramRanking, row: RankedNgram, class_index: int) -> None:
    """Say what an n-gram of a ranking does, show it at every kept epoch, lead to the document where it does most."""
    run = runs()[shown.run]
    target, other = run.class_names[class_index], run.class_names[0]
    label = target if row.contribution > 0 else other if len(run.class_names) == 2 else f"not {target}"
    unknown = "; it contains an out-of-vocabulary word" if SPECIALS[UNKNOWN] in row.ngram.split() else ""
    seen = in_training(row.seen)
    answer(
        "Epoch {epoch}: “{ngram}” {moves} the {target} score in {support:,} of {documents:,} {document}s; "
        "{precision:.0%} of "
        "them are {label}" + (f". It {seen}." if seen else f"{unknown}."),
        epoch=shown.epoch,
        ngram=row.ngram,
        moves=f"adds {row.contribution:.2f} to" if row.contribution > 0 else f"subtracts {-row.contribution:.2f} from",
        target=target,
        support=row.support,
        documents=run.corpus["test"],
        document=classes.document(run),
        precision=row.precision,
        label=label,
    )
    rows, score = (
        {each: cache.top_ngrams(run, each, class_index) for each in run.surveyed},
        unit_of_score(len(run.class_names)),
    )
    plotly_view.show(Call(ngram_by_epoch, run.name, target, score, row_id(row), rows), key="ngram_by_epoch")
    missing = [str(epoch) for epoch, own in rows.items() if found(row_id(row), own()) is None]
    if missing:
        st.caption(
            f"Not among the top n-grams of epoch {', '.join(missing)}. Only the strongest n-grams of each epoch "
            "are stored."
        )
    label = f"The {classes.document(run)} to which it contributes most: {_quoted(run, row.example)}"
    lead_to("One review", label, "n-grams", text=row.example, run=run.name)


def _quoted(run: Run, identifier: str) -> str:
    """Return how a document begins; its id where the corpus is not on this computer."""
    try:
        return texts.quoted(cached_text(run.corpus["name"], identifier)) or identifier
    except DataError:
        return identifier


def show_rows(shown: NgramRanking) -> None:
    """Show the rows of the picture as a table that can be sorted, the most positive first."""
    rows = sorted((row for _, rows in shown.shown() for row in rows), key=lambda row: -row.contribution)
    with st.expander(f"All {len(rows)} n-grams shown at epoch {shown.epoch}, as a table"):
        st.dataframe(
            {
                "N-gram": [row.ngram for row in rows],
                "Mean contribution": [row.contribution for row in rows],
                "Total": [row.total for row in rows],
                "Documents": [row.support for row in rows],
                "Precision": [100 * row.precision for row in rows],
                "In training": [None if row.seen == UNCOUNTED else row.seen for row in rows],
                "Example": [row.example for row in rows],
            },
            hide_index=True,
            column_config={
                "Mean contribution": st.column_config.NumberColumn(format="%+.2f"),
                "Total": st.column_config.NumberColumn(format="%+.0f"),
                "Precision": st.column_config.NumberColumn(format="%.0f%%"),
            },
        )


def sample_row(picked: tuple[NgramRanking, RankedNgram] | None) -> str:
    """Return Markdown that says what the numbers of one row are; nothing where there is none."""
    if picked is None:
        return ""
    shown, row = picked
    run = runs()[shown.run]
    return (
        f"Here *{escape_markdown(row.ngram)}* wins filters in {row.support:,} of "
        f"{run.corpus['test']:,} test {classes.document(run)}s. It contributes {number(row.contribution)} on average "
        f"and "
        f"{f'{row.total:+,.0f}'.replace('-', '−')} in total."
    )
