// The words in which a model is asked to judge: one rendered request for each kind of judge.
//
// What is judged travels as one JSON object in the user message, never spliced into the instructions, so that text in
// a dialogue can neither end its field nor pass for the rubric. Rendering is deterministic: the same case gives the
// same request, and with it the same cache key.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/judge/judge.h"

namespace wend {

// A field longer than this keeps its head and its tail; the cut is marked.
inline constexpr std::size_t kPromptFieldBytes = 12'000;

// Active clarification (`judge.acr`): something needed is missing or unclear, and the agent answered the user. Did it
// ask for the right thing?
struct ClarifyCase {
  std::string_view history;              // the dialogue before the turn, as text; may be empty
  std::string_view user;                 // the user's message of the turn
  std::span<const std::string> missing;  // parameters that must be asked for
  std::string_view expected;             // what the user really wants, where that is known; may be empty
  std::string_view response;             // the agent's text of the turn
  std::string_view calls;                // the agent's calls of the turn, as text; empty if it made none
};
JudgeRequest RenderClarify(const ClarifyCase& judged, std::string sample);

// Intent switch (`judge.issr`): the user broke off one task for another. Did the agent follow?
struct SwitchCase {
  std::string_view previous_calls;     // the agent's calls of the turn before, as text
  std::string_view previous_response;  // and its text
  std::string_view user;               // the message that interrupts
  std::string_view expected_calls;     // gold calls of the turn, as text; empty if none are expected or known
  std::string_view calls;              // the agent's calls of the turn
  std::string_view response;           // and its text
};
JudgeRequest RenderSwitch(const SwitchCase& judged, std::string sample);

}  // namespace wend
