"""``optimise SURFACE --optimiser …``: races optimisers on a loss surface of two parameters."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from nlpviz.commands import Command, UsageError, add_json, named, positive, print_json
from nlpviz.commands.as_json import as_json

if TYPE_CHECKING:
    from nlpviz.results.descents import SurfacePath, SurfaceRace

_LINES = 6  # of a path, in words


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("surface", help="loss surface, for example ravine")
    parser.add_argument(
        "--optimiser", action="append", help="optimiser, for example adam; may be repeated (default: all)"
    )
    parser.add_argument(
        "--rate",
        type=float,
        help="learning rate for all optimisers (default: the best of ten rates for each optimiser)",
    )
    parser.add_argument("--steps", type=positive, default=200, help="number of steps (default: 200)")
    parser.add_argument(
        "--noise", type=float, default=0.0, help="standard deviation of the gradient noise (default: no noise)"
    )
    parser.add_argument(
        "--start", type=float, nargs=2, metavar=("X", "Y"), help="starting point (default: set by the surface)"
    )
    add_json(parser)


def _run(options: argparse.Namespace) -> None:
    from nlpviz.experiments.feedforward import FeedForwardError, known_surfaces
    from nlpviz.experiments.feedforward.descent import own_rates, race
    from nlpviz.experiments.optimisers import optimisers

    surface = named(known_surfaces(), options.surface, "surface")
    start = surface.start if options.start is None else tuple(options.start)
    names = list(dict.fromkeys(options.optimiser or optimisers()))
    try:
        if options.rate is None:
            rates = own_rates(surface, names, start, options.steps, options.noise)
        else:
            rates = dict.fromkeys(names, options.rate)
        raced = race(surface, rates, start, options.steps, options.noise)
    except FeedForwardError as error:
        raise UsageError(str(error)) from None
    if options.json:
        print_json(_facts(raced))
        return
    print(f"{raced.title}, {options.steps:,} steps; lowest possible loss {raced.lowest:g}")
    for path in sorted(raced.paths, key=lambda path: (path.left, path.losses[-1])):
        print("\n".join(_in_words(path)))


def _facts(raced: SurfaceRace) -> dict[str, Any]:
    """Return the race as JSON holds it."""
    return {
        **as_json(raced, "surface", "lowest", "noise"),
        "paths": [
            as_json(path, "optimiser", "rate") | {"left_the_surface": path.left} | as_json(path, "points", "losses")
            for path in raced.paths
        ],
    }


def _in_words(path: SurfacePath) -> list[str]:
    count = len(path.losses)
    places = sorted({round(place * (count - 1) / (_LINES - 1)) for place in range(_LINES)})
    end = f", left the surface at step {count:,}: learning rate too large" if path.left else ""
    lines = [f"{path.title}, rate {path.rate:g}{end}"]
    for place in places:
        x, y = path.points[place]
        lines.append(f"  step {place:5,}  x {x:8.4f}  y {y:8.4f}  loss {path.losses[place]:.4g}")
    return lines


COMMAND = Command("optimise", "compare optimisers on a two-parameter loss surface", _add_arguments, _run)
