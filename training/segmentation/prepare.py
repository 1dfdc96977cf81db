"""Command: packs single-speaker speech for training, without the speakers that are kept for evaluation.

python3 -m segmentation.prepare --calls hv/data --read speechocean762/WAVE --read an4/wav/an4_clstk --exclude exclude.json --out pack
exclude.json: {"calls": [ids], "speakers": [ids], "parity": 0 or 1 (optional), "readers": [folder names]}"""
import argparse
import json
import os
import wave

import numpy as np

from speech import activity, harper_valley, opus

READER_SECONDS = 62
CALL_BITRATE, READ_BITRATE = 10000, 16000
# Where voice activity finds less of what was transcribed, the channel is too noisy for labels.
LEAST_COVERED = 0.7


def call_channels(folder, exclude):
    for call in harper_valley.calls(folder):
        if call.sid in exclude["calls"]:
            continue
        for side in harper_valley.SIDES:
            speaker = call.speakers[side]
            if speaker not in exclude["speakers"] and speaker % 2 == exclude.get("parity", speaker % 2):
                yield call, side, speaker


def pack_calls(folder, exclude, writer):
    """Whole channels, so that the noise of a real line between the words is there too."""
    rate = harper_valley.RATE
    for call, side, speaker in call_channels(folder, exclude):
        samples = call.samples(side)
        on = activity.active(samples, rate)
        words = harper_valley.spoken(call, side, len(on), activity.STEP)
        if not words.any() or (on & words).sum() < LEAST_COVERED * words.sum():
            continue
        on &= harper_valley.near_transcript(call, side, len(on), activity.STEP)
        runs = [[round(float(edge) * activity.STEP, 2) for edge in run] for run in activity.runs(on)]
        writer.add(samples, rate, CALL_BITRATE, kind="call", speaker=f"hv{speaker}", call=call.sid, runs=runs)


def read_wave(path):
    with wave.open(path) as file:
        return np.frombuffer(file.readframes(file.getnframes()), np.int16).astype(np.float32) / 32768, file.getframerate()


def read_sphere(path):
    """NIST SPHERE: a header of 1 024 bytes, then 16-bit samples."""
    with open(path, "rb") as file:
        data = file.read()
    facts = dict(line.split(" ", 2)[::2] for line in data[:1024].decode("latin1").split("\n") if line.count(" ") >= 2)
    kind = "<i2" if facts.get("sample_byte_format", "01") == "01" else ">i2"
    return np.frombuffer(data[1024:], kind).astype(np.float32) / 32768, int(facts["sample_rate"])


READERS = {".wav": read_wave, ".sph": read_sphere}


def pack_readers(folder, exclude, writer):
    """A folder per speaker."""
    for name in sorted(os.listdir(folder)):
        if name in exclude["readers"]:
            continue
        seconds = 0
        for file in sorted(os.listdir(os.path.join(folder, name))):
            read = READERS.get(os.path.splitext(file)[1].lower())
            if not read or seconds >= READER_SECONDS:
                continue
            samples, rate = read(os.path.join(folder, name, file))
            seconds += len(samples) / rate
            writer.add(samples, rate, READ_BITRATE, kind="read", speaker=name)


def main():
    out = argparse.ArgumentParser(description=__doc__)
    for name in ("--calls", "--exclude", "--out"):
        out.add_argument(name, required=True)
    out.add_argument("--read", action="append", default=[])
    options = out.parse_args()
    with open(options.exclude, encoding="utf8") as file:
        exclude = json.load(file)
    writer = opus.Writer(options.out)
    pack_calls(options.calls, exclude, writer)
    print("calls", len(writer.clips), "clips", writer.size, "bytes", flush=True)
    for folder in options.read:
        pack_readers(folder, exclude, writer)
    writer.close()
    seconds = sum(clip["samples"] / clip["rate"] for clip in writer.clips)
    print("all", len(writer.clips), "clips", writer.size, "bytes", round(seconds), "s", len({clip["speaker"] for clip in writer.clips}), "speakers")


if __name__ == "__main__":
    main()
