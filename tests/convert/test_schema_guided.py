"""SGD and MultiWOZ: tools from services, annotated states, overwritten values, intents."""

import json
import re
import unittest

from support import ConverterTest


def slot(name, values=()):
    return {"name": name, "description": f"the {name}", "is_categorical": bool(values), "possible_values": list(values)}


def intent(name, required, optional=None):
    return {"name": name, "description": f"do {name}", "required_slots": required, "optional_slots": optional or {}}


BOATS = {
    "service_name": "Boats_1",
    "slots": [slot("pier"), slot("hour"), slot("seats", ["1", "2"]), slot("boat"), slot("price")],
    "intents": [
        intent("FindBoat", ["pier"], {"seats": "1", "hour": "dontcare"}),
        intent("BookBoat", ["pier", "hour", "boat"]),
    ],
}
SHOWS = {
    "service_name": "Shows_1",
    "slots": [slot("pier"), slot("title")],
    "intents": [intent("FindShow", ["pier"], {"title": "dontcare"})],
}
OTHER_BOATS = {**BOATS, "service_name": "Boats_2"}


def user(text, *frames):
    return {"speaker": "USER", "utterance": text, "frames": list(frames)}


def says(service, active, values=None, acts=(), requested=()):
    state = {"active_intent": active, "slot_values": values or {}, "requested_slots": list(requested)}
    return {"service": service, "actions": [act(*item) for item in acts], "slots": [], "state": state}


def act(kind, name, value, canonical):
    return {"act": kind, "slot": name, "values": [value], "canonical_values": [canonical]}


def system(text, *frames):
    return {"speaker": "SYSTEM", "utterance": text, "frames": list(frames)}


def calls(service, method, parameters, results):
    made = {"method": method, "parameters": parameters}
    return {"service": service, "actions": [], "slots": [], "service_call": made, "service_results": results}


def asks(service, *slots):
    acts = [{"act": "REQUEST", "slot": name, "values": [], "canonical_values": []} for name in slots]
    return {"service": service, "actions": acts, "slots": []}


