"""Turns public data sets into native-format dialogues, independently of the engine's readers.

`convert_all(root)` yields (name, dialogues, original or None). Where the original is given, the engine's own reader of
it must lead to the same values as the converted dialogues, in the same order, but that it knows no labels and no chains.
"""

import ast
import json
import os
import re
from collections import namedtuple

# A file as published, and what the engine must be told to read it.
Original = namedtuple("Original", "path options")

# tau-bench and tau2-bench: recorded runs; gold is a list of calls for the whole dialogue.

TAU_FILES = ("gpt-4o-airline.json", "retail-tool-calling.json", "retail-assertions-agent-first25.json")
TAU2_FILES = (
    "results-airline-gpt-4.1.json",
    "results-airline-gpt-5-toolorchestra.json",
    "results-airline-gpt-oss-120b-first12.json",
    "results-retail-gpt-4.1.json",
    "results-telecom-gpt-4o.json",
)


def tau(path):
    with open(path, encoding="utf-8") as file:
        runs = json.load(file)
    return [tau_run(run) for run in runs]


def tau_run(run):
    messages = []
    for message in run["traj"]:
        kept = {key: message[key] for key in ("role", "content", "tool_call_id", "name") if key in message}
        if message.get("tool_calls"):
            functions = [call["function"] for call in message["tool_calls"]]
            kept["tool_calls"] = [
                {"function": {"name": f["name"], "arguments": lenient(f["arguments"])}} for f in functions
            ]
        messages.append(kept)
    data = {"id": f"{run['task_id']}-{run['trial']}", "messages": messages}
    actions = (run["info"].get("task") or {}).get("actions")
    if actions is not None:
        data["gold"] = {"calls": [{"name": a["name"], "arguments": a["kwargs"]} for a in actions]}
    return data


def lenient(text):
    """Arguments as JSON, or as a Python literal."""
    try:
        return json.loads(text)
    except ValueError:
        return ast.literal_eval(text)


def tau2(path):
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    tasks = {task["id"]: task for task in results.get("tasks") or []}
    dialogues = []
    for run in results["simulations"]:
        data = {"id": run["id"], "messages": [tau2_message(message) for message in run["messages"]]}
        criteria = (tasks.get(run["task_id"]) or {}).get("evaluation_criteria") or {}
        if criteria.get("actions") is not None:
            agent = [action for action in criteria["actions"] if action.get("requestor") != "user"]
            data["gold"] = {"calls": [{"name": a["name"], "arguments": a["arguments"]} for a in agent]}
        dialogues.append(data)
    return dialogues


def tau2_message(message):
    """Calls made by the user's side, and their results, become text."""
    role, content = message["role"], message.get("content")
    calls = message.get("tool_calls") or []
    if role == "assistant":
        listed = [{"id": c["id"], "function": {"name": c["name"], "arguments": c["arguments"]}} for c in calls]
        return {"role": role, "content": content, "tool_calls": listed}
    if role == "user":
        made = [json.dumps({"name": c["name"], "arguments": c["arguments"]}) for c in calls]
        return {"role": role, "content": "\n".join(([content] if content else []) + made)}
    if message.get("requestor") == "user":
        return {"role": "user", "content": content}
    return {"role": "tool", "tool_call_id": message["id"], "content": content}


SELF_GOLD = (
    ("tau-bench", "gpt-4o-airline.json", "tools-airline.json", tau),
    ("tau-bench", "retail-tool-calling.json", "tools-retail.json", tau),
    ("tau2-bench", "results-airline-gpt-5-toolorchestra.json", "tools-airline.json", tau2),
    ("tau2-bench", "results-retail-gpt-4.1.json", "tools-retail.json", tau2),
)


def with_own_calls_as_gold(dialogues, tools):
    """Recorded runs with what the agent did as gold by turn: real returns and values once the calls are perturbed."""
    for data in dialogues:
        turns = []
        for message in data["messages"]:
            if message["role"] == "user":
                turns.append({"turn": len(turns) + 1, "calls": []})
            elif turns and message["role"] == "assistant":
                turns[-1]["calls"] += [dict(call["function"]) for call in message.get("tool_calls") or []]
        data["id"] += "-own"
        data["tools"] = tools
        data["gold"] = {"turns": turns}
    return dialogues


# BFCL: gold is played back as the agent's calls.

