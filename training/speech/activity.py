"""Energy-based voice activity of one clean channel, in steps of 10 ms."""
import numpy as np

STEP = 0.01
SPAN_DB = 35.0
OVER_FLOOR_DB = 10.0
LEAST_UNDER_TOP_DB = 15.0


def levels(samples, rate):
    """Energy in dB per step, smoothed over three steps."""
    hop = int(rate * STEP)
    count = len(samples) // hop
    power = (samples[: count * hop].astype(np.float32).reshape(count, hop) ** 2).mean(1)
    if count >= 3:
        power = np.convolve(power, np.ones(3, np.float32) / 3, "same")
    return 10 * np.log10(power + 1e-10)


def runs(active):
    """The (start, end) of each run of true values."""
    edges = np.diff(np.concatenate([[0], active.astype(np.int8), [0]]))
    return np.stack([np.nonzero(edges == 1)[0], np.nonzero(edges == -1)[0]], 1)


def bridged(active, gap, least):
    """Closes gaps shorter than `gap` seconds, then drops runs shorter than `least` seconds."""
    out = active.copy()
    for start, end in runs(~active):
        if start > 0 and end < len(active) and (end - start) * STEP < gap:
            out[start:end] = True
    for start, end in runs(out):
        if (end - start) * STEP < least:
            out[start:end] = False
    return out


def active(samples, rate, gap=0.3, least=0.08):
    """True where someone speaks. `samples` are between -1 and 1."""
    level = levels(samples, rate)
    if len(level) < 5:
        return np.zeros(len(level), bool)
    top, floor = np.percentile(level, 97), np.percentile(level, 5)
    threshold = max(top - SPAN_DB, min(floor + OVER_FLOOR_DB, top - LEAST_UNDER_TOP_DB))
    on = level > threshold
    for start, end in runs(on):
        if end - start < 3:
            on[start:end] = False
    return bridged(on, gap, least)
