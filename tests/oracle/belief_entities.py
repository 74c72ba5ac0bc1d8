"""What a message may give values with: the entities of docs/recognition.md, without dates and times."""

import re
import unicodedata

import belief_dates
from belief_json import encoded
from belief_numbers import number_at
from belief_text import FRONT, Text

ENTITY_LIMIT = 64
MOMENT_LIMIT = 40  # bytes
MONEY_SIGNS = frozenset("$\u20ac\u00a3\u00a5\u20b9\u20a9")
MONEY_WORDS = "dollar usd buck euro eur pound gbp yen jpy yuan rmb cny rupee inr krw".split()
MONEY_WORDS = frozenset(MONEY_WORDS + "dollars bucks euros pounds rupees".split())
NAME_TRIGGERS = frozenset("in from to at near by called named for around about leave leaving depart departing".split())
NAME_INSIDE = frozenset(["of", "de", "del", "la", "the", "&", "-"])
QUOTE_PAIRS = {'"': '"', "'": "'", "\u00ab": "\u00bb", "\u300c": "\u300d", "\u300e": "\u300f"}

EMAIL = re.compile(r"[A-Za-z0-9_.+%-]+@[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+")
URL = re.compile(r"(https?://|www\.).+", re.IGNORECASE | re.DOTALL)
ID = re.compile(r"[A-Za-z0-9]+([-_][A-Za-z0-9]+)*")
NO_ID = re.compile(r"[0-9]+([A-Za-z]{1,3}|([-_][a-z]+)+)")
DIGITS = re.compile(r"[0-9]+")


class Entity:
    """`value` as JSON would have it for a parameter of any type; `digits`: it is digits alone, as said."""

    def __init__(self, kind, first, end, value, said, is_open=False, digits=None):
        self.kind = kind
        self.first = first
        self.end = end
        self.value = value
        self.said = said
        self.open = is_open
        self.digits = digits

    def __repr__(self):
        return f"{self.kind}({self.value!r})"


def glued_at(text, place):
    return place < len(text.tokens) and text.tokens[place].glued


def quoted_at(text, place):
    token = text.tokens[place]
    closing = QUOTE_PAIRS.get(token.text)
    if closing is None or (token.text == "'" and (token.glued or not glued_at(text, place + 1))):
        return None
    for end in range(place + 1, len(text.tokens)):
        last = text.tokens[end]
        if "\n" in text.plain[text.tokens[end - 1].end : last.start]:
            return None
        if last.text != closing:
            continue
        if closing == "'" and not (last.glued and not (glued_at(text, end + 1) and text.tokens[end + 1].is_word)):
            continue
        inside = text.plain[token.end : last.start]
        if not 1 <= len(inside.encode("utf-8", "surrogatepass")) <= 200 or not inside.strip():
            return None
        return inner(inside.strip(), place, end + 1)
    return None


def inner(inside, first, end):
    """A quoted text, or the one email, url, phone or id that it is."""
    text = Text(inside)
    for kind in (email_at, url_at, phone_at, id_at):
        found = kind(text, 0) if text.tokens else None
        if found and found.end == len(text.tokens):
            return Entity(found.kind, first, end, inside, inside, digits=found.digits)
    return Entity("quoted", first, end, inside, inside)


def core_match(text, place, pattern):
    """The end of a core that begins here and matches."""
    first, end = text.core(place)
    if first == place and first < end and pattern.fullmatch(text.said(first, end)):
        return end
    return None


def as_said(kind, text, first, end, digits=None):
    said = text.said(first, end)
    return Entity(kind, first, end, said, said, digits=digits)


def email_at(text, place):
    end = core_match(text, place, EMAIL)
    return as_said("email", text, place, end) if end else None


def url_at(text, place):
    end = core_match(text, place, URL)
    return as_said("url", text, place, end) if end else None


def money_at(text, place):
    tokens = text.tokens
    if tokens[place].text in MONEY_SIGNS:
        if place + 1 < len(tokens) and tokens[place + 1].glued:
            number = number_at(text, place + 1, signed=False)
            if number:
                return Entity("money", place, number.end, number.value, text.said(place, number.end))
        return None
    number = number_at(text, place)
    if number and number.end < len(tokens) and tokens[number.end].text in MONEY_WORDS:
        return Entity("money", place, number.end + 1, number.value, text.said(place, number.end + 1))
    return None


def percent_at(text, place):
    number = number_at(text, place)
    if number and number.end < len(text.tokens) and text.tokens[number.end].text in ("%", "percent"):
        return Entity("percent", place, number.end + 1, number.value, text.said(place, number.end + 1))
    return None


def phone_at(text, place):
    tokens = text.tokens
    plus = tokens[place].text == "+"
    start = place + plus
    if [token.text for token in tokens[start : start + 3 : 2]] == ["(", ")"] and tokens[start + 1].glued:
        start += 1
    if start >= len(tokens) or not tokens[start].digits or (plus and not tokens[start].glued):
        return None
    if tokens[place].glued and tokens[place - 1].text not in FRONT:
        return None
    groups, best, at = [], None, start
    while True:
        groups.append(tokens[at].text)
        if sum(map(len, groups)) > 15:
            break
        if is_phone(groups, plus):
            best = at + 1
        at = next_group(text, at)
        if at is None:
            break
    if best is None:
        return None
    digits = tokens[place].text if best == place + 1 else None
    return as_said("phone", text, place, best, digits)