BFCL_MULTI = (
    "multi_turn_base",
    "multi_turn_miss_param",
    "multi_turn_miss_func",
    "multi_turn_long_context.first50",
    "multi_turn_composite.first60",
)
BFCL_SINGLE = ("parallel", "parallel_multiple", "live_parallel", "live_parallel_multiple", "multiple", "live_simple")
BFCL_DOCS = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}


def json_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def bfcl_multi(root, name):
    docs = {
        key: json_lines(os.path.join(root, "multi_turn_func_doc", file + ".json")) for key, file in BFCL_DOCS.items()
    }
    questions = json_lines(os.path.join(root, f"BFCL_v4_{name}.json"))
    answers = json_lines(os.path.join(root, "possible_answer", f"BFCL_v4_{name}.json"))
    dialogues = []
    for question, answer in zip(questions, answers):
        tools = [tool for owner in question["involved_classes"] for tool in docs[owner]]
        order = {tool["name"]: list(tool["parameters"]["properties"]) for tool in tools}
        try:
            turns = [[python_call(text, order) for text in turn] for turn in answer["ground_truth"]]
        except (SyntaxError, ValueError, KeyError, IndexError):
            continue  # a few answers are not well-formed
        dialogues.append(played_back(question["id"], tools, question["question"], turns))
    return dialogues


def python_call(text, order):
    """name(args) in Python's syntax, positional arguments named by the tool's parameter order."""
    call = ast.parse(text.strip(), mode="eval").body
    if not isinstance(call, ast.Call):
        raise ValueError(text)
    name = ast.unparse(call.func)
    args = {order[name][place]: as_json(arg) for place, arg in enumerate(call.args)}
    args.update((keyword.arg, as_json(keyword.value)) for keyword in call.keywords)
    return {"name": name, "arguments": args}


def as_json(node):
    """A Python literal as JSON has it (a tuple becomes a list)."""
    return json.loads(json.dumps(ast.literal_eval(node)))


def played_back(name, tools, questions, turns):
    messages = []
    for question, calls in zip(questions, turns):
        said = "\n".join(m["content"] for m in question if m["role"] == "user")
        messages.append({"role": "user", "content": said})
        messages += calls_and_results(calls)
        messages.append({"role": "assistant", "content": "Done."})
    gold = {"turns": [{"turn": n, "calls": calls} for n, calls in enumerate(turns, 1)]}
    return {"id": name, "tools": tools, "messages": messages, "gold": gold}


def calls_and_results(calls):
    if not calls:
        return []
    listed = [{"id": f"c{n}", "type": "function", "function": dict(call)} for n, call in enumerate(calls)]
    results = [{"role": "tool", "tool_call_id": f"c{n}", "content": "ok"} for n in range(len(calls))]
    return [{"role": "assistant", "content": None, "tool_calls": listed}] + results


def bfcl_single(root, name):
    """Each gold value is a list of acceptable ones; "" among them makes the parameter optional."""
    questions = json_lines(os.path.join(root, f"BFCL_v4_{name}.json"))
    answers = json_lines(os.path.join(root, "possible_answer", f"BFCL_v4_{name}.json"))
    dialogues = []
    for question, answer in zip(questions, answers):
        calls = []
        for expected in answer["ground_truth"]:
            for function, params in expected.items():
                call = {"name": function, "arguments": {}, "accept": {}, "optional": []}
                for param, values in params.items():
                    if "" in values:
                        call["optional"].append(param)
                    values = [value for value in values if value != ""]
                    if values:
                        call["arguments"][param] = values[0]
                        call["accept"][param] = values[1:]
                calls.append(call)
        made = [{"name": call["name"], "arguments": call["arguments"]} for call in calls]
        data = played_back(question["id"], question["function"], question["question"][:1], [made])
        data["gold"] = {"turns": [{"turn": 1, "kind": "tool", "calls": calls}]}
        dialogues.append(data)
    return dialogues


# ACEBench: one transcript; the answer is what the agent calls at its end.

ACE_FILES = (
    "en/data_normal_multi_turn_user_adjust",
    "en/data_normal_multi_turn_user_switch",
    "en/data_normal_single_turn_parallel_function",
    "zh/data_normal_multi_turn_user_adjust",
    "zh/data_normal_multi_turn_user_switch",
)


