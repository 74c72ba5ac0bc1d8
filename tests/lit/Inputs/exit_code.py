"""Runs a command and fails unless it exits with the code: python3 exit_code.py CODE COMMAND..."""

import subprocess
import sys

wanted, command = int(sys.argv[1]), sys.argv[2:]
code = subprocess.run(command, check=False).returncode
if code != wanted:
    sys.exit(f"exit {code}, expected {wanted}: {' '.join(command)}")
