import os
import tempfile
import unittest

import numpy as np

from segmentation import front
from segmentation.frames import CENTRES, FRAMES, RATE, SAMPLES
from segmentation.pool import doubled
from segmentation.powerset import BY_BITS, CLASSES, INVALID, MEMBERS, PERMUTATIONS, SWAPPED, classes_of
from segmentation.scenes import EVENTS, Voices, batch
from speech import activity

from .run_onnx import ROOT, run_onnx

MODEL = os.path.join(ROOT, "packages", "segmentation-model", "segmentation.onnx")


class Powerset(unittest.TestCase):
    def test_classes_and_members_agree(self):
        self.assertEqual([tuple(np.nonzero(row)[0]) for row in MEMBERS], list(CLASSES))
        self.assertEqual(classes_of([[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]]).tolist(), [0, 2, 5, INVALID])
        self.assertEqual(BY_BITS[0b110], CLASSES.index((1, 2)))

    def test_a_swap_renames_the_members(self):
        for order, row in zip(PERMUTATIONS, SWAPPED):
            for before, after in enumerate(row):
                self.assertEqual(sorted(order[speaker] for speaker in CLASSES[before]), list(CLASSES[after]))


class Front(unittest.TestCase):
    def test_windows_are_centred_on_the_frames(self):
        self.assertEqual(front.MEL_SPAN[0] + front.MEL_WINDOW // 2, CENTRES[0])
        self.assertEqual(front.MEL_SPAN[1] - front.MEL_WINDOW // 2, CENTRES[-1])
        self.assertEqual(front.TONE_SPAN, (0, CENTRES[-1] + front.TONE_WINDOW // 2))
        self.assertLessEqual(max(front.MEL_SPAN[1], front.TONE_SPAN[1]), SAMPLES)

    def test_white_noise_has_power_one(self):
        noise = np.random.default_rng(1).normal(size=(400, front.TONE_WINDOW))
        parts = noise @ front.tone_waves()[:, 0].T
        power = parts[:, : front.TONES] ** 2 + parts[:, front.TONES :] ** 2
        self.assertAlmostEqual(power.mean(), 1, delta=0.05)

    def test_every_mel_band_hears_something(self):
        np.testing.assert_allclose(front.mel_filters().sum(0), 1, rtol=1e-5)


class Pool(unittest.TestCase):
    def test_doubling_keeps_a_tone(self):
        at = lambda rate: np.sin(2 * np.pi * 700 * np.arange(rate // 4) / rate)
        self.assertLess(np.abs(doubled(at(RATE // 2)) - at(RATE))[200:-200].max(), 0.02)


class Scenes(unittest.TestCase):
    def setUp(self):
        clips = []
        for number in range(12):
            runs = [(0.3, 2.0), (2.4, 4.0), (5.0, 19.0)]
            clips.append({"kind": "call" if number % 2 else "read", "speaker": number, "place": number * 20 * RATE, "samples": 20 * RATE, "runs": runs})
        self.voices = Voices(clips)

    def test_events_of_a_voice_follow_each_other(self):
        made = batch(np.random.default_rng(2), self.voices, 60)
        for start, length in zip(made["start"].reshape(-1, EVENTS), made["length"].reshape(-1, EVENTS)):
            used = length > 0
            self.assertTrue((start[used][1:] >= (start + length)[used][:-1]).all())

    def test_excerpts_stay_in_their_clip(self):
        made = batch(np.random.default_rng(3), self.voices, 60)
        used = made["length"] > 0
        first = made["place"][used]
        last = first + made["length"][used] * made["speed"][used]
        self.assertTrue((first // (20 * RATE) == np.minimum(last, first + 20 * RATE) // (20 * RATE)).all())
        self.assertTrue(made["telephone"].any() and not made["telephone"].all())

    def test_the_same_seed_repeats(self):
        one, two = (batch(np.random.default_rng(4), self.voices, 5) for _ in range(2))
        for name in one:
            np.testing.assert_array_equal(one[name], two[name])


class Activity(unittest.TestCase):
    def test_bursts_are_found_and_short_gaps_bridged(self):
        rng = np.random.default_rng(5)
        sound = rng.normal(size=3 * RATE).astype(np.float32) * 1e-4
        for start, end in ((0.5, 1.0), (1.2, 1.5), (2.2, 2.6)):
            sound[int(start * RATE) : int(end * RATE)] += rng.normal(size=int(round((end - start) * RATE))) * 0.1
        found = activity.runs(activity.active(sound, RATE)) * activity.STEP
        np.testing.assert_allclose(found, [(0.5, 1.5), (2.2, 2.6)], atol=0.03)


class Published(unittest.TestCase):
    def test_silence_after_a_voice_is_found(self):
        # A buzz of harmonics that comes and goes like syllables, then silence.
        time = np.arange(SAMPLES) / RATE
        voice = sum(np.sin(2 * np.pi * 140 * k * time) / k for k in range(1, 20)) * (0.6 + 0.4 * np.sin(2 * np.pi * 4 * time)) * 0.1
        sound = np.where(time < 5, voice, 0) + np.random.default_rng(6).normal(size=SAMPLES) * 1e-4
        with tempfile.TemporaryDirectory() as folder:
            scores = run_onnx(os.path.abspath(MODEL), folder, x=sound.astype(np.float32)[None, None])
        self.assertEqual(scores.shape, (1, FRAMES, len(CLASSES)))
        odds = np.exp(scores[0])
        np.testing.assert_allclose(odds.sum(1), 1, atol=1e-4)
        self.assertGreater(odds[FRAMES // 2 + 30 :, 0].mean(), 0.9)
