"""What a page shows of a text through a training: every panel holds all epochs, and one slider moves them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import streamlit as st

from nlpviz.analysis.attribution import methods
from nlpviz.analysis.projections import MapSettings, projectors
from nlpviz.figures import panels, tokens
from nlpviz.figures.attention.attended import AttendedText, full_scale
from nlpviz.figures.attention.text import attended_html, attended_key_html
from nlpviz.figures.documents.maps import MapStyle
from nlpviz.figures.moments import CLOCK, following
from nlpviz.figures.numbers import number, unit_of_score
from nlpviz.figures.recurrence.read_text import read_text_html, read_text_key_html
from nlpviz.figures.regions.bars import strongest
from nlpviz.figures.regions.boxes import box_key_html, boxed_html
from nlpviz.figures.time_machine.lines import course_lines, labels, story_lines
from nlpviz.figures.view import provenance
from nlpviz.results.course import TextCourse
from nlpviz.results.explanation import Explanation
from nlpviz.run_kinds.progress_curves import explained_course
from nlpviz.runs import Checkpoint, Run
from nlpviz.runs.documents import DOCUMENTS, MAPS
from nlpviz.ui import coloured_text, plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.coloured_text import MomentText
from nlpviz.ui.documents import maps, placing
from nlpviz.ui.documents.settings import MapQuery
from nlpviz.ui.frame import answer, escape_markdown, takeaway
from nlpviz.ui.run_filter import RECURRENT, WITH_ATTENTION, WITH_REGIONS
from nlpviz.ui.time_machine.choice import Followed, go_to, pin

_HEIGHT = 380  # pixels of a map
_WORDS = 7  # of two titles, in a takeaway


def tell(followed: Followed) -> None:
    """Say since which kept epoch each network has predicted the class that it ends with."""
    told = [one for one in followed.courses if one is followed.courses[0] or _fit(followed.courses)]
    pieces: dict[str, object] = {}
    said = []
    for place, course in enumerate(told):
        last, turn = course.explanations[-1], course.turn
        pieces |= {f"title{place}": course.title, f"label{place}": last.class_names[last.predicted]}
        pieces |= {f"share{place}": float(last.probabilities[last.predicted]), f"turn{place}": turn}
        since = f" since epoch {{turn{place}}}" if turn is not None else " at every epoch"
        share = f", finally {{share{place}:.0%}}" * (len(told) == 1)
        said.append(f"{{title{place}}}: **{{label{place}}}**{since}{share}")
    takeaway("; ".join(said) + ".", **pieces)


def _fit(courses: Sequence[TextCourse]) -> bool:
    """Return whether what is said of all courses fits into a takeaway."""
    return sum(len(one.title.split()) for one in courses) <= _WORDS


def show_course(followed: Followed) -> None:
    """Show probability and losses by epoch, with the slider that moves all panels."""
    drawn = Call(course_lines, _calls(followed, followed.courses), followed.moment)
    plotly_view.show(drawn, key="time_course", on_frame=go_to)


def _calls(followed: Followed, courses: Sequence[TextCourse]) -> list[Call[TextCourse]]:
    """Return the calls that give some of the courses."""
    runs, asked = {run.name: run for run in followed.runs}, (followed.text, followed.method)
    return [Call(explained_course, runs[one.run], *asked, one.explanations[0].target).giving(one) for one in courses]


def show_words(followed: Followed) -> None:
    """Show the text coloured at each epoch, one column a run, on one scale a run; a click pins a word."""
    for place, (course, column) in enumerate(_columns(followed)):
        with column:
            scale = _scale(course)
            show = {
                value: MomentText(
                    _said(course.title, course.at(epoch))
                    + tokens.token_html(course.at(epoch), scale, chosen=followed.word, clickable=not place)
                    + tokens.legend_html(course.at(epoch), _unit(course), scale),
                    provenance(panels.checkpoints([course.at(epoch)]), methods()[followed.method].title),
                    panels.file_name([course.at(epoch)], f"{followed.method}-text"),
                )
                for value, epoch in followed.epochs(place).items()
            }
            coloured_text.show_moments(show, followed.first, CLOCK, on_click=None if place else pin)


def show_story(followed: Followed) -> None:
    """Show the pinned word's score by epoch, for each run that reads it."""
    if followed.word is None:
        return
    able = [one for one in followed.courses if followed.word < len(one.explanations[-1].scores)]
    word = able[0].explanations[-1].encoded.read[followed.word].word
    st.header(f"Score of “{escape_markdown(word)}” by epoch", anchor=False)
    for one in able:
        scores = one.story(followed.word)
        least, most = one.epochs[int(scores.argmin())], one.epochs[int(scores.argmax())]
        answer(
            "{title}: the score is {first} at epoch {begin} and {last} at epoch {end}. It is highest at epoch {most} "
            "and lowest at epoch {least}.",
            title=one.title,
            first=number(scores[0], ".2g"),
            begin=one.epochs[0],
            last=number(scores[-1], ".2g"),
            end=one.epochs[-1],
            most=most,
            least=least,
        )
    drawn = Call(story_lines, _calls(followed, able), followed.word, _unit(able[0]), int(followed.first))
    plotly_view.show(drawn, key="time_story")


