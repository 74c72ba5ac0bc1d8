"""Writes a C++ source that holds the bytes of a file: embed.py NAMESPACE SYMBOL INPUT OUTPUT."""
import sys

namespace, symbol, source, target = sys.argv[1:]
with open(source, "rb") as file:
    data = file.read()
rows = (data[i : i + 32] for i in range(0, len(data), 32))
body = "\n".join(",".join(map(str, row)) + "," for row in rows)
with open(target, "w", encoding="ascii") as file:
    file.write(
        "#include <cstddef>\n"
        f"namespace {namespace} {{\n"
        f"extern const unsigned char {symbol}[];\n"
        f"extern const std::size_t {symbol}_size;\n"
        f"alignas(16) const unsigned char {symbol}[] = {{\n{body}\n}};\n"
        f"const std::size_t {symbol}_size = {len(data)};\n"
        f"}}  // namespace {namespace}\n"
    )
