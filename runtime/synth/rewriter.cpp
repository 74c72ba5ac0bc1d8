#include "runtime/synth/rewriter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "runtime/synth/talk.h"

namespace wend::synth {
namespace {

constexpr std::string_view kSystem =
    "You rewrite one message of a user to an assistant that calls tools, in other words, as a person would write it. "
    "Keep "
    "what is asked for, and every value (names, numbers, dates, times, ids) letter for letter; add nothing. Answer "
    "with "
    "JSON only: {\"score\": 1, \"reason\": \"THE MESSAGE IN OTHER WORDS\"}.";
constexpr size_t kLonger = 3;  // times the first message, and
constexpr size_t kMore = 40;   // so many bytes

std::set<std::string> numbers_of(std::string_view text) {
  std::set<std::string> out;
  std::string number;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      number += c;
    } else if (!number.empty()) {
      out.insert(std::move(number));
      number.clear();
    }
  }
  if (!number.empty()) out.insert(number);
  return out;
}

// The values of the dialogue's calls that the message says.
std::vector<std::string> values_in(std::string_view message, const Trace& trace, const tools::Pool& pool) {
  std::vector<std::string> out;
  for (const Call& call : trace.calls) {
    for (const Arg& arg : call.args) {
      const tools::ValueType& type = pool.tool(call.tool).parameters[arg.parameter].type;
      if (type.form == tools::ValueType::Form::boolean) continue;
      std::string value = spoken(type, arg.value);
      if (!value.empty() && message.find(value) != std::string_view::npos) out.push_back(std::move(value));
    }
  }
  return out;
}

}  // namespace

std::string fault_of(std::string_view written, std::string_view first, const std::vector<std::string>& values) {
  if (written.empty()) return "nothing was written";
  if (written.size() > kLonger * first.size() + kMore) return "it is much longer";
  if (written.find('\n') != std::string_view::npos) return "it has several lines";
  for (const std::string& value : values)
    if (written.find(value) == std::string_view::npos) return "it lacks a value";
  const std::set<std::string> known = numbers_of(first);
  for (const std::string& number : numbers_of(written))
    if (!known.contains(number)) return "it has a number of its own";
  return "";
}

void Rewriter::rewrite(const std::vector<Trace*>& traces, const tools::Pool& pool) {
  std::vector<JudgeRequest> requests;
  std::vector<std::pair<Trace*, uint32_t>> of;
  std::vector<std::vector<std::string>> values;
  for (Trace* trace : traces) {
    for (const uint32_t t : trace->order) {
      const Turn& turn = trace->turns[t];
      if (turn.signal != Signal::none) {
        ++counts_["kept: the intent moves"];
        continue;
      }
      values.push_back(values_in(turn.user, *trace, pool));
      JudgeRequest request;
      request.judge = "writer";
      request.system = kSystem;
      request.prompt = fmt::format("The message:\n{}\n\nKeep: {}\n", turn.user, fmt::join(values.back(), "; "));
      requests.push_back(std::move(request));
      of.emplace_back(trace, t);
    }
  }
  const std::vector<JudgeReply> replies = model_.ask(requests);
  for (size_t i = 0; i < replies.size(); ++i) {
    std::string& said = of[i].first->turns[of[i].second].user;
    std::string cause;
    if (!replies[i].ok())
      cause = to_string(replies[i].status);
    else
      cause = fault_of(replies[i].reason, said, values[i]);
    ++counts_[cause.empty() ? "rewritten" : "kept: " + cause];
    if (cause.empty()) said = replies[i].reason;
  }
}

}  // namespace wend::synth
