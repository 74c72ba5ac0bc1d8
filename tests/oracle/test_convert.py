"""The converters of public data: small inputs always, and the known sizes of the data where it is there."""

import os
import unittest

import convert

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.environ.get("WEND_SHARED_DATA") or os.path.join(HERE, "..", "..", "..", "shared", "data")


class Small(unittest.TestCase):
    def test_python_literal_arguments(self):
        self.assertEqual(convert.lenient("{'a': True, 'b': None}"), {"a": True, "b": None})
        self.assertEqual(convert.lenient('{"a": true}'), {"a": True})

    def test_python_call(self):
        call = convert.python_call("sort('x.pdf', reverse=True, range=(1, 2))", {"sort": ["file", "reverse"]})
        self.assertEqual(call, {"name": "sort", "arguments": {"file": "x.pdf", "reverse": True, "range": [1, 2]}})

    def test_tau2_user_side_calls_are_text(self):
        call = {"id": "c", "name": "reboot", "arguments": {}, "requestor": "user"}
        message = convert.tau2_message({"role": "user", "content": "ok", "tool_calls": [call]})
        self.assertEqual(message, {"role": "user", "content": 'ok\n{"name": "reboot", "arguments": {}}'})
        result = convert.tau2_message({"role": "tool", "id": "c", "content": "done", "requestor": "user"})
        self.assertEqual(result["role"], "user")

    def test_transcript(self):
        messages = convert.transcript("user: Set\nit to 5\nsystem: [alarm(time=\"5\", n={\"a\": [1]})]\nuser: ok\n")
        self.assertEqual([m["role"] for m in messages], ["user", "assistant", "tool", "user"])
        self.assertEqual(messages[0]["content"], "Set\nit to 5")
        self.assertEqual(
            messages[1]["tool_calls"][0]["function"], {"name": "alarm", "arguments": {"time": "5", "n": {"a": [1]}}}
        )


@unittest.skipUnless(os.path.isdir(SHARED), "needs the shared data")
class KnownSizes(unittest.TestCase):
    """Dialogues and agent calls by data set, as the data's own descriptions count them."""

    SIZES = {
        "tau-bench/gpt-4o-airline.json": (200, 1164),
        "tau-bench/retail-tool-calling.json": (100, 793),
        "tau-bench/retail-assertions-agent-first25.json": (25, 155),
        "tau2-bench/results-airline-gpt-4.1.json": (20, 148),
        "tau2-bench/results-retail-gpt-4.1.json": (40, 299),
        "tau2-bench/results-airline-gpt-5-toolorchestra.json": (50, 581),
        "tau2-bench/results-telecom-gpt-4o.json": (20, 215 - 125),
        "tau2-bench/results-airline-gpt-oss-120b-first12.json": (12, 164),
        "bfcl/multi_turn_base": (200, 1142),
        "bfcl/multi_turn_miss_param": (200, 1140),
        "bfcl/multi_turn_miss_func": (200, 1140),
        "bfcl/parallel": (200, 540),
        "bfcl/parallel_multiple": (200, 607),
        "functionchat/dialog": (200, None),
    }

    def test_sizes(self):
        found = {}
        for name, dialogues, _ in convert.convert_all(SHARED):
            calls = sum(len(m.get("tool_calls") or []) for data in dialogues for m in data["messages"])
            found[name] = (len(dialogues), calls)
        for name, (dialogues, calls) in self.SIZES.items():
            self.assertEqual(found[name][0], dialogues, name)
            if calls is not None:
                self.assertEqual(found[name][1], calls, name)


if __name__ == "__main__":
    unittest.main()
