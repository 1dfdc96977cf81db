"""Kaldi's filter banks and ResNet speaker embeddings in numpy, written independently of the server and the export."""
import numpy as np

RATE, WINDOW, HOP, POINTS, MELS = 16000, 400, 160, 512, 80


def mel(hertz):
    return 1127 * np.log1p(np.asarray(hertz, np.float64) / 700)


def mel_matrix():
    edges = np.linspace(mel(20), mel(RATE / 2), MELS + 2)
    bins = mel(np.arange(POINTS // 2) * RATE / POINTS)[None]
    rising = (bins - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - bins) / np.diff(edges)[1:, None]
    return np.clip(np.minimum(rising, falling), 0, None)


def window(name):
    return np.hamming(WINDOW) if name == "hamming" else np.hanning(WINDOW) ** 0.85


def fbank(samples, shape, scale):
    """[frames, mels], without dither and without mean subtraction."""
    count = 1 + (len(samples) - WINDOW) // HOP
    rows = np.stack([samples[HOP * t : HOP * t + WINDOW] for t in range(count)]).astype(np.float64) * scale
    rows -= rows.mean(1, keepdims=True)
    rows -= 0.97 * np.concatenate([rows[:, :1], rows[:, :-1]], 1)
    power = np.abs(np.fft.rfft(rows * window(shape), POINTS)[:, : POINTS // 2]) ** 2
    return np.log(np.maximum(power @ mel_matrix().T, np.finfo(np.float32).eps))


def conv(x, kernel, bias, stride):
    """Convolves [channels, height, width], padded so that stride 1 keeps the size."""
    reach = kernel.shape[2] // 2
    padded = np.pad(x, ((0, 0), (reach, reach), (reach, reach)))
    views = np.lib.stride_tricks.sliding_window_view(padded, kernel.shape[2:], (1, 2))[:, ::stride, ::stride]
    return np.einsum("chwij,ocij->ohw", views, kernel, optimize=True) + bias[:, None, None]


def embed(weights, blocks, rows):
    """The embedding of [frames, mels], after subtracting the mean."""
    x = (rows - rows.mean(0)).T[None]
    x = np.maximum(conv(x, weights["first"], weights["first.bias"], 1), 0)
    for name, stride in blocks:
        inner = np.maximum(conv(x, weights[name + ".1"], weights[name + ".1.bias"], stride), 0)
        inner = conv(inner, weights[name + ".2"], weights[name + ".2.bias"], 1)
        if name + ".skip" in weights:
            x = conv(x, weights[name + ".skip"], weights[name + ".skip.bias"], stride)
        x = np.maximum(x + inner, 0)
    x = x.reshape(-1, x.shape[-1])
    statistics = np.concatenate([x.mean(1), np.sqrt(x.var(1, ddof=1) + 1e-7)])
    return statistics @ weights["out"] + weights["out.bias"]
