"""How to read an alignment: the equations of the network that is shown, with the page's own numbers."""

from __future__ import annotations

import numpy as np

from nlpviz.figures.translation.alignments import Aligned, Chosen, has_alignment
from nlpviz.results.alignment import Translation
from nlpviz.runs import Run
from nlpviz.ui.frame import escape_markdown
from nlpviz.ui.translation.answers import row_of

_OUTPUT = (
    r"P[y_t \mid y_{<t}, c_t] = \operatorname{softmax}(W_s \tilde h_t), \quad "
    r"\tilde h_t = \tanh(W_c [c_t; h_t]) \qquad (16,\ 17)"
)
_CONTEXT = r"c_t = \sum_{i=1}^{T_x} \alpha_{t,i} \bar h_i \qquad (18)"
_NO_ATTENTION = r"P[y_t \mid y_{<t}, v] = \operatorname{softmax}(W_s \tanh(W_c h_t)), \quad h_0 = "
_SCORES = {
    "dot": r"h_t^\top \bar h_i",
    "general": r"h_t^\top W_\alpha \bar h_i",
    "concat": r"v_\alpha^\top \tanh(W_\alpha [h_t; \bar h_i])",
}
_GLOBAL = (
    r"\alpha_{{t,i}} = \frac{{\exp(s_{{t,i}})}}{{\sum_{{i'}} \exp(s_{{t,i'}})}}, \quad s_{{t,i}} = {score} \qquad (19)"
)
_LOCAL = (
    r"\alpha_{{t,i}} = \frac{{\exp(s_{{t,i}})}}{{\sum_{{i'=p_t-D}}^{{p_t+D}} \exp(s_{{t,i'}})}} "
    r"\exp\Big(-\frac{{(i-p_t)^2}}{{2(D/2)^2}}\Big), \quad s_{{t,i}} = {score} \qquad (20,\ 22)"
)
_PLACES = {
    "local-m": r"p_t = \min(t, T_x)",
    "local-p": r"p_t = T_x \cdot \sigma(v_p^\top \tanh(W_p h_t)) \qquad (21)",
}
_HEADS = (
    r"\alpha_{{t,i}} = \frac{{1}}{{{heads}}} \sum_{{n=1}}^{{{heads}}} \operatorname{{softmax}}_i\Big("
    r"\frac{{q_t^{{(n)\top}} k_i^{{(n)}}}}{{\sqrt{{{size}}}}}\Big), \quad "
    r"q_t^{{(n)}} = W_q^{{(n)}} s_t, \quad k_i^{{(n)}} = W_k^{{(n)}} \bar h_i"
)
_NAMED = 3  # source words


def formulas(run: Run) -> list[str]:
    """Return the equations of a run's network, as Tixier (2018) numbers them."""
    attention = str(run.config.get("attention", ""))
    if attention == "none":
        return [_NO_ATTENTION + phrase_formula(run)]
    if not attention:
        heads = run.config["heads"]
        return [_HEADS.format(heads=heads, size=run.config["dimensions"] // heads)]
    score = _SCORES.get(str(run.config.get("score", "")), "")
    if attention == "global":
        return [_OUTPUT, _CONTEXT, _GLOBAL.format(score=score)]
    return [_OUTPUT, _LOCAL.format(score=score), _PLACES[attention]]


def worked_example(run: Run, result: Translation, chosen: Chosen | None) -> str:
    """Return Markdown that says what the weights of one target word make of the annotations."""
    if not has_alignment(result):
        return (
            "This network has no attention: its decoder starts from the encoder’s last state and receives no "
            "other input from the source."
        )
    aligned, row = Aligned(result), row_of(result, chosen)
    said = ", ".join(f"{share:.2f} on *{escape_markdown(word)}*" for word, share in aligned.strongest(row, _NAMED))
    total = float(aligned.weights[row].sum())
    word = escape_markdown(aligned.target[row])
    largest = "largest " if np.count_nonzero(aligned.weights[row]) > _NAMED else ""
    start = f"For *{word}* (t = {row + 1}), the {largest}attention weights are {said}; "
    if "heads" in run.config:
        start = (
            "Every layer of the decoder attends to the source with several heads (Vaswani et al. 2017). "
            f"The alignment is taken from {result.alignment_of}: the penultimate layer (Garg et al. 2019). "
            "Here s is this layer’s state at the position of the target word, and h̄ are the encoder’s "
            f"annotations. {start}"
        )
    if aligned.centres is None:
        return f"{start}all weights add up to {total:.2f}."
    centre = float(aligned.centres[row]) + 1
    return (
        f"{start}the window reaches {aligned.window} words on either side of p = {centre:.2f}, the "
        f"Gaussian reduces the weights far from p, and all weights add up to {total:.2f}."
    )


def matrix(result: Translation) -> str:
    """Return Markdown that says how to read the matrix and its sides; nothing where there is none."""
    if not has_alignment(result):
        return ""
    said = (
        "Each row of the matrix shows one target word’s attention to each source word, from 0 (pale) "
        "to 1 (full colour). **Entropy** measures how diffuse a row is: 0 if all weight is on one word, "
        "log S if S words have equal weight."
    )
    if result.window is not None:
        said += " Rows of local attention add up to less than 1, so they are normalised first."
    if result.alignment_of is not None:
        said += (
            " The entropy of a mean over heads is at least the mean of the heads’ entropies, so do not compare it "
            "with the entropy of networks that have a single attention distribution."
        )
    return (
        f"{said} **Coverage** is the sum of the attention that a source word receives from all target "
        f"words (Tu et al. 2016). A word with a coverage near 0 may have been left out; one with a coverage well "
        f"above 1 may have been translated twice.\n\nAn annotation also contains information about neighbouring "
        f"words, so a weight refers to a position rather than to a word alone. The network’s "
        "alignment may differ from a human alignment."
    )


def sources(run: Run) -> str:
    """Return the papers that a run's network and its attention come from."""
    if "heads" in run.config:
        return "Vaswani et al. 2017; Garg et al. 2019, section 4.1"
    if run.config["attention"] == "none":
        return "Sutskever, Vinyals and Le 2014; Tixier 2018, section 7.1"
    return "Bahdanau et al. 2015; Luong, Pham and Manning 2015; Tixier 2018, section 7.1"


def unknown_words(run: Run, result: Translation) -> str:
    """Return a sentence on what becomes of a word that the network cannot write, or that it writes in pieces."""
    if run.recipe.get("subwords"):
        return (
            "Rare words are split into pieces (Sennrich, Haddow and Birch 2016); a dot (·) marks a piece that is "
            "followed by another piece of the same word. Only words with an unknown character are out of vocabulary."
        )
    if has_alignment(result):
        return "An unknown word is replaced by the source word with the most attention (Luong, Sutskever et al. 2015)."
    return "An unknown word remains `<unk>`: without attention, there is no alignment from which to copy a source word."


def phrase_formula(run: Run) -> str:
    """Return the equation of v, the vector that stands for a phrase; a recurrent decoder begins with it."""
    if "heads" in run.config:
        return r"v = \frac{1}{T_x} \sum_{i=1}^{T_x} \bar h_i"
    if run.config["bidirectional"]:
        return r"v = \left[\overrightarrow{h}_{T_x};\; \overleftarrow{h}_{1}\right]"
    return r"v = \bar h_{1}" if run.config["reverse"] else r"v = \bar h_{T_x}"
