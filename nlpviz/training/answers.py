"""A network's class probabilities for any texts."""

from __future__ import annotations

from nlpviz.networks.architectures import architectures
from nlpviz.runs import Run
from nlpviz.training import accelerator_for
from nlpviz.training.predictions import Answers, probabilities
from nlpviz.training.texts import encoded


def answers_of(run: Run, epoch: int | None = None, device: str = "auto") -> Answers:
    """Return a function from N texts to their class probabilities, (N, K).

    Args:
        run: whose network is asked.
        epoch: of the weights, by default the best one.
        device: ``"auto"``, ``"cpu"`` or ``"cuda"``.

    Raises:
        RunError: if the run keeps no such epoch, or is damaged.
        TrainingError: if the device is not there.
    """
    trained = run.load(epoch)
    trained.module.to(accelerator_for(device).device)
    sentences = architectures()[run.architecture].reads_sentences
    return lambda texts: probabilities(trained, encoded(run.vocabulary, texts, sentences=sentences))
