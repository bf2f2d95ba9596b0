"""What would change its mind?

Click a word and swap, delete or negate it, or let a search find the smallest edits that flip the prediction.
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
    st.markdown("**Where the scores moved**")
    compared.show_scores(found)
with right:
    st.markdown("**Your edits, step by step**")
    compared.show_trail(found, edited)
tokens.show_seen(found.after.encoded)

st.header("Smallest edits that flip the prediction", anchor=False)
searched = search.show(run, epoch, edited, found.model)
st.header("Try to fool it", anchor=False)
same = fooling.play(found, edited, searched)
with frame.details("Keep the two texts as a minimal pair"):
    fooling.keep(found, edited, same)

with frame.how_to_read():
    st.latex(r"\Delta \approx (e_{w'} - e_w)^\top \nabla_{e_w} \left( \max_{c \neq \hat c} s_c - s_{\hat c} \right)")
    st.latex(r"\text{added bits} = B' - n'\,\frac{B}{n}")
    st.markdown(worked.reading(found, searched))
    st.markdown(
        f"""
**The search** estimates for every word $w$ of the text and every word $w'$ of the vocabulary how far the margin between
the best other class and the predicted one would move, from the gradient at the word's vector $e_w$ (*HotFlip*, Ebrahimi
et al. 2018). The network then reads the edited texts with the largest estimates. A text is offered only if the network
predicts another class for it and every one of its edits is needed. The five nearest misses are edited once more. The
search may miss a smaller edit. *Near* words are the fifteen nearest in the network's own word vectors.

**Reads like English**: $B$ is the surprisal of the original's $n$ words in bits, $B'$ that of the edited text's $n'$
words. An edited word may add {ADDED_BITS:g} bits. Among random replacements drawn by frequency 14% pass (95% CI 12% to
17%), among near words 20% (17% to 23%), among deletions 37% (34% to 41%), at 600 places in 60 training reviews
(`python -m nlpviz edits imdb-cnn --random`). So the filter drops most nonsense, but not all, and ignores meaning.

**Input reduction** removes the words that matter least by |gradient · input|, as long as the class stays (Feng et al.
2018). What is left is often no reason that a reader would give.

**Negate** adds or removes *n't* at a form of *be*, *do*, *have* or a modal verb, removes *not* and *never*, and puts
*not* before any other word. It knows English only, and no grammar.

The address contains the positions and words of the edits, not the text: a link to a review of the corpus works
wherever the corpus is installed. To share your own text, choose *Link* in a figure's menu, then *Include it*.
"""
    )
