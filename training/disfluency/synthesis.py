"""Makes disfluent sentences from clean ones. Removing the labelled words restores the clean sentence."""
import itertools
import re

from .labels import CUE, FILLER, KEEP, REPAIR, REPEAT, core_of
from .words import CUES, FILLER_CHOICES, GROUP_OF, GROUPS, QUESTION_WORDS, RESTART_CUES

TRAILING = re.compile(r"[^\w']+$")
ENDS = re.compile(r"[.?!]")
STOPS = re.compile(r"[.?!,;:]")
DIGITS = re.compile(r"^[\d.,:$%]+(?:am|pm|th|st|nd|rd|%)?$")
BREAKS = [",", ",", ",", "...", "-", "."]
I_WORDS = ("I", "I'm", "I've", "I'll", "I'd")
CONTINUATIONS_MAX = 400


def bare(word):
    return TRAILING.sub("", word) or word


def has_mark(word):
    return TRAILING.search(word) is not None


class Synthesiser:
    """Learns plausible wrong words from sentences, then makes sentences disfluent with them."""

    def __init__(self, sentences, rng, mined_cues=()):
        self.rng = rng
        self.after = {}  # word -> phrases seen after it
        self.openings, self.question_openings = [], []
        self.names = {}  # number of words -> names of that length
        for words in sentences:
            self._learn(words)
        cues = dict(CUES)
        total, mined = sum(cues.values()), sum(count for _, count in mined_cues) or 1
        for cue, count in mined_cues:
            cues[cue] = cues.get(cue, 0) + 0.7 * total * count / mined
        self.cues = [cue.split() for cue in cues]
        self.cue_weights = list(itertools.accumulate(cues.values()))
        self.mined = [cue.split() for cue, _ in mined_cues]
        self.mined_weights = list(itertools.accumulate(count for _, count in mined_cues))
        self.marks = 1.0  # how often punctuation is added where the speaker breaks off

    def _learn(self, words):
        rng, keys = self.rng, [core_of(word) for word in words]
        for i in range(1, len(words)):
            length = rng.choice((1, 1, 2, 2, 3))
            phrase = words[i:i + length]
            if not keys[i - 1] or any(map(has_mark, phrase[:-1])) or not all(keys[i:i + length]):
                continue
            known = self.after.setdefault(keys[i - 1], [])
            if len(known) < CONTINUATIONS_MAX:
                known.append(phrase)
            elif rng.random() < 0.05:
                known[rng.randrange(CONTINUATIONS_MAX)] = phrase
        opening = words[:rng.randint(1, 10)]
        self.openings.append(opening)
        if keys and keys[0] in QUESTION_WORDS:
            self.question_openings.append(opening)
        i = 1
        while i < len(words):
            end = i
            while end < len(words) and end - i < 4 and words[end][:1].isupper() and not (end > i and has_mark(words[end - 1])):
                end += 1
            if end > i and words[i] not in I_WORDS:
                self.names.setdefault(end - i, []).append(words[i:end])
            i = max(end, i + 1)

    # --- parts

    def cue(self):
        words = list(self.rng.choices(self.cues, cum_weights=self.cue_weights)[0])
        return self.marked(words)

    def mined_cue(self):
        """A cue, drawn with its frequency in the real pairs."""
        if not self.mined:
            return self.cue()
        return self.marked(list(self.rng.choices(self.mined, cum_weights=self.mined_weights)[0]))

    def marked(self, words):
        if len(words) > 1 and self.rng.random() < 0.12 * self.marks:
            words[0] += ","
        if self.rng.random() < 0.45 * self.marks:
            words[-1] += ","
        return words

    def broken(self, phrase, chance=0.4):
        """A broken-off phrase: its final punctuation is replaced or removed."""
        phrase = list(phrase)
        phrase[-1] = bare(phrase[-1])
        if self.rng.random() < chance * self.marks:
            phrase[-1] += self.rng.choice(BREAKS)
        return phrase

    def other_digits(self, key):
        rng = self.rng
        for _ in range(6):
            changed = "".join(
                str(rng.randint(1 if i == 0 else 0, 9)) if c.isdigit() and (rng.random() < 0.5 or len(key) < 3) else c
                for i, c in enumerate(key)
            )
            if changed != key:
                return changed
        return key + "0"

    def alternative(self, words, i, j):
        """A phrase to say by mistake instead of words[i:j], or None."""
        rng, keys = self.rng, [core_of(word) for word in words[i:j]]
        if not all(keys):
            return None
        grouped = [k for k, key in enumerate(keys) if key in GROUP_OF]
        if grouped and rng.random() < 0.75:
            k = rng.choice(grouped)
            members = [word for word in GROUPS[GROUP_OF[keys[k]]] if word != keys[k]]
            return [bare(w) for w in words[i:i + k]] + [rng.choice(members)] + [bare(w) for w in words[i + k + 1:j]]
        numeric = [k for k, key in enumerate(keys) if DIGITS.match(key)]
        if numeric and rng.random() < 0.9:
            k = rng.choice(numeric)
            return [*keys[:k], self.other_digits(keys[k]), *keys[k + 1:]]
        if words[j - 1][:1].isupper() and i > 0 and rng.random() < 0.6:
            known = self.names.get(rng.choice((len(keys), len(keys), 1, 2, 3)))
            if known:
                name = [bare(word) for word in rng.choice(known)]
                if [core_of(word) for word in name] != keys:
                    return name
        known = self.after.get(core_of(words[i - 1])) if i > 0 else None
        if not known:
            return None
        best, best_score = None, -1.0
        for _ in range(7):
            phrase = rng.choice(known)
            other = [core_of(word) for word in phrase]
            if other == keys or (other[-1] == keys[-1] and rng.random() < 0.85):
                continue
            score = rng.random() * 1.5 + (len(other) == len(keys)) + (other[-1][-2:] == keys[-1][-2:])
            score += (phrase[-1][:1].isupper() == words[j - 1][:1].isupper()) + 0.3 * (abs(len(other[-1]) - len(keys[-1])) < 3)
            if score > best_score:
                best, best_score = [bare(word) for word in phrase], score
        return best

    # --- operations: each takes and returns (words, kinds), or returns None if it does not apply

    def filler(self, words, kinds):
        rng = self.rng
        count = rng.choice((1, 1, 1, 1, 2))
        sounds = [rng.choice(FILLER_CHOICES) for _ in range(count)]
        if rng.random() < 0.45:
            sounds[-1] += ","
        i = rng.randint(0, max(0, len(words) - 1))
        words = list(words)
        if i > 0 and rng.random() < 0.3 and not has_mark(words[i - 1]):
            words[i - 1] += ","
        return words[:i] + sounds + words[i:], kinds[:i] + [FILLER] * count + kinds[i:]

    def repeat(self, words, kinds):
        rng, n = self.rng, len(words)
        length = min(n, rng.choices((1, 2, 3, 4), (52, 28, 13, 7))[0])
        i = rng.randint(0, n - length)
        # People stutter most on short words.
        if length == 1 and rng.random() < 0.5:
            short = [k for k in range(n) if len(core_of(words[k])) <= 4]
            i = rng.choice(short) if short else i
        phrase = words[i:i + length]
        if any(kinds[i:i + length]) or any(ENDS.search(w) for w in phrase[:-1]) or not all(map(core_of, phrase)):
            return None
        added, labels = [], []
        for _ in range(rng.choices((1, 2, 3), (85, 12, 3))[0]):
            copy = self.broken(phrase, 0.25)
            added += copy
            labels += [REPEAT] * len(copy)
            if rng.random() < 0.2:
                added.append(rng.choice(FILLER_CHOICES) + rng.choice(("", ",")))
                labels.append(FILLER)
        return words[:i] + added + words[i:], kinds[:i] + labels + kinds[i:]

    def substitute(self, words, kinds, retrace=False):
        rng, n = self.rng, len(words)
        for _ in range(5):
            length = rng.choices((1, 2, 3, 4), (58, 26, 11, 5))[0]
            if n < length + 1:
                continue
            slots = [k for k in range(1, n) if core_of(words[k]) in GROUP_OF or DIGITS.match(core_of(words[k]) or "x")]
            if slots and rng.random() < 0.45:
                j = rng.choice(slots) + 1
                i = max(1, j - length)
            else:
                i = rng.randint(1, n - length)
                j = i + length
                if words[i][:1].isupper() and rng.random() < 0.6:
                    while i > 1 and words[i - 1][:1].isupper() and not has_mark(words[i - 1]):
                        i -= 1
                    while j < n and words[j][:1].isupper() and not has_mark(words[j - 1]):
                        j += 1
            last = core_of(words[j - 1])
            if any(kinds[i - 1:j]) or any(STOPS.search(w) for w in words[i - 1:j - 1]):
                continue
            if len(last) < 2 or (len(last) < 4 and rng.random() < 0.6):
                continue
            wrong = self.alternative(words, i, j)
            if not wrong or [core_of(w) for w in wrong] == [core_of(w) for w in words[i:j]]:
                continue
            return self.place(words, kinds, i, j, wrong, retrace)
        return None

    def place(self, words, kinds, i, j, wrong, retrace, chance=0.18):
        """Inserts `wrong` before words[i:j], then a cue, then possibly a repetition of some words before i."""
        rng = self.rng
        back = rng.randint(1, 4) if retrace or rng.random() < chance else 0
        while back and (i - back < 0 or any(STOPS.search(w) for w in words[i - back:i]) or any(kinds[i - back:i])):
            back -= 1
        said = list(wrong)
        if rng.random() < 0.12 and j < len(words) and not has_mark(words[j - 1]):
            said += [bare(word) for word in words[j:j + rng.randint(1, 3)]]
        cue = (self.cue() if self.marks == 1 else self.question_cue()) if back == 0 or rng.random() < 0.8 else []
        said = self.broken(said, 0.35)
        again = [bare(word) for word in words[i - back:i]]
        kinds = list(kinds)
        kinds[i - back:i] = [REPAIR] * back
        return (
            words[:i] + said + cue + again + words[i:],
            kinds[:i] + [REPAIR] * len(said) + self.cue_kinds(cue) + [KEEP] * len(again) + kinds[i:],
        )

    def cue_kinds(self, cue):
        return [FILLER if core_of(word) in FILLER_CHOICES else CUE for word in cue]

    def starts(self, words, marks):
        return [0] + [k + 1 for k in range(len(words) - 1) if marks.search(words[k])]

    def restart(self, words, kinds):
        """A sentence or clause is broken off and started again."""
        rng, n = self.rng, len(words)
        places = [k for k in self.starts(words, STOPS) if k < n - 1]
        if not places:
            return None
        i = rng.choice(places)
        length = rng.randint(1, min(8, n - i))
        phrase = words[i:i + length]
        if any(ENDS.search(w) for w in phrase) or any(kinds[i:i + length]) or not all(map(core_of, phrase)):
            return None
        said = [bare(word) if k == length - 1 else word for k, word in enumerate(phrase)]
        roll = rng.random()
        changed = False
        if roll < 0.55 and i + length < n:
            other = self.alternative(words, i + length, min(n, i + length + rng.choice((1, 1, 2))))
            said += other or []
            changed = bool(other)
        elif roll < 0.7 and len(core_of(said[-1])) > 4:
            said[-1] = core_of(said[-1])[:rng.randint(1, 3)] + rng.choice(("-", "-", ""))
            changed = True
        said = self.broken(said, 0.35) if not said[-1].endswith("-") else said
        cue = rng.choice(RESTART_CUES).split() if rng.random() < 0.65 else self.cue()
        kind = REPAIR if changed or cue else REPEAT
        return words[:i] + said + cue + words[i:], kinds[:i] + [kind] * len(said) + self.cue_kinds(cue) + kinds[i:]

    def abandon(self, words, kinds):
        """Another sentence is started and abandoned before this one."""
        rng = self.rng
        question = core_of(words[0]) in QUESTION_WORDS
        pool = self.question_openings if question and self.question_openings and rng.random() < 0.8 else self.openings
        i = rng.choice(self.starts(words, ENDS))
        said = rng.choice(pool)
        if i >= len(words) or kinds[i] or any(ENDS.search(w) for w in said[:-1]) or not all(map(core_of, said)):
            return None
        said = self.broken(said if question or rng.random() < 0.4 else said[:5])
        cue = self.cue()
        return words[:i] + said + cue + words[i:], kinds[:i] + [REPAIR] * len(said) + self.cue_kinds(cue) + kinds[i:]

    def fragment(self, words, kinds):
        rng = self.rng
        i = rng.randrange(len(words))
        key = core_of(words[i])
        if kinds[i] or len(key) < 3:
            return None
        cut = key[:rng.randint(1, min(4, len(key) - 1))] + rng.choice(("-", "-", "-", ""))
        words = words[:i] + [cut] + words[i:]
        kinds = kinds[:i] + [REPAIR] + kinds[i:]
        if i > 0 and not kinds[i - 1] and not has_mark(words[i - 1]) and rng.random() < 0.3:
            # "the qu- the question": the preceding word is also repeated.
            words.insert(i + 1, words[i - 1])
            kinds.insert(i + 1, KEEP)
            kinds[i - 1] = REPAIR
        return words, kinds

    def drop_in(self, words, other):
        """A phrase of a neighbouring question, said by mistake, as in Disfl-QA, with its lengths and few marks."""
        rng = self.rng
        other = [word for word in other if core_of(word)]
        if len(words) < 3 or len(other) < 2:
            return None
        self.marks = 0.2
        result = self.other_opening(words, other) if rng.random() < 0.43 else self.other_phrase(words, other)
        self.marks = 1.0
        return result

    def other_opening(self, words, other):
        """"How do or no rather what do public schools": another question is started first."""
        rng = self.rng
        if core_of(words[0]) in QUESTION_WORDS and rng.random() < 0.45:
            question = rng.choice(sorted(QUESTION_WORDS - {core_of(words[0])}))
            said = [question, *words[1:1 + rng.choices((0, 1, 2, 3, 4), (30, 40, 16, 9, 5))[0]]]
        else:
            said = other[:rng.choices((1, 2, 3, 4, 5, 6, 8, 12), (30, 30, 14, 8, 6, 4, 4, 4))[0]]
        if any(ENDS.search(word) for word in said[:-1]):
            return None
        said = self.broken(said, 0.35)
        cue = self.question_cue()
        return said + cue + words, [REPAIR] * len(said) + self.cue_kinds(cue) + [KEEP] * len(words)

    def question_cue(self):
        return self.mined_cue() if self.rng.random() < 0.75 else self.cue()

    def other_phrase(self, words, other):
        rng, n = self.rng, len(words)
        for _ in range(8):
            length = rng.choices((1, 2, 3, 4, 5), (50, 30, 11, 6, 3))[0]
            a = rng.randint(1, max(1, len(other) - length))
            wrong = [bare(word) for word in other[a:a + length]]
            if not wrong or (len(core_of(wrong[-1])) < 4 and not wrong[-1][:1].isdigit()):
                continue
            width = rng.choices((1, 2, 3, 4), (50, 30, 14, 6))[0]
            if n - width < 1:
                continue
            before = core_of(other[a - 1])
            same = [k for k in range(1, n - width + 1) if core_of(words[k - 1]) == before]
            i = rng.choice(same) if same and rng.random() < 0.8 else rng.randint(1, n - width)
            j = i + width
            if (len(core_of(words[j - 1])) < 4 and rng.random() < 0.7) or any(map(has_mark, words[i - 1:j - 1])):
                continue
            if [core_of(w) for w in wrong] == [core_of(w) for w in words[i:j]]:
                continue
            return self.place(words, [KEEP] * n, i, j, wrong, False, 0.24)
        return None

    def make(self, words, count=None):
        """One to four operations on a clean sentence."""
        rng = self.rng
        kinds = [KEEP] * len(words)
        words = list(words)
        for _ in range(count or rng.choices((1, 2, 3, 4), (60, 26, 10, 4))[0]):
            name = rng.choices(
                ("filler", "repeat", "substitute", "retrace", "restart", "abandon", "fragment"), (14, 22, 28, 12, 14, 10, 5)
            )[0]
            if len(words) < 2:
                name = "filler"
            result = self.substitute(words, kinds, True) if name == "retrace" else getattr(self, name)(words, kinds)
            if result:
                words, kinds = result
        return words, kinds
