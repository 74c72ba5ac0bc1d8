// Dialogues made up for measuring: the native format, 12 turns, the shape of real tool-calling transcripts.
//
// Each has a pool of eight of 96 tools (in another choice and order each time), requests in words that name the values,
// calls, JSON results of some hundred bytes, replies, changes of mind, interruptions, questions to ask back, and
// chains; and an agent that mostly does what gold expects, sometimes repeats a call, keeps a stale value or invents
// one. Lengths of messages, calls and arguments are about those of the public transcripts of tau-bench and tau2-bench.
#ifndef WEND_BENCH_DIALOGUES_H_
#define WEND_BENCH_DIALOGUES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace wend::bench {

// Random numbers that are the same on every machine (splitmix64).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next();
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(next() % n); }
  bool chance(double p) { return static_cast<double>(next() >> 11) < p * 9007199254740992.0; }

 private:
  uint64_t state_;
};

// One after the other, each a line of JSON with its line end.
class DialogueMaker {
 public:
  explicit DialogueMaker(uint64_t seed) : random_(seed) {}

  std::string next();

 private:
  static constexpr uint32_t kTurns = 12;

  struct Tool {
    uint32_t verb, noun;
    std::string name;
    std::vector<uint32_t> params;  // kinds of values
  };
  struct Call {
    const Tool* tool = nullptr;
    std::vector<std::string> values;  // JSON, by param; "": left out
  };

  Tool draw_tool();
  std::string tool_json(const Tool& tool);
  std::string value(uint32_t kind);
  Call make_call();
  std::string arguments(const Call& call) const;
  Call mistaken(const Call& gold);
  void user(const std::string& text);
  void assistant(const std::string& text);
  std::string result_json();
  void perform(const std::vector<Call>& calls);
  std::string request(const Call& call);
  void turn(uint32_t number);
  std::string prose(uint32_t sentences);

  Random random_;
  uint64_t count_ = 0;
  // The dialogue being made.
  std::vector<Tool> tools_;
  std::vector<Call> made_, expected_;
  std::vector<std::pair<uint32_t, uint32_t>> places_;  // turn and position of expected calls
  std::string messages_, gold_;
  uint32_t ids_ = 0;
};

}  // namespace wend::bench

#endif  // WEND_BENCH_DIALOGUES_H_
