"""The candidates of a beam search, as a tree that also shows the path of greedy search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nlpviz.results.alignment import BeamNode, BeamTree, NodeStatus
from nlpviz.text.parallel import LanguagePair, without_joiners

if TYPE_CHECKING:
    from nlpviz.language.decoding.search import Candidate, ScoredTranslation, Searched, SearchSettings


def beam_tree(
    searched: Searched, greedy: ScoredTranslation, languages: LanguagePair, settings: SearchSettings
) -> BeamTree:
    """Return all candidates of a recorded search.

    Args:
        searched: with the candidates of every step.
        greedy: what greedy search came to.
        languages: whose words they are.
        settings: of the search.
    """
    from nlpviz.language.decoding.search import Candidate

    nodes: list[BeamNode] = []
    path: list[int] = []  # of greedy search
    firsts = [0]  # the number of each step's first node
    total = 0.0
    for step in range(max(len(searched.steps), len(greedy.words))):
        candidates = searched.steps[step] if step < len(searched.steps) else []
        # A candidate’s parent is numbered within the step before: the step’s first node makes it a tree node.
        parents = [-1 if step == 0 else firsts[-2] + one.parent for one in candidates]
        pairs = zip(candidates, parents, strict=True)
        nodes += [_node(one, parent, step, languages, settings) for one, parent in pairs]
        if step < len(greedy.words):
            word, log_probability = greedy.words[step], float(greedy.log_probabilities[step])
            total += log_probability
            before = path[-1] if path else -1
            position = _position(candidates, parents, word, before)
            path.append(len(nodes) if position is None else firsts[-1] + position)
            if position is None:
                own = Candidate(before, word, log_probability, total, kept=False, ended=False)
                nodes.append(_node(own, before, step, languages, settings)._replace(status=NodeStatus.GREEDY))
        firsts.append(len(nodes))
    ends = (firsts[len(result.path) - 1] + result.path[-1] for result in searched.translations)
    return BeamTree(settings.width, settings.penalty, tuple(nodes), tuple(ends), tuple(path))


def _node(one: Candidate, parent: int, step: int, languages: LanguagePair, settings: SearchSettings) -> BeamNode:
    """Return a candidate as a node of the tree."""
    status = NodeStatus.ENDED if one.ended else NodeStatus.KEPT if one.kept else NodeStatus.PRUNED
    word = without_joiners(languages.target.words[one.word])
    return BeamNode(
        parent, step, word, one.log_probability, one.total, settings.score(one.total, step + 1), status, one.word
    )


def _position(candidates: Sequence[Candidate], parents: Sequence[int], word: int, parent: int) -> int | None:
    """Return which of a step's candidates is ``word`` after ``parent``; None where the search did not look at it."""
    pairs = zip(candidates, parents, strict=True)
    return next(
        (position for position, (one, before) in enumerate(pairs) if (one.word, before) == (word, parent)), None
    )
