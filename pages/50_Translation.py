"""Which source word does each target word look at?

Type a sentence: a small network translates it and, where it has attention, shows where it looked before each word.
"""

import streamlit as st

from nlpviz.ui import frame, tokens
from nlpviz.ui.translation import answers, choice, comparison, equations

SECTION = "Attention and translation"

with frame.page(__doc__, __file__):
    with frame.controls():
        run = choice.pick_run()
        epoch = choice.pick_epoch(run)
        query = choice.pick_search(run)

    request = choice.ask(run, epoch, query)
    request, result = choice.translated(request)
    answers.tell(request, result)
    word = answers.pick_word(request, result)
    answers.show_alignment(result, word)
    answers.show_word(request, result, word)
    comparison.show(request, result)
    tokens.show_seen(result.encoded)
    frame.lead_to("pages/52_Beam.py", "Which translations did the search weigh?", run=run.name)

    with frame.how_to_read():
        for formula in equations.formulas(run):
            st.latex(formula)
        st.markdown(
            f"""
{equations.worked_example(run, result, word)}

{equations.matrix(result)}

The log-probability is that of the whole translation: the larger, the better the network likes it, which does not make
it the better translation. {equations.unknown_words(result)} *{equations.sources(run)}.*
"""
        )
