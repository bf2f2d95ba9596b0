"""How long does a language model take to say what surprises it, what it expects, and to write?

``wikitext2-lstm`` and ``wikitext2-kn`` are asked through ``nlpviz.language.surprisal``: the surprisal of 400 words of
validation text, from text to numbers; the distribution of the word after them, once they are read, with the ten
likeliest words; and 200 words that are sampled. Beside the network stands a plain ``nn.LSTM`` of as many units with
random weights, beside the counts a dictionary for each length, of the first 400,000 words of the training text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from heapq import nlargest
from operator import itemgetter

import numpy as np
import torch

from benchmarks import SEED, Benchmark, Row
from benchmarks.clock import alternate, in_ms
from benchmarks.kneser_ney import COUNTED, ORDER, first_words
from benchmarks.kneser_ney import WORDS as COUNTED_WORDS
from benchmarks.peers.plain_kneser_ney import PlainKneserNey
from benchmarks.peers.plain_language_model import PlainLanguageModel, plain_next, plain_sample, plain_surprisal
from nlpviz.language.sampling import Sampling, sample
from nlpviz.language.surprisal import Asked, expected, opened, surprisal
from nlpviz.runs import open_run

NETWORK = "wikitext2-lstm"
WORDS, WRITTEN, ROUNDS = 400, 200, 9
SURPRISAL, NEXT, SAMPLE = 50.0, 10.0, 1000.0  # ms


def measure() -> Iterator[Row]:
    """Yield the milliseconds of each question for the network, then for the counts."""
    ids = first_words("validation", WORDS)
    network = opened(open_run(NETWORK))
    config = network.run.config
    plain = PlainLanguageModel(config["vocabulary_size"], *(config[key] for key in ("dimensions", "units", "layers")))
    plain, tensor = plain.eval(), torch.from_numpy(ids)
    with torch.inference_mode():
        _, after = plain(tensor[None, :-1], None)
    yield from _rows(
        network,
        "`nn.LSTM`, full softmax",
        partial(plain_surprisal, plain, tensor),
        partial(plain_next, plain, after, tensor[-1]),
        partial(plain_sample, plain, tensor, WRITTEN),
    )
    counts = opened(open_run(COUNTED))
    table = PlainKneserNey(first_words("train", COUNTED_WORDS).tolist(), len(counts.vocabulary), ORDER)
    as_list, context = ids.tolist(), tuple(ids[-ORDER + 1 :].tolist())
    yield from _rows(
        counts,
        "dictionaries of tuples in plain Python",
        partial(table.log_probabilities, as_list),
        lambda: nlargest(10, enumerate(table.distribution(context)), key=itemgetter(1)),
        partial(table.sample, context, WRITTEN, random.Random(SEED)),
    )


def _rows(
    asked: Asked,
    peer: str,
    reads: Callable[[], object],
    expects: Callable[[], object],
    writes: Callable[[], object],
) -> Iterator[Row]:
    """Yield the milliseconds of the three questions beside those of a peer's calls."""
    text = _text(asked)
    ids = asked.ids(text)
    state = asked.after(ids)
    seeds = iter(range(1000))
    for what, ours, theirs, bar in (
        (f"surprisal of {WORDS} words", lambda: surprisal(asked, text), reads, SURPRISAL),
        (
            "the distribution of the next word",
            lambda: expected(asked, asked.model.distributions(state, ids[:0])[-1], WORDS, None, 10),
            expects,
            NEXT,
        ),
        (
            f"{WRITTEN} sampled words",
            lambda: list(sample(asked.model, state, Sampling(seed=next(seeds)), WRITTEN)),
            writes,
            SAMPLE,
        ),
    ):
        mine, others = alternate(ROUNDS, ours, theirs)
        yield Row(f"`{asked.run.name}`, {what}", "ms", in_ms(mine), peer, in_ms(others), bar)


def _text(asked: Asked) -> str:
    """Return the words that are asked about as they stand in the corpus, which its tokenizer parts alike."""
    text = " ".join(asked.vocabulary.words[one] for one in first_words("validation", WORDS)).replace("<eos>", "\n")
    if not np.array_equal(asked.ids(text), first_words("validation", WORDS)):
        raise RuntimeError("the text does not have the intended tokens")
    return text


BENCHMARK = Benchmark(
    "language-asking",
    "How long does a language model take for surprisal, the next word and sampling?",
    measure,
    "language",
)
