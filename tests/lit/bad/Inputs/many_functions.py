"""Prints a spec of N functions (or metrics) that are defined by way of each other: many_functions.py KIND N."""

import sys

kind, n = sys.argv[1], int(sys.argv[2])
print("edition 1\nmodule many")
first = ["fn f0(x: real) -> real = x"]
if kind == "doubling":
    rest = [f"fn f{i}(x: real) -> real = f{i - 1}(x) + f{i - 1}(x + 1)" for i in range(1, n + 1)]
elif kind == "metrics":
    first = ["metric f0 : real = mean(1.0 for t in traces) else 0"]
    rest = [f"metric f{i} : real = f{i - 1} + f{i - 1}" for i in range(1, n + 1)]
else:
    rest = [f"fn f{i}(x: real) -> real = f{i - 1}(x) + 1.0" for i in range(1, n + 1)]
lines = first + rest
print("\n".join(reversed(lines) if kind == "reverse" else lines))
if kind != "metrics":
    print(f"metric M : real = mean(f{n}(1.0) for t in traces) else 0")
