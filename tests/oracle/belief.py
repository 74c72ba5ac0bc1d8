"""The belief state of specs/iacm/belief.wend and its updater, transcribed by hand from the handlers there.

    python3 belief.py FILE [--policy accumulate|last_only|first_only] [--time]

prints the Context Manager block after every event of every dialogue, or with --time what that takes. What the
statements do is docs/belief.md, how texts are read belief_recognition.py. Nothing here was taken from the engine.
"""

import argparse
import json
import statistics
import time

from belief_entities import same_moment
from belief_events import events_of
from belief_json import canonical_json, cut_to_bytes, encoded, sorted_value
from belief_recognition import Recognition
from values import folded

RESULT_LIMIT = 2000  # characters
TEXT_LIMIT = VALUE_LIMIT = 4096  # bytes
REPLACED_LIMIT = OBJECT_LIMIT = REFERENCE_LIMIT = 32
STACK_LIMIT = QUEUE_LIMIT = 64
SLOT_LIMIT = 512
POLICIES = ("accumulate", "last_only", "first_only")


def kept(text):
    """A text as the state holds it."""
    return text if text is None else cut_to_bytes(text, TEXT_LIMIT)


def kept_result(text):
    if text is None or len(text) <= RESULT_LIMIT:
        return text
    return text[: RESULT_LIMIT - 1] + "\u2026"


def kept_value(value):
    """A value as the state holds it: canonical; a long one as a text."""
    value = sorted_value(value)
    written = value if isinstance(value, str) else canonical_json(value)
    return value if len(encoded(written)) <= VALUE_LIMIT else cut_to_bytes(written, VALUE_LIMIT)


def same(first, second):
    return folded(first) == folded(second) or same_moment(first, second)


class Slot:
    def __init__(self, tool, param, value, turn):
        self.tool = tool
        self.param = param
        self.value = value
        self.replaced = []
        self.confirmed = False
        self.used = False
        self.turn = turn

    @property
    def key(self):
        return f"{self.tool}.{self.param}"


class Goal:
    def __init__(self, text=None, turn=0):
        self.text = text
        self.turn = turn


class Question:
    def __init__(self, text, tool, param, turn):
        self.text = text
        self.tool = tool
        self.param = param
        self.suspended = False
        self.turn = turn


class Thing:
    """An object that results have brought up."""

    def __init__(self, name, tool):
        self.id = name
        self.tool = tool
        self.type = self.status = ""
        self.slots = []
        self.text = None  # in full, for references
        self.result = None
        self.turn = 0


class Action:
    """The last call and its result; without a tool there was none."""

    def __init__(self, tool=None, args=None, turn=0):
        self.tool = tool
        self.args = args or {}
        self.result = None
        self.error = False
        self.turn = turn


def slot_json(slot):
    return {"key": slot.key, **vars(slot)}


def goal_json(goal):
    return {"text": goal.text, "turn": goal.turn}


