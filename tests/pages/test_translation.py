"""The pages on translation, on networks that learnt a toy pair of languages in seconds."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from nlpviz.analysis.inspection.phrases import phrase_plane, phrase_states
from nlpviz.analysis.inspection.translation import TranslationOptions, translate
from nlpviz.figures.numbers import number
from nlpviz.results.alignment import Translation
from nlpviz.results.history import TranslatorEpoch
from nlpviz.runs import Run, open_run
from nlpviz.runs.history import read_history
from nlpviz.runs.sharing import copied
from nlpviz.runs.translators import load_translator, read_bleu
from nlpviz.text.vocabulary import UNKNOWN
from nlpviz.ui.translation import equations, phrases
from tests import translators
from tests.pages import conftest as pages
from tests.pages.conftest import faults, figure, numbers, shown

GENERAL, LOCAL, NONE, TRANSFORMER, PIECES = (
    f"toy-en-fr-{kind}" for kind in ("general", "local-p", "none", translators.TRANSFORMER, translators.PIECES)
)
Open = Callable[..., AppTest]


@pytest.fixture
def opened(toy_translators: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Open:
    """Return what runs a page on a typed sentence, with parameters in its address."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_translators))
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path))
    monkeypatch.delenv("NLPVIZ_DATA", raising=False)

    def run(view: str = "", typed: str = translators.SENTENCE, **address: str) -> AppTest:
        app = pages.opened("Translate", view=view, **{"run": GENERAL, "sentence": "own", **address})
        app.session_state["typed texts"] = {"sentence, en": [typed]}
        return app.run()

    return run


def expected(text: str = translators.SENTENCE, run: str = GENERAL, **asked: Any) -> Translation:
    """Return what the backend makes of a sentence."""
    return translate(load_translator(open_run(run)), text, TranslationOptions(**asked))


def plain(app: AppTest) -> str:
    return "\n".join([shown(app), *(header.value for header in app.header)]).replace("\\", "")


def table(app: AppTest) -> Any:
    """Return the measures of a translation with their values."""
    frame = app.table[0].value
    return dict(zip(frame.iloc[:, 0], frame.iloc[:, 1], strict=True)).items()


def cells(app: AppTest, position: int = 0) -> np.ndarray:
    """Return the weights that a matrix draws."""
    (trace,) = [one for one in figure(app, position)["figure"]["data"] if one["type"] == "heatmap"]
    z = trace["z"]
    values = numbers(z)
    return values.reshape([int(n) for n in z["shape"].split(",")]) if isinstance(z, dict) else values


# --------------------------------------------------------------------------------------------------- the translation


def test_the_translation_and_its_alignment(opened: Open) -> None:
    app = opened()
    result = expected()
    assert result.text == "Le chien rouge voit un petit chat."
    assert result.text in plain(app)
    spread = np.exp(result.hypotheses[0].entropies.mean())
    assert f"On average, a target word attends to {spread:.1f} of 8 source words." in plain(app)
    np.testing.assert_allclose(cells(app), result.hypotheses[0].alignment, atol=1e-6)
    assert "source_sentence" not in app.query_params
    assert not any(translators.SENTENCE in str(value) for value in app.query_params.values())


def test_early_epochs_and_other_networks_stand_beside(opened: Open) -> None:
    app = opened()
    assert "**Toy, local-p attention**" in plain(app)
    assert "No attention, so no alignment." in plain(app)
    np.testing.assert_allclose(
        cells(app, 4), expected(run=LOCAL, width=3, penalty=1.0).hypotheses[0].alignment, atol=1e-6
    )
    app = opened(others="epochs")
    early = [epoch for epoch in open_run(GENERAL).epochs if epoch != open_run(GENERAL).best_epoch]
    assert [f"**Epoch {epoch}**" in plain(app) for epoch in early] == [True] * len(early)


def test_others_may_be_given_the_same_words(opened: Open) -> None:
    app = opened(target_of="same")
    ids = expected().hypotheses[0].ids[:-1]
    forced = expected(run=LOCAL, width=1, penalty=1.0, prefix=ids)  # toy runs know the same words
    np.testing.assert_allclose(cells(app, 4)[:-1], forced.hypotheses[0].alignment[: len(ids)], atol=1e-6)  # type: ignore[index]
    np.testing.assert_array_equal(cells(app, 4).shape, cells(app).shape)


