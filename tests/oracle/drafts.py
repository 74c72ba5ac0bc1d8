"""Reads drafted Context Manager blocks and compares them, as docs/drafts.md says; also a command.

    python3 drafts.py FILE [ORACLE]      what can be read, and the comparison
"""

import json
import re
import sys

import values
from drafts_json import WHITE, Object, Repair, strict

BLOCK = "Context_Manager"
SUB_BLOCKS = (
    "Current_User",
    "Overall_User_Task",
    "History_Relation",
    "Resolved_References",
    "Active_Objects",
    "Pending_Or_Interrupted_Tasks",
    "Task_Graph_For_Current_Turn",
    "Deferred_Tasks_After_Current_Turn",
    "Tool_Decision_Guide",
)
MAX_NAME = 64
BETWEEN_ANGLES = re.compile(r"<([^<>]*)>")
INSIDE = re.compile(r"[ \t\n\r]*(/?)[ \t\n\r]*([A-Za-z_][A-Za-z0-9_-]*)", re.DOTALL)
FENCE = re.compile(r"```[A-Za-z0-9]*")


def fold_name(name):
    """A name as tags compare it; None if it is none."""
    kept = re.sub(r"[_\- \t\n\r]", "", name)
    return kept.lower() if re.fullmatch(r"[A-Za-z0-9]{1,%d}" % MAX_NAME, kept) else None


FOLDED = {fold_name(name): name for name in (BLOCK, *SUB_BLOCKS)}


class Tag:
    def __init__(self, match, inside):
        self.begin, self.end = match.span()
        text = match.group(1)
        self.closes, self.name = bool(inside.group(1)), inside.group(2)
        behind = text[inside.end() :]
        more = behind.strip(WHITE)
        self.empty = not self.closes and more.endswith("/")
        if self.empty:
            more = more[:-1].strip(WHITE)
        self.known = FOLDED.get(fold_name(self.name))
        exact = self.known == self.name and inside.start(2) == len(inside.group(1))
        if not more:
            exact = exact and behind in ("", "/", " /")
        if not self.known and more:
            whole = text[inside.start(2) : text.index(more, inside.end()) + len(more)]
            self.known = FOLDED.get(fold_name(whole))
            if self.known:
                self.name, more, exact = whole, "", False
        self.attributes, self.misspelled = bool(more), not exact

    @property
    def place(self):
        return [self.begin, self.end]

    @property
    def opens_sub_block(self):
        return self.known in SUB_BLOCKS and not self.closes

    @property
    def closes_sub_block(self):
        return self.known in SUB_BLOCKS and self.closes


def valid_utf8(data):
    """The bytes as characters, with `?` for what is no UTF-8, and the place of the first such byte."""
    first, done = None, bytearray(data)
    at = 0
    while True:
        try:
            bytes(done[at:]).decode("utf-8")
            return bytes(done).decode("latin-1"), first
        except UnicodeDecodeError as error:
            at += error.start
            first = at if first is None else first
            done[at] = ord("?")
            at += 1


class SubBlock:
    def __init__(self):
        self.state, self.value, self.at, self.json = "unreadable", None, None, None

    @property
    def readable(self):
        return self.state in ("valid", "repaired")


