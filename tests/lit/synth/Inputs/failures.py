"""Breaks made dialogues as agents do, and looks which metrics fall."""
import copy
import json
import subprocess
import sys
import tempfile

wend, spec, path = sys.argv[1:]
METRICS = ("JGA", "SCRR", "RIR", "LOOP", "DTCR", "ISSR")
GOLD = {"JGA": 1, "SCRR": 0, "RIR": 0, "LOOP": 0, "DTCR": 1, "ISSR": 1}


def turns(data):
    """Lists of message positions, one for each turn."""
    found = []
    for i, message in enumerate(data["messages"]):
        if message["role"] == "user":
            found.append([])
        if found:
            found[-1].append(i)
    return found


def signal_turn(data, signal):
    return next(t["turn"] - 1 for t in data["gold"]["turns"] if t.get("signal") == signal)


def arguments(call):
    return json.loads(call["function"]["arguments"])


def stale_value(data):
    """The new call with the value from before the change."""
    turn = signal_turn(data, "modified")
    slot = next(t for t in data["gold"]["turns"] if t["turn"] == turn + 1)["stale"][0]
    for i in turns(data)[turn]:
        for call in data["messages"][i].get("tool_calls", []):
            if call["function"]["name"] == slot["tool"]:
                call["function"]["arguments"] = json.dumps(arguments(call) | {slot["param"]: slot["value"]})


def drop_calls(data, keep):
    """Messages without the calls that `keep` refuses (message position, call), and without their results."""
    gone, messages = set(), []
    for i, message in enumerate(data["messages"]):
        if message.get("tool_calls"):
            gone |= {call["id"] for call in message["tool_calls"] if not keep(i, call)}
            message["tool_calls"] = [call for call in message["tool_calls"] if call["id"] not in gone]
            if not message["tool_calls"]:
                del message["tool_calls"]
                message["content"] = message["content"] or "Done."
        if message.get("tool_call_id") not in gone:
            messages.append(message)
    data["messages"] = messages


def stick_to_old_task(data):
    """The interrupting task is ignored: its calls are not made."""
    place = turns(data)[signal_turn(data, "interrupted")]
    drop_calls(data, lambda i, call: i not in place)


def call_without_asking(data):
    """The first call is made at once, in the turn that should ask."""
    call = next(m for m in data["messages"] if m.get("tool_calls"))
    ask = next(m for m in data["messages"] if m["role"] == "assistant")
    ask["tool_calls"] = copy.deepcopy(call["tool_calls"])
    for one in ask["tool_calls"]:
        one["id"] = "early_" + one["id"]


def skip_link(data):
    """The first call of the first chain is not made."""
    link = data["gold"]["chains"][0]["links"][0]
    gold = next(t for t in data["gold"]["turns"] if t["turn"] == link["turn"])["calls"][link["call"]]
    place = turns(data)[link["turn"] - 1]
    drop_calls(data, lambda i, call: not (i in place and call["function"]["name"] == gold["name"]))


def repeat_call(data):
    """The first call again in the second turn that has calls."""
    made = [m for m in data["messages"] if m.get("tool_calls")]
    again = copy.deepcopy(made[0]["tool_calls"][0])
    again["id"] = "again"
    made[1]["tool_calls"].append(again)


# What breaks it, metrics that must fall (SCRR and RIR: rise), and metrics that must stay.
CASES = {
    "task_modification": [(stale_value, {"JGA", "SCRR"}, {"LOOP", "ISSR"}), ],
    "personalized_update": [(stale_value, {"JGA", "SCRR"}, {"LOOP", "ISSR"})],
    "after_user": [(stick_to_old_task, {"ISSR"}, {"SCRR", "RIR", "LOOP"})],
    "after_tool": [(stick_to_old_task, {"ISSR"}, {"SCRR", "RIR", "LOOP"})],
    "irrelevant_reply_simple": [(stick_to_old_task, {"ISSR"}, {"SCRR", "RIR", "LOOP"})],
    "irrelevant_reply_complex": [(stick_to_old_task, {"ISSR"}, {"SCRR", "RIR", "LOOP"})],
    "parameter_clarification": [(call_without_asking, {"jga_all"}, {"SCRR", "LOOP", "ISSR"})],
    "ambiguous_intent": [(call_without_asking, {"jga_all"}, {"SCRR", "LOOP", "ISSR"})],
    "recursive_clarification": [(call_without_asking, {"jga_all"}, {"SCRR", "LOOP", "ISSR"})],
    "parallel_tasks": [(skip_link, {"DTCR"}, {"SCRR", "RIR", "LOOP", "ISSR"})],
    "dependency_chain": [(skip_link, {"DTCR"}, {"SCRR", "RIR", "LOOP", "ISSR"})],
    "simple_multi": [(repeat_call, {"RIR"}, {"SCRR", "LOOP", "ISSR"})],
}


def measured(dialogues):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(data) + "\n" for data in dialogues)
        file.flush()
        done = subprocess.run([wend, "score", spec, file.name, "--json", "--bootstrap", "0", "-q"], stdout=subprocess.PIPE, check=True)
    metrics = json.loads(done.stdout)["metrics"]
    items = metrics.items() if isinstance(metrics, dict) else ((m["name"], m) for m in metrics)
    return {name: value["value"] for name, value in items if value.get("value") is not None}


by_scenario = {}
for line in open(path, encoding="utf-8"):
    data = json.loads(line)
    by_scenario.setdefault(data["scenario"], []).append(data)
for scenario, cases in CASES.items():
    dialogues = by_scenario[scenario]
    before = measured(dialogues)
    for breaks, falls, stays in cases:
        broken = copy.deepcopy(dialogues)
        for data in broken:
            breaks(data)
        after = measured(broken)
        for name in falls:
            assert before[name] != after[name], f"{scenario}: {breaks.__name__} leaves {name} at {after[name]}"
        for name in stays:
            assert before.get(name) == after.get(name), f"{scenario}: {breaks.__name__}: {name} {before.get(name)} to {after.get(name)}"
print("ok")