def acebench(root, name):
    folder, file = name.split("/")
    questions = json_lines(os.path.join(root, folder, file + ".json"))
    answers = json_lines(os.path.join(root, folder, "possible_answer", file + ".json"))
    dialogues = []
    for question, answer in zip(questions, answers):
        truth = answer["ground_truth"]
        parts = truth if isinstance(truth, list) else [truth]
        known = {tool["name"] for tool in question["function"]}
        calls = [
            {"name": key if key in known else re.sub(r"_\d+$", "", key), "arguments": args}
            for part in parts
            for key, args in part.items()
        ]
        messages = transcript(question["question"])
        last = sum(message["role"] == "user" for message in messages)
        signal = "modified" if "adjust" in name else "interrupted" if "switch" in name else "none"
        dialogues.append(
            {
                "id": question["id"],
                "tools": question["function"],
                "messages": messages + calls_and_results(calls),
                "gold": {"turns": [{"turn": last, "kind": "tool", "signal": signal, "calls": calls}]},
            }
        )
    return dialogues


def transcript(text):
    """`user: ` and `system: ` lines; the system is the agent, its calls look like [f(x=1)]."""
    messages = []
    for role, said in re.findall(r"(?ms)^(user|system): ?(.*?)(?=^user:|^system:|\Z)", text):
        said = said.strip()
        if role == "user":
            messages.append({"role": "user", "content": said})
            continue
        calls = transcript_calls(said)
        if calls:
            messages += calls_and_results(calls)
        else:
            messages.append({"role": "assistant", "content": said})
    return messages


def transcript_calls(said):
    if not (said.startswith("[") and said.endswith(")]")):
        return []
    try:
        items = ast.parse(said, mode="eval").body.elts
        return [python_call(ast.unparse(item), {}) for item in items]
    except (SyntaxError, ValueError, KeyError, AttributeError):
        return []


# FunctionChat: Korean dialogues; every evaluated reply is a dialogue of its own.

FUNCTIONCHAT_KINDS = {"call": "tool", "slot": "clarify", "completion": "language", "relevance": "language"}


def functionchat(path):
    dialogues = []
    for record in json_lines(path):
        for turn in record["turns"]:
            truth = turn["ground_truth"]
            messages = turn["query"] + [truth]
            calls = []
            start = max(n for n, message in enumerate(messages) if message["role"] == "user")
            for message in messages[start:]:
                for call in message.get("tool_calls") or []:
                    calls.append(
                        {"name": call["function"]["name"], "arguments": lenient(call["function"]["arguments"])}
                    )
            gold = {
                "turn": sum(message["role"] == "user" for message in messages),
                "kind": FUNCTIONCHAT_KINDS[turn["type_of_output"]],
                "calls": calls,
            }
            name = f"functionchat-{record['dialog_num']}-{turn['serial_num']}"
            dialogues.append({"id": name, "tools": record["tools"], "messages": messages, "gold": {"turns": [gold]}})
    return dialogues


def convert_all(root):
    """(name, dialogues, Original or None) of every data set found under `root`."""
    for folder, files, read in (("tau-bench", TAU_FILES, tau), ("tau2-bench", TAU2_FILES, tau2)):
        for file in files:
            path = os.path.join(root, folder, file)
            if os.path.exists(path):
                yield f"{folder}/{file}", read(path), Original(path, [])
    for folder, file, tools, read in SELF_GOLD:
        path = os.path.join(root, folder, file)
        if os.path.exists(path):
            with open(os.path.join(root, folder, tools), encoding="utf-8") as pool:
                yield f"{folder}/{file} own calls", with_own_calls_as_gold(read(path), json.load(pool)), None
    readers = (
        [("bfcl", name, bfcl_multi) for name in BFCL_MULTI]
        + [("bfcl", name, bfcl_single) for name in BFCL_SINGLE]
        + [("acebench", name, acebench) for name in ACE_FILES]
    )
    for folder, name, read in readers:
        if os.path.isdir(os.path.join(root, folder)):
            original = None
            if folder == "bfcl":
                answers = os.path.join(root, folder, "possible_answer")
                path = os.path.join(root, folder, f"BFCL_v4_{name}.json")
                original = Original(path, ["--answers", answers, "--play", "gold"])
            yield f"{folder}/{name}", read(os.path.join(root, folder), name), original
    path = os.path.join(root, "functionchat", "FunctionChat-Dialog.jsonl")
    if os.path.exists(path):
        yield "functionchat/dialog", functionchat(path), None
