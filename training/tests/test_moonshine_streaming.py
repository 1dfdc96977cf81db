import os
import tempfile
import unittest

import numpy as np

from moonshine.export import write_export
from moonshine.reference import Network
from moonshine.shapes import Shape, random_weights
from tests.server_code import require_server, run_server_code
from tests.test_fastconformer import sounds

SHAPES = [
    Shape(), Shape(windows=((16, 4),)), Shape(windows=((16, 4), (16, 0), (16, 4)), width=8, wide=12),
    Shape(decoder=20, heads=4, head=4), Shape(windows=((16, 4), (16, 4)), words=60),
]
LEAD = 1e-3


class Agreement(unittest.TestCase):
    """The server, which reads the audio piece by piece, and numpy, which reads it at once, agree."""

    @classmethod
    def setUpClass(cls):
        require_server("speech/moonshine-streaming")
        cls.cases = []
        with tempfile.TemporaryDirectory() as folder:
            given = []
            for nth in range(3 * len(SHAPES)):
                shape, rng = SHAPES[nth % len(SHAPES)], np.random.default_rng(nth)
                samples = sounds(rng, int(rng.integers(16_000, 60_000)))
                ends = sorted({*rng.integers(2_000, len(samples), int(rng.integers(1, 8))).tolist(), len(samples)})
                start = int(rng.integers(320, len(samples) // 2))
                weights = random_weights(shape, nth)
                path = os.path.join(folder, str(nth))
                write_export(path, shape, weights)
                given.append({"folder": path, "samples": samples.tolist(), "ends": ends, "start": start, "isPublished": nth % 2 == 0})
                cls.cases.append((Network(shape, weights), samples, start))
            cls.results = run_server_code("moonshine/run.mjs", folder, given)

    def test_agreement(self):
        proven = 0
        for (network, samples, start), got in zip(self.cases, self.results):
            encoded = network.encode(samples)
            keys = network.keys(encoded)
            for name, part in (("keys", 0), ("values", 1)):
                wanted = np.stack([layer[part] for layer in keys])
                np.testing.assert_allclose(np.array(got[name]).reshape(wanted.shape), wanted, atol=1e-4)
            later = np.stack([key for key, _ in network.keys(encoded[start // 320 :])])
            np.testing.assert_allclose(np.array(got["laterKeys"]).reshape(later.shape), later, atol=1e-4)
            most = int(np.ceil(8 + len(samples) / 16000 * 6.5)) + 1
            tokens, chances, lead = network.decode(keys, most)
            if lead < LEAD:
                continue
            # The server stops when a text repeats itself.
            count = len(got["tokens"]) if got["degenerate"] else len(tokens)
            self.assertEqual(got["tokens"], tokens[:count])
            np.testing.assert_allclose(got["logProbabilities"], chances[:count], atol=1e-4)
            for start, end in got["wordEnds"]:
                self.assertTrue(0 <= start <= end <= len(samples) / 16)
            proven += 1
        self.assertGreaterEqual(proven, 10)


if __name__ == "__main__":
    unittest.main()