def test_other_epochs_align_the_very_words_and_write_none_of_their_own(opened: Open) -> None:
    app = opened(target_of="same", others="epochs")
    best = expected().hypotheses[0]
    for position, epoch in enumerate((0, 1), start=4):
        whole = translate(
            load_translator(open_run(GENERAL), epoch),
            translators.SENTENCE,
            TranslationOptions(width=1, penalty=1.0, prefix=best.ids, whole=True),
        )
        np.testing.assert_allclose(cells(app, position), whole.hypotheses[0].alignment, atol=1e-6)
        assert cells(app, position).shape == cells(app).shape
    assert plain(app).count(best.text) == 3, "above, and at both epochs"


def test_pieces_of_words_are_marked_and_compared_with_words(
    opened: Open, toy_translator: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    both = tmp_path / "both"
    for kind in (translators.PIECES, "general"):
        copied(Run.open(toy_translator(kind)), both / f"toy-en-fr-{kind}")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(both))
    best, words = expected(run=PIECES).hypotheses[0], expected().hypotheses[0]
    app = opened(run=PIECES, target_of="same")
    assert not app.exception
    assert (
        table(app)
        >= {"Target pieces": f"{len(best.ids)} (including the end-of-sentence token)", "Source pieces": "11"}.items()
    )
    assert "marks a piece that is followed by another piece of the same word" in plain(app)
    assert cells(app).shape == (len(best.ids), 11)
    assert cells(app, 4).shape == (len(words.ids), 8), "of the other network, which is given the same words"
    assert "￭" not in plain(app)
    app = opened(run=GENERAL, target_of="same")
    assert cells(app, 4).shape == (len(best.ids), 11), "and the other way round, cut into pieces"
    for view in ("beam", "sentences", "bleu"):
        shown_there = opened(view, run=PIECES)
        assert not shown_there.exception
        assert "￭" not in plain(shown_there)


def test_a_click_on_a_piece_goes_on_with_the_word(
    opened: Open, toy_translator: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(toy_translator(translators.PIECES).parent))
    best = expected(run=PIECES).hypotheses[0]
    first = next(position for position, word in enumerate(best.shown) if word.endswith("·"))
    app = opened(run=PIECES, begin="-".join(map(str, best.ids[: first + 1])), sentence="bicycle")
    assert not app.exception
    begun = app.text_input(key="translation_begin").value
    assert begun.lower() == " ".join(best.shown[: first + 1]).rstrip("·")
    assert f"\n{begun}" in plain(app)


def test_a_copied_word_is_the_unknown_word_to_other_epochs_too(opened: Open) -> None:
    """The source is one of the French words that the network knows, so that the copy's spelling has another id."""
    app = opened(typed="chien", target_of="same", others="epochs")
    app.session_state["translation_forced"] = (GENERAL, (UNKNOWN,))
    app.run()
    result = expected("chien", prefix=(UNKNOWN,))
    best = result.hypotheses[0]
    assert (best.shown[0], best.ids[0]) == ("chien", UNKNOWN)
    for position, epoch in enumerate((0, 1), start=4):
        whole = translate(
            load_translator(open_run(GENERAL), epoch),
            "chien",
            TranslationOptions(width=1, penalty=1.0, prefix=best.ids, whole=True),
        )
        total = number(whole.hypotheses[0].total, signed=False)
        assert f"Log-probability {total}, mean entropy" in plain(app)
        assert cells(app, position).shape == cells(app).shape


def texts(app: AppTest) -> str:
    """Return what is written as HTML, the style sheet left out."""
    return "".join(body for one in app.get("html") if "<style" not in (body := str(one.proto.body)))


def test_a_copied_word_is_marked_where_it_stands(opened: Open) -> None:
    app = opened(typed="chien", target_of="same", others="epochs")
    assert "nlpviz-copied" not in texts(app)
    app.session_state["translation_forced"] = (GENERAL, (UNKNOWN,))
    app.run()
    assert 'copied from source word 1">Chien</span>' in texts(app)
    assert texts(app).count("nlpviz-copied") == 3, "above, and at both epochs"
    assert "replaced by the source word with the most attention, underlined: chien." in plain(app)


