"""Analogies on a page: what is asked, and the answer of each source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.figures.words.analogy_plane import analogy_plane
from nlpviz.figures.words.neighbours import answer_bars, common_scale
from nlpviz.results.word_queries import Analogy
from nlpviz.runs import Run
from nlpviz.text.vocabulary import shortened
from nlpviz.ui import plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown, explain_error, takeaway
from nlpviz.ui.words import analogy_field, choice
from nlpviz.ui.words.analogy_examples import EXAMPLES
from nlpviz.ui.words.analogy_field import AnalogyQuery
from nlpviz.ui.words.choice import VectorSource
from nlpviz.word_vectors import WordVectorsError
from nlpviz.word_vectors.analogies import ADD, plane, solve
from nlpviz.word_vectors.expressions import ExpressionError, parse
from nlpviz.word_vectors.lookup import find, shown, spellings
from nlpviz.word_vectors.similarity import similarity

_FIRST = 3  # spellings in a sentence
_LONG = 40  # characters of an expression in a sentence


class Solved(NamedTuple):
    """A source's answer to an expression, and that with the opposite switch; or why it cannot be asked."""

    source: VectorSource
    analogy: Analogy | None = None
    otherwise: Analogy | None = None
    problem: WordVectorsError | None = None


def solve_all(sources: Sequence[VectorSource], question: AnalogyQuery) -> list[Solved]:
    """Return the answer of each source.

    Raises:
        RunError: if the vectors of a run cannot be read.
    """
    solved = []
    for source in sources:
        try:
            analogy = _solve(source, question, question.excludes)()
            solved.append(Solved(source, analogy, _solve(source, question, not question.excludes)()))
        except WordVectorsError as problem:
            solved.append(Solved(source, problem=problem))
    return solved


def _solve(source: VectorSource, question: AnalogyQuery, excludes: bool) -> Call[Analogy]:
    vectors = choice.read(source)
    expected = question.expected if find(vectors(), question.expected) is not None else None
    expression = Call(parse, vectors, question.typed)
    return Call(solve, vectors, expression, method=question.method, exclude=excludes, expected=expected)


def show(solved: Sequence[Solved], question: AnalogyQuery) -> None:
    """Show what each source answers, in words, as bars and in the plane of its words."""
    scale = common_scale(one.analogy.neighbours for one in solved if one.analogy)
    if all(one.problem for one in solved):
        for position, one in enumerate({str(one.problem): one for one in solved}.values()):
            _explain(one, question, position)
        return
    _take_away(next(one.analogy for one in solved if one.analogy), question)
    cells = choice.cells([one.source for one in solved])
    for position, (one, cell) in enumerate(zip(solved, cells, strict=True)):
        with cell:
            if one.analogy is None or one.otherwise is None:
                _explain(one, question, position)
                continue
            left, right = st.columns([5, 3], gap="small") if len(solved) == 1 else (st.container(), st.container())
            call = _solve(one.source, question, question.excludes).giving(one.analogy)
            with left:
                fitted = Call(plane, choice.read(one.source), call)
                drawn = choice.coded(Call(analogy_plane, fitted, call), [one.source])
                plotly_view.show(drawn, key=f"plane_{position}")
                st.caption(f"Explained variance: {fitted().share:.0%}. Words may look closer together than they are.")
            with right:
                drawn = choice.coded(Call(answer_bars, call, scale), [one.source])
                plotly_view.show(drawn, key=f"answers_{position}")
            _tell(one.source, one.analogy, one.otherwise, question)


def first_right(runs: Mapping[str, Run]) -> tuple[VectorSource, AnalogyQuery, Analogy] | None:
    """Return the first ready analogy that the most accurate of ``runs`` solves, with its answer; None without one."""
    run = max(runs.values(), key=lambda run: run.metrics.get("analogies", {}).get("accuracy", 0.0))
    source = choice.of_run(run, run.best_epoch)
    for one in EXAMPLES:
        question = AnalogyQuery(one.expression, one.expected, ADD, excludes=True)
        try:
            analogy = _solve(source, question, excludes=True)()
        except WordVectorsError:  # a word that these vectors do not have
            continue
        if analogy.rank == 1:
            return source, question, analogy
    return None


