#include "runtime/belief/replay.h"

#include <algorithm>

#include <fmt/format.h>

#include "runtime/data/text.h"

namespace wend::belief {
namespace {

class Replay {
 public:
  Replay(const wend_batch& batch, Dialogue& dialogue) : batch_(batch), dialogue_(dialogue) {}

  // Whether it was an event.
  bool message(uint32_t row) {
    const std::string_view text = this->text(get<uint32_t>(WEND_COLUMN_message_text, row));
    switch (get<uint8_t>(WEND_COLUMN_message_role, row)) {
      case WEND_ROLE_USER:
        dialogue_.user(text);
        return true;
      case WEND_ROLE_ASSISTANT: {
        if (!text.empty()) dialogue_.reply(text);
        const auto calls = get<wend_span>(WEND_COLUMN_message_calls, row);
        for (uint32_t call = calls.begin; call < calls.end; ++call) this->call(call);
        return !text.empty() || calls.begin != calls.end;
      }
      case WEND_ROLE_TOOL:
        if (get<uint8_t>(WEND_COLUMN_message_by_user, row)) return false;
        dialogue_.result(id(get<uint64_t>(WEND_COLUMN_message_call_id, row)), text);
        return true;
      default:
        return false;
    }
  }

 private:
  template <class T>
  T get(uint32_t column, uint32_t row) const {
    return static_cast<const T*>(batch_.columns[column])[row];
  }
  std::string_view text(uint32_t row) const {
    if (row == WEND_NONE) return {};
    const auto bytes = get<wend_bytes>(WEND_COLUMN_text_data, row);
    return {bytes.data, bytes.size};
  }
  // Batches keep hashes of ids.
  static std::string id(uint64_t hash) { return hash == 0 ? std::string() : fmt::format("{:x}", hash); }

  void call(uint32_t row) {
    const auto args = get<wend_span>(WEND_COLUMN_call_args, row);
    order_.resize(args.end - args.begin);
    for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = args.begin + i;
    std::sort(order_.begin(), order_.end(), [this](uint32_t a, uint32_t b) {
      return get<uint32_t>(WEND_COLUMN_arg_place, a) < get<uint32_t>(WEND_COLUMN_arg_place, b);
    });
    json_ = "{";
    for (uint32_t arg : order_) {
      if (json_.size() > 1) json_.push_back(',');
      append_json_string(text(get<uint32_t>(WEND_COLUMN_arg_name, arg)), json_);
      json_.push_back(':');
      const auto value = get<uint32_t>(WEND_COLUMN_arg_value, arg);
      const std::string_view own = text(get<uint32_t>(WEND_COLUMN_value_text, value));
      if (get<uint8_t>(WEND_COLUMN_value_type, value) == WEND_JSON_TEXT) {
        append_json_string(own, json_);
      } else {
        json_.append(own);
      }
    }
    json_.push_back('}');
    dialogue_.call(id(get<uint64_t>(WEND_COLUMN_call_id, row)), text(get<uint32_t>(WEND_COLUMN_call_name, row)), json_);
  }

  const wend_batch& batch_;
  Dialogue& dialogue_;
  std::vector<uint32_t> order_;
  std::string json_;
};

}  // namespace

void replay(const wend_batch& batch, uint32_t trace, Dialogue& dialogue,
            const std::function<void(uint32_t message)>& after) {
  Replay replay(batch, dialogue);
  const auto messages = static_cast<const wend_span*>(batch.columns[WEND_COLUMN_trace_messages])[trace];
  for (uint32_t message = messages.begin; message < messages.end; ++message) {
    if (replay.message(message) && after) after(message);
  }
}

}  // namespace wend::belief
