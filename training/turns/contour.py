"""Pitch and loudness of the last second before a pause: 50 steps of 20 ms, three values each.

1. pitch: octaves above 100 Hz, or zero without voice (60 to 400 Hz, by correlation within 40 ms)
2. voicing: the correlation found, 0 to 1
3. loudness: dB over the quietest audible level, in units of 20 dB, not below zero
The audio has 8 000 samples per second. For 16 000, average each pair."""
import numpy as np

RATE = 8000
FRAME = 320
HOP = 160
STEPS = 50
SHORTEST_LAG, LONGEST_LAG = 20, 133
BASE = FRAME - LONGEST_LAG
TRANSFORM = 512
VOICED = 0.5
NEARLY_BEST = 0.9
FLOOR_DB = -60.0
LENGTH = (STEPS - 1) * HOP + FRAME
"""The number of samples that the contour covers."""


def frames_of(samples):
    """(..., LENGTH) to (..., STEPS, FRAME)."""
    return np.lib.stride_tricks.sliding_window_view(samples, FRAME, -1)[..., ::HOP, :]


def correlations(frames):
    """(N, FRAME) to (N, lags): the correlation between the start of the frame and the part `lag` samples later."""
    frames = frames - frames.mean(-1, keepdims=True)
    spectrum = np.conj(np.fft.rfft(frames[:, :BASE], TRANSFORM)) * np.fft.rfft(frames, TRANSFORM)
    products = np.fft.irfft(spectrum, TRANSFORM)[:, SHORTEST_LAG : LONGEST_LAG + 1]
    squares = np.concatenate([np.zeros((len(frames), 1), frames.dtype), np.cumsum(frames**2, 1)], 1)
    energies = squares[:, BASE + SHORTEST_LAG :] - squares[:, SHORTEST_LAG : FRAME - BASE + 1]
    return products / np.sqrt(np.maximum(energies * squares[:, BASE : BASE + 1], 1e-12))


def pitch(frames):
    """(octaves above 100 Hz or 0, voicing) per frame."""
    alike = correlations(frames)
    best = alike.max(1)
    # The shortest lag that is nearly as good as the best one, because longer ones are multiples of it.
    chosen = (alike >= NEARLY_BEST * best[:, None]).argmax(1)
    # Climbs from there to the top of the peak.
    for _ in range(6):
        right = np.minimum(chosen + 1, alike.shape[1] - 1)
        rows = np.arange(len(alike))
        chosen = np.where(alike[rows, right] > alike[rows, chosen], right, chosen)
    octaves = np.log2(RATE / (chosen + SHORTEST_LAG) / 100)
    voicing = np.clip(best, 0, 1)
    return np.where(voicing >= VOICED, octaves, 0).astype(np.float32), voicing.astype(np.float32)


def contour(samples):
    """(N, LENGTH) samples between -1 and 1 to (N, 3, STEPS)."""
    frames = frames_of(np.asarray(samples, np.float32))
    flat = frames.reshape(-1, FRAME)
    octaves, voicing = pitch(flat)
    loudness = np.maximum(10 * np.log10((flat**2).mean(1) + 1e-10) - FLOOR_DB, 0) / 20
    shape = frames.shape[:-1]
    return np.stack([part.reshape(shape) for part in (octaves, voicing, loudness)], 1).astype(np.float32)
