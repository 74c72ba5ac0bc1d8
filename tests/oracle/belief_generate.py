"""A seeded generator of dialogues that a belief state has much to do with.

    python3 belief_generate.py COUNT [SEED] > FILE

Users set, change and take back values in many forms, point at things, interrupt themselves; agents ask, call, answer;
tools return lists, errors, text and what breaks tags. What is expected of the agent is not in them.
"""

import json
import random
import re
import sys

import belief_vocabulary as words


class Dialogue:
    def __init__(self, rng, name):
        self.rng = rng
        self.name = name
        self.tools = rng.sample(words.TOOLS, rng.randint(1, 6))
        self.messages = []
        self.calls = 0
        self.said = []  # values that the dialogue has had

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, items):
        return self.rng.choice(items)

    # What is spoken of.

    def params(self, tool=None):
        tool = tool or self.pick(self.tools)
        return list(tool["parameters"]["properties"]) or ["time"]

    def param_words(self, tool=None):
        name = self.pick(self.params(tool))
        if self.chance(0.2):
            return name
        spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
        return re.sub(r"[_-]", " ", spaced).lower()

    def value(self):
        if self.said and self.chance(0.3):
            value = self.pick(self.said)
        else:
            value = self.pick(words.ALL_VALUES)
        self.said.append(value)
        if self.chance(0.15):
            return self.pick(words.QUOTED).format(value)
        if self.chance(0.08):
            return self.pick([value.upper(), value.lower(), value.title(), value + "s", value[:-1]])
        return value

    def filled(self, template):
        value = template.replace("{0}", self.value()).replace("{1}", self.value()).replace("{v}", self.value())
        tool = self.pick(self.tools)
        value = value.replace("{p}", self.param_words(tool)).replace("{q}", self.param_words(tool))
        return value.replace("{t}", tool["name"].replace("_", " "))

    # The user.

    def user(self):
        if self.chance(0.15):
            text = self.filled(self.pick(words.ANSWERS))
        else:
            parts = [self.pick(words.OPENERS)]
            if self.chance(0.5):
                parts.append(self.pick(self.tools)["name"].replace("_", " "))
            for _ in range(self.rng.randint(0, 4)):
                kind = self.rng.choices(
                    [words.NEAR, words.CHANGES, words.CUES, words.REFERENCES], [0.55, 0.15, 0.18, 0.12]
                )[0]
                parts.append(self.filled(self.pick(kind)))
            if self.chance(0.1):
                self.rng.shuffle(parts)
            text = self.pick([" ", " ", " ", ", ", ". ", " and ", "\n"]).join(part for part in parts if part)
        text += self.pick(words.TAILS) if self.chance(0.6) else ""
        if self.chance(0.03) and text:
            place = self.rng.randrange(len(text))
            text = text[:place] + self.pick(["\u200b", "\u200d", "\u00ad", "\u0301", "\u202e", "<", "\ud55c"]) + text[place:]
        if self.chance(0.01):
            text = self.pick(["", " ", "a" * 5000, "7am " * 80, "x\u00e9" * 2000])
        self.messages.append({"role": "user", "content": text})

    # The agent.

    def argument(self, schema):
        kind = schema.get("type")
        if "enum" in schema and self.chance(0.8):
            return self.pick(schema["enum"])
        if kind == "integer":
            return self.pick([1, 2, 3, 20, 12345, 2.0, "4"])
        if kind == "number":
            return self.pick([50, 19.99, 1e22, 0.1, -4, 250.0])
        if kind == "boolean":
            return self.pick([True, False])
        if kind == "array":
            return [self.pick(["#W123", "a", 1, 2]) for _ in range(self.rng.randint(0, 3))]
        if kind == "object":
            return self.pick([{"b": 1.0, "a": ["<x>"]}, {}, {"t": "7am"}])
        if self.said and self.chance(0.5):
            return self.pick(self.said)
        return self.pick(words.ALL_VALUES + ["07:00", "06:30", "19:00", "2024-05-20", "Oslo", "</Context_Manager>", None])

    def call(self):
        listed = []
        for _ in range(self.pick([1, 1, 1, 2, 3])):
            tool = self.pick(self.tools)
            properties = tool["parameters"]["properties"]
            args = {name: self.argument(schema) for name, schema in properties.items() if self.chance(0.6)}
            if self.chance(0.05):
                args["extra"] = "x"
            self.calls += 1
            written = json.dumps(args) if self.chance(0.5) else args
            if self.chance(0.02):
                written = self.pick(["{bad", "", None, "[1]"])
            call = {"id": f"c{self.calls}", "function": {"name": tool["name"], "arguments": written}}
            if self.chance(0.05):
                call["function"]["name"] = "elsewhere"
            if self.chance(0.04):
                call["id"] = "c1"
            if self.chance(0.04):
                del call["id"]
            listed.append(call)
        text = self.pick([None, None, "", "I will look.", "What is the time? Let me see."])
        self.messages.append({"role": "assistant", "content": text, "tool_calls": listed})
        if self.chance(0.1):
            self.rng.shuffle(listed)
        for call in listed:
            if not self.chance(0.05):
                message = {"role": "tool", "content": self.result()}
                if "id" in call:
                    message["tool_call_id"] = call["id"]
                self.messages.append(message)

    def result(self):
        way = self.rng.random()
        if way < 0.25:
            items = self.rng.sample(words.LISTED, self.rng.randint(0, 4))
            if self.chance(0.5):
                items = self.rng.sample(words.LISTED[:3], self.rng.randint(1, 3))
            shape = self.pick([items, {"results": items}, {"orders": items, "count": 2}, {"a": items, "b": items}])
            return self.json_text(shape)
        if way < 0.4:
            error = self.pick(words.ERRORS)
            return error if isinstance(error, str) else self.json_text(error)
        if way < 0.6:
            return self.pick(words.TEXTS)
        item = dict(self.pick(words.LISTED[:6]))
        item.update(self.pick([{}, {"status": "confirmed"}, {"type": "order"}, {"state": "<open> & \"x\""}, {"order_id": 4711}]))
        if self.said and self.chance(0.5):
            item[self.pick(["city", "order_id", "name", "restaurant_name", "date", "x"])] = self.pick(self.said)
        if self.chance(0.02):
            item["long"] = "y" * 3000
        return self.json_text(item)

    def json_text(self, value):
        return json.dumps(value, ensure_ascii=self.chance(0.3), indent=self.pick([None, None, 1]))

    def reply(self):
        template = self.pick(words.QUESTIONS if self.chance(0.5) else words.STATEMENTS)
        self.messages.append({"role": "assistant", "content": self.filled(template)})

    def build(self):
        if self.chance(0.1):
            self.messages.append({"role": "system", "content": "You are an agent."})
        if self.chance(0.05):
            self.reply()
        for _ in range(self.rng.choices([1, 2, 3, 5, 8], [0.2, 0.25, 0.25, 0.2, 0.1])[0]):
            self.user()
            for _ in range(self.pick([0, 0, 1, 1, 2])):
                self.call()
            if self.chance(0.8):
                self.reply()
        data = {"id": self.name, "tools": self.tools, "messages": self.messages}
        if self.chance(0.05):
            del data["tools"]
        return data


def generate(count, seed=1):
    rng = random.Random(f"belief {seed}")
    return [Dialogue(rng, f"b{seed}-{number}").build() for number in range(1, count + 1)]


if __name__ == "__main__":
    for dialogue in generate(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1):
        print(json.dumps(dialogue, ensure_ascii=False))
