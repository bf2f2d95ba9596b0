"""Snippets of what networks say of scenes."""

from __future__ import annotations

from nlpviz.figures.snippets import written


def of_scene(source: tuple[str, int], scene: str) -> str:
    """Return code for the words that a network writes of a scene, and where it looks for each.

    Args:
        source: the run and the epoch.
        scene: as :func:`nlpviz.data.scene_objects.written` writes it.
    """
    run, epoch = source
    return written(
        """
        import pandas as pd

        from nlpviz.data.scene_objects import parsed
        from nlpviz.data.scene_pictures import render
        from nlpviz.figures.captions.words import words_figure
        from nlpviz.figures.page import save_figure
        from nlpviz.language.decoding.captions import describe
        from nlpviz.runs import open_run
        from nlpviz.runs.captioners import load_captioner

        image = render(parsed($scene))
        (caption,) = describe(load_captioner(open_run($run), $epoch), image[None])
        table = pd.DataFrame({"word": caption.words, "probability": caption.probabilities})
        table["row"], table["column"] = caption.looked.T + 1
        table["weight"] = caption.weights.max(axis=(1, 2))
        print(table)
        print("The figure:", save_figure(words_figure(caption, image)))
        """,
        run=run,
        epoch=epoch,
        scene=scene,
    )
