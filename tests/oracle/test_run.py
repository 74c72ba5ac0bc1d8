"""The comparison itself: silent on an engine that agrees, loud on one with a known mistake."""

import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


def run(*options, fault=None):
    environment = dict(os.environ)
    environment.pop("WEND_STANDIN_FAULT", None)
    if fault:
        environment["WEND_STANDIN_FAULT"] = fault
    command = [sys.executable, os.path.join(HERE, "run.py"), "--wend", os.path.join(HERE, "standin.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


class Comparing(unittest.TestCase):
    def test_agreement(self):
        done = run("--count", "150", "--only", "golden,corners,generated,params,report,explain,metamorphic")
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        self.assertIn(" 0 differ", done.stdout)

    def test_mistakes_are_found(self):
        for fault, said in (
            ("null_as_zero", "x metrics.JGA"),
            ("rounded", "x rewards.multi_turn.total"),
            ("never_partial", "x rewards.multi_turn.partial"),
            ("no_term", "does not report rewards.multi_turn.belief.jga"),
            ("order", "x metrics.RIR.num"),
            ("evidence", "action.excess names"),
            ("no_reason", "nothing says why"),
        ):
            with self.subTest(fault):
                done = run("--count", "150", "--only", "golden,generated,explain", fault=fault)
                self.assertEqual(done.returncode, 1, done.stderr[-3000:])
                self.assertIn(said, done.stdout)

    def test_a_failing_engine_is_a_failure(self):
        command = [sys.executable, os.path.join(HERE, "run.py"), "--wend", "/bin/false", "--only", "golden"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("exit 1", done.stdout)


if __name__ == "__main__":
    unittest.main()
