"""Runs a command on each .wend file of some folders by itself: python3 each.py WEND COMMAND FOLDER...

Exits 1 if one of them fails or reports anything.
"""

import pathlib
import subprocess
import sys


def main():
    wend, command, *folders = sys.argv[1:]
    files = sorted(file for folder in folders for file in pathlib.Path(folder).rglob("*.wend"))
    failures = 0
    for file in files:
        done = subprocess.run([wend, command, str(file)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=60, check=False)
        if done.returncode or done.stdout:
            failures += 1
            print(f"{file}: exit {done.returncode}\n{done.stdout}")
    print(f"{len(files)} files, {failures} with faults")
    return 1 if failures or not files else 0


if __name__ == "__main__":
    sys.exit(main())
