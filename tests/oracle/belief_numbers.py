"""Numbers in digits and in words (docs/recognition.md, "Entities")."""

import re
from decimal import Decimal

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
WORDS = {word: value for value, word in enumerate(ONES)}
UNITS = {word: value for word, value in WORDS.items() if value < 20}
TENS = {word: 10 * value for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
FACTORS = {"hundred": 100, "thousand": 1000, "million": 1000000, "dozen": 12}
WORDS_LIMIT = 64
NOT_BEFORE_ONE = frozenset("the this that which any each every no another".split())
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
ORDINAL_VALUES = {word: value for value, word in enumerate(ORDINALS, 1)}
ORDINAL_VALUES.update({"1st": 1, "2nd": 2, "3rd": 3, **{f"{n}th": n for n in range(4, 11)}, "last": -1})
LEAST_FIRST = "cheaper cheapest earlier earliest shorter shortest nearer nearest closer closest smaller smallest older oldest"
MOST_FIRST = "later latest longer longest larger largest bigger biggest newer newest"
COMPARISONS = frozenset((LEAST_FIRST + " " + MOST_FIRST + " expensive rated").split())
DIGITS = "0123456789"
SUFFIXED = re.compile(r"([0-9]+)([a-z]{1,3})")
MULTIPLES = {"k": 1000, "m": 1000000}


class Number:
    def __init__(self, end, value, digits=None):
        self.end = end
        self.value = plain(value)
        self.digits = digits  # as said, if it is digits alone


def plain(value):
    """An int where it is whole, else a float."""
    return int(value) if value == value.to_integral_value() else float(value)


def number_at(text, place, signed=True):
    """The number that begins at the token, at its longest, if it is not a part of something longer."""
    number = whole_number_at(text, place, signed)
    return number if number and not is_part(text, place, number.end) else None


def is_part(text, first, end):
    """Whether signs glue it to digits: `. , : / -` before, `- / :` behind, a dot behind decimals."""
    tokens = text.tokens
    if first > 1 and tokens[first].glued and tokens[first - 1].glued and tokens[first - 1].text in ".,:/-":
        if tokens[first - 2].text[-1] in DIGITS:
            return True
    if end + 1 < len(tokens) and tokens[end].glued and tokens[end + 1].glued and tokens[end + 1].text[0] in DIGITS:
        dots = end - first > 1 and tokens[end - 2].text == "." and tokens[end].text == "."
        return dots or tokens[end].text in "-/:"
    return False


def whole_number_at(text, place, signed):
    tokens = text.tokens
    if signed and tokens[place].text == "-" and not tokens[place].glued:
        if place + 1 < len(tokens) and tokens[place + 1].glued:
            found = digits_at(text, place + 1)
            if found:
                end, value, _ = found
                return multiplied(text, end, -value, None)
        return None
    found = digits_at(text, place)
    if found:
        end, value, digits = found
        return multiplied(text, end, value, digits)
    found = words_at(text, place)
    return Number(found[0], Decimal(found[1])) if found else None


def digits_at(text, place):
    """(end, value, digits alone) of a number in digits with its unit."""
    tokens = text.tokens
    token = tokens[place]
    if not token.digits:
        return suffixed(token.text, "", place)
    written, end, alone = token.text, place + 1, True

    def glued(at, count):
        return at + count <= len(tokens) and all(tokens[n].glued for n in range(at, at + count))

    if len(written) <= 3:
        while glued(end, 2) and tokens[end].text == ",":
            group = tokens[end + 1]
            if group.digits and len(group.text) == 3:
                written += group.text
                end, alone = end + 2, False
                continue
            if len(group.text) > 3 and group.text[:3].isdigit() and not group.text[3].isdigit():
                with_unit = suffixed(group.text, written, end + 1)
                if with_unit:
                    return with_unit
            break
    if glued(end, 2) and tokens[end].text == ".":
        if tokens[end + 1].digits:
            return end + 2, Decimal(written + "." + tokens[end + 1].text), None
        with_unit = suffixed(tokens[end + 1].text, written + ".", end + 1)
        if with_unit:
            return with_unit
    return end, Decimal(written), written if alone else None


def suffixed(word, before, place):
    match = SUFFIXED.fullmatch(word)
    if not match or match.group(2) in ("st", "nd", "rd", "th"):
        return None
    return place + 1, Decimal(before + match.group(1)) * MULTIPLES.get(match.group(2), 1), None


def words_at(text, place):
    """(end, value) of a number in words: twenty-five, two hundred and five, a dozen."""
    tokens = text.tokens
    words = [token.text for token in tokens[place : place + WORDS_LIMIT]]
    total, current, at = 0, 0, 0
    started, small, tens = False, True, True  # small, tens: what may follow
    if words[0] in ("a", "an") and words[1:2] and words[1] in FACTORS:
        current, at, started, small, tens = 1, 1, True, False, False
    while at < len(words):
        here = at
        if started and words[at] == "-" and tokens[place + at].glued and at + 1 < len(words) and tokens[place + at + 1].glued:
            here += 1
        if started and tens and words[at] == "and" and (current >= 100 or (total > 0 and current == 0)):
            here += 1
        if here >= len(words):
            break
        word = words[here]
        if word in UNITS and small and (tens or UNITS[word] < 10):
            current, small, tens = current + UNITS[word], False, False
        elif word in TENS and tens:
            current, tens = current + TENS[word], False
        elif word in FACTORS and started and here == at:
            if FACTORS[word] >= 1000:
                total, current = total + current * FACTORS[word], 0
            else:
                current *= FACTORS[word]
            small = tens = word != "dozen"
        else:
            break
        started, at = True, here + 1
    return (place + at, total + current) if at > 0 and started and not is_pronoun(text, place, at) else None


def is_pronoun(text, place, count):
    """Whether it is the `one` of the one, another one, the first one."""
    if count > 1 or text.tokens[place].text != "one" or place == 0:
        return False
    before = text.tokens[place - 1].text
    return before in NOT_BEFORE_ONE or before in ORDINAL_VALUES or before in COMPARISONS


def multiplied(text, end, value, digits):
    while end < len(text.tokens) and text.tokens[end].text in FACTORS:
        value *= FACTORS[text.tokens[end].text]
        end, digits = end + 1, None
    return Number(end, value, digits)
