"""The files of a run that captions images: its words, and the weights of its kept epochs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nlpviz.runs.run import Run, RunError
from nlpviz.text.vocabulary import EOS, Vocabulary

if TYPE_CHECKING:
    from nlpviz.networks.architectures.captioner import Captioner

KIND, OF_IMAGES = "captioner", "image-captioner"
"""Of runs on drawn scenes, whose truth is known, and on the user's images."""


@dataclass(frozen=True)
class TrainedCaptioner:
    """One epoch's network of a run, by its name, loaded: in evaluation mode, frozen, safe to share between threads."""

    run: str
    epoch: int
    module: Captioner
    vocabulary: Vocabulary

    @property
    def eos(self) -> int:
        """The id that begins and ends a caption."""
        return int(self.vocabulary.ids([EOS])[0])


def load_captioner(run: Run, epoch: int | None = None) -> TrainedCaptioner:
    """Return the network with the weights of ``epoch``, by default the best one.

    Raises:
        RunError: if the run is of another kind, has no such epoch, or its weights do not fit the architecture.
    """
    if run.kind not in (KIND, OF_IMAGES):
        raise RunError(f"The run {run.name!r} is not a captioner.")
    from nlpviz.networks.architectures import captioners

    epoch = run.check_epoch(run.best_epoch if epoch is None else epoch)
    module: Captioner = run.module(epoch, captioners())  # type: ignore[assignment]
    return TrainedCaptioner(run.name, epoch, module, run.vocabulary)
