"""Scores of end-of-turn detection: delays and false ends, per pause, independent of the network."""
import numpy as np

STEP = 0.02
LATEST = 3.0
# After this much pause, the probability no longer increases; undetected ends wait for the timeout.
SETTLED = 0.6
FIXED = (0.3, 0.6, 1.0)
FALSE_ENDS = 0.05


def grid():
    """The pause lengths at which the detector is evaluated."""
    return np.arange(0.1, SETTLED + 1e-9, STEP)


def fired(chances, threshold):
    """The first length at which the probability reaches the threshold, per pause; LATEST if it never does."""
    over = chances >= threshold
    return np.where(over.any(1), grid()[over.argmax(1)], LATEST)


def table(declared, resumes, ended):
    """`declared` are the seconds of pause after which each end is declared."""
    happened = declared < resumes
    wrong, right = (happened & ~ended).sum(), (happened & ended).sum()
    delays = declared[ended]
    return {
        "false": wrong / max(1, wrong + right),
        "pauses": wrong / max(1, (~ended).sum()),
        "median": float(np.median(delays)),
        "p90": float(np.percentile(delays, 90)),
        "mean": float(delays.mean()),
        "late": float((delays >= LATEST).mean()),
    }


def threshold_for(chances, resumes, ended, share, name="false"):
    """The lowest threshold whose share of false ends is at most `share`."""
    for threshold in np.linspace(0.02, 0.999, 490):
        if table(fired(chances, threshold), resumes, ended)[name] <= share:
            return float(threshold)
    return 1.0


def line(name, row):
    return (
        f"{name:34} false ends {100 * row['false']:5.1f} % of declared, {100 * row['pauses']:5.1f} % of pauses; "
        f"delay median {1000 * row['median']:.0f} ms, mean {1000 * row['mean']:.0f}, p90 {1000 * row['p90']:.0f}, never before 3 s {100 * row['late']:.1f} %"
    )
