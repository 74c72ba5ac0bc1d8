#include "compiler/plan/procedure.h"

#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace wend::plan {
namespace {

constexpr uint32_t kAll = std::numeric_limits<uint32_t>::max();
constexpr const char* kEllipsis = "\u2026";

template <class T>
T element(const wend_batch& batch, uint32_t column, uint32_t row) {
  return static_cast<const T*>(batch.columns[column])[row];
}

std::string_view text_of(const wend_batch& batch, uint32_t text) {
  const auto bytes = element<wend_bytes>(batch, WEND_COLUMN_text_data, text);
  return {bytes.data, bytes.size};
}

// The bytes of the first `characters` of a text.
size_t prefix(std::string_view text, uint64_t characters) {
  uint64_t seen = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
    if (begins && seen++ == characters) return i;
  }
  return text.size();
}

// As it stands inside quotes of JSON inside XML; `quotes`: quotes and backslashes are part of the text.
std::string escaped(std::string_view text, bool quotes) {
  constexpr std::string_view kNamed = "\"\\\n\t\r\b\f", kNames = "\"\\ntrbf";
  std::string out;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const size_t name = kNamed.find(c);
    if (quotes && name != std::string_view::npos)
      out += {'\\', kNames[name]};
    else if ((quotes && byte < 0x20) || c == '<' || c == '>' || c == '&')
      out += fmt::format("\\u{:04x}", byte);
    else
      out += c;
  }
  return out;
}

std::string cut(std::string_view text, uint32_t characters) {
  if (characters == kAll || prefix(text, characters) == text.size()) return escaped(text, true);
  return escaped(text.substr(0, prefix(text, characters == 0 ? 0 : characters - 1)), true) + kEllipsis;
}

// The same of what is escaped already: an escape is one character.
std::string cut_escaped(std::string_view text, uint32_t characters) {
  uint64_t seen = 0;
  size_t kept = 0;  // bytes of all characters but the last one of the limit
  for (size_t i = 0; i < text.size(); ++seen) {
    if (seen + 1 <= characters) kept = i;
    if (seen == characters) return std::string(text.substr(0, kept)) + kEllipsis;
    if (text[i] == '\\')
      i += text[i + 1] == 'u' ? 6 : 2;
    else
      i += 1 + prefix(text.substr(i + 1), 0);
  }
  return std::string(text);
}

// The texts of a JSON value cut, its keys whole.
std::string cut_texts(std::string_view json, uint32_t characters) {
  std::string out;
  for (size_t i = 0; i < json.size();) {
    if (json[i] != '"') {
      out += json[i++];
      continue;
    }
    size_t end = i + 1;
    while (json[end] != '"') end += json[end] == '\\' ? 2 : 1;
    const std::string_view text = json.substr(i + 1, end - i - 1);
    const bool key = end + 1 < json.size() && json[end + 1] == ':';
    out += '"' + (key ? std::string(text) : cut_escaped(text, characters)) + '"';
    i = end + 1;
  }
  return out;
}

}  // namespace

void ProcedureRun::handle(const Procedure& procedure, const wend_engine& engine) {
  engine_ = &engine;
  run(procedure);
}

void ProcedureRun::render(const Procedure& procedure, wend_output& output) {
  output_ = &output;
  run(procedure);
}

void ProcedureRun::run(const Procedure& procedure) {
  for (const Instruction& i : procedure) run(i);
}

void ProcedureRun::run(const Instruction& i) {
  switch (i.kind) {
    case Instruction::Kind::effect:
      return ask(i);
    case Instruction::Kind::let:
      return evaluator_.set(i.variable, argument(i, 0));
    case Instruction::Kind::put:
      return put(i);
    case Instruction::Kind::when:
      return run(argument(i, 0).boolean() ? i.body : i.otherwise);
    case Instruction::Kind::each: {
      const int64_t begin = argument(i, 0).integer(), end = argument(i, 1).integer();
      for (int64_t at = begin; at < end; ++at) {
        evaluator_.set(i.variable, Value::of(at));
        if (i.args[2] == kNoNode || argument(i, 2).boolean()) run(i.body);
      }
      return;
    }
  }
}