class BeliefState:
    """b = (C_slots, G_current, A_last, Q_pending, I_signal) of one dialogue, with objects and references."""

    def __init__(self, tools=None, policy="accumulate"):
        self.recognition = Recognition(tools)
        self.policy = policy
        self.turn = 0  # the turn in hand
        self.begin()

    def begin(self):
        """First values."""
        self.confirmed = []
        self.current = Goal()
        self.deferred = []
        self.action = Action()
        self.pending = []
        self.objects = []
        self.references = []
        self.signal = "none"

    def handle(self, event):
        """An event of the dialogue under the update policy."""
        if event.kind == "user":
            self.turn += 1
            if self.policy == "last_only":
                self.begin()
        if self.policy == "first_only" and self.turn > 1:
            return
        if event.kind == "user":
            self.on_user(event.text)
        elif event.kind == "call":
            self.on_call(event.call)
        elif event.kind == "result":
            self.on_result(event.call, event.text)
        else:
            self.on_reply(event.text)

    # The handlers of specs/iacm/belief.wend.

    def on_user(self, text):
        self.signal, _ = self.recognition.classify(text)  # no model: the cues decide at every confidence
        self.references = self.newest(self.recognition.resolved(text, self.objects), REFERENCE_LIMIT)
        if self.signal == "modified":
            self.overwrite(self.recognition.mentioned(text, self.values, self.action.tool))
        if self.signal == "interrupted":
            self.push(self.current.text, self.current.turn)
            self.current = self.goal(text)
            self.suspend(True)
        if self.signal == "reset":
            self.confirmed, self.pending, self.deferred = [], [], []
            self.current = self.goal(text)
        if self.signal == "accumulate":
            self.overwrite(self.recognition.mentioned(text, self.values))
            if self.current.text is not None:
                self.push(text, self.turn)
            else:
                self.current = self.goal(text)
        if self.signal == "none":
            self.overwrite(self.recognition.mentioned(text, self.values))
            if not self.pending or self.current.text is None:
                self.current = self.goal(text)
            self.pending = []

    def on_call(self, call):
        self.action = Action(call.name, call.args, self.turn)
        self.confirm(self.args_of(call))

    def on_result(self, call, text):
        error, value = self.recognition.result(text)
        if call is not None:
            self.action = Action(call.name, call.args, self.turn)
            self.action.result = kept_result(text)
            self.action.error = error
            self.add_object(call, text, value, error)
        if error:
            self.unconfirm([(self.action.tool, name, value) for name, value in self.action.args.items()])

    def on_reply(self, text):
        asks, missing = self.recognition.reply(text, self.values, self.action.tool)
        if asks:
            self.add_questions(name if tool is None else f"{tool}.{name}" for tool, name in missing)
        elif self.deferred:
            self.current = self.deferred.pop()
            self.suspend(False)

    # The statements of docs/belief.md.

    def goal(self, text):
        return Goal(kept(text), self.turn)

    def slot(self, tool, param):
        return next((slot for slot in self.confirmed if (slot.tool, slot.param) == (tool, param)), None)

    @staticmethod
    def args_of(call):
        return [(call.name, name, value) for name, value in call.args.items()]

    def overwrite(self, values):
        for tool, param, value in values:
            self.set_slot(tool, param, kept_value(value))

    def set_slot(self, tool, param, value, keep=True):
        slot = self.slot(tool, param)
        if slot is None:
            self.confirmed.append(Slot(tool, param, value, self.turn))
            self.confirmed = self.newest(self.confirmed, SLOT_LIMIT)
        elif not same(slot.value, value):
            if keep and not any(same(old, slot.value) for old in slot.replaced):
                slot.replaced.append(slot.value)
            slot.replaced = [old for old in slot.replaced if not same(old, value)]
            slot.replaced = self.newest(slot.replaced, REPLACED_LIMIT)
            slot.value, slot.confirmed, slot.used, slot.turn = value, False, False, self.turn

    def confirm(self, values):
        for tool, param, value in values:
            value = kept_value(value)
            slot = self.slot(tool, param)
            if slot and not slot.used and not same(slot.value, value) and any(same(old, value) for old in slot.replaced):
                continue  # still the value that was overwritten
            self.set_slot(tool, param, value, keep=slot is not None and slot.used)
            slot = self.slot(tool, param)
            slot.confirmed = slot.used = True
        for slot in list(self.confirmed):
            if slot.turn != self.turn or slot.used or slot.value is None:
                continue
            if any(tool != slot.tool and same(slot.value, kept_value(value)) for tool, _, value in values):
                self.give_back(slot)

    def give_back(self, slot):
        if slot.replaced:
            slot.value, slot.confirmed, slot.used = slot.replaced.pop(), True, True
        else:
            self.confirmed.remove(slot)

    def unconfirm(self, values):
        for tool, param, value in values:
            slot = self.slot(tool, param)
            if slot is not None and same(slot.value, value):
                slot.confirmed = False

    def push(self, text, turn):
        if text is not None:
            self.deferred.append(Goal(kept(text), turn))
            self.deferred = self.newest(self.deferred, STACK_LIMIT)

    def suspend(self, suspended):
        for question in self.pending:
            question.suspended = suspended

    def add_questions(self, texts):
        for text in texts:
            text = kept(text)
            if all(question.text != text for question in self.pending):
                tool, param = self.recognition.parameter_named(text, self.action.tool)
                self.pending.append(Question(text, tool, param, self.turn))
        self.pending = self.newest(self.pending, QUEUE_LIMIT)

    def add_object(self, call, text, value, error):
        name = f"obj_{call.name}_{call.turn}"
        thing = next((thing for thing in self.objects if thing.id == name), None)
        if thing is None:
            thing = Thing(name, call.name)
            self.objects.append(thing)
        thing.type, thing.status = self.recognition.thing(call.name, text, value, error)
        thing.slots = [Slot(call.name, param, kept_value(value), self.turn) for param, value in call.args.items()]
        thing.text, thing.result = text, kept_result(text)
        thing.turn = self.turn
        self.objects = self.newest(self.objects, OBJECT_LIMIT)

    @staticmethod
    def newest(items, limit):
        return items[-limit:]

    # What recognition, renders and comparisons read.

    @property
    def values(self):
        return {(slot.tool, slot.param): slot.value for slot in self.confirmed}

    def as_json(self):
        """The state by field, as `wend belief --json` shows it."""
        return {
            "confirmed": [slot_json(slot) for slot in self.confirmed],
            "current": goal_json(self.current),
            "deferred": [goal_json(goal) for goal in self.deferred],
            "action": {
                "tool": self.action.tool,
                "args": {name: kept_value(value) for name, value in self.action.args.items()},
                "result": self.action.result,
                "error": self.action.error,
                "turn": self.action.turn,
            }
            if self.action.tool is not None
            else None,
            "pending": [vars(question) for question in self.pending],
            "objects": [
                {
                    "id": thing.id,
                    "type": thing.type,
                    "status": thing.status,
                    "tool": thing.tool,
                    "turn": thing.turn,
                    "slots": {slot.param: slot.value for slot in thing.slots},
                    "result": thing.result,
                }
                for thing in self.objects
            ],
            "references": [{"phrase": phrase, "value": value} for phrase, value in self.references],
            "signal": self.signal,
        }

    @property
    def active(self):
        return self.confirmed

    @property
    def stale(self):
        return [slot for slot in self.confirmed if slot.replaced]


