"""A dialogue with whole numbers that no 64 bits and no double hold, and a text that begins with a private character."""

import json

arguments = '{"a": 123456789012345678901234567890, "b": -' + "1" * 400 + ', "c": "\\ue0005"}'
call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": arguments}}
messages = [{"role": "user", "content": "\ue0001"}, {"role": "assistant", "content": None, "tool_calls": [call]}]
print(json.dumps({"id": "n", "messages": messages}))
