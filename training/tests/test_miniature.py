import json
import os
import shutil
import subprocess
import tempfile
import unittest

import numpy as np

from disfluency.export import build, quantise
from disfluency.forward import kind_probabilities, load_weights
from disfluency.miniature import HEADS, random_weights, train
from speech.onnx_file import varint

from .sample import write

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
VOCABULARY = os.path.join(ROOT, "packages", "refiner-model", "vocabulary.json")


class Export(unittest.TestCase):
    def test_int8_is_close(self):
        weight = np.random.default_rng(1).normal(size=(5, 40)).astype(np.float32)
        values, scale = quantise(weight)
        self.assertLess(np.abs(values * scale[:, None] - weight).max(), scale.max())

    def test_varint(self):
        self.assertEqual([varint(1), varint(300)], [b"\x01", b"\xac\x02"])


class Miniature(unittest.TestCase):
    def test_learns_and_exports_what_the_runtime_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            data = write(os.path.join(folder, "data"))
            losses = train(data, VOCABULARY, folder)
            self.assertLess(sum(losses[-5:]) / 5, 0.7 * losses[0])
            weights = load_weights(os.path.join(folder, "miniature-*.npz"))
            ids = np.array([[2, 500, 600, 700, 3]])
            expected = kind_probabilities(weights, ids, np.zeros_like(ids), HEADS)[0]
            if not shutil.which("node"):
                self.skipTest("node, which reads the ONNX file, is not installed")
            script = (
                "import ort from 'onnxruntime-node';"
                "const s = await ort.InferenceSession.create(process.argv[1]);"
                "const t = (v) => new ort.Tensor('int64', BigInt64Array.from(v), [1, 5]);"
                "const r = await s.run({ ids: t([2n,500n,600n,700n,3n]), signals: t([0n,0n,0n,0n,0n]) });"
                "console.log(JSON.stringify([...r.scores.data]));"
            )
            got = subprocess.run(
                ["node", "--input-type=module", "-e", script, os.path.join(folder, "miniature.int8.onnx")],
                cwd=os.path.join(ROOT, "packages", "server"), capture_output=True, text=True, timeout=60,
            )
            self.assertEqual(got.returncode, 0, got.stderr)
            scores = np.array(json.loads(got.stdout)).reshape(5, -1)
            odds = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
            self.assertLess(np.abs(odds - expected).max(), 0.05)


class SameSeed(unittest.TestCase):
    def test_weights_repeat(self):
        a, b = random_weights(50), random_weights(50)
        self.assertTrue(all((a[name] == b[name]).all() for name in a))
        self.assertTrue(build(a).nodes)


if __name__ == "__main__":
    unittest.main()
