"""Command: trains the student on invented scenes, on one GPU, for a given time. Needs PyTorch.

python3 -m segmentation.train --pack speech --teacher segmentation.f32.onnx --out DIR --seconds 500
It learns from the activity of each clean channel and from the teacher's probabilities on the same sound."""
import argparse
import json
import multiprocessing
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from .network import Student
from .pool import load
from .powerset import INVALID, MEMBERS, SWAPPED
from .render import Renderer
from .scenes import Voices, batch
from .teacher import Teacher

STARTED = time.time()
AVERAGED = 0.999


def log(*parts):
    print(f"[{time.time() - STARTED:6.1f}]", *parts, flush=True)


def produce(queue, clips, size, seed):
    rng, voices = np.random.default_rng(seed), Voices(clips)
    while True:
        queue.put(batch(rng, voices, size))


def swap_table(device):
    """6 × 7: which class of the original fills each class after a swap."""
    return torch.from_numpy(np.argsort(SWAPPED, 1)).to(device)


def best_swap(scores, targets, weights, table):
    """Orders the speakers of `targets` (N, frames, 7) as they fit the log probabilities `scores` best."""
    swapped = targets[:, None, :, :].expand(-1, len(table), -1, -1).gather(
        3, table[None, :, None, :].expand(len(targets), -1, targets.shape[1], -1),
    )
    losses = -(swapped * scores[:, None]).sum(-1)
    losses = (losses * weights[:, None]).sum(-1) / weights.sum(-1, keepdim=True).clamp(min=1)
    loss, order = losses.min(1)
    return loss, swapped[torch.arange(len(order), device=order.device), order]


def targets_of(classes, taught, table, share):
    """Mixes what is true with what the teacher says, after its speakers have been put in the true order."""
    valid = (classes != INVALID).float()
    true = F.one_hot(classes.clamp(min=0), MEMBERS.shape[0]).float()
    if share == 0:
        return true, valid
    _, aligned = best_swap(torch.log(true * 0.98 + 0.02 / 7), taught, valid, table)
    return (1 - share) * true + share * aligned, valid


def errors(scores, classes, table, members):
    """Missed, false and confused speaker frames and all true ones, speakers in the best order."""
    valid = classes != INVALID
    _, true = best_swap(scores, F.one_hot(classes.clamp(min=0), 7).float(), valid.float(), table)
    guess = members[scores.argmax(-1)]
    real = true @ members
    heard, said = real.sum(-1), guess.sum(-1)
    right = (guess * real).sum(-1)
    parts = ((heard - said).clamp(min=0), (said - heard).clamp(min=0), torch.minimum(heard, said) - right, heard)
    return torch.stack([(part * valid).sum() for part in parts]).cpu().numpy()


def show(name, sums):
    log(f"{name:12} error {100 * sums[:3].sum() / sums[3]:.2f} % = missed {100 * sums[0] / sums[3]:.2f} + false {100 * sums[1] / sums[3]:.2f} + confused {100 * sums[2] / sums[3]:.2f}")


def split(clips, held):
    training = [clip for clip in clips if clip["speaker"] not in held]
    return training, [clip for clip in clips if clip["speaker"] in held]


def save(path, weights):
    np.savez(path, **{name: value.float().cpu().numpy().astype(np.float32) for name, value in weights.items()})


class Check:
    """Scenes of speakers that the training never hears, the same ones each time."""

    def __init__(self, renderer, clips, teacher, table, members, count, size):
        rng, voices = np.random.default_rng(99), Voices(clips)
        self.table, self.members, self.parts = table, members, []
        sums = np.zeros(4)
        for _ in range(count):
            sound, classes = renderer.scenes(batch(rng, voices, size))
            self.parts.append((sound.half(), classes))
            with torch.no_grad():
                sums += errors(teacher(sound), classes, table, members)
        show("teacher", sums)

    def run(self, name, model):
        model.eval()
        sums = np.zeros(4)
        with torch.no_grad():
            for sound, classes in self.parts:
                sums += errors(model(sound.float()), classes, self.table, self.members)
        show(name, sums)
        model.train()


