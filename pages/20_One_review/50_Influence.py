"""Because of which training reviews?

The training texts that made the prediction of this text more probable, those that made it less so, and the words
through which they did.
"""

import streamlit as st

from nlpviz.kinds.influence import CANDIDATES
from nlpviz.ui import classes, frame, texts, tokens, widgets
from nlpviz.ui.attribution import influence, left_out

with frame.bar():
    run = widgets.pick_run(influence.SKETCHED)
    text = texts.pick_text(run)
with frame.controls():
    target = classes.pick_target(run, run.best_epoch, text)

found = influence.find(run, text, target)
influence.tell(run, found)
position = influence.show_documents(run, found)
influence.show_trust(found)
influence.show_one(run, found, position)
tokens.show_seen(found.encoded)
st.header("Does leaving them out move the prediction?", anchor=False)
left_out.show(run)

with frame.how_to_read():
    st.latex(
        r"\text{influence}(z, z') = \sum_{e} \eta_e \; \nabla_{\!E}\, \ell(w_e, z) \cdot \nabla_{\!E}\, \ell(w_e, z')"
        r" = \sum_{e} \eta_e \sum_{v \in z \cap z'} \nabla_{\!v}\, \ell(w_e, z) \cdot \nabla_{\!v}\, \ell(w_e, z')"
    )
    st.latex(influence.worked(found, position))
    st.markdown(
        f"""
$\\ell$ is the loss: of a training document $z$ that of its label, of the text $z'$ that of the class asked about. A
step of gradient descent on $z$ lowers the loss of $z'$ by about the learning rate times the dot product of their
gradients (Pruthi et al. 2020); it is summed over the kept epochs {", ".join(map(str, found.epochs))}, at
$\\eta_e$ = {influence.rate(run):g}. The line above adds them up for {found.ids[position]}, in thousandths of a nat.

The gradient is that with respect to the **word vectors** $E$, not the last layer (Yeh et al. 2022): all texts share the
last layer, where large influences of many documents cancel each other. A document's gradient is zero for words that it
does not hold, so that the dot product is a sum over the words $v$ in both texts: the **words through
which** one acted on the other. A word is coloured by the sum over all its places. Words that the network does not know
share one vector, and so act on each other.

**Helpful** documents lowered the loss of the class, **harmful** ones raised it. A document that the network fits well
has a small gradient and acts little; hard and mislabelled ones act most. The sum follows gradient descent, while the
run was trained by AdamW with dropout, and its averaged weights are compared: an order of suspects, not an amount of
probability. Whether the order holds is what the trainings without them say.

Sketches: each gradient is hashed to {influence.sizes(run)[0]:,} sums and projected on the {influence.sizes(run)[1]}
axes in which training documents have most of their length, eight bits a number. The {CANDIDATES} documents of either
sign with the largest estimates are then compared exactly, where the corpus is on this machine.
"""
    )
