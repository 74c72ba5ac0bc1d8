"""The tools' parameters as recognition sees them: words, kinds and what they take (docs/recognition.md, "Parameters")."""

from belief_json import sorted_value, written
from belief_text import name_words, stem
from trajectory import read_pool
from values import folded, nfc

TYPES = {
    "string": "text",
    "str": "text",
    "text": "text",
    "integer": "int",
    "int": "int",
    "long": "int",
    "number": "real",
    "float": "real",
    "double": "real",
    "real": "real",
    "boolean": "bool",
    "bool": "bool",
    "array": "list",
    "list": "list",
    "tuple": "list",
    "object": "object",
    "dict": "object",
    "null": "null",
}


def stems(words):
    return frozenset(stem(word) for word in words)


COMMON = frozenset(
    """a an the of to from for in on at by with and or is are be it its this that these those i you your my me we our
    any all none other yes no not true false one new get set use if as do does can will which what who when where how
    has have value param parameter should would must e g""".split()
)
DATE_WORDS = frozenset("date day birthday birthdate dob deadline checkin checkout".split())
TIME_WORDS = frozenset("time hour clock".split())
WORD_KINDS = (
    ("email", frozenset(["email", "mail"])),
    ("phone", frozenset("phone telephone mobile cell fax".split())),
    ("url", frozenset("url link website uri".split())),
)
COUNT_FIRST = frozenset("number num no count quantity".split())
COUNT_LAST = stems(
    """count quantity qty size people guest adult child seat ticket room night day passenger person bag item duration
    rating star age length bed bath bedroom bathroom""".split()
)
AMOUNT_WORDS = frozenset("price cost amount fee budget fare salary balance total rent".split())
ID_WORDS = stems("id code number no reference ref sku isbn key zip zipcode postcode".split())

TAKES = {
    "number": ("number", "percent", "money"),
    "datetime": ("datetime", "date", "time"),
    "date": ("date", "datetime"),
    "time": ("time", "datetime"),
    "email": ("email",),
    "phone": ("phone",),
    "url": ("url",),
    "count": ("number",),
    "amount": ("money", "number"),
    "id": ("id", "quoted"),
    "text": ("quoted", "name", "id"),
    "choice": (),
    "flag": (),
    "none": (),
}
STRONG = frozenset(["email", "url", "phone", "date", "time", "datetime"])


def schema_type(schema):
    declared = schema.get("type")
    if isinstance(declared, list):
        declared = next((name for name in declared if name != "null"), None)
    return TYPES.get(str(declared).lower(), "any") if declared is not None else "any"


def truths_of(choices):
    """(yes, no) of choices that are these two, or None."""
    said = [folded(choice) for choice in choices]
    for pair in ((True, False), ("yes", "no")):
        wanted = [folded(value) for value in pair]
        if len(said) == 2 and all(value in said for value in wanted):
            return [choices[said.index(value)] for value in wanted]
    return None


DIGITS_LIMIT = 18  # of an id that is a number
WHOLE_LIMIT = 10**15


