"""Prints a dialogue of N calls, all by agent and gold of one tool: long_dialogue.py N CALLS_PER_TURN [missed].

With `missed`, no call is one that gold expects.
"""
import json
import sys

count, each, missed = int(sys.argv[1]), int(sys.argv[2]), "missed" in sys.argv[3:]


def call(number, shift=0):
    return {"name": "alarm", "arguments": {"time": f"t{number + shift}", "repeat": "once"}}


messages, turns = [], []
for first in range(0, count, each):
    numbers = range(first, min(first + each, count))
    messages.append({"role": "user", "content": f"alarms from t{first} on"})
    messages.append({"role": "assistant", "content": "",
                     "tool_calls": [{"id": f"c{n}", "function": call(n, count if missed else 0)} for n in numbers]})
    turns.append({"turn": len(turns) + 1, "calls": [call(n) for n in numbers]})
print(json.dumps({"id": "long", "messages": messages, "gold": {"turns": turns},
                  "tools": [{"name": "alarm", "parameters": {"type": "object", "properties": {
                      "time": {"type": "string"}, "repeat": {"type": "string"}}}}]}))
