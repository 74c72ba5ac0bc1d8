"""Every call and every gold call is one that its tool's schema allows; checked without any of the project's code."""
import json
import sys

TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict}


def check(name, arguments, tools, place):
    tool = tools[name]["parameters"]
    for key in tool["required"]:
        assert key in arguments, f"{place}: {name} lacks {key}"
    for key, value in arguments.items():
        schema = tool["properties"].get(key)
        assert schema is not None, f"{place}: {name} has no {key}"
        kind = TYPES[schema["type"]]
        assert isinstance(value, kind) and (kind is bool or not isinstance(value, bool)), f"{place}: {name}.{key} = {value}"
        if "enum" in schema:
            assert value in schema["enum"], f"{place}: {name}.{key} = {value}"
        if "minimum" in schema:
            assert schema["minimum"] <= value <= schema["maximum"], f"{place}: {name}.{key} = {value}"


calls = 0
for path in sys.argv[1:]:
    for line in open(path, encoding="utf-8"):
        data = json.loads(line)
        tools = {tool["function"]["name"]: tool["function"] for tool in data["tools"]}
        assert all("kind" not in p for t in tools.values() for p in t["parameters"]["properties"].values())
        for message in data["messages"]:
            for call in message.get("tool_calls", []):
                calls += 1
                check(call["function"]["name"], json.loads(call["function"]["arguments"]), tools, data["id"])
        for turn in data["gold"]["turns"]:
            for call in turn["calls"]:
                calls += 1
                check(call["name"], call["arguments"], tools, data["id"])
assert calls > 100
