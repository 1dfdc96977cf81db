"""Command: trains the end-of-turn detector on pauses in calls and on lines of dialogue. Needs PyTorch.

python3 -m turns.train --pauses turns.npz --text lines.txt.xz --out DIR --steps 6000
Lines of dialogue teach which words can end a turn. They have no sound, so their contour is zero."""
import argparse
import json
import lzma
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from . import scores
from .network import Detector
from .words import WORDS, encode, plain

STARTED = time.time()
AVERAGED = 0.998
CONTOUR_SCALE = 50


def log(*parts):
    print(f"[{time.time() - STARTED:6.1f}]", *parts, flush=True)


class Pauses:
    """The pauses in calls, on the device."""

    def __init__(self, rows, chosen, device):
        tensor = lambda array, kind: torch.from_numpy(np.ascontiguousarray(array)).to(device, kind)
        self.ids = tensor(np.stack([encode(text.split()) for text in rows["words"][chosen]]), torch.long)
        self.contour = tensor(rows["contour"][chosen], torch.float32) / CONTOUR_SCALE
        self.resumes = tensor(rows["resumes"][chosen], torch.float32)
        self.turn = tensor(rows["turn"][chosen], torch.float32)
        self.ended = tensor(rows["ended"][chosen], torch.float32)

    def sample(self, count):
        """Draws pauses, each with a random length before its end."""
        device = self.ids.device
        row = torch.randint(0, len(self.ids), (count,), device=device)
        longest = self.resumes[row].clamp(max=scores.SETTLED)
        pause = 0.1 + (longest - 0.1).clamp(min=0) * torch.rand(count, device=device)
        # At run time, the detector is asked repeatedly while a pause lasts, so longer pauses count more.
        weight = (longest / scores.SETTLED).clamp(min=0.3)
        return self.ids[row], self.contour[row], pause, self.turn[row], self.ended[row], weight

    def chances(self, model):
        """The probability of an end for each pause and each length of the grid."""
        with torch.no_grad():
            text, tone = model.text(self.ids), model.tone(self.contour)
            columns = [
                torch.sigmoid(model.joined(text, tone, torch.full_like(self.turn, float(length)), self.turn)) for length in scores.grid()
            ]
        return torch.stack(columns, 1).cpu().numpy()


def disturbed(ids, contour):
    """Augments examples: missing words, a late last word, another pitch, another level."""
    device, count = ids.device, len(ids)
    keep = torch.rand(count, WORDS, 1, device=device) > 0.06
    ids = ids * keep
    late = torch.rand(count, 1, 1, device=device) < 0.08
    ids = torch.where(late, F.pad(ids, (0, 0, 1, 0))[:, :WORDS], ids)
    voiced = (contour[:, 0:1] != 0).float()
    octaves = contour[:, 0:1] + voiced * torch.randn(count, 1, 1, device=device) * 0.2
    loudness = (contour[:, 2:3] + torch.randn(count, 1, 1, device=device) * 0.3).clamp(min=0)
    contour = torch.cat([octaves, contour[:, 1:2], loudness], 1)
    shift = int(torch.randint(0, 3, (1,)))
    contour = F.pad(contour, (shift, 0))[..., : contour.shape[-1]] if shift else contour
    return ids, contour * (torch.rand(count, 1, 1, device=device) > 0.1)


def lines_of(path, device):
    """The encoded words of all lines concatenated, whether each word ends a sentence, and the start of each line."""
    opened = lzma.open if path.endswith(".xz") else open
    ids, ends, starts = [], [], [0]
    with opened(path, "rt", encoding="utf8") as file:
        for line in file:
            words, stops = [], []
            for part in line.split():
                for word in plain(part):
                    words.append(word)
                    stops.append(part.rstrip("\"')")[-1:] in ".?!")
            if not words:
                continue
            ids.append(encode(words)[WORDS - min(WORDS, len(words)) :] if len(words) <= WORDS else np.concatenate([encode([word])[-1:] for word in words]))
            ends.append(np.array(stops))
            starts.append(starts[-1] + len(words))
    tensor = lambda array: torch.from_numpy(np.ascontiguousarray(array)).to(device)
    return tensor(np.concatenate(ids)), tensor(np.concatenate(ends)), tensor(np.array(starts))


class Lines:
    def __init__(self, path, device):
        self.ids, self.stops, self.starts = lines_of(path, device)

    def sample(self, count):
        device = self.ids.device
        row = torch.randint(0, len(self.starts) - 1, (count,), device=device)
        start, end = self.starts[row], self.starts[row + 1]
        whole = torch.rand(count, device=device) < 0.45
        cut = start + 1 + (torch.rand(count, device=device) * (end - start - 1)).long()
        last = torch.where(whole, end, cut)
        place = last[:, None] - WORDS + torch.arange(WORDS, device=device)
        ids = self.ids[place.clamp(min=0)] * (place >= start[:, None])[..., None]
        ended = (last == end).float()
        # A sentence ends here but the line continues, so the turn may or may not have ended.
        unclear = (last != end) & self.stops[last - 1]
        pause = 0.1 + (scores.SETTLED - 0.1) * torch.rand(count, device=device)
        turn = (last - start).float() * (0.25 + 0.2 * torch.rand(count, device=device))
        return ids, torch.zeros(count, 3, 50, device=device), pause, turn, ended, 1 - 0.9 * unclear.float()


