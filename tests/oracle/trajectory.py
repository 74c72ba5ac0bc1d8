"""Reads native-format trajectories (docs/trajectory-format.md) into plain objects."""

import ast
import json

from values import canonical, fold_text, resolve_escapes


class Call:
    """A call of the agent. `turn` is 0 for a call before the first user message."""

    def __init__(self, index, turn, message, name, args):
        self.index = index
        self.turn = turn
        self.message = message  # position of its message, to know what came earlier
        self.name = name
        self.args = args
        malformed = args.text if isinstance(args, Malformed) else None
        self.key = (name, canonical(args), malformed)  # two calls are equal iff their keys are


class GoldCall:
    def __init__(self, data, turn):
        self.turn = turn
        self.name = data["name"]
        self.args = parse_arguments(data.get("arguments"))
        self.accept = data.get("accept") or {}
        self.optional = set(data.get("optional") or [])


class GoldTurn:
    def __init__(self, data):
        self.number = data["turn"]
        self.calls = [GoldCall(call, self.number) for call in data.get("calls") or []]
        self.kind = data.get("kind") or ("tool" if self.calls else "language")
        self.signal = data.get("signal") or "none"
        self.stale = [(s["tool"], s["param"], s["value"]) for s in data.get("stale") or []]
        self.missing = data.get("missing") or []


class Link:
    def __init__(self, gold_call, needs):
        self.gold_call = gold_call
        self.needs = needs  # positions of earlier links


class Turn:
    def __init__(self, number):
        self.number = number
        self.answered = False
        self.calls = []
        self.texts = []  # one per assistant message
        self.gold = None  # GoldTurn, if gold lists this turn


class Trace:
    """One dialogue. What the file does not say is None: `pool`, `gold_turns`, `gold_calls`, `chains`.

    `labelled`: whether the kind and signal of gold's turns are known, as they are in the native format.
    """

    def __init__(self, data):
        self.id = data.get("id")
        self.family = data.get("family")
        self.pool = read_pool(data.get("tools"))
        self.turns = []
        self.calls = []
        self.assistant_texts = []  # one per assistant message, in or out of a turn
        self.seen = []  # (message position, folded text) of user messages and tool returns
        self._read_messages(data["messages"])
        profile = data.get("profile")
        shown = "" if profile is None else json.dumps(profile, ensure_ascii=False)
        self.profile_text = fold_text(resolve_escapes(shown))
        self._read_gold(data.get("gold"))

    @property
    def has_response(self):
        return len(self.assistant_texts) > 0

    def schema(self, tool, param):
        """The declaration of a parameter, or None."""
        return (self.pool or {}).get(tool, {}).get(param)

    def _read_messages(self, messages):
        turn = None
        for position, message in enumerate(messages):
            role = message["role"]
            text = text_of(message.get("content"))
            if role == "user":
                turn = Turn(len(self.turns) + 1)
                self.turns.append(turn)
                self.seen.append((position, fold_text(text)))
            elif role in ("tool", "function"):
                self.seen.append((position, fold_text(resolve_escapes(text))))
            elif role == "assistant":
                calls = self._read_calls(message, position, turn)
                self.calls.extend(calls)
                self.assistant_texts.append(text)
                if turn is not None:
                    turn.answered = True
                    turn.texts.append(text)
                    turn.calls.extend(calls)

    def _read_calls(self, message, position, turn):
        calls = []
        for item in message.get("tool_calls") or []:
            function = item["function"]
            args = parse_arguments(function.get("arguments"))
            index = len(self.calls) + len(calls)
            calls.append(Call(index, turn.number if turn else 0, position, function["name"], args))
        return calls

    def _read_gold(self, gold):
        self.gold_turns = None  # turn number -> GoldTurn, if gold is known by turn
        self.labelled = False
        self.gold_calls = None  # all gold calls, in order, if known at all
        self.chains = None  # lists of Link
        if gold is None:
            return
        if gold.get("turns") is not None:
            turns = sorted((GoldTurn(turn) for turn in gold["turns"]), key=lambda turn: turn.number)
            self.gold_turns = {turn.number: turn for turn in turns}
            self.labelled = True
            self.gold_calls = [call for turn in turns for call in turn.calls]
            for turn in self.turns:
                turn.gold = self.gold_turns.get(turn.number)
        elif gold.get("calls") is not None:
            self.gold_calls = [GoldCall(call, None) for call in gold["calls"]]
        if self.gold_turns is not None or gold.get("chains") is not None:
            self.chains = [self._read_chain(chain) for chain in gold.get("chains") or []]

    def _read_chain(self, chain):
        links = []
        for link in chain["links"]:
            gold_call = self.gold_turns[link["turn"]].calls[link["call"]]
            links.append(Link(gold_call, [need["link"] for need in link.get("needs") or []]))
        return links


class Malformed(dict):
    """Arguments that cannot be read: none are known, and only the same text is equal."""

    def __init__(self, text):
        super().__init__()
        self.text = text


def parse_arguments(arguments):
    """An object, or a string of one: JSON (perhaps encoded twice) or a Python literal. Nothing means no arguments."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    value = arguments
    while isinstance(value, str) and value.strip():
        try:
            value = read_literal(value)
        except (ValueError, SyntaxError):
            return Malformed(text)
    if value is None or isinstance(value, str):
        return {}
    return value if isinstance(value, dict) else Malformed(text)


def read_literal(text):
    try:
        return json.loads(text, parse_constant=no_number, parse_float=finite)
    except ValueError:
        return as_json(ast.literal_eval(text.strip()))


def no_number(name):
    raise ValueError(name)


def finite(text):
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(text)
    return number


def as_json(value):
    """A Python literal as JSON has it: a tuple becomes a list, a key a string."""
    return json.loads(json.dumps(value, allow_nan=False))


def text_of(content):
    """The text of a message: a string, null, a list of text parts, one below the other, or what else a tool returned."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return json.dumps(content, ensure_ascii=False)
    return "\n".join(part.get("text") or "" for part in content if part.get("type") == "text")


def read_pool(tools):
    """Tool name -> parameter name -> schema (of two tools with one name the first); None without `tools`."""
    if tools is None:
        return None
    pool = {}
    for tool in tools:
        function = tool.get("function", tool)
        parameters = function.get("parameters") or {}
        pool.setdefault(function["name"], parameters.get("properties") or {})
    return pool


def read_jsonl(path):
    """The dialogues of a file; a dialogue without id is named FILE:LINE."""
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                trace = Trace(json.loads(line))
                trace.id = trace.id or f"{path}:{number}"
                yield trace
