"""Which translations did the beam search consider?

Beam search keeps the most probable partial sequences and prunes the others. Click a word to continue from it.
"""

import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.ui import frame, tokens
from nlpviz.ui.translation import beam, beginning, choice

request, result = choice.translated(choice.ask(beam.pick_pruned), tree=True)
run = request.run
beam.show(request, result)
beam.tell(request, result)
beginning.draw(run)
beam.show_hypotheses(result)
tokens.show_seen(result.encoded)
frame.lead_to("Translate", "Which source words does each target word attend to?", "alignment", run=run.name)

with frame.how_to_read():
    st.latex(
        r"\log P[y \mid x] = \sum_{t=1}^{T_y} \log P[y_t \mid y_{<t}, x], \qquad "
        r"\operatorname{score}(y) = \frac{\log P[y \mid x]}{\left((5 + T_y) / 6\right)^{\alpha}}"
    )
    best = result.hypotheses[0]
    end = " (including the end-of-sentence token)" if best.ended else ""
    st.markdown(
        f"""
Here T is {len(best.words)}{end}, α is {result.penalty:g}, the log-probability is
{number(best.total, ".3f", signed=False)} and the score is {number(best.score, ".3f", signed=False)}.

Read from top to bottom: each row is a step, and the number under a word is its log-probability given the words before
it. At each step, every hypothesis is extended by its most probable words, and the {result.width} most probable
extensions are kept, ordered from left to right. Pruned candidates are grey. A square marks a finished translation; the
beam then narrows by 1. The thick line is the best translation. The dashed line shows greedy search, which takes the
most probable word at every step; once beam search has pruned the greedy hypothesis, the remaining greedy words appear
on the left.

The length penalty ranks the final hypotheses and does not affect which hypotheses are kept during the search. With α =
0, short translations tend to win, because every additional word lowers the probability. Beams wider than 5 to 10 find
more probable translations, which are rarely better. *Sutskever, Vinyals and Le 2014, section 3.2; Wu et al. 2016,
equation 14; Tixier 2018, section 7.1.3.*
"""
    )
