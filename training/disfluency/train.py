"""Command: trains the tagger on prepared examples, on one GPU, for a given time. Needs PyTorch.

python3 -m disfluency.train --data DIR --examples DIR --vocabulary vocab.json --init 'checkpoint-*.npz' --out DIR --seconds 400
With --teacher the network also learns from the probabilities of one or more larger networks."""
import argparse
import glob
import json
import os
import random
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from .adopt import adopt
from .evaluate import Development, show, word_probabilities
from .forward import layer_count, load_weights
from .from_onnx import read_onnx
from .labels import IGNORE
from .network import Shape, Tagger, load_into, narrow, pick_layers, save_parts
from .prepare import POOLS
from .wordpiece import MASK, WordPiece

BUCKETS = (24, 40, 64, 112)
# Shares of the pools at the start and at the end, interpolated linearly.
# There are few real examples, which the network would memorise if they had a larger share.
MIX_FIRST = {"synthetic": 0.50, "distracted": 0.20, "clean": 0.24, "questions": 0.02, "meetings": 0.04}
MIX_LAST = {"synthetic": 0.34, "distracted": 0.18, "clean": 0.28, "questions": 0.12, "meetings": 0.08}
MASKED = 0.04
SAVE_SECONDS = 100
STARTED = time.time()


def log(*parts):
    print(f"[{time.time() - STARTED:6.1f}]", *parts, flush=True)


def buckets_of(paths, device):
    """For each pool, a list of (ids, labels, signals), each padded to one length."""
    gathered = {}
    for path in paths:
        with np.load(path) as file:
            for pool in POOLS:
                if pool + "_lengths" not in file:
                    continue
                lengths = file[pool + "_lengths"]
                starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
                columns = [file[f"{pool}_{name}"] for name in ("ids", "labels", "signals")]
                shortest = 0
                for longest in BUCKETS:
                    rows = np.nonzero((lengths > shortest) & (lengths <= longest))[0]
                    shortest = longest
                    if len(rows) == 0:
                        continue
                    place = starts[rows][:, None] + np.arange(longest)[None, :]
                    inside = np.arange(longest)[None, :] < lengths[rows][:, None]
                    place = np.where(inside, place, 0)
                    ids, labels, signals = (column[place] for column in columns)
                    gathered.setdefault(pool, {}).setdefault(longest, []).append((
                        np.where(inside, ids, 0).astype(np.int16),
                        np.where(inside, labels, IGNORE).astype(np.int8),
                        np.where(inside, signals, 0).astype(np.uint8),
                    ))
    out = {}
    for pool, by_length in gathered.items():
        out[pool] = [
            tuple(torch.from_numpy(np.concatenate(parts)).to(device) for parts in zip(*by_length[length]))
            for length in sorted(by_length)
        ]
    return out


