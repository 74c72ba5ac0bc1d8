"""Runs converters on files that a test makes up."""

import importlib
import json
import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))

from converters import DATASETS  # noqa: E402
from converters.native import Report, line  # noqa: E402


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


class ConverterTest(unittest.TestCase):
    maxDiff = None

    def convert(self, name, files):
        """[record] from {path: text, or a value to be written as JSON}; what was left out is in `self.report`."""
        self.report = Report()
        with tempfile.TemporaryDirectory() as folder:
            for path, content in files.items():
                path = os.path.join(folder, path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(content if isinstance(content, str) else json.dumps(content))
            module = importlib.import_module("converters." + DATASETS[name])
            records = list(module.convert(folder, self.report))
        return [json.loads(line(record)) for record in records]

    def shown(self, record):
        """The messages, short: `user: text`, `name(param=value)`, `= result`."""
        found = []
        for message in record["messages"]:
            for call in message.get("tool_calls") or []:
                arguments = ", ".join(f"{key}={value!r}" for key, value in call["function"]["arguments"].items())
                found.append(f"{call['function']['name']}({arguments})")
            if message["role"] == "tool":
                found.append("= " + message["content"])
            elif message["content"] is not None:
                found.append(f"{message['role']}: {message['content']}")
        return found
