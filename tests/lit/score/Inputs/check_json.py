"""Checks what must hold of any `wend score --json`, read from standard input."""

import json
import sys

report = json.load(sys.stdin)
for key in ("trajectories", "skipped", "turns", "calls", "metrics", "rewards", "statuses"):
    assert key in report, key


def check(group):
    for name, metric in group["metrics"].items():
        assert {"value", "low", "high", "n"} <= set(metric), name
        if metric["value"] is None:
            assert metric["low"] is None and metric["high"] is None and metric["reason"], name
        elif metric["low"] is not None:
            assert metric["low"] <= metric["high"], name
    for name, reward in group["rewards"].items():
        assert {"mean", "low", "high", "n", "terms"} <= set(reward), name
        assert reward["n"] + reward["partial"]["n"] + reward["absent"] == group["trajectories"], name
        if reward["mean"] is not None:
            assert abs(sum(reward["terms"].values()) - reward["mean"]) < 1e-9, name
            assert reward["low"] - 1e-9 <= reward["mean"] <= reward["high"] + 1e-9, name


check(report)
for family in report["families"].values():
    check(family)
statuses = report["statuses"]
assert statuses["ok"] + statuses["partial"] + statuses["absent"] == report["trajectories"]
print("trajectories", report["trajectories"], "skipped", report["skipped"])
