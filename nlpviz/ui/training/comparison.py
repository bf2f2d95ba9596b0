"""Which classifier is better? Pairwise on the same test documents, and only where a paired test is significant."""

from __future__ import annotations

import streamlit as st

from nlpviz.data import corpora
from nlpviz.figures.training.comparison import comparison_matrix
from nlpviz.results.comparison import Comparison
from nlpviz.run_kinds.comparison import comparisons
from nlpviz.runs import Run
from nlpviz.ui import cache, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown, takeaway

_NAMED = 2  # models in a sentence


def show_comparison() -> None:
    """Show how each corpus's classifiers differ, with intervals and tests, and which do not differ significantly."""
    runs = sorted(cache.runs().values(), key=lambda run: run.name)
    found = _comparisons(runs)
    if not found:
        st.info(
            "The comparison needs stored predictions of at least two classifiers on the same corpus. Store them "
            "with `python -m nlpviz survey RUN`."
        )
        takeaway("No two of the {count} models are comparable.", count=len(runs))
    for corpus, shown in found.items():
        title = corpora()[corpus].title if corpus in corpora() else corpus
        if corpus == next(iter(found)):
            takeaway(
                "{best} is the most accurate: {share:.1%} of {documents:,} test documents.",
                best=shown.titles[0],
                share=shown.accuracies[0],
                documents=shown.documents,
            )
        else:
            st.header(f"Which model is best on {escape_markdown(title)}?", anchor=False)
        compared = Call(comparisons, [cache.runs()[name] for name in shown.runs]).giving(found)
        plotly_view.show(Call(comparison_matrix, compared.at(corpus), title), key=f"comparison_{corpus}")
        sentence, pieces = comparison_said(shown)
        answer(sentence, **pieces)


def offer_report() -> None:
    """Offer what is drawn of a run, or of two beside each other, as one HTML file: the same as by ``report RUN``."""
    st.header("Download one model, or two models side by side", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", width=720):
        run = widgets.pick_run(widgets.ANY_RUN)
        other = widgets.pick_other(run, widgets.ANY_RUN)
    runs = [run] if other is None else [run, other]
    st.download_button(
        " and ".join(one.title for one in runs) + " as one HTML file", data=lambda: _report(runs),
        file_name=f"{'-'.join(one.name for one in runs)}.html", mime="text/html", on_click="ignore",
        icon=":material/download:",
        help="Training settings, accuracies, learning curves, maps and n-grams, where the run has them.",
    )  # fmt: skip


def _report(runs: list[Run]) -> str:
    from nlpviz.run_kinds.drawn.report import report_html

    return report_html(runs, list(cache.runs().values()))


def comparison_said(shown: Comparison) -> tuple[str, dict[str, object]]:
    """Return the sentence with its pieces: the first run is better than those from which a paired test tells it."""
    rivals = [second for first, second in shown.indistinct if first == 0]
    pieces: dict[str, object] = {
        "best": shown.titles[0],
        "share": shown.accuracies[0],
        "low": shown.intervals[0].low,
        "high": shown.intervals[0].high,
        "pairs": len(shown.pairs),
        "apart": len(shown.pairs) - len(shown.indistinct),
        "documents": shown.documents,
        **{f"rival{position}": shown.titles[position] for position in rivals},
    }
    first = "{best} reaches {share:.2%} (95% interval {low:.2%} to {high:.2%})"
    if len(rivals) > _NAMED:
        first += ", not significantly better than {rivals} other models (paired test)"
        pieces["rivals"] = len(rivals)
    elif rivals:
        named = ", ".join(f"{{rival{position}}}" for position in rivals)
        first += f", not significantly better than {named} (paired test)"
    else:
        others = "all other models" if len(shown.pairs) > 1 else "the other model"
        first += f", significantly better than {others} (paired test)"
    return first + (". {apart} of {pairs} pairs differ significantly." if len(shown.pairs) > 1 else "."), pieces


_comparisons = cache.shared(4, "Comparing the classifiers…")(comparisons)
