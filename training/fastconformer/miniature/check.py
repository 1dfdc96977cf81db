"""Transcribes held-out clips with the server's engine.

python3 -m fastconformer.miniature.check --model EXPORT --clips FOLDER"""
import argparse
import json
import os
import subprocess
import tempfile

import numpy as np

from .scores import aligned, plain, words_right
from .sentences import SPELLINGS
from .speech import HELD

ENGINE = os.path.join(os.path.dirname(__file__), "engine.mjs")


def transcribe(export, clips):
    with tempfile.TemporaryDirectory() as folder:
        given, results = os.path.join(folder, "clips.json"), os.path.join(folder, "results.json")
        with open(given, "w", encoding="utf8") as file:
            json.dump(clips, file)
        subprocess.run(["node", ENGINE, export, given, results], check=True)
        with open(results, encoding="utf8") as file:
            return json.load(file)


def start_errors(clip, words):
    heard = [(plain(word["text"]), word["startMs"]) for word in words]
    heard = [(letters[0], start) for letters, start in heard if letters]
    pairs = aligned(plain(clip["text"]), [letters for letters, _ in heard])[1]
    return [heard[there][1] - clip["words"][here][1] for here, there in pairs if clip["words"][here][1] is not None]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--clips", required=True)
    given = parser.parse_args()
    with open(os.path.join(given.clips, "clips.json"), encoding="utf8") as file:
        clips = json.load(file)
    path_of = lambda clip: os.path.abspath(os.path.join(given.clips, clip["file"]))
    # All second spellings are terms, for every clip: names that are said should be written that way, and no others.
    terms = list(SPELLINGS.values())
    jobs = [{"path": path_of(clip)} for clip in clips] + [{"path": path_of(clip), "terms": terms} for clip in clips]
    results = transcribe(os.path.abspath(given.model), jobs)
    plainly, biased = results[: len(clips)], results[len(clips) :]
    for held in HELD:
        some = [(clip, result) for clip, result in zip(clips, plainly) if clip["held"] == held]
        right = words_right([(clip["text"], result["rawText"]) for clip, result in some])
        errors = [error for clip, result in some for error in start_errors(clip, result["words"])]
        sure = [word["confidence"] for _, result in some for word in result["words"]]
        print(f"{held}: {right:.2%} of {sum(len(clip['words']) for clip, _ in some)} words right;", end=" ")
        print(f"starts off by {np.median(errors):.0f} ms, {np.median(np.abs(errors)):.0f} ms without sign,", end=" ")
        print(f"{np.percentile(np.abs(errors), 95):.0f} ms at 95 %; confidence {np.median(sure):.3f}, least {min(sure):.3f}")
        for clip, result in some:
            if plain(clip["text"]) != plain(result["rawText"]):
                print("  said ", clip["text"], "\n  heard", result["rawText"])
    for name, found in (("without terms", plainly), ("with terms", biased)):
        said = [(usual, rare, result["rawText"]) for clip, result in zip(clips, found) for usual, rare in SPELLINGS.items() if usual in clip["text"]]
        other = sum(rare in result["rawText"] and usual not in clip["text"] for clip, result in zip(clips, found) for usual, rare in SPELLINGS.items())
        print(f"{name}: {sum(rare in text for _, rare, text in said)} of {len(said)} names in the spelling of the terms, {other} where none was said")
    print(f"with terms: {words_right([(c['text'], r['rawText']) for c, r in zip(clips, biased)]):.2%} of words as in training's usual spelling")


if __name__ == "__main__":
    main()
