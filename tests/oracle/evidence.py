"""What a multi-turn reward must give as evidence: the very calls and arguments that the reference finds."""

from matching import Hits, calls_out_of_pool, excess_calls, hallucinated_arguments, stale_arguments


def argument_places(found):
    return {(call.turn, call.index + 1, param) for call, param in found}


def call_places(found):
    return {(call.turn, call.index + 1) for call in found}


def expected_evidence(trace):
    """Term -> set of (turn, call, parameter) or (turn, call), calls numbered from 1 over the dialogue."""
    hits = Hits(trace)
    expected = {}
    if trace.gold_turns is not None:
        expected["belief.stale"] = argument_places(stale_arguments(trace, hits))
    if trace.pool is not None:
        expected["belief.halluc"] = argument_places(hallucinated_arguments(trace))
        expected["action.invalid"] = call_places(calls_out_of_pool(trace, trace.calls))
    if trace.gold_calls is not None:
        expected["action.excess"] = call_places(excess_calls(trace, hits))
    return expected


def given_evidence(term, with_argument):
    """Of arguments the evidence also names their calls; these are left out."""
    if with_argument:
        named = [item for item in term["evidence"] if item["argument"] is not None]
        return {(item["turn"] or 0, item["call"], item["argument"]) for item in named}
    return {(item["turn"] or 0, item["call"]) for item in term["evidence"]}


def faults(trace, reward, explained):
    """What is wrong with an explanation; `reward` is the reference's row of it."""
    found = []
    terms = {f"{term['layer']}.{term['term']}".lstrip("."): term for term in explained["terms"]}
    known = [term["value"] for term in explained["terms"] if term["valid"]]
    if reward["total"] is not None and abs(sum(known) - reward["total"]) > 1e-9:
        found.append(f"the terms add up to {sum(known)}, not {reward['total']}")
    for name, value in reward["terms"].items():
        if value == 0 and name != "clamp" and not terms[name]["why_not"]:
            found.append(f"{name} is 0 and nothing says why")
    if reward["terms"]["stop.loop"] or not trace.has_response:
        return found
    for name, places in expected_evidence(trace).items():
        given = given_evidence(terms[name], with_argument=name.startswith("belief."))
        if given != places:
            found.append(f"{name} names {sorted(given)}, not {sorted(places)}")
    return found
