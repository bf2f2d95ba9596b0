"""Where does each word move the state?

A text's path through state space, where the network would come to rest, and what a modifier such as “not” does.
"""

import streamlit as st

from nlpviz.figures import panels
from nlpviz.ui import frame, texts, tokens, widgets
from nlpviz.ui.recurrence import modifiers, resting, states
from nlpviz.ui.wanted import WORD_BY_WORD

with frame.bar():
    run = widgets.pick_run(WORD_BY_WORD)
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,), wanted=WORD_BY_WORD)
    text = texts.pick_text(run)

shown = states.paths(checkpoints, text)
chosen = panels.reference(shown)
with frame.controls():
    plane = states.pick_plane()
    word = states.pick_word(chosen.path)

states.show(shown, plane, word)
st.header("Each word's push", anchor=False)
states.show_pushes(shown, word)
for one in {each.run: each for each in shown}.values():
    tokens.show_seen(one.path.text, one.run if one.run != run.name else "")

st.header("Where does the state come to rest?", anchor=False)
resting.show(checkpoints, shown, plane)

st.header("Does a modifier move the next word's push?", anchor=False)
modifiers.show(checkpoints)

with frame.how_to_read():
    st.latex(r"s_t = w \cdot r_t + b, \qquad \text{push}_t = s_t - s_{t-1} = w \cdot (r_t - r_{t-1}), \qquad r_0 = 0")
    st.markdown(
        f"""
**Path.** w, the class direction, are the output layer's weights for {frame.escape_markdown(run.class_names[-1])} (for
more than two classes, less the mean of the others'), and b is its bias. {states.what_is_read(chosen.path)} Here s
begins at b = {chosen.path.bias:+.2f}, the pushes sum to {chosen.path.pushes.sum():+.2f}, and s ends at
{chosen.path.scores[-1]:+.2f}: the log-odds of {frame.escape_markdown(run.class_names[-1])}. With *class score* as axes,
the score is the horizontal axis itself, and every push is a step to the right or to the left. With *principal
components*, the dashed line is where points of the plane have s = 0; a point off the plane has a score of its own,
which its colour shows. Each epoch has its own axes.
"""
    )
    st.latex(r"q(h) = \tfrac12 \lVert F(h) - h \rVert^2, \qquad F(h + \delta) \approx F(h) + J \delta, \qquad")
    st.latex(r"\tau_k = \left\lvert \frac{1}{\ln \lvert \lambda_k \rvert} \right\rvert")
    st.markdown(
        """
**Slow points** minimise q, where F is one step of the network that reads the same input for ever: Adam in double
precision, from states that test reviews led to (Sussillo and Barak 2013), each entry kept within the range that it has
in reviews. The eigenvalues λ of the Jacobian J at such a point say how long a deviation lasts: after τ words it has
shrunk e-fold, or grown e-fold where |λ| > 1 (diamonds). On a **line attractor** one direction hardly decays, so that
the state can stay anywhere along it and add up sentiment, and the line runs along the class direction (Maheswaranathan
et al. 2019). That a search ends slowly does not prove a fixed point; real words move the state off and along the line
all the time; a Skip RNN is looked at as if it updated at every word.

**Modifiers.** Words that push by themselves are read in states from the middle of test reviews, by themselves and after
the modifier; the push is that of the word alone, after minus before it. The factor is the slope through zero of pushes
with it over pushes without it. Any word in between changes the state a little, so that random words, drawn as often as
they occur in reviews, are the null; one in twenty of any words lies outside its band by chance. Maheswaranathan and
Sussillo (2020) found that their networks' *not* turns the next inputs round for a few words; whether this one does so
is said above.
"""
    )
