"""A seeded generator of native-format dialogues that reach every rule and its edges.

    python3 generate.py COUNT [SEED] > FILE

Every dialogue carries a key `edges` (ignored by readers) that names the rarer things in it.
"""

import copy
import json
import random
import sys

from metrics import FAMILY_METRIC
from values import number_text
from vocabulary import (
    BLANKS,
    CUES,
    MALFORMED,
    MISSING_NAMES,
    OUT_OF_POOL,
    QUESTIONS,
    SMALL_TALK,
    STATEMENTS,
    TAGGED,
    TOOLS,
    loosely_equal_form,
    strictly_equal_form,
)


class Dialogue:
    """Builds one dialogue: first what gold expects by turn, then what the user says and what the agent does."""

    def __init__(self, rng, name):
        self.rng = rng
        self.name = name
        self.edges = set()
        self.quality = rng.choice([0.97, 0.85, 0.6, 0.2])  # how often the agent follows gold
        self.names = rng.sample(list(TOOLS), rng.randint(3, 6))
        self.gold = []  # gold turns
        self.messages = []
        self.made = []  # calls of the agent so far, as (name, args)
        self.next_id = 0

    def chance(self, probability):
        return self.rng.random() < probability

    def edge(self, probability, name):
        if self.chance(probability):
            self.edges.add(name)
            return True
        return False

    # Gold.

    def random_args(self, name):
        params = TOOLS[name]
        return {p: self.rng.choice(spec["values"]) for p, spec in params.items() if self.chance(0.75)}

    def gold_call(self, name, args):
        call = {"name": name, "arguments": args}
        params = [p for p in args if p in TOOLS[name]]
        if params and self.chance(0.2):
            p = self.rng.choice(params)
            values = TOOLS[name][p]["values"]
            call["accept"] = {p: self.rng.sample(values, min(len(values), self.rng.randint(1, 2)))}
        if params and self.chance(0.2):
            call["optional"] = self.rng.sample(params, self.rng.randint(1, min(2, len(params))))
        return call

    def earlier_gold(self):
        return [call for turn in self.gold for call in turn.get("calls", [])]

    def plan_turn(self, number):
        turn = {"turn": number}
        kind = self.rng.choices(["tool", "clarify", "language"], [0.72, 0.15, 0.13])[0]
        signal = self.rng.choices(
            ["none", "modified", "interrupted", "accumulate", "reset", "clarify"], [0.4, 0.25, 0.2, 0.07, 0.04, 0.04]
        )[0]
        if kind == "tool":
            turn["calls"] = self.plan_calls(signal, turn)
        elif kind == "clarify" and self.chance(0.8):
            turn["missing"] = self.rng.sample(MISSING_NAMES, self.rng.randint(0, 3))
        if kind == "clarify" or self.chance(0.5):
            turn["kind"] = kind
        if kind == "clarify" and self.edge(0.05, "clarify_with_calls"):
            turn["calls"] = self.plan_calls("none", turn)
        if signal != "none" or self.chance(0.3):
            turn["signal"] = signal
        if self.edge(0.05, "random_stale"):
            name = self.rng.choice([n for n in self.names if TOOLS[n]] or ["alarm"])
            p = self.rng.choice(list(TOOLS[name]))
            entry = {"tool": name, "param": p, "value": self.rng.choice(TOOLS[name][p]["values"])}
            turn.setdefault("stale", []).append(entry)
        self.gold.append(turn)

    def plan_calls(self, signal, turn):
        earlier = [call for call in self.earlier_gold() if call["arguments"]]
        if signal == "modified" and earlier and self.chance(0.9):
            return [self.modified_call(self.rng.choice(earlier), turn)]
        count = self.rng.choices([0, 1, 2, 3, 5], [0.04, 0.56, 0.22, 0.1, 0.08])[0]
        calls = []
        for _ in range(count):
            name = self.rng.choice(self.names)
            calls.append(self.gold_call(name, self.random_args(name)))
        if calls and self.edge(0.06, "gold_twice"):
            calls.append(json.loads(json.dumps(self.rng.choice(calls))))
        if earlier and self.edge(0.08, "gold_again"):
            calls.append(json.loads(json.dumps(self.rng.choice(earlier))))
        return calls

    def modified_call(self, old, turn):
        """The call again with one or two arguments overwritten; the old values are sometimes listed as stale."""
        args = dict(old["arguments"])
        known = [p for p in args if p in TOOLS[old["name"]]]
        for p in self.rng.sample(known, min(len(known), self.rng.randint(1, 2))):
            if self.chance(0.6):
                turn.setdefault("stale", []).append({"tool": old["name"], "param": p, "value": args[p]})
            args[p] = self.rng.choice(TOOLS[old["name"]][p]["values"])
        return self.gold_call(old["name"], args)

    def plan_chains(self):
        places = [(t["turn"], i) for t in self.gold for i in range(len(t.get("calls", [])))]
        chains = []
        for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
            if not places:
                break
            chosen = sorted(self.rng.sample(places, min(len(places), self.rng.randint(1, 6))))
            links = [{"turn": turn, "call": call} for turn, call in chosen]
            for position in range(1, len(links)):
                if self.chance(0.7):
                    first = position - 1 if self.chance(0.7) else self.rng.randrange(position)
                    needs = [{"link": first, "field": "id", "param": "x"}]
                    if position > 1 and self.chance(0.2):
                        needs.append({"link": 0, "field": "id", "param": "y"})
                    links[position]["needs"] = needs
            chains.append({"links": links})
        if places and self.edge(0.02, "empty_chain"):
            chains.append({"links": []})
        return chains

    # The conversation.

    def write(self, role, text, **more):
        if isinstance(text, str) and len(text) > 4 and self.edge(0.06, "text_parts"):
            cut = self.rng.randrange(1, len(text))
            text = [{"type": "text", "text": text[:cut]}, {"type": "text", "text": text[cut:]}]
        message = {"role": role, "content": text, **more}
        if text is None and self.chance(0.5):
            del message["content"]
        self.messages.append(message)

    def value_text(self, value):
        if isinstance(value, str):
            return self.rng.choice([value, value, value.lower(), value.upper()])
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return number_text(value)
        if isinstance(value, (list, dict)):
            items = value if isinstance(value, list) else list(value.values())
            return " ".join(self.value_text(item) for item in items)
        return str(value)

    def user_turn(self, turn):
        words = [CUES[turn.get("signal", "none")]]
        for call in turn.get("calls", []):
            for value in call["arguments"].values():
                if self.chance(0.6):
                    words.append(self.value_text(value))
        if self.chance(0.4):
            words.append(self.rng.choice(SMALL_TALK))
        if self.chance(0.2):
            self.rng.shuffle(words)
        self.write("user", self.rng.choice([" ", " ", ", ", ". "]).join(words))

    def agent_turn(self, turn):
        calls = self.planned_calls(turn)
        while calls:
            size = self.rng.choice([1, 1, 2, len(calls)])
            self.call_message(calls[:size])
            calls = calls[size:]
        kind = turn.get("kind", "tool" if turn.get("calls") else "language")
        if not self.messages[-1]["role"] == "user" and self.chance(0.3):
            return
        self.reply(kind)

    def reply(self, kind):
        odd = self.rng.random()
        if odd < 0.06:
            self.edges.add("blank_reply")
            self.write("assistant", self.rng.choice(BLANKS))
        elif odd < 0.12:
            self.edges.add("tags")
            self.write("assistant", self.rng.choice(TAGGED))
        else:
            asks = self.chance(0.8 if kind == "clarify" else 0.2)
            self.write("assistant", self.rng.choice(QUESTIONS if asks else STATEMENTS))
        if self.edge(0.04, "two_replies"):
            self.write("assistant", self.rng.choice(QUESTIONS + STATEMENTS))

    def planned_calls(self, turn):
        """What the agent calls in the turn: gold's calls, followed well or badly, and then some."""
        calls = []
        for gold in turn.get("calls", []):
            if self.chance(self.quality):
                calls.append(self.faithful(gold))
            elif self.chance(0.7):
                calls.append(self.unfaithful(gold))
        if turn.get("signal") == "modified" and self.edge(0.25, "stale_reuse"):
            calls += [self.with_stale_values(gold, turn) for gold in turn.get("calls", [])[:1]]
        if len(calls) > 1 and self.edge(0.2, "reordered"):
            self.rng.shuffle(calls)
        if self.chance((1 - self.quality) * 0.6) or (not calls and self.chance(0.08)):
            calls.insert(self.rng.randint(0, len(calls)), self.stray())
        if calls and self.edge(0.03, "called_at_once_again"):
            calls.append(calls[-1])
        if self.edge(0.04, "cycle"):
            calls += self.cycle(calls)
        return calls

    def faithful(self, gold):
        name, args = gold["name"], dict(gold["arguments"])
        for p in list(args):
            way = self.rng.random()
            if way < 0.12:
                args[p] = strictly_equal_form(self.rng, args[p])
            elif way < 0.2 and p in gold.get("accept", {}):
                args[p] = self.rng.choice(gold["accept"][p])
            elif way < 0.5 and p in gold.get("optional", []):
                del args[p]
        items = list(args.items())
        self.rng.shuffle(items)
        return name, dict(items)

    def unfaithful(self, gold):
        name, args = gold["name"], dict(gold["arguments"])
        params = list(TOOLS[name])
        way = self.rng.choice(["loose", "wrong", "stale", "drop", "add", "default", "undeclared", "rename", "wrong"])
        if way == "rename":
            return self.rng.choice(self.names + OUT_OF_POOL), args
        if way == "undeclared":
            args[self.rng.choice(["loud", "Time", "extra"])] = self.rng.choice([True, None, "x", "2", "hi", []])
        elif way == "default" and params:
            for p in params:
                if "default" in TOOLS[name][p]["schema"]:
                    if p in args and self.chance(0.5):
                        del args[p]
                    else:
                        args[p] = self.rng.choice([TOOLS[name][p]["schema"]["default"], "1", "ONCE"])
        elif way == "drop" and args:
            del args[self.rng.choice(list(args))]
        elif way == "loose":
            args = {p: loosely_equal_form(self.rng, value) for p, value in args.items()}
        elif way == "stale":
            older = [call["arguments"] for call in self.earlier_gold() if call["name"] == name]
            older += [made for made_name, made in self.made if made_name == name]
            if older:
                args.update(self.rng.choice(older))
        elif params:
            p = self.rng.choice(params)
            args[p] = self.rng.choice(TOOLS[name][p]["values"])
        return name, args

    def with_stale_values(self, gold, turn):
        """Gold's call with what the user has overwritten."""
        name, args = gold["name"], dict(gold["arguments"])
        for old in turn.get("stale", []):
            if old["tool"] == name:
                args[old["param"]] = old["value"]
        older = [call["arguments"] for call in self.earlier_gold() if call["name"] == name and call is not gold]
        if older and self.chance(0.5):
            args.update(self.rng.choice(older))
        return name, args

    def stray(self):
        way = self.rng.random()
        if self.made and way < 0.4:
            self.edges.add("called_again")
            return self.rng.choice(self.made)
        if way < 0.6:
            self.edges.add("out_of_pool")
            return self.rng.choice(OUT_OF_POOL), {"x": self.rng.choice([1, "2", "nowhere", True])}
        name = self.rng.choice(list(TOOLS))
        return name, self.random_args(name)

    def cycle(self, calls):
        period = self.rng.randint(1, 4)
        base = (calls + [self.stray() for _ in range(period)])[:period]
        repeats = self.rng.randint(2, 4)
        return (base * repeats)[: period * repeats - self.rng.choice([0, 0, 1])]

    def call_message(self, calls):
        listed = []
        for name, args in calls:
            self.made.append((name, args))
            self.next_id += 1
            written = args
            if self.chance(0.5):
                written = json.dumps(args, ensure_ascii=self.chance(0.5), indent=self.rng.choice([None, None, 1]))
            function = {"name": name, "arguments": written}
            if not args and self.edge(0.1, "no_arguments"):
                function["arguments"] = self.rng.choice(["", None, "{}"])
            if self.edge(0.015, "arguments_in_string"):
                function["arguments"] = json.dumps(json.dumps(args))
            if self.edge(0.01, "malformed_arguments"):
                function["arguments"] = self.rng.choice(MALFORMED)
            call = {"id": f"call_{self.next_id}", "type": "function", "function": function}
            way = self.rng.random()
            if way < 0.05:
                self.edges.add("no_call_id")
                del call["id"]
            elif way < 0.1:
                self.edges.add("same_call_id")
                call["id"] = "call_1"
            listed.append(call)
        text = self.rng.choice([None, None, "", "I will do that.", "Let me see?"])
        self.messages.append({"role": "assistant", "content": text, "tool_calls": listed})
        if self.edge(0.05, "no_results"):
            return
        for call, (_, args) in zip(listed, calls):
            words = [self.rng.choice(["ok", "Error: no", "id", ""])]
            words += [self.value_text(value) for value in args.values() if self.chance(0.3)]
            if self.chance(0.2):
                name = self.rng.choice(list(TOOLS))
                words += [self.value_text(value) for value in self.random_args(name).values()]
            text = self.rng.choice([" ".join(words), json.dumps({"result": words})])
            if self.edge(0.05, "json_content"):
                text = self.rng.choice([{"result": words}, {"n": list(args.values())}, 20, 2.5])
            role = "function" if self.edge(0.02, "function_role") else "tool"
            more = {"tool_call_id": call["id"]} if "id" in call else {"name": call["function"]["name"]}
            self.write(role, text, **more)

    # The whole.

    def build(self):
        turns = self.rng.choices([1, 2, 3, 4, 6], [0.2, 0.3, 0.25, 0.15, 0.1])[0]
        for number in range(1, turns + 1):
            self.plan_turn(number)
        if self.chance(0.4):
            self.write(self.rng.choice(["system", "system", "developer"]), "You are an agent. Oslo, 06:30, daily, 3.")
        if self.edge(0.1, "greeting"):
            self.write("assistant", self.rng.choice(["Hi! How can I help?", "", "<tool_call>"]))
        if self.edge(0.01, "calls_before_user"):
            self.call_message([self.stray() for _ in range(self.rng.randint(1, 2))])
        for turn in self.gold:
            self.user_turn(turn)
            last = turn["turn"] == turns
            if not self.edge(0.1 if last else 0.04, "unanswered"):
                self.agent_turn(turn)
        if self.edge(0.03, "trailing_user"):
            self.write("user", "###STOP###")
        data = {"id": self.name, "messages": self.messages}
        self.add_pool(data)
        self.add_gold(data)
        if self.chance(0.3):
            data["profile"] = self.rng.choice(
                [
                    {"home": {"place": "Oslo"}, "age": 20, "likes": ["vegan", 2.5]},
                    "lives in New York, seat 12A",
                    ["daily", None, True, 9876543210123456],
                    {},
                ]
            )
        if self.chance(0.6):
            data["scenario"] = "task_modification"
            data["family"] = self.rng.choice(list(FAMILY_METRIC) + ["Other", ""])
        data["edges"] = sorted(self.edges)
        return data

    def add_pool(self, data):
        if self.edge(0.08, "no_tools"):
            return
        tools = []
        for name in self.names:
            if self.edge(0.04, "gold_tool_not_in_pool"):
                continue
            properties = {p: spec["schema"] for p, spec in TOOLS[name].items()}
            function = {"name": name, "description": "", "parameters": {"type": "object", "properties": properties}}
            if not properties and self.chance(0.5):
                del function["parameters"]
            tools.append(function if self.chance(0.3) else {"type": "function", "function": function})
        if tools and self.edge(0.02, "tool_twice"):
            again = copy.deepcopy(self.rng.choice(tools))
            function = again.get("function", again)
            if self.chance(0.7):
                function["parameters"] = {"type": "object", "properties": {"extra": {"default": "x"}}}
            tools.insert(self.rng.randint(0, len(tools)), again)
        data["tools"] = [] if self.edge(0.01, "empty_pool") else tools

    def add_gold(self, data):
        mode = self.rng.random()
        if mode < 0.05:
            self.edges.add("no_gold")
        elif mode < 0.12:
            self.edges.add("gold_calls_only")
            data["gold"] = {"calls": self.earlier_gold()}
            if self.chance(0.3):
                data["gold"]["chains"] = []
        elif mode < 0.14:
            self.edges.add("gold_without_calls")
            data["gold"] = {}
        else:
            chains = self.plan_chains()
            turns = list(self.gold)
            if not chains and self.edge(0.08, "turns_not_listed"):
                turns = [turn for turn in turns if self.chance(0.6)]
            if turns and self.edge(0.03, "gold_after_the_end"):
                last = copy.deepcopy(self.rng.choice(turns))
                last["turn"] = self.gold[-1]["turn"] + self.rng.randint(2, 4)
                turns.append(last)
            if self.edge(0.02, "gold_turns_shuffled"):
                self.rng.shuffle(turns)
            data["gold"] = {"turns": turns}
            if chains or self.chance(0.2):
                data["gold"]["chains"] = chains


def generate(count, seed=1, without=()):
    """`count` dialogues; those with an edge named in `without` are left out and replaced by others."""
    rng = random.Random(seed)
    made = []
    number = 0
    while len(made) < count:
        number += 1
        data = Dialogue(rng, f"g{seed}-{number}").build()
        if not set(data["edges"]) & set(without):
            made.append(data)
    return made


def write_jsonl(path, dialogues):
    """One line each; every other one with non-ASCII characters escaped."""
    with open(path, "w", encoding="utf-8") as out:
        for number, data in enumerate(dialogues):
            out.write(json.dumps(data, ensure_ascii=number % 2 == 0) + "\n")


if __name__ == "__main__":
    for dialogue in generate(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1):
        print(json.dumps(dialogue, ensure_ascii=False))
