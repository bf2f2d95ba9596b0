"""What runs must have for pages to be about them: other subjects lead to such a page where a run has it."""

from __future__ import annotations

from nlpviz.runs import Run
from nlpviz.runs.counts import NGRAMS
from nlpviz.runs.documents import DOCUMENTS
from nlpviz.runs.language import reads_on
from nlpviz.runs.paragraphs import infers
from nlpviz.ui.widgets import Wanted


def _attends(run: Run) -> bool:
    """Return whether a run's network has attention."""
    from nlpviz.networks.architectures import attends

    return attends(run.architecture, run.config)


def _goes_on(run: Run) -> bool:
    """Return whether a run's network can be taken step by step, in one direction."""
    if not WORD_BY_WORD.able(run):
        return False
    from nlpviz.networks.architectures import goes_on

    return goes_on(run.architecture, run.config)


WITH_REGIONS = Wanted(
    "Inside the model",
    able=lambda run: "region_sizes" in run.config,  # a contract of architectures; asking the network needs torch
    lacks=lambda _: "no convolution filters",
    named="trained convolutional network",
    recipe="imdb-cnn",
)
"""Runs whose networks have regions and filters."""
LINEAR = Wanted("Inside the model", able=lambda run: NGRAMS in run.files, named="bag of n-grams", recipe="imdb-ngrams")
"""Runs without a network, whose n-grams have a weight each."""
WITH_ATTENTION = Wanted(
    "One review",
    able=_attends,
    lacks=lambda _: "no attention",
    named="trained network with attention",
    recipe="imdb-han",
)
"""Runs whose networks have attention."""
WORD_BY_WORD = Wanted(
    "Recurrent networks",
    able=lambda run: "reading" in run.config or reads_on(run),  # of the states, a contract of architectures; no torch
    lacks=lambda _: "no state after each word",
    named="trained network that reads word by word",
    recipe="imdb-lstm",
)
"""Runs whose networks have a state after each word."""
RECURRENT = Wanted("Recurrent networks", able=_goes_on, named="trained recurrent network", recipe="imdb-lstm")
"""Runs whose networks make each state of the one before and of a word alone."""
OF_SEVERAL_EPOCHS = Wanted(
    "One review",
    able=lambda run: len(run.epochs) > 1,
    lacks=lambda _: "only one epoch is stored",
    named="trained network with several stored epochs",
    recipe="imdb-cnn",
)
"""Runs whose network is there before training, or half way, as well."""
WITH_DOCUMENTS = Wanted("Explore", able=lambda run: DOCUMENTS in run.files, mixed=True)
"""Runs that keep what they make of test documents."""
INFERRED = Wanted("Explore", able=infers, named="run with paragraph vectors", recipe="imdb-pv-dbow")
"""Runs that find a text's embedding by a descent."""
READ_CLOSELY = Wanted("One review")
"""Runs whose network is asked about one text, word by word."""
WITH_ANALOGIES = Wanted("Words")
"""Runs whose words can be added."""
LANGUAGE_MODELS = Wanted("Language models", named="language model", recipe="wikitext2-kn")
"""Runs that give every next word a probability."""
CODES = Wanted("Autoencoders", named="document autoencoder", recipe="newsgroups-vae-32")
"""Runs that make a code of a text and a distribution over words of a code."""
TREES = Wanted("Trees", named="tree network", recipe="sst-tree-lstm")
"""Runs that classify every node of a sentence's tree."""