def test_a_click_on_a_word_lets_it_stand_out_in_both_figures(opened: Open) -> None:
    app = opened()
    app.session_state["aligned"] = "target-2"
    app.run()
    assert "“chien”, word 2" in plain(app)
    assert "“chien” attends most to “" in plain(app)
    (frame,) = figure(app)["figure"]["layout"]["shapes"]
    assert (frame["y0"], frame["y1"]) == (0.5, 1.5)
    lines = figure(app, 1)["figure"]["data"]
    drawn = [trace for trace in lines if trace["mode"] == "lines"]
    ends = {y for trace in drawn for y in trace["y"][1::3]}
    assert len(ends) == 1, "only the lines of the chosen word are left"
    app.session_state["aligned"] = "source-1"
    app.run()
    assert "“le”, word 1" in plain(app), "of a source word, the target word that looked most at it"
    assert "receives the most attention from “le” (weight " in plain(app)
    app.session_state["aligned"] = "target-99"
    assert not app.run().exception


def test_local_attention_draws_its_windows(opened: Open) -> None:
    app = opened(run=LOCAL)
    result = expected(run=LOCAL)
    centres = next(
        trace for trace in figure(app)["figure"]["data"] if trace.get("marker", {}).get("symbol") == "diamond"
    )
    np.testing.assert_allclose(numbers(centres["x"]), result.hypotheses[0].centres, atol=1e-5)
    names = [trace.get("name") for trace in figure(app, 2)["figure"]["data"]]
    assert names == ["weight α", "Gaussian around p", "softmax over the window"]
    assert "2 words on either side of p" in plain(app)


def test_without_attention_the_page_says_so(opened: Open) -> None:
    app = opened(run=NONE)
    assert "This network has no attention" in plain(app)
    assert expected(run=NONE).text in plain(app)
    assert "replaced by the source word" not in plain(app)
    assert "An unknown word remains `<unk>`" in plain(app)
    assert "The network predicted an unknown word" not in plain(app)
    app.session_state["translation_forced"] = (NONE, (UNKNOWN,))
    assert "The network predicted an unknown word, <unk>. Without attention" in plain(app.run())
    assert "replaced by the source word with the most attention" in plain(opened())


def test_without_attention_no_matrix_is_spoken_of(opened: Open) -> None:
    app = opened(run=NONE)
    run = open_run(NONE)
    assert run.config["bidirectional"]
    (formula,) = [one.value for one in app.latex]
    assert formula.strip("$ \n").endswith(r"h_0 = v = \left[\overrightarrow{h}_{T_x};\; \overleftarrow{h}_{1}\right]")
    assert equations.phrase_formula(run) in formula, "v is the same on the page of phrases"
    for said in ("Each row of the matrix shows", "**Entropy**", "**Coverage**", "Rows of local attention", "Bahdanau"):
        assert said not in plain(app)
    assert "Sutskever, Vinyals and Le 2014" in plain(app)
    assert "the figure shows which source words" in plain(app)
    assert "No attention: the decoder receives a single vector for all 8 source words." in plain(app)
    assert "Each row of the matrix shows" in plain(opened())
    assert "Rows of local attention" not in plain(opened())
    assert "Rows of local attention" in plain(opened(run=LOCAL))


def test_a_transformers_attention_is_named_wherever_it_is_shown(
    opened: Open, toy_translator: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    both = tmp_path / "both"
    for kind in (translators.TRANSFORMER, "local-p"):
        copied(Run.open(toy_translator(kind)), both / f"toy-en-fr-{kind}")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(both))
    app = opened(run=TRANSFORMER)
    assert not app.exception
    heads = "layer 2 of 3, mean of 4 heads"
    assert expected(run=TRANSFORMER).alignment_of == heads
    assert expected(run=LOCAL).alignment_of is None
    drawn = [figure(app, position) for position in range(5)]
    assert [f"attention: {heads}" in one["caption"] for one in drawn] == [True, True, True, False, False]
    assert [f"({'attention: ' + heads})" in one["alt"] for one in drawn] == [True, True, True, False, False]
    about = f"Attention: {heads}; the entropy of a mean is at least the mean entropy of the heads."
    assert ("Attention", heads) in table(app)
    assert "so do not compare it with the entropy of networks that have a single attention" in plain(app)
    assert "*Vaswani et al. 2017; Garg et al. 2019, section 4.1.*" in plain(app)
    assert "Luong, Pham and Manning 2015" not in plain(app)
    assert r"q_t^{(n)} = W_q^{(n)} s_t, \quad k_i^{(n)} = W_k^{(n)} \bar h_i" in app.latex[0].value
    app = opened(run=LOCAL)
    captions = [str(caption.value).replace("\\", "") for caption in app.caption]
    assert sum(about in caption for caption in captions) == 1, "beside, too"
    assert about not in "\n".join(str(one.value) for one in app.markdown)