class Sgd(ConverterTest):
    def one(self, services, *turns, schema=(BOATS, SHOWS, OTHER_BOATS)):
        source = {"dialogue_id": "d", "services": services, "turns": list(turns)}
        return self.convert("sgd", {"dev/schema.json": list(schema), "dev/dialogues_001.json": [source]})[0]

    def test_tools(self):
        tools = [tool["function"] for tool in self.one(["Boats_1"], user("hi"))["tools"]]
        self.assertEqual([tool["name"] for tool in tools], ["FindBoat", "BookBoat"])
        self.assertEqual(
            tools[0]["parameters"],
            {
                "type": "object",
                "properties": {
                    "pier": {"type": "string", "description": "the pier"},
                    "seats": {"type": "string", "description": "the seats", "enum": ["1", "2"], "default": "1"},
                    "hour": {"type": "string", "description": "the hour"},
                },
                "required": ["pier"],
            },
        )

    def test_intents_of_one_name_are_told_apart(self):
        data = self.one(["Boats_1", "Boats_2", "Shows_1"], user("a boat", says("Boats_2", "FindBoat", {"pier": ["x"]})))
        names = [tool["function"]["name"] for tool in data["tools"]]
        self.assertEqual(names[:2] + names[-1:], ["Boats_1.FindBoat", "Boats_1.BookBoat", "FindShow"])
        self.assertEqual(data["gold"]["states"][0]["slots"], {"Boats_2.FindBoat.pier": ["x"]})

    def test_calls_results_and_what_is_expected(self):
        data = self.one(
            ["Boats_1"],
            user("a boat", says("Boats_1", "FindBoat")),
            system("From where?", asks("Boats_1", "pier", "pier")),
            user(
                "the old pier",
                says(
                    "Boats_1", "FindBoat", {"pier": ["the old pier"]}, [("INFORM", "pier", "the old pier", "Old Pier")]
                ),
            ),
            system("The Gull.", calls("Boats_1", "FindBoat", {"pier": "Old Pier"}, [{"boat": "Gull"}])),
            user("thanks", says("Boats_1", "NONE", {"pier": ["the old pier"]})),
            system("Bye."),
        )
        self.assertEqual(
            self.shown(data),
            [
                "user: a boat",
                "assistant: From where?",
                "user: the old pier",
                "FindBoat(pier='Old Pier')",
                '= [{"boat": "Gull"}]',
                "assistant: The Gull.",
                "user: thanks",
                "assistant: Bye.",
            ],
        )
        self.assertEqual(data["messages"][3]["tool_calls"][0]["id"], data["messages"][4]["tool_call_id"])
        expected = {"name": "FindBoat", "arguments": {"pier": "Old Pier"}, "accept": {"pier": ["the old pier"]}}
        self.assertEqual(
            data["gold"]["turns"],
            [
                {"turn": 1, "kind": "clarify", "missing": ["pier"]},
                {"turn": 2, "kind": "tool", "calls": [expected]},
                {"turn": 3, "kind": "language"},
            ],
        )

    def test_slot_belongs_to_the_active_intent_that_takes_it(self):
        values = {"pier": ["x"], "seats": ["2"], "hour": ["9"]}
        states = self.one(
            ["Boats_1"],
            user("find", says("Boats_1", "FindBoat", values)),
            user("book", says("Boats_1", "BookBoat", {**values, "boat": ["Gull"]})),
        )["gold"]["states"]
        self.assertEqual(list(states[0]["slots"]), ["FindBoat.pier", "FindBoat.seats", "FindBoat.hour"])
        self.assertEqual(
            list(states[1]["slots"]), ["BookBoat.pier", "FindBoat.seats", "BookBoat.hour", "BookBoat.boat"]
        )
        self.assertEqual(states[1]["aliases"], {"BookBoat.pier": ["FindBoat.pier"], "BookBoat.hour": ["FindBoat.hour"]})
        self.assertEqual(states[1]["changes"], [])

    def test_slot_of_an_intent_that_is_not_active_yet(self):
        state = self.one(["Boats_1"], user("find", says("Boats_1", "FindBoat", {"boat": ["Gull"]})))["gold"]["states"][
            0
        ]
        self.assertEqual(state["slots"], {"BookBoat.boat": ["Gull"]})

    def test_slot_that_no_intent_takes_is_left_out_and_reported(self):
        data = self.one(["Boats_1"], user("find", says("Boats_1", "FindBoat", {"price": ["3"], "pier": ["x"]})))
        self.assertEqual(data["gold"]["states"][0]["slots"], {"FindBoat.pier": ["x"]})
        self.assertEqual(list(self.report.notes.values()), [1])

    def test_overwritten_value(self):
        said = [
            ("INFORM", "hour", "at noon", "12:00"),
            ("INFORM", "hour", "12 pm", "12:00"),
            ("INFORM", "hour", "at two", "14:00"),
        ]
        data = self.one(
            ["Boats_1"],
            user("at noon", says("Boats_1", "FindBoat", {"hour": ["at noon"]}, said[:1])),
            user("12 pm", says("Boats_1", "FindBoat", {"hour": ["12 pm"]}, said[1:2])),
            user("at two", says("Boats_1", "FindBoat", {"hour": ["at two"]}, said[2:])),
        )
        states = data["gold"]["states"]
        self.assertEqual(states[0]["slots"], {"FindBoat.hour": ["at noon", "12:00"]})
        self.assertEqual(states[1]["changes"], [], "another spelling is no change")
        change = {"slot": "FindBoat.hour", "from": ["12 pm", "12:00"], "to": ["at two", "14:00"]}
        self.assertEqual(states[2]["changes"], [change])
        stale = [
            {"tool": tool, "param": "hour", "value": value}
            for value in ("12 pm", "12:00")
            for tool in ("FindBoat", "BookBoat")
        ]
        self.assertEqual(data["gold"]["turns"], [{"turn": 3, "signal": "modified", "stale": stale}])

    def test_value_that_comes_back_is_not_stale(self):
        data = self.one(
            ["Shows_1"],
            user("x", says("Shows_1", "FindShow", {"pier": ["x"]})),
            user("y", says("Shows_1", "FindShow", {"pier": ["y"]})),
            user("x", says("Shows_1", "FindShow", {"pier": ["x"]})),
        )
        self.assertEqual([len(state["changes"]) for state in data["gold"]["states"]], [0, 1, 1])
        stale = [{"tool": "FindShow", "param": "pier", "value": "y"}]
        self.assertEqual(data["gold"]["turns"], [{"turn": 3, "signal": "modified", "stale": stale}])

    def test_value_that_goes(self):
        states = self.one(
            ["Shows_1"],
            user("x", says("Shows_1", "FindShow", {"pier": ["x"]})),
            user("anywhere", says("Shows_1", "FindShow", {})),
        )["gold"]["states"]
        self.assertEqual(states[1]["slots"], {})
        self.assertEqual(states[1]["changes"], [{"slot": "FindShow.pier", "from": ["x"], "to": None}])

    def test_other_services_keep_their_state(self):
        states = self.one(
            ["Boats_1", "Shows_1"],
            user("a boat", says("Boats_1", "FindBoat", {"pier": ["x"]})),
            user("a show", says("Shows_1", "FindShow", {"pier": ["y"]}, requested=["title"])),
        )["gold"]["states"]
        self.assertEqual(states[1]["slots"], {"FindBoat.pier": ["x"], "FindShow.pier": ["y"]})
        self.assertEqual(states[1]["requested"], ["title"])
        self.assertEqual(states[1]["changes"], [])

    def test_intents(self):
        states = self.one(
            ["Boats_1", "Shows_1"],
            user("a boat", says("Boats_1", "FindBoat")),
            user("this one", says("Boats_1", "BookBoat")),
            user("fine, and a show", says("Shows_1", "FindShow"), says("Boats_1", "BookBoat")),
            user("thanks", says("Shows_1", "NONE"), says("Boats_1", "NONE")),
            user("the boat again", says("Boats_1", "BookBoat")),
        )["gold"]["states"]
        self.assertEqual([s["intent"] for s in states], ["FindBoat", "BookBoat", "FindShow", None, "BookBoat"])
        self.assertEqual(
            [s.get("switch") for s in states],
            [
                None,
                {"from": "FindBoat", "to": "BookBoat", "same_service": True},
                {"from": "BookBoat", "to": "FindShow", "same_service": False},
                None,
                {"from": "FindShow", "to": "BookBoat", "same_service": False},
            ],
        )

    def test_service_without_a_schema_is_skipped(self):
        source = {"dialogue_id": "d", "services": ["Rail_9"], "turns": []}
        self.assertEqual(self.convert("sgd", {"schema.json": [BOATS], "dialogues_001.json": [source]}), [])
        self.assertEqual(self.report.skipped, [("d", "no schema of Rail_9")])

    def test_dialogue_in_another_shape_is_skipped(self):
        source = {"dialogue_id": "d", "services": ["Boats_1"], "turns": [{"speaker": "USER", "frames": []}]}
        self.assertEqual(self.convert("sgd", {"schema.json": [BOATS], "dialogues_001.json": [source]}), [])
        self.assertEqual(self.report.skipped[0][0], "d")


