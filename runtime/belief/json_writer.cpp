#include "runtime/belief/json_writer.h"

#include <cmath>

#include "runtime/data/number.h"
#include "runtime/data/text.h"

namespace wend::belief {

void JsonWriter::name(std::string_view name) {
  separate();
  append_json_string(name, out_);
  out_.push_back(':');
  named_ = true;
}

void JsonWriter::string(std::string_view text) {
  separate();
  append_json_string(text, out_);
}

void JsonWriter::integer(int64_t number) { raw(std::to_string(number)); }

void JsonWriter::real(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  append_real(number, out_);
}

void JsonWriter::boolean(bool is) { raw(is ? "true" : "false"); }

void JsonWriter::null() { raw("null"); }

void JsonWriter::raw(std::string_view json) {
  separate();
  out_.append(json);
}

void JsonWriter::text(uint32_t row) { row == WEND_NONE ? null() : string(tables_.text(row)); }

void JsonWriter::value(uint32_t row) {
  if (row == WEND_NONE) return null();
  separate();
  tables_.append_json(row, out_);
}

}  // namespace wend::belief