def train(options):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    halved = torch.float16 if device == "cuda" else torch.bfloat16
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    samples, active, clips = load(options.pack, options.workers)
    training, held = split(clips, set(options.held.split(",")))
    log("pool", round(len(samples) / 16000), "s, speech", round(active.mean(), 3), "speakers", len({c["speaker"] for c in training}), "held", len({c["speaker"] for c in held}))
    renderer = Renderer(samples, active, device)
    teacher = Teacher(options.teacher).eval().to(device)
    table, members = swap_table(device), torch.from_numpy(MEMBERS).to(device)
    context = multiprocessing.get_context("fork")
    queue = context.Queue(options.workers * 2)
    makers = [context.Process(target=produce, args=(queue, training, options.batch, options.seed * 1000 + n), daemon=True) for n in range(options.workers)]
    for maker in makers:
        maker.start()
    check = Check(renderer, held, teacher, table, members, options.checks, options.batch)
    model = Student(options.width, options.blocks, options.dropout).to(device)
    if options.init:
        with np.load(options.init) as file:
            model.load_state_dict({name: torch.from_numpy(file[name]) for name in file})
    averaged = Student(options.width, options.blocks).to(device)
    averaged.load_state_dict(model.state_dict())
    log(device, "parameters", sum(p.numel() for p in model.parameters()))
    optimiser = torch.optim.AdamW(model.parameters(), lr=options.rate, betas=(0.9, 0.98), weight_decay=0.02)
    os.makedirs(options.out, exist_ok=True)
    started, checked, step, recent = time.time(), time.time(), 0, []
    while True:
        done = (time.time() - started) / options.seconds if options.seconds else step / options.steps
        if done >= 1:
            break
        with torch.no_grad():
            sound, classes = renderer.scenes(queue.get())
            with torch.autocast(device, halved, enabled=device == "cuda"):
                taught = teacher(sound).exp() if options.taught else None
            targets, valid = targets_of(classes, taught, table, options.taught)
            mels, tones = model.front(sound)
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / options.warm) * max(0.003, 0.5 + 0.5 * np.cos(np.pi * done))
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            scores = model.scores(mels, tones)
        loss = best_swap(torch.log_softmax(scores.float(), -1), targets, valid, table)[0].mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        keep = min(AVERAGED, (step + 1) / (step + 10))
        with torch.no_grad():
            for old, new in zip(averaged.parameters(), model.parameters()):
                old.lerp_(new, 1 - keep)
        step += 1
        if step % 100 == 0 or options.steps and not options.seconds:
            recent.append(loss.item())
            if time.time() - checked > options.report:
                checked = time.time()
                log("step", step, "loss", round(float(np.mean(recent[-20:])), 4))
                check.run("student", averaged)
                save(os.path.join(options.out, options.name + ".npz"), averaged.state_dict())
    log("steps", step, "scenes", step * options.batch)
    check.run("student", averaged)
    save(os.path.join(options.out, options.name + ".npz"), averaged.state_dict())
    with open(os.path.join(options.out, options.name + ".json"), "w", encoding="utf8") as file:
        json.dump({**vars(options), "steps_done": step, "loss": recent}, file)
    for maker in makers:
        maker.terminate()


def parser():
    out = argparse.ArgumentParser(description=__doc__)
    for name in ("--pack", "--teacher", "--out"):
        out.add_argument(name, required=True)
    out.add_argument("--held", default="", help="speakers kept for checks, with commas between")
    out.add_argument("--init", default="")
    out.add_argument("--name", default="student")
    out.add_argument("--width", type=int, default=144)
    out.add_argument("--blocks", type=int, default=4)
    out.add_argument("--batch", type=int, default=192)
    out.add_argument("--workers", type=int, default=14)
    out.add_argument("--checks", type=int, default=4)
    out.add_argument("--taught", type=float, default=0.4, help="share of the target that comes from the teacher")
    out.add_argument("--dropout", type=float, default=0.05)
    out.add_argument("--seconds", type=float, default=0)
    out.add_argument("--steps", type=int, default=0)
    out.add_argument("--rate", type=float, default=1.5e-3)
    out.add_argument("--warm", type=int, default=500)
    out.add_argument("--report", type=float, default=40)
    out.add_argument("--seed", type=int, default=1)
    return out


if __name__ == "__main__":
    train(parser().parse_args())
