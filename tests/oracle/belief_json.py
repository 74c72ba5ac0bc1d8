"""JSON as the belief state keeps it and as renders write it (docs/belief.md, "The block")."""

import json
import json.scanner
from decimal import Decimal

from trajectory import finite, no_number
from values import nfc

ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}
ESCAPES.update({chr(code): f"\\u{code:04x}" for code in range(0x20) if chr(code) not in ESCAPES})
TAG_ESCAPES = {**ESCAPES, "<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def quoted(text, escapes):
    return '"' + "".join(escapes.get(ch, ch) for ch in text) + '"'


def real_text(number):
    """A whole number in all its digits; another in the shortest form that reads back the same, exponents of two digits."""
    if number.is_integer():
        return str(int(number))
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    digits = "".join(map(str, digits))
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    scientific = f"{'-' * sign}{mantissa}e{exponent + len(digits) - 1:+03d}"
    fixed = format(Decimal(repr(number)), "f")
    return fixed if len(fixed) <= len(scientific) else scientific


def written(value, escapes=TAG_ESCAPES):
    """JSON without blanks, members in the order of the value's own."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return real_text(value)
    if isinstance(value, str):
        return quoted(value, escapes)
    if isinstance(value, list):
        return "[" + ",".join(written(item, escapes) for item in value) + "]"
    members = (quoted(key, escapes) + ":" + written(item, escapes) for key, item in value.items())
    return "{" + ",".join(members) + "}"


def sorted_value(value):
    """The canonical form of a JSON value, as a value: NFC texts, keys sorted, whole numbers as integers."""
    if isinstance(value, str):
        return nfc(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [sorted_value(item) for item in value]
    if isinstance(value, dict):
        members = {nfc(key): sorted_value(item) for key, item in value.items()}
        return {key: members[key] for key in sorted(members, key=lambda key: key.encode("utf-8", "surrogatepass"))}
    return value


def canonical_json(value):
    """The canonical JSON of a value as text, as a hole in a text shows it."""
    return written(sorted_value(value), ESCAPES)


def hole(value):
    """What a hole in a text takes: a text's own characters, the canonical JSON of other values."""
    return value if isinstance(value, str) else canonical_json(value)


class Escaped(str):
    """A string that JSON had to write with escapes."""


def marked_string(text, begin, strict=True):
    value, end = json.decoder.scanstring(text, begin, strict)
    return (Escaped(value) if "\\" in text[begin:end] else value), end


class MarkingDecoder(json.JSONDecoder):
    """Reads strings with escapes as Escaped."""

    def __init__(self):
        super().__init__(parse_constant=no_number, parse_float=finite)
        self.parse_string = marked_string
        self.scan_once = json.scanner.py_make_scanner(self)


def read_json(text):
    """The value of a JSON text, or None if it is none; (value,) so that null is told from nothing."""
    try:
        if "\\" in text:
            return (MarkingDecoder().decode(text),)
        return (json.loads(text, parse_constant=no_number, parse_float=finite),)
    except (ValueError, RecursionError):
        return None


def encoded(text):
    return text.encode("utf-8", "surrogatepass")


def cut_to_bytes(text, limit):
    """A text of at most so many bytes; what is cut ends in an ellipsis, within the limit."""
    if len(encoded(text)) <= limit:
        return text
    return encoded(text)[: limit - 3].decode("utf-8", "ignore") + "\u2026"
