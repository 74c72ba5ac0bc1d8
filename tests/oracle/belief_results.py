"""How tool returns and replies are read, and what phrases like "the second one" stand for (docs/recognition.md)."""

import re

from belief_json import Escaped, canonical_json, read_json, sorted_value
from belief_numbers import ORDINAL_VALUES, WORDS
from belief_mentions import GROUPS, ROLES
from belief_parameters import COMMON, stems
from belief_text import Text, name_parts, name_words, phrase_at, stem
from belief_entities import id_text
from values import fold_text, nfc

OBJECTS_READ = 8
BYTES_READ = 65536
LEAVES = 64

ERROR_TEXT = re.compile(
    r"((error|exception|failed|failure|fatal)(:|$)|traceback\b|\w*(error|exception):"
    r"|http(/[0-9.]+)? [45][0-9]{2}\b|[45][0-9]{2} [^\W\d_])"
)
ERROR_BEGINS = re.compile(r"(error|exception|traceback|failed|failure|fatal)\b")
LEADING = frozenset(
    """get find search list create book make cancel update modify fetch lookup check show add set delete remove return
    exchange reserve buy retrieve query calculate""".split()
)
TRAILING = frozenset("details info information status list result".split())


def is_error(text):
    value = read_json(text or "")
    if value is None:
        return text is not None and is_error_text(text)
    value = value[0]
    if isinstance(value, str):
        return is_error_text(value)
    if not isinstance(value, dict):
        return False
    for name in ("error", "errors", "exception"):
        if value.get(name) not in (None, False, "", 0, [], {}):
            return True
    if any(value.get(name) is False for name in ("success", "ok")):
        return True
    status = value.get("status")
    if isinstance(status, str) and fold_text(status) in ("error", "failed", "failure", "fail"):
        return True
    for name in ("status", "code", "status_code", "statusCode"):
        number = value.get(name)
        if isinstance(number, int) and not isinstance(number, bool) and 400 <= number <= 599:
            return True
    return any(value.get(name) is True for name in ("isError", "is_error"))


def is_error_text(text):
    return ERROR_TEXT.match(fold_text(text)) is not None


def type_of(tool, value):
    if isinstance(value, dict):
        for name in ("type", "object"):
            said = value.get(name)
            if is_short(said):
                return nfc(said)
    words = name_parts(tool)
    if words and words[0] in LEADING:
        words = words[1:]
    for place, word in enumerate(words):
        if word in ("by", "for", "from"):
            words = words[:place]
            break
    while words and words[-1] in TRAILING:
        words = words[:-1]
    return "_".join(words) or tool


def is_short(said):
    """Whether it is a text, without escapes in the JSON, that can be a type or a status."""
    short = isinstance(said, str) and 0 < len(said.encode("utf-8", "surrogatepass")) <= 40
    return short and not isinstance(said, Escaped)


def status_of(text, value, error):
    if value is not None and isinstance(value[0], dict):
        for name in ("status", "state"):
            said = value[0].get(name)
            if is_short(said):
                return nfc(said)
    if error:
        return "error"
    empty = value[0] in (None, "", [], {}) and value[0] is not False and value[0] != 0 if value is not None else not text
    return "empty" if empty else "ok"