def show_right(source: VectorSource, question: AnalogyQuery, analogy: Analogy) -> None:
    """Show an analogy that a source solves, in the plane of its words."""
    answer(
        "Among {count:,} words, the answer to “{query}” is **{word}**.",
        query=analogy.expression.proportion,
        word=analogy.neighbours[0].word,
        count=len(choice.vectors(source)),
    )
    call = _solve(source, question, question.excludes).giving(analogy)
    drawn = Call(analogy_plane, Call(plane, choice.read(source), call), call)
    plotly_view.show(drawn, key="first_analogy", title="A word analogy")


def _explain(one: Solved, question: AnalogyQuery, position: int) -> None:
    """Say why the expression cannot be asked; known spellings of an unknown word stand in its place at a click."""
    explain_error(str(one.problem))
    unknown = one.problem.unknown if isinstance(one.problem, ExpressionError) else None
    if unknown is None or not unknown.spellings:
        return
    analogy_field.offer(question.typed, unknown, position)


def _take_away(analogy: Analogy, question: AnalogyQuery) -> None:
    """Say which word the first source that knows all words answers, and which rank the expected one has."""
    query = shortened(analogy.expression.proportion, _LONG)
    if not analogy.neighbours:
        takeaway("These vectors contain no answer to *{query}*.", query=query)
        return
    rank = analogy.rank or 0
    sentence = "*{query}* → **{word}** ({method} {score:.2f})"
    sentence += "; *{expected}* has rank {rank:,}." if question.expected and rank > 1 else "."
    takeaway(
        sentence, query=query, word=analogy.neighbours[0].word, method=analogy.method,
        score=analogy.neighbours[0].score, expected=analogy.expected or "", rank=rank,
    )  # fmt: skip


def _tell(source: VectorSource, analogy: Analogy, otherwise: Analogy, question: AnalogyQuery) -> None:
    """Say where the expected word is, and which word is nearest with the opposite switch."""
    if not analogy.neighbours:
        st.info("These vectors contain no other word that could be the answer.")
        return
    if ranked := _ranked(source, analogy, question).strip():
        answer(ranked, expected=shown(question.expected) if analogy.expected is None else analogy.expected)
    if otherwise.neighbours:
        answer(_otherwise(analogy, otherwise).replace("{", "{{").replace("}", "}}"))


def _otherwise(analogy: Analogy, otherwise: Analogy) -> str:
    """Return Markdown that says which word is nearest with the opposite switch."""
    first, (other, _, _, score) = analogy.neighbours[0], otherwise.neighbours[0]
    if not analogy.excludes:
        return f"With the input words excluded: *{escape_markdown(other)}* ({score:.2f})."
    if other == first.word:
        return f"The same word is nearest with the input words included ({score:.2f})."
    return f"With the input words included: *{escape_markdown(other)}* ({score:.2f})."


def _ranked(source: VectorSource, analogy: Analogy, question: AnalogyQuery) -> str:
    """Return a sentence, with a place for the expected word, that says which rank that word has."""
    vectors = choice.vectors(source)
    if not question.expected:
        return ""
    if analogy.expected is None:
        near = ", ".join(f"*{escape_markdown(word)}*" for word in spellings(vectors, question.expected, _FIRST))
        meant = f" Similar spellings: {near}." if near else ""
        return " *{expected}* is out of vocabulary." + meant.replace("{", "{{").replace("}", "}}")
    if analogy.rank is None:
        return " *{expected}* is an input word, so it is excluded."
    typed = {term.word for term in analogy.expression.terms} if analogy.excludes else set()
    return f" *{{expected}}* has rank {analogy.rank:,} of {len(vectors) - len(typed):,}."


def worked_example(solved: Sequence[Solved]) -> str:
    """Return Markdown that says how near the answer is to each word of the expression; nothing without an answer."""
    one = next((one for one in solved if one.analogy and one.analogy.neighbours), None)
    if one is None or one.analogy is None:
        return ""
    vectors, first = choice.vectors(one.source), one.analogy.neighbours[0]
    terms = list(dict.fromkeys(one.analogy.expression.terms))[: 2 * _FIRST]
    cosines = ", ".join(
        f"{number(similarity(vectors, first.word, word), signed=False)} with *{escape_markdown(word)}* "
        f"({'added' if sign > 0 else 'subtracted'})"
        for sign, word, _ in terms
    )
    return f"Here the cosines of *{escape_markdown(first.word)}* are {cosines}."
