"""Command: writes inputs and expected features for the test of the server's port of contour.py and words.py.

python3 -m turns.vector --out ../packages/server/src/speech/turns/testing/features.json"""
import argparse
import json

import numpy as np

from . import contour, words

TEXTS = ("Yes, please.", "I'd like to, uh, order a DEBIT card — for my wife’s account", " ".join(f"word{n}" for n in range(30)), "")


def samples(pitch, drop):
    """16-bit samples at 16 kHz: a fading voice with falling pitch and a little noise. Integers, which are exact."""
    time = np.arange(2 * contour.LENGTH) / 16000
    phase = 2 * np.pi * np.cumsum(pitch - drop * time) / 16000
    voice = sum(np.sin(harmonic * phase) / harmonic for harmonic in range(1, 6))
    noise = np.random.default_rng(int(pitch)).standard_normal(len(time))
    level = 6000 * np.clip(1.2 - time, 0, 1) * (1 + np.sin(2 * np.pi * 3 * time)) / 2
    return np.round(level * voice + 40 * noise).clip(-32768, 32767).astype(np.int64)


def main():
    out = argparse.ArgumentParser(description=__doc__)
    out.add_argument("--out", required=True)
    options = out.parse_args()
    sounds = []
    for pitch, drop in ((210, 60), (115, 20)):
        heard = samples(pitch, drop)
        halved = (heard.reshape(-1, 2).mean(1) / 32768).astype(np.float32)
        expected = contour.contour(halved[None])[0]
        sounds.append({"samples": heard.tolist(), "contour": [[round(float(value), 6) for value in row] for row in expected]})
    texts = [{"text": text, "ids": words.encode(words.plain(text)).tolist()} for text in TEXTS]
    with open(options.out, "w") as file:
        json.dump({"sounds": sounds, "texts": texts}, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
