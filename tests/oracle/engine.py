"""Runs the engine under test: `wend score` and `wend explain`."""

import json
import os
import subprocess
import tempfile

from generate import write_jsonl

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIMEOUT_SECONDS = 300


class EngineError(Exception):
    pass


class Engine:
    def __init__(self, wend, spec, back_end="auto"):
        self.wend = wend
        self.spec = spec
        self.back_end = back_end
        folders = os.pathsep.join(os.path.join(ROOT, name) for name in ("stdlib", "specs"))
        self.environment = {"WEND_PATH": folders, **os.environ}

    def score(self, path, options, params=None):
        for name, value in (params or {}).items():
            options = [*options, "--set", f"{name}={value}"]
        return self.run("score", path, options)

    def run(self, command, path, options):
        command = [self.wend, command, self.spec, path, "--engine", self.back_end, "--quiet", *options]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False, env=self.environment
        )
        if done.returncode != 0:
            raise EngineError(f"{' '.join(command)}\nexit {done.returncode}\n{done.stderr[:4000]}")
        return done.stdout

    def rows_of_file(self, path, params=None, options=()):
        return [json.loads(line) for line in self.score(path, ["--rows", *options], params).splitlines() if line.strip()]

    def explained(self, path):
        """Every dialogue's multi-turn reward with its evidence."""
        return [json.loads(line) for line in self.run("explain", path, ["--all", "--json"]).splitlines()]

    def beliefs(self, path, policy="accumulate"):
        """The belief state and block of every dialogue, message by message."""
        options = ["--all", "--json"] + (["--update", policy] if policy != "accumulate" else [])
        return [json.loads(line) for line in self.run("belief", path, options).splitlines() if line.strip()]

    def report_of_file(self, path, params=None):
        return json.loads(self.score(path, ["--json"], params))

    def rows(self, dialogues, params=None):
        """The rows of dialogues, which are written to a temporary file."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "dialogues.jsonl")
            write_jsonl(path, dialogues)
            return self.rows_of_file(path, params)
