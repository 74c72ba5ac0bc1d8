"""Three small worlds in which rare things are frequent: pairs of values, pieces of text, and few tools with few values.

Each function yields lines of a native-format file, as text, so that numbers are written in forms that a writer of JSON
would not choose.
"""

import itertools
import json
import random

NUMBERS = """
    1 1.0 1e0 10e-1 100E-2 -0 -0.0 0 0.1 0.10 1e-1 100 1e2 1E+2 0.5 0.3 0.30000000000000004 5e-324 1e-400
    9007199254740993 9007199254740992 9007199254740993.0 9007199254740992.0
    18446744073709551615 18446744073709551616 1.8446744073709552e19
    9223372036854775808 9223372036854775807 -9223372036854775808 -9223372036854775809
    123456789012345678901234567890 123456789012345678901234567891 1.2345678901234568e29
    1e22 10000000000000000000000 1e23 99999999999999991611392
""".split()
TEXTS_LIKE_NUMBERS = """
    1 1.0 1e0 01 +1 -0 1. .5 0.5 1E2 9007199254740993 18446744073709551616 123456789012345678901234567890
    1.8446744073709552e19 0x1 1_0 NaN Infinity inf 1e400 - 2 \uff11 \u00b2 \u0662
""".split() + [" 1 "]
TEXTS = ["true", "True", " TRUE ", "false", "null", "None", "", " ", "\u00a0", "\u3000", "\u200b", "\x00", "\n"]
TEXTS += ["a b", "A  B", "a\u00a0b", "a\u202fb", "a\u200bb", "a\tb", "ab", "stra\u00dfe", "STRASSE", "\u1e9e", "ss"]
TEXTS += ["\u0130", "i\u0307", "I", "\u0131", "i", "\u03c3", "\u03c2", "\u03a3", "\ufb01", "fi", "\u017f", "s"]
TEXTS += ["\u212b", "\u00c5", "A\u030a", "a\u030a", "\uac00", "\u1100\u1161", "\u1e9b\u0323", "\u1e69"]
TEXTS += ["\u0345", "\u03b9", "\u1f80", "\u1f08\u0345", "\U0001f600"]
OTHERS = """
    true false null [] {} [1] ["1"] [1.0] [1,2] [2,1] [[1]] [true] ["TRUE"] [null] [""] {"a":1} {"a":"1"} {"A":1}
    {"a":1,"b":2} {"b":2.0,"a":1} {"a":null} {"\\u00e9":1} {"e\\u0301":1} {"a":{}} {"a":[]}
""".split()
VALUES = NUMBERS + [json.dumps(text) for text in TEXTS_LIKE_NUMBERS + TEXTS] + OTHERS

PAIR = """{"id": "pair-%d", "messages": [
    {"role": "user", "content": "x"},
    {"role": "assistant", "tool_calls": [{"function": {"name": "order", "arguments": {"item": %s}}}]},
    {"role": "user", "content": "x"},
    {"role": "assistant", "tool_calls": [{"function": {"name": "ping", "arguments": {}}}]},
    {"role": "assistant", "tool_calls": [{"function": {"name": "order", "arguments": {"item": %s}}}]}],
    "tools": [{"name": "order", "parameters": {"properties": {"item": {"enum": [1, "ab"], "default": "s"}}}}],
    "gold": {"turns": [{"turn": 1, "calls": [{"name": "order", "arguments": {"item": %s}}]}]}}"""


def pairs():
    """Every two values: the one as an argument, the other as gold's and as the argument of a second call."""
    for number, (first, second) in enumerate(itertools.combinations_with_replacement(VALUES, 2)):
        yield (PAIR % (number, first, second, second)).replace("\n", "")


# Letters of all kinds, digits, marks, spaces and what may stand between the digits of a number.
PIECES = list("aab2 2.5,-_$\u00e9\u00df\u0130\u017f\u03a3\u03c2\u03b1\u01c6\u0149\u03b0\u1e9e\ufb01\u00b2\u00bd\u2167\u24d0")
PIECES += list("\u30a2\u6771\u30ab\u30fc\u30a5\u3005\u3007\u3021\uff8a\uff9e\u3042\ud55c\u11a8\u301c\u3001\u3002\U00020bb7")
PIECES += list("\u0e01\u0e32\u0e31\u0e33\u1040\u1780\u0e81\u1000\u0967\u0663\u0915\u093f\u0301\uff21\uff41\U0001d552\U0001f600")
PIECES += ["e\u0301", "x\u0304", "\u1100\u1161", "\u00a0", "\u202f", "\u3000", "\u200b", "\u200d", "\n", "\t", "\u1680"]


