#include "compiler/plan/print_procedures.h"

#include <wend/belief.h>

#include <fmt/format.h>

#include "compiler/plan/expression.h"

namespace wend::plan {
namespace {

// Names of wend_effect.
constexpr const char* kEffects[] = {
    "classify",        "confidence",   "ask",           "mentioned",  "resolved",      "text_begin",
    "text_put",        "text_integer", "text_real",     "text_end",   "excerpt",       "select",
    "overwrite",       "confirm",      "unconfirm",     "set_label",  "set_integer",   "set_real",
    "set_symbol",      "set_goal",     "set_action",    "set_result", "item",          "set_items",
    "set_references",  "push",         "pop",           "suspend",    "resume",        "add_question",
    "remove_question", "add_object",   "remove_object", "clear",      "context_param", "context_tokens",
    "context_step"};
static_assert(std::size(kEffects) == WEND_N_EFFECTS);

constexpr const char* kEvents[] = {"user", "call", "result", "reply"};
constexpr const char* kPuts[] = {"constant",   "quoted",   "text",        "json",      "value_text",
                                 "integer",    "real",     "boolean",     "separator", "left_out",
                                 "text_begin", "text_end", "block_begin", "block_end"};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out + "\"";
}

class Printer {
 public:
  explicit Printer(const Plan& plan) : plan_(plan), writer_(plan) {}

  std::string run() {
    for (const Belief& belief : plan_.beliefs) {
      line(0, fmt::format("belief {}.{}", belief.module, belief.name));
      section("begin", belief.begin);
      for (size_t event = 0; event < WEND_N_EVENTS; ++event)
        section(fmt::format("on {}", kEvents[event]), belief.handlers[event]);
    }
    for (const Render& render : plan_.renders) {
      line(0, fmt::format("render {}.{} of belief {} as {}", render.module, render.name, render.belief,
                          render.xml ? "xml" : "json"));
      procedure(render.body, 1);
    }
    for (const Context& context : plan_.contexts) {
      line(0, fmt::format("context {}.{}", context.info.module, context.info.name));
      procedure(context.body, 1);
    }
    return std::move(out_);
  }

 private:
  void line(int depth, const std::string& text) {
    out_ += std::string(static_cast<size_t>(depth) * 2, ' ') + text + "\n";
  }

  void section(const std::string& name, const Procedure& body) {
    if (body.empty()) return;
    line(1, name);
    procedure(body, 2);
  }

  std::string arguments(const Instruction& i) const {
    std::string text;
    for (NodeId id : i.args) text += (text.empty() ? "" : ", ") + writer_.text(id);
    return text;
  }

  void procedure(const Procedure& all, int depth) {
    for (const Instruction& i : all) instruction(i, depth);
  }

  void instruction(const Instruction& i, int depth) {
    switch (i.kind) {
      case Instruction::Kind::effect: {
        std::string answer = i.variable < 0 ? "" : fmt::format("v{}: {} = ", i.variable, type_name(i.type));
        if (i.second >= 0) answer = fmt::format("v{}, v{} = ", i.variable, i.second);
        const std::string field = i.field == WEND_NONE ? "" : fmt::format(" {}", i.field);
        return line(depth, fmt::format("{}{}{} ({})", answer, kEffects[i.effect], field, arguments(i)));
      }
      case Instruction::Kind::let:
        return line(depth, fmt::format("v{}: {} = {}", i.variable, type_name(i.type), arguments(i)));
      case Instruction::Kind::put:
        return line(depth, put(i));
      case Instruction::Kind::when:
        line(depth, "when " + writer_.text(i.args[0]));
        procedure(i.body, depth + 1);
        if (i.otherwise.empty()) return;
        line(depth, "else");
        return procedure(i.otherwise, depth + 1);
      case Instruction::Kind::each: {
        const std::string condition = i.args[2] == kNoNode ? "" : " if " + writer_.text(i.args[2]);
        line(depth, fmt::format("each v{} in {} .. {}{}", i.variable, writer_.text(i.args[0]), writer_.text(i.args[1]),
                                condition));
        return procedure(i.body, depth + 1);
      }
    }
  }

  std::string put(const Instruction& i) const {
    const auto string = [&] { return quoted(plan_.strings[static_cast<size_t>(i.integer)]); };
    switch (i.put) {
      case Put::constant:
        return "put " + string();
      case Put::separator:
        return fmt::format("separator {} by v{}", string(), i.variable);
      case Put::left_out:
        return fmt::format("v{} = left_out {} of block {}", i.variable, arguments(i), i.integer);
      case Put::text_begin:
        return fmt::format("v{} = text_begin", i.variable);
      case Put::text_end:
        return fmt::format("text_end from v{} within block {}", i.variable, i.integer);
      case Put::block_begin:
      case Put::block_end: {
        const char* mark = i.put == Put::block_begin ? "block_begin" : "block_end";
        return fmt::format("{} {}{}", mark, i.integer, i.second == 0 ? "" : fmt::format(" {} bytes back", i.second));
      }
      default: {
        const std::string limit = i.integer < 0 ? "" : fmt::format(" within block {}", i.integer);
        return fmt::format("put {} {}{}", kPuts[static_cast<size_t>(i.put)], arguments(i), limit);
      }
    }
  }

  const Plan& plan_;
  ExpressionWriter writer_;
  std::string out_;
};

}  // namespace

std::string print_procedures(const Plan& plan) { return Printer(plan).run(); }

}  // namespace wend::plan
