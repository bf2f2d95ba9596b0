"""When do codes collapse, and what prevents it?

One variational autoencoder (VAE), trained with different remedies: how many of its units stay active?
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.codes import collapse, facts

runs = collapse.trained()
with frame.controls():
    chosen = collapse.pick(runs)
collapse.show(chosen)

st.header("All autoencoders of this corpus, and LDA", anchor=False)
facts.show_beside(runs[0].corpus["name"])

with frame.how_to_read():
    st.latex(
        r"\mathrm{ELBO} = \mathbb{E}_{q(\mathbf{z} \mid \mathbf{x})} \log p(\mathbf{x} \mid \mathbf{z}) "
        r"- \mathrm{KL}\big(q(\mathbf{z} \mid \mathbf{x}) \,\|\, p(\mathbf{z})\big), \qquad "
        r"\mathrm{bound} = \exp\Big(-\frac{\sum_d \mathrm{ELBO}_d}{\sum_d N_d}\Big)"
    )
    st.markdown(
        """
A unit **collapses** if its q(z | x) equals the prior for every document. A collapsed unit costs nothing and carries no
information. In the first steps of training, no unit carries much information but each already incurs a KL cost, so
collapsing a unit lowers the loss.

**KL annealing** starts with a KL weight of 0 (Bowman et al. 2016). **Free bits** exempt 0.1 nats of each unit from the
KL cost (Kingma et al. 2016). **Batch-normalised means** fix the spread of each unit’s means (Zhu et al. 2020). The
last two remedies keep every unit active, even a unit that is not worth its cost. Compare the bound as well as the
number of active units.

The **bound** averages over words, so long documents count more. The bound of LDA is defined in the same way, with the
topic shares as the code and a Dirichlet posterior fitted to each document. Miao et al. (2016) average over documents
first; the model cards give both. **Information** estimates the mutual information between a document and its code, E
log q(z | x) / q(z), with one z sampled per document and q(z) as the mean over all documents (Hoffman and Johnson
2016). **Completion** is the perplexity of one half of each document’s words given the code of the other half. This
perplexity does not include the cost of the code, so all models are comparable. Each model was trained with a single
seed, so differences of a few per cent may be due to chance.
"""
    )
