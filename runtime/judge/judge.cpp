#include "runtime/judge/judge.h"

namespace wend {

std::string_view to_string(JudgeStatus status) {
  switch (status) {
    case JudgeStatus::ok:
      return "ok";
    case JudgeStatus::network_error:
      return "network_error";
    case JudgeStatus::timeout:
      return "timeout";
    case JudgeStatus::truncated:
      return "truncated";
    case JudgeStatus::too_large:
      return "too_large";
    case JudgeStatus::rate_limited:
      return "rate_limited";
    case JudgeStatus::http_error:
      return "http_error";
    case JudgeStatus::bad_reply:
      return "bad_reply";
    case JudgeStatus::no_score:
      return "no_score";
    case JudgeStatus::out_of_range:
      return "out_of_range";
    case JudgeStatus::declined:
      return "declined";
    case JudgeStatus::over_budget:
      return "over_budget";
    case JudgeStatus::gave_up:
      return "gave_up";
    case JudgeStatus::no_label:
      return "no_label";
  }
  return "unknown";
}

}  // namespace wend
