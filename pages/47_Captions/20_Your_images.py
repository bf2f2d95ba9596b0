"""What does a network say of your images?

A test image of your own, the caption that a network writes of it, and where it looks for each word.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.captions import choice, images

with frame.bar():
    run, epoch = choice.pick(choice.IMAGES)
with frame.controls():
    shown = images.pick(run)
    other = choice.pick_other(run, choice.IMAGES)
left, right = st.columns([5, 7], gap="large")
with left:
    images.show(run, shown)
with right:
    images.show_caption(run, epoch, shown)
    images.show_other(other, epoch, shown)
images.show_epochs(run, epoch, shown)
images.show_measured(run)
frame.lead_to("Models", "How did it learn?", "training", run=run.name)

with frame.how_to_read():
    st.markdown(
        f"""
`python -m nlpviz train NAME --texts captions.json --images FOLDER` learns from images and captions in COCO's form. The
network reads the middle square of each, scaled to {run.config["side"]} × {run.config["side"]} pixels, as it is drawn
here. The images stay where they are: the run keeps none, and this view reads them there.

**BLEU** (Papineni et al. 2002) counts the words, pairs, triples and quadruples of words that a caption shares with
those that people wrote of the image; a right caption in other words has a low one. **Perplexity** is e to the mean
−log p of a word of people's captions. The brighter a place, the more weight it has for the word; a frame is
round the place where hard attention looked. That a
network looks at a thing does not show that it read the word off it. *Xu et al. 2015; Lin et al. 2014.*
"""
    )
