"""The plan for user data, made before anything is trained: a recipe, and a report to read.

Whatever was guessed, and whatever follows from how many texts there are, ends up in the recipe: what it says is all
that the runs depend on.
"""

from __future__ import annotations

from dataclasses import replace

from nlpviz.data.own_texts.recipe import check_name
from nlpviz.training import TrainingError
from nlpviz.training.own import check_free
from nlpviz.training.own_tasks import OwnRequest, Plan, task_of


def plan(request: OwnRequest) -> Plan:
    """Return the plan for user data, and the description of the data; nothing is written.

    Raises:
        OwnTextsError: if the texts cannot be used, or the name.
        TrainingError: if there is no such model.
        RunError: if there are no such word vectors.
    """
    check_name(request.name)
    if len(set(request.models)) < len(request.models):
        raise TrainingError("The same model is listed twice.")
    task = task_of(request)
    for column in ("label", "group", "time"):
        if getattr(request.source, column) and column not in task.columns:
            raise TrainingError(f"{task.title} cannot use a {column} column; omit --{column}.")
    planned = task.plan(replace(request, models=request.models or (next(iter(task.models())),)))
    check_free(planned.recipe)
    return planned
