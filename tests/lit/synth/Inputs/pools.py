"""The candidate tools of the test-ood file and those of the others have no name in common: FOLDER [FILE OTHER...]."""
import json
import os
import sys

folder = sys.argv[1]


def names(file):
    with open(os.path.join(folder, file), encoding="utf-8") as lines:
        return {tool["function"]["name"] for line in lines for tool in json.loads(line)["tools"]}


outside, *others = sys.argv[2:] or ["test-ood.jsonl", "train.jsonl", "valid.jsonl", "test-id.jsonl"]
inside = set().union(*(names(file) for file in others))
outside = names(outside)
assert inside and outside and not inside & outside, inside & outside
