"""Checks what must hold of any line of `wend explain --all --json`: python3 check_explanations.py FILE"""

import json
import re
import sys

KEYS = {"layer", "term", "value", "raw", "evidence", "spec", "why_not"}
lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
for line in lines:
    explanation = json.loads(line)
    assert {"id", "reward", "total", "terms"} <= set(explanation)
    total = 0.0
    for term in explanation["terms"]:
        assert KEYS <= set(term), term
        total += term["value"]
        name = f"{explanation['id']}: {term['layer']}.{term['term']}"
        assert (term["value"] == 0) == bool(term["why_not"]), f"{name}: {term['value']}, {term['why_not']}"
        assert not term["valid"] or term["raw"] is not None, name
        assert term["valid"] or (term["value"] == 0 and explanation["partial"]), name
        assert term["layer"] == "" or re.fullmatch(r".+:\d+", term["spec"]), name
        for item in term["evidence"]:
            assert {"turn", "call", "argument", "text"} <= set(item), name
            assert item["text"], name
    assert total == explanation["total"], f"{explanation['id']}: {total} is not {explanation['total']}"
print(len(lines), "explained")
