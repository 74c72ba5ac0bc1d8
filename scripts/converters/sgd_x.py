"""SGD once more, under the names and descriptions of a paraphrased schema (SGD-X) that lies beside its own.

What is said, called and annotated stays; only services, intents and slots have other names, so that a rule which leans
on names shows. The schemas list the same things in the same order. The name of the schema file is added to the id.
"""

import os

from converters.native import files, read_json
from converters.schema_guided import dialogues_of
from converters.sgd import dialogue


def convert(folder, report):
    for path, source in dialogues_of(folder):
        schemas = {file: read_json(file) for file in files(os.path.dirname(path), ".json", "schema")}
        own = [schema for schema in schemas.values() if names_of(schema) >= set(source["services"])]
        if not own:
            report.skip(source["dialogue_id"], "no schema of its services")
            continue
        for file, schema in schemas.items():
            if schema is not own[0]:
                variant = os.path.splitext(os.path.basename(file))[0]
                yield from report.attempt(source["dialogue_id"], renamed, source, own[0], schema, variant, report)


def names_of(schema):
    return {service["service_name"] for service in schema}


def renamed(source, own, other, variant, report):
    if len(own) != len(other):
        raise ValueError(f"{variant} has another number of services")
    names = {}
    for service, new in zip(own, other):
        names[service["service_name"]] = Names(service, new)
    turns = [
        {**turn, "frames": [rename(frame, names[frame["service"]]) for frame in turn["frames"]]}
        for turn in source["turns"]
    ]
    services = [names[service].service for service in source["services"]]
    told = {**source, "dialogue_id": f"{source['dialogue_id']}-{variant}", "services": services, "turns": turns}
    return dialogue(told, {service["service_name"]: service for service in other}, report)


class Names:
    """What a service, its intents and its slots are called now. Other names (acts have some) stay."""

    def __init__(self, service, new):
        self.service = new["service_name"]
        self.intents, self.slots = (
            {a["name"]: b["name"] for a, b in zip(service[k], new[k])} for k in ("intents", "slots")
        )

    def intent(self, name):
        return self.intents.get(name, name)

    def slot(self, name):
        return self.slots.get(name, name)

    def keys(self, values):
        return {self.slot(name): value for name, value in values.items()}


def rename(frame, names):
    made = {**frame, "service": names.service}
    made["actions"] = [{**act, "slot": names.slot(act["slot"])} for act in frame.get("actions", ())]
    if "state" in frame:
        state = frame["state"]
        made["state"] = {
            "active_intent": names.intent(state["active_intent"]),
            "requested_slots": [names.slot(slot) for slot in state["requested_slots"]],
            "slot_values": names.keys(state["slot_values"]),
        }
    if "service_call" in frame:
        wanted = frame["service_call"]
        made["service_call"] = {
            "method": names.intent(wanted["method"]),
            "parameters": names.keys(wanted["parameters"]),
        }
        made["service_results"] = [names.keys(result) for result in frame.get("service_results", ())]
    return made
