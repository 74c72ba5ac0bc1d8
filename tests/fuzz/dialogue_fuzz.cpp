// Any bytes as the events of a dialogue, one a line: u TEXT, c ID TOOL ARGUMENTS, r ID TEXT, a TEXT; a byte 1 in a text
// stands for a line feed. No crash; the state can be read, the block is well formed, a snapshot gives the same
// dialogue.
#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/plan/interpreter.h"
#include "compiler/sema/check.h"
#include "compiler/source/source.h"
#include "tests/fuzz/belief_fuzzing.h"

namespace {

// Takes the first word off.
std::string_view word(std::string_view& text) {
  const size_t end = text.find(' ');
  const std::string_view first = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return first;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend::belief;
  std::string input(reinterpret_cast<const char*>(data), size);
  Dialogue dialogue = Dialogue::open(fuzzing::engine(), fuzzing::tools());
  for (size_t at = 0; at < input.size();) {
    const size_t end = std::min(input.find('\n', at), input.size());
    std::string line = input.substr(at, end - at);
    for (char& c : line) c = c == '\1' ? '\n' : c;
    std::string_view rest = line;
    const std::string_view kind = word(rest);
    if (kind == "u") dialogue.user(rest);
    if (kind == "a") dialogue.reply(rest);
    if (kind == "c") {
      const std::string_view id = word(rest), tool = word(rest);
      dialogue.call(id, tool, rest);
    }
    if (kind == "r") {
      const std::string_view id = word(rest);
      dialogue.result(id, rest);
    }
    at = end + 1;
  }
  fuzzing::check(dialogue);
  return 0;
}
