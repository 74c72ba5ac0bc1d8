"""Checks the links between Markdown pages: python3 check_links.py PAGE...

A link to a file must name one that exists, a link to a heading (`#name`, `page.md#name`) one that the page has, by the
rule of GitHub: lower case, blanks as dashes, other marks left out. Links to the web are left alone. Exits 1 on a fault.
"""

import os
import re
import sys

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def prose(path):
    """(line number, line) outside blocks of code."""
    code = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().splitlines(), 1):
            if line.lstrip().startswith("```"):
                code = not code
            elif not code:
                yield number, line


def anchors(path):
    names, seen = set(), {}
    for _, line in prose(path):
        heading = re.match(r"#{1,6} (.*)", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).strip().lower()
            name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            count = seen[name] = seen.get(name, -1) + 1
            names.add(name if count == 0 else f"{name}-{count}")
    return names


def faults(page):
    for number, line in prose(page):
        for link in LINK.findall(line):
            if re.match(r"[a-z]+:", link):
                continue
            file, _, heading = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), file)) if file else page
            if not os.path.exists(target):
                yield f"{page}:{number}: no such file: {link}"
            elif heading and target.endswith(".md") and heading not in anchors(target):
                yield f"{page}:{number}: no such heading: {link}"


def main():
    found = [fault for page in sys.argv[1:] for fault in faults(page)]
    print("\n".join(found) if found else "all links lead somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
