"""Which source words does each target word attend to?

A small network translates your sentence. If the network has attention, the figure shows which source words each target
word attends to.
"""

import streamlit as st

from nlpviz.ui import frame, tokens
from nlpviz.ui.translation import answers, beginning, choice, comparison, equations

request, result = choice.translated(choice.ask())
run = request.run
word = answers.chosen_word(request, result)
answers.tell(result, word)
answers.show_alignment(request, word)
answers.pick_word(result)
answers.say(request, result)
answers.show_word(request, result, word)
beginning.draw(request.run)
comparison.show(request, result)
tokens.show_seen(result.encoded)
frame.lead_to("Translate", "Which translations did the beam search consider?", "beam", run=run.name)

with frame.how_to_read():
    for formula in equations.formulas(run):
        st.latex(formula)
    st.markdown(
        f"""
{equations.worked_example(run, result, word)}

{equations.matrix(result)}

The effective number of source words per target word is the exponential of the mean entropy. The log-probability covers
the whole translation; a more probable translation is not always better.
{equations.unknown_words(run, result)} *{equations.sources(run)}.*
"""
    )
