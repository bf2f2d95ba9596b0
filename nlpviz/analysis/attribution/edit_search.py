"""The smallest edits that change a prediction, by a beam search over single edits.

At each level the candidates with the largest first-order gains (``first_order.py``) are judged by a language model
(``fluency.py``) and read by the network; those that change the prediction end the search after their level, the nearest
misses are edited once more. What is offered was read again as the edited text itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from nlpviz.analysis.attribution import edit_candidates as candidates
from nlpviz.analysis.attribution import fluency
from nlpviz.analysis.attribution.edit_states import State, after
from nlpviz.analysis.attribution.first_order import MarginEstimate, estimates, probabilities, word_table
from nlpviz.language.surprisal import Asked
from nlpviz.networks.architectures import Classifier
from nlpviz.results.edits import NEAR, BitsRead, EditSearch, FoundEdits, Settings, added_bits
from nlpviz.runs import RunError, TrainedModel
from nlpviz.text import edits
from nlpviz.text.edits import WordEdit

WIDTH, TRIED, JUDGED, OFFERED = 5, 80, 200, 8
"""Texts that are edited at a level; candidates of each; those that a language model judges first; what is offered."""
EDITED = 400
"""Tokens of a text that may be edited."""
_WAIT = 2.0  # bits that what follows a word may give back


@dataclass
class _Search:
    """What a search knows, and what it has counted."""

    trained: TrainedModel
    text: str
    settings: Settings
    asked: Asked | None
    predicted: int = 0
    read: int = 0
    gradients: int = 0
    dropped: int = 0
    nearest: float = 1.0
    begun: float = field(default_factory=monotonic)
    original: BitsRead = BitsRead(0, 0.0)  # noqa: RUF009 - a named tuple is never changed

    @property
    def late(self) -> bool:
        """Whether the time limit is reached."""
        return monotonic() - self.begun > self.settings.seconds

    def ask(self, rows: Sequence[NDArray[np.int64]]) -> NDArray[np.float32]:
        """Return the network's probabilities for texts, (N, K), and count the texts."""
        self.read += len(rows)
        return probabilities(self.trained, rows)


def search_edits(
    trained: TrainedModel,
    text: str,
    settings: Settings = Settings(),  # noqa: B008 - a named tuple is never changed
    asked: Asked | None = None,
    report: Callable[[float], object] = lambda _: None,
) -> EditSearch:
    """Return the smallest edits found that change the prediction for a text.

    A beam search replaces or deletes words. It ranks candidates by their first-order effect on the class score. Each
    reported edit has been confirmed by classifying the edited text. The search may miss smaller edits.

    Args:
        trained: a classifier, loaded by ``Run.load``.
        text: any text; no edits are found for a text without words.
        settings: the allowed edits, the maximum number of edits and the time limit in seconds.
        asked: a language model with the same tokenizer, from :func:`nlpviz.language.surprisal.opened`, which rejects
            unlikely edits; None accepts all edits.
        report: progress callback, called with the completed fraction.

    Returns:
        The edits with the fewest changed words, each with the edited text and the new probability of the original
        class.

    Raises:
        RunError: if the network is not a classifier, or the language model has a different tokenizer.

    Example:
        >>> from nlpviz.analysis.attribution.edit_search import search_edits
        >>> from nlpviz.runs import open_run
        >>> search = search_edits(open_run("imdb-cnn").load(), "A great film.")
        >>> search.fewest, search.found[0].text
        (1, 'A wafer film.')
    """
    if not isinstance(trained.module, Classifier):
        raise RunError(f"The run {trained.run.name!r} is not a classifier.")
    if asked is not None and asked.run.tokenizer.name != trained.run.tokenizer.name:
        raise RunError(
            f"The run {asked.run.name!r} cannot score edits for {trained.run.name!r}, because they use "
            "different tokens."
        )
    encoded, now = trained.encode(text), _Search(trained, text, settings, asked)
    words = tuple(token.word for token in encoded.read)
    begin = State(encoded.row, encoded.ids, words, np.arange(len(words)), (), 1.0)
    first = now.ask([begin.row])[0]
    now.predicted, now.nearest = int(first.argmax()), float(first.max())
    if asked is not None:
        now.original = fluency.read(asked, text)
    found = _levels(now, begin._replace(left=now.nearest), report) if words else []
    return EditSearch(
        run=trained.run.name,
        epoch=trained.epoch,
        class_names=trained.run.class_names,
        predicted=now.predicted,
        probability=float(first.max()),
        ways=settings.ways,
        most=settings.most,
        threshold=None if asked is None else settings.threshold,
        language_model="" if asked is None else asked.title,
        found=tuple(found),
        nearest=now.nearest,
        read=now.read,
        gradients=now.gradients,
        unlike_english=now.dropped,
        stopped=now.late,
        beyond=max(len(encoded.tokens) - EDITED, 0),
    )


