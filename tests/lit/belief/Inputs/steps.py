"""Prints the steps of `wend belief --json`: the keys of all, the changes of each, the second slot of the last."""
import json
import sys

steps = json.load(open(sys.argv[1], encoding="utf-8"))
print(json.dumps(sorted(set().union(*steps))))
for step in steps:
    print(step["message"]["number"], step["message"]["role"], json.dumps(step["changes"]))
print(json.dumps(steps[-1]["state"]["confirmed"][1]))
