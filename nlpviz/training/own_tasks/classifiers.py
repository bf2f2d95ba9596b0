"""The classifiers that can be requested by name, and their settings by the amount of user data.

Any architecture that classifies texts is one, and any recurrent cell. What networks on film reviews were found to need
(``nlpviz.training.recipes``) is what they begin with; the number of texts says how long and in which steps to train.
All of it ends up in the recipe, where it can be changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nlpviz.networks.architectures import Architecture, Classifier, architectures, untrained_instance
from nlpviz.networks.cells import cells
from nlpviz.training import TrainingError
from nlpviz.training.classifier import ClassifierSettings
from nlpviz.training.fit import FitSettings

_SIZES: dict[str, dict[str, Any]] = {
    "attentive-rnn": {"word_dropout": 0.3},
    "cnn": {"word_dropout": 0.3},
    "han": {"units": 50, "attention": 100, "word_dropout": 0.3},
    "qrnn": {"units": 88, "layers": 2, "reading": "last", "word_dropout": 0.3},
    "recurrent-network": {"units": 100, "word_dropout": 0.3},
    "skip-rnn": {"units": 100, "word_dropout": 0.3},
    "tcn": {"units": 48, "layers": 6, "word_dropout": 0.3},
    "transformer-encoder": {"dropout": 0.2, "word_dropout": 0.3},
}
"""Of each architecture, what is other than its defaults."""
_CELLS: dict[str, dict[str, Any]] = {"lstm": {"forget_bias": 1.0}, "gated": {"forget_bias": 1.0}}
_RATES = {"cnn": 1.5e-3, "transformer-encoder": 1e-3, "elman": 5e-4}
_ALSO = {"transformer": "transformer-encoder", "attention": "attentive-rnn", "skip": "skip-rnn"}
_SECONDS = {"cnn": 9, "attentive-rnn": 14, "han": 18, "transformer-encoder": 25}
"""An epoch over a million words on one thread took about so many on film reviews; other networks nine."""
_LONGEST = {"recurrent-network": 400, "skip-rnn": 400, "qrnn": 400, "tcn": 400}


@dataclass(frozen=True)
class OwnModel:
    """A classifier by its requested name.

    Attributes:
        name: as it is asked for.
        architecture: in ``nlpviz.networks.architectures``.
        config: of it, where it differs from its defaults.
        title: for people.
    """

    name: str
    architecture: str
    title: str
    config: Mapping[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """About how long an epoch over a million words takes."""
        return _SECONDS.get(self.architecture, 9)


@dataclass(frozen=True)
class Extent:
    """The size of the user data, as far as settings depend on it.

    Attributes:
        texts: to train on.
        words: of all of them.
        long: words of a text that only one in a hundred exceeds.
        classes: how many there are.
    """

    texts: int
    words: int
    long: int
    classes: int


def own_models() -> dict[str, OwnModel]:
    """Return every classifier that a person may ask for, by name."""
    found = {
        name: OwnModel(name, name, one.title, _SIZES.get(name, {}))
        for name, one in architectures().items()
        if _classifies(one)
    }
    for name, cell in cells().items():
        settings = {"cell": name, "settings": _CELLS.get(name, {})}
        found[name] = OwnModel(name, "recurrent-network", cell.title, _SIZES["recurrent-network"] | settings)
    return found | {short: found[whole] for short, whole in _ALSO.items() if whole in found}


def own_model(name: str) -> OwnModel:
    """Return the classifier called ``name``.

    Raises:
        TrainingError: if there is none, naming those there are.
    """
    known = own_models()
    if name not in known:
        raise TrainingError(f"Unknown classifier {name!r}; choose from {', '.join(sorted(known))}.")
    return known[name]


def classifier_settings(
    model: OwnModel, corpus: str, class_names: tuple[str, ...], extent: Extent, vectors: str = "", dimensions: int = 100
) -> ClassifierSettings:
    """Return the settings of a classifier for texts of some extent.

    Args:
        model: which.
        corpus: its name.
        class_names: in the order of the labels.
        extent: of the training texts.
        vectors: the run of word vectors from which it starts; empty for random ones.
        dimensions: of a word vector.
    """
    static = bool(vectors) and model.architecture != "cnn"
    config = {**model.config, "dimensions": dimensions, "static": static}
    if len(class_names) != 2:
        config["classes"] = len(class_names)
    return ClassifierSettings(
        corpus=corpus,
        class_names=class_names,
        architecture=model.architecture,
        config=config,
        vocabulary_size=20_000,
        max_length=max(min(extent.long, _LONGEST.get(model.architecture, 1_000)), 20),
        validation=0,
        fit=_fit(model, extent, vectors),
    )


def _fit(model: OwnModel, extent: Extent, vectors: str) -> FitSettings:
    """Return how long and in which steps to train: about as many steps on few texts as help, few passes over many."""
    epochs = next((many for most, many in ((5_000, 20), (20_000, 14), (100_000, 8)) if extent.texts <= most), 4)
    few = extent.texts < 10_000
    return FitSettings(
        epochs=epochs,
        patience=max(epochs // 4, 2),
        batch_size=16 if extent.texts < 3_000 else 32 if few else 64,
        learning_rate=_RATES.get(model.name, _RATES.get(model.architecture, 2e-3)),
        embedding_rate=2e-4 if vectors and model.architecture == "cnn" else None,
        averaging=0.0 if few else 0.998,
        clip=0.0 if model.architecture == "cnn" else 1.0,
        starts_from=vectors,
        moments=4 if few else 1,  # asking costs as much as a third of a pass
    )


def _classifies(architecture: Architecture) -> bool:
    return isinstance(untrained_instance(architecture.name, {}), Classifier)
