"""Scores of a tagger: exact sentences, word errors, lost clean words, and precision and recall in meetings."""
import re

NOT_WORD = re.compile(r"[^\w' ]+|_")


def flat(text):
    """Normalises a sentence for comparison: lower case, no punctuation."""
    return re.sub(r"\s+", " ", NOT_WORD.sub(" ", text.lower().replace("’", "'"))).strip()


def word_errors(reference, hypothesis):
    a, b = reference.split(), hypothesis.split()
    row = list(range(len(b) + 1))
    for i, word in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (word != other))
    return row[-1]


def spread(scores, high, low):
    """The words to delete: a word with a score of `high` starts a deletion, its neighbours need only `low`."""
    cut = [score >= high for score in scores]
    for i in range(1, len(cut)):
        cut[i] = cut[i] or (cut[i - 1] and scores[i] >= low)
    for i in range(len(cut) - 2, -1, -1):
        cut[i] = cut[i] or (cut[i + 1] and scores[i] >= low)
    return cut


def kept(words, cut):
    return " ".join(word for word, gone in zip(words, cut) if not gone)


def pair_scores(pairs, cuts):
    exact = errors = total = 0
    for (words, original), cut in zip(pairs, cuts):
        reference, result = flat(original), flat(kept(words, cut))
        exact += reference == result
        errors += word_errors(reference, result)
        total += len(reference.split())
    return {"exact %": 100 * exact / max(1, len(pairs)), "word error %": 100 * errors / max(1, total)}


def lost_per_thousand(cuts):
    return 1000 * sum(map(sum, cuts)) / max(1, sum(map(len, cuts)))


def meeting_scores(turns, cuts):
    """Marks 2 and 3 may be kept or deleted, so they are not counted."""
    right = wrong = missed = 0
    for turn, cut in zip(turns, cuts):
        for mark, gone in zip(turn["y"], cut):
            if mark in (0, 1):
                right += gone and mark == 1
                wrong += gone and mark == 0
                missed += (not gone) and mark == 1
    return {"precision %": 100 * right / max(1, right + wrong), "recall %": 100 * right / max(1, right + missed)}
