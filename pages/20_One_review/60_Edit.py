"""What would change the prediction?

Click a word to swap, delete or negate it, or search for the smallest edits that flip the prediction.
"""

import streamlit as st

from nlpviz.results.edits import ADDED_BITS
from nlpviz.ui import frame, texts, tokens, widgets
from nlpviz.ui.edits import compared, controls, fooling, search, trail, worked

with frame.bar():
    run = widgets.pick_run()
    epoch = widgets.pick_epoch(run)
    text = texts.pick_text(run)
with frame.controls():
    edited = trail.ask(run, text)
    found = compared.pair(run, epoch, edited, text)

compared.tell(found)
compared.show_prediction(found)
compared.show_texts(found)
controls.show(run, epoch, edited)
compared.tell_more(found)
left, right = st.columns(2, gap="medium")
with left:
    st.markdown("**Score changes**")
    compared.show_scores(found)
with right:
    st.markdown("**Your edits step by step**")
    compared.show_trail(found, edited)
tokens.show_seen(found.after.encoded)

st.header("Smallest edits that flip the prediction", anchor=False)
searched = search.show(run, epoch, edited, found.model)
st.header("Try to fool the network", anchor=False)
same = fooling.play(found, edited, searched)
with frame.details("Save the two texts as a minimal pair"):
    fooling.keep(found, edited, same)

with frame.how_to_read():
    st.latex(r"\Delta \approx (e_{w'} - e_w)^\top \nabla_{e_w} \left( \max_{c \neq \hat c} s_c - s_{\hat c} \right)")
    st.latex(r"\text{added bits} = B' - n'\,\frac{B}{n}")
    st.markdown(worked.reading(found, searched))
    st.markdown(
        f"""
**The search** uses the gradient at the vector $e_w$ of every word $w$ in the text. For every word $w'$ of the
vocabulary, it estimates how much replacing $w$ by $w'$ would change the margin between the best other class and the
predicted class (*HotFlip*, Ebrahimi et al. 2018). The network then reads the edited texts with the largest estimates.
An edited text is offered only if its predicted class differs from the original prediction and every edit is needed. The
five nearest misses are edited once more. The search may miss a smaller edit. *Near* words are a word’s fifteen nearest
neighbours among the network’s own word vectors.

**Reads like English**: $B$ is the surprisal, in bits, of the $n$ words of the original text, and $B'$ that of the $n'$
words of the edited text. An edited word may add at most {ADDED_BITS:g} bits. At 600 positions in 60 training reviews,
this filter passes 14% of random replacements drawn by frequency (95% CI 12% to 17%), 20% of near words (17% to 23%) and
37% of deletions (34% to 41%; `python -m nlpviz edits imdb-cnn --random`). The filter therefore removes most nonsense,
but not all of it, and it ignores meaning.

**Input reduction** removes the words that matter least by |gradient · input|, as long as the predicted class stays the
same (Feng et al. 2018). To a human reader, the remaining words often do not justify the prediction.

**Negate** adds *n't* to a form of *be*, *do*, *have* or a modal verb, or removes an existing *n't*. It also removes
*not* and *never*, and inserts *not* before any other word. It works for English only and does not parse the sentence.

The address contains the positions and words of the edits, but not the text. A link to a review of the corpus works
wherever the corpus is installed. To share your own text, choose *Link* in a figure’s menu, then *Include your text*.
"""
    )
