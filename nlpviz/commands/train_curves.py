"""``train-curves EXPERIMENT``: the committed curves of feed-forward networks; trains them again, and compares."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_json, named, positive, print_json, teller
from nlpviz.commands.as_json import as_json

if TYPE_CHECKING:
    from nlpviz.experiments.feedforward.experiment import Experiment
    from nlpviz.results.feedforward import Trials


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("experiment", help="experiment, for example optimisers")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="run the whole experiment and store its curves")
    what.add_argument("--again", type=positive, metavar="SEEDS", help="number of seeds to retrain per choice")
    add_json(parser)


def _run(options: argparse.Namespace) -> None:
    from nlpviz.experiments.feedforward import FeedForwardError
    from nlpviz.experiments.feedforward.experiment import conduct, experiments
    from nlpviz.experiments.feedforward.stored import read_trials, write_trials

    experiment, say = named(experiments(), options.experiment, "experiment"), teller(options)
    try:
        if options.write:
            from nlpviz.experiments.feedforward.bags import newsgroups

            write_trials(conduct(experiment, newsgroups(), say))
            read_trials.cache_clear()
        stored = read_trials(experiment.name)
        again = list(_again(experiment, stored, options.again)) if options.again else []
    except FeedForwardError as error:
        raise UsageError(str(error)) from None
    if options.json:
        print_json({**_facts(stored), **({"again": again} if again else {})})
        return
    print("\n".join([*_in_words(stored), *(_compared(one) for one in again)]))


def _again(experiment: Experiment, stored: Trials, seeds: int) -> Iterator[dict[str, Any]]:
    """Yield the test accuracy of each stored trial that is trained again, beside the stored one."""
    from nlpviz.experiments.feedforward.bags import newsgroups
    from nlpviz.experiments.feedforward.experiment import conduct_one

    for trial in stored.trials:
        if trial.seed < seeds:
            choice = experiment.groups[trial.group][trial.choice]
            fresh = conduct_one(choice, (trial.group, trial.choice), newsgroups(), trial.rate, trial.seed)
            yield {
                "group": trial.group,
                "choice": trial.choice,
                "seed": trial.seed,
                "stored": trial.test,
                "again": fresh.test,
            }


def _facts(stored: Trials) -> dict[str, Any]:
    """Return the numbers of an experiment as JSON holds them."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for group in stored.groups():
        groups[group] = []
        for choice, title in stored.choices(group).items():
            mean, interval = stored.test(group, choice)
            trials = stored.of(group, choice)
            groups[group].append(
                {
                    "choice": choice,
                    "title": title,
                    "rate": trials[0].rate,
                    "test_accuracy": mean,
                    "interval": interval,
                    "seeds": [trial.seed for trial in trials],
                    "diverged": sum(trial.diverged is not None for trial in trials),
                }
            )
    about = as_json(stored, "created", "device", "seconds")
    return {"experiment": stored.name, **about, "facts": dict(stored.facts), "groups": groups}


def _in_words(stored: Trials) -> Iterator[str]:
    facts = _facts(stored)
    yield f"{stored.name}: created on {stored.created}, {stored.device}, {stored.seconds:.0f} s of training"
    for group, rows in facts["groups"].items():
        yield f"{group} (mean test accuracy with its 95% interval, rate)"
        for row in sorted(rows, key=lambda row: -row["test_accuracy"]):
            low, high = row["interval"]
            yield f"  {row['title']:26} {row['test_accuracy']:.1%}  [{low:.1%}, {high:.1%}]  {row['rate']:g}"


def _compared(one: dict[str, Any]) -> str:
    return (
        f"{one['group']}: {one['choice']}, seed {one['seed']}: stored {one['stored']:.4f}, retrained {one['again']:.4f}"
    )


COMMAND = Command(
    "train-curves", "show or recompute the training curves of feed-forward networks", _add_arguments, _run
)
