"""API-Bank: *.jsonl, a dialogue a line, or a dialogue a file with a turn a line as published.

Every API turn is a call of its own with its output. The calls are also the expected ones; where the recorded input
has another form than the call (a list in place of its text), that form is accepted too. There are no descriptions of
the tools in the dialogues, so there is no candidate pool.
"""

import os

from converters.native import Dialogue, call, files, read_lines, result_text


def convert(folder, report):
    for path in files(folder, ".jsonl", ""):
        records = read_lines(path)
        if records and "turns" in records[0]:
            sources = [(record["file"], record["turns"]) for record in records]
        else:
            sources = [(os.path.relpath(path, folder), records)]
        for name, turns in sources:
            if all(turn.get("role") in ("User", "AI", "API") for turn in turns):
                yield from report.attempt(name, dialogue, os.path.splitext(name)[0], turns)
            else:
                report.skip(name, "not turns of User, AI and API")


def dialogue(name, turns):
    made = Dialogue(name)
    for turn in turns:
        if turn["role"] == "API":
            api_turn(made, turn)
        else:
            made.say("user" if turn["role"] == "User" else "assistant", turn["text"])
    return made


def api_turn(made, turn):
    arguments, result = turn["param_dict"], turn["result"]
    entered = result.get("input") or {}
    accept = {key: [entered[key]] for key, value in arguments.items() if key in entered and entered[key] != value}
    item = call(turn["api_name"], arguments, accept)
    error = result.get("exception")
    made.call(item, results=[f"Error: {error}" if error else result_text(result["output"])])
    made.expect(calls=[item])
