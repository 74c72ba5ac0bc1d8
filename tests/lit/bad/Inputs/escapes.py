"""Writes data and specs that hold what terminals obey: escapes.py FOLDER."""

import json
import os
import sys

CLEAR = "\x1b[2J\x1b]0;title\x07\x9b31m\x7f"

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)


def write(name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def call(value):
    function = {"name": "set" + CLEAR, "arguments": {"to" + CLEAR: value}}
    return {"role": "assistant", "content": "Done" + CLEAR, "tool_calls": [{"id": "a", "function": function}]}


records = []
for number in range(2):
    messages = [{"role": "user", "content": "Set it" + CLEAR}, call("x" + CLEAR), call("y"), call("y")]
    expected = {"name": "set" + CLEAR, "arguments": {"to" + CLEAR: "x" + CLEAR}}
    gold = {"turns": [{"turn": 1, "calls": [expected]}]}
    records.append({"id": f"{CLEAR}{number}", "family": "kind" + CLEAR, "messages": messages, "gold": gold})
broken = {"id": "b", "messages": [{"role": CLEAR}]}
write("data.jsonl", "".join(json.dumps(record) + "\n" for record in [*records, broken]))

TEST = 'test "a %s" {\n  trace { user "x%s" }\n  expect N == 2.0\n}\n'
write("titles.wend", "module titles\nmetric N : real = count(t in traces)\n" + TEST % (CLEAR, CLEAR))
write("wrong.wend", f'module wrong\nfn f(u: Turn) -> bool = u.number == "{CLEAR}"  // {CLEAR}\n')
write("missing.wend", f"module missing\nuse a.{CLEAR}\n")
