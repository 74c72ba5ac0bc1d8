"""ACEBench: data_*.json beside possible_answer/, one language or several.

The records of a dialogue (ID_0, ID_1, ...: each repeats the one before and adds turns) become one; a dialogue ends
with the user's last message, and the answers are the expected calls of their turns. Calls inside a transcript are the
agent's; the data has no results. The `time` that the agent is told is a system message.

- data_special_*: the agent must ask; `missing` has the names of what is left out or malformed.
- data_agent_multi_step: the milestones (of several ways the first) are the expected calls of the dialogue, if all of
  them can be read.
- data_agent_multi_turn: left out, there is no dialogue but a goal for a simulated user.
"""

import os
import re

from converters.native import Dialogue, call, files, read_lines
from converters.python_calls import read_calls


def convert(folder, report):
    for path in files(folder, ".json", "data_"):
        if os.path.basename(os.path.dirname(path)) != "possible_answer":
            yield from file_of(path, report)


def file_of(path, report):
    folder, name = os.path.split(path)
    answers = {answer["id"]: answer for answer in read_lines(os.path.join(folder, "possible_answer", name))}
    language = os.path.basename(folder)
    groups = {}
    for record in read_lines(path):
        # Only the multi-turn sets count turns behind the number of the dialogue.
        group = re.sub(r"_\d+$", "", record["id"]) if "normal_multi_turn" in name else record["id"]
        groups.setdefault(group, []).append(record)
    for group, records in groups.items():
        place = f"{language}-{group}"
        if "agent_multi_turn" in name:
            report.skip(place, "a goal for a simulated user, no dialogue")
        elif "agent_multi_step" in name:
            yield from report.attempt(place, agent, place, records[0], answers[group], report)
        elif any(not new["question"].startswith(old["question"].strip()) for old, new in zip(records, records[1:])):
            report.skip(place, "a later record does not continue the one before")
        else:
            yield from report.attempt(place, dialogue, place, records, answers, report)


def start(name, record):
    made = Dialogue(name, record["function"])
    if record.get("time"):
        made.say("system", record["time"])
    return made


def dialogue(name, records, answers, report):
    made = start(name, records[-1])
    lengths = [len(record["question"].strip()) for record in records]
    last = 0
    for role, text, end in parts(records[-1]["question"]):
        if role == "user":
            made.say("user", text)
        else:
            calls = read_calls(text)
            if calls:
                made.call(*calls)
            else:
                if re.match(r"\[\w[\w.]*\(", text):
                    report.note("calls in a transcript that could not be read, kept as text")
                made.say("assistant", text)
        if last < len(records) and end >= lengths[last]:
            expect(made, answers[records[last]["id"]]["ground_truth"], report)
            last += 1
    return made


def parts(question):
    """(role, text, end) of the transcript; a part may have several lines."""
    question = question.strip()
    starts = list(re.finditer(r"(?m)^(user|system): ?", question))
    for this, following in zip(starts, [*starts[1:], None]):
        end = following.start() if following else len(question)
        text = question[this.end() : end].rstrip()
        yield this[1], text, this.end() + len(text)


def expect(made, truth, report):
    known = {tool["name"] for tool in made.tools}
    if any(isinstance(value, list) for value in truth.values()):
        # The special sets: {tool: [missing parameter]}, or {parameter: [malformed value]}.
        missing = [name for tool, names in truth.items() for name in (names if tool in known else [tool])]
        made.expect("clarify", missing=missing)
    elif all(isinstance(value, dict) for value in truth.values()):
        # A tool that is called more than once is numbered.
        names = {key: key if key in known else re.sub(r"_\d+$", "", key) for key in truth}
        made.expect(calls=[call(names[key], arguments) for key, arguments in truth.items()])
    else:
        report.note("an answer that is neither calls nor missing parameters")


def agent(name, record, answer, report):
    made = start(name, record)
    made.say("user", record["question"])
    milestones = answer.get("mile_stone") or []
    if milestones and isinstance(milestones[0], list):
        milestones = milestones[0]
    milestones = [read_calls(text) for text in milestones]
    if milestones and all(milestones):
        made.gold["calls"] = [item for calls in milestones for item in calls]
    else:
        report.note("milestones that could not be read: nothing is expected")
    return made
