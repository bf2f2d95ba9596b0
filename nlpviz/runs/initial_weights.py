"""The initial weights of a run's network: epoch 0 is not random where it took word vectors from another run."""

from __future__ import annotations

from nlpviz.runs.run import Run


def before_training(run: Run) -> str:
    """Return the initial weights of a classifier in words: not all are random where it took another run's vectors."""
    vectors = run.recipe.get("fit", {}).get("starts_from", "")
    if vectors and run.recipe.get("words_of") == vectors:
        return f"with the word vectors and the recurrent layers of {vectors} and a random output layer"
    return f"with the word vectors of {vectors} and all other weights random" if vectors else "with random weights"
