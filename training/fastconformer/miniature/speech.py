"""Passages said by many voices: training examples, and held-out ones with untrained sentences or an untrained voice."""
import os
import zlib
from multiprocessing import Pool

import numpy as np

from .sentences import Speaker
from .synthesis import RATE, Synthesiser, words_of

ACCENTS = [f"gmw/en{place}" for place in ("", "-US", "-US", "-GB-x-rp", "-GB-scotland", "-GB-x-gbclan", "-US-nyc")]
VARIANTS = (
    "f1 f2 f3 f4 f5 m1 m2 m3 m4 m5 m6 m7 m8 Annie Alicia Andrea steph steph2 belinda aunty anika adam david edward john "
    "michel miguel paul robert rob travis victor zac benjamin caleb max norbert pablo marcelo antonio Denis Lee Michael"
).split()
HELD_VOICE = "gmw/en-US+linda"
HELD = ("sentences", "voice")
SECONDS_MAX = 19.5


def is_held(sentence):
    """One sentence in twenty is held out of training, for all voices."""
    return zlib.crc32(sentence.encode()) % 20 == 0


def sentences(speaker, most, held):
    count = int(speaker.rng.integers(1, most + 1))
    found = []
    while len(found) < count:
        sentence = speaker.sentence()
        if is_held(sentence) == held:
            found.append(sentence)
    return found


def say(synthesiser, rng, text, voice):
    """The samples, and the words with their starts in milliseconds."""
    pitch, spread = int(rng.integers(30, 75)), int(rng.integers(30, 80))
    samples, starts = synthesiser.say(text, voice, int(rng.integers(125, 215)), pitch, spread)
    peak = np.abs(samples).max()
    return samples * (0.9 / peak if peak > 0.9 else 1), words_of(text, starts)


def some(job):
    seed, count, held, library, data, folder = job
    rng = np.random.default_rng(seed)
    speaker, synthesiser = Speaker(rng), Synthesiser(library, data)
    said, audio = [], []
    while len(said) < count:
        most = int(rng.choice([1, 2, 3, 6], p=[0.6, 0.27, 0.1, 0.03]))
        text = " ".join(sentences(speaker, most, held is not None))
        voice = HELD_VOICE if held == "voice" else f"{speaker.one(ACCENTS)}+{speaker.one(VARIANTS)}"
        samples, words = say(synthesiser, rng, text, voice)
        if len(samples) <= SECONDS_MAX * RATE:
            said.append((voice, len(samples), words))
            audio.append(np.rint(samples * 32767).astype(np.int16))
    path = os.path.join(folder, f"{held}-{seed}.npy")
    np.save(path, np.concatenate(audio))
    return said, path


def passages(count, folder, held=None, seed=0, workers=16, library="libespeak-ng.so.1", data=None):
    """(voice, length, words) of each passage, and all samples concatenated. `held` is None, "sentences" or "voice"."""
    os.makedirs(folder, exist_ok=True)
    each = -(-count // workers)
    jobs = [(seed * 1000 + nth, each, held, library, data, folder) for nth in range(workers)]
    said, audio = [], []
    with Pool(workers) as pool:
        for some_said, path in pool.imap(some, jobs):
            said += some_said
            audio.append(np.load(path))
            os.remove(path)
    return said, np.concatenate(audio)