def show_inside(followed: Followed) -> None:
    """Show of each run what its network is made of: regions, attention, or the prediction after each word."""
    for place, (run, (_, column)) in enumerate(zip(followed.runs, _columns(followed), strict=True)):
        with column:
            for title, moments in _inside(followed, run):
                st.markdown(f"**{title}**")
                show = {value: moments[epoch] for value, epoch in followed.epochs(place).items()}
                coloured_text.show_moments(show, followed.first, CLOCK)


def show_maps(followed: Followed) -> None:
    """Show where the text lies among the test documents of each run."""
    for place, (run, (_, column)) in enumerate(zip(followed.runs, _columns(followed), strict=True)):
        if not {DOCUMENTS, MAPS} <= run.files.keys():
            continue
        with column:
            epochs = {value: run.surveyed_before(epoch) for value, epoch in followed.epochs(place).items()}
            now = epochs[followed.first]
            query = MapQuery(MapSettings(next(iter(projectors())), 2, (now,)), now=False)
            shown = maps.shown_maps([Checkpoint(run, now)], query)
            positions = placing.positions(shown, followed.text)
            style = MapStyle(color="label", height=_HEIGHT, placed=positions)
            plotly_view.show(Call(following, maps.stored_figure(shown, style), epochs), key=f"time_map_{place}")


def show_strip(followed: Followed) -> None:
    """Show the text at every kept epoch of the chosen run, frame beside frame, as one picture for a slide."""
    course = followed.courses[0]
    scale = _scale(course)
    rows = [
        f"<div><p><b>{labels([course])[str(one.epoch)]}: "
        f"{tokens.literal(one.class_names[one.predicted])}, {one.probabilities[one.predicted]:.0%}</b></p>"
        + tokens.token_html(one, scale, chosen=followed.word)
        + "</div>"
        for one in course.explanations
    ]
    coloured_text.show(
        f'<div class="nlpviz-strip">{"".join(rows)}</div>'
        + tokens.legend_html(course.explanations[-1], _unit(course), scale),
        caption=provenance(panels.checkpoints(course.explanations), methods()[followed.method].title),
        name=panels.file_name(course.explanations, f"{followed.method}-strip"),
    )


def _columns(followed: Followed) -> Iterator[tuple[TextCourse, st.delta_generator.DeltaGenerator]]:
    return zip(followed.courses, st.columns(len(followed.courses), gap="medium"), strict=True)


def _scale(course: TextCourse) -> float:
    """Return the magnitude at full colour: one for all epochs of a run."""
    return max(float(abs(one.scores).max(initial=0)) for one in course.explanations)


def _unit(course: TextCourse) -> str:
    first = course.explanations[0]
    return methods()[first.method].unit.replace("log-odds", unit_of_score(len(first.class_names)))


def _said(title: str, one: Explanation) -> str:
    """Return as HTML what one epoch makes of the text."""
    share = float(one.probabilities[one.predicted])
    label = tokens.literal(one.class_names[one.predicted])
    return f"<p>{tokens.literal(title)}, epoch {one.epoch}: <b>{label}</b>, {share:.0%}</p>"


def _inside(followed: Followed, run: Run) -> Iterator[tuple[str, dict[int, MomentText]]]:
    """Yield what the network of a run is made of: its title, and a coloured text for each epoch."""
    target = followed.courses[0].explanations[0].target
    ways: list[tuple[str, bool, Callable[[Followed, Run, int], dict[int, MomentText]]]] = [
        ("Predictive regions", WITH_REGIONS.able(run), _regions),
        ("Attention", WITH_ATTENTION.able(run), _attention),
        ("Prediction after each word", RECURRENT.able(run), _running),
    ]
    for title, able, way in ways:
        if able:
            yield title, way(followed, run, target)


def _regions(followed: Followed, run: Run, target: int) -> dict[int, MomentText]:
    from nlpviz.ui.regions import choice

    checkpoints = [Checkpoint(run, epoch) for epoch in run.epochs]
    found = choice.regions_beside(checkpoints, followed.text, run.class_names[target])
    calls = choice.rank_beside(found, run.corpus["name"], "contribution", None, unseen=False)
    ranked = [call() for call in calls]
    scale = strongest(ranked)
    return {
        one.result.epoch: MomentText(
            boxed_html(one, scale) + box_key_html(one, scale),
            provenance(panels.checkpoints([one]), "predictive regions by contribution"),
            panels.file_name([one], "regions-text"),
        )
        for one in ranked
    }


def _attention(followed: Followed, run: Run, _target: int) -> dict[int, MomentText]:
    from nlpviz.ui.attention import cache

    shown = [AttendedText(cache.attention(run, epoch, followed.text)(), "words") for epoch in run.epochs]
    scale = full_scale(shown)
    return {
        one.result.epoch: MomentText(
            attended_html(one, scale, fold=False) + attended_key_html(one, scale),
            provenance(panels.checkpoints([one.result]), "attention weights"),
            panels.file_name([one.result], "attention-text"),
        )
        for one in shown
    }


def _running(followed: Followed, run: Run, target: int) -> dict[int, MomentText]:
    from nlpviz.ui.recurrence import cache

    found = [cache.states(run, epoch, followed.text)() for epoch in run.epochs]
    return {
        one.epoch: MomentText(
            read_text_html(one, target) + read_text_key_html(one, target),
            provenance(panels.checkpoints([one]), f"probability of {run.class_names[target]} after each word"),
            panels.file_name([one], "running-text"),
        )
        for one in found
    }
