"""What pages say and show of a text's regions: boxed in the text, one of them in detail, and that they add up."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.numbers import number, unit_of_score
from nlpviz.figures.regions.bars import RankedRegions, in_training, region_bars, strongest
from nlpviz.figures.regions.boxes import box_key_html, boxed, boxed_html
from nlpviz.figures.run_titles import in_words
from nlpviz.figures.view import FigureView, provenance
from nlpviz.results.regions import PredictiveRegions, Region
from nlpviz.results.survey import UNCOUNTED
from nlpviz.runs import Run
from nlpviz.runs.initial_weights import before_training
from nlpviz.ui import cache, coloured_text, compare, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown, lead_to, takeaway
from nlpviz.ui.regions.ratings import tell_left_out

_LED_TO = 6  # filters
_ROUNDING = 1e-6  # what 32 bits leave over


def _show_text(ranked: RankedRegions, scale: float, selected: Region | None) -> None:
    """Show the text with its strongest regions boxed.

    Args:
        ranked: the text's regions at one checkpoint.
        scale: the strength at full colour, the same for all checkpoints.
        selected: the region that stands out, of any checkpoint.
    """
    own = next((region for region in ranked.result.regions if selected and region.id == selected.id), None)
    coloured_text.show(
        boxed_html(ranked, scale, own) + box_key_html(ranked, scale),
        caption=provenance(panels.checkpoints([ranked]), f"predictive regions by {ranked.rank}"),
        name=panels.file_name([ranked], "regions-text"),
        edits=True,
    )
    _tell_boxes(ranked)


def show(run: Run, calls: Sequence[Call[RankedRegions]], selected: Region | None) -> None:
    """Show text, bars and one region in detail.

    Args:
        run: the chosen one.
        calls: the text's regions at each checkpoint, those of ``run`` first.
        selected: the region; None where there is none.
    """
    ranked = [call() for call in calls]
    _tell(ranked)
    scale = strongest(ranked)
    bars = [Call(region_bars, call, scale, selected.id if selected else None) for call in calls]
    if len(ranked) > 1:
        _show_beside(ranked, bars, selected)
        if selected:
            show_region(run, ranked, selected)
        return
    left, right = st.columns([2, 1], gap="medium")  # one text leaves room for its bars at its side
    with left:
        _show_text(ranked[0], scale, selected)
        if selected:
            show_region(run, ranked, selected)
    with right:
        plotly_view.show(bars[0], key="regions_0", on_click=widgets.set_to("region"))


def _show_beside(ranked: Sequence[RankedRegions], bars: Sequence[Call[FigureView]], selected: Region | None) -> None:
    """Show text and bars of several checkpoints beside each other, on one scale."""
    scale = strongest(ranked)
    for position, (one, (title, cell)) in enumerate(zip(ranked, compare.cells(ranked), strict=True)):
        with cell:
            label, share = one.result.class_names[one.result.predicted], one.result.probabilities[one.result.predicted]
            st.markdown(f"{escape_markdown(title)}: **{escape_markdown(label)}**, {share:.0%}")
            _show_text(one, scale, selected)
            plotly_view.show(bars[position], key=f"regions_{position}", on_click=widgets.set_to("region"))


def _tell(ranked: Sequence[RankedRegions]) -> None:
    """Say over the text what the network predicts, and which n-gram is the strongest."""
    chosen = panels.reference(ranked)
    strongest_first = chosen.regions[:1]
    after = sum(2 + len(region.words) for region in strongest_first)
    sentence, pieces = compare.predictions([one.result for one in ranked], after)
    for region in strongest_first:
        sentence += f". Strongest: *{{ngram}}*, {number(chosen.strength(region), '#.2g', signed=chosen.signed)}"
        pieces["ngram"] = region.ngram
    takeaway(f"{sentence}.", **pieces)


def _tell_boxes(ranked: RankedRegions) -> None:
    """Say under the text which regions are boxed."""
    count, boxes = len(ranked.regions), len(boxed(ranked))
    if count:
        which = "strongest" if boxes == 1 else f"{boxes} strongest that do not overlap"
        most = f"; boxes mark the {which}" if boxes < count else ", all boxed"
        st.caption(f"{count:,} region{'' if count == 1 else 's'}{most}.")
    else:
        st.caption("There is no region to show.")
    tell_left_out(ranked.left_out, "they contain part of a rating")


def show_region(run: Run, ranked: Sequence[RankedRegions], selected: Region) -> None:
    """Show one region in detail: what it adds at each checkpoint, and through which filters.

    Args:
        run: whose last epoch's filters are shown.
        ranked: of all checkpoints.
        selected: one of the regions of the run's last epoch.
    """
    chosen = panels.reference(ranked)
    result = chosen.result
    seen = in_training(chosen.times.get(selected.words, UNCOUNTED))
    answer(
        "“{ngram}” adds **{amount}** to the score of {target} through {won} filter{s} (norm {norm})"
        + (f"; it {seen}." if seen else "."),
        ngram=selected.ngram,
        amount=number(selected.contribution),
        target=result.class_names[result.target],
        won=selected.won,
        s="" if selected.won == 1 else "s",
        norm=number(selected.norm, signed=False),
    )
    others = [
        f"{escape_markdown(title)} {number(region.contribution)}"
        for title, one in zip(compare.titles(ranked), ranked, strict=True)
        for region in one.result.regions
        if one is not chosen and region.id == selected.id
    ]
    if others:
        st.markdown(f"Contribution at other checkpoints: {', '.join(others)}.")
    _show_filters(run, result, selected)


def _show_filters(run: Run, result: PredictiveRegions, selected: Region) -> None:
    """Lead to the filters that the region wins: activation times class weight is what each adds."""
    names = _filter_names(run, result)
    won = result.filters_of(selected)
    with st.container(horizontal=True, gap="small"):
        for position, activation, amount in won[:_LED_TO]:
            label = f"{names[position]}: {activation:.2f} × {number(amount / activation)} = {number(amount)}"
            address = {"filter": names[position], "run": run.name, "epoch": str(result.epoch)}
            lead_to("Inside the model", label, "filters", **address)
    rest = [amount for _, _, amount in won[_LED_TO:]]
    others = "1 more filter adds" if len(rest) == 1 else f"{len(rest)} more filters together add"
    more = f" {others} {number(sum(rest))}." if rest else ""
    if won:
        st.caption(f"Filter: activation × class weight = contribution.{more}")


def _filter_names(run: Run, result: PredictiveRegions) -> list[str]:
    """Return how an address names the filter of each entry of the document embedding."""
    pooled = int(run.config.get("pooled", 1))
    return [f"{branch.size}-{entry // pooled}" for branch in result.branches for entry in range(len(branch.starts))]


def tell_sum(result: PredictiveRegions) -> None:
    """Say in one sentence that the bias and the regions are the class score."""
    amounts = [region.contribution for region in result.regions if region.won]
    positive, negative = [amount for amount in amounts if amount > 0], [amount for amount in amounts if amount <= 0]
    name, left = escape_markdown(result.class_names[result.target]), f"{abs(result.residual):.6f}"
    unit, share = unit_of_score(len(result.class_names)), float(result.probabilities[result.target])
    st.markdown(
        f"Bias {number(result.bias)} + {len(positive)} region{'s' * (len(positive) != 1)} for "
        f"({number(sum(positive))}) + {len(negative)} against ({number(-abs(sum(negative)))}) = "
        f"**{number(result.class_score)}** {unit} of {name} ({share:.0%}). "
        f"Residual: {left if abs(result.residual) >= _ROUNDING else f'less than {_ROUNDING:.6f}'}."
    )


def reading(result: PredictiveRegions) -> str:
    """Return Markdown that says how to read contributions and norms, with this text's own numbers."""
    ranked, name = result.ranked("contribution"), escape_markdown(result.class_names[result.target])
    first = ""
    if ranked:
        strongest = ranked[0]
        _, activation, amount = result.filters_of(strongest)[0]
        first = (
            f"Here, *{escape_markdown(strongest.ngram)}* wins {strongest.won} filters. The most important filter adds "
            f"activation {activation:.2f} × weight {number(amount / activation)} = {number(amount)}; all these filters "
            f"together add **{number(strongest.contribution)}**. "
        )
    run = cache.runs()[result.run]
    begun = escape_markdown(in_words(before_training(run)))
    filters = sum(len(branch.starts) for branch in result.branches)
    return f"""
**Contribution.** Max pooling keeps only the largest activation of each filter f, so each filter’s activation counts for
the one region that wins the filter. A region’s contribution is the sum of these activations, each multiplied by its
filter’s weight for the class {name}. {first}The contributions of all regions plus the bias b add up exactly to the
score (logit), without approximation (compare Johnson and Zhang 2015, section 3.6).

**Norm.** Each region has an embedding: the activations of all filters of its size. The norm of this embedding measures
how strongly the filters respond (Tixier 2018, section 5.4.2). The norm has no sign and includes filters that the region
does not win. A region with a large norm may win none of the {filters} filters, in which case it has no effect.

The **In training** counts come from the training split of the corpus, including {run.corpus["validation"]:,} texts held
out to choose the epoch. Words are counted as typed, even if the network reads a rare word as *unknown*. The network of
epoch 0 began {begun}; its contributions also add up exactly. An n-gram that overlaps a stronger n-gram has no box of
its own, but it appears in the bars and the table. Bars and boxes of all panels share one scale.
"""
