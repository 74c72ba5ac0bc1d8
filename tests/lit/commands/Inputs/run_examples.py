"""Runs the examples of a Markdown page and compares what they print with what the page shows.

    python3 run_examples.py --wend PATH --root FOLDER [--update] PAGE...

An example is a block fenced as `console`: a line `$ COMMAND` and below it what it prints (stdout and stderr together).
A line of three dots stands for any number of lines; `$ COMMAND   # exit N` says that it fails with N. Commands run in
FOLDER, with a scratch folder as $TMP; a `wend` among their words is PATH. Exits 1 on any difference. With --update, the
page is rewritten to show what is printed now (blocks with dots stay as they are).
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

EXIT = re.compile(r"\s+# exit (\d+)$")


def blocks(lines):
    """(first line, one past the last line) of the content of each console block."""
    start = None
    for number, line in enumerate(lines):
        if start is None and line.strip() == "```console":
            start = number + 1
        elif start is not None and line.strip() == "```":
            yield start, number
            start = None


def examples(lines, begin, end):
    """(command line number, lines of output) of each command of a block."""
    starts = [number for number in range(begin, end) if lines[number].startswith("$ ")]
    for start, stop in zip(starts, starts[1:] + [end]):
        yield start, lines[start + 1 : stop]


def matches(expected, actual):
    """Whether lines match, where `...` stands for any number of lines."""
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(matches(expected[1:], actual[skip:]) for skip in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and matches(expected[1:], actual[1:])


class Runner:
    def __init__(self, wend, root, scratch):
        self.root = root
        folder = os.path.join(scratch, "bin")
        os.mkdir(folder)
        os.symlink(os.path.abspath(wend), os.path.join(folder, "wend"))
        self.environment = dict(os.environ, TMP=scratch, NO_COLOR="1")
        self.environment["PATH"] = folder + os.pathsep + os.environ["PATH"]

    def run(self, command):
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.root, env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False,
        )
        return done.returncode, [line.rstrip() for line in done.stdout.splitlines()]


def check(page, runner, update):
    with open(page, encoding="utf-8") as file:
        lines = file.read().splitlines()
    failures, replaced = 0, []
    for begin, end in blocks(lines):
        for start, expected in examples(lines, begin, end):
            command = lines[start][2:]
            wanted = EXIT.search(command)
            code, output = runner.run(EXIT.sub("", command))
            while expected and not expected[-1]:
                expected = expected[:-1]
            if code == int(wanted.group(1) if wanted else 0) and matches(expected, output):
                continue
            if update and not any(line.strip() == "..." for line in expected):
                replaced.append((start, len(expected), output))
                continue
            failures += 1
            print(f"{page}:{start + 1}: $ {command}\n  exit {code}; it printed:")
            print("\n".join("  | " + line for line in output))
    if replaced:
        for start, length, output in reversed(replaced):
            lines[start + 1 : start + 1 + length] = output
        with open(page, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wend", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(options.wend, options.root, scratch)
        return 1 if sum(check(page, runner, options.update) for page in options.pages) else 0


if __name__ == "__main__":
    sys.exit(main())
