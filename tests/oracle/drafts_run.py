"""Compares the engine's reading of drafted blocks, and its comparison with an oracle block, with drafts.py.

    python3 drafts_run.py --wend PATH [--count N] [--seed S] [--read N] [--only PART,...]

Parts: read (`wend draft --json` on generated and spoiled blocks, --read of them), score (the counts of --count drafts
as `wend score` sees them, a message each). Exits 1 on any difference.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

from drafts import BLOCK, SUB_BLOCKS, Draft, compare, plain
from drafts_json import DECODER, Object
from engine import Engine

PARTS = ("read", "score")
SHOWN = 5
TEXTS = (
    "07:00", "7:00", "Oslo", "oslo", " OSLO ", "true", "True", "1", "1.0", "01", "", "caf\u00e9", "cafe\u0301",
    "\u4eac\u90fd", "\U0001f600", 'say "hi"', "it's", "C:\\dir", "a\nb", "</Context_Manager>",
    "<Current_User>{}</Current_User>", "{", "]", "x, y: z",
)  # fmt: skip
NUMBERS = (0, 1, 1.0, -0.0, 2.5, 1e10, 2**53 + 1, 10**20, True, False, None)
KEYS = ("alarm.time", "alarm.repeat", "book.city", "book.date", "Alarm.time", "caf\u00e9.x", "a\\b")
PIECES = (
    "<", ">", "</", "{", "}", "[", "]", '"', "'", ",", ":", "\\", "\\u00e9", "\\ud83d", "\\u12", "\n", "\t", " ",
    "```", "```json\n", "None", "True", "NaN", "1e999", "007", "-", "null", "//", "\u00e9", "\x00", "\x07", "<a",
    "<Context_Manager>", "</Context_Manager>", "<context manager>", "<Current_User>", "</Current_User>",
    "< Current_User >", "</Tool_Decision_Guide>", "<History_Relation/>", "<Task-Graph-For-Current-Turn a='1'>",
    "<thought>", "</thought>", "<x/>", "I call it now.", '"inherit_slots":["alarm.time"]',
    '{"arguments":{"alarm.time":1}}',
)  # fmt: skip
BYTES = (b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80")


class Maker:
    def __init__(self, random_):
        self.random = random_

    def one(self, of):
        return self.random.choice(of)

    def value(self, depth=2):
        kind = self.random.randrange(10)
        if depth and kind == 0:
            return [self.value(depth - 1) for _ in range(self.random.randrange(3))]
        if depth and kind == 1:
            return {self.one(KEYS): self.value(depth - 1) for _ in range(self.random.randrange(3))}
        return self.one(NUMBERS) if kind < 5 else self.one(TEXTS)

    def keys(self):
        return self.random.sample(KEYS, self.random.randrange(4))

    def contents(self):
        goal = self.one(TEXTS)
        arguments = {key: self.value() for key in self.keys()}
        task = {"task_id": "T1", "description": goal, "arguments": arguments}
        tasks, stale = [task] * self.random.randrange(3), self.keys()
        relation = {"relation_to_history": self.one(("continues", "overrides"))}
        return [
            {"intent_type": self.one(("new_task", "modify_previous_task")), "current_turn_requires_tool": bool(tasks)},
            {"full_intent": self.one((goal, None)), "deferred_intent_summary": []},
            {**relation, "inherit_slots": self.keys(), "override_slots": stale},
            {self.one(TEXTS): self.value()},
            {"obj_alarm_1": {"type": "alarm", "canonical_slots": arguments}},
            [],
            tasks,
            [{"task_id": "D1", "description": goal}],
            {"call_tool_now": True, "must_override_arguments": stale, "common_error_warnings": [self.one(TEXTS)]},
        ]

    def text(self, contents):
        lines = []
        for name, content in zip(SUB_BLOCKS, contents):
            ascii_ = self.random.randrange(2) == 0
            said = json.dumps(content, ensure_ascii=ascii_, separators=self.one(((",", ":"), (", ", ": "))))
            lines.append(f"<{name}>{said}</{name}>")
        return f"<{BLOCK}>\n" + "\n".join(lines) + f"\n</{BLOCK}>"

    def nudged(self, contents):
        """Contents that differ a little, as those of a draft from its oracle do."""
        other = self.contents()
        mixed = [theirs if self.random.randrange(4) == 0 else ours for ours, theirs in zip(contents, other)]
        return [self.loosened(content) if self.random.randrange(6) == 0 else content for content in mixed]

    def loosened(self, value):
        """The same, loosely."""
        if isinstance(value, dict):
            return {key: self.loosened(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.loosened(item) for item in value]
        if isinstance(value, str):
            return f" {value.upper()} "
        return value if value is None else json.dumps(value)

    def spoiled(self, text):
        for _ in range(self.random.randrange(5)):
            at, kind = self.random.randrange(len(text) + 1), self.random.randrange(13)
            if kind == 0:
                text = text[:at]
            elif kind == 1:
                text = text[:at] + text[at + 1 + self.random.randrange(30) :]
            elif kind == 2:
                lines = text.split("\n")
                self.random.shuffle(lines)
                text = "\n".join(lines)
            elif kind == 3:
                text = text.replace('"', "'")
            elif kind == 4:
                text = text.replace("true", "True").replace("null", "None")
            elif kind == 5:
                lines = text.split("\n")
                lines.insert(self.random.randrange(len(lines) + 1), self.one(lines))
                text = "\n".join(lines)
            elif kind == 6:
                text = text.replace("</" + self.one(SUB_BLOCKS) + ">", self.one(("", "</x>", "```")))
            elif kind == 7:
                name = self.one(SUB_BLOCKS)
                text = text.replace(f"<{name}>", f"<{name}>```json\n").replace(f"</{name}>", f"\n```</{name}>")
            elif kind == 8:
                deep = self.one((3, 511, 512, 600))
                text = text[:at] + "[" * deep + "]" * self.one((0, 1, deep)) + text[at:]
            else:
                text = text[:at] + self.one(PIECES) + text[at:]
        data = text.encode("utf-8")
        if self.random.randrange(20) == 0:
            at = self.random.randrange(len(data) + 1)
            data = data[:at] + self.one(BYTES) + data[at:]
        return data

    def pair(self):
        """(draft, oracle) as bytes."""
        contents = self.contents()
        return self.spoiled(self.text(self.nudged(contents))), self.text(contents).encode("utf-8")


def engine_reading(wend, data, oracle, continues):
    with tempfile.NamedTemporaryFile() as file:
        file.write(oracle)
        file.flush()
        command = [wend, "draft", "-", "--json", "--oracle", file.name] + (["--continues"] if continues else [])
        done = subprocess.run(command, input=data, capture_output=True, timeout=60, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def reading(draft, oracle):
    """What `wend draft --json` says, in the parts that drafts.py knows."""
    return {
        "found": draft.found,
        "closed": draft.closed,
        "block": draft.block,
        "trailing": draft.trailing if draft.found else None,
        "sub_blocks": {
            name: (made.state, made.at, repr(made.value)) for name, made in draft.sub_blocks.items()
        },
        "faults": {(name, kind, *place) for (name, kind), place in draft.faults.items()},
        "comparison": compare(draft, oracle),
    }


def normal(engine):
    trailing = engine["trailing"]
    return {
        "found": engine["found"],
        "closed": engine["closed"],
        "block": engine["block"],
        "trailing": trailing if trailing[0] < trailing[1] else None,
        "sub_blocks": {
            made["name"]: (made["state"], made["at"], repr(DECODER.decode(made["json"]) if "json" in made else None))
            for made in engine["sub_blocks"]
            if made["state"] != "missing"
        },
        "faults": {(fault["sub_block"], fault["kind"], *fault["at"]) for fault in engine["faults"]},
        "comparison": engine["comparison"],
    }


def fields_of(value):
    """(item, key, value) of each field of a sub-block."""
    if isinstance(value, Object):
        return [(None, plain(key), item) for key, item in value]
    fields = []
    for number, item in enumerate(value):
        inside = isinstance(item, Object)
        fields += [(number, plain(key), inner) for key, inner in item] if inside else [(number, None, item)]
    return fields


def fields_differ(engine, draft):
    for made in engine["sub_blocks"]:
        if "fields" in made:
            got = [(field["item"], field["key"], DECODER.decode(field["json"])) for field in made["fields"]]
            if repr(got) != repr(fields_of(draft.sub_blocks[made["name"]].value)):
                return made["name"]
    return None


def read(options):
    maker, wrong = Maker(random.Random(options.seed)), 0
    for number in range(options.read):
        data, oracle = maker.pair()
        continues = number % 5 == 0
        engine = engine_reading(options.wend, data, oracle, continues)
        draft = Draft(data, continues)
        got, wanted = normal(engine), reading(draft, Draft(oracle))
        differ = [key for key in wanted if got[key] != wanted[key]]
        if not differ and (name := fields_differ(engine, draft)):
            differ = ["fields of " + name]
        if differ:
            wrong += 1
            if wrong <= SHOWN:
                print(f"draft {number} differs in {', '.join(differ)}{' (continues)' if continues else ''}\n{data!r}")
                for key in differ:
                    print(f"  engine {got.get(key)}\n  oracle {wanted.get(key)}")
    print(f"  read: {options.read} drafts, {wrong} differences")
    return wrong


COUNTS = [f"{kind}_{what}" for kind in ("slots", "stale") for what in ("drafted", "expected", "right")]
VERDICTS = ("goal", "intent", "relation")
MATCHES = ("readable", "exact", "loose")
SPEC = "module drafts_counts\n" + "".join(
    [f"metric {name} : real = mean(d.{name} for d in drafts)\n" for name in COUNTS]
    + [f"metric {name} : percent = mean(d.{name} for d in drafts)\n" for name in VERDICTS]
    + [f"metric {name} : percent = mean(b.{name} for d in drafts for b in d.sub_blocks)\n" for name in MATCHES]
)


def sums(compared):
    """The sums of a dialogue's drafts, as the spec counts them."""
    total = {name: sum(seen[name.split("_")[0]][name.split("_")[1]] for seen in compared) for name in COUNTS}
    total |= {name: sum(seen[name] for seen in compared) for name in VERDICTS}
    return total | {name: sum(match[name] for seen in compared for match in seen["sub_blocks"]) for name in MATCHES}


