"""Spoils the agent's side of real dialogues, so that real text and values meet every rule."""

import copy


def perturbed(rng, data):
    """A copy whose calls were dropped, repeated, changed or moved, and whose gold got signals and a chain."""
    data = copy.deepcopy(data)
    data["id"] += "-perturbed"
    earlier = []
    for message in data["messages"]:
        if message["role"] == "assistant" and message.get("tool_calls"):
            message["tool_calls"] = changed_calls(rng, message["tool_calls"], earlier)
            earlier += message["tool_calls"]
            if not message["tool_calls"]:
                del message["tool_calls"]
                message["content"] = rng.choice(["", "Which one?", "ok"])
    label(rng, data.get("gold") or {})
    return data


def changed_calls(rng, calls, earlier):
    kept = []
    for call in calls:
        way = rng.random()
        if way < 0.1:
            continue
        call = copy.deepcopy(call)
        if way < 0.35:
            change_argument(rng, call["function"], [other["function"] for other in calls + earlier])
        kept.append(call)
        if way > 0.97:
            kept.append(copy.deepcopy(call))
    if earlier and rng.random() < 0.15:
        kept.append(copy.deepcopy(rng.choice(earlier)))
    return kept


def change_argument(rng, function, others):
    """Drops an argument, or gives it another call's value, or one that is a part or another type of it."""
    args = function["arguments"]
    if not isinstance(args, dict) or not args:
        return
    param = rng.choice(sorted(args))
    way = rng.random()
    values = [v for other in others if isinstance(other["arguments"], dict) for v in other["arguments"].values()]
    if way < 0.15:
        del args[param]
    elif way < 0.6 and values:
        args[param] = rng.choice(values)
    elif isinstance(args[param], str):
        words = args[param].split()
        args[param] = rng.choice([args[param].upper(), args[param][:2], words[-1] if words else "", args[param] + "x"])
    elif isinstance(args[param], (int, float)):
        args[param] = rng.choice([str(args[param]), args[param] + 1, bool(args[param])])
    else:
        args[param] = [args[param]]


def label(rng, gold):
    """Signals for the turns, stale values from what earlier turns set, and one chain through the gold calls."""
    places = []
    for turn in gold.get("turns") or []:
        turn["signal"] = rng.choice(["none", "none", "modified", "interrupted"])
        if not turn["calls"] and rng.random() < 0.5:
            turn["kind"] = "clarify"
        for place, call in enumerate(turn["calls"]):
            places.append((turn["turn"], place, call))
    stale = [(call, param) for _, _, call in places for param in call["arguments"]]
    if stale and rng.random() < 0.5:
        call, param = rng.choice(stale)
        turn = rng.choice(gold["turns"])
        turn["stale"] = [{"tool": call["name"], "param": param, "value": call["arguments"][param]}]
    if len(places) > 1 and rng.random() < 0.5:
        links = [{"turn": turn, "call": place} for turn, place, _ in places[:5]]
        for number in range(1, len(links)):
            links[number]["needs"] = [{"link": number - 1, "field": "id", "param": "id"}]
        gold["chains"] = [{"links": links}]
