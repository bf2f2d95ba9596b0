"""How good the translators are, on a page: BLEU by run, by epoch, by the length of the source."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from nlpviz.decoding.bleu import SIGNATURE
from nlpviz.figures.numbers import number
from nlpviz.figures.translation.bleu import RunBleu, bleu_by_epoch, bleu_by_length, bleu_by_run
from nlpviz.results.bleu import DRAWS, BleuDifference
from nlpviz.runs import Run
from nlpviz.runs.translators import BLEU_SENTENCES
from nlpviz.snippets import translation as snippets
from nlpviz.text.languages import pair_title
from nlpviz.ui import address, plotly_view, widgets
from nlpviz.ui.frame import answer, lead_to
from nlpviz.ui.translation import cache, choice
from nlpviz.ui.translation.pairs import TranslationPair, pair_of

_UNTRANSLATED = " Left untranslated, the sentences have {untranslated:.1f}."


def pick_pair() -> TranslationPair:
    """Return the two languages, and the corpus, that the visitor chose."""
    pairs = {pair.key: pair for pair in map(pair_of, choice.offered().values())}
    return pairs[widgets.pick("languages", "Languages", list(pairs), lambda key: pairs[key].title)]


def measured(pair: TranslationPair) -> list[RunBleu]:
    """Return what is known of the translators of a pair, the best first."""
    runs = [run for run in choice.runs().values() if pair_of(run) == pair]
    ranked = sorted(runs, key=lambda run: -run.metrics["translation"]["bleu"])
    return [_measured(run) for run in ranked]


def _measured(run: Run) -> RunBleu:
    rows = [row for row in cache.bleu(run) if row.epoch == run.best_epoch]
    languages = pair_title(run.recipe["source"], run.recipe["target"])
    title = run.title.removeprefix(f"{languages}, ").partition(f" on {run.corpus['name']}, ")[0]
    return RunBleu(run.name, title, run.best_epoch, cache.history(run), rows)


def pick_run() -> str:
    """Return the name of the network that was chosen: by a click on its bar, on another page, or in the address."""
    names = list(choice.runs())
    address.read(choice.RUN, "run", names, names[:1])
    chosen = str(st.session_state[choice.RUN])
    address.write(choice.RUN, "run", [chosen], names[:1])
    return chosen


def show(pair: TranslationPair, runs: list[RunBleu]) -> None:
    """Show BLEU by run, by epoch and by length, and say what the best reaches; a click on a bar chooses its network."""
    best, known = runs[0], choice.runs()
    first = known[best.name].metrics["translation"]
    answer(
        "**{title}** reaches **{bleu:.1f} BLEU** on {sentences:,.0f} test sentences with its beam, {greedy:.1f} with "
        f"greedy search; case-sensitive, {{case:.1f}}.{_UNTRANSLATED if 'bleu_untranslated' in first else ''}",
        title=known[best.name].title,
        bleu=first["bleu"],
        greedy=first["bleu_greedy"],
        case=first["bleu_with_case"],
        sentences=first["sentences"],
        untranslated=first.get("bleu_untranslated", 0.0),
    )
    compared = [run for run in runs if BLEU_SENTENCES in known[run.name].files]
    if len(compared) > 1 and best in compared:
        differences = {
            other.title: cache.bleu_difference(known[best.name], known[other.name]) for other in compared[1:]
        }
        sentence, pieces = better_said(best.title, differences)
        answer(sentence, **pieces)
    about = pair.title
    st.header("By model", anchor=False)
    chosen = pick_run()
    choose = widgets.set_to(choice.RUN)
    code = snippets.bleu([(one.name, one.epoch) for one in runs])
    plotly_view.show(bleu_by_run(runs, chosen, about), key="bleu_by_run", on_click=choose, code=code)
    if chosen in (run.name for run in runs):
        lead_to("Translate", "Translate with the highlighted model", "alignment", run=chosen)
    st.header("By epoch", anchor=False)
    code = snippets.bleu_by_epoch([one.name for one in runs])
    plotly_view.show(bleu_by_epoch(runs, about, chosen), key="bleu_by_epoch", code=code)
    st.header("By length of the source", anchor=False)
    code = snippets.bleu_by_length([(one.name, one.epoch) for one in runs])
    plotly_view.show(bleu_by_length(runs, about, chosen), key="bleu_by_length", code=code)
    st.caption(f"sacrebleu's signature: `{SIGNATURE}`")


def better_said(best: str, differences: Mapping[str, BleuDifference]) -> tuple[str, dict[str, object]]:
    """Return the sentence with its pieces: which translators the best one is better than, by paired bootstrap.

    Args:
        best: the title of the best translator.
        differences: how it differs from others, one or more, by their titles.
    """
    pieces: dict[str, object] = {"best": best, "draws": DRAWS}
    apart: list[str] = []
    alike: list[str] = []
    for position, (title, gap) in enumerate(differences.items()):
        low, high = (number(end, ".1f") for end in gap.interval)
        pieces |= {f"title{position}": title, f"gap{position}": f"{number(gap.difference, '.1f')}, {low} to {high}"}
        (apart if gap.significant and gap.difference > 0 else alike).append(f"{{title{position}}} ({{gap{position}}})")
    said = [f"it is better than {'; '.join(apart)}"] if apart else []
    said += [f"no difference is shown from {'; '.join(alike)}"] if alike else []
    sentence = f"By a paired bootstrap of {{draws:,}} draws (Koehn 2004) {'. From the same draws, '.join(said)}."
    sentence += " In brackets: the difference in BLEU with its 95 % interval"
    return sentence + (", not corrected for several comparisons." if len(differences) > 1 else "."), pieces
