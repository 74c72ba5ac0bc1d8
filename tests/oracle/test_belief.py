"""Checks the belief oracle against blocks worked out by hand, and its parts against small truths."""

import json
import unittest

import belief_generate
import belief_json
import belief_readback
import belief_render
from belief import BeliefState, steps
from belief_cues import classify
from belief_entities import entities_of
from belief_events import Call, Event, events_of
from belief_results import is_error
from belief_run import golden
from belief_text import Text, name_words, stem


def final(data, policy="accumulate"):
    state = BeliefState(data.get("tools"), policy)
    for event in events_of(data):
        state.handle(event)
    return state


def tool(name, **types):
    properties = {param: {"type": kind} for param, kind in types.items()}
    return {"name": name, "parameters": {"type": "object", "properties": properties}}


def said(*texts, tools=()):
    return {"tools": list(tools), "messages": [{"role": "user", "content": text} for text in texts]}


def call(name, **args):
    return {"role": "assistant", "tool_calls": [{"function": {"name": name, "arguments": args}}]}


class Golden(unittest.TestCase):
    def test_blocks(self):
        for data, block in golden():
            with self.subTest(data["id"]):
                self.assertEqual(belief_render.context_manager(final(data)), block)


class ReadBack(unittest.TestCase):
    def test_faults(self):
        for data, block in golden():
            state = json.loads(json.dumps(final(data).as_json()))
            self.assertEqual(belief_readback.faults(block, state), [], data["id"])
            state["confirmed"] = [*state["confirmed"], {"key": "a.b", "value": 1, "replaced": [2]}]
            self.assertIn("slots", belief_readback.faults(block, state))
            self.assertIn("warnings", belief_readback.faults(block, state))
            self.assertTrue(belief_readback.faults(block[:-40], state)[0].startswith("not readable"))


class Reading(unittest.TestCase):
    def entities(self, text):
        return [(entity.kind, entity.value) for entity in entities_of(Text(text))]

    def test_times(self):
        for text, value in (
            ("7am", "07:00"),
            ("7:30 p.m.", "19:30"),
            ("12 am", "00:00"),
            ("quarter to one", "12:45"),
            ("half past 6 in the evening", "18:30"),
            ("noon", "12:00"),
            ("3 o\u2019clock", "03:00"),
        ):
            self.assertEqual(self.entities(text)[0], ("time", value), text)

    def test_dates(self):
        for text, value in (
            ("12/25/2024", "2024-12-25"),
            ("5/6/2024", "5/6/2024"),
            ("20.5.2024", "2024-05-20"),
            ("the 5th of May, 2024", "2024-05-05"),
            ("Sept. 3", "Sept. 3"),
            ("next Friday", "next Friday"),
        ):
            self.assertIn(("date", value), self.entities(text), text)

    def test_others(self):
        self.assertEqual(self.entities("$1,200.50"), [("money", 1200.5)])
        self.assertEqual(self.entities("a hundred"), [("number", 100)])
        self.assertEqual(self.entities("twenty-five percent"), [("percent", 25)])
        self.assertEqual(self.entities("(#W12)"), [("id", "#W12")])
        self.assertEqual(self.entities("\u201cThe Rock\u201d"), [("quoted", "The Rock")])
        self.assertEqual(self.entities("in New York"), [("name", "New York")])
        self.assertEqual(self.entities("to New York and of"), [("name", "New York")])
        self.assertEqual(self.entities("+1 (555) 123-4567"), [("phone", "+1 (555) 123-4567")])

    def test_stems(self):
        for word, wanted in (("cities", "city"), ("booked", "book"), ("planning", "plan"), ("guests", "guest"), ("price", "pric")):
            self.assertEqual(stem(word), wanted)
        self.assertEqual(name_words("startTime_of-day"), ["start", "time", "of", "day"])

    def test_cues(self):
        self.assertEqual(classify(Text("Could you MAKE  IT two?"))[0], "modified")
        self.assertEqual(classify(Text("an exchange")), ("none", 0.5))
        label, confidence = classify(Text("also, never mind"))
        self.assertEqual(label, "reset")
        self.assertAlmostEqual(confidence, 1.5 / 2.4 * 1.5 / 2.0)

    def test_errors(self):
        for text in ("Error: no", '{"error": "x"}', '{"status": 404}', "404 Not found", "ValueError: x", '{"ok": false}'):
            self.assertTrue(is_error(text), text)
        for text in ("errors: none", '{"error": null}', '{"status": "ok"}', "404", None, "My error: x"):
            self.assertFalse(is_error(text), text)


