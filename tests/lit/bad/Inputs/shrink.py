"""Cuts a file while a command reads it: shrink.py FILE LENGTH PIPE COMMAND...

LENGTH is in bytes, or `line` for the first line.

The command names FILE first and PIPE second. It looks at all its files before it reads the first one, so when it opens
the pipe it has seen FILE whole; then FILE is cut.
"""

import errno
import os
import subprocess
import sys
import time

path, length, pipe, command = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
with open(path, "rb") as whole:
    first = whole.readline()
os.mkfifo(pipe)
child = subprocess.Popen(command)


def writer(path, flags):
    """Opens the pipe once the command reads it; a command that ends before it does fails the test, it does not hang it."""
    while child.poll() is None:
        try:
            opened = os.open(path, flags | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            time.sleep(0.01)
        else:
            os.set_blocking(opened, True)
            return opened
    sys.exit(f"the command ended with {child.returncode} before it read {path}")


with open(pipe, "wb", opener=writer) as end:
    os.truncate(path, len(first) if length == "line" else int(length))
    end.write(first)
sys.exit(child.wait())
