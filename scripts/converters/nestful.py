"""NESTFUL: *-data.json with its *-spec.json.

A sample is one request without a response; its calls are the expected ones, in one dependency chain. An argument that
refers to an earlier result keeps the reference as published (`$var1.skyId$`). The closing `var_result` is no call. All
tools of the specification are candidates.
"""

import json
import os
import re

from converters.native import Dialogue, call, files, read_json, tool

REFERENCE = re.compile(r"\$(\w+?)(?:\.([^$]*))?\$")


def convert(folder, report):
    for path in files(folder, "-data.json", ""):
        name = os.path.basename(path)[: -len("-data.json")]
        tools = [tool_of(entry) for entry in read_json(path[: -len("data.json")] + "spec.json")]
        for number, sample in enumerate(read_json(path), 1):
            yield from report.attempt(f"{name}-{number}", dialogue, f"{name}-{number}", sample, tools, report)


def tool_of(entry):
    """Three ways to list parameters are in use; `parameters` may be a JSON Schema already."""
    listed = entry.get("query_parameters") or entry.get("path_parameters") or entry.get("arguments")
    if listed is None:
        listed = entry.get("parameters") or {}
        if isinstance(listed.get("properties"), dict):
            return tool(entry["name"], entry.get("description", ""), listed["properties"], listed.get("required") or [])
    required = [name for name, param in listed.items() if param.get("required") is True]
    properties = {name: schema_of(param) for name, param in listed.items()}
    return tool(entry["name"], entry.get("description", ""), properties, required)


def schema_of(param):
    schema = {key: param[key] for key in ("description", "items", "properties", "format") if key in param}
    kind = param.get("type", "string").lower()
    schema["type"] = kind if kind in ("string", "number", "integer", "boolean", "array", "object") else "string"
    values = param.get("enum") or param.get("allowed_values") or param.get("possible_values")
    if values and isinstance(values, list):  # not a text such as "1-100"
        schema["enum"] = values
    for key in ("default", "default_value"):
        if key in param:
            schema["default"] = param[key]
    return schema


def dialogue(name, sample, tools, report):
    made = Dialogue(name, tools)
    made.say("user", sample["input"])
    calls = [item for item in sample["output"] if item["name"] != "var_result"]
    made.expect(calls=[call(item["name"], item["arguments"]) for item in calls])
    if {item["name"] for item in calls} - {item["function"]["name"] for item in tools}:
        report.note("requests for tools that the specification does not have")
    places, links = {}, []  # of labels, which may be used again
    for place, item in enumerate(calls):
        needs = []
        for param, value in item["arguments"].items():
            for label, field in REFERENCE.findall(json.dumps(value, ensure_ascii=False)):
                if label in places:
                    needs.append({"link": places[label], **({"field": field} if field else {}), "param": param})
                else:
                    report.note("references to no earlier call")
        links.append({"turn": 1, "call": place, **({"needs": needs} if needs else {})})
        places[item["label"]] = place
    if any("needs" in link for link in links):
        made.gold["chains"] = [{"links": links}]
    return made
