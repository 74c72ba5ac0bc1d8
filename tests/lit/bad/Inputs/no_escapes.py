"""Fails if a command prints what terminals obey: no_escapes.py COMMAND... Its exit status does not matter."""

import subprocess
import sys
import unicodedata

done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
text = done.stdout.decode("utf-8")
obeyed = {character for character in text if unicodedata.category(character) == "Cc"} - {"\n", "\t"}
if done.returncode not in (0, 1) or obeyed:
    sys.exit(f"status {done.returncode}, control characters {sorted(map(hex, map(ord, obeyed)))}\n{text!r}")
if "?" not in text:
    sys.exit(f"nothing of what had to be replaced was printed:\n{text}")
