"""Cuts a file while a command reads it: shrink.py FILE LENGTH PIPE COMMAND...

LENGTH is in bytes, or `line` for the first line.

The command names FILE first and PIPE second. It looks at all its files before it reads the first one, so when it opens
the pipe it has seen FILE whole; then FILE is cut.
"""

import os
import subprocess
import sys

path, length, pipe, command = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
with open(path, "rb") as whole:
    first = whole.readline()
os.mkfifo(pipe)
child = subprocess.Popen(command)
with open(pipe, "wb") as end:
    os.truncate(path, len(first) if length == "line" else int(length))
    end.write(first)
sys.exit(child.wait())
