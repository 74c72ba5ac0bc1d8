"""Short ways to write a native-format dialogue by hand."""


def tool(name, required=(), **params):
    """A tool whose parameters are given as name=schema."""
    schema = {"type": "object", "properties": params, "required": list(required)}
    return {"type": "function", "function": {"name": name, "description": name, "parameters": schema}}


TEXT = {"type": "string"}
INTEGER = {"type": "integer"}


def user(text):
    return [{"role": "user", "content": text}]


def say(text):
    return [{"role": "assistant", "content": text}]


def calls(*items, text=None):
    """One assistant message with calls; an item is (name, arguments)."""
    listed = [
        {"id": f"c{position}", "type": "function", "function": {"name": name, "arguments": args}}
        for position, (name, args) in enumerate(items)
    ]
    return [{"role": "assistant", "content": text, "tool_calls": listed}]


def result(text, call_id="c0"):
    return [{"role": "tool", "tool_call_id": call_id, "content": text}]


def gold_call(name, args, **more):
    return dict(name=name, arguments=args, **more)


def dialogue(name, *messages, tools=None, gold=None, **more):
    data = {"id": name, "messages": [message for part in messages for message in part]}
    if tools is not None:
        data["tools"] = tools
    if gold is not None:
        data["gold"] = gold
    data.update(more)
    return data
