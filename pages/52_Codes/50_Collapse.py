"""When do codes collapse, and what mends it?

One variational autoencoder, trained in several ways that differ in one setting: how many of its units say anything.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.codes import collapse, facts

runs = collapse.trained()
with frame.controls():
    chosen = collapse.pick(runs)
collapse.show(chosen)

st.header("All codes of this corpus, and topics", anchor=False)
facts.show_beside(runs[0].corpus["name"])

with frame.how_to_read():
    st.latex(
        r"\mathrm{ELBO} = \mathbb{E}_{q(\mathbf{z} \mid \mathbf{x})} \log p(\mathbf{x} \mid \mathbf{z}) "
        r"- \mathrm{KL}\big(q(\mathbf{z} \mid \mathbf{x}) \,\|\, p(\mathbf{z})\big), \qquad "
        r"\mathrm{bound} = \exp\Big(-\frac{\sum_d \mathrm{ELBO}_d}{\sum_d N_d}\Big)"
    )
    st.markdown(
        """
A unit **collapses** where its q(z | x) is the prior for every document: it costs nothing and says nothing. In the first
steps no unit says much while its KL divergence already costs, so that giving it up is what pays.

**KL annealing** lets KL cost nothing at first (Bowman et al. 2016). **Free bits** leave 0.1 nats of each unit uncharged
(Kingma et al. 2016), and **batch-normalised means** fix how far the means of each unit spread (Zhu et al. 2020): both
make every unit say something, whether or not that is worth its price. So count active units and look at the bound.

The **bound** averages over words, so that long documents count more; for LDA it is the same, with the shares of the
topics as the code and their Dirichlet fitted to each document. Miao et al. (2016) average over documents first: the
cards have both. **Information** is an estimate of the mutual information of document and code, E log q(z | x) / q(z)
with one z drawn for each document and q(z) as the mean over all documents (Hoffman and Johnson 2016). **Completion** is
the perplexity of one half of each document's words given the code of the other half: a code pays nothing there, so that
all can be compared. One seed each: differences of a few per cent may be chance.
"""
    )
