"""Compares the engine's belief states and blocks with the oracle's, message by message.

    python3 belief_run.py --wend PATH [--count N] [--seed S] [--only PART,...] [--most N] [--spec FILE] [--policy P]

Parts: golden (hand-worked dialogues of every scenario), generated, metrics (the dialogues of generate.py), shared (real
transcripts under $WEND_SHARED_DATA, at most --most dialogues of each file). Exits 1 on any difference, and where a
block that is read back is not the state it came from. What differs is
shown by field, the first dialogue of each in full up to the message at which it differs.
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

import belief
import belief_generate
import belief_readback
import convert
import generate
from belief_events import events_of
from belief_render import context_manager
from engine import Engine, EngineError

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DATA = os.path.join(ROOT, "tests", "data", "belief")
PARTS = ("golden", "generated", "metrics", "shared")
SHOWN_MESSAGES = 4000  # characters


def golden():
    """(dialogue, the block after its last message) of every scenario."""
    with open(os.path.join(DATA, "scenarios.jsonl"), encoding="utf-8") as lines:
        for line in lines:
            data = json.loads(line)
            with open(os.path.join(DATA, "blocks", data["id"] + ".xml"), encoding="utf-8") as block:
                yield data, block.read().rstrip("\n")


def after_messages(data, policy="accumulate"):
    """message -> (state, block) after its last event."""
    found = {}
    events = list(events_of(data))
    state = belief.BeliefState(data.get("tools"), policy)
    for event, following in zip(events, events[1:] + [None]):
        state.handle(event)
        if following is None or following.message != event.message:
            found[event.message] = (json.loads(json.dumps(state.as_json())), context_manager(state))
    return found


def differences(got, wanted, path=""):
    """(path, engine's, oracle's) wherever two JSON values differ, as far down as they are of one shape."""
    if isinstance(got, dict) and isinstance(wanted, dict):
        for name in list(wanted) + [name for name in got if name not in wanted]:
            yield from differences(got.get(name), wanted.get(name), f"{path}.{name}" if path else name)
    elif isinstance(got, list) and isinstance(wanted, list) and len(got) == len(wanted):
        for number, (one, other) in enumerate(zip(got, wanted)):
            yield from differences(one, other, f"{path}[{number}]")
    elif got != wanted or isinstance(got, bool) is not isinstance(wanted, bool):
        yield path, got, wanted  # 1e22 and its digits are one number


def block_differences(got, wanted):
    """(sub-block, engine's, oracle's) of blocks that are not the same text."""
    if got == wanted:
        return
    lines = list(zip((got or "").split("\n"), wanted.split("\n")))
    if len((got or "").split("\n")) != len(wanted.split("\n")):
        yield "block", got, wanted
    for one, other in lines:
        if one != other:
            yield "block." + other[1 : other.find(">")], one, other


def transcripts(root, folder):
    """(name, dialogues) of the shared data: as the oracle reads it, then as scripts/convert does."""
    for name, dialogues, _ in convert.convert_all(root):
        yield name, dialogues
    out = os.path.join(folder, "converted")
    command = [sys.executable, os.path.join(ROOT, "scripts", "convert"), "all", root, "--out", out]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    for file in sorted(os.listdir(out)):
        with open(os.path.join(out, file), encoding="utf-8") as lines:
            yield f"converted/{file}", [json.loads(line) for line in lines]


def with_texts(data):
    """The dialogue with results that are no text as JSON: how an object is written is the file's matter."""
    messages = [
        {**said, "content": json.dumps(said["content"], ensure_ascii=False)} if isinstance(said.get("content"), dict) else said
        for said in data["messages"]
    ]
    return {**data, "messages": messages}


