"""``faithfulness RUN --text …``: every method on one text, beside the best and the worst order, and what they share.

``--survey 300`` measures the methods and the baselines over so many test documents and keeps what they reach with the
run; ``--survey`` alone tells what is kept.
"""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, add_run, add_texts, positive, print_answers, run_for, teller, texts_of
from nlpviz.commands.as_json import as_json
from nlpviz.commands.faithfulness_survey import KEPT, tell_survey

if TYPE_CHECKING:
    from collections.abc import Callable

    from nlpviz.results.agreement import MethodAgreement
    from nlpviz.results.explanation import Explanation
    from nlpviz.results.faithfulness import Faithfulness
    from nlpviz.results.stability import Stability
    from nlpviz.runs import TrainedModel

    Compared = tuple[list[Explanation], Faithfulness, MethodAgreement]


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    source = add_texts(parser)
    source.add_argument(
        "--survey",
        type=positive,
        nargs="?",
        const=KEPT,
        metavar="N",
        help="measure the methods on N test documents; without N, show the stored survey",
    )
    parser.add_argument("--epoch", type=int, help="epoch of the checkpoint (default: the best epoch)")
    parser.add_argument(
        "--groups",
        type=positive,
        help="maximum number of token groups per text (default: 10, small enough to try every order)",
    )
    parser.add_argument(
        "--stability",
        action="store_true",
        help="also explain perturbed inputs, the untrained network, and networks with randomised layers",
    )


def _run(options: argparse.Namespace) -> None:
    run = run_for("faithfulness", options.run)
    if options.survey is not None:
        tell_survey(run, options)
        return
    texts = texts_of(options)
    trained, say = run.load(options.epoch), teller(options)
    compared = (_compared(trained, text, options.groups, say) for text in texts)
    results = ((found, _stability(trained, found[0], say) if options.stability else None) for found in compared)
    print_answers(
        options,
        results,
        lambda both: _facts(*both[0]) | _stability_facts(both[1]),
        lambda both: _in_words(*both[0]) + _stability_in_words(both[1]),
    )


def _compared(trained: TrainedModel, text: str, groups: int | None, say: Callable[[str], None]) -> Compared:
    """Return the explanations of the predicted class by every method, how faithful they are, and how they agree."""
    from nlpviz.analysis.attribution import explain, methods_for
    from nlpviz.analysis.attribution.faithfulness import GROUPS, GroupReader, measure, search
    from nlpviz.results.agreement import agreement

    explained = []
    for method in methods_for(trained.run).values():
        say(f"Computing {method.title}")
        explained.append(explain(trained, text, method.name))
    say("Searching for the best and the worst order")
    reader = GroupReader(trained, explained[0].encoded, explained[0].target, groups or GROUPS)
    bounds = search(trained, explained[0], reader=reader)
    return explained, measure(trained, explained, bounds, reader), agreement(explained)


def _stability(trained: TrainedModel, explained: list[Explanation], say: Callable[[str], None]) -> Stability:
    """Return how stable the explanations are, before training too where the run keeps that epoch."""
    from nlpviz.analysis.attribution.stability import stability

    say("Explaining perturbed inputs and randomised networks")
    before = trained.run.load(0) if 0 in trained.run.epochs and trained.epoch else None
    return stability(trained, explained, before)


def _facts(explained: list[Explanation], found: Faithfulness, agreed: MethodAgreement) -> dict[str, Any]:
    """Return all of it as JSON holds it; what is not a number is null."""
    names = ("comprehensiveness", "sufficiency")
    measures = zip(*(_of_each(found, measure) for measure in range(2)), strict=True)
    return {
        **as_json(found, "run", "epoch"),
        "text": explained[0].encoded.text,
        "target": found.target,
        **as_json(found.bounds, "tokens", "groups"),
        "search": "exact" if not found.bounds.width else f"beam search, width {found.bounds.width}",
        "methods": [
            {
                "method": method,
                **dict(zip(names, both, strict=True)),
                "deletion": found.deletion[position],
                "insertion": found.insertion[position],
                "residual": explained[position].residual,
                "correlation": dict(zip(agreed.methods, agreed.correlation[position], strict=True)),
                "overlap": dict(zip(agreed.methods, agreed.overlap[position], strict=True)),
            }
            for position, (method, both) in enumerate(zip(found.methods, measures, strict=True))
        ],
        "random_orders": {
            "count": len(found.random_comprehensiveness),
            "seed": found.seed,
            "comprehensiveness": found.random_comprehensiveness,
            "sufficiency": found.random_sufficiency,
        },
        "best": dict(zip(names, found.best, strict=True)),
        "worst": dict(zip(names, found.worst, strict=True)),
        "top": agreed.top,
    }


