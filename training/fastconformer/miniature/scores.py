"""Word alignment and the share of correct words."""
import re


def plain(text):
    return re.sub(r"[^a-z ]", "", text.lower()).split()


def aligned(said, heard):
    """The edit distance, and the matching words, as pairs of indexes."""
    costs = [list(range(len(heard) + 1))]
    for nth, word in enumerate(said, 1):
        row = [nth]
        for at, other in enumerate(heard, 1):
            row.append(min(costs[-1][at] + 1, row[-1] + 1, costs[-1][at - 1] + (word != other)))
        costs.append(row)
    pairs, nth, at = [], len(said), len(heard)
    while nth and at:
        if said[nth - 1] == heard[at - 1] and costs[nth][at] == costs[nth - 1][at - 1]:
            pairs.append((nth - 1, at - 1))
            nth, at = nth - 1, at - 1
        elif costs[nth][at] == costs[nth - 1][at - 1] + 1:
            nth, at = nth - 1, at - 1
        elif costs[nth][at] == costs[nth - 1][at] + 1:
            nth -= 1
        else:
            at -= 1
    return costs[-1][-1], pairs[::-1]


def words_right(pairs):
    """1 − word error rate over (said, heard) texts."""
    errors = words = 0
    for said, heard in pairs:
        said, heard = plain(said), plain(heard)
        errors, words = errors + aligned(said, heard)[0], words + len(said)
    return 1 - errors / words
