"""Runs an ONNX file in the runtime that the server uses."""
import json
import os
import shutil
import subprocess
import unittest

import numpy as np

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
SCRIPT = """
import { readFileSync } from 'node:fs';
import ort from 'onnxruntime-node';
const [file, inputs] = process.argv.slice(1);
const session = await ort.InferenceSession.create(file);
const feeds = {};
for (const [name, { type, dims, data }] of Object.entries(JSON.parse(readFileSync(inputs, 'utf8')))) {
  feeds[name] = new ort.Tensor(type, type === 'int64' ? BigInt64Array.from(data, BigInt) : Float32Array.from(data), dims);
}
const [answer] = Object.values(await session.run(feeds));
console.log(JSON.stringify({ dims: answer.dims, data: [...answer.data] }));
"""


def run_onnx(path, folder, **inputs):
    """Returns the first output. Skips the test if node is not installed."""
    if not shutil.which("node"):
        raise unittest.SkipTest("node, which reads the ONNX file, is not installed")
    rows = {
        name: {"type": "int64" if array.dtype == np.int64 else "float32", "dims": array.shape, "data": array.ravel().tolist()}
        for name, array in inputs.items()
    }
    given = os.path.join(folder, "inputs.json")
    with open(given, "w", encoding="utf8") as file:
        json.dump(rows, file)
    got = subprocess.run(
        ["node", "--input-type=module", "-e", SCRIPT, path, given],
        cwd=os.path.join(ROOT, "packages", "server"), capture_output=True, text=True, timeout=120,
    )
    if got.returncode != 0:
        raise AssertionError(got.stderr)
    answer = json.loads(got.stdout)
    return np.array(answer["data"], np.float32).reshape(answer["dims"])
