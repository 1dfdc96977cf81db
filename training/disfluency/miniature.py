"""Command: training in miniature, with numpy alone. The encoder stays random and only the head learns.

It runs all steps of the real training (sources, synthesis, labels, pieces, export) in seconds, and shows that the
loss decreases. python3 -m disfluency.miniature --data DIR --vocabulary vocab.json --out DIR"""
import argparse
import json
import os
import random

import numpy as np

from .export import build
from .forward import encode, softmax
from .labels import IGNORE, KINDS
from .prepare import Examples
from .signals import SIGNALS
from .wordpiece import WordPiece

WIDTH, LAYERS, EMBEDDING, HIDDEN, POSITIONS, HEADS = 64, 2, 32, 128, 128, 1


def random_weights(vocabulary, seed=1):
    rng = np.random.default_rng(seed)
    draw = lambda *shape: rng.normal(0, 0.3 / np.sqrt(shape[-1]), shape).astype(np.float32)
    weights = {
        "embedding.weight": draw(vocabulary, EMBEDDING) * 10, "signal.weight": draw(SIGNALS, EMBEDDING),
        "project.weight": draw(WIDTH, EMBEDDING) * 3, "position.weight": draw(POSITIONS, WIDTH) * 3,
        "head.weight": np.zeros((len(KINDS), WIDTH), np.float32),
    }
    for index in range(LAYERS):
        name = f"layers.{index}."
        weights |= {
            name + "qkv.weight": draw(3 * WIDTH, WIDTH) * 5, name + "out.weight": draw(WIDTH, WIDTH) * 3,
            name + "up.weight": draw(HIDDEN, WIDTH) * 3, name + "down.weight": draw(WIDTH, HIDDEN) * 3,
            name + "norm1.weight": np.ones(WIDTH, np.float32), name + "norm2.weight": np.ones(WIDTH, np.float32),
        }
    weights |= {name: np.ones(WIDTH, np.float32) for name in ("norm_in.weight", "norm_out.weight")}
    weights |= {
        name[:-6] + "bias": np.zeros(len(value) if value.ndim == 2 else WIDTH, np.float32)
        for name, value in list(weights.items()) if name.split(".")[0] not in ("embedding", "signal", "position")
    }
    return weights


def batch_of(pools, rng, size):
    rows = [(ids, labels, signals) for columns in pools.rows.values() for ids, labels, signals in zip(*columns)]
    chosen = rng.sample(rows, min(size, len(rows)))
    length = max(len(row[0]) for row in chosen)
    out = [np.full((len(chosen), length), fill, np.int64) for fill in (0, IGNORE, 0)]
    for number, row in enumerate(chosen):
        for column, values in zip(out, row):
            column[number, :len(values)] = values
    return out


def step(weights, batch, rate):
    """One step of gradient descent on the head. Returns the loss before the step."""
    ids, labels, signals = batch
    states = encode(weights, ids, signals, HEADS)[labels != IGNORE]
    wanted = labels[labels != IGNORE]
    odds = softmax(states @ weights["head.weight"].T + weights["head.bias"])
    loss = -np.log(odds[np.arange(len(wanted)), wanted] + 1e-9).mean()
    slope = odds.copy()
    slope[np.arange(len(wanted)), wanted] -= 1
    slope /= len(wanted)
    weights["head.weight"] -= rate * slope.T @ states
    weights["head.bias"] -= rate * slope.sum(0)
    return float(loss)


def train(data, vocabulary, out, steps=60, rounds=400, seed=1):
    rng = random.Random(seed)
    pieces = WordPiece.load(vocabulary)
    examples = Examples(data, pieces, rng)
    for _ in range(rounds):
        examples.step()
    weights = random_weights(len(pieces.vocabulary), seed)
    losses = [step(weights, batch_of(examples.pools, rng, 32), 0.5) for _ in range(steps)]
    os.makedirs(out, exist_ok=True)
    np.savez(os.path.join(out, "miniature-0.npz"), **weights)
    build(weights).save(os.path.join(out, "miniature.int8.onnx"))
    return losses


def main():
    out = argparse.ArgumentParser(description=__doc__)
    for name in ("--data", "--vocabulary", "--out"):
        out.add_argument(name, required=True)
    options = out.parse_args()
    losses = train(options.data, options.vocabulary, options.out)
    print(json.dumps({"first": losses[0], "last": sum(losses[-5:]) / 5}))


if __name__ == "__main__":
    main()
