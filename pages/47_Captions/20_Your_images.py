"""How does a network describe your images?

One of your test images, the network’s caption, and the attention for each word.
"""

import streamlit as st

from nlpviz.ui import frame, widgets
from nlpviz.ui.captions import choice, images

with frame.bar():
    run = widgets.pick_run(choice.IMAGES)
    epoch = widgets.pick_epoch(run)
with frame.controls():
    shown = images.pick(run)
    with frame.more():
        other = widgets.pick_other(run, choice.IMAGES)
images.take_away(run)
left, right = st.columns([5, 3], gap="medium")
with left:
    images.show_caption(run, epoch, shown)
    images.show_other(other, epoch, shown)
with right:
    images.show(run, shown)
images.show_epochs(run, epoch, shown)
images.show_measured(run)
frame.lead_to("Models", "How was the network trained?", "training", run=run.name)

with frame.how_to_read():
    st.markdown(
        f"""
`python -m nlpviz train NAME --texts captions.json --images FOLDER` trains a network on images with captions in COCO
format. The network reads the central square of each image, scaled to {run.config["side"]} × {run.config["side"]}
pixels, as shown here. The run does not store the images, so this view reads the images from their folder.

**BLEU** (Papineni et al. 2002) counts the words and word sequences (up to four words) that a caption shares with human
captions, so a correct caption with different wording scores low. **Perplexity** is the exponential of the mean −log p
over the words of the human captions. Brighter positions have larger attention weights for the word; a frame marks the
position that hard attention selects. Attention on an object does not prove that the word depends on this object. *Xu et
al. 2015; Lin et al. 2014.*
"""
    )
