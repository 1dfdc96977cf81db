"""Decodes the packed clips into one array of 16 kHz samples with its voice activity."""
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from speech import activity, opus

from .frames import RATE

HOP = RATE // 100
HALF_BAND = 31


def doubled(samples):
    """8 kHz to 16 kHz: each new sample from the nearest 62 by a windowed sinc."""
    offsets = np.arange(-HALF_BAND, HALF_BAND) + 0.5
    kernel = np.sinc(offsets) * np.hanning(len(offsets) + 2)[1:-1]
    between = np.convolve(samples, kernel / kernel.sum(), "full")[HALF_BAND : HALF_BAND + len(samples)]
    return np.stack([samples, between], 1).reshape(-1)


def decode_some(task):
    path, numbers = task
    clips, data = opus.read(path)
    library, out = opus.library(), []
    for number in numbers:
        clip = clips[number]
        samples = opus.decode(library, data[clip["start"] : clip["start"] + clip["bytes"]], clip["rate"], clip["samples"])
        samples = samples.astype(np.float32)
        if clip["rate"] == RATE // 2:
            samples = doubled(samples)
        samples = samples[: len(samples) // HOP * HOP]
        if "runs" in clip:
            on = np.zeros(len(samples) // HOP, bool)
            for start, end in clip["runs"]:
                on[round(start / activity.STEP) : round(end / activity.STEP)] = True
        else:
            on = activity.active(samples / 32768, RATE)
        out.append((number, np.clip(samples, -32768, 32767).astype(np.int16), on))
    return out


def load(path, workers):
    """(samples int16, active steps bool, clips with place and runs); clips lie one after the other."""
    clips, _ = opus.read(path)
    parts = [(path, list(range(start, len(clips), 4 * workers))) for start in range(4 * workers)]
    decoded = [None] * len(clips)
    with ProcessPoolExecutor(workers) as pool:
        for rows in pool.map(decode_some, parts):
            for number, samples, on in rows:
                decoded[number] = (samples, on)
    place = 0
    for clip, (samples, on) in zip(clips, decoded):
        clip["place"], clip["samples"] = place, len(samples)
        clip["runs"] = [(start * activity.STEP, end * activity.STEP) for start, end in activity.runs(on)]
        place += len(samples)
    return np.concatenate([samples for samples, _ in decoded]), np.concatenate([on for _, on in decoded]), clips
