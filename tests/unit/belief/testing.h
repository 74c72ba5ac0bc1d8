// What tests of live dialogues share: specs as programs, dialogues played from JSON.
#pragma once

#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "runtime/belief/dialogue.h"

namespace wend::belief::testing {

using Json = nlohmann::ordered_json;

std::shared_ptr<const Program> compile_file(const std::string& path);
// `source` without its first lines (edition and module).
std::shared_ptr<const Program> compile(const std::string& source);

std::shared_ptr<const Engine> engine_of(std::shared_ptr<const Program> program);
// specs/iacm/belief.wend
std::shared_ptr<const Engine> paper_engine();

// From JSON.
std::shared_ptr<const Tools> tools_of(const std::string& json);
// book_table(city, time, people: int) and cancel_order(order_id, reason: late or broken).
std::shared_ptr<const Tools> some_tools();

Json state_of(const Dialogue& dialogue);
std::string block_of(const Dialogue& dialogue, uint32_t render = 0);

// Plays the messages of a dialogue in native format.
void play(const Json& messages, Dialogue& dialogue);

}  // namespace wend::belief::testing