def next_group(text, place):
    """The place of the group of digits that is joined to the one here by one or two of - . ( ) and a space."""
    tokens, at = text.tokens, place + 1
    while at < len(tokens) and at - place <= 3:
        joined = text.plain[tokens[place].end : tokens[at].start]
        if tokens[at].digits:
            return at if 1 <= len(joined) <= 2 and all(ch in "- .()" for ch in joined) else None
        at += 1
    return None


def is_phone(groups, plus):
    digits = sum(map(len, groups))
    if plus:
        return 7 <= digits <= 15
    return 9 <= digits <= 15 and len(groups) >= 3 and all(len(group) <= 4 for group in groups) and len(groups[-1]) == 4


def id_text(said, hashed=False):
    """Whether this is an id, without its #."""
    if DIGITS.fullmatch(said):
        return hashed or len(said) >= 5
    if not ID.fullmatch(said) or len(said) < 3 or (NO_ID.fullmatch(said) and not hashed):
        return False
    return any(ch.isdigit() for ch in said) and any(ch.isalpha() for ch in said)


def id_at(text, place):
    first, end = text.core(place)
    if text.tokens[place].text == "#":
        if place + 1 < end and first <= place:
            said = text.said(place + 1, end)
            if text.tokens[place + 1].glued and id_text(said, hashed=True):
                return as_said("id", text, place, end)
        return None
    if first == place and first < end and id_text(text.said(first, end)):
        said = text.said(first, end)
        return as_said("id", text, first, end, said if said.isdigit() else None)
    return None


def plain_number_at(text, place):
    number = number_at(text, place)
    if number is None:
        return None
    return Entity("number", place, number.end, number.value, text.said(place, number.end), digits=number.digits)


def name_at(text, place):
    tokens = text.tokens
    if place == 0 or tokens[place - 1].sentence != tokens[place].sentence or not names(tokens[place]):
        return None
    before = tokens[place - 1].text
    if before not in NAME_TRIGGERS and not (before == "is" and place > 1 and tokens[place - 2].text == "name"):
        return None
    return as_said("name", text, place, name_end(text, place))


def name_end(text, place):
    """Where the longest run of words of a name ends that begins at this place, or the place."""
    tokens = text.tokens
    if not names(tokens[place]):
        return place
    end = at = place + 1
    while at < len(tokens) and tokens[at].sentence == tokens[place].sentence:
        if tokens[at].text in NAME_INSIDE:
            at += 1
        elif tokens[at].text == "'" and at + 1 < len(tokens) and tokens[at + 1].text == "s" and tokens[at + 1].glued:
            at += 2
        if at >= len(tokens) or tokens[at].sentence != tokens[place].sentence or not names(tokens[at]):
            break
        end = at = at + 1
    return end


def names(token):
    """Whether the word may be part of a name."""
    return is_capital(token) and token.text != "i" and not belief_dates.is_calendar_word(token.text)


def is_capital(token):
    return token.kind == "word" and unicodedata.category(token.raw[0]) in ("Lu", "Lt")


def datetime_at(text, place):
    return belief_dates.datetime_at(text, place, core_match, as_said)


def date_at(text, place):
    found = belief_dates.date_at(text, place)
    if found is None:
        return None
    end, value = found
    said = text.said(place, end)
    return Entity("date", place, end, said if value is None else value, said)


def time_at(text, place):
    found = belief_dates.time_at(text, place)
    if found is None:
        return None
    end, hour, minute, is_open = found
    return Entity("time", place, end, f"{hour:02}:{minute:02}", text.said(place, end), is_open=is_open)


def moment(value):
    """What a text that is one date or time means: (kind, parts), a part being None where it is not said; else None."""
    short = isinstance(value, str) and len(encoded(value)) <= MOMENT_LIMIT
    text = Text(value) if short else None
    if text is None or not text.tokens:
        return None
    for kind, read in (("date", date_at), ("time", time_at)):
        entity = read(text, 0)
        if entity and entity.end == len(text.tokens):
            parts = belief_dates.parts_of(text, entity.value) if kind == "date" else (entity.value,)
            return parts and (kind, parts)
    return None


def same_moment(one, other):
    """Whether two values are one date or time in two forms."""
    first, second = moment(one), moment(other)
    if first is None or second is None or first[0] != second[0]:
        return False
    return all(a == b or a is None or b is None for a, b in zip(first[1], second[1]))


KINDS = (
    quoted_at,
    email_at,
    url_at,
    datetime_at,
    date_at,
    time_at,
    money_at,
    percent_at,
    phone_at,
    id_at,
    plain_number_at,
    name_at,
)


def entities_of(text):
    """The entities of a Text, in order."""
    found, place = [], 0
    while place < len(text.tokens) and len(found) < ENTITY_LIMIT:
        entity = next((entity for entity in (kind(text, place) for kind in KINDS) if entity), None)
        if entity:
            found.append(entity)
            place = entity.end
        else:
            place += 1
    return found