class Draft:
    """What `wend draft --json` shows; sub-blocks by name, faults by (name of the sub-block or None, kind)."""

    def __init__(self, data, continues=False):
        self.text, bad = valid_utf8(data)
        self.sub_blocks, self.faults = {}, {}
        self.found = self.closed = False
        self.block = self.trailing = [0, 0]
        if bad is not None:
            self.note(None, "not_utf8", bad, bad + 1)
        start = self.start(continues)
        if start is None:
            self.note(None, "no_block", 0, 0)
            return
        self.found = True
        end = start if self.closed else self.read(start)
        self.block = [self.block[0], end]
        if not self.closed:
            self.note(None, "unclosed_block", end, end)
        self.behind(end)
        for name in SUB_BLOCKS:
            if name not in self.sub_blocks:
                self.note(name, "missing", end, end)

    # ---- Pieces ----

    def note(self, sub_block, kind, begin, end):
        self.faults.setdefault((sub_block, kind), [begin, end])

    def tag(self, at, known=False):
        """The next tag; with `known`, the next one whose name is known."""
        while match := BETWEEN_ANGLES.search(self.text, at):
            if inside := INSIDE.match(match.group(1)):
                tag = Tag(match, inside)
                if tag.known or not known:
                    return tag
            at = match.end()
        return None

    def trimmed(self, begin, end):
        """The place of what is not white; None if there is nothing."""
        text = self.text[begin:end]
        begin += len(text) - len(text.lstrip(WHITE))
        stripped = len(text.strip(WHITE))
        return [begin, begin + stripped] if stripped else None

    def note_spelling(self, sub_block, tag):
        if tag.attributes:
            self.note(sub_block, "attributes", *tag.place)
        if tag.misspelled:
            self.note(sub_block, "tag_spelling", *tag.place)

    # ---- The block ----

    def start(self, continues):
        """Where the block's content begins; None if there is no block."""
        if continues:
            return 0
        at, first = 0, None
        while tag := self.tag(at):
            if tag.known == BLOCK and not tag.closes:
                break
            if tag.opens_sub_block and first is None:
                first = tag
            at = tag.end
        begins = tag or first
        if begins is None:
            return None
        if before := self.trimmed(0, begins.begin):
            self.note(None, "text_before_block", *before)
        self.block = [begins.begin, begins.end]
        if tag is None:
            self.note(None, "unopened_block", first.begin, first.begin)
            return first.begin
        self.note_spelling(None, tag)
        self.closed = tag.empty
        return tag.end

    def read(self, at):
        """The end of the block."""
        end, furthest = at, 0
        unknown, pending = None, {}  # the unknown tag that is open, faults that need a known tag to follow
        text_from = at
        while tag := self.tag(at):
            if found := self.trimmed(text_from, tag.begin):
                pending.setdefault("inside" if unknown else "text_between", found)
            at = text_from = tag.end
            if not tag.known:
                if unknown:
                    if tag.closes and fold_name(tag.name) == unknown:
                        unknown = None
                        pending.pop("inside", None)
                elif tag.closes:
                    pending.setdefault("stray_tag", tag.place)
                else:
                    pending.setdefault("unknown_block", tag.place)
                    if not tag.empty:
                        unknown = fold_name(tag.name) or "?"
                continue
            if "inside" in pending:
                pending.setdefault("text_between", pending.pop("inside"))
            for kind, place in pending.items():
                self.note(None, kind, *place)
            unknown, pending = None, {}
            if tag.opens_sub_block:
                at, furthest = self.sub_block(tag, furthest)
            else:
                self.note_spelling(None, tag)
                if tag.known == BLOCK and tag.closes:
                    self.closed = True
                    return tag.end
                self.note(None, "stray_tag" if tag.closes else "nested_block", *tag.place)
            end = text_from = at
        return end

    def behind(self, end):
        place = self.trimmed(end, len(self.text))
        if place is None:
            self.trailing = None
            return
        self.trailing = place
        self.note(None, "text_after_block", *place)
        at = end
        while tag := self.tag(at, known=True):
            kind = "repeated_block" if tag.known == BLOCK and not tag.closes else "stray_tag"
            self.note(None, kind, *tag.place)
            at = tag.end

    # ---- A sub-block ----

    def sub_block(self, tag, furthest):
        """(its end, how many sub-blocks may not come any more)"""
        name, number = tag.known, SUB_BLOCKS.index(tag.known)
        if name in self.sub_blocks:
            kept, self.faults = self.faults, {}
            end = self.content(tag, SubBlock())
            self.faults = kept
            self.note(name, "repeated", tag.begin, end)
            return end, furthest
        if number < furthest:
            self.note(name, "out_of_order", *tag.place)
        self.note_spelling(name, tag)
        made = SubBlock()
        end = self.content(tag, made)
        made.at = [tag.begin, end]
        self.sub_blocks[name] = made
        return end, max(furthest, number + 1)

    def content(self, tag, made):
        """Reads the content behind the opening tag; where the sub-block ends."""
        name = tag.known
        if tag.empty:
            self.note(name, "empty", *tag.place)
            return tag.end
        first = tag.end + len(self.text[tag.end :]) - len(self.text[tag.end :].lstrip(WHITE))
        if self.text[first : first + 1] in ("{", "[") and (read := strict(self.text, first, len(self.text))):
            made.state, (made.value, end) = "valid", read
            made.json = [first, end]
            closing = self.tag(end, known=True)
            closed = closing is not None and closing.closes_sub_block
            self.lines(name, made)
            if closed and (after := self.trimmed(end, closing.begin)):
                self.note(name, "text_after_json", *after)
        else:
            closing = self.tag(tag.end, known=True)
            closed = closing is not None and closing.closes_sub_block
            stop = closing.begin if closing else len(self.text)
            end = self.lenient(name, made, tag.end, stop, closed)
        if not closed:
            self.note(name, "unclosed", end, end)
            return end
        self.note_spelling(name, closing)
        if closing.known != name:
            self.note(name, "mismatched_tag", *closing.place)
        return closing.end

    def lines(self, name, made):
        if "\n" in self.text[made.json[0] : made.json[1]]:
            self.note(name, "several_lines", *made.json)

    def lenient(self, name, made, begin, stop, closed):
        """Where the JSON ends, or `begin` if there is none."""
        place = self.trimmed(begin, stop)
        if place is None:
            self.note(name, "empty", stop, stop)
            return begin
        starts = [at for at in (self.text.find(ch, *place) for ch in "{[") if at >= 0]
        if not starts:
            self.note(name, "no_json", *place)
            return begin
        start = min(starts)
        if read := strict(self.text, start, place[1]):
            made.state, (made.value, end) = "valid", read
        else:
            repair = Repair(self.text, start, place[1])
            end = repair.at
            made.state, made.value = ("unreadable", None) if repair.failed else ("repaired", repair.value)
            for kind, at in repair.faults.items():
                self.note(name, kind, at, at)
        made.json = [start, end]
        self.lines(name, made)
        before = self.trimmed(place[0], start)
        after = self.trimmed(end, place[1]) if closed else None
        text = lambda where: self.text[where[0] : where[1]] if where else ""
        if FENCE.fullmatch(text(before)) and text(after) in ("", "```"):
            self.note(name, "fenced", *before)
            return end
        if before:
            self.note(name, "text_before_json", *before)
        if after:
            self.note(name, "text_after_json", *after)
        return end

    # ---- What it says ----

    def value(self, name):
        """(whether it is readable, its value)"""
        made = self.sub_blocks.get(name)
        return (True, made.value) if made and made.readable else (False, None)

    def member(self, sub_block, name):
        _, value = self.value(sub_block)
        return plain(value).get(name) if isinstance(value, Object) else None

    def keys(self, sub_block, name):
        listed = self.member(sub_block, name)
        items = listed if isinstance(listed, list) else [] if listed is None else [listed]
        return {values.canonical(key): None for key in items if holds(key)}

    def active(self):
        slots = self.keys("History_Relation", "inherit_slots")
        _, tasks = self.value("Task_Graph_For_Current_Turn")
        for task in [tasks] if isinstance(tasks, Object) else tasks or []:
            arguments = plain(task).get("arguments") if isinstance(task, Object) else None
            for key, value in (arguments if isinstance(arguments, dict) else {}).items():
                slots[values.canonical(key)] = (value,)
        return slots

    def stale(self):
        keys = self.keys("History_Relation", "override_slots")
        return {**keys, **self.keys("Tool_Decision_Guide", "must_override_arguments")}


