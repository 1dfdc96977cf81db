"""Scores the numpy reference on held-out passages: words right, and errors of word starts. Set OMP_NUM_THREADS=1."""
import argparse
from multiprocessing import Pool

import numpy as np

from ..reference import Network, features
from ..shapes import SUBSAMPLING
from . import model, pieces, speech
from .scores import aligned, plain, words_right
from .synthesis import text_of

FRAME_MS = 10 * SUBSAMPLING
LEAD_MS = 300
COUNT = 96
KINDS = (("tdt", None), ("tdt", "int8"), ("rnnt", None), ("rnnt", "int8"), ("ctc", None), ("ctc", "int8"))


def heard(job):
    """The recognised text, and the start of each word in milliseconds of the passage."""
    (shape, weights, names), samples, seed = job
    rng = np.random.default_rng(seed)
    padded = np.pad(samples.astype(np.float32) / 32768, (16 * LEAD_MS, 6400))
    padded = (padded + 3e-4 * rng.normal(size=len(padded))).astype(np.float32)
    network = Network(shape, weights)
    found, _ = network.decode(network.encode(features(padded, shape.mels)))
    starts = [FRAME_MS * frame - LEAD_MS for token, frame, *_ in found if names[token].startswith(pieces.START)]
    return pieces.text_of([token for token, *_ in found], names), starts


def start_errors(words, text, starts):
    """The errors of the starts of correctly recognised words, in milliseconds."""
    pairs = aligned(plain(text_of(words)), plain(text))[1]
    return [starts[there] - words[here][1] for here, there in pairs if words[here][1] is not None and there < len(starts)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--work", default="/tmp/miniature")
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--library", default="libespeak-ng.so.1")
    parser.add_argument("--data", default=None)
    given = parser.parse_args()
    for held in speech.HELD:
        said, audio = speech.passages(480, given.work, held, library=given.library, data=given.data)
        ends = np.cumsum([length for _, length, _ in said])
        some = range(0, len(said), len(said) // COUNT)
        for kind, quantised in KINDS:
            loaded = model.load(given.model, kind, quantised)
            jobs = [(loaded, audio[ends[nth] - said[nth][1] : ends[nth]], nth) for nth in some]
            with Pool(given.workers) as pool:
                results = pool.map(heard, jobs, 1)
            right = words_right([(text_of(said[nth][2]), text) for nth, (text, _) in zip(some, results)])
            errors = [error for nth, one in zip(some, results) for error in start_errors(said[nth][2], *one)]
            middle, spread = np.median(errors), np.median(np.abs(errors))
            print(held, kind, quantised or "float32", f"{right:.2%} of words right, starts off by {middle} ms, {spread} ms without sign", flush=True)


if __name__ == "__main__":
    main()
