#include "runtime/judge/reply_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace wend {
namespace {

using nlohmann::json;

constexpr std::size_t kReasonBytes = 2000;
constexpr std::size_t kErrorBytes = 200;
// Braces that begin no object cost a scan each; an answer with more of them than this is noise.
constexpr int kMaxFalseStarts = 200;
// The end of an answer, where its verdict stands; an answer of a few sentences is far shorter.
constexpr std::size_t kAnswerTailBytes = 65'536;

// What makes an object the answer.
constexpr std::array kScoreMembers = {"score"};
constexpr std::array kLabelMembers = {"label", "intent"};

Verdict Failure(JudgeStatus status, std::string reason) { return {status, 0, std::move(reason)}; }

json parse_json(std::string_view text) { return json::parse(text, nullptr, /*allow_exceptions=*/false); }

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// The balanced {...} that starts at text[0], or nothing. Braces inside strings do not count.
std::optional<std::string_view> balanced_object(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return text.substr(0, i + 1);
    }
  }
  return std::nullopt;
}

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

// Rewrites what models write and JSON forbids: `+0.5`, `, }`, and bare NaN and Infinity, which become strings so that
// the score is seen and refused for what it is.
std::string Repair(std::string_view text) {
  std::string out;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      out += c;
      if (c == '\\' && i + 1 < text.size()) out += text[++i];
      if (c == '"') in_string = false;
      continue;
    }
    const std::string_view rest = text.substr(i);
    const std::string_view after = trim(rest.substr(1));
    if (c == '+' && !after.empty() && std::isdigit(static_cast<unsigned char>(after[0])) != 0) continue;
    if (c == ',' && !after.empty() && (after[0] == '}' || after[0] == ']')) continue;
    const bool in_word = i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
    bool replaced = false;
    for (std::string_view word : {"NaN", "nan", "-Infinity", "Infinity", "-inf", "inf"}) {
      if (in_word || !starts_with(rest, word)) continue;
      out += '"';
      out += word;
      out += '"';
      i += word.size() - 1;
      replaced = true;
      break;
    }
    if (replaced) continue;
    if (c == '"') in_string = true;
    out += c;
  }
  return out;
}

std::optional<json> parse_object(std::string_view text) {
  json value = parse_json(text);
  if (value.is_discarded()) value = parse_json(Repair(text));
  if (!value.is_object()) return std::nullopt;
  return value;
}

// The last object with one of these members, else the last one.
std::optional<json> last_object(std::string_view text, std::span<const char* const> members) {
  std::optional<json> last;
  std::optional<json> last_answer;
  int false_starts = 0;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at)) {
    const std::optional<std::string_view> span = balanced_object(text.substr(at));
    std::optional<json> object = span ? parse_object(*span) : std::nullopt;
    if (!object) {
      if (++false_starts > kMaxFalseStarts) break;
      ++at;
      continue;
    }
    at += span->size();
    if (std::any_of(members.begin(), members.end(), [&](const char* member) { return object->contains(member); }))
      last_answer = std::move(object);
    else
      last = std::move(object);
  }
  return last_answer ? std::move(last_answer) : std::move(last);
}

// The number in a value that is a number or the text of one; NaN and infinities pass through.
std::optional<double> Number(const json& number) {
  if (number.is_number()) return number.get<double>();
  if (!number.is_string()) return std::nullopt;
  std::string_view text = trim(number.get_ref<const std::string&>());
  if (starts_with(text, "+")) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return HUGE_VAL;
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::string reason(const json& object) {
  for (const char* key : {"reason", "reasoning", "explanation"}) {
    const auto found = object.find(key);
    if (found != object.end() && found->is_string()) {
      return one_line(found->get_ref<const std::string&>(), kReasonBytes);
    }
  }
  return {};
}

// The member of an object, or null if `value` is none or has no such member.
const json& member(const json& value, const char* key) {
  static const json kNull;
  if (!value.is_object()) return kNull;
  const auto found = value.find(key);
  return found == value.end() ? kNull : *found;
}

// A message's content is a string, or a list of parts of which the text ones count.
std::string content_text(const json& content) {
  if (content.is_string()) return content.get<std::string>();
  std::string text;
  if (content.is_array()) {
    for (const json& part : content) {
      const json& piece = member(part, "text");
      if (piece.is_string()) text += piece.get_ref<const std::string&>();
    }
  }
  return text;
}

// A value as a message shows it. Printing a nested value recurses, and its depth is the model's choice: its type
// instead.
std::string Shown(const json& value) {
  return value.is_structured() ? value.type_name() : one_line(value.dump(), kErrorBytes);
}

// The number called `name` that an answer gives in [low, 1].
Verdict number_verdict(const json& object, const json& raw, std::string_view name, int low) {
  const std::optional<double> number = Number(raw);
  if (!number) return Failure(JudgeStatus::no_score, fmt::format("the {} is not a number: {}", name, Shown(raw)));
  // Written so that NaN fails it.
  if (!(*number >= low && *number <= 1)) {
    return Failure(JudgeStatus::out_of_range, fmt::format("the {} is outside [{}, 1]: {}", name, low, Shown(raw)));
  }
  return {JudgeStatus::ok, *number, reason(object)};
}

Verdict score_verdict(const json& object) {
  const json& raw = member(object, "score");
  if (raw.is_null()) return Failure(JudgeStatus::no_score, "the answer has no `score`");
  return number_verdict(object, raw, "score", -1);
}

bool equal_but_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// The label that `text` names, or their number: the one that is equal, else the only one that differs in case alone.
std::size_t find_label(std::string_view text, std::span<const std::string> labels) {
  const auto equal = std::find(labels.begin(), labels.end(), text);
  if (equal != labels.end()) return static_cast<std::size_t>(equal - labels.begin());
  std::size_t found = labels.size();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!equal_but_case(text, labels[i])) continue;
    if (found != labels.size()) return labels.size();
    found = i;
  }
  return found;
}

