"""Trains the miniature on synthetic speech: python3 -m fastconformer.miniature.train --out FOLDER --seconds 300"""
import argparse
import copy
import time

import numpy as np
import torch
import torch.nn.functional as F

from ..shapes import SUBSAMPLING
from . import model, pieces, speech
from .losses import padded_durations, steps, transducer_loss
from .network import Network, features, mel_filters
from .scores import words_right
from .synthesis import text_of

FRAME_MS = 10 * SUBSAMPLING
# The maximum lattice size of a batch: examples × frames × tokens.
BUDGET = 700_000
# The frames by which a token may precede or follow its word, and the cost of being even earlier or later.
EARLY, LATE, COST = 1.0, 1.0, 4.0


class Examples:
    """The audio on the GPU, and the tokens of each example with the time span in which each may be emitted."""

    def __init__(self, said, audio, encoder, device):
        self.said, self.device = said, device
        self.audio = torch.tensor(audio, device=device)
        self.lengths = np.array([length for _, length, _ in said])
        self.starts = np.cumsum(self.lengths) - self.lengths
        rows = [self.row(words, length / 16, encoder) for _, length, words in said]
        self.counts = np.array([len(row) for row in rows])
        self.rows = np.zeros((len(rows), self.counts.max(), 3), np.float32)
        for nth, row in enumerate(rows):
            self.rows[nth, : len(row)] = row

    @staticmethod
    def row(words, audio_ms, encoder):
        found = []
        for nth, (word, start) in enumerate(words):
            known = [time for _, time in words[nth + 1 :] if time is not None]
            before = [time for _, time in words[:nth] if time is not None]
            end = known[0] if known else audio_ms
            begin = start if start is not None else (before[-1] if before else 0)
            for at, token in enumerate(encoder.word(word)):
                found.append((token, begin, end if at or start is None else begin))
        return found

    def batches(self, rng):
        order = np.argsort(self.lengths * rng.uniform(0.9, 1.1, len(self.lengths)))
        found, here, frames, tokens = [], [], 0, 0
        for nth in order:
            more = max(frames, self.lengths[nth] // 1280 + 8), max(tokens, self.counts[nth] + 1)
            if here and (len(here) + 1) * more[0] * more[1] > BUDGET:
                found.append(here)
                here, more = [], (self.lengths[nth] // 1280 + 8, self.counts[nth] + 1)
            here.append(nth)
            frames, tokens = more
        found.append(here)
        return [found[nth] for nth in rng.permutation(len(found))]

    def batch(self, which, rng, clean=False):
        """Samples with added silence and noise, their lengths, tokens, token counts, and first and last frames."""
        which = np.array(which)
        lead = rng.integers(800, 9_600, len(which))
        tail = rng.integers(1_600, 9_600, len(which))
        lengths = torch.tensor(self.lengths[which] + lead + tail, device=self.device)
        on_device = lambda x: torch.tensor(x, device=self.device)[:, None]
        at = torch.arange(int(lengths.max()), device=self.device)[None] - on_device(lead)
        is_said = (at >= 0) & (at < on_device(self.lengths[which]))
        places = (at + on_device(self.starts[which])).clamp(0, len(self.audio) - 1)
        samples = self.audio[places].float() / 32768 * is_said
        samples = self.noisy(samples, rng) if not clean else samples + 3e-4 * torch.randn_like(samples)
        samples = samples * (torch.arange(samples.shape[1], device=self.device) < lengths[:, None])
        counts = self.counts[which]
        rows = torch.tensor(self.rows[which, : counts.max()], device=self.device)
        shift = on_device(lead / 16)
        first, last = ((rows[:, :, part] + shift) / FRAME_MS for part in (1, 2))
        return samples, lengths, rows[:, :, 0].long(), torch.tensor(counts, device=self.device), first, last

    def noisy(self, samples, rng):
        pick = lambda low, high: torch.tensor(rng.uniform(low, high, (len(samples), 1)), dtype=torch.float32, device=self.device)
        noise = torch.randn_like(samples)
        # Between white and brown noise.
        slope = pick(0, 0.95)
        dull = noise + slope * F.pad(noise, (1, 0))[:, :-1] + slope**2 * F.pad(noise, (2, 0))[:, :-2] + slope**3 * F.pad(noise, (3, 0))[:, :-3]
        level = samples.square().mean(1, keepdim=True).sqrt() * 10 ** (-pick(8, 50) / 20)
        level = level * (pick(0, 1) > 0.1)
        return (samples + level * dull) * 10 ** (pick(-25, 0) / 20)


def spoiled(x):
    """Masks random stretches of time and bands of mels with their mean, which is zero."""
    batch, mels, columns = x.shape
    for _ in range(2):
        for axis, size, most in ((1, mels, 12), (2, columns, 12)):
            start = torch.randint(0, size, (batch, 1), device=x.device)
            width = torch.randint(0, most, (batch, 1), device=x.device)
            at = torch.arange(size, device=x.device)
            hit = (at >= start) & (at < start + width)
            x = x.masked_fill(hit[:, :, None] if axis == 1 else hit[:, None], 0)
    return x


def losses(network, examples, which, filters, rng):
    samples, lengths, tokens, counts, first, last = examples.batch(which, rng)
    given, frames = features(samples, lengths, filters)
    encoded, frames = network.encode(spoiled(given), frames)
    at = torch.arange(encoded.shape[1], device=encoded.device)[None, :, None]
    is_off = (at < first[:, None] - EARLY) | (at > last[:, None] + LATE)
    cost = F.pad(COST * is_off, (0, 1))[..., None]
    lattices = []
    for kind in ("tdt", "rnnt"):
        shape = network.shapes[kind]
        logits = network.join(encoded, network.predict(tokens, kind), kind)
        blank, token = steps(logits, tokens, shape.words, 0.02 if kind == "tdt" else 0.0)
        lattices.append(padded_durations(blank, token - cost, network.shape.durations))
    blank, token = (torch.cat(parts) for parts in zip(*lattices))
    both = transducer_loss(blank, token, torch.cat([frames, frames]), torch.cat([counts, counts])) / torch.cat([counts, counts])
    rows = network.ctc(encoded).transpose(0, 1)
    ctc = F.ctc_loss(rows, tokens, frames, counts, blank=network.shape.words, reduction="none", zero_infinity=True) / counts
    half = len(tokens)
    return both[:half].mean(), both[half:].mean(), ctc.mean()


@torch.no_grad()
def heard_by_ctc(network, examples, names, filters):
    network.eval()
    rng, pairs = np.random.default_rng(0), []
    for which in examples.batches(rng):
        samples, lengths, *_ = examples.batch(which, rng, clean=True)
        rows = network.ctc(network.encode(*features(samples, lengths, filters))[0]).argmax(-1).cpu().numpy()
        frames = (-(-(lengths // 160) // SUBSAMPLING)).cpu().numpy()
        for nth, row, count in zip(which, rows, frames):
            row = row[:count]
            kept = [t for t, before in zip(row, [-1, *row[:-1]]) if t != before]
            pairs.append((text_of(examples.said[nth][2]), pieces.text_of(kept, names)))
    network.train()
    return words_right(pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--work", default="/tmp/miniature")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--passages", type=int, default=48_000)
    parser.add_argument("--merges", type=int, default=200)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--init", help="a folder with the weights of an earlier training run")
    parser.add_argument("--library", default="libespeak-ng.so.1")
    parser.add_argument("--data", default=None)
    given = parser.parse_args()
    began = time.time()
    say = lambda *words: print(f"{time.time() - began:7.1f}", *words, flush=True)
    espeak = {"library": given.library, "data": given.data}
    said, audio = speech.passages(given.passages, given.work, None, given.seed, **espeak)
    held = {held: speech.passages(480, given.work, held, **espeak) for held in speech.HELD}
    say(len(said), "passages,", round(len(audio) / 16000 / 3600, 1), "hours, longest", max(length for _, length, _ in said) / 16000)
    names = model.names(given.init) if given.init else pieces.learn([text_of(words) for _, _, words in said], given.merges)
    encoder = pieces.Encoder(names)
    torch.manual_seed(given.seed)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    network = Network(model.shapes_of(len(names) - 1), given.seed).cuda()
    if given.init:
        network.adopt(model.trained(given.init))
    filters = mel_filters(network.shape.mels, "cuda")
    examples = Examples(said, audio, encoder, "cuda")
    tests = {name: Examples(*one, encoder, "cuda") for name, one in held.items()}
    say(len(names), "tokens,", sum(value.numel() for value in network.parameters()), "weights,", examples.counts.max(), "tokens at most")
    smooth = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), given.rate, betas=(0.9, 0.98), weight_decay=1e-3)
    rng = np.random.default_rng(given.seed)
    step, seen, started, shown, tested, queue, sums = 0, 0, time.time(), time.time(), time.time(), [], []
    while (done := (time.time() - started) / given.seconds) < 1:
        queue = queue or examples.batches(rng)
        for group in optimiser.param_groups:
            group["lr"] = given.rate * min(1, (step + 1) / 300) * (0.5 + 0.5 * np.cos(np.pi * done))
        which = queue.pop()
        seen += len(which)
        parts = losses(network, examples, which, filters, rng)
        (parts[0] + 0.5 * parts[1] + 0.5 * parts[2]).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        step += 1
        with torch.no_grad():
            decay = min(0.998, step / (step + 20))
            torch._foreach_lerp_(list(smooth.parameters()), list(network.parameters()), 1 - decay)
        sums.append(torch.stack([part.detach() for part in parts]))
        if time.time() - shown > 10:
            say("step", step, "seen", seen, "losses", [round(x, 3) for x in torch.stack(sums).mean(0).tolist()])
            shown, sums = time.time(), []
        if time.time() - tested > 60:
            say("words right by CTC:", {name: round(heard_by_ctc(smooth, one, names, filters), 4) for name, one in tests.items()})
            tested = time.time()
    say("words right by CTC:", {name: round(heard_by_ctc(smooth, one, names, filters), 4) for name, one in tests.items()}, step, "steps")
    model.save(given.out, smooth.trained(), names, {"steps": step, "passages": len(said), "seconds": given.seconds, "seed": given.seed})
    say("memory", round(torch.cuda.max_memory_allocated() / 2**30, 1), "GiB")


if __name__ == "__main__":
    main()
