"""Reads the Gridspace-Stanford Harper Valley corpus: calls with one recording per side, transcripts and speakers."""
import json
import os
import wave
from dataclasses import dataclass

import numpy as np

SIDES = ("agent", "caller")
RATE = 8000


@dataclass
class Segment:
    side: str
    start: float
    end: float
    words: list
    """(start, end, word) in seconds, from the machine transcript, without markers such as [noise]."""


@dataclass
class Call:
    folder: str
    sid: str
    speakers: dict

    def samples(self, side):
        with wave.open(os.path.join(self.folder, "audio", side, self.sid + ".wav")) as file:
            if file.getframerate() != RATE or file.getnchannels() != 1:
                raise ValueError(f"{self.sid}: expected mono audio at {RATE} Hz")
            return np.frombuffer(file.readframes(file.getnframes()), np.int16).astype(np.float32) / 32768

    def segments(self):
        with open(os.path.join(self.folder, "transcript", self.sid + ".json"), encoding="utf8") as file:
            rows = json.load(file)
        out = []
        for row in rows:
            start = row["offset_ms"] / 1000
            spoken = row["transcript"].split()
            words = []
            if len(spoken) == len(row["word_offsets_ms"]) == len(row["word_durations_ms"]):
                for word, offset, length in zip(spoken, row["word_offsets_ms"], row["word_durations_ms"]):
                    if not word.startswith(("[", "<")):
                        words.append((start + offset / 1000, start + (offset + length) / 1000, word))
            out.append(Segment(row["speaker_role"], start, start + row["duration_ms"] / 1000, words))
        return sorted(out, key=lambda segment: segment.start)


def calls(folder):
    """All calls in the corpus folder `data`, ordered by id."""
    out = []
    for name in sorted(os.listdir(os.path.join(folder, "metadata"))):
        with open(os.path.join(folder, "metadata", name), encoding="utf8") as file:
            row = json.load(file)
        out.append(Call(folder, row["sid"], {side: row[side]["speaker_id"] for side in SIDES}))
    return out


def near_transcript(call, side, count, step, margin=0.35):
    """True for the steps within `margin` seconds of a transcribed segment of this side."""
    near = np.zeros(count, bool)
    for segment in call.segments():
        if segment.side == side:
            near[max(0, int((segment.start - margin) / step)) : int((segment.end + margin) / step) + 1] = True
    return near


def spoken(call, side, count, step):
    """True for the steps within transcribed words."""
    on = np.zeros(count, bool)
    for segment in call.segments():
        for start, end, _ in segment.words if segment.side == side else ():
            on[int(start / step) : int(end / step) + 1] = True
    return on
