"""How did each run learn, and what does it cost?

Loss and accuracy after every epoch, without dropout. The epoch was chosen on texts held out of training.
"""

import streamlit as st

from nlpviz.figures.training.curves import training_curves
from nlpviz.ui import cache, frame, plotly_view, widgets
from nlpviz.ui.training import tables

with frame.page(__doc__, __file__):
    with frame.controls():
        run = widgets.pick_run()

    yardstick = cache.yardstick(run)
    plotly_view.show(training_curves(run, yardstick), key="training")
    best, test = run.history[run.best_epoch], run.metrics["test"]
    frame.answer(
        "Epoch {epoch} was chosen: {validation:.1%} on the validation texts, {train:.1%} on those it learnt from, and"
        " **{test:.1%}** on {documents:,.0f} test texts, measured once.",
        epoch=best.epoch,
        validation=best.validation_accuracy,
        train=best.train_accuracy,
        test=test["accuracy"],
        documents=test["documents"],
    )
    if yardstick is not None:
        frame.answer(
            "A bag of n-grams without a network ({yardstick}) reaches {share:.1%} on the same texts: the network is"
            " {gap:.1f} points {side} it.",
            yardstick=yardstick.title,
            share=yardstick.metrics["test"]["accuracy"],
            gap=100 * abs(test["accuracy"] - yardstick.metrics["test"]["accuracy"]),
            side="above" if test["accuracy"] > yardstick.metrics["test"]["accuracy"] else "below",
        )

    st.header("All runs", anchor=False)
    tables.show(cache.runs())
    if words := cache.runs("word-vectors"):
        st.header("Word vectors", anchor=False)
        tables.show_words(words)
    if translators := cache.runs("translator"):
        st.header("Translators", anchor=False)
        tables.show_translators(translators)

    st.header(f"{run.parameter_count:,} parameters, term by term", anchor=False)
    tables.show_parameters(run)

    with frame.how_to_read():
        st.markdown(
            f"""
**Loss** is the mean cross-entropy in nats (0.69 is a coin's), **accuracy** the share of right answers, both after the
epoch and without dropout. Where the curve of the validation texts turns up while that of the training texts goes
down, the network has begun to learn its texts by heart. The validation texts are {run.corpus["validation"]:,} of the
training split, of films that the rest does not speak of as far as the corpus's order tells; the test split was never
looked at to choose anything.

**Parameters** follow Tixier (2018), section 5.3: (V + 2) × d for the word embeddings (a row each for padding and for
the unknown word), h × d × n_f + n_f for each region size h, and one weight for each filter plus a bias at the end.

Trained on {run.device} in {tables.duration(run.seconds)}, seed {run.seed}, {run.created}, with
{", ".join(f"{library} {version}" for library, version in run.versions.items())}.
"""
        )
