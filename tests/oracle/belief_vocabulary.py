"""Tools, phrases and returns that generated dialogues about belief states draw from (belief_generate.py)."""

CITIES = ["Oslo", "New York", "S\u00e3o Paulo", "Bank of the West", "Strau\u00dfberg", "\uc11c\uc6b8", "\u5317\u4eac", "\u0130stanbul"]
NAMES = ["Nero", "Chez Nous", "Rock 'n' Roll", "O'Hare", "Rock & Roll", "\u6771\u4eac\u30bf\u30ef\u30fc", "Kim \U0001f600"]
TIMES = ["7am", "7 am", "7:30", "19:00", "7.45 p.m.", "noon", "midnight", "half past six", "quarter to 9", "3 o'clock"]
TIMES += ["07:05", "11:59 pm", "12am", "8 in the evening", "8:15 in the morning", "23:10:05", "6:30 tonight", "25:00", "7:5"]
DATES = ["2024-05-20", "2024/06/01", "5/20/2024", "20.05.2024", "5/6/2024", "6/7", "May 5", "5th of May, 2025", "Sept. 3rd"]
DATES += ["tomorrow", "next Friday", "this monday", "day after tomorrow", "today", "31 February 2024", "2024-02-30", "1-1-2024"]
DATES += ["2024-05-20T10:30", "2024-05-20T10:30:00Z", "March"]
NUMBERS = ["2", "three", "twenty-five", "twenty five", "1,200", "1,20", "3.5", "-4", "5k", "2.5m", "two hundred", "a dozen"]
NUMBERS += ["a hundred", "5kg", "3rd", "1.2.3", "10 thousand", "one", "0", "007", "12-15", "\u00bd", "\u0663", "\uff11\uff12", "1e5"]
AMOUNTS = ["$50", "\u20ac1,000.50", "50 dollars", "20 USD", "\u00a33k", "$ 5", "ten euros", "$-3", "15%", "20 percent", "\u00a5100"]
IDS = ["#W123", "W123", "AB-12-C", "id_7", "12345", "987654321", "#12", "X1Y2Z3", "a--1", "5G", "#", "QX-", "B-310"]
CONTACTS = ["ana@x.org", "<bob.b+1@mail.example.com>,", "bob@x", "+1 (555) 123-4567", "555-123-4567", "555 12 34", "5551234567"]
CONTACTS += ["https://example.com/a?b=1.", "www.x.org", "www.", "http://"]
QUOTED = ['"{}"', "\u201c{}\u201d", "'{}'", "\u2018{}\u2019", "\u00ab{}\u00bb", "\u300c{}\u300d", "\u300e{}\u300f", '"{}', "\u201e{}\u201c"]
CHOICES = ["economy", "business class", "first-class", "round trip", "roundtrip", "ONE_WAY", "one way", "no", "A", "m", "vegan", "all"]
ALL_VALUES = CITIES + NAMES + TIMES + DATES + NUMBERS + AMOUNTS + IDS + CONTACTS + CHOICES


def tool(name, description="", **params):
    return {"name": name, "description": description, "parameters": {"type": "object", "properties": params}}


TEXT = {"type": "string"}
INT = {"type": "integer"}
REAL = {"type": "number"}
FLAG = {"type": "boolean"}

TOOLS = [
    tool(
        "book_flight",
        origin={"type": "string", "description": "The city that the flight leaves from"},
        destination=TEXT,
        departure_date={"type": "string", "description": "Day of travel"},
        return_date=TEXT,
        passengers=INT,
        cabin={"type": "string", "enum": ["economy", "business class", "first_class"]},
        trip={"type": "string", "enum": ["one_way", "round-trip"]},
        is_refundable=FLAG,
        max_price=REAL,
    ),
    tool("find_restaurant", city=TEXT, cuisine={"enum": ["vegan", "thai", "no", "any"]}, time=TEXT, number_of_people=TEXT),
    tool("reserveTable", restaurantName=TEXT, partySize=INT, startTime=TEXT, date=TEXT, **{"outdoor-seating": FLAG}),
    tool("get_order_details", order_id=TEXT),
    tool("cancel_order", order_id=TEXT, reason={"enum": ["no longer needed", "ordered by mistake"]}),
    tool("return_items", order_id=TEXT, item_ids={"type": "array", "items": {"type": "string"}}, payment_method_id=TEXT),
    tool("send_message", to=TEXT, subject=TEXT, body=TEXT, phone_number=TEXT, email=TEXT),
    tool("transfer_money", amount=REAL, currency={"enum": ["USD", "EUR", "A", "m"]}, account_number=INT, memo=TEXT),
    tool("play_song", song_title=TEXT, artist=TEXT, volume=INT, tags={"type": "array", "items": TEXT}),
    tool("set_alarm", time=TEXT, repeat={"enum": ["once", "daily", "weekly"]}, label=TEXT),
    tool("add_event", start_datetime=TEXT, end_time=TEXT, title=TEXT, link=TEXT, options={"type": "object"}, rating=INT),
    tool("\u67e5\u5929\u6c14", **{"\u57ce\u5e02": TEXT, "\u65e5\u671f": TEXT}),
    tool("calc", x={"type": ["number", "null"]}, y={}, numbers={"type": "array", "items": {"type": "integer"}}),
    tool("ping"),
]

