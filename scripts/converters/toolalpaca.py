"""ToolAlpaca: eval_*.json.

An instruction is one request without a response; its golden answer has the expected calls. A placeholder for a value
that is not known (`${id from search}`) stands as text, and one that names an earlier call makes a dependency chain.
Tools come from the OpenAPI document: one an operation, with its parameters and the properties of its body. Steps that
are no operation of it (`getDetails`, which asks the user) are left out.
"""

import json
import re

from converters.native import Dialogue, call, files, read_json, tool

UNKNOWN = re.compile(r'\$\{([^{}",]*)\}?"?')
SOURCE = re.compile(r"\$\{(.+) from (\w+)\}")


def convert(folder, report):
    for path in files(folder, ".json", ""):
        for api in read_json(path):
            tools = tools_of(json.loads(api["Documentation"]))
            for number, (text, steps) in enumerate(zip(api["Instructions"], api["Golden_Answers"]), 1):
                name = f"{api['Name']}-{number}"
                yield from report.attempt(name, dialogue, name, tools, text, steps, report)


def tools_of(document):
    found = []
    for operations in document["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict) and "operationId" in operation:
                found.append(tool_of(operation, document))
    return found


def tool_of(operation, document):
    properties, required = {}, []
    for param in operation.get("parameters", ()):
        properties[param["name"]] = {**param.get("schema", {}), "description": param.get("description", "")}
        required += [param["name"]] if param.get("required") else []
    for content in operation.get("requestBody", {}).get("content", {}).values():
        body = resolved(content.get("schema", {}), document)
        properties |= body.get("properties", {})
        required += body.get("required", [])
    about = operation.get("description") or operation.get("summary") or ""
    return tool(operation["operationId"], about, properties, list(dict.fromkeys(required)))


def resolved(schema, document):
    """The schema that a local reference (`#/components/...`) names."""
    while "$ref" in schema:
        place = document
        for key in schema["$ref"].removeprefix("#/").split("/"):
            place = place[key]
        schema = place
    return schema


def dialogue(name, tools, text, steps, report):
    made = Dialogue(name, tools)
    made.say("user", text)
    known = {item["function"]["name"] for item in tools}
    calls, links, places = [], [], {}
    for step in steps:
        action = step["Action"].removeprefix("[Optional]")
        if action not in known:
            report.note(f"steps that are no operation: {action}")
            continue
        arguments = arguments_of(step["Action_Input"])
        if arguments is None:
            report.note("calls whose arguments could not be read: nothing is expected")
            return made
        needs = []
        for param, value in arguments.items():
            source = SOURCE.fullmatch(value) if isinstance(value, str) else None
            if source and source[2] in places:
                needs.append({"link": places[source[2]], "field": source[1], "param": param})
        links.append({"turn": 1, "call": len(calls), **({"needs": needs} if needs else {})})
        places[action] = len(calls)
        calls.append(call(action, arguments))
    made.expect(calls=calls)
    if any("needs" in link for link in links):
        made.gold["chains"] = [{"links": links}]
    return made


def arguments_of(text):
    """The object of a JSON text in which placeholders stand without quotes; None if it is none."""
    for attempt in (text, UNKNOWN.sub(lambda found: json.dumps("${" + found[1].strip() + "}"), text)):
        try:
            value = json.loads(attempt)
        except ValueError:
            continue
        return value if isinstance(value, dict) else None
    return None