def test_words_are_counted_with_an_end_only_where_there_is_one(opened: Open) -> None:
    best = expected().hypotheses[0]
    assert (
        table(opened())
        >= {"Target words": f"{len(best.words)} (including the end-of-sentence token)", "Source words": "8"}.items()
    )
    assert f"Here T is {len(best.words)} (including the end-of-sentence token), α" in plain(opened("beam"))
    early = translate(
        load_translator(open_run(GENERAL), 0), translators.SENTENCE, TranslationOptions(1, 1.0)
    ).hypotheses[0]
    assert not early.ended, "an untrained network goes round in circles"
    app, tree = opened(epoch="0", beam="1"), opened("beam", epoch="0", beam="1")
    assert ("Target words", str(len(early.words))) in table(app)
    assert f"decoding was stopped after {len(early.words)} words" in plain(app)
    assert f"Here T is {len(early.words)}, α" in plain(tree)
    assert list(tree.dataframe[0].value["Length"]) == [len(early.words)]


def test_less_at_other_words_is_said_where_there_are_others(opened: Open) -> None:
    assert "the largest attention weights are " in plain(opened())
    for typed in ("dog", "the dog", "the dog sees"):
        said = plain(opened(typed=typed))
        assert "attention weights are" in said
        assert "largest attention weights" not in said


def test_the_place_of_monotonic_attention_ends_with_the_source(opened: Open) -> None:
    assert opened
    local = open_run(LOCAL)
    monotonic = replace(local, config={**local.config, "attention": "local-m"})
    assert equations.formulas(monotonic)[-1] == r"p_t = \min(t, T_x)"


def test_a_long_word_is_sent_once_and_not_with_every_weight(opened: Open) -> None:
    """Beside the code under each figure, which begins with the sentence, and what the tab keeps of it."""

    def sent(app: AppTest) -> int:
        payloads = [element.proto.json for element in app.get("bidi_component")]
        apart = [json.loads(one) for one in payloads]
        return sum(map(len, payloads)) - sum(len(one.get("code", "")) + len(one.get("typed", "")) for one in apart)

    assert sent(opened(typed=f"the dog sees {'x' * 50_000}")) < 1.1 * sent(opened(typed=f"the dog sees {'x' * 50}"))


def test_the_beam_and_its_penalty_change_the_answer(opened: Open) -> None:
    greedy, wide = opened(beam="1"), opened(beam="8", penalty="0.0")
    assert ("Search", "greedy search") in table(greedy)
    assert ("Search", "beam of 8, α = 0") in table(wide)


@pytest.mark.parametrize("width", ["0", "1000", "-1", "x"])
def test_a_beam_that_there_is_not_is_named(opened: Open, width: str) -> None:
    app = opened(beam=width)
    assert not app.exception
    assert f"The link sets beam to {width}, which does not exist" in plain(app)
    assert expected().text in plain(app)


# --------------------------------------------------------------------------------------------------------------- force


def test_the_translation_goes_on_from_a_chosen_alternative(opened: Open) -> None:
    app = opened()
    app.session_state["aligned"] = "target-2"
    button = next(button for button in app.run().button if button.key == "go_on_1")
    app = button.click().run()
    begun = f"Le {button.label}".replace("\\", "")
    assert app.text_input(key="translation_begin").value == begun
    assert f"\n{begun} " in plain(app)
    app = next(button for button in app.button if button.key == "translate_freely").click().run()
    assert expected().text in plain(app)


def test_a_typed_beginning(opened: Open) -> None:
    app = opened()
    app.text_input(key="translation_begin").set_value("Un petit cheval").run()
    result = expected(prefix="Un petit cheval")
    assert result.text.startswith("Un petit cheval ")
    assert result.text in plain(app)
    assert result.hypotheses[0].forced == 3


def test_a_beginning_that_there_is_not_gets_a_sentence(opened: Open) -> None:
    app = opened()
    for typed in ("Un xylophone", "le " * 1_000, "<script>alert(1)</script>", "🙂"):
        app.text_input(key="translation_begin").set_value(typed).run()
        assert not app.exception
        assert len(app.error) == 1
        assert expected().text in plain(app), "the translation begins freely"


