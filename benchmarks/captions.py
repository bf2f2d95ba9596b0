"""How long do captions take, of one image and of a hundred, beside a plain PyTorch loop, one image at a time?

A network of the recipe's size with random weights that never ends a caption writes 20 words of each of the first test
scenes, on one thread; both must write the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import torch

from benchmarks import SEED, Benchmark, Row
from benchmarks.clock import alternate, in_ms
from benchmarks.peers.plain_captions import captions_one_by_one
from nlpviz.data.scene_captions import words
from nlpviz.data.scenes import held_out
from nlpviz.language.decoding.captions import LONGEST, describe
from nlpviz.networks.architectures.captioner import Captioner, CaptionerConfig
from nlpviz.runs.captioners import TrainedCaptioner
from nlpviz.text.vocabulary import EOS, Vocabulary
from nlpviz.training.captioner import CaptionerSettings
from nlpviz.training.recipes import recipes

RECIPE = "scenes-soft"
MANY, ROUNDS = 100, 5
BAR = 300  # ms, of one image: what a page may take without a skeleton


def measure() -> Iterator[Row]:
    """Yield the milliseconds of one caption, and of a hundred.

    Raises:
        RuntimeError: if the peer writes other words.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        trained, scenes = _network(), held_out("test").first(MANY)
        for count in (1, MANY):
            images = scenes.images[:count]
            pixels = torch.from_numpy(images)
            written = [list(trained.vocabulary.ids(one.words)) for one in describe(trained, images)]
            plain = captions_one_by_one(trained.module, pixels, LONGEST, trained.eos)
            if written != plain:
                raise RuntimeError("the plain loop generates different words")
            ours, theirs = alternate(
                ROUNDS,
                lambda images=images: describe(trained, images),
                lambda pixels=pixels: captions_one_by_one(trained.module, pixels, LONGEST, trained.eos),
            )
            what = f"captions of {count} image{'s' * (count > 1)}, {LONGEST} words each, with all attention weights"
            bar = BAR if count == 1 else None
            yield Row(what, "ms", in_ms(ours), "a plain PyTorch loop, one image at a time", in_ms(theirs), bar=bar)
    finally:
        torch.set_num_threads(threads)


def _network() -> TrainedCaptioner:
    """Return a network of the recipe's size with random weights, which never ends."""
    settings = cast("CaptionerSettings", recipes()[RECIPE].settings)
    vocabulary = Vocabulary.count([[*words(), EOS]], 100, 1)
    torch.manual_seed(SEED)
    network = Captioner(CaptionerConfig(len(vocabulary), **settings.config)).eval().requires_grad_(False)
    network.output.bias.data[int(vocabulary.ids([EOS])[0])] = -100.0
    return TrainedCaptioner("random", 0, network, vocabulary)


BENCHMARK = Benchmark("captions", "How long does captioning one image take, and a hundred?", measure, "captions")
