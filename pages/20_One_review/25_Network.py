"""How does the network get from words to a score?

Each filter slides over the word vectors; its largest activation times its weight is added to the score.
"""

import streamlit as st

from nlpviz.ui import classes, frame, texts, widgets
from nlpviz.ui.regions import schematic
from nlpviz.ui.run_filter import WITH_REGIONS

with frame.bar():
    run = widgets.pick_run(WITH_REGIONS)
    epoch = widgets.pick_epoch(run)
    text = texts.pick_text(run)
with frame.controls():
    target = classes.pick_target(run, epoch, text)

result = schematic.show(run, epoch, text, target)
if result:
    schematic.table(result)

with frame.how_to_read():
    st.latex(r"c_{f,i} = \mathrm{ReLU}\Big(b_f + \sum_{j=1}^{h} W_{f,j} \cdot a_{i+j-1}\Big)")
    st.latex(r"\text{score} = b + \sum_f w_f \, \max_i c_{f,i}")
    end = (
        "its sigmoid is the probability"
        if len(run.class_names) == 2
        else "a softmax turns the class scores into probabilities"
    )
    st.markdown(
        f"""
**Words to vectors.** Each word has a vector **a**; the strips show the twelve dimensions in which this text’s words
differ most. Blue values are above zero, vermilion values below. **Convolution.** A filter of h words is applied to each
window of h words; the result is a dot product plus the filter’s bias. **ReLU** sets negative results (dashed) to zero.
**Max pooling** keeps the largest activation of each filter and discards its position. **The score** (the logit) is the
sum over all filters of activation times weight, plus the bias; {end}.

The filters shown raise or lower this text’s score most; *the others* are all remaining filters combined. *Kim 2014,
equations 1 to 3; Tixier 2018, section 5.2.*
"""
    )
