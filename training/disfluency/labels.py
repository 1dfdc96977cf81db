"""Labels: which words of a disfluent sentence to delete, and the kind of each word."""
import difflib
import re

from .words import CUE_WORDS, FILLERS

KEEP, FILLER, REPEAT, REPAIR, CUE = range(5)
IGNORE = -1
KINDS = ["keep", "filler", "repeat", "repair", "cue"]
NEAR_ENOUGH = 0.78
REPEAT_WORDS_MAX = 6


def core_of(word):
    """The word in lower case, without surrounding punctuation."""
    return re.sub(r"^[^\w]+|[^\w]+$", "", word.lower().replace("’", "'"))


def normal(word):
    return re.sub(r"[^\w']+", "", word.lower().replace("’", "'"))


def deletions(original, said):
    """True for the words of `said` to delete so that `original` remains, in as few runs as possible, preferring the
    earlier copy of a repeat; None if deletion cannot produce `original`."""
    n, m = len(original), len(said)
    worst = (10**6, 0)
    # best[i][d]: the cost of the words from j on, if i words of `original` are found; d: the previous word is deleted.
    best = [[(0, 0), (0, 0)] if i == n else [worst, worst] for i in range(n + 1)]
    choices = []
    for j in range(m - 1, -1, -1):
        row, choice = [], []
        for i in range(n + 1):
            cells, picks = [], []
            for deleted in (0, 1):
                if not said[j]:
                    cells.append(best[i][deleted])
                    picks.append(deleted)
                    continue
                runs, late = best[i][1]
                cost, pick = (runs + 1 - deleted, late + j), 1
                if i < n and said[j] == original[i] and best[i + 1][0] <= cost:
                    cost, pick = best[i + 1][0], 0
                cells.append(cost)
                picks.append(pick)
            row.append(cells)
            choice.append(picks)
        best = row
        choices.append(choice)
    if best[0][0][0] >= worst[0]:
        return None
    choices.reverse()
    out, i, deleted = [], 0, 0
    for j in range(m):
        pick = choices[j][i][deleted]
        out.append(bool(pick))
        if said[j]:
            i += 0 if pick else 1
            deleted = pick
    return out


def align(original, said):
    """The deletions that turn `said` into `original`. Similar words count as equal ("colour", "color")."""
    a = [word for word in map(normal, original) if word]
    b = list(map(normal, said))
    found = deletions(a, b)
    if found is not None:
        return found
    known = set(a)
    near = []
    for word in b:
        alike = [
            other for other in sorted(known)
            if word not in known and min(len(word), len(other)) > 3
            and difflib.SequenceMatcher(None, other, word).ratio() > NEAR_ENOUGH
        ]
        near.append(alike[0] if alike else word)
    return deletions(a, near)


def kinds_of(words, deleted):
    """The kind of every word, given which words are deleted."""
    keys = [core_of(word) for word in words]
    kinds = [REPAIR if gone else KEEP for gone in deleted]
    i = 0
    while i < len(words):
        if not deleted[i]:
            i += 1
            continue
        end = i
        while end < len(words) and deleted[end]:
            end += 1
        # Marks fillers, then the cue, starting at the end of the run.
        for k in range(i, end):
            if keys[k] in FILLERS:
                kinds[k] = FILLER
        k = end - 1
        while k > i and (keys[k] in CUE_WORDS or keys[k] in FILLERS):
            if keys[k] not in FILLERS:
                kinds[k] = CUE
            k -= 1
        said = [k for k in range(i, end) if keys[k] and keys[k] not in FILLERS]
        following = [key for key in keys[end:end + REPEAT_WORDS_MAX + 4] if key and key not in FILLERS]
        for period in range(1, min(REPEAT_WORDS_MAX, len(said)) + 1):
            cycle = [keys[k] for k in said[-period:]]
            if len(said) % period == 0 and cycle == following[:period] and all(
                keys[k] == cycle[place % period] for place, k in enumerate(said)
            ):
                for k in said:
                    kinds[k] = REPEAT
                break
        i = end
    return kinds