def steps(data, policy="accumulate"):
    """(event, state) after every event of a native record; the state is one that goes on changing."""
    state = BeliefState(data.get("tools"), policy)
    for event in events_of(data):
        state.handle(event)
        yield event, state


def timed(dialogues, rounds=5):
    """Microseconds of processor time: of an update (an event), of a block; the medians of so many rounds."""
    from belief_render import context_manager

    updates, blocks, count = [], [], 0
    for _ in range(rounds):
        count, updating, rendering = 0, 0.0, 0.0
        for data in dialogues:
            state = BeliefState(data.get("tools"))
            for event in list(events_of(data)):
                start = time.process_time()
                state.handle(event)
                middle = time.process_time()
                context_manager(state)
                updating += middle - start
                rendering += time.process_time() - middle
                count += 1
        updates.append(1e6 * updating / max(1, count))
        blocks.append(1e6 * rendering / max(1, count))
    return {"events": count, "update_us": statistics.median(updates), "render_us": statistics.median(blocks)}


def main():
    from belief_render import context_manager

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--policy", default="accumulate", choices=POLICIES)
    parser.add_argument("--time", action="store_true", help="print the time of an update and of a block instead")
    options = parser.parse_args()
    with open(options.file, encoding="utf-8") as lines:
        dialogues = [json.loads(line) for line in lines if line.strip()]
    if options.time:
        print(json.dumps(timed(dialogues)))
        return
    for data in dialogues:
        print(f"# {data.get('id')}")
        for event, state in steps(data, options.policy):
            print(f"## message {event.message}: {event.kind}\n{context_manager(state)}")


if __name__ == "__main__":
    main()
