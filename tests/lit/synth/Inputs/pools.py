"""The candidate tools of the test-ood file and those of the others have no name in common."""
import json
import os
import sys

folder = sys.argv[1]


def names(file):
    with open(os.path.join(folder, file), encoding="utf-8") as lines:
        return {tool["function"]["name"] for line in lines for tool in json.loads(line)["tools"]}


inside = names("train.jsonl") | names("valid.jsonl") | names("test-id.jsonl")
outside = names("test-ood.jsonl")
assert inside and outside and not inside & outside, inside & outside
