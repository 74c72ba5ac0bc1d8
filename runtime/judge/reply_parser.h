// From the body of a chat completion to a verdict. Models wrap their JSON in fences and prose; the parser forgives
// the wrapping, never the content: a score that is missing, not finite or out of range, or a label that is none of
// those asked for, is a failure, not a guess.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/judge/judge.h"

namespace wend {

struct Verdict {
  JudgeStatus status = JudgeStatus::bad_reply;
  double score = 0;         // of a label: how sure the model is, in [0, 1]
  std::string reason;       // the judge's words if ok, else what is wrong with the reply
  std::uint32_t label = 0;  // index into the labels asked for
};

// The verdict in a whole response body (an OpenAI-compatible chat completion): one of `labels`, or a score where there
// are none. A body that starts as a JSON object but does not end as one is `truncated`.
Verdict parse_completion(std::string_view body, std::span<const std::string> labels = {});

// The verdict in the text of a model's answer: the last JSON object in it that has a "score", else the last JSON
// object at all. Forgiven inside the object: a comma before a closing bracket, a plus sign before a number, a score
// given as a string, "reasoning" or "explanation" for "reason". With `labels`, a "label" takes the place of the score:
// one of them, blanks around it and letter case aside, and "confidence" (without one: 1). "intent" is another name of
// "label", so that {intent, confidence, reason, extracted_slots, new_goal, stale_slot_keys} is an answer, too; other
// members are not looked at.
Verdict parse_verdict(std::string_view text, std::span<const std::string> labels = {});

// What the body of a failed request says, for a person: its error message if it has the usual shape, else its start;
// one line without control characters.
std::string error_text(std::string_view body);

// `text` as one line: control characters become spaces, and at most `limit` bytes are kept (whole UTF-8 characters).
std::string one_line(std::string_view text, std::size_t limit);

}  // namespace wend
