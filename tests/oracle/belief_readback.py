"""Reads a Context Manager block back, and says what in it is not the state that it came from."""

import json
import re

from belief_json import hole

LINE = re.compile(r"<(\w+)>(.*)</\1>")


def read(block):
    """name -> content of the sub-blocks; ValueError if it is none."""
    lines = block.split("\n")
    if lines[0] != "<Context_Manager>" or lines[-1] != "</Context_Manager>":
        raise ValueError("no block")
    found = {}
    for line in lines[1:-1]:
        match = LINE.fullmatch(line)
        if not match or match[1] in found:
            raise ValueError(line)
        found[match[1]] = json.loads(match[2])
    return found


def faults(block, state):
    """What a block (rendered in full) says otherwise than the state: the names of it."""
    try:
        said = read(block)
    except ValueError as error:
        return [f"not readable: {error}"]
    slots = state["confirmed"]
    stale = [slot["key"] for slot in state["confirmed"] if slot["replaced"]]
    goals, pending = [goal["text"] for goal in state["deferred"]], [question["text"] for question in state["pending"]]
    open_questions = [question["text"] for question in state["pending"] if not question["suspended"]]
    guide, graph = said["Tool_Decision_Guide"], said["Task_Graph_For_Current_Turn"]
    objects = {
        thing["id"]: {
            "type": thing["type"],
            "status": thing["status"],
            "canonical_slots": thing["slots"],
            "last_tool": thing["tool"],
            "last_result": thing["result"],
        }
        for thing in state["objects"]
    }
    warnings = [f"{s['key']} is no longer {hole(old)}" for s in state["confirmed"] for old in s["replaced"]]
    works = state["current"]["text"] is not None and state["signal"] != "clarify" and not open_questions
    pairs = {
        "slots": (said["History_Relation"]["inherit_slots"], [slot["key"] for slot in slots]),
        "stale": (said["History_Relation"]["override_slots"], stale),
        "must_override": (guide["must_override_arguments"], stale),
        "warnings": (guide["common_error_warnings"], warnings),
        "signal": (said["History_Relation"]["reason"], state["signal"]),
        "goal": (said["Overall_User_Task"]["full_intent"], state["current"]["text"]),
        "deferred": (said["Overall_User_Task"]["deferred_intent_summary"], goals),
        "deferred tasks": ([task["description"] for task in said["Deferred_Tasks_After_Current_Turn"]], goals),
        "pending": ([task["description"] for task in said["Pending_Or_Interrupted_Tasks"]], pending),
        "unresolved": (guide["unresolved_slots"], open_questions),
        "objects": (said["Active_Objects"], objects),
        "references": (said["Resolved_References"], {item["phrase"]: item["value"] for item in state["references"]}),
        "works": (bool(graph), works),
        "arguments": (graph[0]["arguments"] if graph else None, {s["key"]: s["value"] for s in slots} if works else None),
    }
    return [name for name, (one, other) in pairs.items() if one != other]
