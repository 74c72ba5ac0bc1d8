// A model that live dialogues ask for labels, each from its own thread.
//
//   Result<HttpJudge> judge = HttpJudge::open(options);
//   LabelJudge labels(std::move(*judge), program->info().classifiers);
//   std::optional<LabelAnswer> answer = labels.ask(classifier, prompt);   // nothing: what the rules say stays
//
// A handler waits for its answer, so one dialogue has one question at a time. Questions of several threads that wait
// at the same moment go out together: one of these threads asks for all of them, and the others wait. So the limits of
// the HttpJudge (requests in flight, their rate, giving up) and its cache hold for all threads together.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/judge/http_judge.h"
#include "runtime/program.h"

namespace wend {

struct LabelAnswer {
  std::uint32_t label = 0;  // index into ClassifierInfo::labels
  double confidence = 1;    // in [0, 1]
};

// All of it is for any number of threads at once.
class LabelJudge {
 public:
  // Answers by classifier (index into ProgramInfo::classifiers) and status.
  using Counts = std::map<std::pair<std::uint32_t, JudgeStatus>, std::uint64_t>;

  LabelJudge(HttpJudge judge, std::vector<ClassifierInfo> classifiers);

  // What the model calls the prompt; nothing if it failed, which is counted by its status.
  std::optional<LabelAnswer> ask(std::uint32_t classifier, std::string_view prompt);

  Counts counts() const;
  std::vector<std::string> warnings() const;  // HttpJudge::warnings

 private:
  struct Question {
    std::uint32_t classifier = 0;
    JudgeRequest request;
    std::optional<JudgeReply> reply;
  };

  // Asks everything that waits. The lock is given up meanwhile, and held again on return.
  void ask_waiting(std::unique_lock<std::mutex>& lock);

  const std::vector<ClassifierInfo> classifiers_;
  mutable std::mutex mutex_;  // of what follows; judge_ is used by the thread that set asking_
  std::condition_variable answered_;
  bool asking_ = false;
  std::vector<Question*> waiting_;  // each lives in the call that made it
  Counts counts_;
  std::vector<std::string> warnings_;
  HttpJudge judge_;
};

}  // namespace wend
