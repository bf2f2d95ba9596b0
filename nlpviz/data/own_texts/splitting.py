"""Which texts are held out: by the file itself, by group, by time, or drawn; repeated texts never stand on both sides.

Neighbours leak: texts by one author, or of one day, are more alike than texts are, and a model that has read some of
them is measured too well on the others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpviz.data.own_texts.collect import Gathered
from nlpviz.data.own_texts.rows import OwnTextsError, Source
from nlpviz.data.own_texts.sniff import moment


def normalised(text: str) -> str:
    """Return a text as texts are compared: case and the kind and number of blanks aside."""
    return " ".join(text.casefold().split())


def held_out(
    gathered: Gathered, among: NDArray[np.int64], labels: NDArray[np.integer], share: float, seed: int
) -> NDArray[np.int64]:
    """Return which of the rows ``among`` are held out, ascending: about a ``share`` of them.

    Args:
        gathered: the rows; its groups or times rule where there are any.
        among: positions of rows.
        labels: the classes of all rows.
        share: of the texts, between 0 and 1.
        seed: of what is drawn.

    Raises:
        OwnTextsError: if all rows are of one group or one time.
    """
    if gathered.groups:
        return _by_group([gathered.groups[at] for at in among], among, share, seed)
    if gathered.times:
        return _by_time([gathered.times[at] for at in among], among, share)
    return _drawn([normalised(gathered.texts[at]) for at in among], among, labels, share, seed)


def held_out_pairs(
    pairs: Sequence[tuple[str, str]], among: NDArray[np.int64], share: float, seed: int
) -> NDArray[np.int64]:
    """Return which of the pairs ``among`` are held out, ascending: about a ``share`` of them, drawn at random.

    Pairs with the same sentence, or the same translation, are on one side, and so is what hangs together by several of
    them: of a sentence with two translations neither is tested on where the other one was learnt.

    Args:
        pairs: sentences with their translations, all there are.
        among: positions of some of them.
        share: of these, between 0 and 1.
        seed: of what is drawn.

    Raises:
        OwnTextsError: if they all hang together, or but for one.
    """
    linked = linked_pairs([pairs[at] for at in among])
    if len(np.unique(linked)) < 3:
        raise OwnTextsError("All pairs are linked by shared sentences, so none can be held out.")
    return _whole(linked, among, share, seed)


def held_out_groups(groups: Sequence[str], among: NDArray[np.int64], share: float, seed: int) -> NDArray[np.int64]:
    """Return which of the rows ``among`` are held out, ascending: whole groups, about a ``share`` of the rows, drawn.

    Args:
        groups: of all rows, what may not stand on both sides.
        among: positions of some rows.
        share: of these, between 0 and 1.
        seed: of what is drawn.

    Raises:
        OwnTextsError: if these are of fewer than three groups.
    """
    return _by_group([groups[at] for at in among], among, share, seed)


def linked_pairs(pairs: Sequence[tuple[str, str]]) -> NDArray[np.int64]:
    """Return of each pair the position of one pair, (N,): the same for all that equal sides link, directly or not."""
    first: dict[tuple[int, str], int] = {}
    leads = list(range(len(pairs)))

    def leader(at: int) -> int:
        while leads[at] != at:
            leads[at] = leads[leads[at]]
            at = leads[at]
        return at

    for at, sides in enumerate(pairs):
        for side, text in enumerate(sides):
            one, other = sorted((leader(at), leader(first.setdefault((side, normalised(text)), at))))
            leads[other] = one
    return np.array([leader(at) for at in range(len(pairs))], dtype=np.int64)


def said(source: Source, share: float, validation: float, *, test_file: bool, by_folder: bool) -> str:
    """Return a sentence that says how test and validation texts were chosen."""
    if source.group:
        rule = f"whole groups of {source.group!r}"
    elif source.time:
        rule = f"latest texts by {source.time!r}"
    else:
        rule = "random, stratified by class, with duplicate texts kept together"
    if test_file:
        return f"Test set: a separate file. Validation set: {validation:.0%} of the training texts. Split: {rule}."
    if by_folder:
        return f"Test set: the folder test. Validation set: {validation:.0%} of the rest. Split: {rule}."
    return f"Test set: {share:.0%} of the texts. Validation set: {validation:.0%} of the rest. Split: {rule}."


def _by_group(groups: Sequence[str], among: NDArray[np.int64], share: float, seed: int) -> NDArray[np.int64]:
    """Hold out whole groups until the share is reached; one that would pass it by far is skipped."""
    names = set(groups)
    if len(names) < 3:
        raise OwnTextsError(f"The texts have {len(names)} groups; a split by group needs at least three.")
    return _whole(np.array(groups, dtype=object), among, share, seed)


def _whole(
    groups: NDArray[np.generic] | NDArray[np.object_], among: NDArray[np.int64], share: float, seed: int
) -> NDArray[np.int64]:
    """Hold out whole groups, of three or more, in a random order until the share is reached."""
    names, of_row, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    wanted, taken = share * len(groups), 0
    chosen: list[int] = []
    for group in np.random.default_rng(seed).permutation(len(names)):
        if taken < wanted and (taken + sizes[group] <= 1.5 * wanted or not taken) and len(chosen) < len(names) - 2:
            chosen.append(group)
            taken += sizes[group]
    return np.sort(among[np.isin(of_row, chosen)])


def _by_time(times: Sequence[str], among: NDArray[np.int64], share: float) -> NDArray[np.int64]:
    """Hold out the latest texts; those of one moment stay together."""
    moments = np.array([moment(time) for time in times], dtype=float)
    border = np.quantile(moments, 1 - share, method="nearest")
    late = moments > border
    if not late.any():
        late = moments >= border
    if late.all():
        raise OwnTextsError("All texts have the same time, so no later texts can be held out.")
    return np.sort(among[late])


def _drawn(
    keys: Sequence[str], among: NDArray[np.int64], labels: NDArray[np.integer], share: float, seed: int
) -> NDArray[np.int64]:
    """Draw as many in a hundred of each class, one at least where three are there; equal texts stay together."""
    rng = np.random.default_rng(seed)
    first: dict[str, int] = {}
    unique = np.array([first.setdefault(key, place) for place, key in enumerate(keys)])  # (n,), the first equal one
    ones = np.array(sorted(first.values()))
    chosen: list[int] = []
    for label in np.unique(labels[among]):
        of_label = ones[labels[among[ones]] == label]
        count = min(max(round(share * len(of_label)), 1), max(len(of_label) - 1, 0))
        chosen.extend(rng.permutation(of_label)[:count])
    return np.sort(among[np.isin(unique, chosen)])
