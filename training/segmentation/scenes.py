"""Invents ten-second scenes of a conversation: who speaks when, cut from which clip. Numbers only; render.py makes sound."""
import numpy as np

from .frames import RATE, SAMPLES
from .powerset import SPEAKERS

EVENTS = 12
"""Most events of one speaker in a scene."""
SPEAKER_COUNTS = (0.02, 0.14, 0.40, 0.44)
TELEPHONE = 0.42
LINES = 0.5
"""Share of the telephone scenes that add up whole channels of real calls, with the noise of their lines."""
LINE_COUNTS = (0.12, 0.78, 0.10)
CALL_VOICE = 0.5
"""Share of the voices in other telephone scenes that come from real calls; the rest is read speech, narrowed later."""
TELEPHONE_LEVELS, ROOM_LEVELS = (-6, 5), (-18, 4)
TURN_LEVELS = 2.5
"""dB by which the turns of one voice differ, up or down."""
CALL_VOICE_IN_ROOM = 0.3
SHORTEST_TURN, LONGEST_TURN = 0.35, 8.0
OVERLAPPING = 0.35
SAME_SPEAKER = 0.2
LISTENING = 0.2
SPEEDS = (0.88, 1.14)
EDGE = 0.03
COARSE = 0.1
TRIES = 6


class Voices:
    """The clips of a pool by kind and speaker, with the runs of speech in each."""

    def __init__(self, clips):
        """clips: dicts with kind, speaker, place (sample in the pool), samples and runs ((start, end) in seconds)."""
        by_kind = {}
        for clip in clips:
            if len(clip["runs"]):
                by_kind.setdefault(clip["kind"], {}).setdefault(clip["speaker"], []).append(clip)
        self.clips = {kind: [speakers[name] for name in sorted(speakers)] for kind, speakers in by_kind.items()}

    def speakers(self, rng, kind, count):
        chosen = self.clips[kind]
        return [chosen[index] for index in rng.choice(len(chosen), min(count, len(chosen)), replace=False)]


def excerpt(rng, clips, wanted):
    """(sample in the pool, seconds) of speech that starts and, where it can, ends with a run."""
    clip = clips[rng.integers(len(clips))]
    runs = clip["runs"]
    whole = clip["samples"] / RATE
    start = max(0.0, runs[rng.integers(len(runs))][0] - EDGE)
    ends = [end for _, end in runs if end > start + 0.2]
    end = min(ends, key=lambda each: abs(each - start - wanted)) if ends else whole
    if end - start > 1.6 * wanted + 0.5:
        end = start + wanted
    return clip["place"] + int(start * RATE), min(whole, end + EDGE) - start


def voices_of(rng, voices, telephone, count):
    if "call" not in voices.clips:
        return voices.speakers(rng, "read", count)
    calls = int((rng.random(count) < (CALL_VOICE if telephone else CALL_VOICE_IN_ROOM)).sum())
    calls = min(calls, len(voices.clips["call"]))
    return voices.speakers(rng, "call", calls) + voices.speakers(rng, "read", count - calls)


def gap(rng):
    if rng.random() < OVERLAPPING:
        return -float(rng.uniform(0.1, 2.2))
    return float(rng.exponential(0.45))


def speech_grid(clip):
    """Activity of a clip in coarse steps."""
    if "grid" not in clip:
        clip["grid"] = np.zeros(int(clip["samples"] / RATE / COARSE) + 1, bool)
        for start, end in clip["runs"]:
            clip["grid"][int(start / COARSE) : int(end / COARSE) + 1] = True
    return clip["grid"]


