"""Four pictures of what the other pages show, each of which leads to its view."""

from __future__ import annotations

from nlpviz.data.examples import examples
from nlpviz.runs import Run
from nlpviz.ui import frame, widgets
from nlpviz.ui.attention import words as attention
from nlpviz.ui.regions import top_ngrams
from nlpviz.ui.run_filter import WITH_ANALOGIES, WITH_ATTENTION, WITH_REGIONS
from nlpviz.ui.translation import answers, choice
from nlpviz.ui.words import analogies

_ATTENDED = "great-actress"
"""The example of which a network with attention shows its weights: praise and blame, a sentence each."""


def show(run: Run | None) -> None:
    """Show those for which there are runs; ``run`` is the classifier whose n-grams are shown."""
    cards, example = frame.cards(), next(one for one in examples() if one.id == _ATTENDED)
    if run and WITH_REGIONS.able(run):
        with next(cards):
            top_ngrams.show_strongest(run, run.best_epoch, 4)
            frame.lead_to("Inside the model", "Which n-grams does the network rely on?", "top-n-grams", run=run.name)
    if attending := WITH_ATTENTION.runs():
        with next(cards):
            reader = widgets.best_of(attending)
            attention.show_first(reader, example.text)
            where = {"run": reader.name, "text": example.id}
            frame.lead_to("One review", "What did the network attend to?", "attention", **where)
    if query := choice.first():
        with next(cards):
            answers.show_first(query)
            frame.lead_to("Translate", "Which source words does each target word attend to?", "alignment")
    if (words := WITH_ANALOGIES.runs()) and (right := analogies.first_right(words)):
        source, question, analogy = right
        with next(cards):
            analogies.show_right(source, question, analogy)
            where = {"run": source.name, "analogy": question.typed, "expected": question.expected}
            frame.lead_to("Words", "Try your own analogy", "analogies", **where)
