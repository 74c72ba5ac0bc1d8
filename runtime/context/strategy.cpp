#include "runtime/context/strategy.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "runtime/context/prompts.h"

namespace wend::context {
namespace {

using Stage = Request::Stage;

// Beyond that the compiler has not shown that amounts fit.
constexpr int64_t kMostInteger = 1'000'000'000'000'000;

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// The bits of what `text` says, as WEND_EFFECT_CONTEXT_PARAM gives them.
Result<uint64_t> value_of(const ContextParamInfo& param, std::string_view text) {
  const auto wrong = [&](const char* what) {
    return Error{fmt::format("parameter `{}` is {}, not `{}`", param.name, what, text)};
  };
  if (param.type == "bool") {
    if (text != "true" && text != "false") return wrong("true or false");
    return uint64_t{text == "true"};
  }
  if (param.type == "int") {
    const std::optional<int64_t> value = number_in<int64_t>(text);
    if (!value || std::abs(static_cast<double>(*value)) > static_cast<double>(kMostInteger)) {
      return wrong("a whole number");
    }
    return static_cast<uint64_t>(*value);
  }
  const std::optional<double> value = number_in<double>(text);
  if (!value || !std::isfinite(*value)) return wrong("a number");
  return std::bit_cast<uint64_t>(*value);
}

// What a compressed history is.
constexpr const char* kCompressed = "summary";

const std::string& kept_as(const ContextStepInfo& step) {
  static const std::string compressed = kCompressed;
  return step.kind == ContextStepKind::carry ? step.text : compressed;
}

void append(std::string& text, std::string_view more) {
  if (more.empty()) return;
  if (!text.empty()) text += "\n\n";
  text += more;
}

}  // namespace

const char* name(Stage stage) {
  switch (stage) {
    case Stage::draft:
      return "draft";
    case Stage::carry:
      return "carry";
    case Stage::compress:
      return "compress";
  }
  return "";
}

// ---- what it is made of ----

ContextStrategy::ContextStrategy(std::shared_ptr<const Program> program, uint32_t context, Options options)
    : program_(std::move(program)), context_(context), options_(std::move(options)) {
  values_.resize(info().params.size());
  kept_.resize(info().steps.size());
}

Result<ContextStrategy> ContextStrategy::make(std::shared_ptr<const Program> program, std::string_view context,
                                              Options options) {
  const Result<uint32_t> index = program->info().find_context(context);
  if (!index) return index.error();
  if (options.params.empty()) options.params = program->defaults();
  ContextStrategy strategy(std::move(program), *index, std::move(options));
  const ProgramInfo& info = strategy.program_->info();
  for (const ContextStepInfo& step : strategy.info().steps) {
    const int64_t render = step.kind == ContextStepKind::render ? step.render : step.prompt;
    if (render < 0) continue;
    const uint32_t belief = info.renders[static_cast<size_t>(render)].belief;
    if (strategy.belief_.value_or(belief) != belief) {
      return Error{fmt::format("context `{}` shows the states of two beliefs", strategy.info().name)};
    }
    strategy.belief_ = belief;
  }
  return strategy;
}

bool ContextStrategy::asks() const {
  return std::any_of(info().steps.begin(), info().steps.end(), [](const ContextStepInfo& step) {
    return step.kind == ContextStepKind::draft || step.kind == ContextStepKind::carry ||
           step.kind == ContextStepKind::compress;
  });
}

Result<void> ContextStrategy::set(std::string_view param, std::string_view text) {
  const Result<uint32_t> index = info().find_param(param);
  if (!index) return index.error();
  const Result<uint64_t> value = value_of(info().params[*index], text);
  if (!value) return value.error();
  values_[*index] = *value;
  return {};
}

// ---- which steps hold ----

uint64_t ContextStrategy::apply(void* self, uint32_t effect, uint32_t field, uint64_t a, uint64_t, uint64_t) {
  auto& strategy = *static_cast<ContextStrategy*>(self);
  switch (effect) {
    case WEND_EFFECT_CONTEXT_PARAM:
      return strategy.values_[field].value_or(a);
    case WEND_EFFECT_CONTEXT_TOKENS:
      return strategy.history_tokens();
    case WEND_EFFECT_CONTEXT_STEP: {
      const ContextStepInfo& step = strategy.info().steps[field];
      const auto amount = static_cast<int64_t>(a);
      if (step.kind <= ContextStepKind::history_last) {
        strategy.select(step, amount);
      } else {
        strategy.due_.push_back({field, amount});
      }
      if (step.kind == ContextStepKind::history_last && amount < 1) strategy.bad_amount_ = amount;
      if (step.kind == ContextStepKind::compress && amount < 0) strategy.bad_amount_ = amount;
      return 0;
    }
    default:
      return WEND_NONE;
  }
}

Result<void> ContextStrategy::ask_program() {
  wend_context context = {};
  context.params = options_.params.data();
  const wend_engine engine = {this, &ContextStrategy::apply};
  if (!program_->context(context, engine, context_)) {
    return Error{"the program was compiled without its contexts: compile it again"};
  }
  if (bad_amount_) {
    return Error{fmt::format("context `{}`: an amount comes to {}, it must be at least 1", info().name, *bad_amount_)};
  }
  return {};
}

void ContextStrategy::select(const ContextStepInfo& step, int64_t amount) {
  const std::span<const Message> all = view_.messages;
  if (step.kind == ContextStepKind::history_none) {
    first_ = all.size();
  } else if (step.kind == ContextStepKind::history_current_turn) {
    first_ = turn_;
  } else if (step.kind == ContextStepKind::history_last) {
    first_ = head_;  // what stands before the first user message belongs to the first turn
    for (size_t i = all.size(); i-- > head_;) {
      if (all[i].role != Role::user) continue;
      if (amount-- == 0) break;
      first_ = i;
    }
    if (amount >= 0) first_ = head_;
  }
}

size_t ContextStrategy::tokens(std::string_view text) const {
  return options_.tokens ? options_.tokens(text) : (text.size() + 3) / 4;
}

size_t ContextStrategy::history_tokens() const {
  size_t sum = 0;
  for (size_t s = 0; s < kept_.size(); ++s) {
    const bool compressed = info().steps[s].kind == ContextStepKind::compress && !kept_[s].text.empty();
    if (compressed) sum += tokens(kept_[s].text);
  }
  for (size_t i = head_; i < view_.messages.size(); ++i) {
    if (!shown(i)) continue;
    const Message& message = view_.messages[i];
    if (message.content) sum += tokens(*message.content);
    for (const ToolCall& call : message.tool_calls) sum += tokens(call.name) + tokens(call.arguments);
  }
  return sum;
}

// ---- the steps of a reply ----

Result<Step> ContextStrategy::begin(const DialogueView& view) {
  const std::span<const Message> all = view.messages;
  for (const Kept& kept : kept_) {
    if (kept.covers > all.size()) {
      return Error{"the dialogue has fewer messages than before: another dialogue needs another strategy"};
    }
  }
  if (belief_ && !view.render) {
    return Error{fmt::format("context `{}` shows a belief state, and none was given", info().name)};
  }
  view_ = view;
  due_.clear();
  at_ = 0;
  asked_ = false;
  bad_amount_.reset();
  block_.clear();
  user_.clear();
  system_.assign(info().steps.size(), "");
  head_ = 0;
  while (head_ < all.size() && all[head_].role == Role::system) ++head_;
  turn_ = all.size();
  while (turn_ > head_ && all[turn_ - 1].role != Role::user) --turn_;
  turn_ = turn_ > head_ ? turn_ - 1 : head_;
  first_ = head_;
  hidden_ = 0;
  for (size_t s = 0; s < kept_.size(); ++s) show_kept(s);
  const Result<void> asked = ask_program();
  if (!asked) return asked.error();
  return advance();
}

Result<Step> ContextStrategy::answer(std::string_view text) {
  if (!asked_) return Error{"an answer to nothing that was asked"};
  asked_ = false;
  const uint32_t s = due_[at_++].step;
  const ContextStepInfo& step = info().steps[s];
  if (step.kind == ContextStepKind::draft) {
    append(block_, drafted_block(program_->info().renders[static_cast<size_t>(step.render)], text));
  } else if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    kept_[s] = {std::string(text), turn_};
    show_kept(s);
  }
  return advance();
}

