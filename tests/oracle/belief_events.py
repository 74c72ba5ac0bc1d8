"""The events of a native-format dialogue, as docs/belief.md lists them under "Events"."""

from belief_json import cut_to_bytes
from trajectory import Malformed, parse_arguments, text_of
from values import fold_text, nfc


NAME_LIMIT = 256  # bytes
ARGUMENT_LIMIT = OPEN_LIMIT = 64


class Call:
    def __init__(self, name, args, turn):
        self.name = cut_to_bytes(nfc(name), NAME_LIMIT)
        known = {} if isinstance(args, Malformed) else args
        items = [(cut_to_bytes(nfc(key), NAME_LIMIT), value) for key, value in known.items()]
        self.args = dict(items[-ARGUMENT_LIMIT:])
        self.turn = turn


class Event:
    """`kind` is user, call, result or reply; `message` the position of its message."""

    def __init__(self, kind, message, text=None, call=None):
        self.kind = kind
        self.message = message
        self.text = text  # None if empty
        self.call = call  # of a call: itself; of a result: the call that it answers, or None


class OpenCalls:
    """Calls without a result, by id and in order."""

    def __init__(self):
        self.calls = []  # (id, call)

    def add(self, name, call):
        self.calls = [*self.calls, (name, call)][-OPEN_LIMIT:]

    def take(self, name):
        """The call that a result with this id answers: the oldest with the id, else the oldest."""
        for place, (known, call) in enumerate(self.calls):
            if name is not None and known == name:
                del self.calls[place]
                return call
        return self.calls.pop(0)[1] if self.calls else None


def text_or_none(content):
    """White space alone is no text."""
    text = text_of(content)
    return nfc(text) if fold_text(text) else None


def events_of(data):
    """The events of a dialogue (a native record), in order."""
    turn = 0
    open_calls = OpenCalls()
    for position, message in enumerate(data["messages"]):
        role = message["role"]
        text = text_or_none(message.get("content"))
        if role == "user":
            turn += 1
            yield Event("user", position, text)
        elif role == "assistant":
            if text is not None:
                yield Event("reply", position, text)
            for item in message.get("tool_calls") or []:
                function = item["function"]
                call = Call(function["name"], parse_arguments(function.get("arguments")), turn)
                open_calls.add(item.get("id"), call)
                yield Event("call", position, call=call)
        elif role in ("tool", "function"):
            yield Event("result", position, text, open_calls.take(message.get("tool_call_id")))
