"""Snippets of how feed-forward networks learn: the committed experiments."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.snippets import written


def plane(experiment: str, name: str) -> str:
    """Return code for the path of weights in a plane through the epochs, and the loss there."""
    return written(
        """
        import pandas as pd

        from nlpviz.feedforward.stored import planes, read_trials

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
        """,
        experiment=experiment,
        name=name,
    )


def range_tests(experiment: str) -> str:
    """Return code for the loss of each step of range tests, by its learning rate."""
    return written(
        """
        import pandas as pd

        from nlpviz.feedforward.stored import range_tests, read_trials

        tests = range_tests(read_trials($experiment))
        rows = [(one.title, one.seed, *point) for one in tests for point in zip(one.rates, one.losses)]
        table = pd.DataFrame(rows, columns=["optimiser", "seed", "learning rate", "loss of the batch, nats"])
        print(table)
        """,
        experiment=experiment,
    )


def layers(experiment: str, name: str) -> str:
    """Return code for what is watched of each layer of a training, step by step."""
    return written(
        """
        import pandas as pd

        from nlpviz.feedforward.stored import read_trials, watched

        training = watched(read_trials($experiment))[$name]
        table = pd.concat(
            [
                pd.DataFrame(
                    {
                        "layer": layer.name,
                        "step": training.steps,
                        "update / weights": layer.ratio,
                        "share flat or off": layer.flat,
                        "size of gradients": layer.gradient,
                    }
                )
                for layer in training.layers
            ],
            ignore_index=True,
        )
        print(table)
        """,
        experiment=experiment,
        name=name,
    )


def learnt(experiment: str, group: str) -> str:
    """Return code for how the networks of each choice of a group learnt, seed by seed."""
    return written(
        """
        import pandas as pd

        from nlpviz.feedforward.stored import read_trials

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

        from nlpviz.feedforward import known_surfaces
        from nlpviz.feedforward.descent import {"own_rates, " if rate is None else ""}race

        surface, names = known_surfaces()[$surface], $optimisers
        raced = race(surface, {rates}, {asked})
        rows = [
            (path.title, path.rate, step, *path.points[step], loss)
            for path in raced.paths
            for step, loss in enumerate(path.losses)
        ]
        table = pd.DataFrame(rows, columns=["optimiser", "rate", "step", "x", "y", "loss"])
        print(table)
        """,
        surface=surface,
        optimisers=list(optimisers),
        start=start,
        steps=steps,
        noise=noise,
        rate=rate,
    )


def backpropagation(numbers: Sequence[tuple[str, float]], hidden: str, loss: str) -> str:
    """Return code for the values of a small network's numbers, and the gradient of the loss by each."""
    return written(
        """
        import pandas as pd

        from nlpviz.feedforward.small_graph import small_graph

        found = small_graph(dict($numbers), $hidden, $loss)
        table = pd.DataFrame({"number": [node.name for node in found.nodes]})
        table["value"] = [node.value for node in found.nodes]
        table["gradient of the loss"] = [node.gradient for node in found.nodes]
        print(table)
        """,
        numbers=list(numbers),
        hidden=hidden,
        loss=loss,
    )


def reached(experiment: str, group: str) -> str:
    """Return code for the test accuracy that each choice of a group reached, with intervals."""
    return written(
        """
        import pandas as pd

        from nlpviz.feedforward.stored import read_trials

        trials = read_trials($experiment)
        found = {name: trials.test($group, name) for name in trials.choices($group)}
        rows = [
            (trials.choices($group)[name], mean, *interval)
            for name, (mean, interval) in sorted(found.items(), key=lambda item: item[1][0])
        ]
        table = pd.DataFrame(rows, columns=["choice", "mean test accuracy", "from", "to"])
        print(table)
        """,
        experiment=experiment,
        group=group,
    )


def stopping(experiment: str, group: str, choice: str, seed: int, patience: int) -> str:
    """Return code for the losses of one long training, and where early stopping would have ended it."""
    return written(
        """
        import pandas as pd

        from nlpviz.feedforward.stored import read_trials
        from nlpviz.results.feedforward import stop_early

        points = read_trials($experiment).of($group, $choice)[$seed].points
        table = pd.DataFrame({"training loss": [one.train_loss for one in points]})
        table["validation loss"] = [one.validation_loss for one in points]
        table["validation accuracy"] = [one.validation_accuracy for one in points]
        print(table, stop_early(table["validation loss"].tolist(), $patience))
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

        from nlpviz.feedforward import known_schedules
        from nlpviz.feedforward.stored import read_trials

        trials, done = read_trials($experiment), np.linspace(0, 1, 241)
        columns = {}
        for name in trials.choices($group):
            if schedule := known_schedules().get(name):
                first = trials.of($group, name)[0]
                columns["epoch"] = done * (len(first.points) - 1)
                columns[name] = [first.rate * schedule.factor(share) for share in done.tolist()]
        table = pd.DataFrame(columns)
        print(table)
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

        from nlpviz.feedforward import known_losses

        table = pd.DataFrame({"z": np.linspace(-8, 8, 161)})
        for loss in known_losses().values():
            graded = [loss.grade(np.array([[z, 0.0]]), np.array([0])) for z in table["z"]]
            table[loss.title] = [one.loss for one in graded]
            table[f"derivative of {loss.title}"] = [one.gradient[0, 0] for one in graded]
        print(table)
        """
    )


def activations() -> str:
    """Return code for every activation, and its derivative."""
    return written(
        """
        import numpy as np
        import pandas as pd

        from nlpviz.feedforward import known_activations

        z = np.linspace(-5, 5, 201)
        table = pd.DataFrame({"z": z})
        for activation in known_activations().values():
            table[activation.title] = activation.value(z)
            table[f"derivative of {activation.title}"] = activation.slope(z, activation.value(z))
        print(table)
        """
    )
