"""How does a network describe a scene?

The scenes are drawn by code, so the correct description is known. Place or erase objects and watch the caption and the
attention.
"""

import streamlit as st

from nlpviz.ui import frame, widgets
from nlpviz.ui.captions import choice, scene, truth

with frame.bar():
    run = widgets.pick_run(choice.SCENES)
    epoch = widgets.pick_epoch(run)
with frame.controls():
    shown = scene.pick()
    with frame.more():
        other = widgets.pick_other(run, choice.SCENES)
truth.take_away(run, epoch, shown)
left, right = st.columns([5, 3], gap="medium")
with left:
    truth.show(run, epoch, shown)
    truth.show_other(other, epoch, shown)
with right:
    scene.build(shown)
runs = [run, *choice.others_of(run, choice.SCENES)]
truth.show_epochs(runs, (run.name, epoch), shown)
truth.show_measured(runs)
frame.lead_to("Models", "How was the network trained?", "training", run=run.name)

with frame.how_to_read():
    st.latex(
        r"e_{ti} = v^\top \tanh(W_a a_i + W_h h_{t-1} + W_y E y_{t-1}), \quad \alpha_t = \mathrm{softmax}(e_t), \quad "
        r"\hat z_t = \beta_t \sum_i \alpha_{ti} a_i \ \text{(soft)}, \quad "
        r"\hat z_t = \beta_t a_{s_t},\ s_t \sim \alpha_t \ \text{(hard)}"
    )
    st.markdown(
        f"""
{truth.worked_example(run, epoch, shown)}

Convolutions compute an annotation aᵢ for each position of an 8 × 8 grid. Positions are eight pixels apart, and each has
a receptive field of 31 × 31 pixels. A linear function of the coordinates x and y is added, because captions describe
locations. Before each word, the LSTM’s state and the previous word (with vector E y) determine the attention weights of
the positions; brighter positions have larger weights. In Xu et al. (2015), the weights depend only on the state.
**Soft** attention takes the weighted mean of the annotations and is trained by gradients. **Hard** attention takes a
single annotation. During training, this annotation is sampled; here, the annotation with the largest weight is used.
Hard attention is trained with the score-function estimator: a choice becomes more likely if the caption was more
probable than usual with that choice. {truth.begun(runs)}

A caption is true if it is grammatical and everything in it is correct. If several captions are true, the network may
generate any of them. Attention on an object does not prove that the word depends on this object. Erase the object to
see how the caption changes. *Xu et al. 2015; scenes after Kuhnle and Copestake 2017.*
"""
    )
