// What must hold of every draft that was read, whatever the text.
#ifndef WEND_TESTS_UNIT_DRAFT_CHECK_H_
#define WEND_TESTS_UNIT_DRAFT_CHECK_H_

#include <simdjson.h>

#include <string>

#include "runtime/data/text.h"
#include "runtime/draft/reader.h"

namespace wend::testing {

inline simdjson::error_code simdjson_of(std::string_view text) {
  simdjson::dom::parser parser;
  return parser.parse(simdjson::padded_string(text)).error();
}

// simdjson refuses numbers that are JSON but fit no double.
inline bool is_json(std::string_view text) {
  const auto error = simdjson_of(text);
  return error == simdjson::SUCCESS || error == simdjson::NUMBER_ERROR;
}

inline bool lies_in(wend_span inner, wend_span outer) {
  return outer.begin <= inner.begin && inner.begin <= inner.end && inner.end <= outer.end;
}

// What is wrong with one sub-block; empty: nothing.
inline std::string check_sub_block(const Draft& draft, const DraftSubBlock& s) {
  if (s.state == DraftState::missing) {
    return s.faults.has(DraftFault::missing) != draft.found ? "missing without saying so" : "";
  }
  if (!lies_in(s.whole, draft.block)) return "a sub-block lies outside the block";
  if (!lies_in(s.json, s.whole)) return "JSON lies outside its sub-block";
  if (s.faults.has(DraftFault::missing)) return "missing, but there";
  if (!s.readable()) return s.fields.begin == s.fields.end ? "" : "members of what cannot be read";
  const std::string json(draft.json(s));
  if (!is_json(json)) return "no JSON: " + json;
  if (s.state == DraftState::valid && json != draft.bytes(s.json)) return "valid JSON was changed";
  if (s.state == DraftState::repaired) {
    constexpr auto kOfJson = static_cast<unsigned>(DraftFault::truncated);
    if (s.faults.bits() >> kOfJson == 0) return "repaired without a fault";
  }
  for (uint32_t i = s.fields.begin; i < s.fields.end; ++i) {
    const DraftField& field = draft.fields[i];
    const bool keyed = field.key.begin != field.key.end;
    if (keyed != (field.json_key.begin != field.json_key.end)) return "a key is lost";
    if (!lies_in(field.value, s.json) || (keyed && !lies_in(field.key, s.json))) return "a member outside the JSON";
    if (field.value.begin == field.value.end) {
      if (draft.value(s, field) != "null") return "a value without bytes";
    }
    if (!is_json("[" + std::string(draft.value(s, field)) + "]")) return "a value is no JSON";
    if (keyed && !is_json("[\"" + std::string(draft.key(s, field)) + "\"]")) {
      return "a key is no JSON";
    }
  }
  return "";
}

inline std::string check_draft(const Draft& draft) {
  const auto size = static_cast<uint32_t>(draft.text.size());
  if (valid_utf8_prefix(draft.text) != size) return "the text is no UTF-8";
  if (!lies_in(draft.block, {0, size}) || !lies_in(draft.trailing, {draft.found ? draft.block.end : 0, size})) {
    return "spans outside the text";
  }
  if (draft.found == draft.faults.has(DraftFault::no_block)) return "found or not?";
  if (draft.found && draft.closed == draft.faults.has(DraftFault::unclosed_block)) return "closed or not?";
  size_t faults = static_cast<size_t>(__builtin_popcountll(draft.faults.bits()));
  for (const DraftSubBlock& s : draft.sub_blocks) {
    faults += static_cast<size_t>(__builtin_popcountll(s.faults.bits()));
    if (std::string wrong = check_sub_block(draft, s); !wrong.empty()) return wrong;
  }
  if (faults != draft.issues.size()) return "faults without an issue";
  for (const DraftIssue& issue : draft.issues) {
    if (!lies_in(issue.at, {0, size})) return "an issue outside the text";
    const DraftFaults& of = issue.sub_block == kNoSubBlock ? draft.faults : draft.sub_blocks[issue.sub_block].faults;
    if (!of.has(issue.fault)) return "an issue without a fault";
  }
  return "";
}

}  // namespace wend::testing

#endif  // WEND_TESTS_UNIT_DRAFT_CHECK_H_
