"""Snippets of how feed-forward networks learn: the committed experiments."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.figures.snippets import written


def plane(experiment: str, name: str) -> str:
    """Return code for the path of weights in a plane through the epochs, and the loss there."""
    return written(
        """
        import pandas as pd

        from nlpviz.experiments.feedforward.stored import planes, read_trials
        from nlpviz.experiments.optimisers import optimisers
        from nlpviz.figures.feedforward.plane import epoch_plane
        from nlpviz.figures.page import save_figure

        plane = planes(read_trials($experiment))[$name]
        table = pd.concat(
            [
                pd.DataFrame(
                    {
                        "epoch": range(len(path)),
                        "first component": path[:, 0],
                        "second component": path[:, 1],
                        "true loss, nats": plane.true[name],
                    }
                )
                for name, path in plane.paths.items()
            ],
            ignore_index=True,
        )
        print(table)
        titles = {name: one.title for name, one in optimisers().items()}
        print("The figure:", save_figure(epoch_plane(plane, titles)))
        """,
        experiment=experiment,
        name=name,
    )


def range_tests(experiment: str) -> str:
    """Return code for the loss of each step of range tests, by its learning rate."""
    return written(
        """
        import pandas as pd

        from nlpviz.experiments.feedforward.stored import range_tests, read_trials
        from nlpviz.figures.feedforward import rates
        from nlpviz.figures.page import save_figure

        trials = read_trials($experiment)
        tests = range_tests(trials)
        rows = [(one.title, one.seed, *point) for one in tests for point in zip(one.rates, one.losses)]
        table = pd.DataFrame(rows, columns=["optimiser", "seed", "learning rate", "batch loss, nats"])
        print(table)
        print("The figure:", save_figure(rates.range_tests(tests, trials.per_epoch)))
        """,
        experiment=experiment,
    )


def layers(experiment: str, name: str) -> str:
    """Return code for what is watched of each layer of a training, step by step."""
    return written(
        """
        import pandas as pd

        from nlpviz.experiments.feedforward.stored import read_trials, watched
        from nlpviz.figures.feedforward.layers import by_layer
        from nlpviz.figures.page import save_figure

        training = watched(read_trials($experiment))[$name]
        table = pd.concat(
            [
                pd.DataFrame(
                    {
                        "layer": layer.name,
                        "step": training.steps,
                        "update-to-weight ratio": layer.ratio,
                        "share saturated or inactive": layer.flat,
                        "RMS of gradients": layer.gradient,
                    }
                )
                for layer in training.layers
            ],
            ignore_index=True,
        )
        print(table)
        print("The figure:", save_figure(by_layer(training)))
        """,
        experiment=experiment,
        name=name,
    )


def learnt(experiment: str, group: str) -> str:
    """Return code for how the networks of each choice of a group learnt, seed by seed."""
    return written(
        """
        import pandas as pd

        from nlpviz.experiments.feedforward.stored import read_trials
        from nlpviz.figures.feedforward.trials import learnt
        from nlpviz.figures.page import save_figure

        trials = read_trials($experiment)
        rows = [
            (choice, one.seed, epoch, point.train_loss, point.validation_loss, point.validation_accuracy)
            for name, choice in trials.choices($group).items()
            for one in trials.of($group, name)
            for epoch, point in enumerate(one.points)
        ]
        columns = ["choice", "seed", "epoch", "training loss", "validation loss", "validation accuracy"]
        table = pd.DataFrame(rows, columns=columns)
        print(table)
        print("The figure:", save_figure(learnt(trials, $group)))
        """,
        experiment=experiment,
        group=group,
    )


def descents(
    surface: str, optimisers: Sequence[str], start: tuple[float, float], steps: int, noise: float, rate: float | None
) -> str:
    """Return code for the paths of optimisers on a surface; ``rate`` None for each one's best of ten."""
    asked = "$start, $steps, $noise"
    rates = f"own_rates(surface, names, {asked})" if rate is None else "dict.fromkeys(names, $rate)"
    return written(
        f"""
        import pandas as pd

        from nlpviz.experiments.feedforward import known_surfaces
        from nlpviz.experiments.feedforward.descent import {"own_rates, " if rate is None else ""}race
        from nlpviz.figures.feedforward.surface import surface_race
        from nlpviz.figures.page import save_figure

        surface, names = known_surfaces()[$surface], $optimisers
        raced = race(surface, {rates}, {asked})
        rows = [
            (path.title, path.rate, step, *path.points[step], loss)
            for path in raced.paths
            for step, loss in enumerate(path.losses)
        ]
        table = pd.DataFrame(rows, columns=["optimiser", "rate", "step", "x", "y", "loss"])
        print(table)
        print("The figure:", save_figure(surface_race(raced, $steps)))
        """,
        surface=surface,
        optimisers=list(optimisers),
        start=start,
        steps=steps,
        noise=noise,
        rate=rate,
    )


