"""JSON of drafted blocks, read strictly or repaired (docs/drafts.md).

Texts hold a byte a character (latin-1), so that places are bytes; what is read from them is Unicode.

Values: None, bool, int, float, str, list, and Object: pairs of key and value in order, the last of a key counts.
"""

import json
import re
import sys

DEPTH = 512
WHITE = " \t\n\r"
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
LITERALS = {"true": True, "false": False, "null": None, "none": None}
# Half of a surrogate pair is no escape.
ESCAPE = re.compile(r'\\(["\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|'
                    r'u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})')

sys.setrecursionlimit(10000)


class Object(list):
    """Pairs of key and value."""


class TooDeep(Exception):
    pass


def no_constant(name):
    raise ValueError(name)


DECODER = json.JSONDecoder(object_pairs_hook=Object, parse_constant=no_constant)


def unicode_of(text):
    return text.encode("latin-1").decode("utf-8")


def depth(value):
    """How deep containers nest, without recursion."""
    deepest, level = 0, [value]
    while level := [item for item in level if isinstance(item, list)]:
        deepest += 1
        level = [x for item in level for x in ([v for _, v in item] if isinstance(item, Object) else item)]
    return deepest


def strict(text, start, end):
    """(value, end) of the object or list that begins at `start`; None if that is no JSON or too deep."""
    said = unicode_of(text[start:end])
    try:
        value, stop = DECODER.raw_decode(said)
    except (ValueError, RecursionError):
        return None
    if any("\ud800" <= ch <= "\udfff" for ch in json.dumps(value, ensure_ascii=False)):
        return None  # half of a surrogate pair: Python keeps it
    return (value, start + len(said[:stop].encode("utf-8"))) if depth(value) <= DEPTH else None


class Repair:
    """Makes a value of text[start:end]; `faults` maps kinds to their first places."""

    def __init__(self, text, start, end):
        self.text, self.at, self.end = text, start, end
        self.faults = {}
        self.stack = []
        try:
            self.value = self.enter(text[start])
            self.items()
        except TooDeep:
            self.note("too_deep")
            self.value, self.at = None, end
            self.failed = True
        else:
            self.failed = False

    def note(self, kind):
        self.faults.setdefault(kind, self.at)

    def peek(self):
        return self.text[self.at] if self.at < self.end else ""

    def skip(self, which=WHITE):
        while self.peek() and self.peek() in which:
            self.at += 1

    def enter(self, bracket):
        if len(self.stack) == DEPTH:
            raise TooDeep
        container = Object() if bracket == "{" else []
        self.stack.append(container)
        self.at += 1
        return container

    def items(self):
        before = "open"  # what came last in the container in hand: open, value, comma
        while self.stack:
            self.skip()
            ch = self.peek()
            inside = self.stack[-1]
            if not ch:
                self.note("truncated")
                return
            if ch in "}]":
                if before == "comma":
                    self.note("extra_comma")
                if self.close(ch):
                    before = "value"
            elif ch == ",":
                if before != "value":
                    self.note("extra_comma")
                self.at += 1
                before = "comma"
            elif ch == ":":
                self.note("unexpected")
                self.at += 1
            elif isinstance(inside, Object) and ch in "{[":
                self.note("unbalanced")
                self.at += 1
            else:
                if before == "value":
                    self.note("missing_comma")
                before = self.item(inside)

    def close(self, ch):
        """Whether there was something to close."""
        kind = Object if ch == "}" else list
        matching = [i for i, container in enumerate(self.stack) if type(container) is kind]
        if not matching or matching[-1] != len(self.stack) - 1:
            self.note("unbalanced")
        self.at += 1
        if matching:
            del self.stack[matching[-1] :]
        return bool(matching)

    def item(self, inside):
        """Reads a member or an item; what then came last in the container in hand."""
        key = None
        if isinstance(inside, Object):
            key = self.key()
            self.skip()
            colon = self.peek() == ":"
            if colon:
                self.at += 1
            self.skip()
            while colon and self.peek() == ":":
                self.note("unexpected")
                self.at += 1
                self.skip()
            if not self.peek():
                return "open"
            if not colon or self.peek() in ",}]":
                self.note("missing_value")
                inside.append((key, None))
                return "value"
        add = (lambda value: inside.append((key, value))) if isinstance(inside, Object) else inside.append
        if self.peek() in "{[":
            add(self.enter(self.peek()))
            return "open"
        add(self.string() if self.peek() in "\"'" else self.bare())
        return "value"

    def key(self):
        if self.peek() in "\"'":
            return self.string()
        self.note("unquoted")
        return unicode_of(self.run(',}]"\n\r:'))

    def run(self, stops):
        """Text up to one of `stops`, without blanks at its end."""
        start = self.at
        while self.peek() and self.peek() not in stops:
            self.at += 1
        text = self.text[start : self.at].rstrip(" \t")
        self.at = start + len(text)
        return text

    def bare(self):
        start = self.at
        text = self.run(',}]"\n\r')
        end, self.at = self.at, start
        try:
            if text.lower() in LITERALS:
                if text not in ("true", "false", "null"):
                    self.note("python_literal")
                return LITERALS[text.lower()]
            if NUMBER.fullmatch(text):
                return json.loads(text)
            self.note("unquoted")
            return unicode_of(text)
        finally:
            self.at = end

    def ends_string(self):
        rest = self.text[self.at + 1 : self.end].lstrip(" \t")
        return not rest or rest[0] in ",:}]\n\r"

    def string(self):
        quote = self.peek()
        if quote == "'":
            self.note("single_quotes")
        self.at += 1
        body = ""  # as JSON
        while ch := self.peek():
            if ch == quote:
                if self.ends_string():
                    self.at += 1
                    return json.loads(unicode_of(f'"{body}"'))
                self.note("inner_quote")
            if ch == "\\":
                body += self.escape()
                continue
            if ord(ch) < 0x20:
                self.note("raw_control")
            body += json.dumps(ch, ensure_ascii=False)[1:-1]
            self.at += 1
        self.note("truncated")
        return json.loads(unicode_of(f'"{body}"'))

    def escape(self):
        """What a backslash begins, as JSON."""
        if self.at + 1 == self.end:
            self.at += 1
            return ""
        if match := ESCAPE.match(self.text, self.at, self.end):
            self.at = match.end()
            return match.group()
        self.note("bad_escape")
        if self.text[self.at + 1] == "'":
            self.at += 2
            return "'"
        self.at += 1
        return "\\\\"
