"""tau-bench's *few_shot*.jsonl or few-shot*.jsonl: dialogues printed as text.

A calling message is printed as `assistant: None`: which calls were made is not in the data, so those messages are
left out and the results stand alone. tau-bench's runs need no converter, the engine reads them.
"""

import os
import re

from converters.native import Dialogue, files, read_lines


def convert(folder, report):
    for path in files(folder, ".jsonl", ""):
        name = os.path.splitext(os.path.basename(path))[0]
        if not re.search("few.shot", name):
            continue
        for number, record in enumerate(read_lines(path), 1):
            place = f"{name}-{number}"
            yield from report.attempt(place, dialogue, place, record, report)


def dialogue(name, record, report):
    made, text = Dialogue(name), record["messages_display"]
    starts = list(re.finditer(r"(?m)^(user|assistant|tool): ?", text))
    for this, following in zip(starts, [*starts[1:], None]):
        said = text[this.end() : following.start() if following else len(text)].rstrip("\n")
        if this[1] == "assistant" and said == "None":
            report.note("calling messages that are printed without their calls")
        else:
            made.say(this[1], said)
    return made
