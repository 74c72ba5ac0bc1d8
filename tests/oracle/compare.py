"""Compares the engine's rows and reports with the reference's, and remembers every difference."""

import collections
import json

TOLERANCE = 1e-9
REPORT_ONLY = ("call_recall", "call_precision")  # quotients of two sums: in the totals, not in the rows
PROBLEMS_SHOWN = 40
SHOWN_DIALOGUE = 6000  # characters


def close(first, second):
    if first is None or second is None:
        return first is None and second is None
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    return abs(first - second) <= TOLERANCE * max(1.0, abs(first), abs(second))


class Comparison:
    """Differences by path (metrics.JGA.num, rewards.multi_turn.belief.jga, ...) and how much was compared."""

    def __init__(self):
        self.dialogues = 0
        self.values = 0
        self.differences = []  # (data set, path, engine's, reference's, dialogue)
        self.problems = []  # what could not be compared at all
        self.not_in_reference = set()
        self.not_in_engine = set()

    @property
    def failed(self):
        return bool(self.differences or self.problems)

    def rows(self, name, engine_rows, reference_rows, dialogues, ids=True):
        """Row by row; `ids` says whether the names must agree too (an engine's own reader names as it likes)."""
        if len(engine_rows) != len(reference_rows):
            self.problems.append(f"{name}: {len(engine_rows)} rows for {len(reference_rows)} dialogues")
            return
        for got, wanted, data in zip(engine_rows, reference_rows, dialogues):
            self.dialogues += 1
            if ids and got.get("id") != wanted["id"]:
                self.differences.append((name, "id", got.get("id"), wanted["id"], data))
            for path, value, expected in self.row_values(got, wanted):
                self.values += 1
                if not close(value, expected):
                    self.differences.append((name, path, value, expected, data))

    def row_values(self, got, wanted):
        """(path, engine's value, reference's value) of everything the two rows have in common."""
        metrics = got.get("metrics", {})
        self.not_in_reference.update(f"metrics.{name}" for name in metrics if name not in wanted["metrics"])
        for name, expected in wanted["metrics"].items():
            if name not in metrics:
                if name not in REPORT_ONLY:
                    self.not_in_engine.add(f"metrics.{name}")
            elif expected is None or metrics[name] is None:
                yield f"metrics.{name}", metrics[name] and metrics[name]["num"], expected and expected["num"]
            else:
                yield f"metrics.{name}.num", metrics[name]["num"], expected["num"]
                yield f"metrics.{name}.den", metrics[name]["den"], expected["den"]
        rewards = got.get("rewards", {})
        self.not_in_reference.update(f"rewards.{name}" for name in rewards if name not in wanted["rewards"])
        for name, expected in wanted["rewards"].items():
            if name not in rewards:
                self.not_in_engine.add(f"rewards.{name}")
                continue
            yield f"rewards.{name}.total", rewards[name]["total"], expected["total"]
            yield f"rewards.{name}.partial", rewards[name]["partial"], expected["partial"]
            yield from self.terms(f"rewards.{name}", rewards[name]["terms"], expected["terms"])

    def terms(self, prefix, got, wanted):
        stopped = wanted.get("stop.loop")
        self.not_in_reference.update(f"{prefix}.{term}" for term in got if term not in wanted and not stopped)
        for term, expected in wanted.items():
            if stopped and term != "stop.loop":
                if got.get(term):  # after the stop the other terms give nothing: 0, null or left out
                    yield f"{prefix}.{term}", got[term], 0
            elif term not in got:
                self.not_in_engine.add(f"{prefix}.{term}")
            else:
                yield f"{prefix}.{term}", got[term], expected

    def report(self, name, engine_report, reference_totals):
        """The percentages over all dialogues, wherever the report keeps a metric: a number or {"value": number}."""
        metrics = engine_report.get("metrics")
        if not isinstance(metrics, dict):
            self.problems.append(f"{name}: the report has no object `metrics`")
            return
        for metric, expected in reference_totals.items():
            if metric not in metrics:
                self.not_in_engine.add(f"metrics.{metric}")
                continue
            value = metrics[metric]
            if isinstance(value, dict):
                value = value["value"]
            self.values += 1
            if not close(value, expected):
                self.differences.append((name, f"report.metrics.{metric}", value, expected, None))

    def finish(self):
        """Names that the engine lacks are problems."""
        for name in sorted(self.not_in_engine):
            self.problems.append(f"the engine does not report {name}")

    def print(self, out, shown=5):
        out(f"{self.dialogues} dialogues, {self.values} values compared, {len(self.differences)} differ")
        for problem in self.problems[:PROBLEMS_SHOWN]:
            out(f"problem: {problem}")
        if len(self.problems) > PROBLEMS_SHOWN:
            out(f"and {len(self.problems) - PROBLEMS_SHOWN} more problems")
        if self.not_in_reference:
            out(f"not known to the reference: {', '.join(sorted(self.not_in_reference))}")
        self.print_counts(out)
        seen = set()
        for name, path, value, expected, data in self.differences:
            if path in seen or len(seen) >= shown:
                continue
            seen.add(path)
            out(f"\n{name}: {path}: engine {value!r}, reference {expected!r}")
            if data is not None:
                out(json.dumps(data, ensure_ascii=False)[:SHOWN_DIALOGUE])

    def print_counts(self, out):
        """How often each path differs, and the edges that all dialogues which differ there share."""
        by_path = collections.defaultdict(list)
        for _, path, _, _, data in self.differences:
            by_path[path].append(set((data or {}).get("edges", [])))
        for path, edges in sorted(by_path.items(), key=lambda item: -len(item[1])):
            common = set.intersection(*edges)
            out(f"{len(edges):6} x {path}" + (f"   all with {', '.join(sorted(common))}" if common else ""))
