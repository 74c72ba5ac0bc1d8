"""Whether golden tests leave nothing out: python3 covered.py SCORES.json TESTS.wend

SCORES.json is what `wend score --json` prints: the names of all metrics and terms. Each must be compared with a value
other than zero in TESTS.wend. Exits 1, and names it, if one is not.
"""

import json
import re
import sys

EXPECTATION = re.compile(r"([\w.]+) == (-?[\d.]+)")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        scores = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    names = set(scores["metrics"])
    for reward, report in scores["rewards"].items():
        names.add(reward)
        names.update(f"{reward}.{term}" for term in report["terms"])
    compared = {name for name, value in EXPECTATION.findall(text) if float(value) != 0}
    missing = sorted(names - compared)
    for name in missing:
        print(f"no test expects a value of {name} other than zero")
    return 1 if missing or not names else 0


if __name__ == "__main__":
    sys.exit(main())
