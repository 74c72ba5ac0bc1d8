// What a judge is asked and what it answers: the vocabulary shared by every judge and everything that reads one.
//
// A judge scores one moment of a dialogue in [-1, 1], or gives it one of some labels. It may fail, and a failure is a
// status that is counted and reported, never a score or a label: readers must look at `status` first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wend {

struct JudgeRequest {
  std::string judge;                     // the judge's name in the spec: "acr", "issr"
  std::string prompt;                    // the user message, already rendered
  std::string system;                    // the system message; none is sent when empty
  std::string sample;                    // whose calls this one counts against (a trajectory's id); empty: not counted
  std::vector<std::string> labels = {};  // one of them is asked for; empty: a score
};

// Names (to_string) are stable: they appear in reports and in the statuses of `wend score --json`.
enum class JudgeStatus : std::uint8_t {
  ok,             // score (or label) and reason are valid
  network_error,  // no connection, or it broke before a reply began
  timeout,        // no complete reply within the time allowed
  truncated,      // the reply broke off in the middle
  too_large,      // the reply is larger than the limit
  rate_limited,   // the server still answered 429 at the last attempt
  http_error,     // any other HTTP status than 200
  bad_reply,      // a complete reply that is no chat completion, or whose text holds no JSON object
  no_score,       // a JSON object whose score is missing or no number, or whose confidence is no number
  out_of_range,   // a score that is not finite or outside [-1, 1], a confidence outside [0, 1]
  declined,       // the model refused to answer
  over_budget,    // not asked: the sample or the run has used up its calls
  gave_up,        // not asked: too many requests before it failed in a row
  no_label,       // a JSON object whose label is missing or none of those asked for
};
inline constexpr std::size_t kJudgeStatusCount = 14;

std::string_view to_string(JudgeStatus status);

struct JudgeReply {
  JudgeStatus status = JudgeStatus::bad_reply;
  double score = 0;         // in [-1, 1]; with labels the confidence, in [0, 1]; meaningful only if status is ok
  std::string reason;       // the judge's words if ok, else one line saying what went wrong
  int attempts = 0;         // HTTP requests sent for it; 0 if it came from the cache or was not asked
  bool cached = false;      // ok without a request of its own: from the cache, or from an equal request beside it
  std::uint32_t label = 0;  // index into JudgeRequest::labels, if there are any; meaningful only if status is ok

  bool ok() const { return status == JudgeStatus::ok; }
};

// Totals since the judge was opened. asked = ok + failed, and by_status adds up to asked.
struct JudgeStats {
  std::uint64_t asked = 0;
  std::uint64_t cached = 0;  // those among ok that needed no request
  std::uint64_t ok = 0;
  std::uint64_t failed = 0;
  std::array<std::uint64_t, kJudgeStatusCount> by_status{};
  std::uint64_t requests = 0;  // HTTP requests sent, retries among them
  std::uint64_t retries = 0;
  double seconds = 0;  // wall time spent asking

  std::uint64_t count(JudgeStatus status) const { return by_status[static_cast<std::size_t>(status)]; }
};

}  // namespace wend
