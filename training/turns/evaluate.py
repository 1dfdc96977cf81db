"""Command: prints a table of delays and false ends of trained weights on the test calls. Needs PyTorch.

python3 -m turns.evaluate --pauses turns.npz --weights detector.npz"""
import argparse

import numpy as np
import torch
import torch.nn.functional as F

from . import scores
from .network import Detector
from .train import Pauses
from .words import WORDS

THRESHOLDS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97)


def load(path):
    model = Detector().eval()
    with np.load(path) as file:
        model.load_state_dict({name: torch.from_numpy(file[name]) for name in file})
    return model


def main():
    out = argparse.ArgumentParser(description=__doc__)
    out.add_argument("--pauses", required=True)
    out.add_argument("--weights", required=True)
    options = out.parse_args()
    with np.load(options.pauses) as file:
        rows = dict(file)
    tests, model = Pauses(rows, rows["test"], "cpu"), load(options.weights)
    resumes, ended = tests.resumes.numpy(), tests.ended.numpy() > 0.5
    chances = tests.chances(model)
    for length in scores.FIXED:
        print(scores.line(f"silence of {length} s", scores.table(np.full(len(ended), length), resumes, ended)))
    for threshold in THRESHOLDS:
        print(scores.line(f"threshold {threshold}", scores.table(scores.fired(chances, threshold), resumes, ended)))
    heard = tests.ids, tests.contour
    for name, ids, contour in (
        ("no sound", heard[0], 0 * heard[1]),
        ("no words", 0 * heard[0], heard[1]),
        ("last word missing", F.pad(heard[0], (0, 0, 1, 0))[:, :WORDS], heard[1]),
    ):
        tests.ids, tests.contour = ids, contour
        changed = tests.chances(model)
        threshold = scores.threshold_for(changed, resumes, ended, scores.FALSE_ENDS)
        print(scores.line(f"{name}, threshold {threshold:.3f}", scores.table(scores.fired(changed, threshold), resumes, ended)))


if __name__ == "__main__":
    main()
