"""``influence RUN``: because of which training documents a text is classified as it is, by sketches made once.

``--sketch`` reads all training documents at a few kept epochs and keeps their sketches with the run; ``--fidelity``
compares the sketches with exact influences over some test documents. Both need the corpus. Nothing of a text is kept.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, add_run, positive, print_json, run_for, say, target_of, teller
from nlpviz.commands.as_json import as_json

if TYPE_CHECKING:
    from nlpviz.results.influence import Influence


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--text", help="text whose prediction is explained")
    what.add_argument("--sketch", action="store_true", help="compute gradient sketches and store them with the run")
    what.add_argument(
        "--fidelity", type=positive, metavar="N", help="compare sketched with exact influences on N texts"
    )
    parser.add_argument(
        "--target", help="class whose score is explained, for example positive (default: the predicted class)"
    )
    parser.add_argument("--top", type=positive, default=10, help="number of documents listed per sign (default: 10)")


def _run(options: argparse.Namespace) -> None:
    from nlpviz.run_kinds.influence import influence, sketch

    run = run_for("influence", options.run)
    if options.sketch:
        run = sketch(run, teller(options))
    if options.fidelity:
        _tell_fidelity(run.name, options)
        return
    if options.text is None:
        facts = {"run": run.name, "bytes": run.file("influence.parquet").stat().st_size}
        print_json(facts) if options.json else print("{run}: {bytes:,} bytes of sketches stored".format(**facts))
        return
    found = influence(run, options.text, target_of(run, options))
    if options.json:
        print_json(_facts(found, options.top))
        return
    exact = "exact" if found.through is not None else "estimated from sketches, since the corpus is not on this machine"
    print(
        f"{run.name}: {found.class_names[found.target]}, {found.probability:.1%}; influence of "
        f"{found.documents:,} training documents at epochs {', '.join(map(str, found.epochs))} ({exact}; "
        "in thousandths of a nat)"
    )
    if not len(found.encoded.ids):
        say("No words were read, so no training document influences the prediction.")
    for title, rows in (("helpful", found.helpful(options.top)), ("harmful", found.harmful(options.top))):
        print(f"  {title}")
        for row in rows:
            words = ", ".join(word for word, _ in found.strongest_words(int(row), 4))
            label = found.class_names[found.labels[row]]
            print(f"    {found.ids[row]:24} {label:12} {found.scores[row] * 1e3:+10.4f}  {words}")


def _tell_fidelity(name: str, options: argparse.Namespace) -> None:
    from nlpviz.run_kinds.influence_fidelity import fidelity

    run = run_for("influence", name)
    found = fidelity(run, options.fidelity, teller(options))
    if options.json:
        print_json(found._asdict())
        return
    print(
        f"{run.name}: over {found.texts} test texts and {found.documents:,} training documents, rank "
        "correlation of sketched and exact influences "
        f"{found.correlation:.3f} (lowest {found.lowest:.3f}); {found.recall:.1%} of the exact top "
        f"{found.top} per sign are among the {found.candidates} candidates"
    )


def _facts(found: Influence, top: int) -> dict[str, Any]:
    def listed(rows: Any) -> list[dict[str, Any]]:  # noqa: ANN401
        return [
            {
                "id": found.ids[row],
                "label": found.class_names[found.labels[row]],
                "influence": found.scores[row],
                "by_epoch": found.by_epoch[:, row],
                "words": dict(found.strongest_words(int(row), 8)),
            }
            for row in rows
        ]

    return {
        **as_json(found, "run", "epochs"),
        "target": found.class_names[found.target],
        **as_json(found, "probability", "documents"),
        "exact": found.through is not None,
        "helpful": listed(found.helpful(top)),
        "harmful": listed(found.harmful(top)),
    }


COMMAND = Command("influence", "show which training documents shaped a prediction", _add_arguments, _run)