def test_a_beginning_that_there_is_not_is_not_asked_of_other_networks(opened: Open) -> None:
    app = opened()
    app.text_input(key="translation_begin").set_value("Un xylophone").run()
    assert plain(app).count("xylophone") == 1, "said once"
    assert expected(run=LOCAL, width=3, penalty=1.0).text in plain(app), "and the others translate freely"
    assert expected(run=NONE, width=3, penalty=1.0).text in plain(app)


def test_a_beginning_that_there_is_not_gets_one_sentence_beside_the_tree(opened: Open) -> None:
    app = opened("beam")
    app.text_input(key="translation_begin").set_value("Un xylophone").run()
    assert not app.exception
    assert [error.value.replace("\\", "") for error in app.error] == [
        "“xylophone” is not in the translator’s French vocabulary. Try another word."
    ]
    assert expected().text in plain(app)


def test_what_is_to_be_known_of_a_translation_stands_beside_the_tree_too(opened: Open) -> None:
    app = opened("beam", typed="the dog zyzzyva " * 20)
    assert "Out of vocabulary (English): zyzzyva." in plain(app)
    assert "Truncated: the network reads the first 30 of 60 words and punctuation marks." in plain(app)
    assert any("What the model read" in one.label for one in app.expander)


def test_a_click_on_the_end_changes_nothing(opened: Open) -> None:
    app = opened()
    languages = load_translator(open_run(GENERAL)).languages
    end = (languages.target.id("le"), languages.eos)

    def click(run: str, ids: tuple[int, ...]) -> None:
        from nlpviz.runs import open_run
        from nlpviz.ui.translation import beginning

        beginning.force(open_run(run), ids)

    for ids, begun in ((end, None), (end[1:], None), (end[:1], "Le")):
        clicked = AppTest.from_function(click, args=(GENERAL, ids)).run()
        assert not clicked.exception
        there = "translation_begin" in clicked.session_state
        assert (clicked.session_state["translation_begin"] if there else None) == begun
    assert not app.error


def test_what_is_forced_can_be_freed_where_it_has_no_spelling(opened: Open) -> None:
    app = opened()
    app.session_state["translation_forced"] = (GENERAL, (load_translator(open_run(GENERAL)).languages.eos,))
    app.run()
    assert len(app.error) == 1
    app = next(button for button in app.button if button.key == "translate_freely").click().run()
    assert not app.error
    assert expected().text in plain(app)


def test_another_sentence_begins_freely(opened: Open) -> None:
    app = opened()
    app.text_input(key="translation_begin").set_value("Un").run()
    app.text_area(key="source_sentence").set_value("A man sees the horse.").run()
    assert app.text_input(key="translation_begin").value == ""
    assert expected("A man sees the horse.").text in plain(app)


def link(app: AppTest) -> dict[str, str]:
    """Return the parameters of a page's address."""
    return {name: value[0] if isinstance(value, list) else value for name, value in app.query_params.items()}


def test_a_link_to_an_example_reproduces_the_chosen_word_and_the_clicked_beginning(opened: Open) -> None:
    app = opened(sentence="bicycle")
    button = next(button for button in app.button if button.key == "go_on_1")
    app = button.click().run()
    app.session_state["aligned"] = "target-2"
    app = app.run()
    ids = app.session_state["translation_forced"].ids
    assert link(app) == {"run": GENERAL, "sentence": "bicycle", "word": "target-2", "begin": "-".join(map(str, ids))}
    again = opened(**link(app))
    assert not again.warning
    assert not again.error
    assert [one.value for one in again.main.markdown] == [one.value for one in app.main.markdown]
    assert [figure(again, position) for position in range(4)] == [figure(app, position) for position in range(4)]
    free = next(button for button in again.button if button.key == "translate_freely").click().run()
    assert "begin" not in link(free)


def test_a_link_to_a_beginning_that_there_is_not_gets_a_sentence(opened: Open) -> None:
    end = str(load_translator(open_run(GENERAL)).languages.eos)
    app = opened(sentence="bicycle")
    for begin in ("x", "17-", "-1", "9" * 500, "0", "1000000", end, "-".join(["3"] * 101)):
        app.query_params["begin"] = begin
        app.run()
        assert not app.exception, begin[:40]
        assert len(app.error) == 1, begin[:40]
        assert "begin" not in link(app)
        assert app.text_input(key="translation_begin").value in (None, "")


