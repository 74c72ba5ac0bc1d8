"""Changes to a dialogue of which we know what they may do to its scores, whatever the scores are.

Each relation takes (rng, dialogue) and returns a changed copy, or None where it does not apply. EQUAL relations leave
every value as it is; NEVER_RAISE relations must not raise the multi-turn total.
"""

import copy
import json
import unicodedata

from matching import same_call
from trajectory import Call, Malformed, Trace, parse_arguments
from values import canonical
from vocabulary import strictly_equal_form


def agent_messages(data):
    return [m for m in data["messages"] if m["role"] == "assistant" and m.get("tool_calls")]


def functions(data):
    return [call["function"] for message in agent_messages(data) for call in message["tool_calls"]]


def arguments_of(function):
    return parse_arguments(function.get("arguments"))


def readable(data):
    """The calls whose arguments can be read: the others are equal only as long as their text is."""
    return [function for function in functions(data) if not isinstance(arguments_of(function), Malformed)]


def reorder_parallel_calls(rng, data):
    """Calls of one message to tools that are called nowhere else are independent, unless a chain orders them."""
    if (data.get("gold") or {}).get("chains"):
        return None
    names = [function["name"] for function in functions(data)]
    for position, message in enumerate(data["messages"]):
        calls = message.get("tool_calls") or []
        if len(calls) > 1 and all(names.count(call["function"]["name"]) == 1 for call in calls):
            order = list(range(len(calls)))
            rng.shuffle(order)
            message["tool_calls"] = [calls[n] for n in order]
            results = data["messages"][position + 1 : position + 1 + len(calls)]
            if len(results) == len(calls) and all(result["role"] == "tool" for result in results):
                data["messages"][position + 1 : position + 1 + len(calls)] = [results[n] for n in order]
            return data
    return None


def rename_call_ids(rng, data):
    """Results follow their calls in order, so fresh ids say the same, and so do none."""
    offset = rng.randrange(10**6)
    ids = {}
    for message in agent_messages(data):
        for call in message["tool_calls"]:
            if "id" in call:
                call["id"] = ids.setdefault(call["id"], f"id-{offset + len(ids)}")
    for message in data["messages"]:
        if message.get("tool_call_id") in ids:
            message["tool_call_id"] = ids[message["tool_call_id"]]
    return data


def rewrite_argument_text(rng, data):
    """White space, key order and escapes inside an argument string."""
    for function in readable(data):
        items = list(arguments_of(function).items())
        rng.shuffle(items)
        text = json.dumps(dict(items), indent=rng.choice([1, 4, "\t"]), ensure_ascii=rng.random() < 0.5)
        function["arguments"] = f" {text}\n"
    return data


def arguments_as_objects(rng, data):
    for function in readable(data):
        function["arguments"] = arguments_of(function)
    return data


def equal_values(rng, data):
    """1 for 1.0, NFD for NFC, other key orders."""
    for function in readable(data):
        function["arguments"] = {p: strictly_equal_form(rng, v) for p, v in arguments_of(function).items()}
    return data


def decompose_text(rng, data):
    """What people and tools say, as NFD."""
    for message in data["messages"]:
        if isinstance(message.get("content"), str):
            message["content"] = unicodedata.normalize("NFD", message["content"])
    return data


def add_system_message(rng, data):
    data["messages"].insert(0, {"role": "system", "content": "Oslo 07:00 once open <tool_call>?"})
    return data


def add_unknown_keys(rng, data):
    data["notes"] = {"messages": [], "gold": None}
    for message in data["messages"]:
        message["turn_idx"] = rng.randrange(100)
        message["refusal"] = None
    return data


def shuffle_tools(rng, data):
    names = [tool.get("function", tool)["name"] for tool in data.get("tools") or []]
    if len(names) < 2 or len(set(names)) < len(names):  # of two tools with one name the first counts
        return None
    rng.shuffle(data["tools"])
    return data


def relabel(rng, data):
    """Scenarios are for grouping; no score depends on them."""
    data["scenario"] = "relabelled"
    return data


def shuffle_gold_turns(rng, data):
    turns = (data.get("gold") or {}).get("turns")
    if not turns:
        return None
    rng.shuffle(turns)
    return data


def texts_as_parts(rng, data):
    for message in data["messages"]:
        if isinstance(message.get("content"), str):
            message["content"] = [{"type": "text", "text": message["content"]}]
    return data


EQUAL = [
    reorder_parallel_calls,
    rename_call_ids,
    rewrite_argument_text,
    arguments_as_objects,
    equal_values,
    decompose_text,
    add_system_message,
    add_unknown_keys,
    shuffle_tools,
    relabel,
    shuffle_gold_turns,
    texts_as_parts,
]


def last_turn_calls(data):
    """The calls of the last turn, or None if a further call there could mend something (an empty or open turn)."""
    starts = [n for n, message in enumerate(data["messages"]) if message["role"] == "user"]
    if not starts:
        return None
    calls = [f for message in data["messages"][starts[-1] :] for f in functions({"messages": [message]})]
    return calls or None


