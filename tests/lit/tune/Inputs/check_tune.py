"""Compares the means of `wend tune --json` with what `wend score` gives under the same params, one run each:

    python3 check_tune.py TUNE.json WEND score SPEC DATA... --json
"""

import json
import subprocess
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
score = sys.argv[2:]
for setting in report["settings"]:
    settings = [word for name, value in setting["params"].items() for word in ("--set", f"{name}={value}")]
    done = subprocess.run(score + settings, capture_output=True, text=True, check=True)
    mean = json.loads(done.stdout)["rewards"][report["reward"]]["mean"]
    assert abs(mean - setting["mean"]) < 1e-9, f"{setting['params']}: tune {setting['mean']}, score {mean}"
    correlation = setting["rank_correlation"]
    assert correlation is None or -1 - 1e-12 <= correlation <= 1 + 1e-12
    if setting["params"] == report["base"]["params"]:
        assert abs(correlation - 1) < 1e-12
print(len(report["settings"]), "settings agree")