class Run:
    def __init__(self, engine, options, folder):
        self.engine = engine
        self.options = options
        self.folder = folder
        self.messages = self.dialogues = self.wrong = 0
        self.found = collections.OrderedDict()  # field -> [(part, dialogue, message, engine's, oracle's)]
        self.problems = []

    def compare(self, name, dialogues):
        dialogues = [with_texts(data) for data in dialogues]
        path = os.path.join(self.folder, "".join(ch if ch.isalnum() else "_" for ch in name) + ".jsonl")
        generate.write_jsonl(path, dialogues)
        try:
            rows = self.engine.beliefs(path, self.options.policy)
        except EngineError as error:
            self.problems.append(f"{name}: {error}")
            return
        if len(rows) != len(dialogues):
            self.problems.append(f"{name}: {len(rows)} of {len(dialogues)} dialogues")
            return
        before = self.wrong
        for data, row in zip(dialogues, rows):
            self.dialogue(name, data, row)
        print(f"  {name}: {len(dialogues)} dialogues, {self.wrong - before} differ")

    def dialogue(self, name, data, row):
        wanted = after_messages(data, self.options.policy)
        self.dialogues += 1
        got = {step["message"]["number"] - 1: step for step in row["steps"]}
        for message in sorted(wanted):
            self.messages += 1
            if message not in got:
                self.add("steps", name, data, message, None, "a step")
                return
            for fault in belief_readback.faults(got[message]["block"], got[message]["state"]):
                self.problems.append(f"{name}: {data['id']}: message {message}: the block read back: {fault}")
            state, block = wanted[message]
            found = list(differences(got[message]["state"], state)) + list(block_differences(got[message]["block"], block))
            if found:
                for field, one, other in found:
                    self.add(field, name, data, message, one, other)
                self.wrong += 1
                return  # what follows from a difference is no news

    def add(self, field, *what):
        plain = "".join(ch for ch in field if not ch.isdigit())
        self.found.setdefault(plain, []).append(what)

    def golden(self):
        self.compare("golden", [data for data, _ in golden()])
        for data, block in golden():
            steps = after_messages(data)
            last = max(steps)
            for field, one, other in block_differences(steps[last][1], block):
                self.problems.append(f"{data['id']}: the oracle's {field} is {one}, by hand it is {other}")

    def generated(self):
        self.compare("generated", belief_generate.generate(self.options.count, self.options.seed))

    def metrics(self):
        self.compare("metrics", generate.generate(self.options.count // 4, self.options.seed))

    def shared(self):
        root = os.environ.get("WEND_SHARED_DATA") or os.path.join(os.path.dirname(ROOT), "shared", "data")
        if not os.path.isdir(root):
            print("  no shared data: set WEND_SHARED_DATA")
            return
        rng = random.Random(self.options.seed)
        for name, dialogues in transcripts(root, self.folder):
            if self.options.most and len(dialogues) > self.options.most:
                dialogues = rng.sample(dialogues, self.options.most)
            self.compare(name, dialogues)

    def print(self):
        print(f"{self.dialogues} dialogues, {self.messages} messages compared, {self.wrong} dialogues differ")
        for problem in self.problems[:20]:
            print(f"problem: {problem}")
        for field, cases in sorted(self.found.items(), key=lambda item: -len(item[1])):
            print(f"{len(cases):6} x {field}")
        shown = set()
        for field, cases in self.found.items():
            name, data, message, one, other = min(cases, key=lambda case: case[2])
            if data["id"] in shown or len(shown) >= self.options.show:
                continue
            shown.add(data["id"])
            print(f"\n{name}: {data['id']}: message {message}: {field}\n  engine {short(one)}\n  oracle {short(other)}")
            for number, said in enumerate(data["messages"][: message + 1]):
                print(f"  {number} {short(said, 700)}")


def short(value, limit=SHOWN_MESSAGES):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else text[:limit] + " ..."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wend", required=True, help="the wend command")
    parser.add_argument("--spec", default=os.path.join(ROOT, "specs", "iacm", "belief.wend"))
    parser.add_argument("--engine", default="auto", help="the engine's back end: jit, interpreter or auto")
    parser.add_argument("--policy", default="accumulate", choices=belief.POLICIES)
    parser.add_argument("--count", type=int, default=2000, help="generated dialogues")
    parser.add_argument("--most", type=int, default=40, help="dialogues of each file of shared data; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5, help="differences to show in full")
    parser.add_argument("--only", default=",".join(PARTS), help="parts to run")
    parser.add_argument("--keep", help="a folder for the files that were compared")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        run = Run(Engine(options.wend, options.spec, options.engine), options, folder)
        for part in options.only.split(","):
            print(part)
            getattr(run, part)()
        run.print()
    return 1 if run.wrong or run.problems else 0


if __name__ == "__main__":
    sys.exit(main())
