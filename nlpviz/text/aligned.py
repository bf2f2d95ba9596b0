"""The words of two texts, aligned: which stretches are the same, and what differs between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_COMPARED = 200_000  # pairs of equal words that are weighed; beyond, what differs is one block


class Block(NamedTuple):
    """A stretch of two texts that is the same in both, or differs: where it begins and ends in each."""

    same: bool
    before: tuple[int, int]
    after: tuple[int, int]


def align(before: Sequence[str], after: Sequence[str]) -> list[Block]:
    """Return the words of two texts as stretches that are the same or differ, in order.

    What they have in common at the beginning and at the end is the same; between, the longest stretches are looked for
    (Ratcliff and Obershelp), unless words repeat so often that this would take long.
    """
    head = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    head = min(len(before), len(after)) if head is None else head
    most = min(len(before), len(after)) - head
    tail = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    first, second = before[head : len(before) - tail], after[head : len(after) - tail]
    blocks = [Block(True, (0, head), (0, head))] if head else []
    blocks += [Block(same, (head + i, head + j), (head + k, head + n)) for same, i, j, k, n in _between(first, second)]
    if tail:
        blocks.append(Block(True, (len(before) - tail, len(before)), (len(after) - tail, len(after))))
    return blocks


def _between(first: Sequence[str], second: Sequence[str]) -> list[tuple[bool, int, int, int, int]]:
    if not first and not second:
        return []
    ours, theirs = Counter(first), Counter(second)
    if sum(count * theirs[word] for word, count in ours.items()) > _COMPARED:
        return [(False, 0, len(first), 0, len(second))]
    found = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return [(tag == "equal", i, j, k, n) for tag, i, j, k, n in found]


def differing(blocks: Sequence[Block]) -> int:
    """Return how many words were edited: of each stretch that differs, as many as the longer side has."""
    return sum(max(one.before[1] - one.before[0], one.after[1] - one.after[0]) for one in blocks if not one.same)