def test_a_link_to_a_word_that_there_is_not_gets_a_sentence(opened: Open) -> None:
    app = opened(sentence="bicycle", word="target-99")
    assert "The link sets word to target-99, which does not exist" in plain(app)
    assert "word" not in link(app)


def test_nothing_that_a_person_typed_gets_into_the_address(opened: Open) -> None:
    app = opened()  # a typed sentence
    app.session_state["aligned"] = "target-2"
    app = next(button for button in app.run().button if button.key == "go_on_1").click().run()
    assert app.session_state["translation_forced"].ids
    assert link(app) == {"run": GENERAL, "sentence": "own"}
    app = opened(sentence="bicycle")
    app.text_input(key="translation_begin").set_value("Un petit").run()
    app = next(button for button in app.button if button.key == "go_on_1").click().run()
    assert len(app.session_state["translation_forced"].ids) > 1
    assert "begin" not in link(app), "the first of the words were typed"


def test_an_example_is_in_the_address_and_a_typed_sentence_is_not(opened: Open) -> None:
    app = opened()
    app = next(button for button in app.button if button.label == "A man on a bicycle").click().run()
    assert app.query_params["sentence"] in ("bicycle", ["bicycle"])
    assert "bicycle" in app.text_area(key="source_sentence").value
    app.text_area(key="source_sentence").set_value("my secret").run()
    assert app.query_params["sentence"] in ("own", ["own"])


# ----------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.ci
@pytest.mark.parametrize("view", ["alignment", "beam"])
def test_any_input_gets_a_sensible_answer(opened: Open, view: str) -> None:
    app = opened(view)
    for typed in ("", "   ", "\n", "\u200b"):
        app.text_area(key="source_sentence").set_value(typed).run()
        assert not app.exception, ascii(typed)
        assert "The text contains no words." in plain(app), ascii(typed)
    for typed, said in {
        "dog": "",
        "zyzzyva quokka": "2 of 2 words are out of vocabulary: zyzzyva, quokka.",
        "Ein Mann sieht den Hund im Haus": "7 of 7 words are out of vocabulary",
        "the dog <b>sees</b> <script>alert(1)</script> a cat": "unknown",
        "the dog " * 100: "Truncated: the network reads the first 30 of 200 words and punctuation marks.",
        "a" * 100_000: "unknown",
        "* _ ` $x$ [a](b) {curly} \\": "unknown",
        "🙂 🏴‍☠️ ☃": "unknown",
    }.items():
        app.text_area(key="source_sentence").set_value(typed).run()
        assert not faults(app), typed[:40]
        assert figure(app)
        if view == "alignment":
            assert said in plain(app)
            assert all(len(note.value) < 700 for note in app.info)


def test_a_text_has_a_greatest_length(opened: Open) -> None:
    app = opened(typed="")
    long = "dog " * 250_000
    app = app.text_area(key="source_sentence").set_value(long).run()
    assert len(app.session_state["source_sentence"]) == app.text_area(key="source_sentence").max_chars == 10_000
    assert "of 2,500 words and punctuation marks" in plain(app)
    app = app.text_input(key="translation_begin").set_value(long).run()
    assert len(app.session_state["translation_begin"]) == app.text_input(key="translation_begin").max_chars == 2_000
    app = opened("sentences")
    app = app.text_area(key="phrases").set_value("\n".join(f"dog {number}" for number in range(100_000))).run()
    assert not app.exception
    assert len(app.session_state["phrases"]) == app.text_area(key="phrases").max_chars == 10_000


