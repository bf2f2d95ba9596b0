"""The pages' only way to maps of documents: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.projections import FittedMap
from nlpviz.analysis.projections.checkpoints import nearest_documents
from nlpviz.analysis.projections.checkpoints import neighbours_in_common as neighbours_in_common_of
from nlpviz.analysis.projections.texts import TextPoint, embed_text, place_text, place_vectors
from nlpviz.analysis.projections.texts import fitted_map as fitted_map_of
from nlpviz.results.projection import Projection
from nlpviz.results.survey import DocumentRegions
from nlpviz.runs import Checkpoint, Run, surveys
from nlpviz.runs.documents import embeddings_of
from nlpviz.ui import cache
from nlpviz.ui.calls import Call, Result


def document_regions(run: Run) -> dict[str, DocumentRegions]:
    """Return the n-grams that moved each document most at the best epoch, by its id; empty where nobody looked."""
    return _document_regions(run) if surveys.DOCUMENT_REGIONS in run.files else {}


_document_regions = cache.shared(8)(surveys.document_regions)


@cache.shared(128)
def text_point(run: Run, epoch: int, text: str) -> TextPoint:
    """Return the document embedding of a typed text and the network's answer; the text must have a token."""
    return embed_text(cache.model(run, epoch), text)


def position(run: Run, projection: Projection, text: str) -> NDArray[np.float32]:
    """Return where a typed text goes on one of a run's maps, (dimensions,)."""
    return place_text(run, projection, text_point(run, projection.epoch, text), _fitted_map(run, projection))


def positions(
    run: Run, projection: Result[Projection], vectors: Result[NDArray[np.float32]]
) -> Call[NDArray[np.float32]]:
    """Return where texts with the embeddings ``vectors`` (M, E) go on one of a run's maps, (M, dimensions)."""
    fitted = Call(fitted_map_of, run, projection).giving(_fitted_map(run, projection()))
    return Call(place_vectors, projection, vectors, fitted)


# Both hold an array of 2 MB for each epoch: the same one.
@cache.shared(24)
def _fitted_map(run: Run, projection: Projection) -> FittedMap:
    return fitted_map_of(run, projection, _embeddings)


@cache.shared(24)
def _embeddings(run: Run, epoch: int) -> NDArray[np.float32]:
    result = embeddings_of(run, epoch)
    result.setflags(write=False)  # one for all visitors
    return result


@cache.shared(64)
def neighbours_in_common(first: Checkpoint, second: Checkpoint) -> float:
    """Return the share of a document's nearest neighbours that two checkpoints' original spaces have in common."""
    return neighbours_in_common_of(first, second, _nearest)


@cache.shared(64)  # a quarter of a megabyte each
def _nearest(checkpoint: Checkpoint) -> NDArray[np.intp]:
    result = nearest_documents(checkpoint)
    result.setflags(write=False)  # one for all visitors
    return result
