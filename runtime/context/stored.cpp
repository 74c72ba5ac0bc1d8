#include "runtime/context/stored.h"

#include <algorithm>

#include <fmt/format.h>

#include "runtime/data/text.h"

namespace wend::context {
namespace {

std::string arguments(const Batch& batch, uint32_t call) {
  const Columns& c = batch.columns();
  std::vector<uint32_t> args;
  for (uint32_t a = c.call_args[call].begin; a < c.call_args[call].end; ++a) args.push_back(a);
  std::sort(args.begin(), args.end(), [&](uint32_t a, uint32_t b) { return c.arg_place[a] < c.arg_place[b]; });
  std::string json = "{";
  for (uint32_t a : args) {
    if (json.size() > 1) json += ",";
    append_json_string(batch.text(c.arg_name[a]), json);
    json += ":";
    const std::string_view value = batch.text(c.value_text[c.arg_value[a]]);
    if (c.value_type[c.arg_value[a]] == WEND_JSON_TEXT) {
      append_json_string(value, json);
    } else {
      json += value;
    }
  }
  return json + "}";
}

}  // namespace

std::vector<Message> stored_messages(const Batch& batch, uint32_t trace) {
  const Columns& c = batch.columns();
  const auto id_of = [&](uint32_t call) {
    return call == WEND_NONE ? std::string() : fmt::format("call-{}", c.call_number[call] + 1);
  };
  std::vector<Message> messages;
  for (uint32_t m = c.trace_messages[trace].begin; m < c.trace_messages[trace].end; ++m) {
    if (c.message_by_user[m]) continue;
    Message message;
    message.role = static_cast<Role>(c.message_role[m]);
    const uint32_t text = c.message_text[m];
    const wend_span calls = c.message_calls[m];
    if (text != WEND_NONE) {
      message.content = std::string(batch.text(text));
    } else if (message.role != Role::assistant || calls.begin == calls.end) {
      message.content = "";
    }
    for (uint32_t call = calls.begin; call < calls.end; ++call) {
      message.tool_calls.push_back({id_of(call), std::string(batch.text(c.call_name[call])), arguments(batch, call)});
    }
    if (message.role == Role::tool) message.tool_call_id = id_of(c.message_answers[m]);
    messages.push_back(std::move(message));
  }
  return messages;
}

}  // namespace wend::context