def evaluate(model, checks, tests):
    """Chooses thresholds on the validation speakers and scores the test speakers."""
    model.eval()
    out = {}
    for name in ("false", "pauses"):
        chances = checks.chances(model)
        true = lambda pauses: (pauses.resumes.cpu().numpy(), pauses.ended.cpu().numpy() > 0.5)
        threshold = scores.threshold_for(chances, *true(checks), scores.FALSE_ENDS, name)
        out[f"validation, 5 % of {name}"] = {"threshold": threshold, **scores.table(scores.fired(chances, threshold), *true(checks))}
        tested = tests.chances(model)
        out[f"test, same threshold ({name})"] = {"threshold": threshold, **scores.table(scores.fired(tested, threshold), *true(tests))}
        exact = scores.threshold_for(tested, *true(tests), scores.FALSE_ENDS, name)
        out[f"test, exactly 5 % ({name})"] = {"threshold": exact, **scores.table(scores.fired(tested, exact), *true(tests))}
    for length in scores.FIXED:
        out[f"test, silence of {length} s"] = scores.table(np.full(len(tests.ended), length), *true(tests))
    model.train()
    return out


def train(options):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    with np.load(options.pauses) as file:
        rows = dict(file)
    held = np.isin(rows["speaker"], [int(each) for each in options.held.split(",")])
    training, checks, tests = (Pauses(rows, chosen, device) for chosen in (~rows["test"] & ~held, ~rows["test"] & held, rows["test"]))
    lines = Lines(options.text, device)
    log(device, "pauses", len(training.ids), "validation", len(checks.ids), "test", len(tests.ids), "lines", len(lines.starts) - 1)
    model, averaged = Detector(options.dropout).to(device), Detector().to(device)
    averaged.load_state_dict(model.state_dict())
    optimiser = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=options.decay)
    recent = []
    for step in range(options.steps):
        done = step / options.steps
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / 200) * (0.5 + 0.5 * np.cos(np.pi * done))
        # First text alone, then text and pauses.
        share = 0.0 if done < options.text_only else options.calls
        real = int(options.batch * share)
        parts = [lines.sample(options.batch - real)] + ([training.sample(real)] if real else [])
        ids, contour, pause, turn, ended, weight = (torch.cat(column) for column in zip(*parts))
        ids, contour = disturbed(ids, contour)
        loss = (F.binary_cross_entropy_with_logits(model(ids, contour, pause, turn), ended, reduction="none") * weight).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        keep = min(AVERAGED, (step + 1) / (step + 10))
        with torch.no_grad():
            for old, new in zip(averaged.parameters(), model.parameters()):
                old.lerp_(new, 1 - keep)
        recent.append(loss.detach())
        if (step + 1) % options.report == 0:
            log("step", step + 1, "loss", round(float(torch.stack(recent[-200:]).mean()), 4))
            log(scores.line("test, exactly 5 %", evaluate(averaged, checks, tests)["test, exactly 5 % (false)"]))
    figures = evaluate(averaged, checks, tests)
    for name, row in figures.items():
        log(scores.line(name, row), f"threshold {row['threshold']:.3f}" if "threshold" in row else "")
    os.makedirs(options.out, exist_ok=True)
    np.savez(os.path.join(options.out, options.name + ".npz"), **{name: value.cpu().numpy() for name, value in averaged.state_dict().items()})
    with open(os.path.join(options.out, options.name + ".json"), "w", encoding="utf8") as file:
        json.dump({"options": vars(options), "figures": figures}, file, indent=1)


def parser():
    out = argparse.ArgumentParser(description=__doc__)
    for name in ("--pauses", "--text", "--out"):
        out.add_argument(name, required=True)
    out.add_argument("--held", default="8,38", help="validation speakers, on whom the threshold is chosen")
    out.add_argument("--name", default="detector")
    out.add_argument("--batch", type=int, default=1024)
    out.add_argument("--steps", type=int, default=8000)
    out.add_argument("--calls", type=float, default=0.5, help="share of pauses from calls in a batch")
    out.add_argument("--text-only", type=float, default=0.5, help="share of the steps, at the start, with text alone")
    out.add_argument("--rate", type=float, default=2e-3)
    out.add_argument("--decay", type=float, default=0.02)
    out.add_argument("--dropout", type=float, default=0.2)
    out.add_argument("--report", type=int, default=2000)
    out.add_argument("--seed", type=int, default=1)
    return out


if __name__ == "__main__":
    train(parser().parse_args())