def _of_each(found: Faithfulness, measure: int) -> list[dict[str, float]]:
    values = (found.comprehensiveness, found.sufficiency)[measure]
    shares = found.normalised(values, measure)
    return [{"value": value, "normalised": share} for value, share in zip(values, shares, strict=True)]


def _in_words(explained: list[Explanation], found: Faithfulness, agreed: MethodAgreement) -> list[str]:
    """Return a table of the methods, the most comprehensive one first, with what bounds them and what they share."""
    bounds = found.bounds
    if not bounds.tokens:
        return [f"{found.target} (epoch {found.epoch}); no words were read"]
    how = "exhaustive search" if not bounds.width else f"beam search, width {bounds.width}"
    lines = [
        f"{found.target} (epoch {found.epoch}); {bounds.tokens:,} tokens in {bounds.groups} groups; best and worst "
        f"order: {how}",
        f"  {'':22} {'comprehensiveness':>20} {'sufficiency':>20} {'deletion':>9} {'insertion':>9} {'residual':>9}",
    ]
    measures = (found.comprehensiveness, found.sufficiency)
    shares = [found.normalised(values, place) for place, values in enumerate(measures)]
    for position in (-found.comprehensiveness).argsort(kind="stable").tolist():
        residual = explained[position].residual
        lines.append(
            f"  {found.methods[position]:22} {_both(found.comprehensiveness[position], shares[0][position])} "
            f"{_both(found.sufficiency[position], shares[1][position])} {found.deletion[position]:9.3f} "
            f"{found.insertion[position]:9.3f} {'–' if residual is None else f'{residual:+.3f}':>9}"
        )
    for name, place in (("best order", found.best), ("worst order", found.worst)):
        lines.append(f"  {name:22} {place[0]:+13.3f}        {place[1]:+13.3f}")
    random = (found.random_comprehensiveness, found.random_sufficiency)
    spread = [f"{values.min():+.3f} to {values.max():+.3f}" for values in random]
    lines.append(f"  {f'{len(random[0])} random orders':22} {spread[0]:>20} {spread[1]:>20}")
    lines.append(f"  overlap of the top {agreed.top} tokens (chance {agreed.by_chance:.0%})")
    lines.append(f"  {'':25} {' '.join(f'{number:4}' for number in range(1, 1 + len(agreed.methods)))}")
    for number, (name, overlap) in enumerate(zip(agreed.methods, agreed.overlap, strict=True), start=1):
        lines.append(f"  {number:2} {name:22} {' '.join(f'{share:4.0%}' for share in overlap)}")
    return lines


def _stability_facts(result: Stability | None) -> dict[str, Any]:
    if result is None:
        return {}
    each = {
        method: {"sensitivity": change, "correlation": dict(zip(result.networks, ranks, strict=True))}
        for method, change, ranks in zip(result.methods, result.sensitivity, result.correlation, strict=True)
    }
    return {"stability": as_json(result, "moves", "radius", "seed") | {"methods": each}}


def _stability_in_words(result: Stability | None) -> list[str]:
    """Return a row for each method: its sensitivity, and its ranks' correlations with those by other networks."""
    if result is None:
        return []
    lines = [
        f"  sensitivity to perturbations of radius {result.radius:.2g}; rank correlation with: "
        f"{', '.join(result.networks)}"
    ]
    for row, method in enumerate(result.methods):
        ranks = " ".join("    –" if math.isnan(one) else f"{one:+5.2f}" for one in result.correlation[row])
        change = result.sensitivity[row]
        lines.append(f"  {method:22} {'–' if math.isnan(change) else f'{change:.1%}':>8}  {ranks}")
    return lines


def _both(value: float, share: float) -> str:
    """Return a value and where it lies between worst and best order: ``"+0.612 (0.93)"``."""
    return f"{value:+13.3f} ({'–' if math.isnan(share) else f'{share:.2f}':>4})"


COMMAND = Command("faithfulness", "compare attribution methods on one text", _add_arguments, _run)