def append_call(data, name, args):
    call = {"id": "added", "type": "function", "function": {"name": name, "arguments": args}}
    data["messages"].append({"role": "assistant", "content": None, "tool_calls": [call]})
    return data


def add_out_of_pool_call(rng, data):
    if not last_turn_calls(data):
        return None
    return append_call(data, "no_such_tool", {})


def add_stale_call(rng, data):
    """One more call in the last turn, gold's but for a value that the user gave up, which gold wants nowhere."""
    turns = (data.get("gold") or {}).get("turns")
    if not turns or data["gold"].get("chains") or not last_turn_calls(data):
        return None
    trace = Trace(data)
    gold = trace.gold_turns.get(len(trace.turns))
    if gold is None:
        return None
    given_up = list(gold.stale)
    for call in trace.gold_calls:
        if call.turn < gold.number:
            given_up += [(call.name, param, value) for param, value in call.args.items()]
    for tool, param, value in given_up:
        for call in gold.calls:
            if call.name == tool and canonical(call.args.get(param)) != canonical(value):
                args = dict(call.args)
                args[param] = value
                made = Call(len(trace.calls), len(trace.turns), 0, tool, args)
                wanted = any(same_call(trace, made, other) for other in trace.gold_calls)
                if not wanted and trace.calls[-1].key != made.key:
                    return append_call(data, tool, args)
    return None


NEVER_RAISE = [add_out_of_pool_call, add_stale_call]


def play_gold_back(data):
    """The agent does exactly what gold says; None where gold is not by turn or names tools outside the pool."""
    turns = (data.get("gold") or {}).get("turns")
    pool = Trace(data).pool
    if not turns or pool is None or any(c["name"] not in pool for turn in turns for c in turn.get("calls", [])):
        return None
    if any(turn.get("kind") == "clarify" and turn.get("calls") for turn in turns):
        return None
    by_turn = {turn["turn"]: turn.get("calls", []) for turn in turns}
    messages = []
    for number, message in enumerate((m for m in data["messages"] if m["role"] == "user"), 1):
        messages.append(message)
        calls = by_turn.get(number, [])
        if calls:
            listed = [{"function": {"name": call["name"], "arguments": call["arguments"]}} for call in calls]
            messages.append({"role": "assistant", "content": None, "tool_calls": listed})
        messages.append({"role": "assistant", "content": "Done."})
    data["messages"] = messages
    return data


def gold_play_faults(row):
    """What is wrong with the scores of a dialogue in which the agent did what gold says."""
    faults = []
    for metric in ("JGA", "jga_all", "ISSR"):
        value = row["metrics"][metric]
        if value is None or value["num"] != value["den"]:
            faults.append(f"{metric} is {value}")
    if row["metrics"]["SCRR"]["num"] != 0:
        faults.append(f"SCRR is {row['metrics']['SCRR']}")
    if row["metrics"]["RIR"]["num"] != 0:
        faults.append(f"RIR is {row['metrics']['RIR']}")
    terms = row["rewards"]["multi_turn"]["terms"]
    for term in ("belief.stale", "action.invalid", "action.excess", "action.low_precision", "format.empty"):
        if terms.get(term):
            faults.append(f"{term} is {terms[term]}")
    return faults


def same_values(first, second):
    """Whether two rows say the same, ids and rounding apart."""
    return rounded(first["metrics"]) == rounded(second["metrics"]) and rounded(first["rewards"]) == rounded(
        second["rewards"]
    )


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return round(value, 9) + 0.0 if isinstance(value, float) else value


def check(rng, dialogues, score):
    """Applies every relation; `score` maps dialogues to rows. Returns (checks by relation, faults)."""
    base = score(dialogues)
    checked, faults = {}, []
    for relation in EQUAL + NEVER_RAISE:
        pairs = [(n, relation(rng, copy.deepcopy(data))) for n, data in enumerate(dialogues)]
        pairs = [(n, changed) for n, changed in pairs if changed is not None]
        checked[relation.__name__] = len(pairs)
        for (n, changed), row in zip(pairs, score([changed for _, changed in pairs])):
            if relation in EQUAL:
                good = same_values(base[n], row)
            else:
                good = not_raised(base[n]["rewards"]["multi_turn"], row["rewards"]["multi_turn"])
            if not good:
                faults.append((relation.__name__, dialogues[n], changed, base[n], row))
    played = [play_gold_back(copy.deepcopy(data)) for data in dialogues]
    played = [data for data in played if data is not None]
    checked["play_gold_back"] = len(played)
    for data, row in zip(played, score(played)):
        wrong = gold_play_faults(row)
        if wrong:
            faults.append((f"play_gold_back: {'; '.join(wrong)}", data, data, row, row))
    return checked, faults


def not_raised(before, after):
    """A stopped dialogue earns a flat -2, which may be more than it earned before; so the stop must not be new."""
    stop_before = before["terms"].get("stop.loop")
    if not stop_before and after["terms"].get("stop.loop"):
        return False
    if before["total"] is None or after["total"] is None:
        return before["total"] is after["total"]
    return after["total"] <= before["total"] + 1e-9
