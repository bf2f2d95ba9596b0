"""How the time machine is read, worked with the numbers that it shows."""

from __future__ import annotations

import numpy as np

from nlpviz.analysis.attribution import methods
from nlpviz.figures.numbers import number
from nlpviz.ui.frame import escape_markdown
from nlpviz.ui.time_machine.cells import ShownPart
from nlpviz.ui.time_machine.choice import Followed


def worked(followed: Followed, part: ShownPart | None) -> str:
    """Return as Markdown how probability, log-odds, turn and story come from the numbers of the chosen run.

    Args:
        followed: what is shown.
        part: of the cell, whose heatmap is; None for none.
    """
    course = followed.courses[0]
    first, last = course.explanations[0], course.explanations[-1]
    target = escape_markdown(last.class_names[last.target])
    odds = [_log_odds(float(one.probabilities[one.target])) for one in (first, last)]
    said = f"""
**Worked example.** At epoch {first.epoch}, {escape_markdown(course.title)} gives {target} a probability of
{first.probabilities[first.target]:.1%}, that is, log-odds of ln({first.probabilities[first.target]:.3f} /
{1 - first.probabilities[first.target]:.3f}) = {number(odds[0])}. At epoch {last.epoch}, the probability is
{last.probabilities[last.target]:.1%} and the log-odds are {number(odds[1])}. Training changed the log-odds by
{number(odds[1] - odds[0])} nats. """
    return said + _turn(followed) + _story(followed) + _part(part)


def _turn(followed: Followed) -> str:
    course = followed.courses[0]
    answers = ", ".join(
        f"{one.epoch}: {escape_markdown(one.class_names[one.predicted])}" for one in course.explanations
    )
    since = "at every stored epoch" if course.turn is None else f"from epoch {course.turn} onwards"
    return f"The predictions at the stored epochs are {answers}. The final class is predicted {since}.\n\n"


def _story(followed: Followed) -> str:
    course = followed.courses[0]
    last = course.explanations[-1]
    if not len(last.scores):
        return ""
    place = last.strongest(1)[0] if followed.word is None else followed.word
    word, scores = escape_markdown(last.encoded.read[place].word), course.story(place)
    which = "the strongest word" if followed.word is None else "the pinned word"
    values = ", ".join(f"{number(score, '.2g')} ({epoch})" for epoch, score in zip(course.epochs, scores, strict=True))
    return (
        f"At epoch {last.epoch}, {which} by *{methods()[followed.method].title}* is *{word}*. The scores of this word "
        f"(epoch in brackets) are {values}. Click another word to see its scores.\n\n"
    )


def _part(part: ShownPart | None) -> str:
    if part is None:
        return ""
    return (
        f"The heatmap of the {part.name} has one column per word and one row per unit. All epochs use the "
        "same colour scale and the same order of units, which comes from a clustering at the last epoch. Only "
        "the network changes when you move the slider.\n\n"
    )


def _log_odds(share: float) -> float:
    share = float(np.clip(share, 1e-9, 1 - 1e-9))
    return float(np.log(share / (1 - share)))
