import os
import random
import tempfile
import unittest

from disfluency.labels import CUE, FILLER, KEEP, REPAIR, REPEAT, align, kinds_of
from disfluency.scores import meeting_scores, pair_scores, spread, word_errors
from disfluency.signals import confidence_of, draw_signals, pause_of
from disfluency.sources import disfluent_pairs
from disfluency.synthesis import Synthesiser
from disfluency.traps import FRAMES, TRAPS, fill, trap
from disfluency.wordpiece import SPECIAL, WordPiece

from .sample import PAIRS, PASSAGES

SENTENCES = [line.split("\t")[1].split() for line in PASSAGES] + [a.split() for a, _ in PAIRS]


class Labels(unittest.TestCase):
    def test_deletes_the_earlier_copy_in_one_run(self):
        self.assertEqual(align("the plan".split(), "the um the plan".split()), [True, True, False, False])

    def test_none_when_words_are_missing(self):
        self.assertIsNone(align("a new plan".split(), "the plan".split()))

    def test_nearly_equal_words_are_the_same(self):
        self.assertEqual(align("the colour fades".split(), "the color fades".split()), [False, False, False])

    def test_kinds(self):
        words = "the the blue no um red car".split()
        self.assertEqual(kinds_of(words, [True, False, True, True, True, False, False]),
                         [REPEAT, KEEP, REPAIR, CUE, FILLER, KEEP, KEEP])

    def test_all_pairs_of_the_sample_can_be_solved(self):
        self.assertEqual(len(disfluent_pairs([{"original": a, "disfluent": b} for a, b in PAIRS])), len(PAIRS))


class Synthesis(unittest.TestCase):
    def test_taking_out_what_is_labelled_gives_the_sentence_back(self):
        maker = Synthesiser(SENTENCES, random.Random(1))
        flat = lambda words: [w.strip(",.?!-…").lower() for w in words]
        changed = 0
        for n in range(600):
            sentence = SENTENCES[n % len(SENTENCES)]
            words, kinds = maker.make(sentence)
            changed += any(kinds)
            left = [word for word, kind in zip(words, kinds) if kind == KEEP]
            self.assertEqual(flat(left), flat(sentence), " ".join(words))
        self.assertGreater(changed, 300)

    def test_the_same_seed_gives_the_same_sentences(self):
        make = lambda: [Synthesiser(SENTENCES, random.Random(7)).make(s) for s in SENTENCES]
        self.assertEqual(make(), make())

    def test_traps_are_all_kept_and_all_slots_known(self):
        rng = random.Random(1)
        for template in TRAPS + FRAMES:
            self.assertNotIn("{", fill(template, rng))
        self.assertFalse(any(trap(rng)[1]))


class Pieces(unittest.TestCase):
    def test_as_the_runtime_splits(self):
        pieces = WordPiece([*SPECIAL, "play", "##ing", "no", "it's"])
        self.assertEqual(pieces.encode(["Playing,", "no...", "It’s", "—", "zebra"]),
                         ([2, 13, 14, 5, 15, 11, 16, 12, 1, 3], [1, 4, 6, -1, 8]))


class Signals(unittest.TestCase):
    def test_levels(self):
        self.assertEqual([pause_of(ms) for ms in (None, 0, 300, 900)], [0, 1, 2, 3])
        self.assertEqual([confidence_of(value) for value in (None, 0.2, 0.7, 0.95)], [0, 1, 2, 3])

    def test_in_range(self):
        self.assertTrue(all(0 <= s < 16 for n in range(50) for s in draw_signals(["a", "b"], [3, 0], random.Random(n))))


class Scores(unittest.TestCase):
    def test_word_errors(self):
        self.assertEqual(word_errors("a b c", "a x c d"), 2)

    def test_a_cut_spreads_from_a_sure_word(self):
        self.assertEqual(spread([0.6, 0.99, 0.6, 0.1, 0.6], 0.9, 0.5), [True, True, True, False, False])

    def test_pairs_and_meetings(self):
        self.assertEqual(pair_scores([("a um b".split(), "A b.")], [[False, True, False]])["exact %"], 100)
        self.assertEqual(meeting_scores([{"y": [1, 0, 2, 1]}], [[True, True, True, False]]),
                         {"precision %": 50.0, "recall %": 50.0})


if __name__ == "__main__":
    unittest.main()
