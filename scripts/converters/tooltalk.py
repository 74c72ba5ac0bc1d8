"""ToolTalk: a conversation a file, *.json.

The calls beside an assistant's text come before it, each with its response or exception; they are also the expected
ones. The `metadata` that the assistant is shown (place, time, user, session) is the profile. There are no
descriptions of the tools in the conversations, so there is no candidate pool.
"""

from converters.native import Dialogue, call, files, read_json, result_text


def convert(folder, report):
    for path in files(folder, ".json", ""):
        source = read_json(path)
        if "conversation" in source:
            yield from report.attempt(path, dialogue, source)
        else:
            report.skip(path, "no conversation")


def dialogue(source):
    made = Dialogue(source["name"], profile=source.get("metadata"))
    for message in source["conversation"]:
        for item in message.get("apis") or []:
            wanted = call(item["request"]["api_name"], item["request"]["parameters"])
            error = item.get("exception")
            made.call(wanted, results=[f"Error: {error}" if error else result_text(item["response"])])
            made.expect(calls=[wanted])
        made.say(message["role"], message["text"])
    return made
