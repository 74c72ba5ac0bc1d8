#!/usr/bin/env python3
"""Random well-typed specs, scored by every engine: the interpreter, O0, O2 and a shared object must agree bit for bit.

    random_specs.py --wend PATH [--count 30] [--seed 1] [--data FILE...] [--keep DIR]

A spec is grown from the domain's own field table (compiler/sema/domain.def), so that a new field is covered without an
edit here. It has to pass `wend check` (it is well-typed by construction: a refusal is a failure) and then gives the same
rows, values and text, in all engines. Exit status 1 on the first difference, with the spec that shows it.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = {"trace": "Trace", "trace_gold": "Gold", "turn": "Turn", "turn_gold": "TurnGold", "message": "Message",
         "call": "Call", "gold_call": "GoldCall", "arg": "Arg", "gold_arg": "GoldArg", "tool": "Tool", "param": "Param",
         "slot": "Slot", "chain": "Chain", "link": "Link", "draft": "Draft", "sub_block": "SubBlock"}
LABELS = {"kKind": ["tool", "clarify", "language"],
          "kSignal": ["none", "modified", "interrupted", "reset", "clarify", "accumulate"],
          "kRole": ["system", "user", "assistant", "tool"],
          "kJsonType": ["null", "bool", "int", "real", "text", "list", "object", "any"]}
PLAIN = {"BOOL": "bool", "INT": "int", "REAL": "real", "TEXT": "text", "JSON": "json", "FOLDED": "folded"}


def parse_type(text):
    """(kind, name, optional): kind is plain, entity, list or enum."""
    text = text.strip()
    if text.startswith("OPT("):
        kind, name, _ = parse_type(text[4:-1])
        return kind, name, True
    for prefix, kind in (("ENTITY(", "entity"), ("LIST(", "list"), ("ENUM(", "enum")):
        if text.startswith(prefix):
            return kind, text[len(prefix):-1], False
    if text.startswith("LIST_OF("):
        return "list", PLAIN[text[8:-1]], False
    return "plain", PLAIN[text], False


def load_fields():
    fields = {}
    pattern = re.compile(r"^WEND_FIELD\((\w+), (\w+), (.+?), (load|span|gather|self|before|previous|number|text_length),")
    for line in (ROOT / "compiler/sema/domain.def").read_text().splitlines():
        m = pattern.match(line)
        if m and not m.group(1).startswith("OWNER_") or m and m.group(1) in ("OWNER_json", "OWNER_text"):
            owner = m.group(1).replace("OWNER_", "")
            try:
                fields.setdefault(owner, []).append((m.group(2), parse_type(m.group(3))))
            except KeyError:
                continue  # belongs to beliefs and scenarios, not to trajectories
    return {owner: f for owner, f in fields.items() if owner in NAMES or owner in ("json", "text")}


class Grower:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.fields = load_fields()
        self.n = 0
        self.detectors = []  # (name, entity)

    def fresh(self):
        self.n += 1
        return f"v{self.n}"

    # ---- paths: (text, type) reachable from the variables without passing an optional ----
    def paths(self, env, wanted, steps=2):
        found = []

        def walk(text, owner, left):
            for name, (kind, target, optional) in self.fields.get(owner, []):
                path = f"{text}.{name}"
                if wanted(kind, target, optional):
                    found.append((path, (kind, target, optional)))
                if left and not optional and kind == "entity":
                    walk(path, target, left - 1)
                if left and not optional and kind == "plain" and target in ("json", "text"):
                    walk(path, target, left - 1)

        for name, entity in env:
            if wanted("entity", entity, False):
                found.append((name, ("entity", entity, False)))
            walk(name, entity, steps)
        return found

    def path(self, env, kind, target=None, optional=False):
        found = self.paths(env, lambda k, t, o: k == kind and (target is None or t == target) and o == optional)
        return self.r.choice(found) if found else None

    def lists(self, env):
        return [p for p in self.paths(env, lambda k, t, o: k == "list" and t in NAMES) if p[1][1] not in ("tool", "param")]

    # ---- expressions ----
    def boolean(self, env, depth):
        r = self.r
        options = ["compare"]
        if depth > 0:
            options += ["and", "or", "not", "fold", "fold", "detector", "equal", "in"]
        options += ["field", "label", "exists", "nonempty", "contains", "mentions", "has"]
        while True:
            o = r.choice(options)
            if o == "compare":
                op = r.choice(["<", "<=", ">", ">=", "==", "!="])
                kind = r.choice([self.integer, self.real])
                return f"({kind(env, depth - 1)} {op} {kind(env, depth - 1)})"
            if o in ("and", "or"):
                return f"({self.boolean(env, depth - 1)} {o} {self.boolean(env, depth - 1)})"
            if o == "not":
                return f"(not {self.boolean(env, depth - 1)})"
            if o == "fold" and (text := self.fold(r.choice(["any", "all"]), env, depth, self.boolean)):
                return text
            if o == "detector" and self.detectors:
                name, entity = r.choice(self.detectors)
                if p := self.path(env, "entity", entity):
                    return f"{name}({p[0]})"
            if o == "field" and (p := self.path(env, "plain", "bool")):
                return p[0]
            if o == "label" and (p := self.path(env, "enum")):
                return f"({p[0]} {r.choice(['is', 'is not'])} {r.choice(LABELS[p[1][1]])})"
            if o == "exists":
                found = self.paths(env, lambda k, t, opt: opt)
                if found:
                    return f"({r.choice(found)[0]} {r.choice(['exists', 'is none'])})"
            if o == "nonempty" and (found := self.paths(env, lambda k, t, opt: k == "list")):
                return f"({r.choice(found)[0]} nonempty)"
            if o == "contains" and (p := self.path(env, "plain", "text", True)):
                return f"contains({p[0]}, \"{r.choice(['a', '?', 'alarm', 'ü', ' ', '06'])}\")"
            if o == "mentions":
                p, v = self.path(env, "plain", "text", True), self.path(env, "plain", "json")
                if p and v:
                    return f"mentions({p[0]}, {v[0]})"
            if o == "equal":
                target = r.choice(["json", "folded", "call"])
                kind = "entity" if target == "call" else "plain"
                found = self.paths(env, lambda k, t, opt: k == kind and t == target)
                if len(found) >= 1:
                    a, b = r.choice(found), r.choice(found)
                    if target == "json" and r.random() < 0.3:
                        return f"({a[0]} == {r.choice(['1', '2.5', 'true', chr(34) + '07:00' + chr(34)])})"
                    return f"({a[0]} {r.choice(['==', '!='])} {b[0]})"
            if o == "in":
                v = self.path(env, "plain", "json")
                found = self.paths(env, lambda k, t, opt: k == "list" and t == "json")
                if v and found:
                    return f"({v[0]} {r.choice(['in', 'not in'])} {r.choice(found)[0]})"
            if o == "has":
                p = self.path(env, "entity", "trace")
                if p:
                    return f"({p[0]} has {r.choice(['gold', 'gold_turns', 'labels', 'chains', 'pool', 'response', 'drafts'])})"

    def integer(self, env, depth):
        r = self.r
        while True:
            o = r.choice(["literal", "field", "count", "fold", "fold", "choose", "min", "optional", "add", "distinct"])
            if o == "literal" or depth <= 0 and o in ("fold", "choose", "min", "add", "distinct"):
                return str(r.randint(0, 5))
            if o == "field" and (p := self.path(env, "plain", "int")):
                return p[0]
            if o == "count" and (found := self.paths(env, lambda k, t, opt: k == "list")):
                return f"count({r.choice(found)[0]})"
            if o == "fold":
                if text := self.fold("count", env, depth, None):
                    return text
            if o == "choose":
                return f"({self.integer(env, depth - 1)} when {self.boolean(env, depth - 1)} else {self.integer(env, depth - 1)})"
            if o == "min":
                return f"{r.choice(['min', 'max'])}({self.integer(env, depth - 1)}, {self.integer(env, depth - 1)})"
            if o == "optional" and (text := self.fold(r.choice(["first", "last", "min", "max"]), env, depth - 1, self.integer)):
                return f"({text} ?? {r.randint(0, 3)})"
            if o == "add":
                return f"({self.integer(env, depth - 1)} {r.choice('+-')} {self.integer(env, depth - 1)})"
            if o == "distinct" and (found := self.lists(env)):
                source, (_, entity, _) = r.choice(found)
                v = self.fresh()
                inner = env + [(v, entity)]
                if p := self.path([(v, entity)], "plain", "text"):
                    return f"count(distinct {p[0]} for {v} in {source} if {self.boolean(inner, depth - 1)})"

    def real(self, env, depth):
        r = self.r
        if depth <= 0:
            return r.choice(["0.5", "1.25", "-2.0", "0.1", "p1", "p2"])
        o = r.choice(["literal", "arith", "arith", "divide", "mean", "sum", "tier", "cap", "choose", "int", "number"])
        if o == "arith":
            return f"({self.real(env, depth - 1)} {r.choice('+-*')} {self.real(env, depth - 1)})"
        if o == "divide":
            found = self.paths(env, lambda k, t, opt: k == "list")
            divisor = f"count({r.choice(found)[0]})" if found else "p1"  # may be zero, is not always
            return f"({self.real(env, depth - 1)} / {divisor} else {self.real(env, 0)})"
        if o in ("mean", "sum") and (text := self.fold(o, env, depth, self.real)):
            return f"({text} else 0.5)" if o == "mean" else text
        if o == "tier":
            return f"tier {self.real(env, depth - 1)} {{ 1.0 => {self.real(env, 0)}, 0.8 .. => 2.5, 0.5 .. 0.8 => 1.0, else -0.25 }}"
        if o == "cap":
            return f"({self.real(env, depth - 1)} cap 1_000)"
        if o == "choose":
            return f"({self.real(env, depth - 1)} when {self.boolean(env, depth - 1)} else {self.real(env, depth - 1)})"
        if o == "number" and (p := self.path(env, "plain", "json")):
            return f"({p[0]}.number ?? 0.75)"
        if o == "int":
            return f"real({self.integer(env, depth - 1)})"
        return self.real(env, 0)

    def fold(self, kind, env, depth, body):
        found = self.lists(env)
        if not found or depth <= 0:
            return None
        source, (_, entity, _) = self.r.choice(found)
        v = self.fresh()
        clauses = f"for {v} in {source}"
        inner = env + [(v, entity)]
        condition = f" if {self.boolean(inner, depth - 2)}" if self.r.random() < 0.6 else ""
        clauses += condition
        if self.r.random() < 0.25 and (more := self.lists([(v, entity)])):
            second, (_, entity2, _) = self.r.choice(more)
            w = self.fresh()
            inner = inner + [(w, entity2)]
            clauses += f" for {w} in {second} if {self.boolean(inner, depth - 2)}"
        if body is None:
            return f"count({self.boolean(inner, depth - 2)} {clauses})"
        return f"{kind}({body(inner, depth - 2)} {clauses})"

    def spec(self):
        r = self.r
        out = ["edition 1", "module random.spec", "param p1 : real = 1.5 in -4 .. 4", "param p2 : real = 0.25 in -4 .. 4", ""]
        for i in range(r.randint(2, 6)):
            entity = r.choice(["call", "turn", "arg", "message", "gold_call", "link", "chain", "draft"])
            name = f"d{i}"
            out.append(f"detect {name} on x: {NAMES[entity]} = {self.boolean([('x', entity)], 4)}")
            self.detectors.append((name, entity))
        for i in range(r.randint(1, 3)):
            source, entity = r.choice([("turns", "turn"), ("calls", "call"), ("traces", "trace"), ("chains", "chain"),
                                         ("drafts", "draft")])
            v = self.fresh()
            env = [(v, entity)]
            out.append(f"metric m{i} : real = mean({self.real(env, 3)} for {v} in {source} if {self.boolean(env, 3)})")
        out += ["", "reward r on t: Trace {"]
        if r.random() < 0.4:
            out.append(f"  stop s = {self.real([('t', 'trace')], 1)} when {self.boolean([('t', 'trace')], 3)}")
        for layer in range(r.randint(1, 3)):
            out.append(f"  layer l{layer}{r.choice(['', ' * p1', ' * p2', ' * 0.5'])} {{")
            for term in range(r.randint(1, 4)):
                out.append(f"    t{term} = {self.real([('t', 'trace')], 5)}")
            out.append("  }")
        out += ["  clamp -100 .. 100", "}", ""]
        return "\n".join(out)


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wend", required=True)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    data = [str(path) for name in ("samples", "drafts") for path in sorted((ROOT / "tests/data" / name).glob("*.jsonl"))]
    parser.add_argument("--data", nargs="*", default=data)
    parser.add_argument("--keep", help="folder for the specs")
    args = parser.parse_args()
    folder = pathlib.Path(args.keep or tempfile.mkdtemp(prefix="random-specs-"))
    folder.mkdir(parents=True, exist_ok=True)
    refused = 0
    for i in range(args.count):
        seed = args.seed * 100_003 + i
        path = folder / f"spec{seed}.wend"
        path.write_text(Grower(seed).spec())
        check = run([args.wend, "check", str(path)])
        if check.returncode != 0:
            if "[integer-overflow]" in check.stderr + check.stdout and "error" in check.stderr + check.stdout:
                refused += 1  # a range that only the checker can judge
                continue
            print(f"refused: {path}\n{check.stdout}{check.stderr}")
            return 1
        library = folder / f"spec{seed}.so"
        compiled = run([args.wend, "compile", str(path), "--emit", "so", "-o", str(library)])
        engines = {"interpreter": [str(path), "--engine", "interpreter"], "O0": [str(path), "--engine", "jit", "--opt", "0"],
                   "O2": [str(path), "--engine", "jit", "--opt", "2"], "so": [str(library)]}
        if compiled.returncode != 0:
            print(f"not compiled: {path}\n{compiled.stderr}")
            return 1
        outputs = {}
        for name, (spec, *options) in engines.items():
            result = run([args.wend, "score", spec, *args.data, "--rows", *options])
            if result.returncode != 0:
                print(f"{name} failed on {path} ({result.returncode}):\n{result.stderr[-2000:]}")
                return 1
            outputs[name] = result.stdout
        for name, text in outputs.items():
            if text != outputs["interpreter"]:
                for a, b in zip(outputs["interpreter"].splitlines(), text.splitlines()):
                    if a != b:
                        print(f"{name} differs from the interpreter on {path}:\n  {a}\n  {b}")
                        return 1
                print(f"{name} gives other rows on {path}")
                return 1
        library.unlink()
        if not args.keep:
            path.unlink()
    print(f"{args.count} specs, {refused} refused for their ranges: all engines agree")
    # Most specs must have been scored, or this test says nothing.
    return 0 if refused * 2 <= args.count else 1


if __name__ == "__main__":
    sys.exit(main())
