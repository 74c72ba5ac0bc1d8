#include "runtime/judge/reply_parser.h"

#include <fmt/format.h>

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

Verdict Failure(JudgeStatus status, std::string reason) { return {status, 0, std::move(reason)}; }

json ParseJson(std::string_view text) { return json::parse(text, nullptr, /*allow_exceptions=*/false); }

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// The balanced {...} that starts at text[0], or nothing. Braces inside strings do not count.
std::optional<std::string_view> BalancedObject(std::string_view text) {
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

bool StartsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

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
    const std::string_view after = Trim(rest.substr(1));
    if (c == '+' && !after.empty() && std::isdigit(static_cast<unsigned char>(after[0])) != 0) continue;
    if (c == ',' && !after.empty() && (after[0] == '}' || after[0] == ']')) continue;
    const bool in_word = i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
    bool replaced = false;
    for (std::string_view word : {"NaN", "nan", "-Infinity", "Infinity", "-inf", "inf"}) {
      if (in_word || !StartsWith(rest, word)) continue;
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

std::optional<json> ParseObject(std::string_view text) {
  json value = ParseJson(text);
  if (value.is_discarded()) value = ParseJson(Repair(text));
  if (!value.is_object()) return std::nullopt;
  return value;
}

std::optional<json> LastObject(std::string_view text) {
  std::optional<json> last;
  std::optional<json> last_scored;
  int false_starts = 0;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at)) {
    const std::optional<std::string_view> span = BalancedObject(text.substr(at));
    std::optional<json> object = span ? ParseObject(*span) : std::nullopt;
    if (!object) {
      if (++false_starts > kMaxFalseStarts) break;
      ++at;
      continue;
    }
    at += span->size();
    if (object->contains("score"))
      last_scored = std::move(object);
    else
      last = std::move(object);
  }
  return last_scored ? std::move(last_scored) : std::move(last);
}

// The number in a score given as a number or as the text of one; NaN and infinities pass through.
std::optional<double> ScoreNumber(const json& score) {
  if (score.is_number()) return score.get<double>();
  if (!score.is_string()) return std::nullopt;
  std::string_view text = Trim(score.get_ref<const std::string&>());
  if (StartsWith(text, "+")) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return HUGE_VAL;
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::string Reason(const json& object) {
  for (const char* key : {"reason", "reasoning", "explanation"}) {
    const auto found = object.find(key);
    if (found != object.end() && found->is_string()) {
      return OneLine(found->get_ref<const std::string&>(), kReasonBytes);
    }
  }
  return {};
}

// The member of an object, or null if `value` is none or has no such member.
const json& Member(const json& value, const char* key) {
  static const json kNull;
  if (!value.is_object()) return kNull;
  const auto found = value.find(key);
  return found == value.end() ? kNull : *found;
}

// A message's content is a string, or a list of parts of which the text ones count.
std::string ContentText(const json& content) {
  if (content.is_string()) return content.get<std::string>();
  std::string text;
  if (content.is_array()) {
    for (const json& part : content) {
      const json& piece = Member(part, "text");
      if (piece.is_string()) text += piece.get_ref<const std::string&>();
    }
  }
  return text;
}

}  // namespace

std::string OneLine(std::string_view text, std::size_t limit) {
  text = Trim(text);
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

std::string ErrorText(std::string_view body) {
  const json value = ParseJson(body);
  const json& error = Member(value, "error");
  for (const json* candidate :
       {&Member(error, "message"), &error, &Member(value, "message"), &Member(value, "detail")}) {
    if (candidate->is_string()) return OneLine(candidate->get_ref<const std::string&>(), kErrorBytes);
  }
  return OneLine(body, kErrorBytes);
}

Verdict ParseVerdict(std::string_view text) {
  if (text.size() > kAnswerTailBytes) text.remove_prefix(text.size() - kAnswerTailBytes);
  const std::optional<json> object = LastObject(text);
  if (!object) {
    return Failure(JudgeStatus::bad_reply,
                   fmt::format("no JSON object in the answer: `{}`", OneLine(text, kErrorBytes)));
  }
  const json& raw = Member(*object, "score");
  if (raw.is_null()) return Failure(JudgeStatus::no_score, "the answer has no `score`");
  const std::optional<double> score = ScoreNumber(raw);
  // Printing a nested value recurses, and its depth is the model's choice: name its type instead.
  const std::string shown = raw.is_structured() ? raw.type_name() : OneLine(raw.dump(), kErrorBytes);
  if (!score) return Failure(JudgeStatus::no_score, fmt::format("the score is not a number: {}", shown));
  // Written so that NaN fails it.
  if (!(*score >= -1 && *score <= 1)) {
    return Failure(JudgeStatus::out_of_range, fmt::format("the score is outside [-1, 1]: {}", shown));
  }
  return {JudgeStatus::ok, *score, Reason(*object)};
}

Verdict ParseCompletion(std::string_view body) {
  const std::string_view trimmed = Trim(body);
  if (trimmed.empty()) return Failure(JudgeStatus::truncated, "the reply is empty");
  const json value = ParseJson(trimmed);
  if (value.is_discarded()) {
    if (trimmed.front() == '{' && trimmed.back() != '}') {
      return Failure(JudgeStatus::truncated, "the reply breaks off in the middle");
    }
    return Failure(JudgeStatus::bad_reply, fmt::format("the reply is not JSON: `{}`", OneLine(trimmed, kErrorBytes)));
  }
  const json& choices = Member(value, "choices");
  if (!choices.is_array() || choices.empty()) {
    return Failure(JudgeStatus::bad_reply, fmt::format("the reply has no choices: {}", ErrorText(trimmed)));
  }
  const json& message = Member(choices[0], "message");
  const json& finish = Member(choices[0], "finish_reason");
  const json& refusal = Member(message, "refusal");
  if (refusal.is_string() && !refusal.get_ref<const std::string&>().empty()) {
    return Failure(JudgeStatus::declined,
                   fmt::format("the model declined: {}", OneLine(refusal.get_ref<const std::string&>(), kErrorBytes)));
  }
  if (finish == "content_filter") return Failure(JudgeStatus::declined, "the content filter stopped the answer");
  Verdict verdict = ParseVerdict(ContentText(Member(message, "content")));
  if (verdict.status == JudgeStatus::bad_reply && finish == "length") {
    verdict.reason = "the answer was cut off by the token limit before its JSON was complete";
  }
  return verdict;
}

}  // namespace wend
