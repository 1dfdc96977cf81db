import json
import os
import shutil
import subprocess
import unittest

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")


def require_server(room):
    """Skips the test if node is not installed. Fails if this room of the server is not built."""
    if not shutil.which("node"):
        raise unittest.SkipTest("node, which runs the server's code, is not installed")
    if not os.path.isdir(os.path.join(ROOT, "packages", "server", "dist", "src", room)):
        raise AssertionError("run npm run build first")


def run_server_code(script, folder, cases):
    """The results of a script in training/ for these cases, which are passed through files in the folder."""
    given, results = os.path.join(folder, "cases.json"), os.path.join(folder, "results.json")
    with open(given, "w", encoding="utf8") as file:
        json.dump(cases, file)
    path = os.path.join(ROOT, "training", script)
    run = subprocess.run(["node", path, given, results], capture_output=True, text=True, timeout=120)
    if run.returncode:
        raise AssertionError(run.stderr)
    with open(results, encoding="utf8") as file:
        return json.load(file)
