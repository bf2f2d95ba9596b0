"""Trees as text: read, written, refused, edited; negation and contrast found in them."""

from __future__ import annotations

import pytest

from nlpviz.text.tree_edits import EDITS, join_next, join_previous, leave_out, negate, swap
from nlpviz.text.tree_patterns import Contrast, Negation, contrasts, negations
from nlpviz.text.treebank import parts_of, treebank_tokens, treebank_words
from nlpviz.text.trees import MOST_WORDS, Tree, TreeError, of_nested, parse, read_tree, right_branching, written
from tests.trees import several

LABELLED = "(3 (2 a) (4 (3 really) (3 good)))"


def test_a_labelled_tree_has_children_before_their_parents() -> None:
    tree = parse(LABELLED)
    assert tree == Tree(("a", "really", "good"), ((1, 2), (0, 3)), (2, 3, 3, 4, 3))
    assert tree.spans == ((0, 1), (1, 2), (2, 3), (1, 3), (0, 3))
    assert tree.heights.tolist() == [0, 0, 0, 1, 2]
    assert tree.parents == (4, 3, 3, 4, None)
    assert [tree.phrase(node) for node in (3, 4)] == ["really good", "a really good"]


def test_what_is_written_is_read_again() -> None:
    for tree in several(50):
        assert parse(written(tree)) == tree
        bare = Tree(tree.words, tree.children)
        assert parse(written(bare)) == bare == of_nested(tree.nested())


def test_more_than_two_parts_are_joined_from_the_right() -> None:
    assert written(parse("(a b c d)")) == written(right_branching(["a", "b", "c", "d"])) == "(a (b (c d)))"
    assert written(parse("((a b) (c))")) == "((a b) c)"


def test_digits_are_labels_only_where_every_bracket_has_one() -> None:
    assert parse("((3 stars) film)").words == ("3", "stars", "film")
    assert parse("(2 (2 3) (2 stars))").words == ("3", "stars")


def test_escaped_brackets_are_words() -> None:
    tree = parse("(-LRB- ((a b) -RRB-))")
    assert tree.words == ("(", "a", "b", ")")
    assert written(tree) == "(-LRB- ((a b) -RRB-))"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no word"),
        ("()", "no word"),
        ("((a b)", "Unclosed brackets: 1"),
        ("(a b))", "closes before ')'"),
        (")", "no word"),
        (") a", "no matching opening bracket"),
        ("a b", "outside the brackets"),
        ("(a b) c", "closes before 'c'"),
        ("(a () b)", "brackets is empty"),
        ("(3 (2 a) b)", "Label all nodes or none"),
        ("(3 a b c)", "one word or two phrases"),
        ("(" * 50_000 + "a", "Unclosed brackets: 50000"),
        ("(" + "a " * 50_000 + ")", "at most 200 words"),
    ],
)
def test_what_is_no_tree_is_refused_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(TreeError) as refused:
        parse(text)
    assert said in str(refused.value)


def test_deep_brackets_are_no_matter() -> None:
    assert written(parse("(" * 20_000 + "a" + ")" * 20_000)) == "(a)"
    assert len(right_branching(["a"] * MOST_WORDS).children) == MOST_WORDS - 1


def test_a_typed_text_is_bracketed_or_branches_to_the_right() -> None:
    assert read_tree(" ((not very) good)", treebank_words)[1]
    tree, bracketed = read_tree("It isn't bad.", treebank_words)
    assert not bracketed
    assert written(tree) == "(It (is (n't (bad .))))"
    with pytest.raises(TreeError, match="not 100,000"):
        read_tree("word " * 100_000, treebank_words)
    with pytest.raises(TreeError, match="no word"):
        read_tree("  \n", treebank_words)


def test_words_are_parted_as_a_treebank_has_them() -> None:
    text = "You can’t deny the film's well-acted (U.S.) 7/10..."
    words = ["you", "ca", "n't", "deny", "the", "film", "'s", "well-acted", "(", "u.s.", ")", "7/10", "..."]
    tokens = treebank_tokens(text)
    assert [token.word for token in tokens] == words
    assert all(text[token.start : token.end].replace("’", "'").lower() == token.word for token in tokens)
    assert parts_of("n't") == ("not",)
    assert parts_of("well-acted") == ["well", "-", "acted"]


def test_edits_do_what_they_say() -> None:
    tree = parse("((a b) (c d))")  # leaves 0 to 3, nodes 4, 5, 6
    assert written(swap(tree, 6)) == "((c d) (a b))"
    assert written(swap(tree, 4)) == "((b a) (c d))"
    assert written(negate(tree, 5)) == "((a b) (not (c d)))"
    assert written(negate(tree, 6)) == "(not ((a b) (c d)))"
    assert written(leave_out(tree, 1)) == "(a (c d))"
    assert written(leave_out(tree, 4)) == "(c d)"
    assert written(join_next(tree, 4)) == "(((a b) c) d)"
    assert written(join_previous(tree, 5)) == "(a (b (c d)))"


def test_joining_leads_to_any_brackets() -> None:
    """From a right-branching sentence to one that branches to the left, and back."""
    tree = right_branching(["a", "b", "c", "d"])
    for _ in range(2):
        tree = join_next(tree, tree.children[-1][0])
    assert written(tree) == "(((a b) c) d)"
    for _ in range(2):
        tree = join_previous(tree, tree.children[-1][1])
    assert written(tree) == "(a (b (c d)))"


def test_an_edit_says_to_what_it_applies() -> None:
    for tree in several(20):
        for node in range(len(tree)):
            for edit in EDITS.values():
                if edit.applies(tree, node):
                    assert len(edit.apply(tree, node).words) - len(tree.words) in {0, 1, *range(-len(tree.words), 0)}
                else:
                    assert node == tree.root or tree.below(node) is None or edit.label.startswith("Join")


def test_negations_are_negators_joined_to_what_follows() -> None:
    tree = parse("((It ((is n't) (very good))) (and ((not bad) either)))")
    found = [(tree.phrase(one.whole), tree.phrase(one.negated)) for one in negations(tree)]
    assert found == [("is n't very good", "very good"), ("not bad", "bad")]
    assert negations(parse("((bad not) that)")) == (Negation(4, 2),)
    assert negations(parse("(((we all) (were not)) good)")) == ()


def test_contrasts_are_what_stands_round_but() -> None:
    for text in ("(((it drags) ,) (but (it pleases)))", "((it drags) (, (but (it pleases))))"):
        tree = parse(text)
        (found,) = contrasts(tree)
        assert tree.phrase(found.first) in {"it drags", "it drags ,"}
        assert tree.phrase(found.second) == "it pleases"
        assert found.whole == tree.root
    left = parse("((((it drags) but) (it pleases)) .)")  # leaves 0 to 5, then "it drags", "it drags but", "it pleases"
    assert contrasts(left) == (Contrast(9, 6, 8),)
    assert contrasts(parse("(but (it pleases))")) == ()
