"""JSON values as the metrics see them: canonical and folded equality, and occurrence of a value in text.

See docs/metrics.md, "Equality" and "hallucinated".
"""

import json
import re
import unicodedata

# Scripts written without spaces between words, as the Unicode names of their letters begin.
UNSPACED_SCRIPTS = (
    "CJK ",
    "IDEOGRAPHIC ",
    "HANGZHOU ",
    "HIRAGANA ",
    "KATAKANA",  # also KATAKANA-HIRAGANA PROLONGED SOUND MARK
    "HALFWIDTH KATAKANA",
    "HANGUL ",
    "HALFWIDTH HANGUL ",
    "THAI ",
    "LAO ",
    "KHMER ",
    "MYANMAR ",
)

# The Unicode property White_Space; str.isspace() also holds for U+001C..U+001F, which do not have it.
WHITE_SPACE = frozenset(
    [chr(c) for c in range(0x09, 0x0E)]
    + [chr(c) for c in range(0x2000, 0x200B)]
    + list(" \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000")
)

DIGITS = "0123456789"
JSON_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-]?[0-9]+)?")


def nfc(text):
    return unicodedata.normalize("NFC", text)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def canonical(value):
    """A hashable form; two values are canonically equal iff their forms are equal.

    Python compares an int with a float by exact numeric value, so 1 == 1.0 and 2**53 + 1 != float(2**53).
    """
    if value is None:
        return ("null",)
    if isinstance(value, bool):
        return ("bool", value)
    if is_number(value):
        return ("number", value)
    if isinstance(value, str):
        return ("text", nfc(value))
    if isinstance(value, list):
        return ("list", tuple(canonical(item) for item in value))
    pairs = [(nfc(key), canonical(item)) for key, item in value.items()]
    return ("object", tuple(sorted(pairs, key=lambda pair: pair[0])))


def fold_text(text):
    """NFC, case folded, white space runs to one space, trimmed."""
    text = nfc(nfc(text).casefold())
    text = "".join(" " if ch in WHITE_SPACE else ch for ch in text)
    return " ".join(part for part in text.split(" ") if part)


def folded(value):
    """The form under which loosely equal values are equal."""
    if isinstance(value, str):
        text = fold_text(value)
        if text in ("true", "false"):
            return ("bool", text == "true")
        if JSON_NUMBER.fullmatch(text):
            return ("number", json.loads(text))
        return ("text", text)
    if isinstance(value, list):
        return ("list", tuple(folded(item) for item in value))
    if isinstance(value, dict):
        pairs = [(nfc(key), folded(item)) for key, item in value.items()]
        return ("object", tuple(sorted(pairs, key=lambda pair: pair[0])))
    return canonical(value)


def is_blank(text):
    return all(ch in WHITE_SPACE for ch in text)


ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\"\\/bfnrt])")


def resolve_escapes(text):
    """JSON text with what its strings escape: what a reader of the JSON sees."""
    return ESCAPE.sub(lambda match: json.loads(f'"{match.group()}"'), text)


def number_text(number):
    """How a number is looked for in text: a whole number without a fraction, else the shortest exact form."""
    if isinstance(number, float) and number.is_integer():
        return str(int(number))
    return repr(number)


def leaf_texts(value):
    """The strings and numbers inside a value, folded, as they are looked for in text."""
    if isinstance(value, str):
        return [fold_text(value)]
    if is_number(value):
        return [number_text(value)]
    if isinstance(value, list):
        return [text for item in value for text in leaf_texts(item)]
    if isinstance(value, dict):
        return [text for item in value.values() for text in leaf_texts(item)]
    return []


def is_word(ch):
    """Whether a word may go on at this character; scripts without spaces break at every one."""
    if unicodedata.name(ch, "").startswith(UNSPACED_SCRIPTS):
        return False
    category = unicodedata.category(ch)
    return ch == "_" or category[0] in "LM" or category in ("Nd", "Nl")


def goes_on(edge, neighbours):
    """Whether a word or a number goes on across the edge of a needle; `neighbours` lead away from the edge."""
    if not neighbours:
        return False
    if is_word(edge) and is_word(neighbours[0]):
        return True
    inside_number = len(neighbours) > 1 and neighbours[0] in ".,-" and neighbours[1] in DIGITS
    return edge in DIGITS and inside_number


def occurs(needle, text):
    """Whether `needle` occurs in `text` (both folded) without cutting a word or a number at either end."""
    if needle == "":
        return True
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        before = text[max(0, start - 2) : start][::-1]
        if not goes_on(needle[0], before) and not goes_on(needle[-1], text[end : end + 2]):
            return True
        start = text.find(needle, start + 1)
    return False
