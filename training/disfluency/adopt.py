"""Reads the checkpoint of the first prototype, which has other names, a single output and no signals."""
import numpy as np

from .labels import KINDS
from .signals import SIGNALS

NAMES = {
    "emb.": "embedding.", "enc.pr.": "project.", "enc.pos.": "position.", "enc.lns.": "norm_in.", "enc.ln.": "norm_out.",
    ".ln1.": ".norm1.", ".ln2.": ".norm2.", ".o.": ".out.", ".f1.": ".up.", ".f2.": ".down.", "enc.ls.": "layers.",
}


def adopt(weights, seed=1):
    rng = np.random.default_rng(seed)
    out = {}
    for name, value in weights.items():
        if name.startswith("pc."):
            continue
        for old, new in NAMES.items():
            name = name.replace(old, new)
        out[name] = value
    out["signal.weight"] = np.zeros((SIGNALS, out["embedding.weight"].shape[1]), np.float32)
    # The single score for "delete" becomes one score per kind; the score for "keep" stays zero.
    kinds = len(KINDS) - 1
    weight, bias = out["head.weight"], out["head.bias"]
    noise = rng.normal(0, 0.01, (kinds, weight.shape[1])).astype(np.float32)
    out["head.weight"] = np.concatenate([np.zeros_like(weight), np.repeat(weight, kinds, 0) + noise])
    out["head.bias"] = np.concatenate([np.zeros(1), np.repeat(bias, kinds) - np.log(kinds)]).astype(np.float32)
    return out