Verdict label_verdict(const json& object, std::span<const std::string> labels) {
  const json& own = member(object, "label");
  const json& raw = own.is_null() ? member(object, "intent") : own;
  if (raw.is_null()) return Failure(JudgeStatus::no_label, "the answer has no `label`");
  const std::size_t label =
      raw.is_string() ? find_label(trim(raw.get_ref<const std::string&>()), labels) : labels.size();
  if (label == labels.size()) {
    return Failure(JudgeStatus::no_label, fmt::format("the label is none of those asked for: {}", Shown(raw)));
  }
  const json& confidence = member(object, "confidence");
  Verdict verdict = confidence.is_null() ? Verdict{JudgeStatus::ok, 1, reason(object)}
                                         : number_verdict(object, confidence, "confidence", 0);
  verdict.label = static_cast<std::uint32_t>(label);
  return verdict;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t limit) {
  text = trim(text);
  const bool cut = text.size() > limit;
  if (cut) {
    // Step back over the continuation bytes of a character that the limit would split.
    while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
    text = text.substr(0, limit);
  }
  std::string line(text);
  for (char& c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) c = ' ';
  }
  if (cut) line += "...";
  return line;
}

std::string error_text(std::string_view body) {
  const json value = parse_json(body);
  const json& error = member(value, "error");
  for (const json* candidate :
       {&member(error, "message"), &error, &member(value, "message"), &member(value, "detail")}) {
    if (candidate->is_string()) return one_line(candidate->get_ref<const std::string&>(), kErrorBytes);
  }
  return one_line(body, kErrorBytes);
}

Verdict parse_verdict(std::string_view text, std::span<const std::string> labels) {
  if (text.size() > kAnswerTailBytes) text.remove_prefix(text.size() - kAnswerTailBytes);
  const std::optional<json> object = last_object(
      text, labels.empty() ? std::span<const char* const>(kScoreMembers) : std::span<const char* const>(kLabelMembers));
  if (!object) {
    return Failure(JudgeStatus::bad_reply,
                   fmt::format("no JSON object in the answer: `{}`", one_line(text, kErrorBytes)));
  }
  return labels.empty() ? score_verdict(*object) : label_verdict(*object, labels);
}

Verdict parse_completion(std::string_view body, std::span<const std::string> labels) {
  const std::string_view trimmed = trim(body);
  if (trimmed.empty()) return Failure(JudgeStatus::truncated, "the reply is empty");
  const json value = parse_json(trimmed);
  if (value.is_discarded()) {
    if (trimmed.front() == '{' && trimmed.back() != '}') {
      return Failure(JudgeStatus::truncated, "the reply breaks off in the middle");
    }
    return Failure(JudgeStatus::bad_reply, fmt::format("the reply is not JSON: `{}`", one_line(trimmed, kErrorBytes)));
  }
  const json& choices = member(value, "choices");
  if (!choices.is_array() || choices.empty()) {
    return Failure(JudgeStatus::bad_reply, fmt::format("the reply has no choices: {}", error_text(trimmed)));
  }
  const json& message = member(choices[0], "message");
  const json& finish = member(choices[0], "finish_reason");
  const json& refusal = member(message, "refusal");
  if (refusal.is_string() && !refusal.get_ref<const std::string&>().empty()) {
    return Failure(JudgeStatus::declined,
                   fmt::format("the model declined: {}", one_line(refusal.get_ref<const std::string&>(), kErrorBytes)));
  }
  if (finish == "content_filter") return Failure(JudgeStatus::declined, "the content filter stopped the answer");
  Verdict verdict = parse_verdict(content_text(member(message, "content")), labels);
  if (verdict.status == JudgeStatus::bad_reply && finish == "length") {
    verdict.reason = "the answer was cut off by the token limit before its JSON was complete";
  }
  return verdict;
}

}  // namespace wend
