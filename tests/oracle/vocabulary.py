"""Tools, parameter values and phrases that the generator draws from, with ways to write a value differently."""

import unicodedata

BIG = 2**53


def param(values, **schema):
    return {"values": values, "schema": schema}


CITIES = [
    "Oslo",
    "New York",
    "S\u00e3o Paulo",
    "Sa\u0303o Paulo",
    "\uc11c\uc6b8",
    "\u5317\u4eac",
    "Stra\u00dfe 5",
    "new\u00a0york",
    "Oslo\u202fS",
    "\u0130stanbul",
    "\ufb01sh \u2167",
    "\u039f\u0394\u039f\u03a3",
    "\u3000Oslo\u200b",
    "\u6771\u4eac\u30bf\u30ef\u30fc2",
    "a\u0304b\u0304",
]
DATES = ["2024-05-20", "2024-05-21", "tomorrow", "2", "20", "2024", "05-20", "20.", "2024-05"]
COUNTS = [1, 2, 3, 20, 2024, 1.0, 2.0, "2", "3", 0, -5, -0.0, "-0", "1E3", 1000]
PRICES = [2.5, 250, 250.0, "250", "2.50", 99.9, 0.1, 1e-05, "$2", "2,500", 1e22]
ORDER_IDS = ["#W12", "W12", "#W123", "id_7", "7", BIG + 1, BIG, BIG + 2, 9876543210123456]
ORDER_IDS += [float(BIG), 2**63, 2**63 + 1, 2**64 - 1, "18446744073709551615", -(2**63)]
OBJECTS = [
    {"seat": "12A", "meals": ["vegan", 2]},
    {"meals": ["vegan", 2.0], "seat": "12A"},
    {"seat": "12B", "meals": []},
    {},
    {"seat": None, "deep": [{"x": [1, {"y": "z"}]}]},
]
LISTS = [["a", "b"], ["b", "a"], [1, 2, 3], ["1", 2.0], [], [True, None], [["a"], ["b"]], ["a", ""]]

TOOLS = {
    "alarm": {
        "time": param(["07:00", "06:30", "9:15", "7"], type="string"),
        "repeat": param(["once", "daily", "Once"], type="string", default="once"),
        "volume": param([1, 5, "5", 5.0], type="integer", default=5),
    },
    "bluetooth": {"action_type": param(["open", "close", "OPEN", "reset"], type="string", enum=["open", "close"])},
    "get_weather": {
        "city": param(CITIES, type="string"),
        "date": param(DATES, type="string"),
        "metric": param([True, False, "true", "False"], type="boolean", default=True),
    },
    "book_flight": {
        "origin": param(CITIES, type="string"),
        "destination": param(CITIES, type="string"),
        "passengers": param(COUNTS, type="integer", default=1),
        "options": param(OBJECTS, type="object"),
        "price": param(PRICES, type="number"),
    },
    "find_order": {"order_id": param(ORDER_IDS), "tags": param(LISTS, type="array", items={"type": "string"})},
    "send_message": {
        "to": param(["Kim \U0001f600", "\uae40\ucca0\uc218", "\U0001f680", "bob@example.com", "Bob"], type="string"),
        "body": param(["", " ", "hi?", "2 lamps", "\uc548\ub155", "quote \" and \\ and\nline", None], type="string"),
    },
    "\ub0a0\uc528": {"\ub3c4\uc2dc": param(["\uc11c\uc6b8", "\ubd80\uc0b0", "\u110b\u1165"], type="string")},
    "rate": {"stars": param([1, 2, 3, 4, 5], type="integer", enum=[1, 2, 3, 4, 5]), "note": param(["good", "bad"])},
    "ping": {},
}

# What an agent may write instead of a JSON object; neither JSON nor a Python literal of an object, or no object.
MALFORMED = ["{\"time\": ", "not json", "[1, 2]", "\"text\"", "5", "null", "{} {}", "{time: 7}", "\"\""]

OUT_OF_POOL = ["lamp", "Alarm", "alarm ", "radio", "get_weather_v2"]
MISSING_NAMES = ["start_time", "city", "order_id", "\ub3c4\uc2dc", "date"]
QUESTIONS = [
    "What start time?",
    "Which start_time and city?",
    "Which city\uff1f",
    "Please tell me the CITY and the order id?",
    "\ub3c4\uc2dc?",
    "Do you like the cityscape? And start_times?",
    "Could you say more?",
    "date: ?",
]
STATEMENTS = ["Done.", "I set it up for you.", "\uc54c\uaca0\uc2b5\ub2c8\ub2e4.", "\u597d\u7684\u3002", "ok \U0001f600", "{\"message\": \"x\"}"]
BLANKS = [None, "", " ", "\u00a0\n", []]
TAGGED = [
    "<tool_call>{}</tool_call>",
    "done</tool_call>",
    "<Context_Manager> {} </Context_Manager>",
    "a < b <tool_calls> <context_manager>",
    "Which city? <Context_Manager>",
]
SMALL_TALK = [
    "How are you?",
    "It is 2024 and I paid $250.00, not 2,500.",
    "From 1.2 to 2-3, 2.5 or $2. Just 20. On 2024-05-20",
    "\u6771\u4eac20\u5ea6 \uff12\uff10 a2b 2b \u30bf\u30ef\u30fcA fish viii, \u03bf\u03b4\u03bf\u03c2 i\u0307stanbul x\u0304b",
    "9223372036854775808 or 9007199254740993, 18446744073709551615",
    "(7am) id_78 #W1234 seat 12AB",
    "\uc11c\uc6b8\ub85c \uac00\ub294 \ube44\ud589\uae30",
    "\u6211\u8981\u53bb\u5317\u4eac",
    "Stra\u00dfe, STRASSE, strasse",
    "never mind",
    "",
]
CUES = {
    "modified": "Actually, make that",
    "interrupted": "Wait, first",
    "accumulate": "And also",
    "reset": "Forget it, start over with",
    "clarify": "I am not sure about",
    "none": "Please use",
}


def swap_form(text):
    """NFC text as NFD and the other way round."""
    decomposed = unicodedata.normalize("NFD", text)
    return decomposed if decomposed != text else unicodedata.normalize("NFC", text)


def strictly_equal_form(rng, value):
    """The same value written otherwise: canonically equal."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int) and abs(value) < BIG:
        return float(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        return swap_form(value)
    if isinstance(value, list):
        return [strictly_equal_form(rng, item) for item in value]
    if isinstance(value, dict):
        items = [(key, strictly_equal_form(rng, item)) for key, item in value.items()]
        rng.shuffle(items)
        return dict(items)
    return value


def loosely_equal_form(rng, value):
    """The same value for a lenient reader: mostly equal when folded, not canonically."""
    if isinstance(value, bool):
        return rng.choice([str(value), str(value).lower()])
    if isinstance(value, (int, float)):
        return rng.choice([repr(value), f" {value!r} "])
    if isinstance(value, str):
        return rng.choice([value.upper(), value.lower(), f" {value}\u00a0", value.replace(" ", "\u202f "), value.title()])
    if isinstance(value, list):
        return [loosely_equal_form(rng, item) for item in value]
    return value
