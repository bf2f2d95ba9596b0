"""Which training reviews shaped this prediction?

Training on the blue reviews made the prediction more probable; training on the orange reviews made it less probable.
"""

import streamlit as st

from nlpviz.run_kinds.influence import CANDIDATES
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
influence.tell_first(run, found)
influence.show_trust(found)
influence.show_one(run, found, position)
tokens.show_seen(found.encoded)
st.header("Do predictions change if these texts are left out of training?", anchor=False)
left_out.show(run)

with frame.how_to_read():
    st.latex(
        r"\text{influence}(z, z') = \sum_{e} \eta_e \; \nabla_{\!E}\, \ell(w_e, z) \cdot \nabla_{\!E}\, \ell(w_e, z')"
        r" = \sum_{e} \eta_e \sum_{v \in z \cap z'} \nabla_{\!v}\, \ell(w_e, z) \cdot \nabla_{\!v}\, \ell(w_e, z')"
    )
    st.latex(influence.worked(found, position))
    st.markdown(
        f"""
$\\ell$ is the loss of the label for a training document $z$, and the loss of the target class for the text $z'$. A step
of gradient descent on $z$ lowers the loss of $z'$ by about the learning rate times the dot product of their gradients
(Pruthi et al. 2020). The influence is the sum of these products over the stored epochs
{", ".join(map(str, found.epochs))}, with $\\eta_e$ = {influence.rate(run):g}. The line above shows this sum for
{found.ids[position]}, in thousandths of a nat.

Gradients are taken at the **word vectors** $E$, not at the last layer (Yeh et al. 2022). All texts share the last
layer, so the large influences of many documents cancel out there. A document’s gradient is zero for words that it does
not contain, so the dot product is a sum over the words $v$ that both texts share. These are the **words through which**
one text influences the other. Words are coloured by their influence, summed over all occurrences. Out-of-vocabulary
words share one vector, so they influence each other.

**Helpful** documents lowered the loss of the target class, and **harmful** documents raised it. A document that the
network fits well has a small gradient and little influence. Hard and mislabelled documents have the most influence. The
sum assumes plain gradient descent, but the run was trained with AdamW and dropout, and it stores averaged weights. The
sum therefore ranks documents but does not measure changes in probability; retraining without the top documents tests
this ranking.

**Sketches.** Each gradient is hashed into {influence.sizes(run)[0]:,} sums and projected onto the
{influence.sizes(run)[1]} axes that capture most of the norm of the training documents’ gradients. Each number is stored
in eight bits. For each sign, the influence of the {CANDIDATES} documents with the largest estimates is then computed
exactly, if the corpus is on this computer.
"""
    )
