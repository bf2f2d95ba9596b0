"""How good the translators are, on a page: BLEU by run, by epoch, by the length of the source."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.figures.translation.bleu import RunBleu, bleu_by_epoch, bleu_by_length, bleu_by_run
from nlpviz.language.decoding.bleu import SIGNATURE
from nlpviz.results.bleu import DRAWS, BleuDifference
from nlpviz.runs.translators import BLEU_SENTENCES
from nlpviz.text.vocabulary import shortened
from nlpviz.ui import plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, lead_to, takeaway
from nlpviz.ui.translation import cache, choice
from nlpviz.ui.translation.pairs import TranslationPair, pair_of

_NAMED = 3  # models in a sentence


def pick_pair() -> TranslationPair:
    """Return the two languages, and the corpus, that the visitor chose."""
    pairs = {pair.key: pair for pair in map(pair_of, choice.offered().values())}
    return pairs[widgets.pick("languages", "Languages", pairs)]


def measured(pair: TranslationPair) -> list[RunBleu]:
    """Return what is known of the translators of a pair, the best first."""
    runs = [run for run in choice.runs().values() if pair_of(run) == pair]
    ranked = sorted(runs, key=lambda run: -run.metrics["translation"]["bleu"])
    return [cache.run_bleu(run)() for run in ranked]


def pick_run() -> str:
    """Return the name of the network that was chosen: by a click on its bar, on another page, or in the address."""
    names = list(choice.runs())
    return widgets.follow(choice.RUN, names, names[0], parameter="run")


def show(pair: TranslationPair, runs: list[RunBleu]) -> None:
    """Show BLEU by run, by epoch and by length, and say what the best reaches; a click on a bar chooses its network."""
    best, known = runs[0], choice.runs()
    first = known[best.name].metrics["translation"]
    compared = [run for run in runs if BLEU_SENTENCES in known[run.name].files]
    differences: dict[str, BleuDifference] = {}
    if len(compared) > 1 and best in compared:
        differences = {
            other.title: cache.bleu_difference(known[best.name], known[other.name]) for other in compared[1:]
        }
    takeaway("{title} scores highest: {bleu:.1f} BLEU.", title=shortened(best.title, 60), bleu=first["bleu"])
    chosen = pick_run()
    choose = widgets.set_to(choice.RUN)
    calls = [cache.run_bleu(known[one.name]) for one in runs]
    plotly_view.show(Call(bleu_by_run, calls, chosen, pair.title), key="bleu_by_run", on_click=choose)
    if differences:
        sentence, pieces = better_said(differences)
        answer(sentence, **pieces)
    if chosen in (run.name for run in runs):
        lead_to("Translate", "Translate with the highlighted model", "alignment", run=chosen)
    with details():
        _table(best.title, first, differences)
    st.header("By epoch", anchor=False)
    plotly_view.show(Call(bleu_by_epoch, calls, pair.title, chosen), key="bleu_by_epoch")
    st.header("By source length", anchor=False)
    plotly_view.show(Call(bleu_by_length, calls, pair.title, chosen), key="bleu_by_length")


def _table(best: str, metrics: Mapping[str, float], differences: Mapping[str, BleuDifference]) -> None:
    """Show what the best translator reaches in other ways of scoring, and how far the others are behind it."""
    rows = {
        "Test sentences": f"{metrics['sentences']:,.0f}",
        "BLEU, beam search": f"{metrics['bleu']:.1f}",
        "BLEU, greedy search": f"{metrics['bleu_greedy']:.1f}",
        "BLEU, case-sensitive": f"{metrics['bleu_with_case']:.1f}",
    }
    if "bleu_untranslated" in metrics:
        rows["BLEU of the untranslated source sentences"] = f"{metrics['bleu_untranslated']:.1f}"
    st.table({escape_markdown(best): list(rows), "Value": list(rows.values())}, hide_index=True)
    if differences:
        gaps = list(differences.values())
        st.table(
            {
                "Compared with": [escape_markdown(title) for title in differences],
                "BLEU difference": [number(gap.difference, ".1f") for gap in gaps],
                "95% interval": [" to ".join(number(end, ".1f") for end in gap.interval) for gap in gaps],
                "Significant": ["yes" if gap.significant else "no" for gap in gaps],
            },
            hide_index=True,
        )
        st.caption(f"Paired bootstrap with {DRAWS:,} draws; the intervals are not corrected for multiple comparisons.")
    st.caption(f"sacreBLEU signature: `{SIGNATURE}`")


def better_said(differences: Mapping[str, BleuDifference]) -> tuple[str, dict[str, object]]:
    """Return the sentence with its pieces: how many translators the best one is better than, by paired bootstrap.

    Args:
        differences: how it differs from others, one or more, by their titles.
    """
    alike = [title for title, gap in differences.items() if not (gap.significant and gap.difference > 0)]
    pieces: dict[str, object] = {"better": len(differences) - len(alike), "count": len(differences)}
    sentence = "It is significantly better than {better} of the {count} other models (paired bootstrap)."
    if len(differences) == 1:
        told = "is not" if alike else "is"
        sentence = f"It {told} significantly better than the other model (paired bootstrap)."
    elif 0 < len(alike) <= _NAMED:
        sentence += " No significant difference: " + ", ".join(f"{{title{n}}}" for n in range(len(alike))) + "."
        pieces |= {f"title{n}": shortened(title, 60) for n, title in enumerate(alike)}
    return sentence, pieces
