"""Makes a shared object of a spec say that it has another version: of_version.py OBJECT FIELD VERSION > COPY

FIELD 0 is the version of the interface, 1 that of the batches: the first words of the program that the object exports.
"""

import ctypes
import struct
import sys

path, field, version = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
library = ctypes.CDLL(path)
library.wend_program_get.restype = ctypes.c_void_p
address = library.wend_program_get()

with open("/proc/self/maps", encoding="utf-8") as maps:
    for line in maps:
        span, _, offset, _, _, *name = line.split(maxsplit=5)
        begin, end = (int(word, 16) for word in span.split("-"))
        if begin <= address < end and name and name[0].strip() == path:
            place = int(offset, 16) + address - begin + 4 * field
with open(path, "rb") as file:
    data = bytearray(file.read())
struct.pack_into("<I", data, place, version)
sys.stdout.buffer.write(data)
