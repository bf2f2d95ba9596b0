"""Which source words does each target word attend to?

Type a sentence: a small network translates it and, if it has attention, shows where it looked before each word.
"""

import streamlit as st

from nlpviz.ui import frame, tokens
from nlpviz.ui.translation import answers, choice, comparison, equations

request, result = choice.translated(choice.ask())
run = request.run
answers.tell(request, result)
word = answers.pick_word(request, result)
answers.show_alignment(result, word)
answers.show_word(request, result, word)
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

The log-probability is that of the whole translation: the larger it is, the more probable the network finds the
translation, which does not make it a better one. {equations.unknown_words(run, result)} *{equations.sources(run)}.*
"""
    )
