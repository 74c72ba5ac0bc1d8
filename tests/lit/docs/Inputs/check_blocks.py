"""Checks the Wend in Markdown pages with `wend check`.

    python3 check_blocks.py --wend PATH --root FOLDER PAGE...

Every block fenced as `wend` is checked; what follows `wend` on the fence says how:

    (nothing)        a module if it has a `module` line, otherwise declarations, which are put into a module that uses
                     std.match, std.ground, std.repeat and std.chain
    use a.b          declarations that use a.b as well
    expression       each line is an expression over t: Trace, u: Turn, m: Message, c: Call, g: GoldCall, a: Arg, k: Chain,
                     l: Link, x: real, n: int
    of FILE          a part of that file, word for word (and the file is checked)
    error KIND       it has this error, and no other
    warning KIND     it has this warning, and nothing else
    fragment         a part of something; not checked

Modules of a page can be used by its later blocks. Anything reported that is not announced is a failure: exit 1.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

LIBRARY = ("std.match", "std.ground", "std.repeat", "std.chain")
VARIABLES = ("t: Trace, u: Turn, m: Message, c: Call, g: GoldCall, a: Arg, k: Chain, l: Link, x: real, n: int")
MODULE = re.compile(r"^module ([\w.]+)", re.M)


def blocks(page):
    """(line number, words on the fence, text) of each block of Wend."""
    start, words = None, []
    with open(page, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for number, line in enumerate(lines):
        fence = re.fullmatch(r"\s*```(.*)", line)
        if not fence:
            continue
        if start is None:
            start, words = number + 1, fence.group(1).split()
        else:
            if words[:1] == ["wend"]:
                yield start + 1, words[1:], "\n".join(lines[start:number]) + "\n"
            start = None


def wrapped(text, words, number):
    """A module made of a block that is none."""
    uses = [word for word in LIBRARY]
    if words[:1] == ["use"]:
        uses += words[1:]
    if words[:1] == ["expression"]:
        lines = [line for line in text.splitlines() if line.strip()]
        text = "".join(f"fn e{i}({VARIABLES}) =\n  {line}\n" for i, line in enumerate(lines))
    head = f"edition 1\nmodule block{number}\n" + "".join(f"use {use}\n" for use in uses)
    return f"block{number}", head + text


class Checker:
    def __init__(self, wend, root, scratch):
        self.wend = os.path.abspath(wend)
        folders = [scratch, os.path.join(root, "stdlib"), os.path.join(root, "specs")]
        self.environment = dict(os.environ, WEND_PATH=os.pathsep.join(folders), NO_COLOR="1")
        self.root, self.scratch = root, scratch

    def write(self, module, text):
        path = os.path.join(self.scratch, *module.split(".")) + ".wend"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def diagnostics(self, path):
        done = subprocess.run([self.wend, "check", "--json", path], cwd=self.scratch, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
        try:
            return json.loads(done.stdout)
        except json.JSONDecodeError:
            return [{"kind": "crash", "severity": "error", "line": 0, "message": f"exit {done.returncode}: {done.stderr}"}]

    def check_part(self, text, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            whole = file.read()
        missing = [] if text.strip("\n") in whole else [f"{path} has no such part"]
        found = self.diagnostics(os.path.join(self.root, path))
        return missing + [f"{path}:{d['line']}: {d['message']} [{d['kind']}]" for d in found]

    def check(self, text, words, number):
        """What is wrong with a block, as lines; none: nothing."""
        if words[:1] == ["of"]:
            return self.check_part(text, words[1])
        named = MODULE.search(text)
        module, source = (named.group(1), text) if named else wrapped(text, words, number)
        found = self.diagnostics(self.write(module, source))
        if words[:1] in (["error"], ["warning"]):
            severity, kind = words
            if found and all(d["kind"] == kind and d["severity"] == severity for d in found):
                return []
            if not found:
                return [f"there is no {severity} [{kind}]"]
        lines = source.splitlines()
        return [f"{d['severity']}: {d['message']} [{d['kind']}]" + (f"\n      {lines[d['line'] - 1]}" if d["line"] else "")
                for d in found]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wend", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("pages", nargs="+")
    options = parser.parse_args()
    failures = checked = 0
    for page in options.pages:
        with tempfile.TemporaryDirectory() as scratch:
            checker = Checker(options.wend, os.path.abspath(options.root), scratch)
            for line, words, text in blocks(page):
                if words[:1] == ["fragment"]:
                    continue
                checked += 1
                faults = checker.check(text, words, line)
                failures += bool(faults)
                for fault in faults:
                    print(f"{page}:{line}: {fault}")
    print(f"{checked} blocks checked, {failures} with faults")
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