void ProcedureRun::ask(const Instruction& i) {
  uint64_t args[3] = {};
  for (size_t k = 0; k < i.args.size(); ++k) args[k] = argument(i, k).bits;
  const uint64_t answer = engine_->apply(engine_->state, i.effect, i.field, args[0], args[1], args[2]);
  evaluator_.renew();  // the state has changed
  if (i.variable >= 0)
    evaluator_.set(i.variable, is_id(i.type) ? Value::of(static_cast<uint32_t>(answer)) : Value{answer});
  if (i.second >= 0) evaluator_.set(i.second, Value::of(static_cast<uint32_t>(answer >> 32)));
}

void ProcedureRun::append(std::string_view bytes) {
  if (output_->size + bytes.size() > output_->capacity) output_->grow(output_, bytes.size());
  memcpy(output_->data + output_->size, bytes.data(), bytes.size());
  output_->size += bytes.size();
}

void ProcedureRun::put_text(uint32_t text, const Instruction& i) {
  std::string_view bytes = text_of(*context_.batch, text);
  if (i.args.size() > 1) {
    const int64_t most = argument(i, 1).integer();
    bytes = bytes.substr(0, prefix(bytes, most < 0 ? 0 : static_cast<uint64_t>(most)));
  }
  append(cut(bytes, i.integer < 0 ? kAll : output_->limits[i.integer].text));
}

void ProcedureRun::put_json(uint32_t value, const Instruction& i) {
  const auto type = element<uint8_t>(*context_.batch, WEND_COLUMN_value_type, value);
  const auto text = element<uint32_t>(*context_.batch, WEND_COLUMN_value_text, value);
  const std::string_view bytes = text_of(*context_.batch, text);
  const uint32_t limit = i.integer < 0 ? kAll : output_->limits[i.integer].text;
  if (type == WEND_JSON_TEXT) return append("\"" + cut(bytes, limit) + "\"");
  const bool deep = type == WEND_JSON_LIST || type == WEND_JSON_OBJECT;
  append(escaped(deep && limit != kAll ? cut_texts(bytes, limit) : std::string(bytes), false));
}

void ProcedureRun::put(const Instruction& i) {
  const auto& strings = evaluator_.plan().strings;
  const auto string = [&] { return std::string_view(strings[static_cast<size_t>(i.integer)]); };
  switch (i.put) {
    case Put::constant:
      return append(string());
    case Put::quoted: {
      const Value text = argument(i, 0);
      if (text.row() == WEND_NONE) return append("null");
      append("\"");
      put_text(text.row(), i);
      return append("\"");
    }
    case Put::text:
      return put_text(argument(i, 0).row(), i);
    case Put::json: {
      const Value value = argument(i, 0);
      return value.row() == WEND_NONE ? append("null") : put_json(value.row(), i);
    }
    case Put::value_text:
      return put_text(element<uint32_t>(*context_.batch, WEND_COLUMN_value_text, argument(i, 0).row()), i);
    case Put::integer:
      return append(std::to_string(argument(i, 0).integer()));
    case Put::real:
      return output_->real(output_, argument(i, 0).real());
    case Put::boolean:
      return append(argument(i, 0).boolean() ? "true" : "false");
    case Put::separator: {
      const int64_t written = evaluator_.get(i.variable).integer();
      if (written != 0) append(string());
      return evaluator_.set(i.variable, Value::of(written + 1));
    }
    case Put::left_out: {
      const uint32_t most = i.integer < 0 ? kAll : output_->limits[i.integer].items;
      int64_t out = most == kAll ? 0 : argument(i, 0).integer() - int64_t{most};
      return evaluator_.set(i.variable, Value::of(out < 0 ? int64_t{0} : out));
    }
    case Put::text_begin:
      return evaluator_.set(i.variable, Value::of(static_cast<int64_t>(output_->size)));
    case Put::text_end: {
      const auto begin = static_cast<size_t>(evaluator_.get(i.variable).integer());
      const uint32_t limit = output_->limits[i.integer].text;
      if (limit == kAll) return;
      const std::string text = cut_escaped({output_->data + begin, output_->size - begin}, limit);
      output_->size = begin;
      return append(text);
    }
    case Put::block_begin:
    case Put::block_end: {
      wend_span& block = output_->blocks[i.integer];
      const auto at = static_cast<uint32_t>(output_->size - static_cast<size_t>(i.second));
      (i.put == Put::block_begin ? block.begin : block.end) = at;
      return;
    }
  }
}

}  // namespace wend::plan