def plain(value):
    """With dicts for objects, of equal keys the last, and U+FFFD for half a pair of surrogates."""
    if isinstance(value, Object):
        return {plain(key): plain(item) for key, item in value}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, str):
        return re.sub("[\ud800-\udfff]", "\ufffd", value)
    return value


def holds(value):
    """Whether a double can hold each number in it."""
    if isinstance(value, dict):
        return all(map(holds, value.values()))
    if isinstance(value, list):
        return all(map(holds, value))
    try:
        return not isinstance(value, (int, float)) or abs(float(value)) != float("inf")
    except OverflowError:
        return False


def loosely_equal(first, second):
    return holds(first) and holds(second) and values.folded(first) == values.folded(second)


def count(drafted, expected):
    right = sum(
        key in drafted and (value is None or (drafted[key] is not None and loosely_equal(drafted[key][0], value[0])))
        for key, value in expected.items()
    )
    share = lambda part, whole: part / whole if whole else None
    return {
        "drafted": len(drafted),
        "expected": len(expected),
        "right": right,
        "precision": share(right, len(drafted)),
        "recall": share(right, len(expected)),
        "f1": share(2 * right, len(drafted) + len(expected)),
    }


def compare(draft, oracle):
    sub_blocks = []
    for name in SUB_BLOCKS:
        expected, wanted = oracle.value(name)
        readable, value = draft.value(name)
        if expected:
            value, wanted = plain(value), plain(wanted)
            held = readable and holds(value) and holds(wanted)
            exact = held and values.canonical(value) == values.canonical(wanted)
            loose = readable and loosely_equal(value, wanted)
            sub_blocks.append({"name": name, "readable": readable, "exact": exact, "loose": loose})

    def same(sub_block, name):
        both = draft.value(sub_block)[0] and oracle.value(sub_block)[0]
        return both and loosely_equal(draft.member(sub_block, name), oracle.member(sub_block, name))

    return {
        "sub_blocks": sub_blocks,
        "slots": count(draft.active(), oracle.active()),
        "stale": count(draft.stale(), oracle.stale()),
        "goal": same("Overall_User_Task", "full_intent"),
        "intent": same("Current_User", "intent_type"),
        "relation": same("History_Relation", "relation_to_history"),
    }


def main():
    blocks = []
    for path in sys.argv[1:3]:
        with open(path, "rb") as file:
            blocks.append(Draft(file.read()))
    draft = blocks[0]
    shown = {"found": draft.found, "closed": draft.closed, "block": draft.block, "trailing": draft.trailing}
    shown["sub_blocks"] = {name: [made.state, made.at, plain(made.value)] for name, made in draft.sub_blocks.items()}
    shown["faults"] = [[*fault, place] for fault, place in draft.faults.items()]
    if len(blocks) == 2:
        shown["comparison"] = compare(*blocks)
    print(json.dumps(shown, indent=1))


if __name__ == "__main__":
    main()