def leaves_of(value, attribute=None):
    """(value, attribute) of the plain values inside, in the order of the text."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from leaves_of(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from leaves_of(item, attribute)
    elif value is not None:
        yield value, attribute


def value_of(item):
    """What an item is called by: (value,), or None."""
    if isinstance(item, (str, int, float)) and not isinstance(item, bool):
        return (item,)
    if isinstance(item, list):
        return None
    if not isinstance(item, dict):
        return json_value(item)
    plain = {name: value for name, value in item.items() if is_plain(value)}
    tests = [lambda name, _: name == "id", lambda _, words: words[-1:] == ["id"]]
    tests += [lambda name, _: name == "code", lambda name, _: name == "number"]
    tests += [lambda _, words: words[-1:] in (["code"], ["number"])]
    tests += [lambda name, _: name == "name", lambda name, _: name == "title"]
    for test in tests:
        for name, value in plain.items():
            if test(name, name_words(name)):
                return (value,)
    return json_value(item)


def is_plain(value):
    return value != "" and isinstance(value, (str, int, float)) and not isinstance(value, bool)


def json_value(item):
    if len(canonical_json(item).encode("utf-8", "surrogatepass")) > 1024:
        return None
    return (sorted_value(item),)


# References.

ITEM_WORDS = frozenset("one option choice result item entry".split())
CHINESE = {ch: n for n, ch in enumerate("\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341", 1)}
VERBS = frozenset(
    """cancel return exchange book buy order take delete remove send change update modify reserve get keep check track
    ship refund move reschedule play open close share rate review save""".split()
)
PRICE = "price cost fare fee amount rate total"
TIME = "time date departure start"
COMPARISONS = (
    ("cheaper cheapest", PRICE, min),
    ("earlier earliest", TIME, min),
    ("later latest", TIME, max),
    ("shorter shortest", "duration length", min),
    ("longer longest", "duration length", max),
    ("nearer nearest closer closest", "distance", min),
    ("smaller smallest", "size capacity area", min),
    ("larger largest bigger biggest", "size capacity area", max),
    ("newer newest", "date created year", max),
    ("older oldest", "date created year", min),
)
BY_WORD = {
    word: (frozenset(stem(name) for name in names.split()), pick, names in (TIME, "date created year"))
    for words, names, pick in COMPARISONS
    for word in words.split()
}
RATING = frozenset(stem(name) for name in "rating score star".split())
PRICES = frozenset(stem(name) for name in PRICE.split())
BY_PHRASE = [
    (Text("least expensive"), (PRICES, min, False)),
    (Text("most expensive"), (PRICES, max, False)),
    (Text("highest rated"), (RATING, max, False)),
    (Text("best rated"), (RATING, max, False)),
    (Text("\u6700\u4fbf\u5b9c\u7684"), (PRICES, min, False)),
]
FIXED = [Text(phrase) for phrase in ("both of them", "both", "all of them", "all of those")]
AS_BEFORE = [Text(phrase) for phrase in ("same as before", "same as last time")]
NUMBER_LEADING = re.compile(r"[$\u20ac\u00a3\u00a5\u20b9\u20a9]?\s*(-?\d+(\.\d+)?)", re.ASCII)
ISO = re.compile(r"\d{4}-\d{2}(-\d{2})?([T ]\d{2}:\d{2}.*)?|\d{2}:\d{2}(:\d{2})?", re.ASCII)


class Known:
    """An object as references see it: its type's words, its items if it is a list, its value."""

    def __init__(self, thing):
        self.thing = thing
        parts = [[part] if not part.isascii() else name_words(part) for part in name_parts(thing.type)]
        self.words = frozenset(stem(word) for part in parts for word in part)
        text = thing.text or ""
        value = read_json(text) if len(text.encode("utf-8", "surrogatepass")) <= BYTES_READ else None
        self.items = items_of(value[0]) if value else None
        self.value = value_of(value[0]) if value else bare_value(text)


def bare_value(text):
    """A text that is one id stands for itself; another text for nothing."""
    said = text.strip()
    return (said,) if said and id_text(said.lstrip("#")) else None


def items_of(value):
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list)]
        if len(lists) == 1 and lists[0] and all(isinstance(each, dict) for each in lists[0]):
            return lists[0]
    return None


