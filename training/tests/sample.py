"""A few sentences, written for the tests in the format of the real sources."""
import json
import os

PAIRS = [
    ("When did the war begin?", "Where no when did the war begin?"),
    ("Who wrote the book about whales?", "Who painted sorry wrote the book about whales?"),
    ("What is the height of the tower in meters?", "What is the width I mean the height of the tower in meters?"),
    ("How many rooms does the old castle have?", "How many doors or rather rooms does the old castle have?"),
    ("Which river runs through Vienna?", "Which lake no wait which river runs through Vienna?"),
    ("Where was the treaty signed?", "Where was the um treaty signed?"),
]
PASSAGES = [
    "c\tWe moved the service to a new host. It took two days and nobody noticed. Do you want to see the numbers?",
    "g\tI would like a table for four on Friday. No, a quiet one please.",
    "v\tThe children walked along the river until the sun went down.",
    "b\tHe said that that was all he knew, and he would rather not say more.",
]
MEETINGS = [
    {"w": ["Um", "so", "the", "the", "plan", "is", "fine."], "y": [1, 0, 1, 0, 0, 0, 0], "m": "A"},
    {"w": ["I", "th-", "I", "think", "you", "know", "yes."], "y": [1, 1, 0, 0, 2, 2, 0], "m": "A"},
]


def write(folder):
    os.makedirs(folder, exist_ok=True)
    pairs = {str(n): {"original": a, "disfluent": b} for n, (a, b) in enumerate(PAIRS)}

    def save(name, value):
        with open(os.path.join(folder, name), "w", encoding="utf8") as file:
            json.dump(value, file)

    save("disflqa-train.json", pairs)
    save("disflqa-dev.json", pairs)
    save("ami.json", {"train": MEETINGS, "dev": MEETINGS})
    save("questions.json", [a.lower() for a, _ in PAIRS])
    save("clean_held.json", [line.split("\t") for line in PASSAGES])
    with open(os.path.join(folder, "spoken.txt"), "w", encoding="utf8") as file:
        file.write("\n".join(PASSAGES * 5) + "\n")
    return folder
