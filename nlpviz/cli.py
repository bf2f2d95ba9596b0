"""The command line: fetch a corpus, train a recipe, list, measure, explain and map runs.

Every command that reads takes ``--json`` and then prints nothing but JSON. A wrong name ends with exit code 2 and
one sentence that lists the right ones.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from nlpviz import __version__
from nlpviz.data import DataError, corpora
from nlpviz.runs import Run, RunError, list_runs, open_run
from nlpviz.training import DEVICES, Options, TrainingError
from nlpviz.training.recipes import recipes

if TYPE_CHECKING:
    from nlpviz.explanation import Explanation


T = TypeVar("T")


class UsageError(Exception):
    """What was asked for does not exist; the message lists what does."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    asked = _parser().parse_args(arguments)
    try:
        asked.command(asked)
    except (UsageError, RunError, DataError, TrainingError) as error:
        print(f"nlpviz: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nnlpviz: stopped; the same command goes on from here.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader, `head` for one, has enough
        sys.stderr.close()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m nlpviz", description="See what small networks for language learnt."
    )
    parser.add_argument("--version", action="version", version=f"nlpviz {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    fetch = commands.add_parser("fetch", help="download a corpus, verified")
    fetch.add_argument("corpus", help="for example imdb")
    fetch.set_defaults(command=_fetch)

    train = commands.add_parser("train", help="make a run from its recipe, or go on with a stopped training")
    train.add_argument("recipe", help="for example imdb-cnn")
    train.add_argument("--device", default="auto", choices=DEVICES)
    train.add_argument("--epochs", type=_positive, help="at most so many (default: the recipe's number)")
    train.set_defaults(command=_train)

    listing = commands.add_parser("runs", help="list the trained runs")
    listing.set_defaults(command=_runs)

    evaluate = commands.add_parser("evaluate", help="measure a run on its corpus's test split")
    evaluate.add_argument("run", help="for example imdb-cnn")
    evaluate.add_argument("--device", default="auto", choices=DEVICES)
    evaluate.set_defaults(command=_evaluate)

    explain = commands.add_parser("explain", help="say which words moved a prediction")
    explain.add_argument("run", help="for example imdb-cnn")
    text = explain.add_mutually_exclusive_group(required=True)
    text.add_argument("--text", type=_unicode, help="the text to explain")
    text.add_argument("--file", type=Path, help="a file with one text on each line; - reads standard input")
    explain.add_argument("--method", default="saliency", help="default: %(default)s")
    explain.add_argument("--epoch", type=int, help="default: the best epoch")
    explain.add_argument("--target", help="a class, for example positive (default: the predicted one)")
    explain.set_defaults(command=_explain)

    project = commands.add_parser("project", help="compute the maps of a run's documents")
    project.add_argument("run", help="for example imdb-cnn")
    project.add_argument("--seed", type=int, default=0)
    project.set_defaults(command=_project)

    for reading in (listing, evaluate, explain, project):
        reading.add_argument("--json", action="store_true", help="print JSON and nothing else")
    return parser


def _fetch(asked: argparse.Namespace) -> None:
    from tqdm import tqdm

    from nlpviz.data.files import fetch

    corpus = _named(corpora(), asked.corpus, "corpus")
    with tqdm(total=corpus.size, unit="B", unit_scale=True, unit_divisor=1024, desc=corpus.file, leave=False) as bar:

        def show(arrived: int, expected: int) -> None:
            bar.total = expected
            bar.update(arrived - bar.n)

        path = fetch(corpus, show)
    print(f"{corpus.title}: {path}")


def _train(asked: argparse.Namespace) -> None:
    from nlpviz.projections import project_run, write_maps
    from nlpviz.training.produce import produce

    recipe = _named(recipes(), asked.recipe, "recipe")

    def draw_maps(run: Run) -> None:
        if run.epochs:
            write_maps(run, list(project_run(run, say=_say)))

    run = produce(recipe, Options(device=asked.device, epochs=asked.epochs, say=_say), draw_maps)
    if run is not None:  # under a launcher the first process speaks for all
        print(_row(run))


def _runs(asked: argparse.Namespace) -> None:
    runs, problems = list_runs()
    if asked.json:
        print(_json({"runs": [_facts(run) for run in runs.values()], "problems": problems}))
        return
    for line in [_row(run) for run in runs.values()] + problems:
        print(line)


def _evaluate(asked: argparse.Namespace) -> None:
    run = open_run(asked.run)
    recipe = _named(recipes(), run.name, "recipe")
    say = _quiet if asked.json else _say
    measured = recipe.evaluate(run.name, Options(device=asked.device, say=say))
    if asked.json:
        print(_json({"run": run.name, "epoch": run.best_epoch if run.epochs else None, **measured}))
        return
    print(
        f"{run.name}: accuracy {measured['accuracy']:.2%}, loss {measured['loss']:.3f} nats, "
        f"{measured['documents']:,.0f} test documents"
    )


def _explain(asked: argparse.Namespace) -> None:
    run = open_run(asked.run)
    target = None
    if asked.target is not None:
        places = {name: place for place, name in enumerate(run.class_names)}
        target = _named(places, asked.target, "class")
    texts = [asked.text] if asked.text is not None else _lines(asked.file)
    from nlpviz.attribution import explain

    trained = run.load(asked.epoch)
    results = [explain(trained, text, asked.method, target) for text in texts]
    if asked.json:
        facts = [_explained(result) for result in results]
        print(_json(facts[0] if asked.text is not None else facts))
        return
    for result in results:
        print(_in_words(result))


def _project(asked: argparse.Namespace) -> None:
    from nlpviz.projections import project_run, write_maps

    run = open_run(asked.run)
    projections = list(project_run(run, asked.seed, _quiet if asked.json else _say))
    write_maps(run, projections)
    facts = [
        {
            "projector": projection.projector,
            "dimensions": projection.dimensions,
            "epoch": projection.epoch,
            "trustworthiness": round(projection.trustworthiness, 4),
            "purity": round(projection.purity, 4),
        }
        for projection in projections
    ]
    if asked.json:
        print(_json({"run": run.name, "seed": asked.seed, "maps": facts}))
        return
    for fact in facts:
        print("  ".join(f"{key} {value}" for key, value in fact.items()))


def _named(known: dict[str, T], name: str, kind: str) -> T:
    """Return ``known[name]``; refuse a wrong name, listing the right ones."""
    if name not in known:
        raise UsageError(f"There is no {kind} {name!r}; there is {', '.join(known) or 'none'}.")
    return known[name]


def _lines(path: Path) -> list[str]:
    """Return the texts of a file, one a line; split on line feeds alone, as corpora are."""
    try:
        content = (sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as UTF-8 text ({type(error).__name__}).") from None
    return content.removesuffix("\n").split("\n")


def _explained(result: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON holds it: one record for each token, with its span in the text."""
    seen = result.encoded.seen
    return {
        "run": result.run,
        "epoch": result.epoch,
        "method": result.method,
        "signed": result.signed,
        "text": result.encoded.text,
        "target": result.class_names[result.target],
        "class_score": result.class_score,
        "residual": result.residual,
        "probabilities": dict(zip(result.class_names, map(float, result.probabilities), strict=True)),
        "tokens": [
            {
                "word": token.word,
                "start": token.start,
                "end": token.end,
                "seen": str(seen[place]),
                "score": float(result.scores[place]) if place < len(result.scores) else None,
            }
            for place, token in enumerate(result.encoded.tokens)
        ],
    }


def _in_words(result: Explanation) -> str:
    """Return what a person wants to read of an explanation."""
    predicted = result.class_names[result.predicted]
    tokens = result.encoded.read
    strongest = ", ".join(
        f'"{tokens[place].word}" {result.scores[place]:{"+" if result.signed else ""}.2g}'
        for place in result.strongest(8)
    )
    return (
        f"{predicted} {result.probabilities[result.predicted]:.1%} (epoch {result.epoch}); {result.method} towards "
        f"{result.class_names[result.target]}: {strongest or 'no word was read'}"
    )


def _facts(run: Run) -> dict[str, Any]:
    return {
        "name": run.name,
        "title": run.title,
        "kind": run.kind,
        "corpus": run.corpus["name"],
        "epochs": run.epochs,
        "best_epoch": run.best_epoch if run.epochs else None,
        "parameters": run.parameter_count,
        "metrics": run.metrics,
        "device": run.device,
        "seconds": run.seconds,
        "seconds_per_epoch": run.seconds_per_epoch,
        "created": run.created,
    }


def _row(run: Run) -> str:
    accuracy = run.metrics["test"]["accuracy"]
    chosen = f"epoch {run.best_epoch} of {run.epochs[-1]}" if run.epochs else "no epochs"
    size = f"{run.parameter_count:,} parameters"
    return f"{run.name}  {accuracy:.2%} on test  {chosen}  {size}  {run.device}  {run.title}"


def _json(facts: object) -> str:
    return json.dumps(facts, ensure_ascii=False, indent=1)


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def _quiet(line: str) -> None:
    """Say nothing."""


def _unicode(value: str) -> str:
    """Return an argument with a question mark for each byte that was no UTF-8."""
    return value.encode(errors="replace").decode()


def _positive(value: str) -> int:
    number = int(value)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number
