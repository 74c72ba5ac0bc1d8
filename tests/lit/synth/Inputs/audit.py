"""In each scenario, no policy of `wend audit` earns more than gold, and silence and questions earn less where calls are due.

    audit.py WEND SPEC DIALOGUES
"""
import json
import subprocess
import sys
import tempfile

wend, spec, path = sys.argv[1:]
by_scenario = {}
for line in open(path, encoding="utf-8"):
    by_scenario.setdefault(json.loads(line)["scenario"], []).append(line)
for scenario, lines in by_scenario.items():
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(lines)
        file.flush()
        done = subprocess.run([wend, "audit", spec, file.name, "--json"], stdout=subprocess.PIPE, check=True)
    for reward, policies in json.loads(done.stdout)["rewards"].items():
        gold = policies["gold"]["mean"]
        for policy, earned in policies.items():
            assert earned["mean"] <= gold + 1e-9, f"{scenario}: {reward}: {policy} earns {earned['mean']}, gold {gold}"
        assert policies["silent"]["mean"] < gold and (scenario == "linguistic" or policies["always ask"]["mean"] < gold), scenario
print(len(by_scenario), "scenarios")
