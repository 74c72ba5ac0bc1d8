"""Formats specs with comments put between any of their tokens: scatter_comments.py WEND SPEC...

Every comment must still be there, once, and formatting again must change nothing.
"""

import random
import re
import subprocess
import sys

# A text, a comment, a name or number, one of the longer operators, or any other character.
TEXT = r"""\"{3}(?s:.*?)\"{3}|"(?:\\.|[^"\\])*\""""
TOKEN = re.compile(TEXT + r"""|//[^\n]*|[\w.]+[%']?|->|=>|\.\.|[<>=!]=|\?\?|\S""")
wend, paths = sys.argv[1], sys.argv[2:]


def layout(text):
    done = subprocess.run([wend, "fmt", "-"], input=text.encode(), capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"cannot be formatted: {done.stderr.decode()}\n{text}")
    return done.stdout.decode()


for path in paths:
    with open(path, encoding="utf-8") as file:
        source = file.read()
    places = [match.end() for match in TOKEN.finditer(source)]
    for seed in range(3):
        chosen = sorted(random.Random(seed).sample(places, max(3, len(places) // (4 + 20 * seed))))
        parts = [source[a:b] for a, b in zip([0, *chosen], [*chosen, len(source)])]
        text = parts[0] + "".join(f"\n// <{n}>\n{part}" if n % 2 else f" // <{n}>\n{part}" for n, part in enumerate(parts[1:]))
        once = layout(text)
        for number in range(len(parts) - 1):
            if once.count(f"// <{number}>") != 1:
                sys.exit(f"{path}: comment {number} is there {once.count(f'// <{number}>')} times\n{text}\n=====\n{once}")
        if layout(once) != once:
            sys.exit(f"{path}: formatted again it changes\n{once}\n=====\n{layout(once)}")