class Statements(unittest.TestCase):
    def test_an_overwritten_value_is_stale_until_it_comes_back(self):
        state = BeliefState([tool("set_alarm", time="string")])
        for value in ("07:00", "06:30", "08:00", "07:00"):
            state.handle(Event("call", 0, call=Call("set_alarm", {"time": value}, 1)))
        self.assertEqual(state.confirmed[0].replaced, ["06:30", "08:00"])
        self.assertTrue(state.confirmed[0].confirmed)

    def test_the_same_value_changes_nothing(self):
        state = BeliefState()
        state.overwrite([("t", "p", "Oslo")])
        state.overwrite([("t", "p", " OSLO ")])
        self.assertEqual((state.confirmed[0].value, state.confirmed[0].replaced), ("Oslo", []))

    def test_results_go_to_their_calls(self):
        data = {"messages": [call("a"), call("b")]}
        data["messages"][0]["tool_calls"][0]["id"] = "x"
        data["messages"][1]["tool_calls"][0]["id"] = "y"
        data["messages"] += [{"role": "tool", "tool_call_id": name, "content": "r"} for name in ("y", "z", "x")]
        answered = [event.call.name if event.call else None for event in events_of(data) if event.kind == "result"]
        self.assertEqual(answered, ["b", "a", None])

    def test_policies(self):
        data = said("Book it for 2024-05-20", "and 2024-05-21", tools=[tool("book", date="string")])
        self.assertEqual(final(data).confirmed[0].replaced, ["2024-05-20"])
        self.assertEqual(final(data, "last_only").confirmed[0].replaced, [])
        self.assertEqual(final(data, "first_only").confirmed[0].value, "2024-05-20")

    def test_limits(self):
        state = BeliefState()
        for number in range(600):
            state.overwrite([("t", f"p{number}", number), ("t", "changed", number)])
        self.assertEqual(len(state.confirmed), 512)
        self.assertEqual(state.values["t", "p599"], 599)


class Replacements(unittest.TestCase):
    def test_texts_in_place_of_others(self):
        tools = [tool("search", origin="string", destination="string")]
        for text, value in (
            ("Actually, make it Munich instead of Berlin.", "Munich"),
            ("not Berlin but Munich", "Munich"),
            ("New York, not Berlin", "New York"),
            ("Replace berlin with Munich", "Munich"),
            ("make it munich rather than berlin", "munich"),
            ("not bad", "Berlin"),
            ("Sorry, not Berlin", "Berlin"),
            ("something else instead of Berlin", "Berlin"),
        ):
            state = final(said("search from Oslo to Berlin", text, tools=tools))
            found = [slot.value for slot in state.confirmed if slot.key == "search.destination"]
            self.assertEqual(found, [value], text)


class Block(unittest.TestCase):
    def test_nothing_breaks_out(self):
        for data in belief_generate.generate(200, 3):
            for _, state in steps(data):
                block = belief_render.context_manager(state)
                lines = block.split("\n")
                self.assertEqual(len(lines), 11)
                for line in lines[1:-1]:
                    name = line[1 : line.index(">")]
                    self.assertTrue(line.endswith(f"</{name}>"))
                    content = line[len(name) + 2 : -len(name) - 3]
                    self.assertNotIn("<", content)
                    json.loads(content)

    def test_an_overwritten_value_is_never_active(self):
        for data in belief_generate.generate(200, 4):
            for _, state in steps(data):
                for slot in state.confirmed:
                    self.assertNotIn(belief_json.canonical_json(slot.value), map(belief_json.canonical_json, slot.replaced))

    def test_budget(self):
        blocks = [("A", belief_render.Made(["x" * 200] * 20)), ("B", "y" * 100)]

        def fits(size):
            return belief_render.fitted(belief_render.as_json, "N", blocks, ("A", "B"), lambda text: len(text) <= size)

        text, over = fits(3000)
        self.assertFalse(over)
        self.assertEqual(json.loads(text), {"A": ["x" * 159 + "\u2026"] * 16, "B": "y" * 100})
        text, over = fits(20)
        self.assertTrue(over)
        self.assertEqual(json.loads(text), {"A": [], "B": "y" * 59 + "\u2026"})


if __name__ == "__main__":
    unittest.main()
