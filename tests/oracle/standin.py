#!/usr/bin/env python3
"""Stands in for the engine, so that the comparison itself can be tested: answers from the reference.

With WEND_STANDIN_FAULT=NAME it makes that mistake, which the comparison must then find.
"""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import convert
import evidence
import reference
from metrics import metrics_of, totals
from trajectory import Trace, read_jsonl


def traces(path):
    """The dialogues of a native file, or of an original one under the folder of its data set."""
    for _, dialogues, original in convert.convert_all(os.path.dirname(os.path.dirname(path))):
        if original and original.path == path:
            for data in dialogues:
                trace = Trace(data)
                trace.labelled, trace.chains = False, None
                yield trace
            return
    yield from read_jsonl(path)


def spoil(row, fault):
    multi_turn = row["rewards"]["multi_turn"]
    if fault == "null_as_zero" and row["metrics"]["JGA"] is None:
        row["metrics"]["JGA"] = {"num": 0, "den": 0}
    elif fault == "rounded" and multi_turn["total"] is not None:
        multi_turn["total"] = round(multi_turn["total"], 6)
    elif fault == "never_partial":
        multi_turn["partial"] = False
    elif fault == "no_term":
        multi_turn["terms"].pop("belief.jga", None)
    elif fault == "order" and row["metrics"]["RIR"]:
        row["metrics"]["RIR"]["num"] += row["id"].endswith("7")
    return row


def explained(trace, fault):
    terms = reference.row(trace)["rewards"]["multi_turn"]["terms"]
    places = evidence.expected_evidence(trace)
    if fault == "evidence" and trace.id.endswith("7"):
        places = {name: set(sorted(items)[1:]) for name, items in places.items()}
    listed = []
    for name, value in terms.items():
        layer, _, term = name.rpartition(".")
        given = [dict(zip(("turn", "call", "argument"), (*place, None))) for place in places.get(name, ())]
        why = None if value or fault == "no_reason" else "nothing happened"
        valid = value is not None
        listed.append({"layer": layer, "term": term, "value": value, "valid": valid, "evidence": given, "why_not": why})
    return {"id": trace.id, "terms": listed}


def main(arguments):
    path = arguments[2]
    fault = os.environ.get("WEND_STANDIN_FAULT")
    params = {}
    for position, argument in enumerate(arguments):
        if argument == "--set":
            name, value = arguments[position + 1].split("=")
            params[name] = value if name == "single_step_matching" else float(value)
    if arguments[0] == "explain":
        for trace in traces(path):
            print(json.dumps(explained(trace, fault)))
    elif "--rows" in arguments:
        for trace in traces(path):
            print(json.dumps(spoil(reference.row(trace, params), fault)))
    else:
        print(json.dumps({"metrics": totals([metrics_of(trace) for trace in traces(path)])}))


if __name__ == "__main__":
    main(sys.argv[1:])
