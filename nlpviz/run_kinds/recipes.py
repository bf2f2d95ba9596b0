"""A run's own recipe, which measures it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nlpviz.run_kinds.parts import Request, UsageError
from nlpviz.runs import Run

if TYPE_CHECKING:
    from nlpviz.training import Options


def options_of(request: Request) -> Options:
    """Return a request as recipes take it."""
    from nlpviz.training import Options

    return Options(device=request.device, say=request.say)


def measured_again(run: Run, epoch: int | None, request: Request) -> dict[str, float]:
    """Return what the recipe of a run measures with the weights of ``epoch``.

    Raises:
        UsageError: if no recipe has the run's name, listing those there are.
    """
    from nlpviz.training.own import recipe_of
    from nlpviz.training.recipes import recipes

    if own := recipe_of(run):
        return own.evaluate(run.name, options_of(request), epoch)
    if run.name not in recipes():
        raise UsageError(f"There is no recipe {run.name!r}; available: {', '.join(recipes()) or 'none'}.")
    return recipes()[run.name].evaluate(run.name, options_of(request), epoch)
