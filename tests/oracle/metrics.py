"""The metrics of one dialogue as numerator and denominator, and their totals over many."""

from matching import Hits, Missing, completed_links, same_call, stale_arguments
from values import fold_text, is_blank, occurs

NO_GOLD = Missing("no gold")
NO_GOLD_TURNS = Missing("gold is not known by turn")
NO_GOLD_CALLS = Missing("gold has no calls")
NO_LABELS = Missing("the kind and signal of the turns are not known")
NO_RESPONSE = Missing("the agent has said nothing")
GUARDED = ("call_recall", "call_precision", "LOOP")  # over dialogues with a response: 0 of 0 elsewhere

LONGEST_CYCLE = 4
CYCLE_REPEATS = 3
PARAMS = {"issr_threshold": 0.3}
FAMILY_METRIC = {  # what each family of scenarios is judged by first
    "Baseline": "JGA",
    "Modification": "JGA",
    "Clarification": "JGA",
    "Interruption": "ISSR",
    "Chaining": "DTCR",
    "Accumulation": "DTCR",
}


def acr(turn):
    """The rule-based clarification judge, in [-1, 1]."""
    texts = [text for text in turn.texts if not is_blank(text)]
    if turn.calls or not texts:
        return -1.0
    asks = any("?" in text or "\uff1f" in text for text in texts)
    if turn.gold.kind == "language":
        return 0.5 if asks else 1.0
    if not asks:
        return -0.5
    missing = turn.gold.missing
    if not missing:
        return 1.0
    mentioned = [name for name in missing if any(mentions(text, name) for text in texts)]
    return 0.5 + 0.5 * len(mentioned) / len(missing)


def mentions(text, name):
    text = fold_text(text)
    return occurs(fold_text(name), text) or occurs(fold_text(name.replace("_", " ")), text)


def issr(turn, hits):
    """The rule-based switch judge, in [-1, 1]."""
    if not turn.gold.calls:
        return -1.0 if turn.calls else 1.0
    return 2 * hits.count(turn.calls) / max(len(turn.calls), len(turn.gold.calls)) - 1


def evaluated_turns(trace):
    return [turn for turn in trace.turns if turn.answered and turn.gold is not None]


def is_joint_match(trace, turn, loose):
    """Equality of the two sets of calls: order and repetition do not matter."""
    calls_known = all(any(same_call(trace, c, g, loose) for g in turn.gold.calls) for c in turn.calls)
    gold_met = all(any(same_call(trace, c, g, loose) for c in turn.calls) for g in turn.gold.calls)
    return calls_known and gold_met


def joint_goal_accuracy(trace, loose, all_turns):
    if trace.gold_turns is None:
        return NO_GOLD_TURNS
    turns = [turn for turn in evaluated_turns(trace) if all_turns or turn.gold.calls]
    return sum(is_joint_match(trace, turn, loose) for turn in turns), len(turns)


def stale_reuse_rate(trace, hits):
    if not trace.labelled:
        return NO_LABELS
    modified = [turn.number for turn in evaluated_turns(trace) if turn.gold.signal == "modified"]
    stale = [call for call, _ in stale_arguments(trace, hits) if call.turn in modified]
    return len(stale), len(modified)


def call_share(trace, hits, calls):
    """Hits, of all calls made or of all that gold has."""
    if trace.gold_calls is None:
        return NO_GOLD_CALLS
    return (len(hits.calls), len(calls)) if trace.has_response else (0, 0)


def redundant_rate(trace, hits, by_name):
    answered = [turn for turn in trace.turns if turn.answered]
    repeating = 0
    earlier = set()
    for turn in answered:
        keys = [(call, call.name if by_name else call.key) for call in turn.calls]
        if any(key in earlier and call.index not in hits.calls for call, key in keys):
            repeating += 1
        earlier.update(key for _, key in keys)
    return repeating, len(answered)


def has_loop(calls):
    for period in range(1, LONGEST_CYCLE + 1):
        length = CYCLE_REPEATS * period
        for start in range(len(calls) - length + 1):
            window = calls[start : start + length]
            if all(window[i].key == window[i + period].key for i in range(length - period)):
                return True
    return False


def chain_completion(trace):
    """The completed share of every chain."""
    return [completed_links(trace, chain) / len(chain) if chain else 0.0 for chain in trace.chains]


def chain_rate(trace):
    if trace.chains is None:
        return NO_GOLD
    worth = 0.0
    ratios = chain_completion(trace)
    for ratio in ratios:
        worth += 1.0 if ratio == 1 else 0.625 if ratio >= 0.8 else 0.25 if ratio >= 0.5 else 0.0
    return worth, len(ratios)


def switch_rate(trace, hits, threshold):
    if not trace.labelled:
        return NO_LABELS
    turns = [turn for turn in evaluated_turns(trace) if turn.gold.signal == "interrupted"]
    won = 0
    for turn in turns:
        pivot = hits.uses_all(turn.gold.calls) if turn.gold.calls else not turn.calls
        won += pivot and issr(turn, hits) > threshold
    return won, len(turns)


def metrics_of(trace, params=None):
    """Name -> (numerator, denominator) or Missing. A metric in percent is 100 x numerator / denominator.

    What looks at the agent's calls is missing where there is no response; what is counted over answered turns, or over
    dialogues with a response, has the denominator 0 where there are none.
    """
    threshold = {**PARAMS, **(params or {})}["issr_threshold"]
    hits = Hits(trace)
    result = {
        "JGA": joint_goal_accuracy(trace, loose=False, all_turns=False),
        "jga_all": joint_goal_accuracy(trace, loose=False, all_turns=True),
        "JGA_loose": joint_goal_accuracy(trace, loose=True, all_turns=False),
        "call_recall": call_share(trace, hits, trace.gold_calls),
        "call_precision": call_share(trace, hits, trace.calls),
        "SCRR": stale_reuse_rate(trace, hits),
        "RIR": redundant_rate(trace, hits, by_name=False),
        "rir_name": redundant_rate(trace, hits, by_name=True),
        "LOOP": (int(has_loop(trace.calls)), int(trace.has_response)),
        "DTCR": chain_rate(trace),
        "ISSR": switch_rate(trace, hits, threshold),
    }
    if not trace.has_response:
        result = {name: value if name in GUARDED else NO_RESPONSE for name, value in result.items()}
    for family, metric in FAMILY_METRIC.items():
        own = trace.family == family or isinstance(result[metric], Missing)
        result[f"{family}_{metric}"] = result[metric] if own else (0, 0)
    return result


def totals(metrics_list):
    """Percentages over many dialogues, with the composites; None where nothing could be evaluated."""
    percent = {}
    for name in metrics_list[0] if metrics_list else []:
        known = [metrics[name] for metrics in metrics_list if not isinstance(metrics[name], Missing)]
        denominator = sum(den for _, den in known)
        percent[name] = 100 * sum(num for num, _ in known) / denominator if denominator else None
    percent["Cognitive"] = combine(percent, "JGA", "SCRR", lambda jga, scrr: (jga - scrr) / 2)
    percent["Behavioral"] = combine(percent, "RIR", "RIR", lambda rir, _: 100 - rir)
    percent["Outcome"] = combine(percent, "ISSR", "DTCR", lambda issr_, dtcr: (issr_ + dtcr) / 2)
    return percent


def combine(percent, first, second, formula):
    if percent.get(first) is None or percent.get(second) is None:
        return None
    return formula(percent[first], percent[second])