// What a step keeps is shown, from the time that it is kept on, whether the step holds or not.
void ContextStrategy::show_kept(size_t s) {
  const ContextStepInfo& step = info().steps[s];
  if (kept_[s].text.empty()) return;
  system_[s] = fmt::format("{}\n{}", kHint, kept_block(kept_as(step), kept_[s].text));
  if (step.kind == ContextStepKind::compress) hidden_ = std::max(hidden_, kept_[s].covers);
}

Step ContextStrategy::advance() {
  for (; at_ < due_.size(); ++at_) {
    std::optional<Step> ask = run(due_[at_]);
    asked_ = ask.has_value();
    if (ask) return std::move(*ask);
  }
  return done();
}

// What must be asked for it; nothing: it is done.
std::optional<Step> ContextStrategy::run(const Due& due) {
  const ContextStepInfo& step = info().steps[due.step];
  switch (step.kind) {
    case ContextStepKind::render: {
      const auto render = static_cast<uint32_t>(step.render);
      append(block_, rendered_block(program_->info().renders[render], view_.render(render)));
      return {};
    }
    case ContextStepKind::inject:
      if (!block_.empty()) append(step.into_system ? system_[due.step] : user_, fmt::format("{}\n{}", kHint, block_));
      block_.clear();
      return {};
    case ContextStepKind::instruct:
      system_[due.step] = step.text;
      return {};
    case ContextStepKind::draft:
      return ask_for_draft(step);
    case ContextStepKind::carry:
    case ContextStepKind::compress:
      return ask_to_keep(due);
    default:
      return {};  // `update` is about the state, not about what is shown of it
  }
}

