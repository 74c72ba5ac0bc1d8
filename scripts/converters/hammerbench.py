"""HammerBench: examples-*.json or data files of the same shape.

The candidate pool is `multiple_tools`. The calls of the data, also those that miss an argument yet, are the agent's and
the expected ones; it has no results.
"""

import os

from converters.native import Dialogue, call, files, read_json


def convert(folder, report):
    for path in files(folder, ".json", ""):
        file = os.path.splitext(os.path.basename(path))[0]
        for record in read_json(path):
            if "messages" in record and "multiple_tools" in record:
                name = f"{file}-{record['id']}"
                yield from report.attempt(name, dialogue, name, record)
            else:
                report.skip(path, "no record with messages and multiple_tools")


def dialogue(name, record):
    made = Dialogue(name, record["multiple_tools"])
    for message in record["messages"]:
        if message["role"] == "function call":
            item = call(message["content"]["name"], message["content"]["arguments"])
            made.call(item)
            made.expect(calls=[item])
        else:
            made.say(message["role"], message["content"])
    return made
