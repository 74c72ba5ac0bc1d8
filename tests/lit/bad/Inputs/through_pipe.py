"""Prints what a command writes to a named pipe: python3 through_pipe.py PIPE COMMAND..."""

import os
import subprocess
import sys

pipe, command = sys.argv[1], sys.argv[2:]
# Opened for both, so that neither side waits for the other to open it.
end = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
done = subprocess.run(command, check=False, timeout=60)
try:
    print(os.read(end, 1 << 16).decode())
except BlockingIOError:
    sys.exit("nothing came through the pipe")
sys.exit(done.returncode)
