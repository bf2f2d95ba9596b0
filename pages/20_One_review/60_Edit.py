"""What would change its mind?

Swap, delete, insert or negate words and see what the prediction and the words' scores do. Or let a search find the
smallest edits that turn it.
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
left, right = st.columns(2, gap="medium")
with left:
    st.markdown("**Where the scores moved**")
    compared.show_scores(found)
with right:
    st.markdown("**The trail: each step is a link**")
    compared.show_trail(found, edited)
tokens.show_seen(found.after.encoded)

st.header("The smallest edits that turn it", anchor=False)
searched = search.show(run, epoch, edited, found.model)
st.header("Try to fool it", anchor=False)
same = fooling.play(found, edited, searched)
with st.expander("Keep the two texts as a minimal pair"):
    fooling.keep(found, edited, same)

with frame.how_to_read():
    st.latex(r"\Delta \approx (e_{w'} - e_w)^\top \nabla_{e_w} \left( \max_{c \neq \hat c} s_c - s_{\hat c} \right)")
    st.latex(r"\text{added bits} = B' - n'\,\frac{B}{n}")
    st.markdown(worked.reading(found, searched))
    st.markdown(
        f"""
**The search** estimates for every word $w$ of the text and every word $w'$ of the vocabulary how far the margin between
the best other class and the predicted one would move, from the gradient at the word's vector $e_w$ (*HotFlip*, Ebrahimi
et al. 2018). An estimate is not an answer: the edited texts with the largest ones are read by the network, and what is
offered was read again as it stands, and without each of its edits: where fewer of them turn the prediction too, it is
not offered, for an idle edit that reads well would make up for one that does not. The five nearest misses are edited
once more. A smaller edit may exist that this search does not see. *Near* words are the fifteen nearest by the network's
own vectors.

**Reads like English**: $B$ is the surprisal of the original's $n$ words in bits, $B'$ that of the edited text's $n'$
words. An edited word may add {ADDED_BITS:g} bits. Of words that were drawn by frequency and put into reviews at random,
14 % (95 % interval 12 % to 17 %) pass; of words near the one that was there, 20 % (17 % to 23 %); of deletions, 37 %
(34 % to 41 %): `imdb-lm`, 600 places in 60 training reviews, seed 0, `python -m nlpviz edits imdb-cnn --random`. So the
filter drops most nonsense, not all, and it knows nothing of meaning.

**Input reduction** removes the words that matter least by |gradient · input|, as long as the class stays (Feng et al.
2018). What is left is often no reason that a reader would give.

**Negate** adds or removes *n't* at a form of *be*, *do*, *have* or a modal verb, removes *not* and *never*, and puts
*not* before any other word. It knows English only, and no grammar.

The address holds the places and words of the edits, not the text: who opens a link to one of the corpus's reviews sees
the same edits where the corpus is on their machine. To hand on a text of your own, choose *Link* under a figure, then
*Include it*.
"""
    )
