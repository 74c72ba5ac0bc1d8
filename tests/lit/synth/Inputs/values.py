"""Values of made dialogues: spread over their kinds, and nothing said that gold does not have.

    values.py FOLDER TOOLS...

No value makes up more than 2% of the values of its kind (ids, dates, times and numbers aside). Each id, date and time in
a user's message is one of the turn's gold: of its calls, or stale; in a turn that asks back, of a later one.
"""
import collections
import json
import re
import sys

SAID = re.compile(r"\b[A-Z]{2,6}-\d{5}\b|\b\d{4}-\d\d-\d\d\b|\b\d\d:\d\d\b")

kinds = {}
for path in sys.argv[2:]:
    for line in open(path, encoding="utf-8"):
        tool = json.loads(line)
        for name, schema in tool["parameters"]["properties"].items():
            kind = schema.get("kind")
            if kind and not kind.endswith("_id"):
                kinds[tool["name"], name] = kind

counts = collections.defaultdict(collections.Counter)
checked = 0
for line in open(sys.argv[1], encoding="utf-8"):
    data = json.loads(line)
    for message in data["messages"]:
        for call in message.get("tool_calls", []):
            for name, value in json.loads(call["function"]["arguments"]).items():
                kind = kinds.get((call["function"]["name"], name))
                if kind:
                    counts[kind][value] += 1
    users = [message["content"] for message in data["messages"] if message["role"] == "user"]
    turns = data["gold"]["turns"]
    for turn in turns:
        later = [turn] if turn["calls"] else [t for t in turns if t["turn"] >= turn["turn"]]
        known = {str(v) for t in later for call in t["calls"] for v in call["arguments"].values()}
        known |= {str(slot["value"]) for slot in turn.get("stale", [])}
        # A task that is given up is in no gold; what was said of it before it was is no contradiction.
        if turn["kind"] == "clarify" and data["scenario"].startswith("irrelevant_reply"):
            continue
        for value in SAID.findall(users[turn["turn"] - 1]):
            checked += 1
            assert any(value in one for one in known), f"{data['id']} turn {turn['turn']}: {value} is not in {known}"
assert checked > 1000, checked
seen = 0
for kind, values in counts.items():
    total = sum(values.values())
    if total < 1000:
        continue
    seen += 1
    value, most = values.most_common(1)[0]
    assert most <= 0.02 * total + 3 * (0.02 * total) ** 0.5, f"{kind}: {value} makes up {100 * most / total:.1f}% of {total}"
assert seen > 5, seen
