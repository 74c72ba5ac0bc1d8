"""Schema-Guided Dialogue: dialogues*.json and schema*.json, also SGD-X, per folder as published.

Service calls are the agent's calls, results what they returned; both come before the text of their system turn. The
corpus being the reference, its calls are also the expected ones, and they accept every spelling of the user's values.
Without a call, a system turn that asks for slots is expected to clarify. Each user turn has its annotated state
(schema_guided.py); where it overwrites a value, the signal is `modified`.
"""

import os

from converters.native import Dialogue, call, result_text
from converters.schema_guided import Pool, Spellings, States, dialogues_of, schema_of, stale_values


def convert(folder, report):
    schemas = {}
    for path, source in dialogues_of(folder):
        place = os.path.dirname(path)
        if place not in schemas:
            schemas[place] = schema_of(place)
        unknown = [service for service in source["services"] if service not in schemas[place]]
        if unknown:
            report.skip(source["dialogue_id"], f"no schema of {', '.join(unknown)}")
            continue
        yield from report.attempt(source["dialogue_id"], dialogue, source, schemas[place], report)


def dialogue(source, schema, report):
    pool = Pool(schema, source["services"])
    states = States(pool, Spellings(source))
    made = Dialogue(source["dialogue_id"], pool.tools)
    history, overwritten = {}, {}
    made.gold["states"] = []
    for turn in source["turns"]:
        if turn["speaker"] == "USER":
            made.say("user", turn["utterance"])
            state, overwritten[made.turn] = states.turn(made.turn, turn["frames"])
            history[made.turn] = dict(states.slots)
            made.gold["states"].append(state)
            if len(state["slots"]) < len(states.slots):
                report.note("states with slots that no intent of their service takes")
        else:
            system_turn(made, turn, pool, states)
    for number, stale in stale_values(history, overwritten).items():
        made.gold_turns.setdefault(number, {"turn": number}).update(signal="modified", stale=stale)
    return made


def system_turn(made, turn, pool, states):
    calls, results, asked = [], [], []
    for frame in turn["frames"]:
        service = frame["service"]
        asked += [act["slot"] for act in frame.get("actions", ()) if act["act"] == "REQUEST"]
        if "service_call" in frame:
            wanted = frame["service_call"]
            accept = other_spellings(wanted["parameters"], service, states)
            calls.append(call(pool.tool_of(service, wanted["method"]), wanted["parameters"], accept))
            results.append(result_text(frame.get("service_results", [])))
    if calls:
        made.call(*calls, results=results)
        made.expect(calls=calls)
    elif asked:
        made.expect("clarify", missing=list(dict.fromkeys(asked)))
    else:
        made.expect("language")
    made.say("assistant", turn["utterance"])


def other_spellings(arguments, service, states):
    """{parameter: [value]}: how the user says what the call says in canonical form."""
    accept = {}
    for param, value in arguments.items():
        known = states.slots.get((service, param), [])
        if value in known and len(known) > 1:
            accept[param] = [other for other in known if other != value]
    return accept