Step ContextStrategy::ask_for_draft(const ContextStepInfo& step) {
  const RenderInfo& render = program_->info().renders[static_cast<size_t>(step.render)];
  const std::string summary = step.prompt < 0 ? "" : view_.render(static_cast<uint32_t>(step.prompt));
  Step ask;
  ask.kind = Step::Kind::ask;
  ask.request.stage = Stage::draft;
  ask.request.author = step.author;
  ask.request.subject = render.name;
  ask.request.messages = prompt(draft_instruction(render, summary));
  ask.request.prefix = draft_prefix(render);
  return ask;
}

// Messages that have gone by since the last time are to be covered, those of the turn in hand are not.
std::optional<Step> ContextStrategy::ask_to_keep(const Due& due) {
  const ContextStepInfo& step = info().steps[due.step];
  const Kept& kept = kept_[due.step];
  const bool carries = step.kind == ContextStepKind::carry;
  Step ask;
  for (size_t i = std::max(head_, kept.covers); i < turn_; ++i) {
    if (carries || shown(i)) ask.request.covered.push_back(view_.messages[i]);
  }
  if (ask.request.covered.empty()) return {};
  ask.kind = Step::Kind::ask;
  ask.request.stage = carries ? Stage::carry : Stage::compress;
  ask.request.author = step.author;
  ask.request.subject = carries ? step.text : "history";
  ask.request.earlier = kept.text;
  ask.request.budget = due.amount;
  ask.request.messages = keeping_prompt(kept_as(step), kept.text, ask.request.covered, due.amount);
  return ask;
}

// ---- the messages ----

// What the model is shown, with `more` behind the system prompt.
std::vector<Message> ContextStrategy::prompt(std::string_view more) const {
  const std::span<const Message> all = view_.messages;
  std::string system;
  for (const std::string& part : system_) append(system, part);
  append(system, more);
  std::vector<Message> out(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(head_));
  if (!system.empty()) {
    if (out.empty()) out.push_back({Role::system, "", {}, {}});
    std::string text = out.back().content.value_or("");
    append(text, system);
    out.back().content = std::move(text);
  }
  size_t last_user = out.size();
  bool has_user = false;
  for (size_t i = head_; i < all.size(); ++i) {
    if (!shown(i)) continue;
    if (all[i].role == Role::user) last_user = out.size(), has_user = true;
    out.push_back(all[i]);
  }
  if (user_.empty()) return out;
  if (!has_user) {
    out.push_back({Role::user, user_, {}, {}});
  } else {
    std::string text = user_;
    append(text, out[last_user].content.value_or(""));
    out[last_user].content = std::move(text);
  }
  return out;
}

Step ContextStrategy::done() const {
  Step step;
  step.messages = prompt("");
  return step;
}

}  // namespace wend::context
