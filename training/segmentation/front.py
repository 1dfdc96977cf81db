"""The fixed front end of the student: filters that a convolution applies to the waveform."""
import numpy as np

from .frames import FIRST, FRAMES, RATE, STEP

MEL_WINDOW = 400
MEL_BINS = 200
MELS = 64
MEL_RANGE = (60.0, 7800.0)
# Long windows resolve the harmonics of a voice, so that two voices differ by their pitch.
TONE_WINDOW = 990
TONES = 96
TONE_RANGE = (90.0, 1600.0)
TONE_STEP = 2 * STEP
TONE_FRAMES = (FRAMES + 1) // 2
FLOOR = 1e-5


def waves(frequencies, length):
    """Cosines, then sines under a Hann window, scaled so that white noise of variance 1 gives power 1."""
    window = 0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(length) + 0.5) / length)
    angle = 2 * np.pi * np.outer(frequencies, np.arange(length) - (length - 1) / 2) / RATE
    scale = 1 / np.sqrt((window**2).sum())
    return (np.concatenate([np.cos(angle), np.sin(angle)]) * window * scale)[:, None, :].astype(np.float32)


def mel_filters():
    """MEL_BINS × MELS, each band with weights that sum to 1."""
    mel = lambda hertz: 2595 * np.log10(1 + np.asarray(hertz) / 700)
    centres = np.linspace(*mel(MEL_RANGE), MELS + 2)
    bins = mel(np.arange(1, MEL_BINS + 1) * RATE / MEL_WINDOW)[:, None]
    rising = (bins - centres[:-2]) / (centres[1:-1] - centres[:-2])
    falling = (centres[2:] - bins) / (centres[2:] - centres[1:-1])
    weights = np.maximum(0, np.minimum(rising, falling))
    # A band narrower than the distance of two bins takes the nearest one.
    empty = np.nonzero(weights.sum(0) == 0)[0]
    weights[np.abs(bins - centres[1:-1][empty]).argmin(0), empty] = 1
    return (weights / weights.sum(0)).astype(np.float32)


def mel_waves():
    return waves(np.arange(1, MEL_BINS + 1) * RATE / MEL_WINDOW, MEL_WINDOW)


def tone_waves():
    return waves(np.geomspace(*TONE_RANGE, TONES), TONE_WINDOW)


MEL_SPAN = (FIRST - MEL_WINDOW // 2, FIRST - MEL_WINDOW // 2 + (FRAMES - 1) * STEP + MEL_WINDOW)
TONE_SPAN = (FIRST - TONE_WINDOW // 2, FIRST - TONE_WINDOW // 2 + (TONE_FRAMES - 1) * TONE_STEP + TONE_WINDOW)
"""The samples that the two convolutions look at."""