class Parameter:
    def __init__(self, tool, name, schema):
        self.tool = tool
        self.name = nfc(name)
        schema = schema if isinstance(schema, dict) else {}
        self.type = schema_type(schema)
        self.is_list = self.type == "list"
        if self.is_list:
            self.type = "any"  # of its items nothing is known
        self.words = name_words(self.name)
        self.stem_list = [stem(word) for word in self.words]
        self.stems = frozenset(self.stem_list)
        self.said_stems = frozenset(stem(word) for word in self.words if word not in COMMON)
        self.choices = [sorted_value(value) for value in schema.get("enum") or []]
        self.truths = truths_of(self.choices)
        self.kind = self.kind_of_name()

    def kind_of_name(self):
        words, last = self.words, self.stem_list[-1] if self.stem_list else ""
        if self.is_list and words:
            words = [w[:-1] if len(w) > 2 and w.endswith("s") and not w.endswith("ss") else w for w in words]
            last = stem(words[-1])
        if self.choices:
            return "flag" if self.truths else "choice"
        if self.type in ("bool", "int", "real", "object"):
            return {"bool": "flag", "object": "none"}.get(self.type, "number")
        has_date, has_time = DATE_WORDS.intersection(words), TIME_WORDS.intersection(words)
        if "datetime" in words or "timestamp" in words or (has_date and has_time):
            return "datetime"
        if has_date or has_time:
            return "date" if has_date else "time"
        for kind, known in WORD_KINDS:
            if known.intersection(words):
                return kind
        if (len(words) > 1 and words[0] in COUNT_FIRST) or last in COUNT_LAST:
            return "count"
        if AMOUNT_WORDS.intersection(words):
            return "amount"
        return "id" if ID_WORDS & self.stems else "text"

    def takes(self, entity):
        """Whether the kind takes this entity."""
        if entity.kind in TAKES[self.kind]:
            return True
        if self.kind == "choice":
            return entity.kind == "number" and self.choice_of(entity.value) is not None
        digits = entity.digits
        if digits is None:
            return False
        if self.kind == "number":
            return entity.kind == "id"
        if self.kind == "id":
            return entity.kind == "number"
        return self.kind == "phone" and entity.kind == "id" and 7 <= len(digits) <= 15

    def choice_of(self, number):
        """The choice that is this number: (value,), or None."""
        return next(((choice,) for choice in self.choices if folded(choice) == folded(number)), None)

    def truth(self, value):
        """A flag's JSON."""
        return value if self.truths is None else self.truths[not value]

    def value_of(self, entity):
        """The entity as JSON of the declared type: (value,), or None where it does not fit."""
        value = entity.value
        if self.kind == "choice":
            return self.choice_of(value)
        if self.kind == "number" and entity.kind == "id" and entity.digits is not None:
            value = int(entity.digits)
            if len(str(value)) > DIGITS_LIMIT:
                return None
        if entity.kind == "datetime" and self.kind in ("date", "time"):
            value = value[:10] if self.kind == "date" else value[11:16]
        if isinstance(value, (int, float)) and self.kind in ("id", "phone"):
            value = entity.digits
        if self.type == "int":
            return (value,) if isinstance(value, int) and (entity.kind == "id" or abs(value) < WHOLE_LIMIT) else None
        if self.type == "real":
            return (value,) if isinstance(value, (int, float)) else None
        if self.type == "text" and not self.is_list and isinstance(value, (int, float)):
            return (written(value),)
        return (value,) if self.type in ("text", "any") else None

    def base(self, entity):
        """B of an entity that the kind takes."""
        if entity.kind in STRONG:
            return 3
        if entity.kind == "money":
            return 3 if self.kind == "amount" else 2
        if (entity.kind, self.kind) in (("id", "id"), ("quoted", "text"), ("quoted", "id")):
            return 2
        return 0


class Tool:
    def __init__(self, name, properties):
        self.name = name
        self.words = frozenset(stem(word) for word in name_words(name) if word not in COMMON)
        self.params = [Parameter(name, param, schema) for param, schema in properties.items()]

    def param(self, name):
        return next((param for param in self.params if param.name == name), None)


class Tools:
    """The pool; without one there are no tools."""

    def __init__(self, tools):
        self.tools = [Tool(nfc(name), properties) for name, properties in (read_pool(tools) or {}).items()]
        self.by_name = {tool.name: tool for tool in self.tools}
        shared = [word for tool in self.tools for word in tool.words]
        for tool in self.tools:
            many = len(self.tools) > 1
            rare = [word for word in tool.words if not (many and 2 * shared.count(word) > len(self.tools))]
            tool.words = frozenset(rare)

    def params(self, only=None):
        tools = self.tools if only is None else [self.by_name[only]] if only in self.by_name else []
        return [param for tool in tools for param in tool.params]

    def score(self, tool, message_stems, slots):
        """T: how much the message and the state speak for the tool."""
        said = len(tool.words & message_stems)
        return 2 * min(3, said) + any((tool.name, param.name) in slots for param in tool.params)