def words(count, seed):
    """Whether a piece of a text, or another, occurs in it at word boundaries."""
    rng = random.Random(seed)
    tools = [{"name": "order", "parameters": {"properties": {"item": {}}}}]
    for number in range(count):
        text = "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 10)))
        start = rng.randrange(len(text))
        piece = text[start : rng.randint(start + 1, min(len(text), start + 4))]
        if rng.random() < 0.3:
            piece = rng.choice([piece.upper(), piece.lower(), piece.title()])
        if rng.random() < 0.2:
            piece = "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 2)))
        call = {"function": {"name": "order", "arguments": {"item": piece}}}
        if rng.random() < 0.5:
            messages = [{"role": "user", "content": text}]
        else:
            messages = [{"role": "user", "content": ""}, {"role": "tool", "content": text}]
        messages.append({"role": "assistant", "tool_calls": [call]})
        yield json.dumps({"id": f"word-{number}", "tools": tools, "messages": messages})


NAMES = ["get", "set"]
SIGNALS = ["none", "none", "modified", "interrupted"]


def dense(count, seed):
    """Two tools with two parameters of two or three values: nearly every call meets gold, an earlier call or both."""
    rng = random.Random(seed)
    for number in range(count):
        turns = rng.randint(1, 4)
        gold = [dense_gold(rng, turn) for turn in range(1, turns + 1) if rng.random() < 0.9]
        messages = []
        for _ in range(turns):
            messages.append({"role": "user", "content": rng.choice(["0", "0 1", "2, 1", "set"])})
            for _ in range(rng.choice([0, 1, 1, 2, 3])):
                listed = [{"function": dense_call(rng)} for _ in range(rng.choice([0, 1, 1, 2, 3]))]
                messages.append({"role": "assistant", "content": rng.choice(["", "a?", "b"]), "tool_calls": listed})
        data = {"id": f"dense-{number}", "tools": dense_tools(rng), "messages": messages}
        if rng.random() < 0.1:
            data["gold"] = {"calls": [call for turn in gold for call in turn["calls"]]}
        else:
            data["gold"] = {"turns": gold, "chains": dense_chains(rng, gold)}
        yield json.dumps(data)


def dense_tools(rng):
    params = {name: rng.choice([{}, {}, {"default": 0}, {"enum": [0, 1]}]) for name in ("p", "q")}
    return [{"name": name, "parameters": {"properties": params}} for name in rng.choice([NAMES, NAMES, NAMES[:1]])]


def dense_call(rng):
    args = {name: rng.choice([0, 0, 1, 1, "1", 2]) for name in ("p", "q") if rng.random() < 0.7}
    return {"name": rng.choice(NAMES + NAMES[:1] * 2), "arguments": args}


def dense_gold(rng, number):
    turn = {"turn": number, "signal": rng.choice(SIGNALS), "calls": []}
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        call = dense_call(rng)
        if rng.random() < 0.2:
            call["accept"] = {rng.choice("pq"): [rng.choice([0, 1, "1"])]}
        if rng.random() < 0.2:
            call["optional"] = [rng.choice("pq")]
        turn["calls"].append(call)
    if rng.random() < 0.3:
        turn["stale"] = [{"tool": rng.choice(NAMES), "param": rng.choice("pq"), "value": rng.choice([0, 1])}]
    if rng.random() < 0.3:
        turn["kind"] = rng.choice(["tool", "clarify", "language"])
    return turn


def dense_chains(rng, gold):
    places = [(turn["turn"], place) for turn in gold for place in range(len(turn["calls"]))]
    chains = []
    for _ in range(rng.choice([0, 1, 2]) if places else 0):
        links = [dict(zip(("turn", "call"), rng.choice(places))) for _ in range(rng.randint(1, 6))]
        for position in range(1, len(links)):
            needs = [need for need in range(position) if rng.random() < 0.4]
            links[position]["needs"] = [{"link": need} for need in needs]
        chains.append({"links": links})
    return chains
