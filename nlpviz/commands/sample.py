"""``sample RUN --prompt …``: a text that a language model writes, as it is written."""

from __future__ import annotations

import argparse
import sys

from nlpviz.commands import Command, UsageError, add_run, positive, print_json
from nlpviz.commands.language import add_epoch, language_model
from nlpviz.runs.run import Run

LONGEST = 100_000


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_run(parser)
    parser.add_argument("--prompt", default="", help="text to continue (default: empty, the start of a line)")
    add_epoch(parser)
    parser.add_argument(
        "--temperature",
        type=float,
        default=1.0,
        help="sampling temperature: below 1 sharpens the distribution, above 1 flattens it, 0 is greedy (default: 1)",
    )
    parser.add_argument("--top-k", type=int, default=0, help="keep the k most likely words (default: 0, all words)")
    parser.add_argument(
        "--top-p",
        type=float,
        default=1.0,
        help="keep the smallest set of words with this total probability (default: 1, all words)",
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.add_argument(
        "--length", type=positive, default=200, help="number of words or characters to generate (default: 200)"
    )


def _run(options: argparse.Namespace) -> None:
    from nlpviz.language.sampling import Sampling, sample

    try:
        how = Sampling(options.temperature, options.top_k, options.top_p, options.seed)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if options.length > LONGEST or options.seed < 0:
        raise UsageError(f"--length must be at most {LONGEST:,}, and --seed must not be negative.")
    asked = language_model("sample", options)
    ids = asked.ids(options.prompt)
    drawn = []
    stream = _Stream(asked.run, [asked.vocabulary.words[one] for one in ids], quiet=options.json)
    for one in sample(asked.model, asked.after(ids), how, options.length):
        drawn.append(one)
        stream.add(asked.vocabulary.words[one.word])
    if not options.json:
        print()
        return
    print_json(
        {
            "run": asked.run.name,
            "epoch": asked.epoch,
            "prompt": options.prompt,
            "temperature": how.temperature,
            "top_k": how.top_k,
            "top_p": how.top_p,
            "seed": how.seed,
            "text": stream.text,
            "tokens": [
                {
                    "token": asked.vocabulary.words[one.word],
                    "probability": one.probability,
                    "after_filtering": one.filtered,
                }
                for one in drawn
            ],
        }
    )


class _Stream:
    """A text that is printed as it grows."""

    def __init__(self, run: Run, words: list[str], *, quiet: bool) -> None:
        self.run, self.words, self.quiet = run, words, quiet
        self.text = run.tokenizer.write(words)
        self._print(self.text)

    def add(self, word: str) -> None:
        """Print what a word adds: its tokenizer writes it as the text before it asks for."""
        self.words.append(word)
        added = self.run.tokenizer.added(self.words)
        self._print(added)
        self.text += added

    def _print(self, text: str) -> None:
        if not self.quiet:
            sys.stdout.write(text)
            sys.stdout.flush()


COMMAND = Command("sample", "continue a prompt with a language model", _add_arguments, _run)
