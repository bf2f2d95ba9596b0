"""What does a network say of a synthetic scene?

Scenes of coloured shapes, drawn by the project, so that the truth is known. Place and erase objects, and see what is
said, and where the network looks for each word.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.captions import choice, scene, truth

with frame.bar():
    run, epoch = choice.pick(choice.SCENES)
with frame.controls():
    shown = scene.pick()
    other = choice.pick_other(run, choice.SCENES)
left, right = st.columns([5, 7], gap="large")
with left:
    scene.build(shown)
with right:
    truth.show(run, epoch, shown)
    truth.show_other(other, epoch, shown)
runs = [run, *choice.others_of(run, choice.SCENES)]
truth.show_epochs(runs, (run.name, epoch), shown)
truth.show_measured(runs)
frame.lead_to("Models", "How did it learn?", "training", run=run.name)

with frame.how_to_read():
    st.latex(
        r"e_{ti} = v^\top \tanh(W_a a_i + W_h h_{t-1} + W_y E y_{t-1}), \quad \alpha_t = \mathrm{softmax}(e_t), \quad "
        r"\hat z_t = \beta_t \sum_i \alpha_{ti} a_i \ \text{(soft)}, \quad "
        r"\hat z_t = \beta_t a_{s_t},\ s_t \sim \alpha_t \ \text{(hard)}"
    )
    st.markdown(
        f"""
{truth.worked_example(run, epoch, shown)}

Convolutions make an annotation aᵢ of each of 8 × 8 places, which are eight pixels apart and see 31 in width and
height; what a linear map makes of x and y is added, since captions say where things are. Before each word is written,
the places are weighed by the LSTM's state and the word before, whose vector is E y; the brighter a place, the more
weight it has. The paper weighs them by the state alone. **Soft** attention
takes the mean of the annotations, and is trained by gradients like the rest; **hard** attention takes one of them,
drawn in training and the likeliest here, and is trained by the score function: what made a caption more probable than
usual is made more likely. {truth.begun(runs)}

A caption is true where the grammar knows it and it says nothing that is not so. Where several captions are true, the
network need not choose the one that you would. That it looks at an object does not show that it read the word off it:
erase the object, and see what is said. *Xu et al. 2015; scenes after Kuhnle and Copestake 2017.*
"""
    )
