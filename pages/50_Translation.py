"""Which source word does each target word look at?

Type a sentence: a small network translates it, and shows where it looked before it wrote each word.
"""

import streamlit as st

from nlpviz.ui import frame, tokens, translation, translation_answers, translation_beside, translation_reading

with frame.page(__doc__, __file__):
    with frame.controls():
        run = translation.pick_run()
        epoch = translation.pick_epoch(run)
        asked = translation.pick_search(run)

    request = translation.ask(run, epoch, asked)
    found = translation.translated(request)
    translation_answers.tell(request, found)
    word = translation_answers.pick_word(found)
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

The matrix has a row for each target word: it says where the decoder looked when it wrote that word, from 0 (pale) to 1
(full). **Entropy** says how spread out a row is: 0 where all weight is on one word, log S where S words have the same.
Rows of local attention add up to less than 1, and are divided by their sum for it. **Coverage** adds up what a source
word got of all target words (Tu et al. 2016): near 0, it may have been left out; well over 1, translated twice.

An annotation holds the words round its own as well, so that a weight is that of a place and not of a word alone: where
a network looks is not always where a person would say that the word comes from. The log-probability is that of the
whole translation: the larger, the better the network likes it, which does not make it the better translation.
{translation_reading.unknown_words(found)} *Bahdanau et al. 2015; Luong, Pham and Manning 2015; Tixier 2018,
section 7.1.*
"""
        )
