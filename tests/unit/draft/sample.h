// A well-formed block, and parts of it for tests that spoil it.
#ifndef WEND_TESTS_UNIT_DRAFT_SAMPLE_H_
#define WEND_TESTS_UNIT_DRAFT_SAMPLE_H_

#include <array>
#include <string>

#include "runtime/draft/shape.h"

namespace wend::testing {

inline const std::array<std::string, 9>& sample_json() {
  static const std::array<std::string, 9> kJson = {
      R"({"intent_type":"modify_previous_task","current_turn_requires_tool":true})",
      R"({"full_intent":"Wake me at 6:30","current_turn_boundary":"continue executing","deferred_intent_summary":[]})",
      R"({"relation_to_history":"overrides","inherit_slots":["alarm.time","alarm.repeat"],"override_slots":["alarm.time"],"reason":"modified"})",
      R"({"that alarm":"A1"})",
      R"({"obj_alarm_1":{"type":"alarm","status":"done","canonical_slots":{"time":"07:00"},"last_tool":"alarm","last_result":"ok \"1\""}})",
      R"([])",
      R"([{"task_id":"T1","description":"Wake me","arguments":{"alarm.time":"06:30","alarm.repeat":"once"},"depends_on":[],"status":"ready","execute_in_current_assistant_turn":true}])",
      R"([{"task_id":"D1","description":"Caf\u00e9","status":"deferred","reason":"set aside"}])",
      R"({"call_tool_now":true,"ask_user_instead":false,"must_override_arguments":["alarm.time"],"unresolved_slots":[],"common_error_warnings":["alarm.time is no longer 07:00"]})"};
  return kJson;
}

inline std::string sub_block(uint32_t i, const std::string& content) {
  const std::string& name = DraftShape::context_manager().sub_block(i);
  return "<" + name + ">" + content + "</" + name + ">\n";
}

// The block, with the text of sub-block `changed` replaced.
inline std::string sample(uint32_t changed = 99, const std::string& text = "") {
  std::string block = "<Context_Manager>\n";
  for (uint32_t i = 0; i < 9; ++i) block += i == changed ? text : sub_block(i, sample_json()[i]);
  return block + "</Context_Manager>";
}

// The block with other content in its first sub-block.
inline std::string with_content(const std::string& content) { return sample(0, sub_block(0, content)); }

}  // namespace wend::testing

#endif  // WEND_TESTS_UNIT_DRAFT_SAMPLE_H_
