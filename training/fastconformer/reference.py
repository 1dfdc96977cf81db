"""FastConformer in numpy: features, encoder and greedy decoding, written independently of the server and the export."""
import numpy as np

from .quantise import Activations, weight_bytes
from .shapes import positions


def hertz(mel):
    return np.where(mel < 15, mel * 200 / 3, 1000 * np.exp((mel - 15) * np.log(6.4) / 27))


def mel_matrix(mels, points=512, rate=16000):
    top = 15 + np.log(rate / 2 / 1000) * 27 / np.log(6.4)
    corners = hertz(np.linspace(0, top, mels + 2))
    bins = np.linspace(0, rate / 2, points // 2 + 1)
    rising = (bins[None] - corners[:-2, None]) / (corners[1:-1] - corners[:-2])[:, None]
    falling = (corners[2:, None] - bins[None]) / (corners[2:] - corners[1:-1])[:, None]
    return np.maximum(0, np.minimum(rising, falling)) * (2 / (corners[2:] - corners[:-2]))[:, None]


def features(samples, mels):
    emphasised = np.concatenate([samples[:1], samples[1:] - 0.97 * samples[:-1]]).astype(np.float64)
    padded = np.pad(emphasised, 256)
    frames = len(samples) // 160
    window = np.pad(np.hanning(400), 56)
    power = np.stack([np.abs(np.fft.rfft(padded[160 * t : 160 * t + 512] * window)) ** 2 for t in range(frames)], 1)
    logs = np.log(mel_matrix(mels) @ power + 2.0**-24)
    centred = logs - logs.mean(1, keepdims=True)
    return (centred / (np.sqrt((centred**2).sum(1, keepdims=True) / (frames - 1)) + 1e-5)).astype(np.float32)


sigmoid = lambda x: 1 / (1 + np.exp(-x))
swish = lambda x: x * sigmoid(x)


class Network:
    def __init__(self, shape, weights):
        self.shape, self.weights = shape, weights
        self.activations = Activations()

    def product(self, x, name, is_exact=False):
        """x @ weights, in bytes if the export uses bytes."""
        weight = self.weights[name].astype(np.float32)
        if self.shape.quantised is None:
            return x.astype(np.float64) @ weight
        table, scale, zero = weight_bytes(weight, self.shape.quantised)
        given, step = self.activations.bytes(x, is_exact)
        return (given @ (table.astype(np.int64) - int(zero))).astype(np.float64) * (np.float64(step) * scale)

    def linear(self, x, name):
        return self.product(x, name) + self.weights[name + ".bias"]

    def kernel(self, x, name, is_exact=False):
        """The values to convolve, the kernel, and their common factor."""
        weight = self.weights[name]
        if self.shape.quantised is None:
            return x.astype(np.float64), weight.astype(np.float64), 1.0
        table, scale, zero = weight_bytes(weight, self.shape.quantised)
        given, step = self.activations.bytes(x, is_exact)
        return given, table.astype(np.int64) - int(zero), np.float64(step) * scale

    def norm(self, x, name):
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * self.weights[name] + self.weights[name + ".bias"]

    def plane(self, x, name, stride, depthwise):
        """A 2-D convolution of [channels, time, mels]: 3 × 3 with padding, or 1 × 1."""
        # The features come from the server, so they are exact.
        values, kernel, factor = self.kernel(x, name, name == "pre.0")
        reach = kernel.shape[2] // 2
        values = np.pad(values, ((0, 0), (reach, reach), (reach, reach)))
        views = np.lib.stride_tricks.sliding_window_view(values, kernel.shape[2:], (1, 2))[:, ::stride, ::stride]
        spec = "ctmij,cij->ctm" if depthwise else "ctmij,ocij->otm"
        sums = np.einsum(spec, views, kernel[:, 0] if depthwise else kernel)
        return sums * factor + self.weights[name + ".bias"][:, None, None]

    def subsample(self, x):
        x = x.T[None]
        for nth in range(3):
            # For an even length, the frame of zeros after the end is padding.
            x = self.plane(x, f"pre.{nth}", 2, nth > 0)[:, : (x.shape[1] - 1) // 2 + 1]
            if nth:
                x = self.plane(x, f"pre.{nth}.point", 1, False)
            x = np.maximum(x, 0)
        return self.linear(x.transpose(1, 0, 2).reshape(x.shape[1], -1), "pre.out")

    def feed(self, x, name):
        return self.linear(swish(self.linear(self.norm(x, name + ".norm"), name + ".1")), name + ".2")

    def attend(self, x, name):
        heads, size = self.shape.heads, self.shape.width // self.shape.heads
        x = self.norm(x, name + ".norm")
        split = lambda y: y.reshape(len(y), heads, size)
        q, k, v = (split(self.linear(x, f"{name}.{part}")) for part in "qkv")
        p = split(self.product(positions(self.shape.width, len(x)), name + ".pos", True))
        mixed = np.zeros((len(x), heads, size))
        for head in range(heads):
            content = (q[:, head] + self.weights[name + ".u"][head]) @ k[:, head].T
            place = (q[:, head] + self.weights[name + ".w"][head]) @ p[:, head].T
            shifted = np.stack([place[i, len(x) - 1 - i : 2 * len(x) - 1 - i] for i in range(len(x))])
            scores = (content + shifted) / np.sqrt(size)
            chances = np.exp(scores - scores.max(1, keepdims=True))
            mixed[:, head] = chances / chances.sum(1, keepdims=True) @ v[:, head]
        return self.linear(mixed.reshape(len(x), -1), name + ".o")

    def line(self, x, name):
        """A 1 × 1 convolution of [time, channels]."""
        values, kernel, factor = self.kernel(x, name)
        return values @ kernel[:, :, 0].T * factor + self.weights[name + ".bias"]

    def convolve(self, x, name):
        x = self.line(self.norm(x, name + ".norm"), name + ".in")
        x = x[:, : self.shape.width] * sigmoid(x[:, self.shape.width :])
        values, kernel, factor = self.kernel(x, name + ".depth")
        values = np.pad(values, ((kernel.shape[2] // 2,) * 2, (0, 0)))
        views = np.lib.stride_tricks.sliding_window_view(values, kernel.shape[2], 0)
        x = np.einsum("tck,ck->tc", views, kernel[:, 0]) * factor + self.weights[name + ".depth.bias"]
        return self.line(swish(x), name + ".out")

    def encode(self, given):
        """[mels, frames] to one row per encoder frame: the encoder's output, or log-probabilities for CTC."""
        x = self.subsample(given)
        for layer in range(self.shape.layers):
            x = x + 0.5 * self.feed(x, f"{layer}.ff1")
            x = x + self.attend(x, f"{layer}.att")
            x = x + self.convolve(x, f"{layer}.conv")
            x = x + 0.5 * self.feed(x, f"{layer}.ff2")
            x = self.norm(x, f"{layer}.norm")
        return log_softmax(self.line(x, "head")) if self.shape.kind == "ctc" else x

    def encode_windows(self, given, keep, context):
        frames = given.shape[1]
        total = -(-frames // 8)
        rows, start = [], 0
        while start < total:
            end = total if total - start <= keep + context else start + keep
            first, last = max(0, start - context), min(total, end + context)
            found = self.encode(given[:, 8 * first : min(frames, 8 * last)])
            rows.append(found[start - first : end - first])
            start = end
        return np.concatenate(rows)

    def lstm(self, x, state, layer):
        hidden, cell = state
        bias = self.weights[f"lstm.{layer}.bias"]
        gates = self.product(x[None], f"lstm.{layer}.w")[0] + self.product(hidden[None], f"lstm.{layer}.r")[0]
        gates = gates + bias[: len(bias) // 2] + bias[len(bias) // 2 :]
        # The gates in ONNX order: input, output, forget, cell.
        i, o, f, c = np.split(gates, 4)
        cell = sigmoid(f) * cell + sigmoid(i) * np.tanh(c)
        return sigmoid(o) * np.tanh(cell), cell

    def step(self, row, token, states):
        table = self.weights["embed"]
        if self.shape.quantised:
            found, scale, zero = weight_bytes(table, self.shape.quantised)
            table = (found.astype(np.float32) - np.float32(zero)) * scale
        x, after = table[token].astype(np.float64), []
        for layer, state in enumerate(states):
            x, cell = self.lstm(x, state, layer)
            after.append((x, cell))
        mixed = np.maximum(self.linear(row[None], "joint.enc") + self.linear(x[None], "joint.pred"), 0)
        return self.linear(mixed, "joint.out")[0], after

    def decode(self, rows, per_frame=10):
        """(token, frame, duration, log-probability) of every token, and the smallest lead of a choice over the next."""
        blank, found, lead = self.shape.words, [], np.inf
        if self.shape.kind == "ctc":
            return collapse(rows, blank)
        last, states = blank, [(np.zeros(self.shape.hidden),) * 2] * self.shape.predictor_layers
        frame = emitted = 0
        while frame < len(rows):
            logits, after = self.step(rows[frame], last, states)
            words, skips = logits[: blank + 1], logits[blank + 1 :]
            token, skip = int(words.argmax()), int(skips.argmax()) if len(skips) else 0
            lead = min(lead, lead_of(words), lead_of(skips) if len(skips) else np.inf)
            if token != blank:
                found.append((token, frame, skip, log_softmax(words)[token]))
                last, states, emitted = token, after, emitted + 1
            if skip > 0:
                frame, emitted = frame + skip, 0
            elif token == blank or emitted == per_frame:
                frame, emitted = frame + 1, 0
        return found, lead


def lead_of(values):
    top = np.sort(values)[-2:]
    return top[1] - top[0]


def log_softmax(x):
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def collapse(rows, blank):
    best, found = rows.argmax(1), []
    for frame, token in enumerate(best):
        if token != blank and (frame == 0 or best[frame - 1] != token):
            after = np.flatnonzero(best[frame:] != token)
            length = int(after[0]) if len(after) else len(best) - frame
            found.append((int(token), frame, length, rows[frame, token]))
    return found, min(lead_of(row) for row in rows)
