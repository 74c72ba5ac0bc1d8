"""The other data sets, the command, and what the engine makes of the result."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from support import DATASETS, ROOT, ConverterTest, lines

from converters.native import line
from converters.python_calls import read_calls

SHARED = os.environ.get("WEND_SHARED_DATA") or os.path.join(ROOT, "..", "shared", "data")
WEND = os.environ.get("WEND")


def tool(name, *params):
    properties = {param: {"type": "string"} for param in params}
    return {"name": name, "description": "", "parameters": {"type": "object", "properties": properties}}


class Ace(ConverterTest):
    FILE = "en/data_normal_multi_turn_user_adjust.json"

    def ace(self, path, records, answers):
        folder, name = path.split("/")
        return self.convert("acebench", {path: lines(*records), f"{folder}/possible_answer/{name}": lines(*answers)})

    def test_records_of_a_dialogue_become_one(self):
        first = "user: Set the kiln.\nsystem: How hot?\nuser: 900,\nplease\n"
        rest = "system: [heat(to=900, fast=false)]\nsystem: Done.\nuser: Cool it.\n"
        records = [
            {"id": "a_0_0", "question": first, "function": [tool("heat", "to"), tool("cool")], "time": "It is Monday."},
            {
                "id": "a_0_1",
                "question": first + rest,
                "function": [tool("heat", "to"), tool("cool")],
                "time": "It is Monday.",
            },
        ]
        answers = [
            {"id": "a_0_0", "ground_truth": {"heat": {"to": 900}}},
            {"id": "a_0_1", "ground_truth": {"cool_1": {}, "cool_2": {}}},
        ]
        (data,) = self.ace(self.FILE, records, answers)
        self.assertEqual(
            self.shown(data),
            [
                "system: It is Monday.",
                "user: Set the kiln.",
                "assistant: How hot?",
                "user: 900,\nplease",
                "heat(to=900, fast=False)",
                "assistant: Done.",
                "user: Cool it.",
            ],
        )
        self.assertEqual(
            data["gold"]["turns"],
            [
                {"turn": 2, "kind": "tool", "calls": [{"name": "heat", "arguments": {"to": 900}}]},
                {"turn": 3, "kind": "tool", "calls": [{"name": "cool", "arguments": {}}] * 2},
            ],
        )

    def test_records_that_do_not_continue_each_other(self):
        records = [{"id": f"a_0_{n}", "question": f"user: {n}", "function": []} for n in range(2)]
        self.assertEqual(self.ace(self.FILE, records, [{"id": r["id"], "ground_truth": {}} for r in records]), [])
        self.assertEqual(len(self.report.skipped), 1)

    def test_missing_and_malformed_parameters(self):
        records = [{"id": "s_0", "question": "user: heat", "function": [tool("heat", "to")]}]
        for truth in ({"heat": ["to"]}, {"to": ["hot"]}):
            (data,) = self.ace("en/data_special_x.json", records, [{"id": "s_0", "ground_truth": truth}])
            self.assertEqual(data["gold"]["turns"], [{"turn": 1, "kind": "clarify", "missing": ["to"]}])

    def test_milestones(self):
        records = [{"id": "s_0", "question": "Heat it.", "function": [tool("heat", "to")]}]
        for milestones in (["[heat(to='9')]"], [["[heat(to='9')] "], ["[heat(to='8')]"]]):
            answer = {"id": "s_0", "ground_truth": [], "mile_stone": milestones}
            (data,) = self.ace("en/data_agent_multi_step.json", records, [answer])
            self.assertEqual(data["gold"], {"calls": [{"name": "heat", "arguments": {"to": "9"}}]})
        answer["mile_stone"] = ["[heat(to='it's')]"]
        (data,) = self.ace("en/data_agent_multi_step.json", records, [answer])
        self.assertNotIn("gold", data)

    def test_goals_are_no_dialogues(self):
        records = [{"id": "g_0", "question": "You are Ann.", "function": []}]
        answers = [{"id": "g_0", "ground_truth": []}]
        self.assertEqual(self.ace("en/data_agent_multi_turn.json", records, answers), [])
        self.assertEqual(len(self.report.skipped), 1)

    def test_calls_as_text(self):
        self.assertEqual(read_calls("[a.b(x=(1, null))]"), [{"name": "a.b", "arguments": {"x": [1, None]}}])
        for text in (
            "[]",
            "[a(1)]",
            "[a(**b)]",
            "a(x=1)",
            "[a(x={1})]",
            "[a(x=b)]",
            "[a(x=1e999)]",
            "[a(" + "[" * 5000,
        ):
            self.assertIsNone(read_calls(text), text[:20])


class ApiBank(ConverterTest):
    TURNS = [
        {"role": "User", "text": "Tell Ann and Bo."},
        {
            "role": "API",
            "api_name": "Send",
            "param_dict": {"to": "['Ann', 'Bo']", "text": "hi"},
            "result": {
                "api_name": "Send",
                "input": {"to": ["Ann", "Bo"], "text": "hi"},
                "output": {"n": 2},
                "exception": None,
            },
        },
        {
            "role": "API",
            "api_name": "Log",
            "param_dict": {},
            "result": {"input": {}, "output": None, "exception": "no disk"},
        },
        {"role": "AI", "text": "Sent."},
    ]

    def test_turns(self):
        shape = {"one.jsonl": lines({"file": "x/y.jsonl", "turns": self.TURNS})}
        published = {"x/y.jsonl": lines(*self.TURNS)}
        data = self.convert("api-bank", shape)
        self.assertEqual(data, self.convert("api-bank", published))
        self.assertEqual(data[0]["id"], "x/y")
        self.assertEqual(
            self.shown(data[0]),
            [
                "user: Tell Ann and Bo.",
                "Send(to=\"['Ann', 'Bo']\", text='hi')",
                '= {"n": 2}',
                "Log()",
                "= Error: no disk",
                "assistant: Sent.",
            ],
        )
        self.assertEqual(data[0]["gold"]["turns"][0]["calls"][0]["accept"], {"to": [["Ann", "Bo"]]})

    def test_other_roles(self):
        self.assertEqual(self.convert("api-bank", {"a.jsonl": lines({"role": "Bot", "text": ""})}), [])
        self.assertEqual(len(self.report.skipped), 1)


class FunctionChat(ConverterTest):
    def made(self, **arguments):
        function = {"name": "heat", "arguments": json.dumps(arguments)}
        return {"role": "assistant", "content": None, "tool_calls": [{"id": "random_id", "function": function}]}

    def test_dialog(self):
        messages = [
            {"role": "user", "content": "heat"},
            {"role": "assistant", "content": "how hot?"},
            {"role": "user", "content": "nine"},
            self.made(to="nine"),
            {"role": "tool", "tool_call_id": "random_id", "content": "ok"},
            {"role": "assistant", "content": "done"},
        ]
        kinds = {1: "slot", 3: "call", 5: "completion"}
        turns = [
            {
                "turn_num": n,
                "query": messages[:n],
                "ground_truth": messages[n],
                "type_of_output": kind,
                "acceptable_arguments": None,
            }
            for n, kind in kinds.items()
        ]
        turns[1]["acceptable_arguments"] = '{"to": ["9", "neun"], "by": "gas"}'
        stray = dict(turns[0], turn_num=9, query=[{"role": "user", "content": "warm"}])
        record = {"dialog_num": 1, "tools": [tool("heat", "to")], "turns": [*turns, stray]}
        whole, part = self.convert("functionchat", {"FunctionChat-Dialog.jsonl": lines(record)})
        self.assertEqual(
            self.shown(whole),
            ["user: heat", "assistant: how hot?", "user: nine", "heat(to='nine')", "= ok", "assistant: done"],
        )
        call = {"name": "heat", "arguments": {"to": "nine"}, "accept": {"to": ["9", "neun"]}}
        self.assertEqual(
            whole["gold"]["turns"], [{"turn": 1, "kind": "clarify"}, {"turn": 2, "kind": "tool", "calls": [call]}]
        )
        self.assertEqual((part["id"], self.shown(part)[0]), ("dialog-1-9", "user: warm"))

    def test_single_and_decision(self):
        single = {
            "function_num": 1,
            "query": [{"serial_num": 7, "content": "nine"}],
            "ground_truth": [{"serial_num": 7, "content": json.dumps({"name": "heat", "arguments": '{"to": 9}'})}],
            "acceptable_arguments": [{"serial_num": 7, "content": "Only ground truth is allowed."}],
            "tools": [
                {"type": "exact", "content": [tool("heat")]},
                {"type": "4_close", "content": [tool("heat"), tool("cool")]},
            ],
        }
        decision = {
            "serial_num": 3,
            "input_messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "nine"}],
            "input_tools": [tool("heat")],
            "type_of_output": "call",
            "ground_truth": self.made(to=[9]),
            "acceptable_arguments": {"to": [10]},
        }
        files = {"FunctionChat-Singlecall.jsonl": lines(single), "FunctionChat-CallDecision.jsonl": lines(decision)}
        last, exact, close = self.convert("functionchat", files)
        self.assertEqual((exact["id"], close["id"]), ("single-7-exact", "single-7-4_close"))
        self.assertEqual(close["gold"]["turns"][0]["calls"], [{"name": "heat", "arguments": {"to": 9}}])
        self.assertEqual(self.shown(last), ["system: s", "user: nine"])
        expected = {"name": "heat", "arguments": {"to": [9]}, "accept": {"to": [[10]]}}
        self.assertEqual(last["gold"]["turns"][0]["calls"], [expected], "a list for a list is one value")


class Others(ConverterTest):
    def test_hammerbench(self):
        def asked(**arguments):
            return {"role": "function call", "content": {"name": "a.b.heat", "arguments": arguments}}

        messages = [{"role": "user", "content": "heat"}, asked(), {"role": "assistant", "content": "to?"}]
        messages += [{"role": "user", "content": "9"}, asked(to="9")]
        record = {"id": "x", "messages": messages, "multiple_tools": [tool("a.b.heat", "to")], "single_tool": []}
        (data,) = self.convert("hammerbench", {"examples-en.json": [record]})
        self.assertEqual(data["id"], "examples-en-x")
        self.assertEqual(
            self.shown(data), ["user: heat", "a.b.heat()", "assistant: to?", "user: 9", "a.b.heat(to='9')"]
        )
        self.assertEqual([turn["calls"][0]["arguments"] for turn in data["gold"]["turns"]], [{}, {"to": "9"}])

    def test_tooltalk(self):
        def api(name, response, exception=None):
            return {"request": {"api_name": name, "parameters": {"q": 1}}, "response": response, "exception": exception}

        apis = [api("Login", None, "wrong"), api("Find", {"n": []})]
        said = [{"role": "user", "text": "find"}, {"role": "assistant", "text": "none", "apis": apis}]
        source = {"name": "t", "metadata": {"location": "Oslo"}, "user": {"password": "p"}, "conversation": said}
        (data,) = self.convert("tooltalk", {"easy/t.json": source})
        self.assertEqual(
            self.shown(data),
            ["user: find", "Login(q=1)", "= Error: wrong", "Find(q=1)", '= {"n": []}', "assistant: none"],
        )
        self.assertEqual(data["profile"], {"location": "Oslo"})
        self.assertEqual([call["name"] for call in data["gold"]["turns"][0]["calls"]], ["Login", "Find"])

    def test_nestful(self):
        spec = [
            {
                "name": "find",
                "description": "d",
                "query_parameters": {"q": {"type": "Number", "required": True, "allowed_values": "1-9"}},
            },
            {"name": "book", "arguments": {"id": {"required": False, "allowed_values": ["a"], "default_value": "a"}}},
        ]
        steps = [
            {"name": "find", "arguments": {"q": "x"}, "label": "var1"},
            {"name": "book", "arguments": {"id": ["$var1.the id$", "$var9.no$"]}, "label": "var2"},
            {"name": "var_result", "arguments": {"r": "$var2$"}},
        ]
        files = {"x-data.json": [{"input": "go", "output": steps}], "x-spec.json": spec}
        (data,) = self.convert("nestful", files)
        self.assertEqual(self.shown(data), ["user: go"])
        self.assertEqual([call["name"] for call in data["gold"]["turns"][0]["calls"]], ["find", "book"])
        needs = [{"link": 0, "field": "the id", "param": "id"}]
        links = [{"turn": 1, "call": 0}, {"turn": 1, "call": 1, "needs": needs}]
        self.assertEqual(data["gold"]["chains"], [{"links": links}])
        find = data["tools"][0]["function"]["parameters"]
        self.assertEqual((find["required"], find["properties"]), (["q"], {"q": {"type": "number"}}))
        book = data["tools"][1]["function"]["parameters"]["properties"]
        self.assertEqual(book, {"id": {"type": "string", "enum": ["a"], "default": "a"}})
        self.assertEqual(sum(self.report.notes.values()), 1)

    def test_toolalpaca(self):
        body = {"application/json": {"schema": {"$ref": "#/components/schemas/Book"}}}
        document = {
            "paths": {
                "/f": {
                    "get": {
                        "operationId": "find",
                        "parameters": [{"name": "q", "required": True, "schema": {"type": "integer"}}],
                    }
                },
                "/b": {"post": {"operationId": "book", "summary": "s", "requestBody": {"content": body}}},
            },
            "components": {"schemas": {"Book": {"properties": {"id": {"type": "string"}}, "required": ["id"]}}},
        }
        steps = [
            {"Action": "getDetails", "Action_Input": "{}"},
            {"Action": "find", "Action_Input": '{"q": 1}'},
            {"Action": "book", "Action_Input": '{"id": ${the id from find}, "on": ${day}"}'},
        ]
        api = {"Name": "N", "Documentation": json.dumps(document), "Instructions": ["go", "no"]}
        api["Golden_Answers"] = [steps, [{"Action": "find", "Action_Input": "{q"}]]
        data, unread = self.convert("toolalpaca", {"eval.json": [api]})
        calls = data["gold"]["turns"][0]["calls"]
        self.assertEqual(
            [call["arguments"] for call in calls], [{"q": 1}, {"id": "${the id from find}", "on": "${day}"}]
        )
        self.assertEqual(
            data["gold"]["chains"][0]["links"][1]["needs"], [{"link": 0, "field": "the id", "param": "id"}]
        )
        schemas = [item["function"]["parameters"] for item in data["tools"]]
        self.assertEqual([list(schema["properties"]) for schema in schemas], [["q"], ["id"]])
        self.assertEqual([schema["required"] for schema in schemas], [["q"], ["id"]])
        self.assertNotIn("gold", unread)

    def test_tau_few_shot(self):
        text = "user: hi\nthere\nassistant: None\ntool: {}\nassistant: None given.\n"
        (data,) = self.convert(
            "tau-bench", {"few-shot-x.jsonl": lines({"messages_display": text}), "runs.jsonl": "[]\n"}
        )
        self.assertEqual(self.shown(data), ["user: hi\nthere", "= {}", "assistant: None given."])

    def test_half_a_surrogate_pair_can_be_written(self):
        line({"text": "\ud83d"}).encode("utf-8")
        self.assertEqual(line({"text": "é"}), '{"text": "é"}\n')


class Command(unittest.TestCase):
    def run_it(self, *args):
        command = [sys.executable, os.path.join(ROOT, "scripts", "convert"), *args]
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)

    def test_list_and_usage(self):
        listed = self.run_it("--list")
        self.assertEqual(len(listed.stdout.splitlines()), len(DATASETS))
        self.assertEqual(self.run_it().returncode, 2)
        self.assertEqual(self.run_it("sgd").returncode, 2)
        self.assertEqual(self.run_it("all", ROOT).returncode, 2)

    def test_one_and_all(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "in", "tooltalk"))
            with open(os.path.join(folder, "in", "tooltalk", "t.json"), "w", encoding="utf-8") as file:
                json.dump({"name": "t", "conversation": [{"role": "user", "text": "안녕"}]}, file)
            one = self.run_it("tooltalk", os.path.join(folder, "in", "tooltalk"))
            self.assertEqual(json.loads(one.stdout)["messages"][0]["content"], "안녕")
            self.assertIn("1 dialogues, 1 turns", one.stderr)
            self.assertEqual(
                self.run_it("all", os.path.join(folder, "in"), "--out", os.path.join(folder, "out")).returncode, 0
            )
            with open(os.path.join(folder, "out", "tooltalk.jsonl"), encoding="utf-8") as file:
                self.assertEqual(file.read(), one.stdout)

    def test_nothing_is_left_of_a_failed_run(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "t.json"), "w", encoding="utf-8") as file:
                file.write("{")
            out = os.path.join(folder, "out.jsonl")
            failed = self.run_it("tooltalk", folder, "--out", out)
            self.assertEqual((failed.returncode, os.listdir(folder)), (1, ["t.json"]))
            self.assertTrue(failed.stderr.startswith("error: "), failed.stderr)


@unittest.skipUnless(os.path.isdir(SHARED), "needs the shared data")
class SharedData(unittest.TestCase):
    """Dialogues, calls, results and states of what is there, as its own descriptions count them."""

    SIZES = {
        "acebench": (420, None, 0, 0),
        "api-bank": (200, 373, 373, 0),
        "functionchat": (606, 71, 70, 0),
        "hammerbench": (2, 6, 0, 0),
        "multiwoz": (5, 0, 0, 23),
        "nestful": (300, 0, 0, 0),
        "sgd": (200, 618, 618, 2025),
        "tau-bench": (19, 0, 105, 0),
        "toolalpaca": (100, 0, 0, 0),
        "tooltalk": (53, 143, 143, 0),
    }

    def test_all_of_it(self):
        with tempfile.TemporaryDirectory() as out:
            command = [sys.executable, os.path.join(ROOT, "scripts", "convert"), "all", SHARED, "--out", out]
            subprocess.run(command, check=True, capture_output=True)
            for name, sizes in self.SIZES.items():
                path = os.path.join(out, name + ".jsonl")
                if not os.path.isdir(os.path.join(SHARED, name)):
                    continue
                with self.subTest(name):
                    self.check_file(path, *sizes)

    def check_file(self, path, dialogues, calls, results, states):
        with open(path, encoding="utf-8") as file:
            records = [json.loads(text) for text in file]
        messages = [message for record in records for message in record["messages"]]
        self.assertEqual(len(records), dialogues)
        if calls is not None:
            self.assertEqual(sum(len(message.get("tool_calls") or []) for message in messages), calls)
        self.assertEqual(sum(message["role"] == "tool" for message in messages), results)
        self.assertEqual(sum(len(record.get("gold", {}).get("states", ())) for record in records), states)
        self.assertEqual(len({record["id"] for record in records}), dialogues, "names")
        if WEND:
            spec = os.path.join(ROOT, "specs", "iacm", "reward.wend")
            scored = subprocess.run(
                [WEND, "score", spec, path, "--strict"], capture_output=True, text=True, check=False
            )
            self.assertEqual(scored.returncode, 0, scored.stderr)
            self.assertIn(f"{dialogues:,} dialogues", scored.stdout.splitlines()[0])


if __name__ == "__main__":
    unittest.main()
