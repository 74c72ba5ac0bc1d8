"""FunctionChat-Bench: FunctionChat-{Dialog,Singlecall,CallDecision}*.jsonl.

- Dialog: the evaluated turns of a dialogue become one dialogue, with the replies of the data as the agent's and the
  calls, kinds and acceptable arguments of its answers as what is expected. `relevance` (no tool fits) is expected
  language. A turn whose earlier messages are not those of the longest one is a dialogue of its own.
- Singlecall: a dialogue for each query and set of tools. CallDecision: a dialogue a record. Both end with the user.
"""

import json

from converters.native import Dialogue, call, files, read_lines

KINDS = {"call": "tool", "slot": "clarify", "completion": "language", "relevance": "language"}


def convert(folder, report):
    for path in files(folder, ".jsonl", "FunctionChat-"):
        for record in read_lines(path):
            if "dialog_num" in record:
                yield from dialogues(record, report)
            elif "input_messages" in record:
                yield from report.attempt(f"decision-{record['serial_num']}", decision, record)
            elif "function_num" in record:
                yield from single_calls(record, report)
            else:
                report.skip(path, "an unknown kind of record")


def calls_of(message, acceptable=None):
    return [expected(item["function"], acceptable) for item in message.get("tool_calls") or []]


def expected(function, acceptable):
    arguments = json.loads(function["arguments"])
    return call(function["name"], arguments, alternatives(arguments, acceptable))


def alternatives(arguments, acceptable):
    """{parameter: [value]}, from an object or its text; other text is advice for a judge. A list holds several values,
    unless the argument is a list itself."""
    if isinstance(acceptable, str):
        try:
            acceptable = json.loads(acceptable)
        except ValueError:
            return {}
    if not isinstance(acceptable, dict):
        return {}
    several = {
        key: isinstance(value, list) and not isinstance(arguments.get(key), list) for key, value in acceptable.items()
    }
    return {key: value if several[key] else [value] for key, value in acceptable.items() if key in arguments}


def dialogue(name, record, turns):
    """The longest of the turns; those that it continues are evaluated in it."""
    longest = turns[-1]
    evaluated = {len(turn["query"]): turn for turn in turns}
    made = Dialogue(name, record["tools"])
    for place, message in enumerate([*longest["query"], longest["ground_truth"]]):
        if message["role"] == "assistant" and message.get("tool_calls"):
            made.call(*calls_of(message))
        elif message["role"] == "tool":
            # All calls of the data have one id: a result belongs to the call before it.
            made.messages.append({"role": "tool", "tool_call_id": f"call-{made.calls}", "content": message["content"]})
        else:
            made.say(message["role"], message["content"])
        if place in evaluated:
            expect(made, evaluated[place])
    return made


def dialogues(record, report):
    turns = sorted(record["turns"], key=lambda turn: len(turn["query"]))
    whole = [turn for turn in turns if turn["query"] == turns[-1]["query"][: len(turn["query"])]]
    name = f"dialog-{record['dialog_num']}"
    yield from report.attempt(name, dialogue, name, record, whole)
    for turn in turns:
        if turn not in whole:
            report.note("evaluated turns that the dialogue does not continue, as dialogues of their own")
            part = f"{name}-{turn['turn_num']}"
            yield from report.attempt(part, dialogue, part, record, [turn])


def expect(made, turn):
    made.expect(KINDS[turn["type_of_output"]], calls_of(turn["ground_truth"], turn["acceptable_arguments"]))


def decision(record):
    made = Dialogue(f"decision-{record['serial_num']}", record["input_tools"])
    for message in record["input_messages"]:
        made.say(message["role"], message["content"])
    made.expect(KINDS[record["type_of_output"]], calls_of(record["ground_truth"], record["acceptable_arguments"]))
    return made


def single_calls(record, report):
    answers = {item["serial_num"]: json.loads(item["content"]) for item in record["ground_truth"]}
    acceptable = {item["serial_num"]: item["content"] for item in record["acceptable_arguments"]}
    for query in record["query"]:
        number = query["serial_num"]
        for tools in record["tools"]:
            name = f"single-{number}-{tools['type']}"
            wanted = answers.get(number), acceptable.get(number)
            yield from report.attempt(name, single_call, name, tools["content"], query["content"], *wanted)


def single_call(name, tools, text, function, acceptable):
    made = Dialogue(name, tools)
    made.say("user", text)
    made.expect(calls=[expected(function, acceptable)])
    return made