def line_scene(rng, voices):
    """Whole channels over each other, mostly at places where few people speak at once, as in a real call."""
    people = voices.speakers(rng, "call", 1 + int(rng.choice(len(LINE_COUNTS), p=LINE_COUNTS)))
    seconds = SAMPLES / RATE * SPEEDS[1] + 0.2
    picked = [clips[rng.integers(len(clips))] for clips in people]
    best = None
    for _ in range(TRIES if rng.random() < 0.8 else 1):
        offsets = [rng.uniform(0, max(0.0, clip["samples"] / RATE - seconds)) for clip in picked]
        together = np.zeros(int(seconds / COARSE) + 1, int)
        for clip, offset in zip(picked, offsets):
            part = speech_grid(clip)[int(offset / COARSE) :][: len(together)]
            together[: len(part)] += part
        # Little overlap and little silence.
        cost = (together > 1).sum() * 2 + (together == 0).sum() + 0.5 * rng.random()
        if best is None or cost < best[0]:
            best = (cost, offsets)
    events = []
    for who, (clip, offset) in enumerate(zip(picked, best[1])):
        speed = rng.uniform(*SPEEDS)
        length = min(seconds, clip["samples"] / RATE - offset - 0.01) / speed
        events.append((who, 0.0, length, clip["place"] + int(offset * RATE), speed, 0, rng.uniform(*TELEPHONE_LEVELS)))
    return {"telephone": True, "events": events}


def scene(rng, voices):
    """{"telephone", "events": (speaker, start in seconds, seconds, sample in the pool, speed, variant, dB)}"""
    telephone = bool(rng.random() < TELEPHONE)
    if telephone and "call" in voices.clips and rng.random() < LINES:
        return line_scene(rng, voices)
    count = int(rng.choice(len(SPEAKER_COUNTS), p=SPEAKER_COUNTS))
    people = voices_of(rng, voices, telephone, count)
    speeds = rng.uniform(*SPEEDS, count)
    loudness = rng.uniform(*(TELEPHONE_LEVELS if telephone else ROOM_LEVELS), count)
    shares = rng.uniform(0.3, 1.7, count)
    busy = np.full(count, -99.0)
    events = []

    def say(who, start, wanted):
        place, seconds = excerpt(rng, people[who], wanted * speeds[who])
        seconds /= speeds[who]
        # Never three at once, and one voice never over itself.
        others = sorted(np.delete(busy, who))
        start = max(start, busy[who] + 0.05, others[-2] if len(others) > 1 else start)
        busy[who] = start + seconds
        events.append((who, start, seconds, place, speeds[who], int(rng.integers(2)), loudness[who] + rng.uniform(-TURN_LEVELS, TURN_LEVELS)))
        return start + seconds

    time, last = -float(rng.uniform(0, 5)), -1
    while count and time < SAMPLES / RATE:
        chances = np.array([shares[who] if who != last else shares[who] * SAME_SPEAKER for who in range(count)])
        who = int(rng.choice(count, p=chances / chances.sum()))
        start = max(-8.0, time + (gap(rng) if last != who else float(rng.exponential(0.8)) + 0.1))
        time = say(who, start, float(np.exp(rng.uniform(np.log(SHORTEST_TURN), np.log(LONGEST_TURN)))))
        last = who
        if count > 1 and rng.random() < LISTENING:
            listener = (who + 1 + int(rng.integers(count - 1))) % count
            say(listener, float(rng.uniform(start, max(start + 0.1, time - 0.6))), 0.6)
    return {"telephone": telephone, "events": events}


def batch(rng, voices, size):
    """Arrays for `size` scenes; the events of a speaker are in order and never overlap."""
    out = {
        "telephone": np.zeros(size, bool),
        "start": np.full((size, SPEAKERS, EVENTS), 1e9, np.float32),
        "length": np.zeros((size, SPEAKERS, EVENTS), np.float32),
        "place": np.zeros((size, SPEAKERS, EVENTS), np.int64),
        "speed": np.ones((size, SPEAKERS, EVENTS), np.float32),
        "variant": np.zeros((size, SPEAKERS, EVENTS), np.int64),
        "gain": np.zeros((size, SPEAKERS, EVENTS), np.float32),
    }
    for row in range(size):
        made = scene(rng, voices)
        out["telephone"][row] = made["telephone"]
        filled = [0] * SPEAKERS
        for who, start, seconds, place, speed, variant, level in sorted(made["events"], key=lambda event: event[1]):
            column = filled[who]
            if column == EVENTS or start + seconds < 0 or start > SAMPLES / RATE:
                continue
            filled[who] += 1
            at = (row, who, column)
            out["start"][at], out["length"][at] = round(start * RATE), int(seconds * RATE) - 2
            out["place"][at], out["speed"][at] = place, speed
            out["variant"][at], out["gain"][at] = variant, 10 ** (level / 20)
    return out
