"""Native dialogues: how they are put together, counted and written."""

import json
import os
from collections import Counter


class Dialogue:
    """A dialogue under construction. `turn` is the number of the last user message."""

    def __init__(self, name, tools=None, profile=None):
        self.name, self.tools, self.profile = name, tools, profile
        self.messages = []
        self.gold_turns = {}
        self.gold = {}
        self.turn = 0
        self.calls = 0

    def say(self, role, text):
        self.messages.append({"role": role, "content": text})
        self.turn += role == "user"

    def call(self, *calls, results=()):
        """One assistant message that makes the calls, `call(...)` each, and the texts that they returned."""
        made = []
        for item in calls:
            self.calls += 1
            function = {"name": item["name"], "arguments": item["arguments"]}
            made.append({"id": f"call-{self.calls}", "type": "function", "function": function})
        self.messages.append({"role": "assistant", "content": None, "tool_calls": made})
        for item, result in zip(made, results):
            self.messages.append({"role": "tool", "tool_call_id": item["id"], "content": result})

    def expect(self, kind=None, calls=(), **labels):
        """Adds to what is expected in this turn. A turn with calls is of kind tool, whatever else happens in it."""
        if not self.turn:
            return
        turn = self.gold_turns.setdefault(self.turn, {"turn": self.turn})
        if calls:
            turn["kind"] = "tool"
            turn.setdefault("calls", []).extend(calls)
        elif kind:
            turn.setdefault("kind", kind)
        turn.update(labels)

    def record(self):
        data = {"id": self.name}
        if self.profile is not None:
            data["profile"] = self.profile
        if self.tools is not None:
            data["tools"] = self.tools
        data["messages"] = self.messages
        gold = dict(self.gold)
        if self.gold_turns:
            gold = {"turns": list(self.gold_turns.values())} | gold
        if gold:
            data["gold"] = gold
        return data


def call(name, arguments, accept=None):
    """A call; as an expected one it may `accept` further values: {parameter: [value, ...]}."""
    made = {"name": name, "arguments": arguments}
    if accept:
        made["accept"] = accept
    return made


def tool(name, description, properties, required):
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def result_text(value):
    """What a tool returned, as text: a string as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class Report:
    """What was written, and what was left out or changed and why."""

    def __init__(self):
        self.counts = Counter()
        self.skipped = []  # (place, cause): records that are not in the output
        self.notes = Counter()  # {cause: how often}: records that are, but not all of them

    def skip(self, place, cause):
        self.skipped.append((place, cause))

    def attempt(self, place, make, *args):
        """[record] of the dialogue that `make` puts together, or [] and a skip where the data has another shape."""
        try:
            return [make(*args).record()]
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            self.skip(place, f"not in the expected shape ({type(error).__name__}: {error})")
            return []

    def note(self, cause):
        self.notes[cause] += 1

    def count(self, record):
        messages = record["messages"]
        self.counts["dialogues"] += 1
        self.counts["turns"] += sum(message["role"] == "user" for message in messages)
        self.counts["calls"] += sum(len(message.get("tool_calls") or []) for message in messages)
        self.counts["results"] += sum(message["role"] == "tool" for message in messages)
        gold = record.get("gold") or {}
        turns = gold.get("turns") or []
        self.counts["expected calls"] += len(gold.get("calls") or []) + sum(
            len(turn.get("calls") or []) for turn in turns
        )
        self.counts["states"] += len(gold.get("states") or [])

    def text(self):
        names = ("dialogues", "turns", "calls", "results", "expected calls", "states")
        lines = [", ".join(f"{self.counts[name]} {name}" for name in names) + f", {len(self.skipped)} skipped"]
        places = {}
        for place, cause in self.skipped:
            places.setdefault(cause, []).append(place)
        for cause, where in places.items():
            lines.append(f"  skipped {where[0]}" + (f" and {len(where) - 1} more" if where[1:] else "") + f": {cause}")
        lines += [f"  note: {cause} ({number})" for cause, number in self.notes.items()]
        return "\n".join(lines)


def line(record):
    """The record as a line of JSON. Half of a surrogate pair is no text in UTF-8, so it stays an escape."""
    text = json.dumps(record, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(record)
    return text + "\n"


def files(folder, ending, *beginnings):
    """The folder's files with that ending and one of the beginnings, sub-folders included, in order of path."""
    found = []
    for path, _, names in os.walk(folder):
        found += [os.path.join(path, name) for name in names if name.endswith(ending) and name.startswith(beginnings)]
    return sorted(found)


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(text) for text in file if text.strip()]
