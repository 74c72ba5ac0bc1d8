// Any bytes as a JSON value, a number, a Python literal and a Python call: no crash; what simdjson accepts is accepted;
// the canonical text of a value is a value and canonical; what a literal becomes is JSON.
#include <simdjson.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/data/batch.h"
#include "runtime/data/python_literal.h"
#include "runtime/data/text.h"

namespace {

using namespace wend;

void require(bool holds, const char* what, std::string_view text) {
  if (holds) return;
  std::fprintf(stderr, "%s: %.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

int depth(std::string_view text) {
  int depth = 0;
  for (const char c : text) depth += c == '[' || c == '{';
  return depth;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (valid_utf8_prefix(text) != text.size()) return 0;
  Batch batch;
  const uint32_t row = batch.intern_value(text);
  simdjson::dom::parser parser;
  const bool accepted = parser.parse(simdjson::padded_string(text)).error() == simdjson::SUCCESS;
  require(!accepted || row != WEND_NONE || depth(text) > 500, "simdjson accepts it", text);
  if (row != WEND_NONE) {
    const Columns& c = batch.columns();
    std::string canonical(batch.text(c.value_text[row]));
    if (c.value_type[row] == WEND_JSON_TEXT) {
      const std::string plain = canonical;
      canonical.clear();
      append_json_string(plain, canonical);
    }
    require(batch.intern_value(canonical) == row, "the canonical text is another value", text);
    const uint32_t needle = c.value_needle[row];
    if (needle != WEND_NONE) {
      std::string again;
      append_folded(batch.text(needle), again);
      require(again == batch.text(needle), "folding twice is not folding once", text);
    }
  }
  std::string json;
  if (python_literal_to_json(text, json))
    require(batch.intern_value(json) != WEND_NONE, "the literal is no JSON", text);
  PythonCall call;
  if (read_python_call(text, call)) {
    for (const PythonArgument& argument : call.arguments) {
      require(batch.intern_value(argument.json) != WEND_NONE, "the argument is no JSON", text);
    }
  }
  return 0;
}