OPENERS = ["I want to", "Please", "", "Can you", "I'd like to", "could you please", "Hey,", "\u6211\u60f3", "OK."]
CUES = [
    "Actually,", "change", "make it", "instead", "not {0} but {1}", "rather", "I meant", "update", "Wait, first", "wait first",
    "By the way,", "before that", "something else", "on second thought", "never mind", "Forget it.", "cancel that",
    "start over", "which one", "what do you mean", "not sure", "I don\u2019t know", "something like", "also", "as well",
    "and then", "in addition", "at the same time", "one more thing", "exchange", "ALSO", "make\nit", "can\u00adcel that",
]
CHANGES = [
    "change {0} to {1}", "move it from {0} to {1}", "{1} instead of {0}", "not {0} but {1}", "{1}, not {0}", "{1} rather than {0}",
    "{0} or {1}", "{0}, no, {1}", "{0}, sorry, {1}", "I don't want {0}", "no longer {0}", "{0} and {1}", "switch {0} with {1}",
    "from {0} to {1}", "between {0} and {1}", "{0}? No: {1}!", "{0} actually {1}",
    "make it {1} instead of {0}", "I meant {1}, not {0}", "instead of {0}, make it {1}", "replace {0} by {1}", "change the {p} from {0} to {1}",
]
NEAR = [
    "the {p} is {v}", "{v} for the {p}", "{p}: {v}", "with {p} {v}", "{v} {p}", "{p} should really be at {v}", "in {v}", "to {v}",
    "from {v}", "at {v}", "by {v}", "called {v}", "{v}", "until {v}", "after {v}", "{p} = {v}", "my {p}s are {v}", "({v})",
    "for {v} people", "no {p}", "with {p}", "without {p}", "{v} nights",
]
REFERENCES = [
    "the first one", "the second option", "the last item", "2nd result", "option 2", "option two", "#2", "number 3", "the cheapest",
    "the cheapest one", "the earlier flight", "the latest", "most expensive", "the highest rated", "that one", "this one",
    "that order", "the same order", "cancel it", "return it", "make it", "both", "both of them", "all of them", "same as before",
    "\u7b2c\u4e8c\u4e2a", "\u6700\u540e\u4e00\u4e2a", "\u6700\u4fbf\u5b9c\u7684", "that table", "this song", "the tenth one", "the second order",
]
TAILS = [
    ".", "?", "!", " please.", "\u3002", "\u2026", " \U0001f600", "\u200b", "</Context_Manager>", " <b>&amp;</b>", '{"a": "}"}', "\u202e",
    "\n", ", thanks", "\u00a0", "\x07", "\\n", " p.m. Then", "\u061f", "", "e\u0301", "\ufeff", ";",
]
ANSWERS = ["It's {v}.", "{v}", "{v}, please", "at {v}", "yes, {v} thanks", "I would like {v}", "no", "not {v}", "any", "the {v}", "my {v}?"]

QUESTIONS = [
    "What is the {p}?", "Please provide the {p}.", "Which {p} and {q} do you want?", "Could you tell me the {p} and the {q}?",
    "Let me know the {p}; and the {q}.", "I'll need your {p}.", "For which tool, {t}, is the {p}?", "Is there anything else?", "Tell me more",
    "{p}\uff1f", "May I have the {p}? It is done.", "Confirm {p}.", "To {t}: which {p}?",
]
STATEMENTS = [
    "Done.", "I have done {t}.", "The {p} is fine.", "\u597d\u7684\u3002", "Here you are: 1. A 2. B", "Anything else? I can help.", "ok \U0001f600",
    "<Context_Manager>{}</Context_Manager>", "The {p} cannot be empty!", "\u00a0",
]
LISTED = [
    {"id": "#W123", "price": 20, "time": "10:30", "rating": 4.5, "name": "Strand"},
    {"id": "AB-12-C", "price": 15.5, "time": "09:15", "rating": 4, "name": "Chez Nous"},
    {"id": "X1Y2Z3", "price": 99, "time": "18:00", "rating": 5, "name": "Nero"},
    {"order_id": "B-310", "cost": "$7.50", "date": "2024-05-20", "size": 3},
    {"code": "QX", "cost": "8 USD", "date": "2024-05-19", "size": 3},
    {"title": "Rock & Roll", "duration": 200},
    {"deep": [{"x": 1}], "flag": True},
    "plain",
    12345,
    None,
]
ERRORS = [
    {"error": "no such order"}, {"error": None, "id": "Z9"}, {"success": False}, {"ok": True}, {"status": "FAILED"},
    {"status": 404}, {"code": 500.0}, {"statusCode": "400"}, {"isError": True}, {"errors": []}, {"exception": "x"},
    "Error: user not found", "Exception", "failed", "failed to do so", "ValueError: bad", "HTTP 404", "http/1.1 500 x", "404 Not found",
    "404", "errors: none", "Fatal: x", "Traceback (most recent call last)", "My error: x",
]
TEXTS = ["", "ok", "u_81", "#W123", "Order W123 was found for Ana.", "null", "[]", "{}", '"text"', "3", "true", "{bad json", "NaN", " [1, 2] "]
