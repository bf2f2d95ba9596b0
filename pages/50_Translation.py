"""Which source word does each target word look at?

Type a sentence: a small network translates it and, where it has attention, shows where it looked before each word.
"""

import streamlit as st

from nlpviz.ui import frame, tokens, translation, translation_answers, translation_beside, translation_reading

with frame.page(__doc__, __file__):
    with frame.controls():
        run = translation.pick_run()
        epoch = translation.pick_epoch(run)
        asked = translation.pick_search(run)

    request = translation.ask(run, epoch, asked)
    request, found = translation.translated(request)
    translation_answers.tell(request, found)
    word = translation_answers.pick_word(request, found)
    translation_answers.show_alignment(found, word)
    translation_answers.show_word(request, found, word)
    translation_beside.show(request, found)
    tokens.show_seen(found.encoded)
    frame.lead_to("pages/52_Beam.py", "Which translations did the search weigh?", run=run.name)

    with frame.how_to_read():
        for formula in translation_reading.formulas(run):
            st.latex(formula)
        st.markdown(
            f"""
{translation_reading.worked_example(run, found, word)}

{translation_reading.matrix(found)}

The log-probability is that of the whole translation: the larger, the better the network likes it, which does not make
it the better translation. {translation_reading.unknown_words(found)} *{translation_reading.sources(run)}.*
"""
        )
