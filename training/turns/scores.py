"""How late and how often wrongly an end of turn is declared. Numbers per pause; nothing here knows the network."""
import numpy as np

STEP = 0.02
LATEST = 3.0
# Beyond this a longer pause no longer makes the end likelier: what is left waits for the timeout.
SETTLED = 0.6
FIXED = (0.3, 0.6, 1.0)
FALSE_ENDS = 0.05


def grid():
    """Pause lengths at which the detector is asked."""
    return np.arange(0.1, SETTLED + 1e-9, STEP)


def fired(chances, threshold):
    """First length at which the chance reaches the threshold, per pause; LATEST where it never does."""
    over = chances >= threshold
    return np.where(over.any(1), grid()[over.argmax(1)], LATEST)


def table(declared, resumes, ended):
    """declared: after how many seconds of pause each end is declared."""
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
    """The lowest threshold with at most this share of false ends."""
    for threshold in np.linspace(0.02, 0.999, 490):
        if table(fired(chances, threshold), resumes, ended)[name] <= share:
            return float(threshold)
    return 1.0


def line(name, row):
    return (
        f"{name:34} false ends {100 * row['false']:5.1f} % of declared, {100 * row['pauses']:5.1f} % of pauses; "
        f"delay median {1000 * row['median']:.0f} ms, mean {1000 * row['mean']:.0f}, p90 {1000 * row['p90']:.0f}, never before 3 s {100 * row['late']:.1f} %"
    )
