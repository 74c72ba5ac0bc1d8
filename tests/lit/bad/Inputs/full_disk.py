"""Runs a command for which every disk is full after a few bytes: full_disk.py FOLDER COMMAND...

FOLDER becomes the cache of compiled specs. The limit on the length of files stands in for a full disk: as there, write()
says so.
"""

import os
import resource
import signal
import subprocess
import sys

LENGTH = 2048


def limit():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LENGTH, LENGTH))


folder, command = sys.argv[1], sys.argv[2:]
environment = {**os.environ, "WEND_CACHE": folder}
done = subprocess.run(
    command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit, check=False
)
print(done.stdout.decode(), "status", done.returncode)
left = os.listdir(folder) if os.path.isdir(folder) else []
print("left behind:", len(left))
