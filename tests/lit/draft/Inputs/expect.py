"""The JSON of tests/data/drafts/drafted.txt against oracle.txt, worked out by hand."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    got = json.load(file)
assert list(got) == ["found", "closed", "block", "trailing", "sub_blocks", "faults", "comparison"], list(got)
assert got["found"] and got["closed"] and got["block"] == [18, 887] and got["trailing"] == [888, 908]
user = got["sub_blocks"][0]
assert user == {
    "name": "Current_User",
    "state": "repaired",
    "at": [36, 128],
    "json": '{"intent_type":"new_task","current_turn_requires_tool":true}',
    "fields": [
        {"item": None, "key": "intent_type", "json": '"new_task"', "at": [66, 76]},
        {"item": None, "key": "current_turn_requires_tool", "json": "true", "at": [108, 112]},
    ],
}, user
assert got["sub_blocks"][8] == {"name": "Tool_Decision_Guide", "state": "missing"}, got["sub_blocks"][8]
assert got["faults"][0] == {
    "kind": "text_before_block",
    "sub_block": None,
    "at": [0, 17],
    "message": "text stands before the block",
}, got["faults"]
seen = got["comparison"]
verdicts = "".join("e" if b["exact"] else "l" if b["loose"] else "r" if b["readable"] else "-" for b in seen["sub_blocks"])
assert verdicts == "rlreeere-", verdicts
assert seen["slots"] == {"drafted": 1, "expected": 2, "right": 0, "precision": 0, "recall": 0, "f1": 0}, seen["slots"]
assert seen["stale"] == {"drafted": 0, "expected": 1, "right": 0, "precision": None, "recall": 0, "f1": 0}, seen["stale"]
assert (seen["goal"], seen["intent"], seen["relation"]) == (True, False, True), seen
