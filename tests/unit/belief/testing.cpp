#include "tests/unit/belief/testing.h"

#include <unistd.h>

#include <atomic>
#include <fstream>

#include <gtest/gtest.h>

#include "compiler/plan/build.h"
#include "compiler/plan/interpreter.h"
#include "compiler/sema/check.h"
#include "compiler/source/diagnostic.h"
#include "compiler/source/source.h"

namespace wend::belief::testing {

std::shared_ptr<const Program> compile_file(const std::string& path) {
  SourceSet sources;
  Diagnostics diagnostics;
  const sema::Checked checked = sema::check_files(sources, {path}, sema::SearchPath::standard(), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render_text(diagnostics, sources, false);
  return plan::InterpretedProgram::make(std::make_shared<const plan::Plan>(plan::build(checked.program, sources)));
}

std::shared_ptr<const Program> compile(const std::string& source) {
  static std::atomic<int> number = 0;
  const std::string path = ::testing::TempDir() + "belief_" + std::to_string(getpid()) + "_" + std::to_string(number++);
  std::ofstream(path + ".wend") << "edition 1\nmodule test.belief\n" << source;
  return compile_file(path + ".wend");
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