def score(options):
    maker, dialogues, wanted = Maker(random.Random(options.seed + 1)), [], []
    for number in range(options.count // 4):
        messages, compared = [{"role": "user", "content": "Hello"}], []
        for _ in range(4):
            data, oracle = maker.pair()
            draft, block = data.decode("utf-8", "replace"), oracle.decode("utf-8")
            said = {"role": "assistant", "content": "Yes."}
            said["draft" if maker.random.randrange(3) else "content"] = draft
            said["block"] = block
            messages.append(said)
            compared.append(compare(Draft(draft.encode("utf-8")), Draft(block.encode("utf-8"))))
        dialogues.append({"id": str(number), "messages": messages})
        wanted.append(sums(compared))
    with tempfile.TemporaryDirectory() as folder:
        spec, path = os.path.join(folder, "drafts_counts.wend"), os.path.join(folder, "drafts.jsonl")
        with open(spec, "w", encoding="utf-8") as file:
            file.write(SPEC)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(data) + "\n" for data in dialogues)
        rows = Engine(options.wend, spec).rows_of_file(path)
    wrong = 0
    for row, data, sums_ in zip(rows, dialogues, wanted):
        seen = {name: row["metrics"][name]["num"] for name in sums_}
        differ = {name: (seen[name], value) for name, value in sums_.items() if seen[name] != value}
        wrong += bool(differ)
        if differ and wrong <= SHOWN:
            print(f"dialogue {data['id']}: {differ}\n{json.dumps(data)[:6000]}")
    wrong += len(rows) != len(dialogues)
    print(f"  score: {4 * len(rows)} drafts, {wrong} differences")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wend", required=True)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--read", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(PARTS))
    options = parser.parse_args()
    parts = {"read": read, "score": score}
    return int(sum(parts[name](options) for name in options.only.split(",")) > 0)


if __name__ == "__main__":
    sys.exit(main())