class SgdX(ConverterTest):
    def test_other_names_and_nothing_else(self):
        rename = {"Boats_1": "Vessels", "FindBoat": "Seek", "BookBoat": "Take", "pier": "quay", "seats": "places"}
        text = json.dumps([BOATS])
        for old, new in rename.items():
            text = text.replace(f'"{old}"', f'"{new}"')
        turns = [
            user("x", says("Boats_1", "FindBoat", {"pier": ["x"]}, [("INFORM", "pier", "x", "X")], ["seats", "price"])),
            system("Gull", calls("Boats_1", "FindBoat", {"pier": "X"}, [{"pier": "X", "price": "3"}])),
            user("y", says("Boats_1", "BookBoat", {"pier": ["y"]})),
            system("How many?", asks("Boats_1", "seats")),
        ]
        source = {"dialogue_id": "d", "services": ["Boats_1"], "turns": turns}
        files = {
            "schema-a.json": [BOATS, SHOWS],
            "schema-b.json": json.loads(text) + [SHOWS],
            "dialogues_1.json": [source],
        }
        (plain,) = self.convert("sgd", files)
        (told,) = self.convert("sgd-x", files)
        self.assertEqual(told.pop("id"), plain.pop("id") + "-schema-b")
        # Descriptions ("the pier", "do FindBoat") are not renamed here.
        names = re.compile(r"(?<!the )(?<!do )\b(" + "|".join(rename) + r")\b")
        expected = names.sub(lambda found: rename[found[0]], json.dumps(plain))
        self.assertIn('"Seek.quay"', expected)
        self.assertEqual(told, json.loads(expected))

    def test_schemas_that_do_not_match(self):
        source = {"dialogue_id": "d", "services": ["Boats_1"], "turns": []}
        files = {"schema-a.json": [BOATS, SHOWS], "schema-b.json": [OTHER_BOATS], "dialogues_1.json": [source]}
        self.assertEqual(self.convert("sgd-x", files), [])
        self.assertEqual(self.report.skipped[0][0], "d")


class MultiWoz(ConverterTest):
    def test_states_and_nothing_expected(self):
        pub = {
            "service_name": "pub",
            "slots": [slot("pub-area", ["north", "south"]), slot("pub-name")],
            "intents": [intent("find_pub", [], {"pub-area": "dontcare", "pub-name": "dontcare"})],
        }
        cab = {
            "service_name": "cab",
            "slots": [slot("cab-to")],
            "intents": [intent("book_cab", [], {"cab-to": "dontcare"})],
        }
        turns = [
            user("north", says("pub", "find_pub", {"pub-area": ["north"]}), says("cab", "NONE")),
            system("The Ship?"),
            user(
                "and a cab there",
                says("pub", "NONE", {"pub-area": ["north"], "pub-name": ["ship"]}),
                says("cab", "find_cab"),
            ),
        ]
        source = {"dialogue_id": "d", "services": ["pub"], "turns": turns}
        data = self.convert("multiwoz", {"schema.json": [pub, cab], "dev/dialogues_001.json": [source]})[0]
        self.assertEqual([tool["function"]["name"] for tool in data["tools"]], ["find_pub", "book_cab"])
        self.assertEqual(self.shown(data), ["user: north", "assistant: The Ship?", "user: and a cab there"])
        self.assertEqual(list(data["gold"]), ["states"])
        last = data["gold"]["states"][1]
        self.assertEqual(last["slots"], {"find_pub.pub-area": ["north"], "find_pub.pub-name": ["ship"]})
        self.assertEqual(last["intent"], "book_cab", "the only intent of a service stands for a name it does not have")


if __name__ == "__main__":
    unittest.main()
