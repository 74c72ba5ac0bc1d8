"""MultiWOZ 2.2: dialogues*.json and schema*.json, per folder as published.

All services are tools in every dialogue, as the agent had them all. The data holds no calls, no results and no acts:
the annotated states (schema_guided.py) are all that is known of a turn, so nothing is expected of the agent.
"""

import os

from converters.native import Dialogue
from converters.schema_guided import Pool, Spellings, States, dialogues_of, schema_of


def convert(folder, report):
    pools = {}
    for path, source in dialogues_of(folder):
        place = os.path.dirname(path)
        if place not in pools:
            schema = schema_of(place) or schema_of(os.path.dirname(place))
            pools[place] = Pool(schema, list(schema)) if schema else None
        if not pools[place]:
            report.skip(source["dialogue_id"], "no schema in its folder or the one above")
            continue
        yield from report.attempt(source["dialogue_id"], dialogue, source, pools[place], report)


def dialogue(source, pool, report):
    made = Dialogue(source["dialogue_id"], pool.tools)
    states = States(pool, Spellings(source))
    made.gold["states"] = []
    for turn in source["turns"]:
        if turn["speaker"] == "USER":
            made.say("user", turn["utterance"])
            state, _ = states.turn(made.turn, turn["frames"])
            made.gold["states"].append(state)
            if len(state["slots"]) < len(states.slots):
                report.note("states with slots that no intent of their service takes")
        else:
            made.say("assistant", turn["utterance"])
    return made
