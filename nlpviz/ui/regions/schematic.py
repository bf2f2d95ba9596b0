"""The network at work on one text: a component that slides a filter over the words, with this text's own numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.results.forward import FilterPass, ForwardPass
from nlpviz.runs import Run
from nlpviz.ui import compare, report
from nlpviz.ui.frame import answer, takeaway
from nlpviz.ui.regions import cache
from nlpviz.ui.text_hash import text_hash

_SCRIPT, _STYLE = (Path(__file__).with_name(f"schematic.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))
_DIMENSIONS, _LONGEST = 12, 400
_COLOURS = "--st-text-color: light-dark(#16181d, #fafafa); --st-primary-color: light-dark(#0072b2, #58a6dd)"

_mount = st.components.v2.component("nlpviz_schematic", js=_SCRIPT, css=_STYLE, isolate_styles=False)


def show(run: Run, epoch: int, text: str, target: str) -> ForwardPass | None:
    """Draw the text's way through the network; None, with a sentence, where no words were read.

    Args:
        run: whose network has regions.
        epoch: of its weights.
        text: anything.
        target: the name of a class of the run; any other word takes the predicted one.
    """
    own = run.class_names.index(target) if target in run.class_names else None
    if own is None:
        own = cache.predictive_regions(run, epoch, text)().predicted
    result = cache.forward_pass(run, epoch, text, own)
    sentence, pieces = compare.predictions([cache.predictive_regions(run, epoch, text, own)()], after=4)
    takeaway(
        sentence + ". Score for {target}: {score}.", target=result.target, score=number(result.class_score), **pieces
    )
    if not result.filters:
        st.info("The text has no words, so there is nothing to show.")
        return None
    payload = _payload(result)
    report.note_html(_standalone(payload))
    _mount(key="schematic", data=payload)
    answer(
        "Score for {target} {score} = {shown} from the {count} filters shown {rest} from the other {others} {bias} "
        "(bias): {share:.0%} {target}.",
        target=result.target,
        score=number(result.class_score),
        count=len(result.filters),
        shown=number(sum(one.amount for one in result.filters)),
        rest=_added(result.rest),
        others=result.others,
        bias=_added(result.bias),
        share=result.probability,
    )
    return result


def _added(amount: float) -> str:
    """Return a number as it is added to others: ``+ 0.13``, ``− 0.13``."""
    return f"{'−' if amount < 0 else '+'} {abs(amount):.2f}"


def table(result: ForwardPass) -> None:
    """Show the numbers of the filters that are drawn."""
    st.table(
        {
            "Filter": [str(one.id) for one in result.filters],
            "Winning n-gram": [_words(result, one) for one in result.filters],
            "Activation": [number(one.activation, ".3f", signed=False) for one in result.filters],
            f"Weight for {result.target}": [number(one.weight, ".3f") for one in result.filters],
            "Added to the score": [number(one.amount, ".3f") for one in result.filters],
        },
        hide_index=True,
        border="horizontal",
    )


def _words(result: ForwardPass, one: FilterPass) -> str:
    """Return the words of the window that the pooling of a filter takes."""
    return " ".join(token.word for token in result.encoded.read[one.start : one.start + one.size])


def _standalone(payload: dict[str, Any]) -> str:
    """Return the schematic as HTML for a saved page, which has neither Streamlit's loader nor its colours."""
    data = json.dumps(payload).replace("<", "\\u003c")  # no word of a text ends the script
    script = _SCRIPT.replace("export default function", "const mount = function")
    return (
        f'<div style="{_COLOURS}"><style>{_STYLE}</style><script>(() => {{ {script}\n'
        f"mount({{ data: {data}, parentElement: document.currentScript.parentElement }}); }})();</script></div>"
    )


def _payload(result: ForwardPass) -> dict[str, Any]:
    """Return what the browser draws: words, some dimensions of their vectors, the filters' answers."""
    words = [token.word for token in result.encoded.read[:_LONGEST]]
    vectors = result.vectors[: len(words)]
    varying = np.argsort(-vectors.std(axis=0)) if len(words) > 1 else np.arange(vectors.shape[1])
    chosen = np.sort(varying[:_DIMENSIONS])
    filters = [
        {
            "id": one.id,
            "size": one.size,
            "words": _words(result, one),
            "answers": np.round(one.answers[: len(words)].astype(float), 3).tolist(),
            "start": one.start,
            "amount": one.amount,
            "product": f"{number(one.activation, '.2f', signed=False)} × {number(one.weight, '.2f')} = "
            f"{number(one.amount, '.2f')}",
        }
        for one in result.filters
        if one.start < len(words)
    ]
    return {
        "stamp": f"{result.run} {result.epoch} {result.target} {text_hash(result.encoded.text)}",
        "words": words,
        "cells": np.round(vectors[:, chosen].astype(float), 2).tolist(),
        "dimensions": chosen.tolist(),
        "scale": float(np.abs(vectors[:, chosen]).max(initial=1e-6)),
        "filters": filters,
        "alt": f"{len(words)} words, {len(chosen)} of the {vectors.shape[1]} dimensions of their vectors, and the "
        "output of the selected filter at each position",
    }