def backpropagation(numbers: Sequence[tuple[str, float]], hidden: str, loss: str, about: str) -> str:
    """Return code for the values of a small network's numbers, and the gradient of the loss by each.

    Args:
        numbers: inputs, target and weights, by name.
        hidden: the activation of the hidden units.
        loss: its name.
        about: both, for the caption of the figure.
    """
    return written(
        """
        import pandas as pd

        from nlpviz.experiments.feedforward.small_graph import small_graph
        from nlpviz.figures.feedforward.graph import graph
        from nlpviz.figures.page import save_figure

        found = small_graph(dict($numbers), $hidden, $loss)
        table = pd.DataFrame({"number": [node.name for node in found.nodes]})
        table["value"] = [node.value for node in found.nodes]
        table["gradient of the loss"] = [node.gradient for node in found.nodes]
        print(table)
        print("The figure:", save_figure(graph(found, $about, len(found.steps) - 1)))
        """,
        numbers=list(numbers),
        hidden=hidden,
        loss=loss,
        about=about,
    )


def reached(experiment: str, group: str, base: str) -> str:
    """Return code for the test accuracy that each choice of a group reached, with intervals; ``base`` stands out."""
    return written(
        """
        import pandas as pd

        from nlpviz.experiments.feedforward.stored import read_trials
        from nlpviz.figures.feedforward.trials import reached
        from nlpviz.figures.page import save_figure

        trials = read_trials($experiment)
        found = {name: trials.test($group, name) for name in trials.choices($group)}
        rows = [
            (trials.choices($group)[name], mean, *interval)
            for name, (mean, interval) in sorted(found.items(), key=lambda item: item[1][0])
        ]
        table = pd.DataFrame(rows, columns=["choice", "mean test accuracy", "from", "to"])
        print(table)
        print("The figure:", save_figure(reached(trials, $group, $base)))
        """,
        experiment=experiment,
        group=group,
        base=base,
    )


def stopping(experiment: str, group: str, choice: str, seed: int, patience: int) -> str:
    """Return code for the losses of one long training, and where early stopping would have ended it."""
    return written(
        """
        import pandas as pd

        from nlpviz.experiments.feedforward.stored import read_trials
        from nlpviz.figures.feedforward import rates
        from nlpviz.figures.page import save_figure
        from nlpviz.results.feedforward import stop_early

        trial = read_trials($experiment).of($group, $choice)[$seed]
        points = trial.points
        table = pd.DataFrame({"training loss": [one.train_loss for one in points]})
        table["validation loss"] = [one.validation_loss for one in points]
        table["validation accuracy"] = [one.validation_accuracy for one in points]
        stop = stop_early(table["validation loss"].tolist(), $patience)
        print(table, stop)
        print("The figure:", save_figure(rates.stopping(trial, stop)))
        """,
        experiment=experiment,
        group=group,
        choice=choice,
        seed=seed,
        patience=patience,
    )


def shapes(experiment: str, group: str) -> str:
    """Return code for the learning rate by epoch of each schedule, with the rate that was best for it."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.experiments.feedforward.functions import rates_of
        from nlpviz.experiments.feedforward.stored import read_trials
        from nlpviz.figures.feedforward.rates import schedule_shapes
        from nlpviz.figures.page import save_figure

        done = np.linspace(0, 1, 241)
        schedules, epochs = rates_of(read_trials($experiment), $group, done)
        table = pd.DataFrame({"epoch": done * epochs} | schedules)
        print(table)
        print("The figure:", save_figure(schedule_shapes(done * epochs, schedules)))
        """,
        experiment=experiment,
        group=group,
    )


def losses() -> str:
    """Return code for every loss of two outputs, z and 0, where the first class is right, and its derivative by z."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.experiments.feedforward.functions import losses_at
        from nlpviz.figures.feedforward.curves import loss_curves
        from nlpviz.figures.page import save_figure

        z = np.linspace(-8, 8, 161)
        losses, table = losses_at(z), pd.DataFrame({"z": z})
        for title, (values, derivatives) in losses.items():
            table[title], table[f"derivative of {title}"] = values, derivatives
        print(table)
        print("The figure:", save_figure(loss_curves(z, losses)))
        """
    )


def activations() -> str:
    """Return code for every activation, and its derivative."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.experiments.feedforward.functions import activations_at
        from nlpviz.figures.feedforward.curves import activation_curves
        from nlpviz.figures.page import save_figure

        z = np.linspace(-5, 5, 201)
        activations, table = activations_at(z), pd.DataFrame({"z": z})
        for title, (values, derivatives) in activations.items():
            table[title], table[f"derivative of {title}"] = values, derivatives
        print(table)
        print("The figure:", save_figure(activation_curves(z, activations)))
        """
    )
