#include "tests/unit/belief/testing.h"

#include <gtest/gtest.h>

#include "compiler/plan/interpreter.h"
#include "tests/support/spec_plan.h"

namespace wend::belief::testing {

std::shared_ptr<const Program> compile_file(const std::string& path) {
  return plan::InterpretedProgram::make(plan_of(path));
}

std::shared_ptr<const Program> compile(const std::string& source) {
  return plan::InterpretedProgram::make(plan_of_text(source));
}

std::shared_ptr<const Engine> engine_of(std::shared_ptr<const Program> program) {
  Result<std::shared_ptr<const Engine>> engine = Engine::make(std::move(program));
  EXPECT_TRUE(engine) << engine.error().message;
  return *engine;
}

std::shared_ptr<const Engine> paper_engine() {
  static const std::shared_ptr<const Engine> engine = engine_of(compile_file("specs/iacm/belief.wend"));
  return engine;
}

std::shared_ptr<const Tools> tools_of(const std::string& json) {
  Result<std::shared_ptr<const Tools>> tools = Tools::parse(json);
  EXPECT_TRUE(tools) << tools.error().message;
  return *tools;
}

std::shared_ptr<const Tools> some_tools() {
  return tools_of(R"([
    {"name": "book_table", "parameters": {"type": "object", "properties": {
      "city": {"type": "string"}, "time": {"type": "string"}, "people": {"type": "integer"}}}},
    {"name": "cancel_order", "parameters": {"type": "object", "properties": {
      "order_id": {"type": "string"}, "reason": {"type": "string", "enum": ["late", "broken"]}}}}
  ])");
}

Json state_of(const Dialogue& dialogue) { return Json::parse(dialogue.state_json()); }

std::string block_of(const Dialogue& dialogue, uint32_t render) {
  Rendered block;
  dialogue.render(render, block);
  return block.text;
}

void play(const Json& messages, Dialogue& dialogue) {
  for (const Json& message : messages) {
    const std::string role = message["role"];
    const std::string text = message.contains("content") && message["content"].is_string() ? message["content"] : "";
    if (role == "user") dialogue.user(text);
    if (role == "tool") dialogue.result(message.value("tool_call_id", ""), text);
    if (role != "assistant") continue;
    if (!text.empty()) dialogue.reply(text);
    if (!message.contains("tool_calls")) continue;
    for (const Json& call : message["tool_calls"]) {
      const Json& arguments = call["function"]["arguments"];
      dialogue.call(call.value("id", ""), std::string(call["function"]["name"]),
                    arguments.is_string() ? std::string(arguments) : arguments.dump());
    }
  }
}

}  // namespace wend::belief::testing
