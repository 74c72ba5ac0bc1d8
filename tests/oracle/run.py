"""Compares the engine with the reference, and checks what must hold of the engine whatever the numbers are.

    python3 run.py --wend PATH [--count N] [--seed S] [--spec FILE] [--without EDGE,...] [--only PART,...]
                   [--engine BACK_END] [--keep DIR]

Parts: golden (hand-worked dialogues), corners (pairs of values, pieces of text, few tools with few values), generated,
params (the same under other coefficients), report (totals of --json), explain (terms add up, and name the calls and
arguments that the reference finds), shared (real data under $WEND_SHARED_DATA: native copies, perturbed copies, and the
original files through the engine's own readers), metamorphic. Exits 1 on any difference.
"""

import argparse
import json
import os
import random
import sys
import tempfile

import convert
import corners
import evidence
import golden
import metamorphic
import reference
from compare import Comparison
from engine import Engine, EngineError
from generate import generate, write_jsonl
from metrics import metrics_of, totals
from perturb import perturbed
from trajectory import Trace

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PARTS = ("golden", "corners", "generated", "params", "report", "explain", "shared", "metamorphic")
PARAM_SETS = 4


def traces_of(dialogues):
    """What a reader of the written file would get."""
    return [Trace(json.loads(json.dumps(data))) for data in dialogues]


class Run:
    def __init__(self, engine, options, folder):
        self.engine = engine
        self.options = options
        self.folder = folder
        self.comparison = Comparison()
        self.files = 0
        self.dialogues = generate(options.count, options.seed, options.without)

    def path(self, name):
        self.files += 1
        safe = "".join(ch if ch.isalnum() else "_" for ch in name)
        return os.path.join(self.folder, f"{self.files:02}-{safe}.jsonl")

    def write(self, name, dialogues):
        path = self.path(name)
        write_jsonl(path, dialogues)
        return path

    def compare(self, name, dialogues, params=None, written=None, original=None):
        """`written`: a native file of the dialogues, if there is one; `original`: what they came from."""
        path = original.path if original else written or self.write(name, dialogues)
        try:
            rows = self.engine.rows_of_file(path, params, original.options if original else ())
        except EngineError as error:
            self.comparison.problems.append(f"{name}: {error}")
            return
        traces = traces_of(dialogues)
        if original:
            for trace in traces:
                trace.labelled, trace.chains = False, None
        wanted = [reference.row(trace, params) for trace in traces]
        before = len(self.comparison.differences)
        self.comparison.rows(name, rows, wanted, dialogues, ids=not original)
        print(f"  {name}: {len(dialogues)} dialogues, {len(self.comparison.differences) - before} differences")

    def golden(self):
        self.compare("golden", [data for data, _ in golden.CASES])

    def corners(self):
        count, seed = self.options.count, self.options.seed
        for name, lines in (
            ("pairs", corners.pairs()),
            ("words", corners.words(count, seed)),
            ("dense", corners.dense(count, seed)),
        ):
            lines = list(lines)
            path = self.path(name)
            with open(path, "w", encoding="utf-8") as out:
                out.writelines(line + "\n" for line in lines)
            self.compare(name, [json.loads(line) for line in lines], written=path)

    def generated(self):
        self.compare("generated", self.dialogues)

    def params(self):
        rng = random.Random(self.options.seed)
        some = self.dialogues[:500]
        for number in range(PARAM_SETS):
            params = {
                name: round(value * rng.uniform(0.5, 1.5), 3)
                for name, value in reference.PARAMS.items()
                if not isinstance(value, str)
            }
            params["single_step_matching"] = ("loose", "strict")[number % 2]
            params["low_precision_calls"] = rng.randint(2, 5)
            params["low_hit_rate"] = round(rng.uniform(0.1, 0.5), 2)
            self.compare(f"params {number + 1}", some, params)

    def report(self):
        path = self.write("report", self.dialogues)
        try:
            report = self.engine.report_of_file(path)
        except EngineError as error:
            self.comparison.problems.append(f"report: {error}")
            return
        wanted = totals([metrics_of(trace) for trace in traces_of(self.dialogues)])
        self.comparison.report("report", report, wanted)

    def explain(self):
        count, seed = self.options.count // 4, self.options.seed
        dialogues = self.dialogues[:count] + [json.loads(line) for line in corners.dense(count, seed)]
        try:
            explained = self.engine.explained(self.write("explain", dialogues))
        except EngineError as error:
            self.comparison.problems.append(f"explain: {error}")
            return
        if len(explained) != len(dialogues):
            self.comparison.problems.append(f"explain: {len(explained)} of {len(dialogues)} dialogues")
            return
        wrong = 0
        for trace, given in zip(traces_of(dialogues), explained):
            found = evidence.faults(trace, reference.row(trace)["rewards"]["multi_turn"], given)
            wrong += bool(found)
            self.comparison.problems += [f"explain: {trace.id}: {fault}" for fault in found]
        print(f"  explain: {len(dialogues)} dialogues, {wrong} wrong")

    def shared(self):
        root = os.environ.get("WEND_SHARED_DATA") or os.path.join(os.path.dirname(ROOT), "shared", "data")
        if not os.path.isdir(root):
            print("  no shared data: set WEND_SHARED_DATA")
            return
        rng = random.Random(self.options.seed)
        for name, dialogues, original in convert.convert_all(root):
            self.compare(name, dialogues)
            self.compare(f"{name} perturbed", [perturbed(rng, data) for data in dialogues])
            if original:
                self.compare(f"{name} original", dialogues, original=original)

    def metamorphic(self):
        rng = random.Random(self.options.seed)
        try:
            checked, faults = metamorphic.check(rng, self.dialogues, self.engine.rows)
        except EngineError as error:
            self.comparison.problems.append(f"metamorphic: {error}")
            return
        print("  " + ", ".join(f"{name} {count}" for name, count in checked.items()))
        for name, data, changed, before, after in faults[:3]:
            for text in (data, changed, before, after):
                print("   ", json.dumps(text, ensure_ascii=False)[:3000])
        for name, data, _, _, _ in faults:
            self.comparison.problems.append(f"metamorphic: {name}: {data['id']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wend", required=True, help="the wend command")
    parser.add_argument("--spec", default=os.path.join(ROOT, "specs", "iacm", "reward.wend"))
    parser.add_argument("--engine", default="auto", help="the engine's back end: jit, interpreter or auto")
    parser.add_argument("--count", type=int, default=2000, help="generated dialogues")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", default="", help="edges that generated dialogues must not have")
    parser.add_argument("--only", default=",".join(PARTS), help="parts to run")
    parser.add_argument("--keep", help="a folder for the files that were scored")
    options = parser.parse_args()
    options.without = [edge for edge in options.without.split(",") if edge]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        run = Run(Engine(options.wend, options.spec, options.engine), options, folder)
        for part in options.only.split(","):
            print(part)
            getattr(run, part)()
        run.comparison.finish()
        run.comparison.print(print)
    return 1 if run.comparison.failed else 0


if __name__ == "__main__":
    sys.exit(main())
