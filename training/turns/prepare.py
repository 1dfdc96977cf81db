"""Command: finds the pauses in telephone calls, and whether the other side took the turn after each.

python3 -m turns.prepare --calls hv/data --exclude exclude.json --test 22,6,24,60 --out turns.npz
exclude.json: {"calls": [ids], "parity": 0 or 1 (optional)}"""
import argparse
import json

import numpy as np

from speech import activity, harper_valley

from . import contour

SHORTEST_PAUSE = 0.1
WORDS = 24
# Shorter speech of the other side, after which this side continues, is a backchannel such as "mm-hm".
BACKCHANNEL = 0.8
BACKCHANNEL_GAP = 0.6
# After a longer wait for an answer, or a longer pause, it is unclear whose turn it was.
LONGEST_PAUSE = 3.0
WORD_SLACK = 0.5
# The tolerance for word times, in steps.
WORD_MARGIN = 15
NEVER = 30.0
# If voice activity finds a smaller share of the transcribed words, the channel is too noisy.
LEAST_COVERED = 0.7


class Side:
    def __init__(self, call, side):
        self.samples = call.samples(side)
        on = activity.active(self.samples, harper_valley.RATE, gap=SHORTEST_PAUSE, least=0.06)
        words = harper_valley.spoken(call, side, len(on), activity.STEP)
        # Breaths and clicks are also loud, so only runs with a transcribed word count as speech.
        self.on = on.copy()
        for start, end in activity.runs(on):
            if not words[max(0, start - WORD_MARGIN) : end + WORD_MARGIN].any():
                self.on[start:end] = False
        self.either = activity.bridged(self.on | words, 0.3, 0.15)
        self.clear = (self.on & words).sum() >= LEAST_COVERED * words.sum()


def outcome(pause, resumes, theirs):
    """True: the other side took the turn. False: this side continued. None: unclear. Times are in seconds."""
    for start, end in theirs:
        if start < pause < end:
            return None
        if pause <= start < resumes:
            listening = end - start < BACKCHANNEL and resumes - end < BACKCHANNEL_GAP
            return None if listening or start - pause > LONGEST_PAUSE else True
    return False if resumes - pause <= LONGEST_PAUSE else None


def turn_start(pause, theirs, mine):
    """The start of this turn: this side's first speech after the other side's last."""
    last = max([end for start, end in theirs if start < pause and end - start >= BACKCHANNEL and end <= pause], default=0.0)
    return min((start for start, _ in mine if start >= last - 0.3), default=pause)


def pauses(call, side, here, there):
    """Yields (pause, resumes, ended, turn start, words) for each clear pause of one side."""
    mine = activity.runs(here.on) * activity.STEP
    theirs = activity.runs(there.either) * activity.STEP
    words = [word for segment in call.segments() if segment.side == side for word in segment.words]
    for index, (_, pause) in enumerate(mine):
        resumes = mine[index + 1][0] if index + 1 < len(mine) else pause + NEVER
        if index + 1 == len(mine) and not any(start >= pause for start, _ in theirs):
            continue
        ended = outcome(pause, resumes, theirs)
        if ended is None or resumes - pause < SHORTEST_PAUSE:
            continue
        began = turn_start(pause, theirs, mine)
        # Word times are inexact: a word belongs to the nearer stretch of speech.
        limit = pause + min(WORD_SLACK, (resumes - pause) / 2)
        said = [word for start, end, word in words if began - 0.3 <= start and (start + end) / 2 < limit]
        if said:
            yield pause, resumes, ended, began, said[-WORDS:]


def before(samples, pause):
    """The samples that the contour needs, padded with silence at the beginning of a call."""
    end = int(pause * harper_valley.RATE)
    start = end - contour.LENGTH
    return np.concatenate([np.zeros(max(0, -start), np.float32), samples[max(0, start) : end]])


def collect(folder, exclude, test):
    rows = {name: [] for name in ("call", "speaker", "test", "pause", "resumes", "ended", "turn", "words", "contour")}
    for call in harper_valley.calls(folder):
        wanted = [side for side in harper_valley.SIDES if call.speakers[side] % 2 == exclude.get("parity", call.speakers[side] % 2)]
        # Calls with a speaker of the test set are not used for training.
        testing = any(speaker in test for speaker in call.speakers.values())
        if call.sid in exclude["calls"] or not wanted:
            continue
        both = {side: Side(call, side) for side in harper_valley.SIDES}
        for side in wanted:
            if (testing and call.speakers[side] not in test) or not both[side].clear:
                continue
            other = harper_valley.SIDES[1 - harper_valley.SIDES.index(side)]
            found = list(pauses(call, side, both[side], both[other]))
            if not found:
                continue
            rows["contour"].append(np.round(contour.contour(np.stack([before(both[side].samples, row[0]) for row in found])) * 50).clip(-127, 127).astype(np.int8))
            for pause, resumes, ended, began, words in found:
                for name, value in zip(rows, (call.sid, call.speakers[side], testing, pause, resumes - pause, ended, pause - began, " ".join(words))):
                    rows[name].append(value)
    return {name: np.concatenate(values) if name == "contour" else np.array(values) for name, values in rows.items()}


def main():
    out = argparse.ArgumentParser(description=__doc__)
    for name in ("--calls", "--exclude", "--test", "--out"):
        out.add_argument(name, required=True)
    options = out.parse_args()
    with open(options.exclude, encoding="utf8") as file:
        exclude = json.load(file)
    rows = collect(options.calls, exclude, {int(each) for each in options.test.split(",")})
    np.savez_compressed(options.out, **rows)
    for name, chosen in (("training", ~rows["test"]), ("test", rows["test"])):
        print(name, "calls", len(set(rows["call"][chosen])), "pauses", chosen.sum(), "ends", rows["ended"][chosen].sum())


if __name__ == "__main__":
    main()
