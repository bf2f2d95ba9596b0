"""Which attribution method a page begins with: the one that did best in the test of deletion on the run at hand."""

from __future__ import annotations

from nlpviz.attribution import methods, ranking
from nlpviz.attribution.baselines import EARLIER, LATER, LogCountRatio
from nlpviz.results.deletion import DeletionSurvey
from nlpviz.runs import Run
from nlpviz.runs.deletions import deletion_survey
from nlpviz.ui import classes
from nlpviz.ui.attribution.verdict import compared
from nlpviz.ui.frame import escape_markdown


def ordered(run: Run) -> list[str]:
    """Return the names of the methods for a control: the best first, as :func:`nlpviz.attribution.ranking.ordered`."""
    return ranking.ordered(run)


def default(run: Run) -> str:
    """Return the name of the method that explains a run's network where the visitor chose none."""
    return ranking.default(run)


def titles() -> dict[str, str]:
    """Return what people call the methods and the baselines, by name."""
    known = {name: method.title for name, method in methods().items()}
    return known | {one.name: one.title for one in (LogCountRatio, LATER, EARLIER)}


def named(run: Run) -> str:
    """Return Markdown that names :func:`default`, and says why it is that one."""
    name = default(run)
    called = f"Coloured by **{escape_markdown(methods()[name].title)}**"
    survey = deletion_survey(run)
    if survey is None or name != survey.best_first[0]:
        return f"{called}."
    return f"{called}: {_why(survey, name, classes.document(run))}."


def _why(survey: DeletionSurvey, name: str, document: str = "text") -> str:
    """Return what the measurement says of the best method, and a doubt where it may be no better than chance."""
    gained = survey.gained(name)
    doubt = "" if gained.low > 0 else f": {compared(gained)}"
    return (
        f"of {len(survey.methods)} methods, none lowers the predicted probability more on average when words are "
        f"removed in its order (mean AOPC {survey.of(name).mean:.2f} over {len(survey.ids):,} test {document}s at "
        f"epoch {survey.epoch}; random orders {survey.at_random.mean:.2f}{doubt})"
    )