class References:
    def __init__(self, text, things):
        self.text = text
        self.known = [Known(thing) for thing in things[-OBJECTS_READ:]]
        self.list = next((known for known in reversed(self.known) if known.items), None)
        self.newest = self.known[-1] if self.known else None

    def find(self):
        """(phrase, value) by place, equal phrases once."""
        found, place = [], 0
        while place < len(self.text.tokens):
            end, value = self.at(place)
            if end is None or value is None:
                place += 1
                continue
            led = place > 0 and self.word(place - 1) == "the"
            phrase = self.text.said(place - led, end)
            if all(phrase != other for other, _ in found):
                found.append((phrase, value[0]))
            place = end
        return found

    def word(self, place):
        return self.text.tokens[place].text if place < len(self.text.tokens) else ""

    def at(self, place):
        """(end, value or None) of the phrase that begins here; (None, None) without one."""
        tokens = self.text.tokens
        start = place + 1 if self.word(place) == "the" else place
        for read in (self.ordinal, self.comparison):
            found = read(start)
            if found:
                return found
        for read in (self.numbered, self.chinese, self.demonstrative, self.pronoun):
            found = read(place)
            if found:
                return found
        for phrase in FIXED:
            end = phrase_at(tokens, phrase, place)
            if end is not None:
                return end, self.all_values(2 if tokens[place].text == "both" else None)
        for phrase in AS_BEFORE:
            end = phrase_at(tokens, phrase, place)
            if end is not None:
                return end, self.arguments()
        return None, None

    def ordinal(self, place):
        number = ORDINAL_VALUES.get(self.word(place))
        if number is None or place + 1 >= len(self.text.tokens):
            return None
        noun = self.word(place + 1)
        if noun in ITEM_WORDS or (self.list and stem(noun) in self.list.words):
            return place + 2, self.item(number)
        return None

    def item(self, number):
        items = self.list.items if self.list else []
        if number == -1:
            return value_of(items[-1]) if items else None
        return value_of(items[number - 1]) if 1 <= number <= len(items) else None

    def numbered(self, place):
        word = self.word(place)
        tokens = self.text.tokens
        if place + 1 >= len(tokens) or word not in ("option", "number", "#"):
            return None
        if word == "#" and not tokens[place + 1].glued:
            return None
        said = tokens[place + 1]
        number = int(said.text) if said.digits else None
        if number is None and word != "#":
            number = WORDS.get(said.text)
        if number is None or not 1 <= number <= 20:
            return None
        return place + 2, self.item(number)

    def chinese(self, place):
        word = self.word
        if word(place) == "\u7b2c" and word(place + 1) in CHINESE and word(place + 2) == "\u4e2a":
            return place + 3, self.item(CHINESE[word(place + 1)])
        end = phrase_at(self.text.tokens, Text("\u6700\u540e\u4e00\u4e2a"), place)
        return (end, self.item(-1)) if end is not None else None

    def comparison(self, place):
        rule, end = BY_WORD.get(self.word(place)), place + 1
        for phrase, other in BY_PHRASE:
            phrase_end = phrase_at(self.text.tokens, phrase, place)
            if phrase_end is not None:
                rule, end = other, phrase_end
        if rule is None or (self.text.tokens[place].kind == "word" and (place == 0 or self.word(place - 1) != "the")):
            return None
        noun = self.word(end) if self.text.tokens[place].kind == "word" else ""
        if noun and (noun in ITEM_WORDS or (self.list and stem(noun) in self.list.words)):
            end += 1
        return end, self.extreme(*rule)

    def extreme(self, names, pick, ordered):
        items = self.list.items if self.list else []
        values = [attribute_of(item, names, ordered) for item in items]
        if len(values) < 2 or any(value is None for value in values):
            return None
        if len({len(value) if isinstance(value, str) else 0 for value in values}) > 1:
            return None
        best = pick(values)
        return value_of(items[values.index(best)]) if values.count(best) == 1 else None

    def demonstrative(self, place):
        word, at = self.word(place), place + 1
        if word == "the" and self.word(place + 1) == "same":
            at = place + 2
        elif word not in ("that", "this"):
            return None
        noun = self.word(at)
        if not noun:
            return None
        if noun == "one" and at == place + 1:
            return at + 1, self.single(self.newest)
        for known in reversed(self.known):
            if known.items is None and stem(noun) in known.words:
                return at + 1, known.value
        return None

    def pronoun(self, place):
        if self.word(place) == "it" and place > 0 and self.word(place - 1) in VERBS:
            return place + 1, self.single(self.newest)
        return None

    @staticmethod
    def single(known):
        return known.value if known is not None and known.items is None else None

    def all_values(self, count):
        items = self.list.items if self.list else []
        if len(items) < 2 or (count is not None and len(items) != count):
            return None
        values = [value_of(item) for item in items]
        return ([value[0] for value in values],) if all(values) else None

    def arguments(self):
        if self.newest is None:
            return None
        return (sorted_value({slot.param: slot.value for slot in self.newest.thing.slots}),)


def attribute_of(item, names, ordered):
    if not isinstance(item, dict):
        return None
    for name, value in item.items():
        if not names.isdisjoint(stem(word) for word in name_words(name)):
            number = comparable(value, ordered)
            if number is not None:
                return number
    return None


