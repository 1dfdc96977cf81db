"""Writes held-out clips with the times of their words.

python3 -m fastconformer.miniature.clips --out FOLDER --count 40"""
import argparse
import json
import os
import subprocess
import wave

import numpy as np

from . import speech
from .sentences import SPELLINGS, Speaker
from .synthesis import RATE, Synthesiser, text_of

LEAD_MS, TAIL_MS = 300, 500
NOISE = 1e-3


def write_clip(path, samples, rng):
    """Writes the samples with light noise and with silence around the speech."""
    padded = np.pad(samples, (RATE * LEAD_MS // 1000, RATE * TAIL_MS // 1000))
    padded = np.clip(0.8 * padded + NOISE * rng.normal(size=len(padded)), -1, 1)
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", "not compressed"))
        file.writeframes(np.rint(padded * 32767).astype("<i2").tobytes())


def compressed(folder, name):
    path, other = os.path.join(folder, name), name.replace(".wav", ".opus")
    options = ["-c:a", "libopus", "-b:a", "24k", "-bitexact"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", path, *options, os.path.join(folder, other)], check=True)
    os.remove(path)
    return other


def clips(rng, count, most, held):
    """Yields (voice, text): untrained sentences, by an untrained voice or by trained voices."""
    speaker = Speaker(rng)
    for _ in range(count):
        text = " ".join(speech.sentences(speaker, most, True))
        # Spellings cannot be distinguished by ear, so the text has the usual one.
        for usual, rare in SPELLINGS.items():
            text = text.replace(rare, usual)
        yield speech.HELD_VOICE if held == "voice" else f"{speaker.one(speech.ACCENTS)}+{speaker.one(speech.VARIANTS)}", text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=20, help="clips by the held-out voice, and clips by trained voices")
    parser.add_argument("--most", type=int, default=3, help="maximum sentences per clip")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--opus", action="store_true", help="compress with ffmpeg")
    given = parser.parse_args()
    os.makedirs(given.out, exist_ok=True)
    rng, synthesiser, found = np.random.default_rng(given.seed), Synthesiser(), []
    for held in speech.HELD:
        for nth, (voice, text) in enumerate(clips(rng, given.count, given.most, held)):
            samples, words = speech.say(synthesiser, rng, text, voice)
            name = f"{held}-{nth}.wav"
            write_clip(os.path.join(given.out, name), samples, rng)
            name = compressed(given.out, name) if given.opus else name
            timed = [[word, start if start is None else start + LEAD_MS] for word, start in words]
            found.append({"file": name, "held": held, "voice": voice, "text": text_of(words), "words": timed})
    with open(os.path.join(given.out, "clips.json"), "w", encoding="utf8") as file:
        json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
