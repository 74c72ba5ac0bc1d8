"""Runs a command whose standard error is a terminal and prints what came there: on_terminal.py COMMAND..."""

import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
said = b""
while True:
    try:
        part = os.read(ours, 4096)
    except OSError:  # the other side has closed
        break
    if not part:
        break
    said += part
print(said.decode().replace("\r", "\n"))
sys.exit(child.wait())