def comparable(value, ordered):
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, str):
        if ordered:
            return value if ISO.fullmatch(value) else None
        match = NUMBER_LEADING.match(value)
        return float(match[1]) if match else None
    return None


# Replies.

ASKING_MARKS = frozenset("?\uff1f\u061f\u037e;")
ASKING_VERBS = frozenset("provide tell specify confirm share enter give".split())
ASKING = [Text(f"please {verb}") for verb in sorted(ASKING_VERBS)]
ASKING += [
    Text(phrase)
    for phrase in (
        "could you;can you;would you;let me know;may i have;may i know;i need your;i'll need;i will need".split(";")
    )
]
NOT_ASKING = [Text(phrase) for phrase in ("anything else", "something else", "further assistance")]


def asking_sentences(text):
    """(first, end) of the sentences of a reply that ask."""
    return [span for span in text.sentence_spans if sentence_asks(text, *span)]


def has_phrase(text, phrases, first, end):
    for place in range(first, end):
        for phrase in phrases:
            found = phrase_at(text.tokens, phrase, place)
            if found is not None and found <= end:
                return True
    return False


def sentence_asks(text, first, end):
    tokens = text.tokens
    if has_phrase(text, NOT_ASKING, first, end):
        return False
    if tokens[end - 1].text in "?\uff1f\u061f" or tokens[end - 1].raw == "\u037e":
        return True
    begin = first + 1 if tokens[first].text == "please" and first + 1 < end else first
    return tokens[begin].text in ASKING_VERBS or has_phrase(text, ASKING, first, end)


def missing(text, tools, slots, tool=None):
    """The parameters that a reply (a Text) asks for: (tool or None, name)."""
    sentences = [asked_in(text, first, end) for first, end in asking_sentences(text)]
    if not sentences:
        return []
    if tool is None:
        return missing_of_any(text, tools, slots, sentences)
    own = [tools.by_name[tool]] if tool in tools.by_name else []
    return [(tool, param.name) for param in missing_of(own, slots, sentences)]


QUESTION_WORDS = {
    "where": "city location place town area",
    "when": "date",
    "day": "date",
    "who": "recipient",
    "whom": "recipient",
}
QUESTION_STEMS = {word: stems(said.split()) for word, said in QUESTION_WORDS.items()}


def asked_in(text, first, end):
    """The stems of a sentence's words, with those of their groups and of what its question words ask for."""
    words = [token.text for token in text.tokens[first:end] if token.is_word]
    found = set(stem(word) for word in words)
    for group in GROUPS:
        if found & group:
            found |= group
    for word in words:
        found |= QUESTION_STEMS.get(word, frozenset())
    for roles, own, _ in ROLES[:2]:
        if any(word in roles and word not in ("to", "by", "before", "after", "since") for word in words):
            found |= own
    return frozenset(found)


def missing_of(tools, slots, sentences):
    """The parameters that sentences ask for, sentence by sentence."""
    found = []
    for sentence in sentences:
        for tool in tools:
            unset = [param for param in tool.params if (tool.name, param.name) not in slots]
            for param in unset:
                words = [stem(word) for word in param.words if word not in COMMON]
                whole = bool(words) and all(word in sentence for word in words)
                if param not in found and (whole or last_word_alone(param, unset, sentence)):
                    found.append(param)
    return found


def last_word_alone(param, unset, sentence):
    if not param.words or param.words[-1] in COMMON:
        return False
    last = param.stem_list[-1]
    if any(other is not param and other.stem_list[-1:] == [last] for other in unset):
        return False
    return last in sentence


def missing_of_any(text, tools, slots, sentences):
    said = frozenset(stem(token.text) for token in text.tokens if token.is_word)
    scores = [(tools.score(tool, said, slots), tool) for tool in tools.tools]
    most = max((score for score, _ in scores), default=0)
    best = [tool for score, tool in scores if score == most]
    if len(best) == 1:
        return [(best[0].name, param.name) for param in missing_of(best, slots, sentences)]
    found = missing_of(tools.tools, slots, sentences)
    names = [param.name for param in found]
    listed = [(param.tool if names.count(param.name) == 1 else None, param.name) for param in found]
    return list(dict.fromkeys(listed))
