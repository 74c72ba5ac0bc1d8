"""Dialogues in the format of Schema-Guided Dialogue: what SGD and MultiWOZ share.

Tools: the intents of a dialogue's services. Their parameters are the intent's required and optional slots, as
strings; a categorical slot has its possible values as enum. Where two services of a dialogue have an intent of the
same name, the tool is called Service.Intent.

An annotated state belongs to a service, a slot of the belief state to a tool. A slot S of a service's state becomes
TOOL.S, where TOOL is the first of these intents of the service that has a parameter S: the active one, those active
before (the last first), the others in the schema's order. The remaining intents that have it are its aliases: there,
too, the value is right. Services of which the turn says nothing keep the state that they had.
"""

from collections import Counter

from converters.native import files, read_json, tool

DONT_CARE = "dontcare"


def schema_of(folder):
    """{name: service} of the folder's schema files; of two with a name the first counts."""
    schema = {}
    for path in files(folder, ".json", "schema"):
        for service in read_json(path):
            schema.setdefault(service["service_name"], service)
    return schema


def dialogues_of(folder):
    """(path, dialogue) of the files that hold a list of dialogues."""
    for path in files(folder, ".json", ""):
        content = read_json(path)
        if isinstance(content, list) and content and isinstance(content[0], dict) and "dialogue_id" in content[0]:
            for dialogue in content:
                yield path, dialogue


class Pool:
    """The tools of some services."""

    def __init__(self, schema, services):
        shared = Counter(intent["name"] for name in services for intent in schema[name]["intents"])
        self.tools = []
        self.params = {}  # service: {tool: its parameters}, in the schema's order
        self.names = {}  # (service, intent): tool
        for service in services:
            slots = {slot["name"]: slot for slot in schema[service]["slots"]}
            self.params[service] = {}
            for intent in schema[service]["intents"]:
                name = intent["name"] if shared[intent["name"]] == 1 else f"{service}.{intent['name']}"
                params = list(dict.fromkeys([*intent["required_slots"], *intent["optional_slots"]]))
                self.names[service, intent["name"]] = name
                self.params[service][name] = params
                self.tools.append(intent_tool(name, intent, slots, params))

    def tool_of(self, service, intent):
        """None for NONE, and for a name that the schema does not have, unless the service has one intent only."""
        if intent == "NONE":
            return None
        tools = list(self.params[service])
        return self.names.get((service, intent), tools[0] if len(tools) == 1 else None)


def intent_tool(name, intent, slots, params):
    properties = {param: slot_schema(slots[param]) for param in params}
    for param, default in intent["optional_slots"].items():
        if default != DONT_CARE:
            properties[param]["default"] = default
    return tool(name, intent["description"], properties, intent["required_slots"])


def slot_schema(slot):
    schema = {"type": "string", "description": slot["description"]}
    if slot["is_categorical"] and slot.get("possible_values"):
        schema["enum"] = list(slot["possible_values"])
    return schema


class Spellings:
    """Canonical forms of what was said, from the acts of a dialogue (`12th of March` is `2019-03-12`)."""

    def __init__(self, dialogue):
        self.by_slot, self.by_value = {}, {}
        for turn in dialogue["turns"]:
            for frame in turn["frames"]:
                for act in frame.get("actions", ()):
                    for value, canonical in zip(act.get("values", ()), act.get("canonical_values", ())):
                        self.by_slot.setdefault((frame["service"], act["slot"], value), {})[canonical] = None
                        self.by_value.setdefault(value, {})[canonical] = None

    def of(self, service, slot, values):
        """The values, then their canonical forms. What was said of another slot counts where it means one thing."""
        found = dict.fromkeys(values)
        for value in values:
            known = self.by_slot.get((service, slot, value))
            elsewhere = self.by_value.get(value, {})
            found.update(known or (elsewhere if len(elsewhere) == 1 else {}))
        return list(found)


class States:
    """Follows the annotated states of a dialogue, user turn by user turn."""

    def __init__(self, pool, spellings):
        self.pool, self.spellings = pool, spellings
        self.recent = {}  # service: its intents that were active, the last first
        self.slots = {}  # (service, slot): acceptable values
        self.active = None  # (service, tool) of the last turn that had an intent

    def turn(self, number, frames):
        """The state after a user turn (docs/trajectory-format.md), and the overwritten values."""
        before, last = dict(self.slots), self.active
        now = self.pick(frames)
        for frame in frames:
            self.follow(frame)
        owners = {key: self.owners(*key) for key in self.slots}
        keys = {key: f"{owners[key][0]}.{key[1]}" for key in self.slots if owners[key]}
        state = {"turn": number, "intent": now[1] if now else None}
        if now and last and now != last:
            state["switch"] = {"from": last[1], "to": now[1], "same_service": now[0] == last[0]}
        if now:
            self.active = now
        state["slots"] = {name: self.slots[key] for key, name in keys.items()}
        aliases = {name: [f"{tool}.{key[1]}" for tool in owners[key][1:]] for key, name in keys.items()}
        state["aliases"] = {name: others for name, others in aliases.items() if others}
        state["requested"] = list(dict.fromkeys(slot for f in frames for slot in f["state"]["requested_slots"]))
        state["changes"], overwritten = [], []
        for key, values in before.items():
            to = self.slots.get(key)
            tools = owners.get(key) or self.owners(*key)
            if tools and not (to and set(values) & set(to)):
                state["changes"].append({"slot": f"{tools[0]}.{key[1]}", "from": values, "to": to})
                if to:
                    overwritten.append((key, tools, values))
        return state, overwritten

    def pick(self, frames):
        """(service, tool) that the user turns to: first an intent newly active, then one with news in its slots, then
        the one before, then the last."""
        best = None
        for place, frame in enumerate(frames):
            service, state = frame["service"], frame["state"]
            tool = self.pool.tool_of(service, state["active_intent"])
            if tool:
                known = {slot: values for (owner, slot), values in self.slots.items() if owner == service}
                news = any(not set(values) & set(known.get(slot, ())) for slot, values in state["slot_values"].items())
                rank = (self.recent.get(service, [])[:1] != [tool], news, self.active == (service, tool), place)
                best = max(best or (rank,), (rank, service, tool))
        return best and best[1:]

    def follow(self, frame):
        service, state = frame["service"], frame["state"]
        tool = self.pool.tool_of(service, state["active_intent"])
        recent = self.recent.setdefault(service, [])
        if tool:
            self.recent[service] = [tool] + [other for other in recent if other != tool]
        for key in [key for key in self.slots if key[0] == service and key[1] not in state["slot_values"]]:
            del self.slots[key]
        for slot, values in state["slot_values"].items():
            self.slots[service, slot] = self.spellings.of(service, slot, values)

    def owners(self, service, slot):
        """The tools that have the slot as a parameter, the one it belongs to first."""
        params = self.pool.params[service]
        order = dict.fromkeys([*self.recent.get(service, ()), *params])
        return [tool for tool in order if slot in params[tool]]


def stale_values(states, overwritten):
    """{turn: [{tool, param, value}]} of values that were overwritten and never come back.

    `states`: by turn, what `States.slots` held; `overwritten`: by turn, what `States.turn` returned.
    """
    stale = {}
    for turn, items in overwritten.items():
        for key, tools, values in items:
            later = {value for number, slots in states.items() if number >= turn for value in slots.get(key, ())}
            for value in values:
                if value not in later and value != DONT_CARE:
                    stale.setdefault(turn, []).extend({"tool": t, "param": key[1], "value": value} for t in tools)
    return stale
