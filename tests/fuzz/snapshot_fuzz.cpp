// Any bytes as a snapshot: a dialogue that holds together and goes on, or one line that says what is wrong. PROGRAM in
// the bytes stands for the program's fingerprint.
#include <cstdint>
#include <string>

#include "compiler/plan/interpreter.h"
#include "compiler/sema/check.h"
#include "compiler/source/source.h"
#include "tests/fuzz/belief_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend::belief;
  std::string snapshot(reinterpret_cast<const char*>(data), size);
  const size_t at = snapshot.find("PROGRAM");
  if (at != std::string::npos) snapshot.replace(at, 7, fuzzing::engine()->program().info().fingerprint);
  wend::Result<Dialogue> dialogue = Dialogue::restore(fuzzing::engine(), fuzzing::tools(), {}, snapshot);
  if (!dialogue) {
    const std::string& cause = dialogue.error().message;
    fuzzing::require(cause.starts_with("snapshot: "), "no cause", cause);
    return 0;
  }
  fuzzing::check(*dialogue);
  dialogue->user("Actually, make it 8pm in Oslo, the second one.");
  dialogue->call("a", "book_table", R"({"time": "20:00"})");
  dialogue->result("a", R"({"id": "R1"})");
  dialogue->reply("Which city?");
  fuzzing::check(*dialogue);
  return 0;
}