def _levels(now: _Search, begin: State, report: Callable[[float], object]) -> list[FoundEdits]:
    table, ways = word_table(now.trained), now.settings.ways
    known = None if now.asked is None else set(now.asked.vocabulary.words)
    columns = candidates.columns_of(now.trained.vocabulary, ways, known)
    near = candidates.near_words(table, begin.ids, columns) if NEAR in ways and len(columns) else None
    may = candidates.allowed(ways, columns, near)
    if now.asked is not None and len(columns):
        names = [now.trained.vocabulary.words[column] for column in columns]
        surprise = fluency.expected(now.asked, begin.words[:EDITED], names)
        likely = np.zeros((len(begin.words), len(columns)), dtype=bool)
        likely[:EDITED] = surprise <= now.settings.threshold + _WAIT
        may = may._replace(likely=likely)
    may_edit = np.array([candidates.is_word(word) for word in begin.words])
    may_edit[EDITED:] = False
    beam = [begin]
    for level in range(now.settings.most):
        made: dict[tuple[tuple[int, str], ...], State] = {}
        predicted = estimates(now.trained, [state.row for state in beam], now.predicted, table)
        now.gradients += len(beam)
        for number, (state, estimate) in enumerate(zip(beam, predicted, strict=True)):
            if now.late:
                break
            made |= {one.done: one for one in _edited(now, state, estimate, may, may_edit)}
            report((level + (number + 1) / (len(beam) + 1)) / now.settings.most)
        turned, rest = _judged(now, list(made.values()))
        if found := _confirmed(now, turned):
            return found
        beam = sorted(rest, key=lambda state: state.left)[:WIDTH]
        if not beam or now.late:
            break
    return []


def _edited(
    now: _Search, state: State, estimate: MarginEstimate, may: candidates.Allowed, may_edit: NDArray[np.bool_]
) -> list[State]:
    """Return a text after each of the edits that are worth reading."""
    still = may_edit.copy()
    still[[place for place, _ in state.done]] = False
    count = TRIED if now.asked is None else JUDGED
    some = candidates.best(estimate, may, state.ids, state.origin, still, count)
    vocabulary = now.trained.vocabulary.words
    named = [(one.place, vocabulary[one.id] if one.id >= 0 else "") for one in some]
    if now.asked is not None and named:
        bits = fluency.in_windows(now.asked, state.words, named, now.original.mean)
        kept = bits <= now.settings.threshold
        now.dropped += int((~kept).sum())
        some = [one for one, keep in zip(some, kept, strict=True) if keep]
    return [after(state, one, vocabulary) for one in some if one.id >= 0 or len(state.ids) > 1]


def _judged(now: _Search, states: Sequence[State]) -> tuple[list[State], list[State]]:
    """Return the texts that the network predicts otherwise, and the others, each with what is left."""
    found = now.ask([state.row for state in states])
    judged = [state._replace(left=float(one[now.predicted])) for state, one in zip(states, found, strict=True)]
    turned = [state for state, one in zip(judged, found, strict=True) if int(one.argmax()) != now.predicted]
    rest = [state for state, one in zip(judged, found, strict=True) if int(one.argmax()) == now.predicted]
    now.nearest = min([now.nearest, *(state.left for state in rest)])
    return turned, rest


def _confirmed(now: _Search, turned: Sequence[State]) -> list[FoundEdits]:
    """Return what still turns the prediction when the edited text itself is read, the most English or surest first."""
    found, tokens = [], now.trained.run.vocabulary.tokens
    for state in sorted(turned, key=lambda one: one.left)[: 4 * OFFERED]:
        changes = tuple(WordEdit(place, 1, word) for place, word in reversed(state.done))
        text = edits.apply(now.text, changes, tokens)
        one = now.ask([now.trained.encode(text).row])[0]
        added = None if now.asked is None else added_bits(now.original, fluency.read(now.asked, text))
        if int(one.argmax()) == now.predicted:
            continue
        if added is not None and added > now.settings.threshold * len(changes):
            now.dropped += 1
            continue
        if _padded(now, changes):
            continue
        said = edits.said(now.text, changes, tokens)
        found.append(FoundEdits(changes, said, text, float(one[now.predicted]), int(one.argmax()), added))
    return sorted(found, key=lambda one: one.probability if one.added is None else one.added)[:OFFERED]


def _padded(now: _Search, changes: tuple[WordEdit, ...]) -> bool:
    """Return whether the prediction turns without one of the edits, too: its bits would pay for another's."""
    if len(changes) == 1:
        return False
    fewer = [changes[:at] + changes[at + 1 :] for at in range(len(changes))]
    texts = [edits.apply(now.text, some, now.trained.run.vocabulary.tokens) for some in fewer]
    rows = [now.trained.encode(text).row for text in texts]
    return bool((now.ask(rows).argmax(axis=1) != now.predicted).any())
