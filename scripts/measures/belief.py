"""Belief states against annotated states (docs/belief.md, "Measured").

A dialogue is compared user turn by user turn: `Turn.user` is the state after the user's message, `Turn.end` the one
after all that follows it, `Turn.before` the one before it. What is counted is a pair of numbers (hits, all) by name.
"""

from collections import Counter

from values import folded

DONT_CARE = "dontcare"
SHIFTS = ("interrupted", "reset", "accumulate")  # signals that say that the task is another one now


class State:
    """What is compared of a belief state."""

    def __init__(self, slots=(), signal="none"):
        """`slots`: (key, value, replaced)."""
        self.values = {key: value for key, value, _ in slots}
        self.replaced = {key: replaced for key, _, replaced in slots}
        self.signal = signal


class Turn:
    def __init__(self, before, user):
        self.before = before
        self.user = user
        self.end = user


def matches(value, accepted):
    found = folded(value)
    return any(other == DONT_CARE or folded(other) == found for other in accepted)


class Annotated:
    """An annotated state: its slots by every key under which their values are right."""

    def __init__(self, state):
        self.slots = state["slots"]
        self.owner = {}
        for name in self.slots:
            for key in [name, *state["aliases"].get(name, ())]:
                self.owner.setdefault(key, name)

    def right(self, key, value):
        return key in self.owner and matches(value, self.slots[self.owner[key]])

    def said(self):
        """Names of the slots that have a value to be held."""
        return [name for name, accepted in self.slots.items() if DONT_CARE not in accepted]


def flagged(before, after):
    """(key, old, new) of the values that were replaced between two states."""
    found = []
    for key, value in after.values.items():
        known = [folded(old) for old in before.replaced.get(key, ())]
        for old in after.replaced[key]:
            if folded(old) not in known:
                found.append((key, old, value))
    return found


class Measures:
    """Counts over dialogues. `wrong`: what was not right, as (class, dialogue, turn, detail)."""

    def __init__(self):
        self.hits = Counter()
        self.all = Counter()
        self.wrong = []
        self.dialogues = self.turns = 0

    def count(self, name, hit):
        self.hits[name] += bool(hit)
        self.all[name] += 1

    def miss(self, kind, name, turn, detail):
        self.wrong.append((kind, name, turn, detail))

    def dialogue(self, data, turns):
        """`turns`: the Turns of the dialogue, as many as it has user messages."""
        self.dialogues += 1
        shared = dict(self.keys_of(data))
        last = {}
        tools = set()  # those that the last message to set a slot has set one of
        for annotated in data["gold"]["states"]:
            turn = turns[annotated["turn"] - 1]
            self.turns += 1
            self.slots(data["id"], annotated, turn, last)
            self.changes(data["id"], annotated, turn, shared)
            self.intents(data["id"], annotated, turn)
            tools = self.tasks(annotated, turn, tools)
            last = annotated["slots"]

    @staticmethod
    def keys_of(data):
        """Every key of a slot, by each name that it ever has."""
        groups = {}
        for state in data["gold"]["states"]:
            for name in state["slots"]:
                group = {name, *state["aliases"].get(name, ())}
                for key in list(group):
                    group |= groups.get(key, set())
                for key in group:
                    groups[key] = group
        return groups

    def slots(self, name, annotated, turn, last):
        gold, number = Annotated(annotated), annotated["turn"]
        found, every = set(), True
        for key, value in turn.user.values.items():
            right = gold.right(key, value)
            self.count("slot precision", right)
            every = every and right
            if right:
                found.add(gold.owner[key])
            elif turn.before.values.get(key) != value:
                kind = "wrong value" if key in gold.owner else "no such slot"
                self.miss(kind, name, number, (key, value, gold.slots.get(gold.owner.get(key))))
        for slot in gold.said():
            self.count("slot recall", slot in found)
            every = every and slot in found
            if slot not in found and slot not in last:
                self.miss("missing", name, number, (slot, gold.slots[slot]))
        self.count("joint accuracy", every)
        for slot in gold.said():  # those of this turn alone
            if slot not in last or not set(last[slot]) & set(gold.slots[slot]):
                self.count("new slots recall", slot in found)

    def changes(self, name, annotated, turn, shared):
        number = annotated["turn"]
        wanted = [change for change in annotated["changes"] if change["to"] and DONT_CARE not in change["from"]]
        wanted = [change for change in wanted if DONT_CARE not in change["to"]]
        for when, after in (("", turn.user), (" by the end of the turn", turn.end)):
            made = flagged(turn.before, after)
            for change in wanted:
                keys = shared.get(change["slot"], {change["slot"]})
                hit = any(self.is_change(keys, change, *one) for one in made)
                self.count("stale recall" + when, hit)
                if not when:
                    held = any(matches(turn.before.values[key], change["from"]) for key in keys & turn.before.values.keys())
                    if held:
                        self.count("stale recall, old value held", hit)
                    if not hit:
                        self.miss("stale not flagged" + ("" if held else ", old value not held"), name, number, change)
            for one in made:
                hit = any(self.is_change(shared.get(c["slot"], {c["slot"]}), c, *one) for c in wanted)
                self.count("stale precision" + when, hit)
                if not hit and not when:
                    self.miss("stale flagged wrongly", name, number, one)

    @staticmethod
    def is_change(keys, change, key, old, new):
        return key in keys and matches(old, change["from"]) and matches(new, change["to"])

    def intents(self, name, annotated, turn):
        shift, switch = turn.user.signal in SHIFTS, annotated.get("switch")
        if switch:
            self.count("intent change recall", shift)
            self.count("intent change recall, " + ("same service" if switch["same_service"] else "other service"), shift)
            if not shift:
                self.miss("switch not seen", name, annotated["turn"], (switch, turn.user.signal))
        if shift:
            self.count("intent change precision", switch)
            if not switch:
                self.miss("no switch", name, annotated["turn"], turn.user.signal)

    def tasks(self, annotated, turn, tools):
        """Whether the message sets slots of tools that the one before has not touched; gives the tools in hand."""
        touched = {key.rpartition(".")[0] for key, value in turn.user.values.items() if turn.before.values.get(key) != value}
        shift = turn.user.signal in SHIFTS or bool(tools and touched and not touched & tools)
        if annotated.get("switch"):
            self.count("intent or tool change recall", shift)
        if shift:
            self.count("intent or tool change precision", annotated.get("switch"))
        return touched or tools

    def table(self):
        """name -> {hits, all, value}; F1 of what has both precision and recall."""
        made = {
            name: {"hits": self.hits[name], "all": count, "value": self.hits[name] / count}
            for name, count in sorted(self.all.items())
        }
        for subject in ("slot", "stale", "stale by the end of the turn", "intent change"):
            first, _, when = subject.partition(" by ")
            when = when and " by " + when
            one, other = made.get(f"{first} precision{when}"), made.get(f"{first} recall{when}")
            if one and other:
                total = one["value"] + other["value"]
                made[f"{first} F1{when}"] = {"value": 2 * one["value"] * other["value"] / total if total else 0.0}
        return made
