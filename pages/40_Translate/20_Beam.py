"""Which translations did the search weigh?

A beam keeps the most probable beginnings at every step and drops the others. Click any word, and the search goes on
from there.
"""

import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.ui import frame, tokens
from nlpviz.ui.translation import beam, choice

with frame.bar():
    run = choice.pick_run()
    epoch = choice.pick_epoch(run)
    sentence = choice.pick_sentence(run)
with frame.controls():
    query = choice.pick_search(run, sentence)

request = choice.TranslationRequest(run, epoch, sentence.text, query, ready=sentence.ready)
request, result = choice.translated(request, tree=True)
beam.tell(request, result)
beam.show(request, result)
beam.show_hypotheses(result)
tokens.show_seen(result.encoded)
frame.lead_to("Translate", "Which source word does each target word look at?", "alignment", run=run.name)

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

Steps go down; the number under a word is its log-probability given the words before it. At each step every kept
hypothesis is extended by its most probable words, and of all these the {result.width} that are most probable as a whole
are kept: they stand from left to right. What was not kept is grey. A square ends a translation, and the beam is
narrower by one from then on. The thick line is the translation that came out best, the dashed one that of greedy
search, which takes the most probable word at every step; where the beam dropped it, its words stand to the left.

The length penalty decides between the translations that were found, and not which are kept on the way: with α = 0 short
ones win, for every further word costs probability. A wider beam finds what is more probable, which beyond a width of
about 5 or 10 is rarely a better translation. *Sutskever, Vinyals and Le 2014, section 3.2; Wu et al. 2016, equation 14;
Tixier 2018, section 7.1.3.*
"""
    )
