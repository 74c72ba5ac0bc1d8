"""Checks the reference against the hand-worked dialogues, and its parts against small truths."""

import json
import unittest

import golden
import reference
import values
from trajectory import Trace


def term_name(name):
    """belief_jga -> belief.jga; total, partial and clamp stay."""
    return name.replace("_", ".", 1) if name not in ("total", "partial", "clamp") else name


class Golden(unittest.TestCase):
    def check(self, data, expected):
        row = reference.row(Trace(json.loads(json.dumps(data))))
        for path, wanted in expected.items():
            group, name = path.split(".", 1)
            if group == "metrics":
                value = row["metrics"][name]
                got = None if value is None else (value["num"], value["den"])
                self.assertEqual(got, wanted, f"{data['id']} {name}")
                continue
            reward = row["rewards"][group]
            name = term_name(name)
            got = reward[name] if name in ("total", "partial") else reward["terms"][name]
            if wanted is None or isinstance(wanted, bool):
                self.assertIs(got, wanted, f"{data['id']} {path}")
            else:
                self.assertIsNotNone(got, f"{data['id']} {path}")
                self.assertAlmostEqual(got, wanted, 9, f"{data['id']} {path}")

    def test_cases(self):
        for data, expected in golden.CASES:
            with self.subTest(data["id"]):
                self.check(data, expected)

    def test_ids_are_unique(self):
        ids = [data["id"] for data, _ in golden.CASES]
        self.assertEqual(len(ids), len(set(ids)))

    def test_every_metric_and_term_is_worked_out(self):
        """Each metric and each term has a hand-worked value other than 0 somewhere."""
        seen = set()
        for _, expected in golden.CASES:
            for path, wanted in expected.items():
                if wanted is not None and (wanted[0] if isinstance(wanted, tuple) else wanted) != 0:
                    group, name = path.split(".", 1)
                    seen.add(group + "." + (name if group == "metrics" else term_name(name)))
        row = reference.row(Trace(golden.CASES[0][0]))
        wanted = {"metrics." + name for name in row["metrics"]}
        for reward, value in row["rewards"].items():
            wanted |= {f"{reward}.{term}" for term in value["terms"]}
        self.assertEqual(wanted - seen, set())


class Totals(unittest.TestCase):
    def test_alarm_pair(self):
        metrics = [reference.evaluate(Trace(data))[0] for data, _ in golden.CASES[:2]]
        percent = reference.totals(metrics)
        # Three of four turns right; one stale argument in two modification turns; one of four turns repeats.
        self.assertEqual(percent["JGA"], 75)
        self.assertEqual(percent["SCRR"], 50)
        self.assertEqual(percent["Cognitive"], 12.5)
        self.assertEqual(percent["Behavioral"], 75)
        self.assertIsNone(percent["Outcome"])


class Params(unittest.TestCase):
    def test_weights_and_caps(self):
        trace = Trace(golden.CASES[1][0])  # belief 2.5 - 0.5, action -0.5 + 0.6
        params = {"alpha": 2, "beta": 3, "progress_cap": 0.25, "jga_cap": 2, "reward_max": 3}
        _, rewards = reference.evaluate(trace, params)
        # 2 x (2 - 0.5) + 3 x (-0.5 + 0.25) = 2.25
        self.assertAlmostEqual(rewards["multi_turn"].total, 2.25)
        _, rewards = reference.evaluate(trace, {"reward_max": 1})
        self.assertAlmostEqual(rewards["multi_turn"].total, 1)
        self.assertAlmostEqual(rewards["multi_turn"].clamp, -1.1)


class Values(unittest.TestCase):
    def test_canonical(self):
        same = lambda a, b: values.canonical(a) == values.canonical(b)
        self.assertTrue(same(1, 1.0))
        self.assertTrue(same({"a": [1], "b": None}, {"b": None, "a": [1.0]}))
        self.assertFalse(same(2**53, 2**53 + 1))
        self.assertFalse(same(float(2**53), 2**53 + 1))
        self.assertFalse(same(True, 1))
        self.assertFalse(same("1", 1))
        self.assertFalse(same([], {}))
        self.assertTrue(same("\u00e9", "e\u0301"))

    def test_folded(self):
        same = lambda a, b: values.folded(a) == values.folded(b)
        self.assertTrue(same(" New\u00a0\u202fYork\n", "new york"))
        self.assertTrue(same("1e3", 1000))
        self.assertTrue(same(["1.50"], [1.5]))
        self.assertTrue(same("STRASSE", "stra\u00dfe"))
        self.assertFalse(same("01", 1))
        self.assertFalse(same("+1", 1))
        self.assertFalse(same("null", None))
        self.assertFalse(same("9007199254740993", 9007199254740992))

    def test_occurs(self):
        text = values.fold_text("In 2024 I paid $2.50 (order #W12, id_7) in S\u00e3o\u00a0Paulo")
        for needle in ("2024", "2.50", "$2.50", "#w12", "w12", "id_7", "s\u00e3o paulo", ""):
            self.assertTrue(values.occurs(needle, text), needle)
        for needle in ("20", "24", "7", "w1", "paul", "$2.5", "rder", "2", "50"):
            self.assertFalse(values.occurs(needle, text), needle)

    def test_a_number_goes_on(self):
        for text in ("1.2", "2.5", "2024", "2-3", "1,2", "12", "a2", "2_"):
            self.assertFalse(values.occurs("2", text), text)
        for text in ("2.", "$2", "2 - 3", "2, 3", "a-2", "2-x", "(2)", "2.5 or 2"):
            self.assertTrue(values.occurs("2", text), text)

    def test_unspaced_scripts(self):
        text = values.fold_text("\u73b0\u5728\u6e29\u5ea6\u662f28\u6444\u6c0f\u5ea6")
        self.assertTrue(values.occurs("28", text))
        self.assertTrue(values.occurs("\u6e29\u5ea6", text))
        self.assertFalse(values.occurs("8", text))
        for word in ("\uac00", "\u3042", "\u30ab", "\u30fc", "\uff76", "\u3005", "\u0e01", "\u0e81", "\u1780", "\u1000"):
            self.assertTrue(values.occurs(word, f"{word}{word}"), word)
            self.assertTrue(values.occurs("x", f"{word}x{word}"), word)
        for word in ("\u0430", "\u03b1", "\u0627", "\u05d0", "\u0905"):
            self.assertFalse(values.occurs(word, f"{word}{word}"), word)

    def test_number_text(self):
        self.assertEqual(values.number_text(250.0), "250")
        self.assertEqual(values.number_text(2**53 + 1), "9007199254740993")
        self.assertEqual(values.number_text(0.1), "0.1")
        self.assertEqual(values.number_text(-5), "-5")


if __name__ == "__main__":
    unittest.main()
