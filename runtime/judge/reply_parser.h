// From the body of a chat completion to a verdict. Models wrap their JSON in fences and prose; the parser forgives
// the wrapping, never the content: a score that is missing, not finite or out of range is a failure, not a guess.
#pragma once

#include <string>
#include <string_view>

#include "runtime/judge/judge.h"

namespace wend {

struct Verdict {
  JudgeStatus status = JudgeStatus::bad_reply;
  double score = 0;
  std::string reason;  // the judge's words if ok, else what is wrong with the reply
};

// The verdict in a whole response body (an OpenAI-compatible chat completion). A body that starts as a JSON object
// but does not end as one is `truncated`.
Verdict ParseCompletion(std::string_view body);

// The verdict in the text of a model's answer: the last JSON object in it that has a "score", else the last JSON
// object at all. Forgiven inside the object: a comma before a closing bracket, a plus sign before a number, a score
// given as a string, "reasoning" or "explanation" for "reason".
Verdict ParseVerdict(std::string_view text);

// What the body of a failed request says, for a person: its error message if it has the usual shape, else its start;
// one line without control characters.
std::string ErrorText(std::string_view body);

// `text` as one line: control characters become spaces, and at most `limit` bytes are kept (whole UTF-8 characters).
std::string OneLine(std::string_view text, std::size_t limit);

}  // namespace wend