def test_no_translator_at_all(opened: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    for view in ("alignment", "beam", "sentences", "bleu"):
        app = opened(view)
        assert not app.exception
        assert "There is no translator yet. Run `python -m nlpviz fetch multi30k`" in plain(app)


# ------------------------------------------------------------------------------------------------------------ the beam


def test_the_tree_is_what_the_search_looked_at(opened: Open) -> None:
    app = opened("beam", beam="3")
    result = expected(width=3, tree=True)
    assert result.tree is not None
    payload = figure(app)
    columns = {column["heading"]: column["column"] for column in payload["table"]}
    nodes = result.tree.nodes
    np.testing.assert_allclose(numbers(columns["log-probability"]), [node.total for node in nodes], atol=1e-5)
    assert columns["status"] == [str(node.status) for node in nodes]
    best = app.dataframe[0].value
    assert list(best["Translation"]) == [one.text for one in result.hypotheses]
    np.testing.assert_allclose(best["Score"], [one.score for one in result.hypotheses], atol=1e-5)
    np.testing.assert_allclose(best["Log-probability"], [one.total for one in result.hypotheses], atol=1e-5)


def test_the_tree_step_by_step(opened: Open) -> None:
    app = opened("beam")
    steps = app.slider(key="beam_steps").value
    assert steps == expected(tree=True).tree.steps  # type: ignore[union-attr]
    app.slider(key="beam_steps").set_value(2).run()
    columns = {column["heading"]: column["column"] for column in figure(app)["table"]}
    assert set(columns["step"]) == {1, 2}


# ------------------------------------------------------------------------------------------------- phrases and BLEU


def test_phrases_lie_on_their_principal_components(opened: Open) -> None:
    app = opened("sentences")
    typed = ["the red dog sees a cat", "a cat sees the red dog", "a small man", "the big bird", "a horse"]
    app.text_area(key="phrases").set_value("\n".join([*typed[:3], "", *typed[3:]])).run()
    columns = {column["heading"]: column["column"] for column in figure(app)["table"]}
    assert columns["phrase"] == typed
    assert list(numbers(columns["group"])) == [1, 1, 1, 2, 2]
    trained = load_translator(open_run(GENERAL))
    import torch

    states = np.concatenate(
        [trained.module.encode_source(torch.from_numpy(trained.languages.read(text, 30).ids)[None]) for text in typed]  # type: ignore[operator]
    )
    _, values, axes = np.linalg.svd(states - states.mean(axis=0), full_matrices=False)
    by_hand = (states - states.mean(axis=0)) @ axes[:2].T
    drawn = np.stack([numbers(columns["first component"]), numbers(columns["second"])], axis=1)
    np.testing.assert_allclose(np.abs(drawn), np.abs(by_hand), atol=1e-4)
    assert "encoder’s last hidden state" in figure(app)["caption"]
    share = float((values[:2] ** 2).sum() / (values**2).sum())
    assert f"The map shows {share:.0%} of the variance" in plain(app)
    assert "The two most similar of 5 phrases have a cosine of " in plain(app), "no two have the same words"


def test_the_nearest_phrases_and_what_counts_for_more_are_said(opened: Open) -> None:
    typed = phrases.Phrases(
        (
            "the red dog sees a cat",
            "the red dog sees a small cat",
            "a cat sees the red dog",
            "a small cat sees the dog",
        ),
        (0, 0, 1, 1),
    )
    app = opened("sentences")
    app.text_area(key="phrases").set_value("\n".join([*typed.texts[:2], "", *typed.texts[2:]])).run()
    plane = phrase_plane(phrase_states(load_translator(open_run(GENERAL)), typed.texts))
    one, other = plane.nearest
    kind = phrases.kind_of_pair(typed, one, other)
    cosine = number(plane.cosine, signed=False)
    assert f"Most similar{kind}: *{typed.texts[one]}* and *{typed.texts[other]}* (cosine {cosine})." in plain(app)
    verdict = phrases.words_or_meaning(plane, typed)
    assert verdict
    assert verdict in plain(app)


def test_what_stands_for_a_phrase_is_said_of_each_encoder(opened: Open) -> None:
    assert opened
    run = open_run(GENERAL)
    both, one_way, backwards, transformer = (
        replace(run, config={**run.config, **changes})
        for changes in ({}, {"bidirectional": False}, {"bidirectional": False, "reverse": True}, {"heads": 4})
    )
    assert r"\overleftarrow{h}_{1}" in equations.phrase_formula(both)
    assert equations.phrase_formula(one_way) == r"v = \bar h_{T_x}"
    assert equations.phrase_formula(backwards) == r"v = \bar h_{1}"
    assert r"\sum" in equations.phrase_formula(transformer)
    assert phrases.held(both) == "encoder’s last hidden state"
    assert phrases.held(transformer) == "mean of the encoder’s annotations"


def test_too_few_phrases_get_a_sentence(opened: Open) -> None:
    app = opened("sentences")
    for typed in ("", "a dog", "a dog\na dog\na cat", "\n\n\n", "\u200b\n\u200c\na dog"):
        app.text_area(key="phrases").set_value(typed).run()
        assert not app.exception
        assert "The map needs at least 3 different phrases" in plain(app)
    app.text_area(key="phrases").set_value("\n".join(f"dog {'cat ' * n}" for n in range(100))).run()
    assert "Too many phrases: the map shows the first 60 of " in plain(app)
    app.text_area(key="phrases").set_value("zyx\nqvw\nzyx qvw").run()
    assert not app.exception
    assert "Out of vocabulary" in plain(app)


def test_phrases_that_are_one_to_the_network_have_no_plane(opened: Open) -> None:
    app = opened("sentences")
    for typed, said in {
        "foo\nbaz\nqux": "all their words are out of vocabulary",
        "a foo\na baz\na qux": "they differ only in unknown words",
        "a dog\nA dog\nA DOG": "it reads the same words in each",
    }.items():
        app.text_area(key="phrases").set_value(typed).run()  # a warning of numpy's would be an error
        assert not app.exception
        assert f"For this network, these phrases are identical: {said}." in plain(app)
        assert "variance of" not in plain(app)


def test_a_negative_cosine_has_a_minus_sign(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nlpviz.analysis.inspection.phrases.cosines", lambda states: np.full((len(states),) * 2, -0.25))
    app = opened("sentences")
    app.text_area(key="phrases").set_value("a dog\na cat\nthe red horse").run()
    assert "(cosine −0.25)" in plain(app)


def test_a_click_on_a_bar_chooses_the_network_on_every_page(opened: Open) -> None:
    app = opened("bleu", run=LOCAL)
    (bars, *_) = figure(app)["figure"]["data"]
    widths = numbers(bars["marker"]["line"]["width"])
    assert [name for name, width in zip(bars["customdata"], widths, strict=True) if width] == [LOCAL]
    assert link(app) == {"view": "bleu", "run": LOCAL}
    app.session_state["translator"] = NONE  # what the click does
    (bars, *_) = figure(app.run())["figure"]["data"]
    widths = numbers(bars["marker"]["line"]["width"])
    assert [name for name, width in zip(bars["customdata"], widths, strict=True) if width] == [NONE]
    assert link(app)["run"] == NONE
    assert "The link sets run to nix, which does not exist" in plain(opened("bleu", run="nix"))


def test_bleu_by_run_epoch_and_length(opened: Open) -> None:
    app = opened("bleu")
    bars = figure(app)["figure"]["data"][0]
    runs = [open_run(name) for name in bars["customdata"]]
    assert set(bars["customdata"]) == {GENERAL, LOCAL, NONE}
    np.testing.assert_allclose(numbers(bars["x"]), [run.metrics["translation"]["bleu"] for run in runs], atol=1e-3)
    payloads = {figure(app, position)["name"]: figure(app, position) for position in range(3)}
    for trace in payloads["bleu-by-epoch"]["figure"]["data"]:
        run = next(run for run in runs if run.title == trace["name"])
        history = [one.validation_bleu for one in read_history(run, TranslatorEpoch)]
        np.testing.assert_allclose(numbers(trace["y"]), history)
    rows = [row for row in read_bleu(runs[0]) if row.epoch == runs[0].best_epoch][1:]
    by_length = {trace["name"]: trace["y"] for trace in payloads["bleu-by-length"]["figure"]["data"]}
    np.testing.assert_allclose(numbers(by_length[runs[0].title]), [row.bleu for row in rows])


def test_a_damaged_run_is_one_sentence(
    opened: Open, toy_translators: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "trained"
    shutil.copytree(toy_translators, broken)
    (broken / GENERAL / "target-vocabulary.txt").write_text("nothing")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(broken))
    st.cache_resource.clear()  # what was read before is right
    app = opened(run=GENERAL)
    assert not app.exception
    assert len(app.error) == 1


@pytest.mark.parametrize("view", ["alignment", "beam", "sentences", "bleu"])
def test_a_folder_that_is_no_run_is_named_once(
    opened: Open, toy_translators: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, view: str
) -> None:
    broken = tmp_path / "trained"
    shutil.copytree(toy_translators, broken)
    (broken / "broken").mkdir()
    (broken / "broken" / "run.json").write_text("{")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(broken))
    app = opened(view)
    assert not app.exception
    assert len(app.error) == 1
    assert "broken" in app.error[0].value
