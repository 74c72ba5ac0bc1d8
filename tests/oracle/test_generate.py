"""The generator must reach every rule; a rule it misses would be compared in vain."""

import json
import random
import unittest

import metamorphic
import reference
from generate import generate
from trajectory import Trace


class Coverage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dialogues = generate(1500, seed=7)
        cls.rows = [reference.row(Trace(data)) for data in cls.dialogues]

    def test_same_seed_same_dialogues(self):
        self.assertEqual(generate(20, seed=3), generate(20, seed=3))
        self.assertNotEqual(generate(20, seed=3), generate(20, seed=4))

    def test_without(self):
        made = generate(300, seed=2, without=["tags", "no_gold"])
        self.assertEqual(len(made), 300)
        self.assertFalse(any("tags" in data["edges"] or "no_gold" in data["edges"] for data in made))

    def test_every_metric_takes_every_kind_of_value(self):
        """Not evaluable, nothing to count, none, some, and all; RIR and LOOP can always be evaluated, and never or
        only as a whole be all or some."""
        for name in self.rows[0]["metrics"]:
            values = [row["metrics"][name] for row in self.rows]
            known = [value for value in values if value is not None]
            if name != "LOOP" and not name.lower().startswith("rir"):
                self.assertTrue(any(value is None for value in values), name)
            self.assertTrue(any(value["num"] == 0 and value["den"] > 0 for value in known), name)
            self.assertTrue(any(value["num"] > 0 for value in known), name)
            self.assertTrue(any(value["den"] == 0 for value in known), name)
            if name != "LOOP":
                self.assertTrue(any(0 < value["num"] < value["den"] for value in known), name)
            if not name.lower().startswith("rir"):
                self.assertTrue(any(0 < value["num"] == value["den"] for value in known), name)

    def test_every_term_fires_and_rests_and_is_missing(self):
        for reward in ("multi_turn", "single_step"):
            names = {term for row in self.rows for term in row["rewards"][reward]["terms"]}
            for term in names:
                values = [row["rewards"][reward]["terms"].get(term, 0) for row in self.rows]
                self.assertGreater(sum(value not in (None, 0) for value in values), 9, term)
                self.assertTrue(any(value == 0 for value in values), term)
                if term != "clamp":
                    self.assertTrue(any(value is None for value in values), term)

    def test_terms_sum_to_the_total(self):
        for row in self.rows:
            for name, reward in row["rewards"].items():
                known = [value for value in reward["terms"].values() if value is not None]
                if reward["total"] is not None:
                    self.assertAlmostEqual(sum(known), reward["total"], 9, f"{row['id']} {name}")
                self.assertEqual(reward["partial"], None in reward["terms"].values())

    def test_loose_differs_from_strict(self):
        self.assertTrue(any(row["metrics"]["JGA"] != row["metrics"]["JGA_loose"] for row in self.rows))

    def test_totals_spread(self):
        totals = [row["rewards"]["multi_turn"]["total"] for row in self.rows]
        known = [total for total in totals if total is not None]
        self.assertEqual((min(known), max(known) > 6), (-4.0, True))
        self.assertGreater(len({round(total, 6) for total in known}), 150)


class Metamorphic(unittest.TestCase):
    """The relations hold of the reference, and each of them applies often enough to mean something."""

    def test_reference(self):
        score = lambda dialogues: [reference.row(Trace(json.loads(json.dumps(data)))) for data in dialogues]
        checked, faults = metamorphic.check(random.Random(5), generate(600, seed=5), score)
        self.assertEqual([(fault[0], fault[1]["id"]) for fault in faults], [])
        for name, count in checked.items():
            self.assertGreater(count, 8, name)

    def test_a_broken_score_is_found(self):
        """A scorer that looks at ids, text parts or the order of tools does not pass."""

        def score(dialogues):
            rows = [reference.row(Trace(json.loads(json.dumps(data)))) for data in dialogues]
            for row, data in zip(rows, dialogues):
                first = data["messages"][0]
                if isinstance(first.get("content"), list) and row["metrics"]["LOOP"]:
                    row["metrics"]["LOOP"]["num"] = 0.5
            return rows

        _, faults = metamorphic.check(random.Random(5), generate(100, seed=6), score)
        self.assertIn("texts_as_parts", {fault[0] for fault in faults})


if __name__ == "__main__":
    unittest.main()
