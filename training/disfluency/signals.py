"""The pause before a word and the confidence of the word, as one small number per word.

No available transcript has times, so training draws random ones: pauses are likely where a speaker breaks off and
rare elsewhere. Half of the examples have no signals at all, like text without times."""
from .labels import IGNORE, KEEP

# Pause: 0 unknown, 1 none, 2 short, 3 long. Confidence: 0 unknown, 1 low, 2 fair, 3 high.
# Signal = pause * 4 + confidence.
SIGNALS = 16
SHORT_PAUSE_MS, LONG_PAUSE_MS = 180, 600
LOW_CONFIDENCE, HIGH_CONFIDENCE = 0.5, 0.85


def pause_of(ms):
    if ms is None:
        return 0
    return 1 if ms < SHORT_PAUSE_MS else 2 if ms < LONG_PAUSE_MS else 3


def confidence_of(value):
    if value is None:
        return 0
    return 1 if value < LOW_CONFIDENCE else 2 if value < HIGH_CONFIDENCE else 3


def draw_signals(words, kinds, rng):
    if rng.random() < 0.5:
        return [0] * len(words)
    with_pauses, with_confidence = rng.random() < 0.8, rng.random() < 0.5
    out = []
    for i, kind in enumerate(kinds):
        pause = confidence = 0
        if with_pauses and i > 0:
            before = kinds[i - 1]
            broken = before not in (KEEP, IGNORE) and kind != before
            short, long = (0.42, 0.2) if broken else (0.35, 0.2) if words[i - 1][-1:] in ".?!," else (0.05, 0.02)
            roll = rng.random()
            pause = 3 if roll < long else 2 if roll < long + short else 1
        if with_confidence:
            low, fair = (0.2, 0.35) if kind not in (KEEP, IGNORE) else (0.04, 0.2)
            roll = rng.random()
            confidence = 1 if roll < low else 2 if roll < low + fair else 3
        out.append(pause * 4 + confidence)
    return out
