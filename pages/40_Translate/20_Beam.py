"""Which translations did the beam search consider?

A beam keeps the most probable beginnings (hypotheses) at every step and prunes the others. Click any word to continue
the search from there.
"""

import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.ui import frame, tokens
from nlpviz.ui.translation import beam, choice

request, result = choice.translated(choice.ask(), tree=True)
run = request.run
beam.tell(request, result)
beam.show(request, result)
beam.show_hypotheses(result)
tokens.show_seen(result.encoded)
frame.lead_to("Translate", "Which source words does each target word attend to?", "alignment", run=run.name)

with frame.how_to_read():
    st.latex(
        r"\log P[y \mid x] = \sum_{t=1}^{T_y} \log P[y_t \mid y_{<t}, x], \qquad "
        r"\operatorname{score}(y) = \frac{\log P[y \mid x]}{\left((5 + T_y) / 6\right)^{\alpha}}"
    )
    best = result.hypotheses[0]
    end = " with the end of the sentence" if best.ended else ""
    st.markdown(
        f"""
Here T is {len(best.words)}{end}, α is {result.penalty:g}, the log-probability is
{number(best.total, ".3f", signed=False)} and the score {number(best.score, ".3f", signed=False)}.

Steps go down; the number under a word is its log-probability given the words before it. At each step every hypothesis
is extended by its most probable words, and the {result.width} most probable of all these are kept, drawn from left to
right. Pruned candidates are grey. A square ends a translation, and the beam is narrower by one from then on. The thick
line is the best translation, the dashed one that of greedy search, which takes the most probable word at every step;
where the beam pruned it, its words are on the left.

The length penalty ranks the final hypotheses but does not decide which are kept on the way: with α = 0 short ones win,
because every further word costs probability. A wider beam can find more probable translations, which beyond a width of
about 5 or 10 are rarely better ones. *Sutskever, Vinyals and Le 2014, section 3.2; Wu et al. 2016, equation 14;
Tixier 2018, section 7.1.3.*
"""
    )