def fit(model, pools, options, device, teachers=()):
    rng = random.Random(options.seed)
    first, last = ({**mix, **json.loads(given)} for mix, given in ((MIX_FIRST, options.mix_first), (MIX_LAST, options.mix_last)))
    optimiser = torch.optim.AdamW(model.parameters(), lr=options.rate, betas=(0.9, 0.98), weight_decay=0.01, fused=device == "cuda")

    def loss_of(ids, labels, signals):
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            scores = model(ids, signals).float()
            with torch.no_grad():
                taught = [torch.softmax(teacher(ids, signals).float(), -1) for teacher in teachers]
        valid = labels != IGNORE
        loss = F.cross_entropy(scores.flatten(0, 1), labels.long().flatten(), ignore_index=IGNORE)
        if taught:
            # Cross-entropy with the mean of the teachers. Where they are uncertain, the pupil does not memorise labels.
            apart = -(torch.stack(taught).mean(0) * F.log_softmax(scores, -1)).sum(-1)
            loss = (1 - options.taught) * loss + options.taught * (apart * valid).sum() / valid.sum().clamp(min=1)
        return loss

    if options.compile:
        # Compiled layer by layer: layers share the compiled code, so it takes seconds instead of minutes.
        for network in (model, *teachers):
            for layer in network.layers:
                layer.compile(dynamic=False)
    model.train()
    names = [name for name in POOLS if name in pools]
    recent, step, started = {}, 0, time.time()
    saved = started
    while True:
        done = (time.time() - started) / options.seconds if options.seconds else step / options.steps
        if done >= 1:
            break
        shares = [first[name] * (1 - done) + last[name] * done for name in names]
        pool = rng.choices(names, shares)[0]
        tables = pools[pool]
        # Weighted by the number of pieces, so that long and short examples are all used.
        ids, labels, signals = rng.choices(tables, [table[0].numel() for table in tables])[0]
        chosen = torch.randint(0, len(ids), (max(1, options.pieces // ids.shape[1]),), device=device)
        batch = ids[chosen].long()
        hidden = (torch.rand(batch.shape, device=device) < MASKED) & (batch > MASK)
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / options.warm) * max(0.005, 1 - done)
        loss = loss_of(torch.where(hidden, MASK, batch), labels[chosen], signals[chosen].long())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        step += 1
        if step % 50 == 0:
            recent[pool] = round(loss.item(), 4)
        if step % options.report == 0:
            log("step", step, recent)
        if time.time() - saved > SAVE_SECONDS:
            save_parts(model, os.path.join(options.out, options.name))
            saved = time.time()
    log("steps", step)


def predictor(model, device):
    def predict(ids):
        with torch.no_grad(), torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            scores = model(torch.from_numpy(ids).to(device), torch.zeros(ids.shape, dtype=torch.long, device=device))
        return torch.softmax(scores.float(), -1).cpu().numpy()

    return predict


def evaluate(model, options, device):
    model.eval()
    show(Development(options.data).table(predictor(model, device), WordPiece.load(options.vocabulary)))


def weights_of(pattern):
    if pattern.endswith(".onnx"):
        return read_onnx(pattern)
    weights = load_weights(pattern)
    return adopt(weights) if "emb.weight" in weights else weights


def build(weights, dropout, device, order=None, hidden=0):
    weights = pick_layers(weights, order) if order else weights
    weights = narrow(weights, hidden) if hidden else weights
    vocabulary, embedding = weights["embedding.weight"].shape
    width = weights["project.weight"].shape[0]
    model = Tagger(Shape(vocabulary, layer_count(weights), width, width // 64, weights["layers.0.up.weight"].shape[0], embedding), dropout)
    load_into(model, weights)
    return model.to(device)


def train(options):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    order = json.loads(options.layers) if options.layers else None
    if options.init:
        model = build(weights_of(options.init), options.dropout, device, order, options.hidden)
    else:
        vocabulary = (len(WordPiece.load(options.vocabulary).vocabulary) + 7) // 8 * 8
        model = Tagger(Shape(vocabulary, **json.loads(options.shape)), options.dropout).to(device)
    teachers = [build(weights_of(pattern), 0.0, device).eval() for pattern in options.teacher.split(",") if pattern]
    log(device, "parameters", sum(p.numel() for p in model.parameters()))
    pools = buckets_of(sorted(glob.glob(os.path.join(options.examples, "shard*.npz"))), device)
    log({pool: sum(len(t[0]) for t in tables) for pool, tables in pools.items()})
    os.makedirs(options.out, exist_ok=True)
    fit(model, pools, options, device, teachers)
    save_parts(model, os.path.join(options.out, options.name))
    evaluate(model, options, device)


def parser():
    out = argparse.ArgumentParser(description=__doc__)
    for name in ("--data", "--examples", "--vocabulary", "--out"):
        out.add_argument(name, required=True)
    out.add_argument("--init", default="")
    out.add_argument("--teacher", default="", help="weights of one or more teachers, separated by commas")
    out.add_argument("--taught", type=float, default=0.8, help="the teachers' share of the loss")
    out.add_argument("--hidden", type=int, default=0, help="how many hidden units of each layer of --init to keep")
    out.add_argument("--mix-first", default="{}", help="shares of pools to change at the start, as JSON")
    out.add_argument("--mix-last", default="{}", help="shares of pools to change at the end, as JSON")
    out.add_argument("--layers", default="", help="the layers of --init to use, in order, as JSON")
    out.add_argument("--shape", default="{}", help="shape without --init, as JSON")
    out.add_argument("--name", default="tagger")
    out.add_argument("--seconds", type=float, default=0)
    out.add_argument("--steps", type=int, default=100)
    out.add_argument("--rate", type=float, default=4e-4)
    out.add_argument("--warm", type=int, default=300)
    out.add_argument("--dropout", type=float, default=0.1)
    out.add_argument("--pieces", type=int, default=40_960, help="pieces per batch")
    out.add_argument("--report", type=int, default=1000)
    out.add_argument("--seed", type=int, default=1)
    out.add_argument("--compile", type=int, default=1)
    return out


if __name__ == "__main__":
    train(parser().parse_args())
