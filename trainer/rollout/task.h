// A dialogue to be had: what the user will say, which tools there are, and how it went when all was right.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/context/message.h"
#include "runtime/result.h"

namespace wend::rollout {

struct Task {
  std::string id, scenario;
  std::vector<nlohmann::ordered_json> tools;  // as the model is shown them
  std::vector<context::Message> messages;     // the gold dialogue, system messages first
  nlohmann::ordered_json record;              // all of the record, gold labels included
};

// One record of a file as `wend synth` writes it: {"id", "scenario"?, "messages", "tools", ...}. `where` names it in
// errors.
Result<Task> parse_task(const nlohmann::ordered_json& record, const std::string& where);
// All of a JSON Lines file. A bad record is an error that names file, line and key.
Result<std::vector<Task>> read_tasks(const std::string& path);

// The record with other messages: what a finished rollout is scored from.
nlohmann::ordered_json with_messages(const Task& task, const std::vector<context::Message>& messages);

}  // namespace wend::rollout
